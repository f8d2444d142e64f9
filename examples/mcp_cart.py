"""A robot that is an MCP server, and thinkaloud as its mind.

The server is made with the SDK alone, as any robot's would be. `robots/lab_cart.toml` says which of its tools are used.
Run it with a model of yours: python examples/mcp_cart.py openai:gpt-4o
"""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path

from mcp.server.mcpserver import MCPServer

from thinkaloud import Agent
from thinkaloud.models import Model, open_model
from thinkaloud.records import End
from thinkaloud.robots.mcp_robot import McpRobot, read_tool_table
from thinkaloud.robots.text_file import parse_robot
from thinkaloud.settings import load

FILE = Path(__file__).parent / "robots" / "lab_cart.toml"


def cart() -> MCPServer:
    """The robot's own server; it knows nothing of thinkaloud."""
    server = MCPServer("cart", log_level="ERROR")
    state = {"room": "office"}

    @server.tool()
    async def navigate(to: str) -> str:
        """Drive to a room."""
        state["room"] = to
        return f"Arrived in the {to}."

    @server.tool()
    async def where_is_it() -> dict[str, str]:
        """Where the cart is."""
        return state

    @server.tool()
    async def halt() -> str:
        """Stop the wheels."""
        return "Halted."

    return server


def main(model: Model, request: str = "Drive to the kitchen.") -> End:
    """Carry out a request; the server runs in this process, in place of the address in the file."""
    text = FILE.read_text(encoding="utf-8")
    robot = parse_robot(text, str(FILE))
    tools = read_tool_table(robot, text)
    assert tools is not None
    world = McpRobot(robot, tools, cart())
    try:
        return asyncio.run(Agent(world, model).run(request))
    finally:
        world.connection.close()


if __name__ == "__main__":
    print(main(open_model(sys.argv[1] if len(sys.argv) > 1 else "embedded", load().for_model())))
