"""What other packages bring along: found by name, named where it is broken, and never in the way of the rest."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Callable
from importlib.metadata import EntryPoint
from itertools import takewhile
from types import ModuleType
from typing import Any

import pytest
from click.testing import CliRunner

from thinkaloud import plugins
from thinkaloud.agent import Agent
from thinkaloud.cli import cli
from thinkaloud.cli.diagnosis import Diagnosis
from thinkaloud.cli.doctor import examine
from thinkaloud.errors import BadInput, ModelMissing, UnknownName
from thinkaloud.models import MODELS, Model, Scripted, describe_models, open_model
from thinkaloud.plugins import Registry
from thinkaloud.presets import PRESETS, open_preset, read_preset
from thinkaloud.robots import open_world
from thinkaloud.worlds import WORLDS
from toyworld import ToyWorld

Announce = Callable[..., None]


def gardener(settings: object) -> Model:
    """A model that knows about plants.

    And about nothing else.
    """
    return Scripted(name="gardener")


def fainting(settings: object) -> Model:
    """One that cannot be opened."""
    raise RuntimeError("no water\nleft")


def unpaid(settings: object) -> Model:
    raise ModelMissing("Buy a licence first.")


@pytest.fixture
def announce(monkeypatch: pytest.MonkeyPatch) -> Announce:
    """Make a package announce names, each as `module:attribute`; `greenhouse` has what is given to it here."""
    module = ModuleType("greenhouse")
    monkeypatch.setitem(sys.modules, "greenhouse", module)
    groups: dict[str, list[EntryPoint]] = {}
    ours = plugins.entry_points
    monkeypatch.setattr(plugins, "entry_points", lambda group: [*ours(group), *groups.get(group, [])])
    for registry in (PRESETS, MODELS, WORLDS):
        monkeypatch.setattr(registry, "_loaded", dict(registry._loaded))

    def announced(group: str, *names: str, **found: Any) -> None:
        for name, value in found.items():
            setattr(module, name, value)
        listed = [EntryPoint(name, f"greenhouse:{name}", group) for name in (*found, *names)]
        groups.setdefault(group, []).extend(listed)

    return announced


def numbers() -> Registry[int]:
    def check(name: str, found: Any) -> int:
        if not isinstance(found, int):
            raise ValueError(f"a number is wanted, not a {type(found).__name__}")
        return found

    return Registry("number", {"one": "sys:maxsize"}, check)


# The registry ---------------------------------------------------------------------------------------------------------


def test_ours_come_first_and_others_by_name(announce: Announce) -> None:
    announce("thinkaloud.numbers", two=2, three=3)
    found = numbers()
    assert list(found) == ["one", "three", "two"] and len(found) == 3 and "two" in found
    assert (found["one"], found.find("two")) == (sys.maxsize, 2)
    assert found.broken() == []


def test_an_unknown_name_is_told_what_there_is(announce: Announce) -> None:
    announce("thinkaloud.numbers", two=2)
    with pytest.raises(UnknownName, match=r"number 'tow'.*two"):
        numbers().find("tow")


def test_a_broken_plugin_is_named_in_one_line_and_stops_nothing(announce: Announce) -> None:
    announce("thinkaloud.numbers", "missing", two=2, word="two")
    found = numbers()
    assert found.available() == {"one": sys.maxsize, "two": 2}
    missing, word = found.broken()
    assert missing.startswith("The number 'missing' of greenhouse cannot be used: AttributeError: ")
    assert word == "The number 'word' of greenhouse cannot be used: ValueError: a number is wanted, not a str"
    assert "\n" not in missing + word
    with pytest.raises(BadInput, match=r"^The number 'word' of greenhouse cannot be used"):
        found.find("word")


def test_a_plugin_cannot_take_a_name_of_ours(announce: Announce) -> None:
    announce("thinkaloud.numbers", one=1)
    found = numbers()
    assert found.find("one") == sys.maxsize and len(found) == 1
    assert found.broken() == ["The number 'one' of greenhouse is ignored: thinkaloud has one with that name."]


def test_nothing_is_loaded_before_it_is_asked_for(announce: Announce, monkeypatch: pytest.MonkeyPatch) -> None:
    announce("thinkaloud.numbers", two=2)
    found = numbers()
    monkeypatch.delitem(sys.modules, "greenhouse")
    assert "two" in found and list(found) == ["one", "two"]
    with pytest.raises(BadInput, match="ModuleNotFoundError"):
        found.find("two")


# Presets --------------------------------------------------------------------------------------------------------------


def test_a_preset_of_another_package_is_used_by_its_name(announce: Announce) -> None:
    announce("thinkaloud.presets", gardening=open_preset("open_loop").changed(lambda mind: mind, "gardening"))
    agent = Agent(ToyWorld(), Scripted([" Move the ball to the shelf.\nRobot action: Done."]), "gardening")
    assert asyncio.run(agent.run("Put the ball on the shelf.")).result == "unconfirmed"


def test_a_preset_is_called_what_it_is_announced_as(announce: Announce) -> None:
    announce("thinkaloud.presets", gardening=read_preset("open_loop")[0], weeding="a text")
    assert [line.partition("cannot be used: ")[2] for line in PRESETS.broken()] == [
        "ValueError: its own name is 'open_loop'",
        "ValueError: expected a Preset, not a str",
    ]


# Models ---------------------------------------------------------------------------------------------------------------


def test_a_model_of_another_package_is_opened_by_its_name(announce: Announce) -> None:
    announce("thinkaloud.models", gardener=gardener)
    assert open_model("gardener").name == "gardener"
    assert describe_models()["gardener"] == "A model that knows about plants."
    with pytest.raises(UnknownName, match="gardener"):
        open_model("gardener:big")


def test_a_model_that_cannot_be_opened_is_named_in_one_line(announce: Announce) -> None:
    announce("thinkaloud.models", fainting=fainting, unpaid=unpaid, number=7)
    with pytest.raises(BadInput, match=r"^The model 'fainting' cannot be opened: RuntimeError: no water left$"):
        open_model("fainting")
    with pytest.raises(ModelMissing, match=r"^Buy a licence first\.$"):
        open_model("unpaid")
    with pytest.raises(BadInput, match="it must be a function that takes the settings and returns a model, not a int"):
        open_model("number")


@pytest.mark.parametrize("name", ["embedded", "embedded-base", "embedded-large", "gguf", "openai"])
def test_no_other_package_can_be_our_model(name: str, announce: Announce) -> None:
    announce("thinkaloud.models", **{name: gardener})
    assert MODELS[name] is not gardener
    assert len(MODELS.broken()) == 1


# What the command line says -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("command", "group", "ours"), [("presets", "presets", "itp"), ("models", "models", "embedded")]
)
def test_a_list_names_what_is_broken_beside_what_there_is(
    command: str, group: str, ours: str, announce: Announce
) -> None:
    announce(f"thinkaloud.{group}", "weeds")
    done = CliRunner().invoke(cli, [command], standalone_mode=False)
    assert done.exception is None and ours in done.stdout
    (line,) = done.stderr.splitlines()
    assert line.startswith(f"The {group[:-1]} 'weeds' of greenhouse cannot be used: AttributeError: ")


def seen_by_the_doctor() -> list[Diagnosis]:
    """What the doctor finds of plugins, before it looks at the journal, and long before it loads a model."""
    return [each for each in takewhile(lambda each: each.name != "journal", examine()) if each.name == "plugin"]


def test_the_doctor_names_what_is_broken(announce: Announce) -> None:
    announce("thinkaloud.presets", "weeds")
    announce("thinkaloud.models", "weeds", "embedded")
    found = seen_by_the_doctor()
    assert len(found) == 3 and all("of greenhouse" in each.todo for each in found)


# Worlds that fall over when they are opened


def unplugged(scene: str | None) -> ToyWorld:
    raise RuntimeError("the camera is\nnot plugged in")


def number(scene: str | None) -> int:
    return 7


def closed() -> ToyWorld:
    return ToyWorld()


@pytest.mark.parametrize(
    ("opener", "why"),
    [
        (unplugged, "The world 'opener' cannot be opened: RuntimeError: the camera is not plugged in"),
        (number, "`opener` is missing `name`, `clock`, `skills`, `relations`, `reset()`"),
        (closed, "The world 'opener' cannot be opened: TypeError"),
    ],
)
def test_a_world_that_falls_over_when_it_is_opened_is_one_line_everywhere(
    opener: Any, why: str, announce: Announce
) -> None:
    announce("thinkaloud.worlds", opener=opener)
    with pytest.raises(BadInput) as refused:
        open_world("opener")
    assert str(refused.value).startswith(why) and "\n" not in str(refused.value)
    listed = CliRunner().invoke(cli, ["worlds"])
    assert listed.exit_code == 0 and "by_hand" in listed.stdout and why in listed.stderr
    [found] = seen_by_the_doctor()
    assert found.found.startswith(why) and found.todo


def test_a_world_that_says_itself_what_is_wrong_is_heard(announce: Announce) -> None:
    def asleep(scene: str | None) -> ToyWorld:
        raise BadInput("Wake the robot up first.")

    announce("thinkaloud.worlds", asleep=asleep)
    with pytest.raises(BadInput, match=r"^Wake the robot up first\.$"):
        open_world("asleep")
