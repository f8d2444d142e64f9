"""Putting an episode together: everything is checked first, and only then is a session begun."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

from thinkaloud.agent import Agent, check_request, restore_world
from thinkaloud.cli.episode import Episode, JsonLines
from thinkaloud.cli.guided import (
    KEY,
    choose_by_guidelines,
    given_guidelines,
    guidelines_in_force,
    notice_undocumented,
    require_guidelines,
    scene_to_name,
    with_suitable_preset,
)
from thinkaloud.cli.interrupts import Interrupts, at_once
from thinkaloud.cli.options import RunOptions
from thinkaloud.cli.terminal import Terminal, console
from thinkaloud.cli.writing import complain
from thinkaloud.clock import RealTime
from thinkaloud.converse.inbox import Inbox
from thinkaloud.errors import BadInput, BadScene, MissingExtra
from thinkaloud.foreign import Malformed, read_file
from thinkaloud.guidelines import load_guidelines
from thinkaloud.loop import Limits
from thinkaloud.models import Model, Recorded, Scripted, open_model
from thinkaloud.presets import is_known, read_preset, spell
from thinkaloud.records import Begin, End, Request
from thinkaloud.remember.journal import Journal, Session
from thinkaloud.settings import Settings, load
from thinkaloud.worlds import World, is_robot_file, open_world
from thinkaloud.worlds.contract import Pictured, find_ability
from thinkaloud.worlds.described import read_robot_text

if TYPE_CHECKING:
    from thinkaloud.worlds.film import Film

_RUNS = Path("runs")
_UNSUITED = (
    "The model {model} was not trained for the preset {preset}: it will mostly ask or decline. "
    "--model embedded-large was (thinkaloud models get large); a code model of 1.5B or more does better, too: "
    "--model gguf:PATH."
)


@dataclass
class _Cast:
    """What takes part in an episode."""

    begin: Begin
    world: World
    model: Model
    session: Session | None = None
    view: Terminal | JsonLines | None = None
    person: Inbox | None = None
    resumed: bool = False
    speed: float | None = None
    """Times real time; None is as fast as it goes."""


@asynccontextmanager
async def open_episode(
    wanted: RunOptions,
    settings: Settings,
    *,
    view: Terminal | JsonLines | None,
    request: str | None = None,
    person: Inbox | None = None,
    model: Model | None = None,
) -> AsyncIterator[Episode]:
    """A new episode. Bad input is refused before anything is left behind."""
    if wanted.film is not None and wanted.no_film:
        raise BadInput("--film and --no-film exclude each other: leave one of them out.")
    begin = describe_run(wanted, settings)
    try:
        world = open_world_of(begin)
    except BadScene as error:  # a world knows the text alone
        raise BadScene(str(error).replace("scene:", f"{wanted.scene}:", 1)) from None
    begin = _with_confirm(with_suitable_preset(begin, world, preset=wanted.preset), wanted.confirm)
    require_guidelines(begin, world)
    _check_mind(begin, world)
    given = given_guidelines(begin)
    if given is not None and (notice := notice_undocumented(given, world)):
        complain(notice)
    if request is not None:
        check_request(request, scene_to_name(begin, world))
    if wanted.film is not None:
        _probe_film(wanted.film)
    async with AsyncExitStack() as stack:
        model = model or await _load_model(settings.model, settings)
        stack.push_async_callback(model.close)
        session: Session | None = None
        if not wanted.no_journal:
            session = stack.enter_context(stack.enter_context(Journal(settings.journal)).begin())
        begin = replace(begin, model=model.name)
        preset, _ = read_preset(begin.preset)
        if not preset.suits(model):
            complain(_UNSUITED.format(model=model.name, preset=preset.name))
        episode = _assemble(wanted, _Cast(begin, world, model, session, view, person, speed=wanted.speed))
        with episode.interrupts:
            yield episode


@asynccontextmanager
async def reopen_episode(
    id: str,
    wanted: RunOptions,
    settings: Settings,
    *,
    view: Terminal | JsonLines | None,
    model: Model | None = None,
) -> AsyncIterator[Episode]:
    """An episode whose process had ended, as the journal knows it."""
    if wanted.film is not None:
        _probe_film(wanted.film)
    async with AsyncExitStack() as stack:
        session = stack.enter_context(stack.enter_context(Journal(settings.journal)).resume(id))
        begin = _read_begin(session)
        world = open_world_of(begin)
        restore_world(world, session, begin.seed)
        model = model or await _load_model(begin.model, settings)
        stack.push_async_callback(model.close)
        episode = _assemble(wanted, _Cast(begin, world, model, session, view, resumed=True))
        with episode.interrupts:
            yield episode


def _with_confirm(begin: Begin, confirm: str | None) -> Begin:
    """The same with what --confirm says; only a preset that understands first can be asked to confirm that."""
    if confirm is None:
        return begin
    preset, options = read_preset(begin.preset)
    if "confirm" not in preset.options:
        raise BadInput(f"--confirm is for --preset thinkaloud; {preset.name} does not say what it understood.")
    return replace(begin, preset=spell(preset.name, options | {"confirm": confirm}))


def _assemble(wanted: RunOptions, cast: _Cast) -> Episode:
    """The agent, with everything that listens to it."""
    terminal = cast.view if isinstance(cast.view, Terminal) else None
    film = _film(wanted, cast.world)
    guidelines = guidelines_in_force(cast.begin, cast.world)
    agent = Agent(
        cast.world,
        cast.model,
        cast.begin.preset,
        begin=cast.begin,
        session=cast.session,
        person=cast.person,
        limits=limits_of(cast.begin),
        guidelines=guidelines,
        listeners=[] if cast.view is None else [cast.view],
        ticking=[film.tick] if film is not None else [],
        hears_thinking=terminal.thinking if terminal else None,
    )
    if cast.speed is not None:
        agent.loop.wait = RealTime(cast.world.clock, cast.speed).keep_up
    path, interrupts = _film_path(wanted, cast.session), Interrupts(agent.stop)
    episode = Episode(agent, interrupts, terminal, film, path, cast.session, guidelines=guidelines)
    for event in agent.monologue:
        episode.tally.count(event.record)
    if terminal is not None and cast.resumed:
        terminal.catch_up(list(agent.monologue))
    agent.monologue.listeners.append(lambda event: episode.tally.count(event.record))
    if film is not None:
        agent.monologue.listeners.append(film.hear)
    return episode


def _film(wanted: RunOptions, world: World) -> Film | None:
    pictured = None if wanted.no_film else find_ability(world, Pictured)
    if pictured is None:
        return None
    try:
        from thinkaloud.worlds.film import Film
    except ModuleNotFoundError as error:
        if wanted.film is None:
            return None
        raise MissingExtra("A film", "sim") from error
    return Film(pictured)


def _film_path(wanted: RunOptions, session: Session | None) -> Path:
    name = session.id if session else f"{datetime.now():%Y%m%d-%H%M%S}"
    return wanted.film or _RUNS / name / "film.gif"


def open_view(wanted: RunOptions) -> Terminal | JsonLines:
    """What is written to standard output."""
    return JsonLines(timings=wanted.timings) if wanted.as_json else Terminal(console())


# The parts ------------------------------------------------------------------------------------------------------------


def settings_for(wanted: RunOptions) -> Settings:
    """The settings that are in force for this command."""
    flags = {"world": wanted.world, "preset": wanted.preset, "model": wanted.model}
    return load(choose_by_guidelines(flags, wanted.guidelines))


def describe_run(wanted: RunOptions, settings: Settings) -> Begin:
    """The run as it will be written down; BadInput for a preset or a scene that cannot be used."""
    read_preset(settings.preset)
    options = {"disturb": wanted.disturb}
    if wanted.steps is not None:
        options["steps"] = str(wanted.steps)
    if wanted.guidelines is not None:
        options[KEY] = load_guidelines(wanted.guidelines).text
    scene = _read_scene_file(wanted.scene) if wanted.scene else ""
    if is_robot_file(settings.world):  # the text is kept with the run: the file may be another when it is resumed
        if wanted.scene:
            raise BadInput(f"{settings.world} says what there is; leave --scene out.")
        scene = read_robot_text(settings.world)
    return Begin(settings.world, settings.preset, settings.model, wanted.seed, options, scene)


def _check_mind(begin: Begin, world: World) -> None:
    """Put the mind together once, without a model: BadInput where such a one cannot work in this world."""
    preset, options = read_preset(begin.preset)
    preset.build(world, Recorded(Scripted(), emit=lambda call: None), options, guidelines_in_force(begin, world))


def _read_scene_file(path: Path) -> str:
    """The text of a scene file; what it means is for the world to say."""
    try:
        text = read_file(path)
    except Malformed as error:
        raise BadInput(f"{path}: {error}.") from error
    if not text.strip():
        raise BadScene(f"{path}:1: is empty; leave --scene out for a world without a scene file.")
    return text


def open_world_of(begin: Begin) -> World:
    """The world that a run takes place in, as it was when the run began."""
    world = open_world(begin.world, scene=begin.scene or None, disturbance=begin.options.get("disturb", "none"))
    world.reset(begin.seed)
    return world


def limits_of(begin: Begin) -> Limits:
    """How far the robot may go."""
    limits = read_preset(begin.preset)[0].limits
    return replace(limits, steps=int(begin.options["steps"])) if "steps" in begin.options else limits


def open_chosen_model(name: str, settings: Settings) -> Model:
    """The model; a line on standard error if it is not quite the one that was asked for."""
    return open_model(name, settings.for_model(), notice=complain)


async def _load_model(name: str, settings: Settings) -> Model:
    """The model, loaded in a thread, so that Ctrl-C ends this at once: nothing has been begun that would be left."""
    with at_once():
        return await asyncio.to_thread(open_chosen_model, name, settings)


def _probe_film(film: Path) -> None:
    """Whether a film could be written there; leaves nothing behind."""
    if film.suffix.lower() != ".gif":
        raise BadInput(f"A film is a GIF: give --film a name that ends in .gif, not {film.name!r}.")
    for path in (film, film.with_suffix(".png")):
        existed = path.exists()
        try:
            with path.open("ab"):
                pass
        except OSError as error:
            raise BadInput(f"--film {film} cannot be written: {error.strerror or error}.") from error
        if not existed:
            path.unlink()


def _read_begin(session: Session) -> Begin:
    """How a session began, if there is something left to do in it."""
    records = [record for _, _, record in session.events()]
    begin = records[0] if records else None
    last = next((record for record in reversed(records) if isinstance(record, End | Request)), None)
    if not isinstance(begin, Begin) or last is None:
        raise BadInput(f"In session {session.id} nothing was asked of the robot. Nothing is left to resume.")
    if isinstance(last, End):
        raise BadInput(f"Session {session.id} is over: {last.result} ({last.because}). Nothing is left to resume.")
    if not is_known(begin.preset):
        raise BadInput(
            f"Session {session.id} was run by {begin.preset}, which is no preset that is found here by its name: only "
            f"a program that builds it can go on with it (Agent.resume). See it again: thinkaloud replay {session.id}"
        )
    return begin
