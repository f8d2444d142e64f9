"""The public seam: an agent takes a preset's name, a preset, a changed one or a mind, and can plan without moving."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from minds import Criticised, Planned, Rehearsed, Trial
from thinkaloud import Agent, Mind, Scripted, open_preset
from thinkaloud.cli.sessions import replay_session, resume_session
from thinkaloud.errors import BadInput
from thinkaloud.execute.skill_call import CallSkill
from thinkaloud.perceive.when_to_look import WatchProgress
from thinkaloud.presets import OWN_MIND, read_preset
from thinkaloud.records import (
    Ask,
    Begin,
    Critique,
    Decline,
    Done,
    End,
    Outline,
    Plan,
    Rehearsal,
    Request,
    Started,
    Stop,
    Violation,
)
from thinkaloud.remember.journal import Journal
from thinkaloud.settings import Settings
from thinkaloud.staging.options import RunOptions
from toyworld import ToyWorld

TOY = ToyWorld()
UP = TOY.condition("ball", "shelf")
MOVE = TOY.step("move", "ball", "shelf")
BALL = Plan("Tidy up.", (UP,), (MOVE,))
REQUEST = "Put the ball on the shelf."


def mind_of(world: ToyWorld, *decisions: Plan) -> Mind:
    return Mind(WatchProgress(world), Planned(decisions), CallSkill(world))


@pytest.fixture
def settings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Settings]:
    monkeypatch.chdir(tmp_path)
    yield Settings(home=tmp_path)


# What an agent takes --------------------------------------------------------------------------------------------------


def test_an_agent_takes_a_mind() -> None:
    world = ToyWorld()
    agent = Agent(world, Scripted(), mind_of(world, BALL))
    assert asyncio.run(agent.run(REQUEST)).result == "goal met"
    assert agent.monologue[0].record == Begin("toy", OWN_MIND, "scripted", 0)


def test_a_changed_preset_has_other_parts_and_another_name() -> None:
    preset = open_preset("hicrisp:high=off").changed(lambda mind: replace(mind, plan=Planned([BALL])))
    agent = Agent(ToyWorld(), Scripted(), preset)
    assert asyncio.run(agent.run(REQUEST)).result == "goal met"
    assert agent.monologue.last(Begin) == Begin("toy", "hicrisp, changed:low=on;high=off", "scripted", 0)
    assert preset.changed(lambda mind: mind, "mine").name == "mine"


def test_an_opened_preset_keeps_the_options_it_was_named_with() -> None:
    opened, plain = open_preset("hicrisp:low=off"), read_preset("hicrisp")[0]
    assert opened.defaults() == {"low": "off", "high": "on"}
    assert opened.options == {"low": ("off", "on"), "high": ("on", "off")}
    assert plain.defaults() == {"low": "on", "high": "on"}
    begun = Agent(ToyWorld(), Scripted(), opened).monologue.last(Begin)
    assert begun is not None and begun.preset == "hicrisp:low=off;high=on"


# Its sessions ---------------------------------------------------------------------------------------------------------


def unfinished_session(settings: Settings, preset: str) -> str:
    with Journal(settings.journal) as journal, journal.begin() as session:
        session.commit(0, 0.0, Begin("tabletop", preset, "scripted", 0))
        session.commit(1, 0.0, Request(REQUEST))
        return session.id


@pytest.mark.parametrize("preset", [OWN_MIND, "hicrisp, changed:low=on;high=on", "greenhouse"])
def test_a_session_of_an_unknown_preset_is_not_resumed_by_name_and_says_what_to_do(
    preset: str, settings: Settings
) -> None:
    id = unfinished_session(settings, preset)
    why = f"^Session {id} was run by {preset}, which is not a registered preset.* thinkaloud replay {id}$"
    with pytest.raises(BadInput, match=why):
        resume_session(id, RunOptions(no_film=True), settings=settings, model=Scripted())


def test_a_session_of_an_unknown_preset_is_listed_and_replayed(
    settings: Settings, capsys: pytest.CaptureFixture[str]
) -> None:
    id = unfinished_session(settings, OWN_MIND)
    with Journal(settings.journal) as journal:
        assert [info.preset for info in journal.sessions()] == [OWN_MIND]
    replay_session(id, settings=settings)
    told = capsys.readouterr().out
    assert "tabletop, seed 0 · a mind of its own · scripted" in told and REQUEST in told


def test_whoever_builds_the_mind_again_can_resume_its_session(settings: Settings) -> None:
    world = ToyWorld()
    with Journal(settings.journal) as journal:
        with journal.begin() as session:
            asyncio.run(Agent(world, Scripted(), mind_of(world, BALL), session=session).plan(REQUEST))
        with journal.resume(session.id) as session:
            agent = Agent(world, Scripted(), mind_of(world), session=session)
            assert asyncio.run(agent.resume()).result == "goal met"


# A plan, and nothing moves --------------------------------------------------------------------------------------------


def planned(trial: Trial) -> Plan | End:
    found = asyncio.run(trial.loop.plan())
    assert not trial.monologue.since(None, Started)
    return found


def test_planning_ends_where_the_first_step_would_be_taken() -> None:
    goal = Plan("Tidy up.", (UP,), ())
    trial = Trial(goal, BALL)
    assert planned(trial) == BALL
    assert trial.monologue.last(End) is None


def test_a_plan_that_was_found_can_then_be_carried_out() -> None:
    trial = Trial(BALL)
    planned(trial)
    assert trial.run().result == "goal met"
    assert trial.planner.asked == 1


def test_a_plan_is_criticised_and_rehearsed_before_it_is_offered() -> None:
    trial = Trial(
        BALL,
        replace(BALL, goal="Again."),
        replace(BALL, goal="Once more."),
        critique=Criticised([Critique((Violation(0, "no"),)), Critique(), Critique()]),
        rehearse=Rehearsed([Rehearsal(False, 0, "it falls"), Rehearsal(True)]),
    )
    found = planned(trial)
    assert isinstance(found, Plan) and found.goal == "Once more."


def test_all_that_is_to_be_done_in_words_is_a_plan() -> None:
    listed = Plan("Tidy up.", (), (), outline=Outline(("the ball", "the cup")))
    trial = Trial(listed)
    assert planned(trial) == listed
    assert trial.planner.asked == 1


@pytest.mark.parametrize(
    ("decision", "result"),
    [(Decline("no"), "declined"), (Done("so already", "answered"), "answered"), (Ask(("Which?",)), "failed")],
)
def test_why_there_is_no_plan_is_an_end(decision: Decline | Done | Ask, result: str) -> None:
    found = planned(Trial(decision))
    assert isinstance(found, End) and found.result == result


def test_nothing_is_planned_for_what_is_so_already() -> None:
    world = ToyWorld()
    world.where["ball"] = "shelf"
    found = planned(Trial(Plan("Tidy up.", (UP,), ()), world=world))
    assert isinstance(found, End) and found.result == "goal met"


def test_planning_can_be_stopped() -> None:
    trial = Trial(BALL)
    trial.person.say(Stop())
    found = planned(trial)
    assert isinstance(found, End) and found.result == "stopped"


def test_a_step_that_needs_approval_is_planned_without_asking_for_it() -> None:
    throw = TOY.step("discard", "box")
    found = planned(Trial(Plan("Throw it away.", (), (throw,))))
    assert isinstance(found, Plan) and found.steps == (throw,)
