"""The real server with models that say what they were told to say; a process of its own, so that it can be killed.

python tests/support/page_server.py HOME PORT
"""

from __future__ import annotations

import sys
from pathlib import Path

from page_robots import models
from thinkaloud.settings import Settings
from thinkaloud.web.hub import Hub
from thinkaloud.web.server import Serving, serve_hub

ROOT = Path(__file__).parents[2]
HOSTILE = Path(__file__).with_name("hostile_robot.toml")
"""A robot of one's own, among things with strange names."""
MARKUP_ROBOT = HOSTILE.with_name("markup_robot.toml")
"""One whose every text is markup."""
CORRIDOR = ROOT / "examples/robots/hotel_corridor.toml"
"""One with a floor plan."""
WALKER = "walkworld:Walker"
"""Another one, which asks before it throws anything away."""


def main(home: str, port: str) -> None:
    viewer = "http://127.0.0.1:16686/trace/{trace}"
    settings = Settings(home=Path(home), model="scripted", preset="thinkaloud", trace_viewer=viewer)
    robots = [str(HOSTILE), str(MARKUP_ROBOT), str(CORRIDOR), WALKER]
    scenes, results = ROOT / "examples/scenes", ROOT / "bench"
    hub = Hub(settings, robots=robots, scenes=scenes, results=results, models=models())
    serve_hub(hub, Serving(port=int(port)), lambda address: print(address, flush=True))


if __name__ == "__main__":
    main(*sys.argv[1:])
