"""The toy robot with legs as an MCP server: `mcp_walker.py HOME` over standard input and output."""

from __future__ import annotations

import sys
from pathlib import Path

from thinkaloud.settings import Settings
from thinkaloud.web.hub import Hub
from thinkaloud.web.mcp_server.serving import serve_stdio
from thinkaloud.web.messages import SessionRequest
from walkworld import obliging

ROBOT = "walkworld:Walker"
WANTED = SessionRequest(world=ROBOT, model="obliging", preset="inner_monologue", speed=None)
WALK, MOVE, DISCARD = "Walk.", "Put the ball on the shelf.", "Throw the ball away."


def open_hub(home: Path) -> Hub:
    """A hub with the robot and its scripted model."""
    return Hub(Settings(home=home, world=ROBOT, model="obliging"), robots=(ROBOT,), models={"obliging": obliging()})


if __name__ == "__main__":
    serve_stdio(open_hub(Path(sys.argv[1])), WANTED)
