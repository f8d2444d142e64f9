"""An episode, put together from what the command line asks for: everything is checked first, the session begun last."""

from __future__ import annotations

import asyncio
import contextlib
import sys
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass, field, replace
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

from rich.console import Console

from thinkaloud.agent import Agent, check_request, restore_world
from thinkaloud.cli.interrupts import Interrupts
from thinkaloud.cli.options import Wanted
from thinkaloud.cli.summary import Tally
from thinkaloud.cli.terminal import Terminal
from thinkaloud.converse.inbox import Inbox
from thinkaloud.errors import BadInput, ThinkaloudError
from thinkaloud.loop import Limits
from thinkaloud.models import Model, open_model
from thinkaloud.models import Settings as ModelSettings
from thinkaloud.monologue import Event, Listener
from thinkaloud.presets import read_preset
from thinkaloud.records import Begin, End, Record, Request
from thinkaloud.remember.journal import Journal, Session, line
from thinkaloud.settings import Settings, load
from thinkaloud.worlds import World, open_world

if TYPE_CHECKING:
    from thinkaloud.worlds.film import Film

RUNS = Path("runs")
PULSE = 0.2  # seconds between two looks at what is going on


def settings_for(wanted: Wanted) -> Settings:
    """The settings that are in force for this command."""
    return load({"world": wanted.world, "preset": wanted.preset, "model": wanted.model})


def model_settings(settings: Settings) -> ModelSettings:
    """The part of the settings that is about models."""
    chosen = ModelSettings(settings.base_url, settings.api_key, settings.timeout, settings.retries, settings.threads)
    return replace(chosen, context=settings.context) if settings.context else chosen


def open_the_model(name: str, settings: Settings) -> Model:
    """The model; if it is not quite the one that was asked for, a line says so."""
    return open_model(name, model_settings(settings), notice=complain)


def complain(text: str) -> None:
    """One line on standard error."""
    sys.stderr.write(" ".join(text.encode("utf-8", "replace").decode().split()) + "\n")
    sys.stderr.flush()


def read_scene_file(path: Path | None, world: str) -> str:
    """A scene file as the text that `open_world` takes."""
    if path is None:
        return ""
    if world == "tabletop":
        from thinkaloud.worlds.tabletop import load_scene

        return load_scene(path).to_json()
    try:
        return path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise BadInput(f"{path}: cannot be read: {getattr(error, 'strerror', None) or 'it is not text'}.") from error


def described(wanted: Wanted, settings: Settings) -> Begin:
    """The run as it will be written down; raises BadInput for a preset or scene that cannot be used."""
    read_preset(settings.preset)
    options = {"disturb": wanted.disturb}
    if wanted.steps is not None:
        options["steps"] = str(wanted.steps)
    scene = read_scene_file(wanted.scene, settings.world)
    return Begin(settings.world, settings.preset, settings.model, wanted.seed, options, scene)


def world_of(begin: Begin) -> World:
    """The world that a run takes place in, as it was when the run began."""
    world = open_world(begin.world, scene=begin.scene or None, disturbance=begin.options.get("disturb", "none"))
    world.reset(begin.seed)
    return world


def limits_of(begin: Begin) -> Limits:
    """How far the robot may go."""
    return Limits(steps=int(begin.options["steps"])) if "steps" in begin.options else Limits()


class JsonLines:
    """Writes every event as a line of JSON, and nothing else."""

    def __init__(self, *, timings: bool) -> None:
        self._timings = timings

    def __call__(self, event: Event) -> None:
        """Write it down."""
        sys.stdout.write(line(event.index, event.at, event.record, measurements=self._timings) + "\n")
        sys.stdout.flush()


@dataclass
class Episode:
    """A robot on stage: whoever runs it attends to it, then closes with `finish`."""

    agent: Agent
    terminal: Terminal | None
    interrupts: Interrupts
    film: Film | None = None
    film_path: Path | None = None
    session: Session | None = None
    trouble: str = ""
    tally: Tally = field(default_factory=Tally)

    def begin_counting(self) -> None:
        """Count from here on; what was said before counts, too."""
        for event in self.agent.monologue:
            self.tally.count(event.record)
        self.agent.monologue.listeners.append(lambda event: self.tally.count(event.record))

    async def attend(self, working: Awaitable[End]) -> End | None:
        """Wait for the robot to come to an end, showing what it does; None where something broke meanwhile."""
        pulse = asyncio.ensure_future(self._pulse())
        try:
            return await working
        except BadInput:
            if self.tally.steps or self.tally.goal:
                raise
            raise
        finally:
            pulse.cancel()
            await asyncio.gather(pulse, return_exceptions=True)

    async def _pulse(self) -> None:
        while self.terminal is not None and self.terminal.console.is_terminal:
            await asyncio.sleep(PULSE)
            self.terminal.pulse()

    async def finish(self) -> None:
        """Save the film, say where everything is, and how it ended."""
        lines = await self._filmed()
        if self.session is not None:
            id = self.session.id
            lines.append(f"Session {id}. See it again with: thinkaloud replay {id}")
        for text in lines:
            if self.terminal is not None:
                self.terminal.note(text)
            else:
                complain(text)
        if self.terminal is not None:
            self.terminal.conclude()

    async def _filmed(self) -> list[str]:
        if self.film is None or self.film_path is None:
            return []
        try:
            saved = await asyncio.to_thread(self.film.save, self.film_path)
        except OSError as error:
            return [f"The film could not be written to {self.film_path}: {error.strerror or error}."]
        return [f"Film: {saved.film} ({saved.frames} frames, drawn in {saved.seconds:.1f} s); picture: {saved.picture}"]

    @property
    def status(self) -> int:
        """The exit status: 0 goal met, 1 not, 128 plus the signal after one."""
        return self.interrupts.status or (0 if self.tally.met else 1)


@contextlib.asynccontextmanager
async def on_stage(
    wanted: Wanted,
    settings: Settings,
    *,
    request: str | None = None,
    person: Inbox | None = None,
    model: Model | None = None,
    console: Console | None = None,
) -> AsyncIterator[Episode]:
    """A new episode. Bad input is refused before anything is left behind."""
    begin = described(wanted, settings)
    world = world_of(begin)
    if request is not None:
        check_request(request, world.observe())
    if wanted.film is not None and not wanted.no_film:
        probe(wanted.film)
    async with contextlib.AsyncExitStack() as stack:
        model = model or open_the_model(settings.model, settings)
        stack.push_async_callback(model.close)
        session: Session | None = None
        if not wanted.no_journal:
            session = stack.enter_context(stack.enter_context(Journal(settings.journal)).begin())
        begin = replace(begin, model=model.name)
        yield stack.enter_context(assembled(wanted, world, model, begin, session, person=person, console=console))


@contextlib.asynccontextmanager
async def on_stage_again(
    id: str, wanted: Wanted, settings: Settings, *, model: Model | None = None, console: Console | None = None
) -> AsyncIterator[Episode]:
    """An episode whose process had ended, as the journal knows it."""
    async with contextlib.AsyncExitStack() as stack:
        session = stack.enter_context(stack.enter_context(Journal(settings.journal)).resume(id))
        begin = unfinished(session)
        world = world_of(begin)
        restore_world(world, session, begin.seed)
        model = model or open_the_model(begin.model, settings)
        stack.push_async_callback(model.close)
        yield stack.enter_context(assembled(wanted, world, model, begin, session, console=console))


def unfinished(session: Session) -> Begin:
    """How a session began, if there is something left to do in it."""
    records: list[Record] = [record for _, _, record in session.events()]
    if not records or not isinstance(records[0], Begin):
        raise BadInput(f"Session {session.id} ended before it had begun. Nothing is left to resume.")
    last = next((record for record in reversed(records) if isinstance(record, End | Request)), None)
    if last is None:
        raise BadInput(f"Session {session.id} ended before anything was asked of the robot. Nothing is left to resume.")
    if isinstance(last, End):
        raise BadInput(f"Session {session.id} is over: {last.result} ({last.because}). Nothing is left to resume.")
    return records[0]


@contextlib.contextmanager
def assembled(
    wanted: Wanted,
    world: World,
    model: Model,
    begin: Begin,
    session: Session | None,
    *,
    person: Inbox | None = None,
    console: Console | None = None,
):  # type: ignore[no-untyped-def]
    """The agent with everything that listens to it."""
    raise NotImplementedError
