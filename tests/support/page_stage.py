"""A real server and a real browser, shared by all tests of the page; both are processes of their own.

Playwright lives in an event loop of its own thread: its synchronous half would leave a running loop behind, and no
other test of the same process could call `asyncio.run`.
"""

from __future__ import annotations

import asyncio
import os
import shutil
import subprocess
import sys
import threading
from collections.abc import AsyncIterator, Coroutine
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar

import httpx

from page_shots import shots_are_taken

SUPPORT = Path(__file__).parent
FLAGS = [
    *("--headless", "--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update"),
    *("--disable-sync", "--no-first-run", "--enable-unsafe-swiftshader"),
    *("--disable-gpu-rasterization", "--disable-gpu-compositing"),  # some systems have Chromium do so in software
]
_NO_SPACE = """
const getContext = HTMLCanvasElement.prototype.getContext;
HTMLCanvasElement.prototype.getContext = function (kind, ...more) {
  return kind.includes("webgl") ? null : getContext.call(this, kind, ...more);
};
"""
"""A browser that draws nothing in space: to do so without a graphics card costs more than all the rest of a page."""
PATIENCE = 60.0
"""Seconds; nothing waits that long unless something is wrong."""
_T = TypeVar("_T")


def find_browser() -> str | None:
    """Where Chromium is, by any of its names, if it is here; first the one that has no windows and costs less."""
    names = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
    return next((path for name in names if (path := shutil.which(name)) is not None), None)


class Server:
    """The server, as `thinkaloud serve` has it, with scripted models; it can be killed and started again."""

    def __init__(self, home: Path) -> None:
        self._home, self._port = home, "0"
        self._process: subprocess.Popen[str] | None = None
        self.start()

    def start(self) -> None:
        """Start it, at the same address as before."""
        command = [sys.executable, str(SUPPORT / "page_server.py"), str(self._home), self._port]
        path = os.pathsep.join(str(each) for each in (SUPPORT.parents[1] / "src", SUPPORT))
        environment = {**os.environ, "PYTHONPATH": path}
        environment.pop("PYTEST_CURRENT_TEST", None)  # NiceGUI behaves differently in a test
        self._process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment)
        assert self._process.stdout is not None
        self.address = self._process.stdout.readline().strip().rstrip("/")
        assert self.address, "the server did not start"
        self._port = self.address.rpartition(":")[2]

    def kill(self) -> None:
        """End it as a crash would."""
        assert self._process is not None
        self._process.kill()
        self._process.wait()
        assert self._process.stdout is not None
        self._process.stdout.close()


@dataclass
class Visit:
    """Somebody at a browser of their own: the page, who they are, and what the browser asked of whom."""

    page: Any
    viewer: str
    address: str
    asked: list[str] = field(default_factory=list)
    trouble: list[str] = field(default_factory=list)

    async def start(self, request: str | None = None, **wanted: Any) -> str:
        """Start a session, as the form would, and go there."""
        preset = "thinkaloud:confirm=never;rehearse=off;critique=off"
        body = {
            "world": "tabletop",
            "scene": "two_colours",
            "model": "scripted",
            "preset": preset,
            "speed": None,
            "request": request,
            **wanted,
        }
        async with httpx.AsyncClient(base_url=self.address, timeout=PATIENCE, verify=False) as client:
            answer = await client.post("/api/sessions", json=body, headers={"X-Viewer": self.viewer})
        assert answer.status_code == 200, answer.text
        id = str(answer.json()["id"])
        await self.open(id)
        return id

    async def open(self, id: str) -> None:
        """Go to a session, and wait until its story is told."""
        await self.page.goto(f"{self.address}/s/{id}")
        await self.page.wait_for_selector('.desk:not([data-events="0"])')

    async def say(self, text: str) -> None:
        """Type something, and send it."""
        await self.page.get_by_label("What should the robot do?").fill(text)
        await self.page.keyboard.press("Enter")

    async def reaches(self, *states: str) -> None:
        """Wait until the robot is doing something."""
        await self.page.wait_for_selector(", ".join(f'.desk[data-state="{state}"]' for state in states))

    async def ends(self) -> str:
        """How the latest request ended, once it has."""
        await self.page.wait_for_selector(".task .end")
        await self.reaches("idle")
        return str(await self.page.locator(".task .end").last.get_attribute("data-result")).capitalize()

    async def show_lines(self) -> None:
        """Have every line shown."""
        await self.page.get_by_role("button", name="Details", exact=True).first.click()
        await self.page.wait_for_selector(".lined .row")

    async def texts(self, selector: str) -> list[str]:
        """What stands somewhere."""
        return [text.strip() for text in await self.page.locator(selector).all_inner_texts()]


class Stage:
    """One server, one browser, any number of visitors."""

    def __init__(self, server: Server) -> None:
        self.server = server
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, name="browser", daemon=True)
        self._thread.start()
        self._viewers = 0
        self._left: dict[str, list[tuple[Any, str]]] = {}
        """Browsers that nobody sits at, with their viewers: they know the page's files already."""
        self.play(self._open())

    def play(self, story: Coroutine[Any, Any, _T]) -> _T:
        """Do something in the browser's own event loop, and wait for it."""
        return asyncio.run_coroutine_threadsafe(story, self._loop).result(3 * PATIENCE)

    async def _open(self) -> None:
        from playwright.async_api import async_playwright

        self._playwright = await async_playwright().start()
        self._browser = await self._playwright.chromium.launch(executable_path=find_browser(), args=FLAGS)

    async def _close(self) -> None:
        await self._browser.close()
        await self._playwright.stop()

    def close(self) -> None:
        """Close the browser, and end the thread."""
        self.play(self._close())
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()

    @asynccontextmanager
    async def visit(
        self, width: int = 900, height: int = 600, *, space: bool = False, **how: Any
    ) -> AsyncIterator[Visit]:
        """Somebody sits down at a browser; at the end, nothing was asked of another server, and no script has failed.

        Nothing glides there, and only with `space` the world is drawn: a processor that draws in place of a graphics
        card is slow.
        """
        how = {"reduced_motion": "reduce", "space": space or shots_are_taken(), **how}
        free = self._left.setdefault(repr(how), [])
        context, viewer = free.pop() if free else await self._new_browser(how)
        page = await context.new_page()
        await page.set_viewport_size({"width": width, "height": height})
        visit = Visit(page, viewer, self.server.address)
        page.on("request", lambda request: visit.asked.append(request.url))
        page.on("pageerror", lambda error: visit.trouble.append(str(error)))
        page.on("dialog", lambda dialog: visit.trouble.append(f"a dialog: {dialog.message}"))
        try:
            yield visit
            await page.evaluate("localStorage.clear()")
            free.append((context, viewer))
        finally:
            await page.close()
        assert not [url for url in visit.asked if not url.startswith((visit.address, "data:", "blob:", "file:"))]
        assert not visit.trouble

    async def _new_browser(self, how: dict[str, Any]) -> tuple[Any, str]:
        self._viewers += 1
        viewer = f"viewer-{self._viewers}-of-the-tests"
        context = await self._browser.new_context(**{name: value for name, value in how.items() if name != "space"})
        context.set_default_timeout(PATIENCE * 1000)
        if not how["space"]:
            await context.add_init_script(_NO_SPACE)
        await context.add_init_script(f"localStorage.setItem('thinkaloud-viewer', '{viewer}')")
        return context, viewer
