"""What a person says in the middle of the work: it is answered, the work goes on, is changed, or left."""

from __future__ import annotations

import asyncio

import pytest

from said import Talk, when_begun
from thinkaloud.methods.thinkaloud.bounded_rehearsal import BoundedRehearsal
from thinkaloud.monologue import Event, Monologue
from thinkaloud.records import Answer, Ask, Critique, Message, Outcome, Plan, Stop
from thinkaloud.rehearse.twin import Twin
from toyworld import ToyWorld

BOTH = 'water(["fern", "rose"])'


def amid(
    program: str,
    *,
    said: str = "Something else.",
    at: str = "Water the fern.",
    world: object = None,
    answers: tuple[str, ...] = (),
) -> Talk:
    """Two plants are watered; somebody says something while the first is."""
    talk = Talk([BOTH, program], world, during=when_begun(at, said), answers=answers)  # type: ignore[arg-type]
    talk.say("Water the fern and the rose.")
    return talk


@pytest.mark.parametrize(
    ("program", "aloud"),
    [
        ('say(height("fern"))', "The height of the fern in centimetres is 40."),
        ("say(todo())", "Water the fern. Water the rose."),
        ('note("the fern is ill")', "I remember: The fern is ill."),
        ('water("orchid")', "There is no orchid here."),
        ("unclear()", "I did not understand that."),
        ('cannot("I have no tea.")', "I have no tea."),
    ],
)
def test_a_question_or_a_remark_is_answered_aloud_and_the_work_goes_on(program: str, aloud: str) -> None:
    talk = amid(program)
    assert talk.steps == ["Water the fern.", f"Say: {aloud}", "Water the fern.", "Water the rose."]
    assert talk.ends == ["goal met"]
    assert talk.all(Outcome)[1].report == aloud
    end = talk.agent.ended()
    assert end is not None
    assert (
        end.because
        == "I understood: I will water the fern and the rose. Done: the fern is wet and the rose is wet (checked)."
    )


def test_the_same_question_twice_is_answered_twice() -> None:
    during = when_begun("Water the fern.", "How high is it?", "How high is it?")
    talk = Talk([BOTH, *['say(height("fern"))'] * 2], during=during)
    assert talk.say("Water both.").result == "goal met"
    assert talk.steps.count("Say: The height of the fern in centimetres is 40.") == 2


def test_what_cannot_be_run_amid_work_is_said_and_the_work_goes_on() -> None:
    talk = Talk([BOTH, "kumquat", "kumquat"], during=when_begun("Water the fern.", "Grmpf."))
    assert talk.say("Water both.").result == "goal met"
    assert "Say: I did not understand that. Please say it differently." in talk.steps


def test_a_new_request_takes_the_place_of_the_old_one() -> None:
    talk = amid('switch("lamp", "on")')
    assert (talk.ends, talk.world.calls) == (["goal met"], [("switch", {"lamp": "lamp", "state": "on"})])


def test_a_new_request_that_goes_on_is_added() -> None:
    talk = amid('previous()\nswitch("lamp", "on")')
    assert talk.ends == ["goal met"]
    assert [name for name, _ in talk.world.calls] == ["water", "water", "switch"]
    end = talk.agent.ended()
    assert end is not None
    assert end.because == (
        "I understood: I will water the fern and the rose. I will switch the lamp on. "
        "Done: the fern is wet, the rose is wet and the lamp is on (checked)."
    )


def test_a_correction_of_the_request_at_hand() -> None:
    talk = amid('water("rose")')
    assert [arguments for _, arguments in talk.world.calls] == [{"plant": "rose"}]


def test_stop_after_this_finishes_the_step() -> None:
    talk = amid('stop("after this")')
    assert talk.ends == ["stopped"]
    assert talk.world.facts() >= {"wet(fern)"} and "wet(rose)" not in talk.world.facts()


def test_stop_leaves_off_at_once() -> None:
    talk = amid("stop()")
    assert (talk.ends, talk.world.calls) == (["stopped"], [])


def test_what_is_to_be_left_alone_from_now_on_is_taken_out_of_the_work() -> None:
    talk = amid('keep("rose")', said="Leave the rose alone.")
    assert [arguments for _, arguments in talk.world.calls] == [{"plant": "fern"}]
    end = talk.agent.ended()
    assert end is not None
    assert end.because == (
        "I understood: I will water the fern and the rose. From now on I leave the rose alone. "
        "Done: the fern is wet (checked)."
    )
    assert talk.kept == ["rose"]


def test_where_all_of_it_is_to_be_left_alone_nothing_is_done() -> None:
    talk = amid("keep(plants)", said="No, leave the plants alone.")
    assert (talk.ends, talk.world.calls) == (["answered"], [])


def test_taking_back_amid_work_takes_back_what_was_done_of_it() -> None:
    programs = ['switch("lamp", "on")\nopen("left window")', "undo()"]
    talk = Talk(programs, during=when_begun("Open the left window.", "No, undo that."))
    assert talk.say("Light and air, please.").result == "goal met"
    assert talk.world.facts() == {"filled()", "wet(cactus)"}
    assert "Switch the lamp off." in talk.steps


def test_a_question_of_ours_amid_work_answered_with_no_is_left_and_the_work_goes_on() -> None:
    talk = amid('open("window")', answers=("No, don't.",))
    assert talk.ends == ["goal met"]
    assert [name for name, _ in talk.world.calls] == ["water", "water"]
    assert "Say: You said no, so I leave that." in talk.steps


# Stop, and answers that nobody asked for ------------------------------------------------------------------------------


def test_a_skill_that_never_ends_is_stopped() -> None:
    preset = "thinkaloud:confirm=never;rehearse=off"
    talk = Talk(['stare("ball")'], ToyWorld(), during=when_begun("Stare at the ball.", Stop()), preset=preset)
    talk.agent.loop.grace = 0.05
    assert talk.say("Stare at the ball.").result == "stopped"
    assert [outcome.ending for outcome in talk.all(Outcome)] == ["interrupted"]


def test_a_rehearsal_that_never_ends_is_stopped_by_a_person_or_given_up() -> None:
    def during(event: Event) -> Message | None:
        return Stop() if isinstance(event.record, Critique) else None

    talk = Talk(['stare("ball")'], ToyWorld(), during=during)
    assert (talk.say("Stare at the ball.").result, talk.steps) == ("stopped", [])
    plan, alone = Plan("", (), (ToyWorld().step("stare", "ball"),)), Monologue(ToyWorld().clock)
    assert asyncio.run(BoundedRehearsal(Twin(ToyWorld()), seconds=0.05).rehearse(plan, alone)).feasible


def test_an_answer_that_nobody_asked_for_is_read_like_anything_else() -> None:
    talk = Talk([BOTH, "unclear()"], during=when_begun("Water the fern.", Answer("yes")))
    end = talk.say("Water both.")
    assert end.result in ("goal met", "declined")
    assert all(name == "water" for name, _ in talk.world.calls)


def test_a_step_that_needs_approval_is_asked_for_and_a_no_is_a_no() -> None:
    for answer, result, where in (("yes", "unconfirmed", "bin"), ("no", "declined", "floor")):
        world = ToyWorld()
        talk = Talk(['discard("box")'], world, answers=(answer,))
        assert (talk.say("Throw the box away.").result, world.where["box"]) == (result, where)
        assert [ask.approval for ask in talk.all(Ask)] == [True]


def test_a_question_amid_work_is_part_of_what_was_done_and_can_be_taken_back() -> None:
    programs = ['switch("lamp", "on")\nopen(windows)', "say(1)", "say(done())", "undo()"]
    talk = Talk(programs, during=when_begun("Open the left window.", "How many?"))
    talk.say("Light and air.")
    assert talk.say("What did you do?").because == (
        "I did this: switch the lamp on, open the left window and then open the right window."
    )
    assert talk.say("Undo all that.").result == "goal met"
    assert talk.world.facts() == {"filled()", "wet(cactus)"}
