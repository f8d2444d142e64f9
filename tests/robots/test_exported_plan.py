"""A plan that worked becomes a program: a function and a behaviour tree that do the same, and notice what is not so."""

from __future__ import annotations

import ast
import asyncio
import importlib.util
import json
import os
import signal
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from types import ModuleType
from typing import Any

import py_trees
import pytest

from thinkaloud import Agent, Scripted
from thinkaloud.errors import BadInput, DidNotWork, SkillError, UnknownName
from thinkaloud.records import Begin, Record, Request, Step
from thinkaloud.robots.behaviour_tree import Check, Do, tick_until_done
from thinkaloud.robots.exported_plan import WorkedPlan, find_worked_plan, write_plan, write_program, write_tree
from thinkaloud.robots.replay import CheckFailed, NotApproved, Replay, report_run
from thinkaloud.robots.text_file import TextFileWorld
from thinkaloud.skills import Skill
from toyworld import ToyWorld

ROBOT = """
name = "gardener"
about = "A robot in a garden."
[kinds]
plant = ["fern", "rose"]
[skills.water]
says = "Water the {plant}."
doc = "Water a plant."
parameters = { plant = "plant" }
makes = ["wet({plant})"]
[skills.cut]
says = "Cut the {plant}."
doc = "Cut a plant."
parameters = { plant = "plant" }
makes = ["trimmed({plant})"]
ends = ["wet({plant})"]
[skills.write]
says = "Write {text}."
doc = "Write something on the label."
parameters = { text = "text" }
makes = ["labelled()"]
[relations.wet]
says = "{plant} is wet."
doc = "Whether a plant is wet."
parameters = { plant = "plant" }
[relations.trimmed]
says = "{plant} is trimmed."
doc = "Whether a plant is trimmed."
parameters = { plant = "plant" }
[relations.labelled]
says = "There is a label."
doc = "Whether there is a label."
"""
NASTY = 'x"""\n\'); import os; os.abort()  # {about} \\ \u202e'


@dataclass
class Session:
    """What a journal gives."""

    rows: list[tuple[int, float, Record]]
    id: str = "20261115-ac8d"

    def events(self) -> list[tuple[int, float, Record]]:
        return self.rows


def ran(said: str, world: TextFileWorld | None = None) -> tuple[TextFileWorld, Session]:
    """A robot after a request, and the session."""
    world = world or TextFileWorld(ROBOT)
    agent = Agent(world, Scripted([said] * 4), "thinkaloud:confirm=never;rehearse=off")
    asyncio.run(agent.run("Look after the plants."))
    begin = Begin("garden.toml", "thinkaloud", "scripted", 0, scene=ROBOT)
    rows = [(e.index, e.at, begin if isinstance(e.record, Begin) else e.record) for e in agent.monologue]
    return world, Session(rows)


def loaded(path: Path) -> ModuleType:
    spec = importlib.util.spec_from_file_location(path.stem, path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def by_function(path: Path, session: Session, robot: Any) -> str:
    write_program(session, path / "plan.py")
    try:
        asyncio.run(loaded(path / "plan.py").plan(Replay(robot)))
    except (CheckFailed, SkillError) as error:
        return str(error)
    return ""


def by_tree(path: Path, session: Session, robot: Any) -> str:
    write_program(session, path / "my_tree.py")
    return tick_until_done(loaded(path / "my_tree.py").build_tree(Replay(robot)), wait=lambda period: None)


WAYS = pytest.mark.parametrize("replayed", [by_function, by_tree])
Way = Callable[[Path, Session, Any], str]
DEEDS = 'water("fern")\ncut("fern")\nwater("rose")'


@WAYS
def test_a_replayed_plan_comes_to_the_same(replayed: Way, tmp_path: Path) -> None:
    world, session = ran(DEEDS)
    assert world.facts() == {"trimmed(fern)", "wet(rose)"}
    other = TextFileWorld(ROBOT)
    assert replayed(tmp_path, session, other) == ""
    assert (other.facts(), other.calls) == (world.facts(), world.calls)


@WAYS
@pytest.mark.parametrize(
    ("skill", "told"),
    [("water", "After step 1: Not so: Fern is wet."), ("cut", "After step 2: Not so: Fern is trimmed.")],
)
def test_a_step_without_effect_is_noticed_and_nothing_follows(
    replayed: Way, tmp_path: Path, skill: str, told: str
) -> None:
    _, session = ran(DEEDS)
    other = TextFileWorld(ROBOT)
    other.skills = {**other.skills, skill: idle(other.skills[skill])}
    assert replayed(tmp_path, session, other) == told
    assert not {"wet(rose)"} & other.facts()


@WAYS
def test_what_should_have_ended_and_has_not_is_noticed(replayed: Way, tmp_path: Path) -> None:
    _, session = ran(DEEDS)
    other = TextFileWorld(ROBOT)
    whole = other.skills["cut"]

    async def cut(plant: str) -> str:
        said = await whole.run({"plant": plant})
        await other.skills["water"].run({"plant": plant})
        return said

    other.skills = {**other.skills, "cut": replace(whole, function=cut)}
    assert replayed(tmp_path, session, other) == "After step 2: Still so: Fern is wet."


@WAYS
def test_a_skill_that_fails_is_told_with_its_reason(replayed: Way, tmp_path: Path) -> None:
    _, session = ran(DEEDS)
    other = TextFileWorld(ROBOT)

    async def cut(plant: str) -> str:
        raise DidNotWork("The shears are stuck.")

    other.skills = {**other.skills, "cut": replace(other.skills["cut"], function=cut)}
    assert replayed(tmp_path, session, other) == "The shears are stuck."


def idle(skill: Skill) -> Skill:
    async def nothing(**_: Any) -> str:
        return "Done."

    return replace(skill, function=nothing)


def test_only_what_worked_is_in_the_program() -> None:
    world, tried = TextFileWorld(ROBOT), []
    whole = world.skills["water"]

    async def water(plant: str) -> str:
        tried.append(plant)
        if len(tried) == 1:
            raise DidNotWork("The can slipped.")
        return await whole.run({"plant": plant}) if len(tried) > 2 else "Done."  # the second time, nothing happens

    world.skills = {**world.skills, "water": replace(whole, function=water)}
    _, session = ran('water("fern")', world=world)
    assert tried == ["fern"] * 3
    plan = find_worked_plan(session.events(), "s")
    assert [step.words for step, _ in plan.steps] == ["Water the fern."]
    assert [each.words for each in plan.steps[0][1]] == ["Fern is wet."]


def test_a_robot_that_has_changed_has_no_program() -> None:
    _, session = ran(DEEDS)
    changed = Begin("g.toml", "p", "m", 0, scene=ROBOT.replace("skills.cut", "skills.clip"))
    session.rows = [(*row[:2], changed if isinstance(row[2], Begin) else row[2]) for row in session.rows]
    with pytest.raises(BadInput, match="no skill 'cut' any more"):
        find_worked_plan(session.events(), "s")


@pytest.mark.parametrize("write", [write_plan, write_tree])
def test_text_from_outside_stays_text(write: Callable[[WorkedPlan], str]) -> None:
    about = {"request": NASTY, "session": NASTY, "world": NASTY, "scene": NASTY, "seed": "0"}
    step = Step("write", {"text": NASTY, NASTY: 2}, NASTY)
    text = write(WorkedPlan(about, ((step, ()),), ()))
    tree = ast.parse(text)
    constants = [node.value for node in ast.walk(tree) if isinstance(node, ast.Constant)]
    assert constants.count(NASTY) >= 5
    assert "\u202e" not in text and "#" not in text.replace(repr(NASTY), "")
    imported = {name.name for node in ast.walk(tree) if isinstance(node, ast.Import) for name in node.names}
    assert imported <= {"py_trees"}
    names = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
    assert "os" not in names


def test_a_value_that_is_no_literal_is_refused() -> None:
    for value in (float("inf"), float("nan"), [1]):
        with pytest.raises(BadInput, match="cannot be written"):
            write_plan(WorkedPlan({}, ((Step("write", {"n": value}, ""), ()),), ()))  # type: ignore[dict-item]


def test_a_session_in_which_nothing_worked_or_moved_has_no_program(tmp_path: Path) -> None:
    _, session = ran('say("Good morning.")')
    with pytest.raises(BadInput, match="No request"):
        write_program(session, tmp_path / "plan.py")
    session.rows = [row for row in session.rows if not isinstance(row[2], Request)]
    with pytest.raises(BadInput, match="No request"):
        write_program(session, tmp_path / "plan.py")
    assert not (tmp_path / "plan.py").exists()


def test_a_step_that_needs_a_yes_is_not_done_without_one() -> None:
    world = TextFileWorld(ROBOT)
    world.skills = {**world.skills, "cut": replace(world.skills["cut"], approval=True)}
    with pytest.raises(NotApproved, match="Cut the fern"):
        asyncio.run(Replay(world).do("cut", {"plant": "fern"}))
    assert not world.calls
    asyncio.run(Replay(world, approve=lambda words: words == "Cut the fern.").do("cut", {"plant": "fern"}))
    assert world.facts() == {"trimmed(fern)"}


def test_what_must_never_be_so_is_not_done_in_a_replay_either() -> None:
    guarded = TextFileWorld(ROBOT.replace("[kinds]", 'never = ["trimmed(plant) and not wet(plant)"]\n[kinds]', 1))
    with pytest.raises(CheckFailed, match="never"):
        asyncio.run(Replay(guarded).do("cut", {"plant": "fern"}))
    assert not guarded.calls


def test_unknown_names_are_named() -> None:
    replay = Replay(TextFileWorld(ROBOT))
    with pytest.raises(UnknownName, match="dig"):
        asyncio.run(replay.do("dig", {}))
    with pytest.raises(UnknownName, match="dry"):
        replay.check("dry", {})


def test_a_node_that_is_left_stops_its_skill() -> None:
    toy = ToyWorld()
    node = Do(Replay(toy), "move", {"thing": "cup", "place": "shelf"})
    for _ in range(3):
        node.tick_once()
    begun = toy.ticks
    assert 0 < begun < 10 and node.status.name == "RUNNING"
    node.stop(py_trees.common.Status.INVALID)
    assert toy.ticks <= begun + 1 and node.status.name == "INVALID"
    assert Check(Replay(toy), "at", {"thing": "cup", "place": "shelf"}).update().name == "FAILURE"


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
@pytest.mark.parametrize("way", ["function", "tree"])
def test_a_replay_that_is_broken_off_stops_the_robot(way: str, number: signal.Signals) -> None:
    """Ctrl-C, SIGTERM and a closed terminal."""

    class Signalled(ToyWorld):
        def __setattr__(self, name: str, value: Any) -> None:
            super().__setattr__(name, value)
            if name == "ticks" and value == 2:
                os.kill(os.getpid(), number)

    toy = Signalled()
    replay, cup = Replay(toy), {"thing": "cup", "place": "shelf"}
    if way == "tree":
        status = report_run(lambda: print(tick_until_done(Do(replay, "move", cup), wait=lambda period: None)))
    else:
        status = report_run(lambda: print(asyncio.run(replay.do("move", cup))))
    assert status == 128 + number and 2 <= toy.ticks <= 3 and toy.where["cup"] != "shelf"


def test_an_exported_plan_runs_from_the_command_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    from thinkaloud.robots.behaviour_tree import tick_here
    from thinkaloud.robots.replay import replay_here

    _, session = ran(DEEDS)
    for name, run, made in (("plan.py", replay_here, "plan"), ("tree.py", tick_here, "build_tree")):
        write_program(session, tmp_path / name)
        module = loaded(tmp_path / name)
        assert run(getattr(module, made), module.ABOUT) == 0
        assert "Water the fern.\nCut the fern.\nWater the rose.\nDone" in capsys.readouterr().out
        assert run(getattr(module, made), {**module.ABOUT, "scene": json.dumps(1)}) == 1
        assert capsys.readouterr().err.startswith("garden.toml:1: is not TOML")
