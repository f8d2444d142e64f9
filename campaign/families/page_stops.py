"""Stops pressed on the page, in a real browser, while the connection fails, the server restarts or the page sleeps.

The robot writes down each control tick, and the page what it says about the stop. A stop is lost without being said
where the robot moves more than half a second after the press, and the page does not say that it is not confirmed.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import random
import shutil
import signal
import statistics
import threading
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from itertools import count
from typing import Any

import httpx

from campaign.contract import Attempt, Finding, NotHere, NotTried, Stage
from campaign.page_server import ROBOT, WALK, PageServer
from campaign.unreliable import UnreliableProxy

FAULTS = ("none", "cut", "refuse", "stall", "delay", "dead", "restart", "sleep")
"""Those of the proxy; a server that is killed and comes back; and a page that sleeps while nothing passes."""
SAID_WITHIN = 0.5
"""Seconds after which the page has to say that a stop is not confirmed."""
_SLACK = 0.5
"""Seconds that a browser which draws in software may take to show it."""
_PATIENCE = 60.0
_LOOK_EVERY = 0.1
_BROWSERS = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
_FLAGS = ("--no-sandbox", "--disable-gpu", "--disable-background-networking", "--enable-unsafe-swiftshader")
_RECORDER = """
const say = (what) => {
  const log = JSON.parse(sessionStorage.getItem("log") ?? "[]");
  sessionStorage.setItem("log", JSON.stringify([...log, [Date.now() / 1000, what]]));
};
const pressed = (event) => {
  if (event.key === "Escape" || event.target.closest?.("button.stop")) say("pressed");
};
document.addEventListener("click", pressed, true);
document.addEventListener("keydown", pressed, true);
say("loading");
let last = null;
new MutationObserver(() => {
  const now = document.querySelector(".desk")?.dataset.stop;
  if (now !== undefined && now !== last) say((last = now) || "nothing");
}).observe(document, { subtree: true, childList: true, attributes: true, attributeFilter: ["data-stop"] });
"""
"""Keeps what the page says about a stop, and when, also over a reload."""


@dataclass(frozen=True)
class Pressed:
    """What came of one press: seconds from it on, and what the page said when."""

    said: Sequence[tuple[float, str]]
    ticks: Sequence[float]

    @property
    def unconfirmed(self) -> bool:
        """Whether the page said that the stop was not confirmed."""
        return any(what == "unconfirmed" for _, what in self.said)

    @property
    def still_after(self) -> float:
        """Seconds until the last tick."""
        return max((0.0, *self.ticks))

    @property
    def said_after(self) -> float:
        """Seconds until the page said that the robot is still."""
        return next((at for at, what in self.said if what == "still"), _PATIENCE)

    def shown(self, at: float) -> str:
        """What the page said at a moment; `asleep` while nobody could see it, and until it had time to wake up."""
        what = "nothing"
        for since, now in self.said:
            if since <= at:
                what = "asleep" if now == "awake" and at - since <= SAID_WITHIN + _SLACK else now
        return what

    def judge(self, slack: float = _SLACK) -> Finding | None:
        """Whether a stop was lost without being said, or the page said what was not so."""
        still = next((at for at, what in self.said if what == "still"), None)
        if still is None:
            return Finding("hang", f"never confirmed: {self._told()}")
        for at in self.ticks:
            if at > still + 0.1:
                return Finding("moved", f"{at:.2f} s after the press, and the page said still at {still:.2f} s")
            if at > SAID_WITHIN + slack and self.shown(at) in ("nothing", "loading", "sending", "awake"):
                return Finding("silent", f"moving {at:.2f} s after the press, and the page said: {self.shown(at)}")
        return None

    def _told(self) -> str:
        return ", ".join(f"{what} {at:.1f}" for at, what in self.said)


class PageStops:
    """Presses of the stop button, at random moments of random faults; one server, proxy and page for all of them."""

    def __init__(self, stage: Stage) -> None:
        self._folder = stage.folder
        self._tested: _PageUnderTest | None = None
        self._presses: list[Pressed] = []
        self._lost = 0

    @property
    def figures(self) -> dict[str, float]:
        """How many were confirmed at once, were said not to be, were lost; seconds from the press to the last tick."""
        if not self._presses:
            return {}
        said = sum(each.unconfirmed for each in self._presses)
        still = [each.still_after for each in self._presses]
        return {
            "confirmed at once": len(self._presses) - said,
            "said NOT CONFIRMED first": said,
            "lost without being said": self._lost,
            "median ms to still": round(1000 * statistics.median(still)),
            "worst s to still": round(max(still), 1),
            "median ms to being told so": round(1000 * statistics.median(each.said_after for each in self._presses)),
            "worst s to being told so": round(max(each.said_after for each in self._presses), 1),
        }

    def attempts(self, seed: int) -> Iterator[Attempt]:
        """The faults in turn; the press comes before, at or after the beginning of each."""
        rng = random.Random(f"page stops {seed}")
        for number in count():
            fault, by = FAULTS[number % len(FAULTS)], rng.choice(("button", "key"))
            begins, lasts = round(rng.uniform(-0.3, 2.0), 2), round(rng.uniform(0.3, 7.0), 2)
            data = {"fault": fault, "begins": begins, "lasts": lasts, "by": by, "slack": _SLACK}
            yield Attempt("page_stops", f"{fault} for {lasts} s, {begins} s before the {by}", data)

    def try_one(self, attempt: Attempt) -> Finding | None:
        """Have the robot walk, the connection fail, and somebody press stop."""
        if self._tested is None:
            self._tested = _PageUnderTest(self._folder)
        pressed = self._tested.play(attempt.data)
        finding = pressed.judge(attempt.data["slack"])
        self._presses.append(pressed)
        self._lost += finding is not None
        return finding

    def close(self) -> None:
        """End the server and the browser."""
        if self._tested is not None:
            self._tested.close()


class _PageUnderTest:
    """A server, a proxy before it, and a page at the other end, in an event loop of their own thread."""

    def __init__(self, folder: Any) -> None:
        self._browser_path = next((path for name in _BROWSERS if (path := shutil.which(name)) is not None), None)
        if self._browser_path is None:
            raise NotHere("there is no chromium here (apt-get install chromium)")
        if find_spec("playwright") is None:
            raise NotHere("there is no playwright here (pip install playwright)")
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        self._server = PageServer(folder)
        self._server.start()
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, name="page stops", daemon=True)
        self._thread.start()
        try:
            self._do(self._open())
        except BaseException:
            self._server.kill()
            raise

    def play(self, data: Any) -> Pressed:
        """One press."""
        return self._do(self._play(data))  # type: ignore[no-any-return]

    def close(self) -> None:
        """End everything."""
        self._do(self._close())
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()
        self._server.kill()

    def _do(self, work: Any) -> Any:
        return asyncio.run_coroutine_threadsafe(work, self._loop).result(3 * _PATIENCE)

    async def _open(self) -> None:
        from playwright.async_api import async_playwright

        self._proxy = UnreliableProxy(self._server.port)
        await self._proxy.open()
        self._session = await self._start()
        self._playwright = await async_playwright().start()
        self._browser = await self._playwright.chromium.launch(executable_path=self._browser_path, args=_FLAGS)
        context = await self._browser.new_context(reduced_motion="reduce", viewport={"width": 900, "height": 600})
        context.set_default_timeout(1000 * _PATIENCE)
        await context.add_init_script(_RECORDER)
        self._page = await context.new_page()
        self._wire = await self._browser.new_browser_cdp_session()
        await self._page.goto(f"http://127.0.0.1:{self._proxy.port}/s/{self._session}")

    async def _close(self) -> None:
        await self._browser.close()
        await self._playwright.stop()
        await self._proxy.close()

    async def _ask(self, path: str, **body: Any) -> Any:
        """Ask the server itself: this connection does not fail."""
        async with httpx.AsyncClient(base_url=f"http://127.0.0.1:{self._server.port}", timeout=_PATIENCE) as client:
            answer = await client.post(path, json=body, headers={"X-Viewer": "the campaign"})
        answer.raise_for_status()
        return answer.json()

    async def _start(self) -> str:
        wanted = {"world": ROBOT, "model": "walks", "preset": "inner_monologue", "speed": 1.0}
        return str((await self._ask("/api/sessions", **wanted))["id"])

    async def _play(self, data: Any) -> Pressed:
        self._server.forget_ticks()
        self._slept: list[tuple[float, str]] = []
        await self._ask(f"/api/sessions/{self._session}/say", text=WALK)
        await self._page.wait_for_selector('.desk[data-state="moving"]:not(.offline)')
        await self._page.evaluate("sessionStorage.removeItem('log')")
        failing = asyncio.ensure_future(self._fail(data))
        await asyncio.sleep(max(data["begins"], 0.0))
        await self._press(data["by"])
        await failing
        await self._until_still()
        await asyncio.sleep(0.5)  # were it to move after the page said still, it would do so now
        return await self._collect()

    async def _press(self, by: str) -> None:
        if by == "key":
            await self._page.keyboard.press("Escape")
        else:
            await self._page.locator("button.stop").dispatch_event("click")

    async def _fail(self, data: Any) -> None:
        """The fault, from its beginning to its end; a negative beginning is after the press."""
        fault, lasts = data["fault"], data["lasts"]
        await asyncio.sleep(max(-data["begins"], 0.0))
        if fault == "restart":
            self._server.kill()
            await asyncio.sleep(lasts)
            await asyncio.to_thread(self._server.start)
        elif fault == "sleep":
            await self._sleep(data)
        else:
            self._proxy.fail(fault)
            await asyncio.sleep(lasts)
            self._proxy.fail("none")

    async def _sleep(self, data: Any) -> None:
        """Nothing passes; right after the press the page's process sleeps, as that of a phone which is locked."""
        processes = (await self._wire.send("SystemInfo.getProcessInfo"))["processInfo"]
        pages = [each["id"] for each in processes if each["type"] == "renderer"]
        self._proxy.fail("stall")
        await asyncio.sleep(max(data["begins"], 0.0) + 0.2)
        self._slept.append((time.time(), "asleep"))
        _signal(pages, signal.SIGSTOP)
        await asyncio.sleep(data["lasts"] / 2)
        self._proxy.fail("none")
        await asyncio.sleep(data["lasts"] / 2)
        _signal(pages, signal.SIGCONT)
        self._slept.append((time.time(), "awake"))

    async def _until_still(self) -> None:
        """Wait until the page says that the robot is still; not for ever, since it may never do so."""
        for _ in range(int(_PATIENCE / _LOOK_EVERY)):
            if any(what == "still" for _, what in _after_press(await self._log())):
                return
            await asyncio.sleep(_LOOK_EVERY)

    async def _log(self) -> list[tuple[float, str]]:
        from playwright.async_api import Error

        while True:
            with contextlib.suppress(Error):  # it is being loaded anew
                found = await self._page.evaluate("JSON.parse(sessionStorage.getItem('log') ?? '[]')")
                return [(at, what) for at, what in found]
            await asyncio.sleep(_LOOK_EVERY)

    async def _collect(self) -> Pressed:
        log = sorted(await self._log() + self._slept)
        pressed = next((at for at, what in log if what == "pressed"), None)
        if pressed is None:
            raise NotTried("the press did not reach the page")
        said = [(at - pressed, what) for at, what in _after_press(log)]
        await self._ask(f"/api/sessions/{self._session}/stop")  # whatever came of it: the next one begins at rest
        return Pressed(said, [at - pressed for at in self._server.ticks() if at > pressed])


def _signal(processes: Sequence[int], what: signal.Signals) -> None:
    for each in processes:
        os.kill(each, what)


def _after_press(log: Sequence[tuple[float, str]]) -> list[tuple[float, str]]:
    whats = [what for _, what in log]
    return list(log[whats.index("pressed") + 1 :]) if "pressed" in whats else []
