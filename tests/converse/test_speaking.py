"""A person speaks: at any tick, while the model thinks, in answer to a question, or not at all."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

import pytest

from minds import Choice, Corrected, Criticised, Trial
from thinkaloud.converse.inbox import Inbox
from thinkaloud.episode.approval_answers import MAY_I, YES_OR_NO
from thinkaloud.monologue import Monologue
from thinkaloud.records import (
    Answer,
    Ask,
    Critique,
    Decision,
    Done,
    End,
    Message,
    Outcome,
    Plan,
    Request,
    Started,
    Step,
    Stop,
    Verdict,
)
from toyworld import ToyWorld

TOY = ToyWorld()
BALL_UP, CUP_UP = TOY.condition("ball", "shelf"), TOY.condition("cup", "shelf")
MOVE_BALL, MOVE_CUP, THROW = (
    TOY.step("move", "ball", "shelf"),
    TOY.step("move", "cup", "shelf"),
    TOY.step("discard", "box"),
)
BALL = Plan("Tidy up.", (BALL_UP,), (MOVE_BALL,))
CUP = Plan("Cup.", (CUP_UP,), (MOVE_CUP,))
BOTH = Plan("Tidy up.", (BALL_UP, CUP_UP), (MOVE_BALL, MOVE_CUP))
BOX_AWAY = Plan("Throw the box away.", (TOY.condition("box", "bin"),), (THROW,))
NEW = Request("Rather the cup.")


# While a skill runs ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("tick", [1, 4, 7, 10, 11, 15, 20])
def test_stop_holds_still_at_that_very_tick(tick: int) -> None:
    trial = Trial(BOTH)
    trial.says_at_tick(tick, Stop("watch out"))
    end = trial.run()
    assert (end.result, end.because) == ("stopped", "watch out")
    assert trial.world.ticks == tick
    outcome = trial.monologue.last(Outcome)
    assert outcome is not None
    assert (outcome.ending, outcome.report) == ("interrupted", "watch out")


def test_what_a_stop_left_is_checked_before_the_run_ends() -> None:
    trial = Trial(BALL)
    trial.says_at_tick(5, Stop())
    trial.run()
    assert trial.kinds[-5:] == ["Started", "Stop", "Outcome", "Verdict", "End"]
    verdict = trial.monologue.last(Verdict)
    assert verdict is not None
    assert not verdict.ok


@pytest.mark.parametrize("tick", [0, 1, 2, 7])
def test_of_several_requests_heard_at_once_the_last_is_the_task_and_none_is_lost(tick: int) -> None:
    requests = [Request("First the box."), Request("No, the ball."), NEW]
    trial = Trial(*([CUP] if tick == 0 else [BALL, CUP]))
    if tick == 0:
        for request in requests:
            trial.person.say(request)
    else:
        trial.says_at_tick(tick, *requests)
    assert trial.run().result == "goal met"
    assert trial.monologue.since(None, Request) == [Request("Tidy up."), *requests]
    assert trial.monologue.last(Request) == NEW and trial.started[-1] == MOVE_CUP.words


@pytest.mark.parametrize(("tick", "interrupted_at"), [(1, 1), (2, 2), (3, 10), (7, 10)])
def test_a_new_request_waits_for_the_safe_point_and_then_there_is_a_new_plan(tick: int, interrupted_at: int) -> None:
    trial = Trial(BALL, CUP)
    trial.says_at_tick(tick, NEW)
    assert trial.run().result == "goal met"
    assert trial.started == [MOVE_BALL.words, MOVE_CUP.words]
    assert trial.world.ticks == interrupted_at + 10
    endings = [outcome.ending for outcome in trial.monologue.since(None, Outcome)]
    assert endings == ["completed" if interrupted_at == 10 else "interrupted", "completed"]


def test_a_new_request_ends_a_plan_of_many_steps() -> None:
    trial = Trial(Plan("Tidy up.", (BALL_UP,), (TOY.step("move", "box", "bin"), MOVE_BALL)), CUP)
    trial.says_at_tick(8, NEW)
    assert trial.run().result == "goal met"
    assert trial.started == ["Move the box to the bin.", MOVE_CUP.words]


def test_a_step_of_the_request_before_is_not_corrected() -> None:
    correct = Corrected([MOVE_BALL])
    trial = Trial(BALL, CUP, correct=correct)
    trial.says_at_tick(2, NEW)
    assert trial.run().result == "goal met"
    assert correct.seen == []
    assert trial.started == [MOVE_BALL.words, MOVE_CUP.words]


@pytest.mark.parametrize("messages", [(NEW, Stop()), (Stop(), Stop()), (Answer("hm"), Stop())])
def test_whoever_says_stop_last_stops_the_robot(messages: tuple[Message, ...]) -> None:
    trial = Trial(BALL, CUP)
    trial.says_at_tick(2, *messages)
    assert trial.run().result == "stopped"
    assert trial.world.ticks == 2


def test_stop_and_then_a_request_leaves_off_at_once_and_does_that() -> None:
    trial = Trial(BALL, CUP)
    trial.says_at_tick(6, Stop(), NEW)
    assert trial.run().result == "goal met"
    assert trial.world.ticks == 16
    assert trial.world.where == {"ball": "floor", "cup": "shelf", "box": "floor"}


def test_words_that_answer_nothing_do_not_disturb_a_skill() -> None:
    trial = Trial(BALL)
    trial.says_at_tick(2, Answer("nice weather"))
    assert trial.run().result == "goal met"
    assert "Answer" in trial.kinds


def test_a_request_at_the_last_tick_of_the_last_step_is_not_lost() -> None:
    trial = Trial(BALL, CUP)
    trial.says_at_tick(10, NEW)
    assert trial.run().result == "goal met"
    assert trial.world.where["cup"] == "shelf"
    assert trial.kinds.count("End") == 1


def test_a_person_is_heard_while_a_plain_function_runs() -> None:
    trial = Trial(Plan("Paint.", (), (TOY.step("paint", "box"), MOVE_BALL)))
    heard: list[str] = []

    async def run() -> End:
        running = asyncio.ensure_future(trial.loop.run())
        await asyncio.to_thread(trial.world.inside.wait, 20)
        said = asyncio.Event()
        trial.monologue.listeners.append(lambda event: said.set() if isinstance(event.record, Stop) else None)
        trial.person.say(Stop("the paint is wet"))
        await asyncio.wait_for(said.wait(), 20)  # while the function is still at it
        heard.extend(trial.kinds)
        trial.world.gate.set()
        return await running

    end = asyncio.run(run())
    assert (end.result, end.because) == ("stopped", "the paint is wet")
    assert heard[-2:] == ["Started", "Stop"]
    assert trial.started == ["Paint the box."]


# While the model thinks -----------------------------------------------------------------------------------------------


def thinks_until_told(decision: Decision, trials: list[Trial], *messages: Message) -> Callable[[Monologue], object]:
    """A model that thinks for ever; after a moment, a person speaks, one message at a time."""

    async def think(monologue: Monologue) -> Decision:
        heard = asyncio.Event()
        monologue.listeners.append(lambda _: heard.set())
        for message in messages:
            trials[0].person.say(message)
            await heard.wait()
            heard.clear()
        await asyncio.Event().wait()
        return decision

    return think


def overheard(message: tuple[Message, ...], *then: Choice) -> Trial:
    trials: list[Trial] = []
    trials.append(Trial(thinks_until_told(BALL, trials, *message), *then))
    return trials[0]


def test_stop_is_heard_while_the_model_thinks() -> None:
    trial = overheard((Stop("enough"),))
    assert trial.run().result == "stopped"
    assert trial.started == []


def test_a_new_request_while_the_model_thinks_is_what_it_thinks_about_next() -> None:
    trial = overheard((NEW,), CUP)
    assert trial.run().result == "goal met"
    assert trial.started == [MOVE_CUP.words]


def test_stop_is_heard_even_after_words_that_answer_nothing() -> None:
    trial = overheard((Answer("hm"), Stop("enough")))
    assert trial.run().result == "stopped"


@pytest.mark.parametrize("part", ["critique", "correct"])
def test_stop_is_heard_while_any_other_stage_thinks(part: str) -> None:
    trials: list[Trial] = []
    think = thinks_until_told(BALL, trials, Stop("enough"))

    class Slow:
        async def critique(self, _: object, monologue: Monologue) -> object:
            return await think(monologue)  # type: ignore[misc]

        correct = critique

    slow: dict[str, object] = {part: Slow()}
    trials.append(Trial(BALL, BALL, BALL, **slow))  # type: ignore[arg-type]
    trials[0].world.slips = 1
    assert trials[0].run().result == "stopped"
    assert trials[0].planner.asked == 1


def test_what_was_said_as_the_model_answered_is_heard_before_anything_moves() -> None:
    trials: list[Trial] = []

    async def answer(_: Monologue) -> Decision:
        trials[0].person.say(Stop("wait"))
        return BALL

    trials.append(Trial(answer))
    assert trials[0].run().result == "stopped"
    assert trials[0].started == []


def test_a_request_that_comes_as_the_planner_gives_up_is_carried_out() -> None:
    trials: list[Trial] = []

    async def gives_up(_: Monologue) -> Decision:
        trials[0].person.say(NEW)
        return Done("nothing to do")

    trials.append(Trial(gives_up, CUP))
    assert trials[0].run().result == "goal met"


# Questions ------------------------------------------------------------------------------------------------------------


def test_an_answer_goes_back_to_the_planner() -> None:
    trial = Trial(Ask(("The ball or the cup?",)), BALL)
    trial.answers(Answer("The ball."))
    assert trial.run().result == "goal met"
    assert trial.kinds[2:5] == ["Ask", "Answer", "Plan"]


def test_a_new_request_instead_of_an_answer_is_a_new_request() -> None:
    trial = Trial(Ask(("The ball or the cup?",)), CUP)
    trial.answers(NEW)
    assert trial.run().result == "goal met"


def test_stop_instead_of_an_answer_stops() -> None:
    trial = Trial(Ask(("The ball or the cup?",)))
    trial.answers(Stop("never mind"))
    assert trial.run().because == "never mind"


def test_with_nobody_there_a_question_ends_the_run_and_says_so() -> None:
    end = Trial(Ask(("The ball or the cup?",)), BALL).run()
    assert end.result == "failed"
    assert "The ball or the cup?" in end.because
    assert "nobody is there" in end.because


@pytest.mark.parametrize("yes", ["yes", "Yes, please.", "y", "ok", "Sure!", "go ahead", "please do", "ja"])
def test_an_approved_step_is_done_without_planning_again(yes: str) -> None:
    trial = Trial(BOX_AWAY)
    trial.answers(Answer(yes))
    assert trial.run().result == "goal met"
    assert trial.planner.asked == 1
    assert trial.monologue.since(None, Ask) == [Ask((MAY_I + THROW.words,), approval=True)]


@pytest.mark.parametrize(
    "no",
    [
        *("no", "No!", "", "goodness, no", "yellow?", "I am not sure", "not ok", "go away", "ok, no, don't"),
        *("is that ok", "right?", "ok, never mind"),
    ],
)
def test_anything_but_a_clear_yes_is_no_approval(no: str) -> None:
    trial = Trial(BOX_AWAY)
    trial.answers(Answer(no), Answer(no))
    end = trial.run()
    assert (end.result, trial.started) == ("declined", [])
    asked = [ask.questions for ask in trial.monologue.since(None, Ask)]
    assert asked == [(MAY_I + THROW.words,), (YES_OR_NO, MAY_I + THROW.words)][: len(asked)]
    assert THROW.words in end.because


def test_with_nobody_there_nothing_that_needs_approval_is_done() -> None:
    trial = Trial(BOX_AWAY)
    assert trial.run().result == "failed"
    assert trial.started == []


def test_the_other_steps_of_the_plan_follow_after_an_approval() -> None:
    trial = Trial(Plan("Tidy up.", (BALL_UP,), (THROW, MOVE_BALL)))
    trial.answers(Answer("yes"))
    assert trial.run().result == "goal met"
    assert trial.started == [THROW.words, MOVE_BALL.words]


def test_approval_is_asked_for_each_time() -> None:
    trial = Trial(Plan("Tidy up.", (BALL_UP,), (THROW, THROW, MOVE_BALL)))
    trial.answers(Answer("yes"), Answer("no"))
    assert trial.run().result == "declined"
    assert trial.started == [THROW.words]


def test_a_correction_may_need_approval_too() -> None:
    trial = Trial(BALL, BALL, correct=Corrected([THROW, THROW, None]))
    trial.world.slips = 1
    trial.answers(Answer("yes"))
    assert trial.run().result == "goal met"
    assert trial.started == [MOVE_BALL.words, THROW.words, MOVE_BALL.words]


def test_a_plan_is_criticised_once_although_approval_was_asked_for() -> None:
    trial = Trial(BOX_AWAY, critique=Criticised([Critique()]))
    trial.answers(Answer("yes"))
    assert trial.run().result == "goal met"


def test_an_answer_from_another_thread_wakes_the_loop() -> None:
    person = Inbox(present=True)
    trial = Trial(Ask(("Now?",)), BALL, person=person)

    async def run() -> End:
        asked = asyncio.Event()
        trial.monologue.listeners.append(lambda event: asked.set() if isinstance(event.record, Ask) else None)
        running = asyncio.ensure_future(trial.loop.run())
        await asked.wait()
        await asyncio.to_thread(person.say, Answer("Now."))
        return await asyncio.wait_for(running, 20)

    assert asyncio.run(run()).result == "goal met"


def test_steps_are_said_before_they_are_done() -> None:
    trial = Trial(BALL)
    ticks: list[int] = []
    trial.monologue.listeners.append(
        lambda event: ticks.append(trial.world.ticks) if isinstance(event.record, Started) else None
    )
    trial.run()
    assert ticks == [0]
    assert isinstance(MOVE_BALL, Step)
