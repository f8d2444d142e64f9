"""FrankaKitchen's episodes, by its own judgement: a ceiling, a held arm, and a robot that does too much."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

import msgspec
import pytest

from thinkaloud.models import Scripted
from thinkaloud_bench.contract import CEILING, Item, Played
from thinkaloud_bench.disturbed_rows import disturbed_rows
from thinkaloud_bench.frankakitchen import BENCH

pytest.importorskip("gymnasium_robotics")
THINKALOUD = "thinkaloud:confirm=never"


def played(task: str, index: int, preset: str = CEILING, answers: Sequence[str] = ()) -> Played:
    return asyncio.run(BENCH.play(Item(preset, task, index, 7), lambda: Scripted(answers)))


def test_the_ceiling_does_what_is_asked_and_a_robot_that_does_more_is_silently_wrong() -> None:
    asked = played("light", 0)
    more = played("light", 0, THINKALOUD, ['switch_on_light()\nturn_on("bottom burner")'])
    assert (asked.success, asked.steps, asked.scores["silent"]) == (True, 1, 0.0)
    assert (more.success, more.result, more.steps, more.scores["silent"]) == (False, "goal met", 2, 1.0)
    played_both = [msgspec.structs.replace(asked, preset=THINKALOUD), more]
    rows = {(row.task, row.metric): row.value for row in disturbed_rows(BENCH, [THINKALOUD], played_both)}
    assert (rows["light", "success"], rows["light", "undisturbed"], rows["light", "silent"]) == (0.5, 0.5, 0.5)
    assert ("light", "disturbed") not in rows


def test_where_somebody_holds_the_arm_the_first_attempt_fails_and_a_second_one_works() -> None:
    found = played("kettle", 1)
    assert (found.success, found.steps, found.scores["disturbed"]) == (True, 2, 1.0)


def test_to_decline_what_it_has_no_skill_for_is_right_and_to_claim_it_is_not() -> None:
    declined = played("not_there", 0, THINKALOUD, ['cannot("I have no skill for the microwave.")'])
    claimed = played("not_there", 0, THINKALOUD, ["switch_on_light()"])
    assert (played("not_there", 0).result, declined.result) == ("declined", "declined")
    assert (declined.success, declined.scores["silent"]) == (True, 0.0)
    assert (claimed.success, claimed.scores["silent"]) == (False, 1.0)


def test_what_is_done_in_another_order_than_was_asked_for_is_silently_wrong() -> None:
    found = played("light_then_cabinet", 0, THINKALOUD, ['open("sliding cabinet")\nswitch_on_light()'])
    assert (found.success, found.result, found.steps, found.scores["silent"]) == (False, "goal met", 2, 1.0)
