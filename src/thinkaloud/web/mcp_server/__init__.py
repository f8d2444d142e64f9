"""The robot as an MCP server: other programs make requests of it, and never move a joint.

shared_robot.py  one robot, several clients: who asked for what, what came of it, and that nothing is done twice
tools.py         the tools and resources, in both eras of the protocol
serving.py       over standard input and output, and over HTTP
"""
