"""The page: what people see of the hub. It asks the hub, and nothing else.

    browser_requests.py   what a browser may ask for
    session_page.py       a session: talk, see, understand, control, look back (`desk.js`, `parts/`)
    routes.py             start a session, find an old one, compare two, look at benchmarks (`home.js`, `bench.js`)
    style.css             how all of it looks

The browser's half is written in Vue's templates, which show text as text: nothing that a model, a scene or a person
says is ever markup. No file comes from anywhere but this server.
"""

from __future__ import annotations

from pathlib import Path

from fastapi import FastAPI
from nicegui import app as nicegui_app
from nicegui import ui

from thinkaloud.web.hub import Hub
from thinkaloud.web.page.routes import add_pages

_HERE = Path(__file__).parent


def mount(app: FastAPI, hub: Hub) -> None:
    """Put the page onto a server."""
    add_pages(hub)
    nicegui_app.config.quasar_config["loadingBar"] = {"skipHijack": True}  # a bar without a name, for each request
    ui.run_with(
        app,
        title="thinkaloud",
        favicon=_HERE / "icon.svg",
        language="en-US",
        tailwind=False,
        binding_refresh_interval=None,
        reconnect_timeout=20.0,
        show_welcome_message=False,
    )
