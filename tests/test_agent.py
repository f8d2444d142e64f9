"""The agent: a world, a model and a preset, spoken to."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from thinkaloud.agent import CHECKPOINT_EVERY, LONGEST_REQUEST, Agent, check_request, restore_world
from thinkaloud.converse.inbox import Inbox
from thinkaloud.errors import BadInput, JournalError, UnknownName
from thinkaloud.models import Scripted
from thinkaloud.monologue import Event
from thinkaloud.records import (
    Answer,
    Ask,
    Begin,
    Condition,
    Done,
    End,
    ModelCall,
    Observation,
    Outcome,
    Plan,
    Refusal,
    Request,
    Resumed,
    Started,
    Stop,
)
from thinkaloud.remember.journal import Journal, Session
from thinkaloud.serialization import record_kind
from toyworld import THINGS, ToyWorld

GOAL = ' Goal state is ["Ball is on the shelf."].'
MOVE = " Move the ball to the shelf."
OVER = " None."
AGAIN = " The ball is not done yet.\nRobot action: Move the ball to the shelf."
PAINT = " Paint the box."
SUCCESS = "inner_monologue:feedback=object+success"


@pytest.fixture
def session(tmp_path: Path) -> Iterator[Session]:
    with Journal(tmp_path / "journal.db") as journal, journal.begin() as session:
        yield session


def kinds(agent: Agent) -> list[str]:
    return [record_kind(event.record) for event in agent.monologue if not isinstance(event.record, ModelCall)]


def test_a_request_is_carried_out_and_checked() -> None:
    agent = Agent(ToyWorld(), Scripted([GOAL, MOVE, OVER]), "inner_monologue", seed=7)
    end = asyncio.run(agent.run("Put the ball on the shelf."))
    assert end.result == "goal met"
    assert agent.ended() == end
    assert agent.monologue[0].record == Begin("toy", "inner_monologue:feedback=object+scene", "scripted", 7)
    told = ["begin", "request", "observation", "plan", "observation", "plan"]
    assert kinds(agent) == [*told, "started", "outcome", "verdict", "observation", "done", "end"]


def test_words_that_cannot_be_used_come_back_in_the_next_prompt() -> None:
    model = Scripted([GOAL, " Move the moon to the shelf.", MOVE, OVER])
    agent = Agent(ToyWorld(), model, "inner_monologue")
    assert asyncio.run(agent.run("Put the ball on the shelf.")).result == "goal met"
    refusal = agent.monologue.last(Refusal)
    assert refusal is not None
    assert "'moon'" in refusal.why
    assert refusal.why not in model.prompts[1]
    assert refusal.why in model.prompts[2]
    assert "Move the moon to the shelf." in model.prompts[2]


def test_a_robot_that_has_done_all_it_can_may_say_that_it_is_done() -> None:
    world = ToyWorld()
    world.skills = {"show": world.skills["show"]}
    said = [f" Hold the {thing} up." for thing in THINGS]
    agent = Agent(world, Scripted([*said, " Done."]), SUCCESS)
    end = asyncio.run(agent.run("Hold everything up."))
    assert (end.result, kinds(agent).count("started")) == ("unconfirmed", 3)


def test_a_step_that_slipped_is_seen_and_repeated() -> None:
    world = ToyWorld()
    world.slips = 2
    agent = Agent(world, Scripted([GOAL, MOVE, AGAIN, AGAIN, OVER]), "inner_monologue")
    assert asyncio.run(agent.run("Put the ball on the shelf.")).result == "goal met"
    assert len(agent.monologue.since(None, Started)) == 3


def test_every_call_of_the_model_is_written_down_before_its_decision() -> None:
    agent = Agent(ToyWorld(), Scripted([GOAL, MOVE, OVER]), "inner_monologue")
    asyncio.run(agent.run("Put the ball on the shelf."))
    calls = [event.index for event in agent.monologue if isinstance(event.record, ModelCall)]
    assert [type(agent.monologue[at + 1].record) for at in calls] == [Plan, Plan, Done]


def test_a_script_that_runs_out_is_a_failed_run() -> None:
    end = asyncio.run(Agent(ToyWorld(), Scripted([GOAL]), "inner_monologue").run("Put the ball on the shelf."))
    assert end.result == "failed"
    assert "has no more answers" in end.because


def test_an_agent_takes_one_request_after_another() -> None:
    agent = Agent(ToyWorld(), Scripted([MOVE, " Done."] * 2), SUCCESS)
    for _ in range(2):
        assert asyncio.run(agent.run("Put the ball on the shelf.")).result == "unconfirmed"
    assert kinds(agent).count("end") == 2
    assert kinds(agent).count("begin") == 1


def test_thinking_is_heard_as_it_happens() -> None:
    heard: list[tuple[str, str]] = []
    agent = Agent(
        ToyWorld(),
        Scripted([GOAL, MOVE, OVER]),
        "inner_monologue",
        hears_thinking=lambda role, piece: heard.append((role, piece)),
    )
    asyncio.run(agent.run("Put the ball on the shelf."))
    assert "".join(piece for _, piece in heard) == GOAL + MOVE + OVER
    assert {role for role, _ in heard} == {"planner"}


def test_listeners_hear_every_event_from_the_first_on() -> None:
    heard: list[Event] = []
    agent = Agent(ToyWorld(), Scripted([GOAL, MOVE, OVER]), "inner_monologue", listeners=[heard.append])
    asyncio.run(agent.run("Put the ball on the shelf."))
    assert heard == list(agent.monologue)


# How it ends ----------------------------------------------------------------------------------------------------------


def test_an_end_says_how_the_request_was_understood_and_what_was_checked() -> None:
    agent = Agent(ToyWorld(), Scripted([GOAL, MOVE, OVER]), "inner_monologue")
    end = asyncio.run(agent.run("Hide the ball."))
    assert end.because == "Done: the ball is on the shelf (checked)."
    agent = Agent(ToyWorld(), Scripted([MOVE, " Done."]), "open_loop")
    end = asyncio.run(agent.run("Hide the ball."))
    assert end.because.endswith("I understood it as: Move the ball to the shelf. Nothing was checked.")


def test_a_step_that_changes_nothing_three_times_ends_the_run() -> None:
    class Stuck(ToyWorld):
        def __init__(self) -> None:
            super().__init__()
            self.skills = {name: replace(each, preconditions=(stuck,)) for name, each in self.skills.items()}

    def stuck(scene: Observation, **_: object) -> str:
        return "The arm is stuck."

    agent = Agent(Stuck(), Scripted([GOAL, MOVE, AGAIN, AGAIN, AGAIN, AGAIN]), "inner_monologue")
    end = asyncio.run(agent.run("Put the ball on the shelf."))
    assert end.result == "failed"
    assert end.because == "Move the ball to the shelf: tried 3 times, and each time nothing changed (The arm is stuck.)"
    assert kinds(agent).count("started") == 3


# What may be asked ----------------------------------------------------------------------------------------------------

SCENE = Observation(("red block",), {"object": ("red block",)})


@pytest.mark.parametrize(
    "text", ["", "   ", "\n\t", "\x00\x1b", "x" * (LONGEST_REQUEST + 1), "Put the blue block away."]
)
def test_a_request_that_cannot_be_planned_for_is_refused_in_words(text: str) -> None:
    with pytest.raises(BadInput, match=r"request|I see no blue block here"):
        check_request(text, SCENE)


def test_a_request_is_one_line_of_printable_text() -> None:
    assert check_request("  Put \x1b[31m the\nred  block away.\x00 ", SCENE) == "Put [31m the red block away."


def test_a_request_that_is_refused_leaves_no_trace() -> None:
    agent = Agent(ToyWorld(), Scripted([]), "inner_monologue")
    for speak in (
        lambda: asyncio.run(agent.run("Put the blue ball away.")),
        lambda: agent.say("Put the blue ball away."),
    ):
        with pytest.raises(BadInput, match="blue ball"):
            speak()
    assert kinds(agent) == ["begin"]
    assert agent.person.heard() == []


def test_an_unknown_preset_is_refused_before_anything_is_written(session: Session) -> None:
    with pytest.raises(UnknownName, match="inner_monologue"):
        Agent(ToyWorld(), Scripted([]), "inner_dialogue", session=session)
    assert session.events() == []


# What is said meanwhile -----------------------------------------------------------------------------------------------


def test_what_is_said_is_an_answer_only_until_the_question_is_answered() -> None:
    agent = Agent(ToyWorld(), Scripted([]), "inner_monologue")
    agent.monologue.append(Request("Tidy up."))
    agent.monologue.append(Ask(("Which one?",)))
    agent.say("the ball")
    assert agent.person.heard() == [Answer("the ball")]
    agent.monologue.append(Answer("the ball"))
    agent.say("Put the cup away.")
    assert agent.person.heard() == [Request("Put the cup away.")]


def test_stop_is_a_stop_whoever_says_it() -> None:
    agent = Agent(ToyWorld(), Scripted([]), "inner_monologue")
    agent.stop("Ctrl-C")
    agent.say("stop!")
    assert agent.person.heard() == [Stop("Ctrl-C"), Stop("you said 'stop!'")]


def test_stop_between_two_ticks_of_a_real_agent() -> None:
    world, agents = ToyWorld(), list[Agent]()
    agents.append(
        Agent(
            world,
            Scripted([GOAL, MOVE, OVER]),
            "inner_monologue",
            ticking=[lambda: agents[0].stop("enough") if world.ticks == 6 else None],
        )
    )
    assert asyncio.run(agents[0].run("Put the ball on the shelf.")) == End("stopped", "enough")
    assert world.ticks == 6
    assert world.hand == "ball"


def test_a_new_request_mid_action_is_planned_with_everything_said_so_far() -> None:
    world, agents = ToyWorld(), list[Agent]()
    model = Scripted([GOAL, MOVE, ' Goal state is ["Cup is on the bin."].', " Move the cup to the bin.", OVER])
    say = "Rather put the cup in the bin."
    agents.append(
        Agent(world, model, "inner_monologue", ticking=[lambda: agents[0].say(say) if world.ticks == 1 else None])
    )
    assert asyncio.run(agents[0].run("Put the ball on the shelf.")).result == "goal met"
    assert world.where == {"ball": "floor", "cup": "bin", "box": "floor"}
    assert "Human: Put the ball on the shelf." in model.prompts[2]
    assert f"Human: {say}" in model.prompts[2]


def test_approval_is_asked_for_by_skills_that_say_so() -> None:
    agent = Agent(ToyWorld(), Scripted([" Throw the box away.", " Done."]), SUCCESS, person=Inbox(present=True))
    agent.monologue.listeners.append(lambda e: agent.say("yes") if isinstance(e.record, Ask) else None)
    assert asyncio.run(agent.run("Get rid of the box.")).result == "unconfirmed"
    assert kinds(agent)[3:8] == ["plan", "ask", "answer", "started", "outcome"]


# The journal ----------------------------------------------------------------------------------------------------------


def test_every_event_is_in_the_journal_before_anybody_hears_of_it(session: Session) -> None:
    missing: list[Event] = []

    def check(event: Event) -> None:
        if session.events()[-1] != (event.index, event.at, event.record):
            missing.append(event)

    agent = Agent(ToyWorld(), Scripted([GOAL, MOVE, OVER]), "inner_monologue", session=session, listeners=[check])
    asyncio.run(agent.run("Put the ball on the shelf."))
    assert missing == []
    assert len(session.events()) == len(agent.monologue)


def test_the_world_in_the_middle_of_a_skill_is_kept(session: Session) -> None:
    world = ToyWorld()

    class PowerCut(BaseException):
        """No outcome of a skill."""

    def cut() -> None:
        if world.ticks == 8:
            raise PowerCut

    agent = Agent(world, Scripted([GOAL, MOVE, OVER]), "inner_monologue", session=session, ticking=[cut])
    with pytest.raises(PowerCut):
        asyncio.run(agent.run("Put the ball on the shelf."))
    twin = ToyWorld()
    restore_world(twin, session, 0)
    assert 8 - CHECKPOINT_EVERY / 0.1 <= twin.ticks < 8
    assert twin.hand == "ball"


def test_a_world_that_cannot_be_saved_in_the_middle_of_a_skill_ends_the_run_aloud(
    session: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(at: float, snapshot: bytes) -> None:
        raise JournalError("journal.db is damaged.")

    monkeypatch.setattr(session, "checkpoint", refuse)
    agent = Agent(ToyWorld(), Scripted([GOAL, MOVE, OVER]), "inner_monologue", session=session)
    with pytest.raises(JournalError, match="is damaged"):
        asyncio.run(agent.run("Put the ball on the shelf."))
    assert not agent.monologue.since(None, Outcome) and agent.ended() is None


def test_a_session_that_is_over_cannot_be_resumed(session: Session) -> None:
    agent = Agent(ToyWorld(), Scripted([GOAL, MOVE, OVER]), "inner_monologue", session=session)
    asyncio.run(agent.run("Put the ball on the shelf."))
    with pytest.raises(BadInput, match="over: goal met"):
        asyncio.run(Agent(ToyWorld(), Scripted([]), "inner_monologue", session=session).resume())


def test_a_session_in_which_nothing_was_asked_cannot_be_resumed(session: Session) -> None:
    agent = Agent(ToyWorld(), Scripted([]), "inner_monologue", session=session)
    with pytest.raises(BadInput, match="has no request"):
        asyncio.run(agent.resume())


def test_without_a_journal_nothing_can_be_resumed() -> None:
    with pytest.raises(JournalError, match="session"):
        asyncio.run(Agent(ToyWorld(), Scripted([]), "inner_monologue").resume())


def test_a_resumed_session_goes_on_and_does_not_begin_again(session: Session) -> None:
    world = ToyWorld()
    agent = Agent(world, Scripted([]), "inner_monologue", session=session)
    agent.monologue.append(Request("Put the ball on the shelf."))
    again = Agent(world, Scripted([GOAL, MOVE, OVER]), "inner_monologue", session=session)
    assert asyncio.run(again.resume()).result == "goal met"
    assert kinds(again)[:4] == ["begin", "request", "resumed", "observation"]
    assert again.monologue.last(Resumed) is not None


class Unattended(ToyWorld):
    """A robot that cannot be put back into an earlier state, as real ones cannot."""

    def snapshot(self) -> bytes:
        raise NotImplementedError


def test_a_robot_without_snapshots_has_a_journal_all_the_same(session: Session) -> None:
    agent = Agent(Unattended(), Scripted([GOAL, MOVE, OVER]), "inner_monologue", session=session)
    assert asyncio.run(agent.run("Put the ball on the shelf.")).result == "goal met"
    assert session.snapshot() is None
    assert len(session.events()) == len(agent.monologue)


def test_a_skill_that_never_ticks_is_cancelled_soon_after_a_stop() -> None:
    def enough(event: Event) -> None:
        if isinstance(event.record, Started):
            agent.stop("enough")

    staring = Scripted([" Stare at the ball."])
    agent = Agent(ToyWorld(), staring, "inner_monologue:feedback=object", listeners=[enough])
    agent.loop.grace = 0.0
    end = asyncio.run(agent.run("Look at the ball."))
    assert (end.result, end.because) == ("stopped", "enough")
    assert [outcome.ending for outcome in agent.monologue.since(None, Outcome)] == ["interrupted"]


class Faulty(ToyWorld):
    """A robot builder's mistake in the check of a relation."""

    def holds(self, condition: Condition) -> bool:
        raise ZeroDivisionError("division by zero")


def test_a_fault_in_a_world_ends_the_run_with_the_reason() -> None:
    agent = Agent(Faulty(), Scripted([GOAL, MOVE, OVER]), "inner_monologue")
    end = asyncio.run(agent.run("Put the ball on the shelf."))
    assert (end.result, end.because) == ("failed", "ZeroDivisionError: division by zero")
    assert agent.ended() == end


def test_time_never_runs_backwards_although_a_clock_may() -> None:
    world = ToyWorld()
    world.time.seconds = 9.0
    agent = Agent(world, Scripted([GOAL, MOVE, OVER]), "inner_monologue")
    world.time.seconds = 0.0
    asyncio.run(agent.run("Put the ball on the shelf."))
    times = [event.at for event in agent.monologue]
    assert times == sorted(times)


def test_a_world_that_lacks_something_is_refused_at_once_and_told_what() -> None:
    class Halfway:
        name, skills, relations = "halfway", dict[str, object](), dict[str, object]()

    with pytest.raises(BadInput, match=r"`Halfway` is missing `clock`, `reset\(\)`, `observe\(\)`, `holds\(\)`"):
        Agent(Halfway(), Scripted())  # type: ignore[arg-type]


@pytest.mark.parametrize(("preset", "refused"), [("inner_monologue", True), ("multitalk", False)])
def test_what_is_not_in_view_may_be_asked_for_where_the_preset_looks_for_it(preset: str, refused: bool) -> None:
    class Coloured(ToyWorld):
        def observe(self) -> Observation:
            return Observation(("red ball", "blue ball"), {"object": ("red ball", "blue ball"), "place": ("shelf",)})

    agent = Agent(Coloured(), Scripted(), preset)
    if refused:
        with pytest.raises(BadInput, match="I see no green ball here"):
            agent.check("Bring me the green ball.")
    else:
        assert agent.check(" Bring me  the green ball. ") == "Bring me the green ball."
