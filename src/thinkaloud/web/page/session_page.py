"""A session on the page: what the hub tells goes to the browser, what the browser wants goes to the hub."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Any

import msgspec
from nicegui import background_tasks, ui
from nicegui.events import GenericEventArguments

from thinkaloud.episode.event_text import Narrator, Row
from thinkaloud.episode.person_english import PersonEnglish
from thinkaloud.episode.plan_edits import BadEdit
from thinkaloud.errors import ThinkaloudError
from thinkaloud.logs.spans import TraceLinks
from thinkaloud.monologue import Event
from thinkaloud.records import Request
from thinkaloud.serialization import from_data
from thinkaloud.web.hub import Hub
from thinkaloud.web.messages import (
    Drawing,
    EventMessage,
    ForkRequest,
    LessonRequest,
    PlanEditRequest,
    Pose,
    SceneFrame,
    SessionSummary,
    Status,
    StreamMessage,
    Thinking,
)
from thinkaloud.web.page import browser_requests
from thinkaloud.web.page.whose import tell_person, who_opened
from thinkaloud.web.page_words import on_page
from thinkaloud.web.session_state import SessionTracker
from thinkaloud.web.spoken import speak_board, speak_summary

SECONDS_BETWEEN_UPDATES = 0.05
"""Seconds between two loads of news for a browser; poses go at once."""
BEAT = 1.0
"""Seconds after which a browser is told that nothing is new: one that hears nothing knows that it is cut off."""
_MOST_ROWS = 400
_ERRORS = ("trouble", "end", "aside")
"""How lines are told in which an error may be."""
"""In one load: a long story comes in parts, and the page can be used meanwhile."""


class SessionPage(ui.element, component="desk.js", esm={"thinkaloud-page": "parts"}):
    """A session as one sees it. With `beside`, for looking only: another one stands next to it."""

    def __init__(self, hub: Hub, session: str, *, asked: str = "", beside: bool = False) -> None:
        super().__init__()
        self._hub, self._session = hub, session
        self._viewer = ""
        self._at: int | None = None
        self._scene: Drawing | None = None
        self._poses: list[Pose] = []
        self._rows: list[Row] = []
        self._cards: list[SessionSummary] = []
        """Requests that are over."""
        self._status: Status | None = None
        self._state = ""
        self._latest: Status | None = None
        self._thinking: Thinking | None = None
        self._speak: PersonEnglish | None = None
        self._traces = TraceLinks(session, hub.settings.trace_viewer)
        self._watching: asyncio.Task[None] | None = None
        self._news = asyncio.Event()
        self._person = who_opened()
        self._props.update(session=session, asked=asked, beside=beside, person=tell_person(self._person))
        self.on("act", self._on_act)
        self.client.on_disconnect(self._leave)
        self.client.on_connect(self._return)
        self.client.on_delete(self._leave)

    # what the browser wants -------------------------------------------------------------------------------------------

    async def _on_act(self, event: GenericEventArguments) -> None:
        try:
            act = browser_requests.read_browser_request(event.args)
            try:
                await self._do(act)
            finally:
                if mark := getattr(act, "message", ""):
                    self.run_method("settle", mark)
        except ThinkaloudError as error:
            self.run_method("note", on_page(str(error)))

    async def _do(self, act: browser_requests.BrowserRequest) -> None:
        hub, id, viewer = self._hub, self._session, self._viewer
        match act:
            case browser_requests.StopRobot(message, late):
                await self._stop(message, late)
            case browser_requests.Greet(viewer=secret):
                self._watch(self._hub.visitors.bind(self._person, secret))
            case browser_requests.Say(text, message):
                await hub.say(id, text, viewer=viewer, message=message)
            case browser_requests.AnswerQuestion(text, message):
                await hub.answer(id, text, viewer=viewer, message=message)
            case browser_requests.Approve(yes, message):
                await hub.approve(id, yes, viewer=viewer, message=message)
            case browser_requests.Pause():
                await hub.pause(id, viewer=viewer)
            case browser_requests.TakeOneStep():
                await hub.step(id, viewer=viewer)
            case browser_requests.Continue():
                await hub.go_on(id, viewer=viewer)
            case browser_requests.Disturb(thing, to):
                await hub.disturb(id, thing, to=to, viewer=viewer)
            case browser_requests.TakeControl():
                await hub.take_control(id, viewer=viewer)
            case browser_requests.HandOverControl(to):
                await hub.hand_over(id, to, viewer=viewer)
            case browser_requests.ShowEvent(at):
                await self._look(at)
            case browser_requests.ListChoices():
                self.run_method("setChoices", msgspec.to_builtins(await hub.choices()))
            case browser_requests.ShowExchanges(events):
                found = [each for index in events for each in await hub.looking.prompt(id, index)]
                self.run_method("setExchanges", msgspec.to_builtins(found))
            case browser_requests.OpenPlan():
                self.run_method("setPlan", msgspec.to_builtins(await hub.teaching.editable_plan(id)))
            case browser_requests.ChangePlan(steps, approve):
                await self._change_plan(PlanEditRequest(tuple(steps), approve))
            case browser_requests.KeepLesson(said, means):
                await hub.teaching.keep_lesson(LessonRequest(said, means), id=id, viewer=viewer)
                self.run_method("note", "Kept. From the next request on, I go by that.")
            case browser_requests.ForkSession(at, model, preset, say, message):
                wanted = ForkRequest(at, model, preset, say)
                ui.navigate.to(f"/s/{await hub.fork(id, wanted, viewer=viewer, message=message)}")

    async def _stop(self, message: str, late: float) -> None:
        """Stop the robot, and say so once its run has heard it."""
        try:
            still = await self._hub.stop_and_wait(self._session, late=late, message=message, viewer=self._viewer)
            self.run_method("hearStop", message, still)
        except ThinkaloudError as error:
            self.run_method("refuseStop", message, on_page(str(error)))

    async def _change_plan(self, wanted: PlanEditRequest) -> None:
        """Change the plan, or say at its place what is not possible."""
        try:
            await self._hub.teaching.edit_plan(self._session, wanted, viewer=self._viewer)
            self.run_method("planTaken")
        except BadEdit as error:
            self.run_method("planRefused", on_page(str(error)), error.step)
        except ThinkaloudError as error:
            self.run_method("planRefused", on_page(str(error)), None)

    async def show_event(self, at: int) -> None:
        """Show an event of the past, because somebody chose it elsewhere on the page."""
        self.run_method("follow", at)
        with suppress(ThinkaloudError):
            await self._look(at)

    async def _look(self, at: int | None) -> None:
        """Show an event of the past, or what is so now."""
        self._at = at
        await self._fetch_scene()
        if at is not None:
            told = await self._hub.looking.told(self._session, at=at)
            self.run_method("setPast", at, msgspec.to_builtins(self._tell(told)))

    # what the hub tells -----------------------------------------------------------------------------------------------

    def _watch(self, viewer: str) -> None:
        """Begin, or begin again: the browser knows nothing yet."""
        self._leave()
        self._viewer, self._at, self._scene = viewer, None, None
        self._rows, self._cards, self._status, self._thinking = [], [], None, None
        self._latest = None
        self._traces = TraceLinks(self._session, self._hub.settings.trace_viewer)
        self.run_method("begin", self._hub.viewer_id(viewer))
        self._watching = background_tasks.create(self._follow(), name=f"watching {self._session}")

    def _return(self) -> None:
        """A connection that was lost is there again: the whole story once more, so that nothing is missing."""
        if self._viewer and self._watching is None:
            self._watch(self._viewer)

    def _leave(self) -> None:
        if self._watching is not None:
            self._watching.cancel()
            self._watching = None

    async def _follow(self) -> None:
        """Take in all that happens; while taking in, hand it on."""
        handing_on = asyncio.ensure_future(self._hand_on())
        try:
            self._speak = await self._hub.looking.english(self._session)
            talk, tracker = Narrator(self._speak), SessionTracker()
            async for message in self._hub.subscribe(self._session, viewer=self._viewer):
                await self._take_in(message, talk, tracker)
        except ThinkaloudError as error:
            self.run_method("note", on_page(str(error)))
        finally:
            handing_on.cancel()

    async def _take_in(self, message: StreamMessage, talk: Narrator, tracker: SessionTracker) -> None:
        match message:
            case EventMessage(data):
                event, before = read_event(data), tracker.summary()
                self._rows += [
                    replace(row, text=on_page(row.text)) if row.manner in _ERRORS else row for row in talk.hear(event)
                ]
                tracker.hear(event)
                self._traces.hear(event)
                if self._latest is not None and event.index == self._latest.told.begun:
                    self._status = self._told(
                        self._latest
                    )  # a state may be there before its story, which has the trace
                if isinstance(event.record, Request) and before.request:
                    self._cards.append(self._tell(replace(before, world={}, changed=())))
            case Status():
                woken = self._woken(message)
                if woken and self._speak is None:  # of a robot of one's own that was asleep, nobody knew the words
                    self._speak = talk.speak = await self._hub.looking.english(self._session)
                self._latest, self._status = message, self._told(message)
                old = self._scene is None or (self._at is None and self._scene.version != message.scene)
                if message.state != "opening" and (old or woken):
                    await self._quietly(self._fetch_scene())
            case Thinking():
                self._thinking = message
            case SceneFrame():
                await self._show(message)
                return
        self._news.set()

    def _told(self, status: Status) -> Status:
        notices = tuple(map(on_page, status.notices))
        return replace(status, told=self._tell(status.told), because=on_page(status.because), notices=notices)

    def _tell(self, told: SessionSummary) -> SessionSummary:
        """A summary as a person would say it, with a link to its trace."""
        spoken = speak_summary(told, self._speak)
        return replace(spoken, because=on_page(spoken.because), trace=self._traces.find(told.begun))

    def _woken(self, now: Status) -> bool:
        """Whether a robot has been opened since the scene was drawn: one asleep is drawn from its journal."""
        before, self._state = self._state, now.state
        return before in ("asleep", "opening") and now.state != before

    async def _hand_on(self) -> None:
        while True:
            with suppress(TimeoutError):
                await asyncio.wait_for(self._news.wait(), BEAT)
            if not self._news.is_set():
                self.run_method("beat")
            self._news.clear()
            while self._rows or self._status or self._thinking:
                rows, self._rows = self._rows[:_MOST_ROWS], self._rows[_MOST_ROWS:]
                cards, self._cards = self._cards, []
                status, thinking, self._status, self._thinking = self._status, self._thinking, None, None
                ago = time.time() - status.since if status is not None else 0.0  # the browser's clock may be another
                self.run_method("hear", *(msgspec.to_builtins(each) for each in (rows, cards, status, thinking)), ago)
                await asyncio.sleep(SECONDS_BETWEEN_UPDATES)

    async def _show(self, frame: SceneFrame) -> None:
        """Only what has moved is sent."""
        if self._at is not None:
            return
        if self._scene is None or frame.scene != self._scene.version:
            await self._quietly(self._fetch_scene())
        if frame.ghost:
            self.run_method("setGhost", [_rounded(pose) for pose in frame.poses])
            return
        poses = [_rounded(pose) for pose in frame.poses]
        if changes := find_moved_poses(self._poses, poses):
            self.run_method("setPoses", changes)
        self._poses = poses

    async def _fetch_scene(self) -> None:
        self._scene = await self._hub.looking.scene(self._session, at=self._at)
        self._poses = [_rounded(pose) for pose in self._scene.poses]
        self.run_method("setScene", msgspec.to_builtins(speak_board(self._scene, self._speak)))

    async def _quietly(self, work: Awaitable[None]) -> None:
        """What is missing of a picture is no reason to miss the story."""
        try:
            await work
        except ThinkaloudError as error:
            self.run_method("note", on_page(str(error)))


def read_event(data: Mapping[str, Any]) -> Event:
    """An event from the journal's JSON."""
    fields = {name: value for name, value in data.items() if name not in ("index", "at", "kind")}
    return Event(data["index"], data["at"], from_data(data["kind"], fields))


def find_moved_poses(old: Sequence[Pose], new: Sequence[Pose]) -> list[list[float]]:
    """The poses that differ, each after its number."""
    if len(old) != len(new):
        return [[number, *pose] for number, pose in enumerate(new)]
    return [[number, *pose] for number, (before, pose) in enumerate(zip(old, new, strict=True)) if before != pose]


def _rounded(pose: Sequence[float]) -> Pose:
    return tuple(round(value, 4) for value in pose)
