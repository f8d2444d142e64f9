"""The real server with models that say what they were told to say; a process of its own, so that it can be killed.

python tests/support/page_server.py HOME PORT
"""

from __future__ import annotations

import sys
from pathlib import Path

from page_robots import models
from thinkaloud.settings import Settings
from thinkaloud.web.hub import Hub
from thinkaloud.web.server import Serving, serve

ROOT = Path(__file__).parents[2]


def main(home: str, port: str) -> None:
    settings = Settings(home=Path(home), model="scripted", preset="thinkaloud")
    hub = Hub(settings, scenes=ROOT / "examples/scenes", results=ROOT / "bench", models=models())
    serve(hub, Serving(port=int(port)), lambda address: print(address, flush=True))


if __name__ == "__main__":
    main(*sys.argv[1:])
