"""Build an episode: everything is checked first, and only then does a session begin."""

from __future__ import annotations

import asyncio
import contextvars
import secrets
import threading
from collections.abc import AsyncIterator, Callable
from concurrent.futures import Future, InvalidStateError
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from dataclasses import dataclass, replace
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from thinkaloud.agent import Agent, check_request, restore_world
from thinkaloud.clock import RealTime
from thinkaloud.converse.inbox import Inbox
from thinkaloud.episode.interrupts import Interrupts, at_once
from thinkaloud.errors import BadInput, BadScene, MissingExtra
from thinkaloud.guidelines import load_guidelines
from thinkaloud.loop import Limits
from thinkaloud.models import Model, Recorded, Scripted, open_model
from thinkaloud.models.registry import require_weights, runs_here
from thinkaloud.models.separate_process import Apart
from thinkaloud.presets import is_known, read_preset, spell
from thinkaloud.records import Begin, End, Request
from thinkaloud.remember.journal import Journal, Session
from thinkaloud.remember.lessons import LessonBook
from thinkaloud.remember.session import FORKED
from thinkaloud.robots import is_robot_file, open_world
from thinkaloud.robots.text_file import read_robot_text
from thinkaloud.settings import Settings, load
from thinkaloud.staging.episode import Episode, EpisodeViewer
from thinkaloud.staging.guidelines import (
    GUIDELINES_OPTION,
    choose_by_guidelines,
    current_guidelines,
    given_guidelines,
    notice_undocumented,
    require_guidelines,
    scene_to_name,
)
from thinkaloud.staging.options import RunOptions
from thinkaloud.staging.preset_choice import with_confirm, with_model, with_suitable_preset
from thinkaloud.untrusted.files import Malformed, read_file
from thinkaloud.untrusted.output import complain
from thinkaloud.worlds import World
from thinkaloud.worlds.contract import Pictured, find_ability

if TYPE_CHECKING:
    from thinkaloud.episode.film import Film

_T = TypeVar("_T")
_RUNS = Path("runs")
_SLOTS_OF_ONE = 3
"""Prompts that the model of one robot keeps: no preset asks one set of weights in more roles."""
APPROVE, PLANS = "approve", "plans"
"""The option of a run in which a person has to agree to every plan, and its value."""


@dataclass(frozen=True)
class ModelOpener:
    """What opens models, prints notices and tells what takes long; each front end may use its own."""

    open_model: Callable[[str, Settings, Callable[[str], None]], Model]
    notice: Callable[[str], None] = complain
    begin: Callable[[str], None] = lambda what: None


@dataclass
class _EpisodeParts:
    """What takes part in an episode."""

    begin: Begin
    world: World
    model: Model
    session: Session | None = None
    view: EpisodeViewer | None = None
    person: Inbox | None = None
    resumed: bool = False
    speed: float | None = None
    """A multiple of real time; None means as fast as possible."""
    lessons: LessonBook | None = None
    """What people have taught."""
    settings: Settings | None = None


@asynccontextmanager
async def open_episode(
    wanted: RunOptions,
    settings: Settings,
    *,
    view: EpisodeViewer | None,
    request: str | None = None,
    person: Inbox | None = None,
    model: Model | None = None,
    opener: ModelOpener | None = None,
) -> AsyncIterator[Episode]:
    """Build a new episode. Bad input is refused before anything is stored."""
    if wanted.film is not None and wanted.no_film:
        raise BadInput("--film and --no-film cannot be used together; leave one out.")
    opener = opener or _USUAL_OPENER
    begin = describe_run(wanted, settings)
    try:
        world = open_world_of(begin)
    except BadScene as error:  # a world only sees the text
        raise BadScene(str(error).replace("scene:", f"{wanted.scene or 'scene'}:", 1)) from None
    begin = with_confirm(with_suitable_preset(begin, world, preset=wanted.preset), wanted.confirm)
    _check_run(begin, world, request)
    given = given_guidelines(begin)
    if given is not None and (notice := notice_undocumented(given, world)):
        opener.notice(notice)
    if wanted.film is not None:
        _probe_film(wanted.film)
    async with AsyncExitStack() as stack:
        model = model or await _load_model(settings.model, settings, opener)
        stack.push_async_callback(model.close)
        begin = with_model(begin, world, model, wanted, opener.notice)
        _check_run(begin, world, request)
        if runs_here(begin.model):
            await _load_roles(begin, world, model)
        session: Session | None = None
        if not wanted.no_journal:
            session = stack.enter_context(stack.enter_context(Journal(settings.journal)).begin())
        lessons = lesson_book(settings)
        parts = _EpisodeParts(begin, world, model, session, view, person, speed=wanted.speed, lessons=lessons)
        parts.settings = settings
        episode = _assemble(wanted, parts)
        _trace(episode, settings, opener, stack)
        with episode.interrupts:
            yield episode


@asynccontextmanager
async def reopen_episode(
    id: str,
    wanted: RunOptions,
    settings: Settings,
    *,
    view: EpisodeViewer | None,
    person: Inbox | None = None,
    model: Model | None = None,
    opener: ModelOpener | None = None,
    over: bool = False,
) -> AsyncIterator[Episode]:
    """Rebuild an episode from the journal after its process ended; with `over`, even one that is finished."""
    if wanted.film is not None:
        _probe_film(wanted.film)
    async with AsyncExitStack() as stack:
        session = stack.enter_context(stack.enter_context(Journal(settings.journal)).resume(id))
        begin = read_begin(session)
        if not over:
            _require_unfinished(session)
        world = open_world_of(begin)
        restore_world(world, session, begin.seed)
        model = model or await _load_model(begin.model, settings, opener or _USUAL_OPENER)
        stack.push_async_callback(model.close)
        if runs_here(begin.model):
            await _load_roles(begin, world, model)
        parts = _EpisodeParts(begin, world, model, session, view, person, resumed=True, speed=wanted.speed)
        parts.lessons, parts.settings = lesson_book(settings), settings
        episode = _assemble(wanted, parts)
        _trace(episode, settings, opener or _USUAL_OPENER, stack)
        with episode.interrupts:
            yield episode


@asynccontextmanager
async def fork_episode(
    id: str,
    at: int,
    wanted: RunOptions,
    settings: Settings,
    *,
    view: EpisodeViewer | None,
    person: Inbox | None = None,
    model: Model | None = None,
    opener: ModelOpener | None = None,
) -> AsyncIterator[Episode]:
    """Build a new episode that copies another up to an event, with the world as it was then.

    `wanted` says what differs: the preset, the model, the most steps.
    """
    async with AsyncExitStack() as stack:
        journal = stack.enter_context(Journal(settings.journal))
        origin = journal.open(id)
        origin.require(at)
        begin = _changed(read_begin(origin), wanted)
        world = open_world_of(begin)
        _check_mind(begin, world)
        model = model or await _load_model(begin.model, settings, opener or _USUAL_OPENER)
        stack.push_async_callback(model.close)
        begin = replace(begin, model=model.name, options={**begin.options, FORKED: f"{origin.id}@{at}"})
        session = stack.enter_context(journal.fork(origin.id, at, begin))
        restore_world(world, session, begin.seed)
        parts = _EpisodeParts(begin, world, model, session, view, person, resumed=True, speed=wanted.speed)
        parts.lessons, parts.settings = lesson_book(settings), settings
        episode = _assemble(wanted, parts)
        _trace(episode, settings, opener or _USUAL_OPENER, stack)
        with episode.interrupts:
            yield episode


def _changed(begin: Begin, wanted: RunOptions) -> Begin:
    """The Begin record of a run that differs from another in `wanted`."""
    options = dict(begin.options) if wanted.steps is None else {**begin.options, "steps": str(wanted.steps)}
    preset = begin.preset
    if wanted.preset is not None:
        chosen, values = read_preset(wanted.preset)
        preset = spell(chosen.name, values)
    return replace(begin, preset=preset, model=wanted.model or begin.model, options=options)


def _assemble(wanted: RunOptions, parts: _EpisodeParts) -> Episode:
    """The agent, with everything that listens to it."""
    film = _film(wanted, parts.world)
    guidelines = current_guidelines(parts.begin, parts.world)
    agent = Agent(
        parts.world,
        parts.model,
        parts.begin.preset,
        begin=parts.begin,
        session=parts.session,
        person=parts.person,
        limits=limits_of(parts.begin, parts.settings),
        guidelines=guidelines,
        listeners=[] if parts.view is None else [parts.view],
        ticking=[film.tick] if film is not None else [],
        hears_thinking=None if parts.view is None else parts.view.thinking,
    )
    if parts.begin.options.get(APPROVE) == PLANS:
        agent.loop.mind = replace(agent.loop.mind, approved=True)
    if parts.lessons is not None:
        agent.teach(parts.lessons.taught(parts.begin.world))
    if parts.speed is not None:
        agent.loop.wait = RealTime(parts.world.clock, parts.speed).keep_up
    path, interrupts = _film_path(wanted, parts.session), Interrupts(agent.stop)
    episode = Episode(agent, interrupts, parts.view, film, path, parts.session, guidelines)
    if parts.view is not None and parts.resumed:
        parts.view.catch_up(list(agent.monologue))
    if film is not None:
        agent.monologue.listeners.append(film.hear)
    return episode


def _trace(episode: Episode, settings: Settings, opener: ModelOpener, stack: AsyncExitStack) -> None:
    """Send traces to a collector, if the settings name one."""
    if not settings.traces:
        return
    from thinkaloud.logs.spans import open_tracing

    id = episode.session.id if episode.session is not None else secrets.token_hex(4)
    tracing = open_tracing(settings.traces, id, content=settings.traces_content, page=settings.page_url)
    tracing.attach(episode.agent.monologue)

    def close() -> None:
        if lost := tracing.close():
            opener.notice(lost)

    stack.callback(close)


def _film(wanted: RunOptions, world: World) -> Film | None:
    pictured = None if wanted.no_film else find_ability(world, Pictured)
    if pictured is None:
        return None
    try:
        from thinkaloud.episode.film import Film
    except ModuleNotFoundError as error:
        if wanted.film is None:
            return None
        raise MissingExtra("A film", "sim") from error
    return Film(pictured)


def _film_path(wanted: RunOptions, session: Session | None) -> Path:
    name = session.id if session else f"{datetime.now():%Y%m%d-%H%M%S}"
    return wanted.film or _RUNS / name / "film.gif"


# The parts ------------------------------------------------------------------------------------------------------------


def lesson_book(settings: Settings) -> LessonBook:
    """What people have taught, beside the journal."""
    return LessonBook(settings.home / "lessons.json")


def settings_for(wanted: RunOptions) -> Settings:
    """The settings for this command."""
    flags = {"world": wanted.world, "preset": wanted.preset, "model": wanted.model}
    return load(choose_by_guidelines(flags, wanted.guidelines))


def describe_run(wanted: RunOptions, settings: Settings) -> Begin:
    """The Begin record of the run; raises BadInput for an unusable preset or scene."""
    read_preset(settings.preset)
    parts = {name: str(getattr(wanted, name)) for name in _LEARNED_PARTS}
    options = {"disturb": wanted.disturb} | {name: part for name, part in parts.items() if part}
    if wanted.approve_plans:
        options[APPROVE] = PLANS
    if wanted.steps is not None:
        options["steps"] = str(wanted.steps)
    if wanted.guidelines is not None:
        options[GUIDELINES_OPTION] = load_guidelines(wanted.guidelines).text
    scene = _read_scene_file(wanted.scene) if wanted.scene else wanted.scene_text
    if is_robot_file(settings.world):  # the run keeps the text: the file may have changed when it is resumed
        if scene:
            raise BadInput(f"{settings.world} describes its own scene; leave --scene out.")
        scene = read_robot_text(settings.world)
    return Begin(settings.world, settings.preset, settings.model, wanted.seed, options, scene)


def _check_run(begin: Begin, world: World, request: str | None) -> None:
    """Raise BadInput if the run is impossible: no guidelines, an unsuitable mind, a request for something absent."""
    require_guidelines(begin, world)
    _check_mind(begin, world)
    if request is not None:
        check_request(request, scene_to_name(begin, world))


def _check_mind(begin: Begin, world: World, model: Model | None = None) -> None:
    """Build the mind once, with no model or this one; raises BadInput if it cannot work in this world."""
    preset, options = read_preset(begin.preset)
    recorded = Recorded(model or Scripted(), emit=lambda call: None)
    preset.build(world, recorded, options, current_guidelines(begin, world))


def _read_scene_file(path: Path) -> str:
    """The text of a scene file. The world parses it."""
    try:
        text = read_file(path)
    except Malformed as error:
        raise BadInput(f"{path}: {error}.") from error
    if not text.strip():
        raise BadScene(f"{path}:1: the file is empty; leave --scene out to use no scene file.")
    return text


_LEARNED_PARTS = ("eyes", "hands", "senses")


def open_world_of(begin: Begin) -> World:
    """The world of a run, as it was when the run began."""
    noise = begin.options.get("disturb", "none")
    parts = {name: begin.options.get(name, "") for name in _LEARNED_PARTS}
    world = open_world(begin.world, scene=begin.scene or None, disturbance=noise, **parts)
    world.reset(begin.seed)
    return world


def limits_of(begin: Begin, settings: Settings | None = None) -> Limits:
    """The limits of the run; how much the models may use for a request is said in the settings."""
    limits = read_preset(begin.preset)[0].limits
    if settings is not None:
        most = (settings.request_tokens, settings.request_money, settings.request_seconds)
        limits = replace(limits, tokens=most[0], money=most[1], thinking=most[2])
    return replace(limits, steps=int(begin.options["steps"])) if "steps" in begin.options else limits


def open_chosen_model(
    name: str, settings: Settings, notice: Callable[[str], None] = complain, slots: int = _SLOTS_OF_ONE
) -> Model:
    """Open the model; prints a notice on standard error if it is not quite the requested one.

    `slots` is how many prompts it keeps in memory: each takes 94 MB with `embedded`, and time to begin with. A model
    that runs on this machine gets a process of its own, because llama.cpp keeps this one from doing anything else while
    it loads weights and while it frees them. With `model_url`, it is asked there.
    """
    if settings.model_url and runs_here(name):
        from thinkaloud.models.served import Served

        return Served(name, settings.for_model())
    if not runs_here(name):
        return open_model(name, settings.for_model(), notice=notice)
    require_weights(name, settings.for_model())
    return Apart(name, settings.for_model(slots=slots), notice)


_USUAL_OPENER = ModelOpener(open_chosen_model)


async def _load_model(name: str, settings: Settings, opener: ModelOpener) -> Model:
    """Load the model. Ctrl-C ends this at once: nothing has started that would be left behind."""
    opener.begin(f"Loading {name}")
    with at_once():
        return await _in_thread(partial(opener.open_model, name, settings, opener.notice))


async def _load_roles(begin: Begin, world: World, model: Model) -> None:
    """Load what the model needs for each of its roles, by building the mind once: later, that takes no time."""
    with at_once():
        await _in_thread(partial(_check_mind, begin, world, model))


async def _in_thread(work: Callable[[], _T]) -> _T:
    """Do slow work without holding up this event loop, nor its end: if nobody waits any more, the work is abandoned."""
    done: Future[_T] = Future()

    def do() -> None:
        try:
            result = work()
        except BaseException as error:
            with suppress(InvalidStateError):
                done.set_exception(error)
        else:
            with suppress(InvalidStateError):
                done.set_result(result)

    threading.Thread(target=contextvars.copy_context().run, args=(do,), name="opening", daemon=True).start()
    return await asyncio.wrap_future(done)


def _probe_film(film: Path) -> None:
    """Check that a film could be written there; leaves nothing behind."""
    if film.suffix.lower() != ".gif":
        raise BadInput(f"A film is a GIF: --film needs a name that ends in .gif, not {film.name!r}.")
    for path in (film, film.with_suffix(".png")):
        existed = path.exists()
        try:
            with path.open("ab"):
                pass
        except OSError as error:
            raise BadInput(f"--film {film} cannot be written: {error.strerror or error}.") from error
        if not existed:
            path.unlink()


def _require_unfinished(session: Session) -> None:
    """Raise BadInput if nothing is left to do in a session."""
    last = next((r for _, _, r in reversed(session.events()) if isinstance(r, End | Request)), None)
    if last is None:
        raise BadInput(f"Session {session.id} has no request. There is nothing to resume.")
    if isinstance(last, End):
        raise BadInput(f"Session {session.id} is over: {last.result} ({last.because}). There is nothing to resume.")


def read_begin(session: Session) -> Begin:
    """The Begin record of a session, if the session can be rebuilt."""
    begin = next((record for _, _, record in session.events()), None)
    if not isinstance(begin, Begin):
        raise BadInput(f"Session {session.id} has no request. There is nothing to resume.")
    if not is_known(begin.preset):
        raise BadInput(
            f"Session {session.id} was run by {begin.preset}, which is not a registered preset. Only a program that "
            f"builds it can resume the session (Agent.resume). To replay it: thinkaloud replay {session.id}"
        )
    return begin
