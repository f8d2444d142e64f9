"""An MCP server of a robot in a laboratory, made with the SDK alone; and what it was asked to do."""

from __future__ import annotations

import asyncio
import sys
from typing import Any

from mcp.server.mcpserver import MCPServer

FILE = """
name = "lab"
about = "A cart drives between rooms."

[kinds]
room = ["kitchen", "office"]

[skills.drive]
says = "Drive to the {room}."
doc = "Drive to a room."
parameters = { room = "room" }
makes = ["at({room})"]

[relations.at]
says = "The cart is in the {room}."
doc = "Where the cart is."
parameters = { room = "room" }
single = true

[start]
facts = ["at(office)"]

[mcp]
url = "http://127.0.0.1:1/mcp"
stop = { tool = "halt" }

[mcp.skills]
drive = { tool = "navigate", arguments = { to = "{room}" } }

[mcp.relations]
at = { tool = "where_is_it", answer = "room", is = "{room}" }
"""


class Lab:
    """The cart. `stays`: it says yes and does not move. `gate`: until it is open, a drive goes on."""

    def __init__(self, *, stays: bool = False, slow: bool = False) -> None:
        self.room, self.stays, self.slow = "office", stays, slow
        self.asked: list[str] = []
        self.cancelled = 0
        self.reports = "Arrived."

    def server(self) -> MCPServer[Any]:
        """Its server."""
        server: MCPServer[Any] = MCPServer("lab", log_level="ERROR")

        @server.tool(structured_output=False)
        async def navigate(to: str) -> str:
            self.asked.append(f"navigate {to}")
            if self.slow:
                try:
                    await asyncio.Event().wait()
                except asyncio.CancelledError:
                    self.cancelled += 1
                    raise
            if not self.stays:
                self.room = to
            return self.reports

        @server.tool()
        async def where_is_it() -> dict[str, str]:
            return {"room": self.room}

        @server.tool(structured_output=False)
        async def halt() -> str:
            self.asked.append("halt")
            return "Halted."

        @server.tool(structured_output=False)
        async def self_destruct() -> str:
            self.asked.append("self_destruct")
            return "Boom."

        return server


if __name__ == "__main__":
    Lab(slow="slow" in sys.argv).server().run("stdio")
