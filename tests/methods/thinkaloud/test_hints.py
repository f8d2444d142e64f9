"""A remark about what has just gone wrong: something else is taken, where that was left open, or it is asked."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from said import Talk, garden, question_of
from thinkaloud.monologue import Event
from thinkaloud.records import Ask, Meaning, Message, Outcome, Request
from thinkaloud.robots.text_file import TextFileWorld
from thinkaloud.understand.hints import find_trouble

PLAIN = "thinkaloud:confirm=never;rehearse=off;propose=off"
ANY, NAMED = "open(windows[:1])", 'open("left window")'


def stuck(*more: str) -> TextFileWorld:
    """A garden with three windows, of which the left one does not open."""
    three = {'"left window", "right window"': '"left window", "right window", "skylight"'}
    return garden("stuck(left window)", "filled()", *more, **three)


def when_failed(*texts: str) -> Callable[[Event], Message | None]:
    """Says something each time that a step has failed."""
    left = list(texts)

    def during(event: Event) -> Message | None:
        failed = isinstance(event.record, Outcome) and event.record.ending == "failed"
        return Request(left.pop(0)) if failed and left else None

    return during


def hinted(
    program: str,
    remark: str,
    *,
    text: str = "It is too heavy.",
    answers: tuple[str, ...] = (),
    request: str = "Open a window.",
) -> Talk:
    talk = Talk([program, remark], stuck(), preset=PLAIN, during=when_failed(text), answers=answers)
    talk.say(request)
    return talk


@pytest.mark.parametrize(
    "remark", ['note("it is too heavy")', 'keep("left window")', 'cannot("It is too heavy.")', "unclear()"]
)
def test_what_was_left_open_is_settled_anew(remark: str) -> None:
    talk = hinted(ANY, remark)
    assert talk.ends == ["goal met"]
    assert talk.steps == ["Open the left window.", "Open the right window."]
    assert talk.all(Meaning)[-1].words == "I leave the left window alone. I will open the right window."
    assert not talk.all(Ask)


def test_of_several_things_the_others_are_done_and_one_more() -> None:
    talk = hinted("open(windows[:2])", 'note("the left one is stuck")', request="Open two windows.")
    assert talk.ends == ["goal met"]
    assert {*talk.steps[1:]} == {"Open the right window.", "Open the skylight."}


def test_a_second_remark_leaves_both_things_alone() -> None:
    world = stuck("stuck(right window)")
    remarks = ['note("it is heavy")', 'note("that one, too")']
    talk = Talk([ANY, *remarks], world, preset=PLAIN, during=when_failed("It is heavy.", "That one, too."))
    assert talk.say("Open a window.").result == "goal met"
    assert talk.steps == ["Open the left window.", "Open the right window.", "Open the skylight."]
    assert talk.all(Meaning)[-1].kept == ("left window", "right window")


def test_where_the_thing_was_named_it_is_asked_what_to_do_instead() -> None:
    talk = Talk(
        [NAMED, 'note("it is too heavy")', 'open("right window")'],
        stuck(),
        preset=PLAIN,
        during=when_failed("It is too heavy."),
        answers=("Take the right window instead.",),
    )
    assert talk.say("Open the left window.").result == "goal met"
    (asked,) = talk.all(Ask)
    assert asked.questions == (
        "I could not do this: Open the left window. You say: It is too heavy. What should I do instead?",
    )
    assert question_of(talk.all(Meaning)[1]).options == ("Take the right window instead.", "Leave it.")
    assert talk.steps[-1] == "Open the right window."


def test_a_remark_about_something_else_is_only_remembered() -> None:
    talk = hinted(ANY, 'note("the rose is ill")', text="The rose is ill.")
    assert "Open the right window." not in talk.steps
    assert "Say: I remember: The rose is ill." in talk.steps


def test_a_request_after_a_failure_is_a_request() -> None:
    talk = hinted(ANY, 'switch("lamp", "on")', text="Switch the lamp on.")
    assert talk.ends == ["goal met"] and talk.steps[-1] == "Switch the lamp on."
    assert "Open the right window." not in talk.steps


def test_where_nothing_went_wrong_there_is_no_trouble() -> None:
    talk = Talk(['water("fern")', 'note("it is heavy")'])
    talk.say("Water the fern.", "It is heavy.")
    assert find_trouble(talk.agent.monologue, talk.world) is None
    assert talk.ends == ["goal met", "answered"]
