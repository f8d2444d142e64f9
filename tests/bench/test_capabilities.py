"""The abilities of section 4.4: what is said in the middle of the work, what cannot be moved, and how it is judged."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

import pytest

from thinkaloud.agent import check_request
from thinkaloud.models import Scripted
from thinkaloud.records import Observation
from thinkaloud_bench import BENCHES
from thinkaloud_bench.capabilities import BENCH
from thinkaloud_bench.contract import Item, Played
from thinkaloud_bench.understanding.checking import check_material
from thinkaloud_bench.understanding.material import ABILITIES, Spoken, shipped

FILES = shipped(ABILITIES)
OURS = "thinkaloud:confirm=never;rehearse=off"
Says = Callable[[str], str]


def play(ability: str, says: Says | list[str], number: int = 0) -> Played:
    """A request of an ability, with a model that writes these programs."""
    left = iter(says) if isinstance(says, list) else None
    model = Scripted(says if left is None else lambda prompt: next(left), scores=lambda prompt, option: -0.1)
    return asyncio.run(BENCH.play(Item(OURS, ability, number, 0), lambda: model))


def outcome(played: Played) -> str:
    return str(played.details[0]["outcome"])


def put(thing: str, target: str) -> str:
    return f'pick_and_place("{thing}", "{target}")'


def test_every_ability_is_there_in_twenty_variations() -> None:
    assert BENCHES.find("capabilities") is BENCH
    assert {*FILES} == {
        *("changed_goal", "previous_task", "stop", "infeasible", "hint", "chinese", "spanish", "emoji"),
        *("questions", "feedback_order", "typos"),
    }
    for file in FILES.values():
        said = [spoken.text for spoken in file.requests]
        assert len({*said}) == len(said) >= 20, file.name
        check_material(file)


@pytest.mark.parametrize(
    ("ability", "needs"),
    [
        ("changed_goal", lambda spoken: len(spoken.amid) == 1),
        ("previous_task", lambda spoken: len(spoken.amid) == 1 and len(spoken.turns) == 2),
        ("stop", lambda spoken: spoken.expect == "stop" and spoken.amid),
        ("infeasible", lambda spoken: spoken.proposes and spoken.expect == "decline"),
        ("hint", lambda spoken: spoken.hint),
        ("chinese", lambda spoken: any("\u4e00" <= letter <= "\u9fff" for letter in spoken.text)),
        ("questions", lambda spoken: spoken.answer and len(spoken.turns) == 2),
        ("feedback_order", lambda spoken: spoken.shuffle),
    ],
)
def test_each_variation_tests_its_ability(ability: str, needs: Callable[[Spoken], object]) -> None:
    assert all(needs(spoken) for spoken in FILES[ability].requests)


def test_who_takes_up_a_new_goal_is_right_and_who_does_not_errs_in_silence() -> None:
    old = f"{put('red block', 'green bowl')}\n{put('blue block', 'green bowl')}"
    new = old.replace("green bowl", "purple bowl")
    assert outcome(play("changed_goal", [old, new])) == "right"
    assert outcome(play("changed_goal", [old, old])) == "silent"


def test_the_previous_task_is_finished_after_the_other_one() -> None:
    first = f"{put('red block', 'green bowl')}\n{put('blue block', 'green bowl')}"
    other = put("yellow block", "purple bowl")
    assert outcome(play("previous_task", [first, other, "previous()"])) == "right"
    assert outcome(play("previous_task", [first, other, 'say("Yes.")'])) != "right"


def test_who_stops_is_right_and_who_goes_on_is_not() -> None:
    number = next(
        n for n, spoken in enumerate(FILES["stop"].requests) if spoken.amid == ("Hands off the table, robot.",)
    )
    work = f"{put('red block', 'green bowl')}\n{put('blue block', 'green bowl')}\n{put('green block', 'green bowl')}"
    assert outcome(play("stop", [work, "stop()"], number)) == "right"
    went_on = play("stop", [work, 'note("Hands off.")'], number)
    assert outcome(went_on) != "right"
    assert "it went on" in went_on.because


def test_a_refusal_has_to_propose_something_that_can_be() -> None:
    assert outcome(play("infeasible", ['ask("There is no white bowl. Which one?", bowls)'])) == "right"
    bare = play("infeasible", ['cannot("I do not feel like it.")'])
    assert outcome(bare) == "declined"
    assert "it proposed none of" in bare.because
    assert outcome(play("infeasible", [put("red block", "blue bowl")])) == "silent"


def test_what_is_tried_first_cannot_be_moved_and_the_hint_names_it() -> None:
    two = f"{put('red block', 'purple bowl')}\n{put('blue block', 'purple bowl')}"
    heard: list[str] = []

    def says(prompt: str) -> str:
        heard.append(prompt)
        if "too heavy" not in prompt:
            return two
        return f"{put('blue block', 'purple bowl')}\n{put('green block', 'purple bowl')}"

    assert outcome(play("hint", says)) == "right"
    assert any("The red block is too heavy." in prompt for prompt in heard)
    assert outcome(play("hint", lambda prompt: two)) == "failed"


def test_an_answer_after_the_task_is_held_against_what_is_so() -> None:
    task = f"{put('red block', 'green bowl')}\n{put('blue block', 'green bowl')}"
    assert outcome(play("questions", [task, 'say(len([b for b in blocks if on(b, "green bowl")]))'])) == "right"
    assert outcome(play("questions", [task, 'say(len([b for b in blocks if on(b, "blue block")]))'])) == "silent"


def test_another_order_of_the_feedback_changes_nothing_for_who_reads_all_of_it() -> None:
    assert outcome(play("feedback_order", ['pick_and_place(blocks, "green bowl")'])) == "right"


def test_emoji_are_words() -> None:
    assert check_request("🟥 ➡️ 🟢🥣", Observation((), {}))
    assert outcome(play("emoji", [put("red block", "green bowl")])) == "right"


def test_what_is_missing_is_told_with_what_is_here_of_its_kind() -> None:
    assert outcome(play("infeasible", [put("red block", "white bowl")])) == "right"
