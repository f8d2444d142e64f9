"""Another program that asks the robot for something, by MCP. First: thinkaloud mcp --world tabletop --http 8766

python examples/mcp_client.py http://127.0.0.1:8766/mcp "Put the red block in the blue bowl."
"""

from __future__ import annotations

import asyncio
import sys
from typing import Any

from mcp import Client
from mcp.types import ElicitResult


async def tell(progress: float, total: float | None, message: str | None) -> None:
    """What the robot is at."""
    print(message)


async def answer(context: Any, params: Any) -> ElicitResult:
    """What the robot asks a person; nothing moves until it is answered."""
    said = await asyncio.to_thread(input, f"{params.message} ")
    return ElicitResult(action="accept", content={"answer": said}) if said else ElicitResult(action="decline")


async def ask(server: Any, request: str) -> dict[str, Any]:
    """Ask the robot for something, and wait until it is done."""
    async with Client(server, elicitation_callback=answer) as client:
        result = await client.call_tool("do", {"request": request}, progress_callback=tell)
        return dict(result.structured_content or {})


if __name__ == "__main__":
    print(asyncio.run(ask(sys.argv[1], sys.argv[2])))
