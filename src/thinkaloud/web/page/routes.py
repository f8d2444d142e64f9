"""The pages: one to begin with, one for each session, two side by side, the settings, and the benchmarks."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from html import escape
from pathlib import Path
from typing import Any

import msgspec
from nicegui import ui
from nicegui.events import GenericEventArguments

from thinkaloud.errors import BadInput, ThinkaloudError
from thinkaloud.web.hub import Hub
from thinkaloud.web.messages import LessonRequest, SessionRequest, Status
from thinkaloud.web.page.session_page import SessionPage
from thinkaloud.web.page.whose import tell_person, who_opened
from thinkaloud.web.page_words import on_page

_STYLE = (Path(__file__).parent / "style.css").read_text(encoding="utf-8")
_OPENING = 30.0
"""Seconds until a page gives up: a large journal, on a machine that is busy."""
_POLICY = (
    "default-src 'self'; script-src 'self' 'unsafe-inline' 'unsafe-eval'; style-src 'self' 'unsafe-inline'; "
    "img-src 'self' data: blob:; font-src 'self'; object-src 'none'; base-uri 'none'; form-action 'none'"
)
"""The browser itself sees to it that nothing is asked of any other server. (Vue makes its templates at run time.)"""
_THEME = """
const kept = localStorage.getItem("thinkaloud-theme");
const dark = kept ? kept === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
document.documentElement.dataset.theme = dark ? "dark" : "light";
"""


class HomePage(ui.element, component="home.js"):
    """What there is to choose from, and all sessions."""

    def __init__(self, hub: Hub) -> None:
        super().__init__()
        self._hub, self._person = hub, who_opened()
        self._props.update(person=tell_person(self._person))
        self.on("choose", self._choose)
        self.on("start", self._start)
        self.on("list", self._list)
        self.on("scenes", self._scenes)
        self.on("rename", self._rename)
        self.on("remove", self._remove)
        self.on("lessons", self._lessons)
        self.on("teach", self._teach)
        self.on("forget", self._forget)

    async def _start(self, event: GenericEventArguments) -> None:
        try:
            secret, wanted, message = read_session_request(event.args)
            id = await self._hub.start(wanted, viewer=self._viewer(secret), message=message)
            ui.navigate.to(f"/s/{id}")
        except ThinkaloudError as error:
            self.run_method("refuse", on_page(str(error)))

    def _viewer(self, secret: str) -> str:
        """By what the sessions know who is here: bound to the person who opened the page, whatever a browser says."""
        return self._hub.visitors.bind(self._person, secret)

    async def _choose(self) -> None:
        self.run_method("setChoices", msgspec.to_builtins(await self._hub.choices()))

    async def _scenes(self, event: GenericEventArguments) -> None:
        try:
            world = str(event.args)
            self.run_method("setScenes", world, await self._hub.scenes(world))
            self.run_method("setExamples", world, await self._hub.examples(world))
        except ThinkaloudError as error:
            self.run_method("refuse", on_page(str(error)))

    async def _list(self) -> None:
        self.run_method("setSessions", msgspec.to_builtins(await self._hub.sessions()))

    async def _rename(self, event: GenericEventArguments) -> None:
        async def work() -> None:
            id, name, secret = _texts(event.args, 3)
            await self._hub.rename(id, name, viewer=self._viewer(secret))

        await self._told(work, self._list)

    async def _remove(self, event: GenericEventArguments) -> None:
        async def work() -> None:
            id, secret = _texts(event.args, 2)
            await self._hub.delete(id, viewer=self._viewer(secret))

        await self._told(work, self._list)

    async def _lessons(self) -> None:
        self.run_method("setLessons", msgspec.to_builtins(await self._hub.teaching.lessons()))

    async def _teach(self, event: GenericEventArguments) -> None:
        async def work() -> None:
            world, said, means, secret = _texts(event.args, 4)
            wanted = LessonRequest(said, means, world)
            await self._hub.teaching.keep_lesson(wanted, viewer=self._viewer(secret))

        await self._told(work, self._lessons)

    async def _forget(self, event: GenericEventArguments) -> None:
        async def work() -> None:
            lesson, secret = _texts(event.args, 2)
            await self._hub.teaching.remove_lesson(lesson, viewer=self._viewer(secret))

        await self._told(work, self._lessons)

    async def _told(self, work: Callable[[], Awaitable[object]], then: Callable[[], Awaitable[None]]) -> None:
        """Do something, then show what is so now; what is wrong with it is said in one line."""
        try:
            await work()
        except ThinkaloudError as error:
            self.run_method("complain", on_page(str(error)))
        await then()


class ComparePage(ui.element, component="compare.js"):
    """Two sessions as one timeline; what is chosen there is shown by the two sessions below."""

    def __init__(self, hub: Hub, a: str, b: str) -> None:
        super().__init__()
        self._hub, self._a, self._b = hub, a, b
        self._shown: list[SessionPage] = []
        self.on("compare", self._compare)
        self.on("choose", self._choose)

    def show(self, pages: list[SessionPage]) -> None:
        """The sessions that follow what is chosen."""
        self._shown = pages

    async def _compare(self) -> None:
        try:
            self.run_method("setComparison", msgspec.to_builtins(await self._hub.looking.compare(self._a, self._b)))
        except ThinkaloudError as error:
            self.run_method("complain", on_page(str(error)))

    async def _choose(self, event: GenericEventArguments) -> None:
        for page, at in zip(self._shown, event.args if isinstance(event.args, list) else [], strict=False):
            if isinstance(at, int):
                await page.show_event(at)


class BenchPage(ui.element, component="bench.js"):
    """The results of benchmarks, as tables and plots."""

    def __init__(self, results: Any) -> None:
        super().__init__()
        self._props.update(results=results)


class SettingsPage(ui.element, component="settings.js"):
    """Robots, models and people."""

    def __init__(self) -> None:
        super().__init__()
        self._props.update(person=tell_person(who_opened()))


class MissingPage(ui.element, component="missing.js"):
    """A page that says what is not there."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self._props.update(text=text)


def _texts(said: Any, count: int) -> list[str]:
    """The first texts of what a browser said; BadInput where there are none."""
    if not isinstance(said, list) or len(said) < count or not all(isinstance(each, str) for each in said[:count]):
        raise BadInput("The page asked for something that makes no sense; load it again.")
    return said[:count]


def read_session_request(said: Any) -> tuple[str, SessionRequest, str]:
    """Who wants a session, how they want it, and by which mark; BadInput where nobody could mean that."""
    try:
        return msgspec.convert(said, tuple[str, SessionRequest, str])
    except msgspec.ValidationError as error:
        raise BadInput(f"The form was not filled in as it should be: {error}") from None


def add_pages(hub: Hub) -> None:
    """Add all pages; each asks the hub when it is opened."""

    @ui.page("/", title="thinkaloud", response_timeout=_OPENING)
    async def home() -> None:
        _dress()
        HomePage(hub)

    @ui.page("/s/{session:path}", title="thinkaloud", response_timeout=_OPENING)
    async def session(session: str) -> None:
        found = await _find(hub, session)
        asked = "" if found is None else found.told.request
        _dress(asked)
        if found is not None:
            SessionPage(hub, found.session, asked=asked)

    @ui.page("/compare", title="Side by side – thinkaloud", response_timeout=_OPENING)
    async def compare(a: str, b: str) -> None:
        _dress()
        found = [status for each in (a, b) if (status := await _find(hub, each)) is not None]
        if len(found) < 2:
            return
        timeline = ComparePage(hub, *(each.session for each in found))
        with ui.element("div").classes("pair"):
            timeline.show([SessionPage(hub, each.session, asked=each.told.request, beside=True) for each in found])

    @ui.page("/settings", title="Settings – thinkaloud", response_timeout=_OPENING)
    async def settings() -> None:
        _dress()
        SettingsPage()

    @ui.page("/bench", title="Benchmarks – thinkaloud", response_timeout=_OPENING)
    async def bench() -> None:
        _dress()
        BenchPage(msgspec.to_builtins(await hub.benches()))


async def _find(hub: Hub, session: str) -> Status | None:
    """A session, by the beginning of its id; None, and said so, where there is none."""
    try:
        return await hub.status(session)
    except ThinkaloudError as error:
        MissingPage(on_page(str(error)))
        return None


def _dress(asked: str = "") -> None:
    """Our own style and colours, on every page; both are ours, so they may be markup.

    What was asked for is text. It is there until the browser has loaded the rest of the page.
    """
    ui.add_head_html(f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}">')
    ui.add_head_html(f"<script>{_THEME}</script><style>{_STYLE}</style>")
    ui.add_body_html(f'<div class="loading"><p dir="auto">{escape(asked)}</p><p>Opening …</p></div>')
