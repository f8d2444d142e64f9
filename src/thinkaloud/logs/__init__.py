"""The monologue in the formats of other tools: OpenTelemetry traces, Rerun recordings and MCAP logs.

Each part reads the one list of events and changes nothing: `spans` while the robot works, `recordings` afterwards.
"""
