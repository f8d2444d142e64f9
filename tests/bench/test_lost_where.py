"""Where an episode at the table was lost: each part made wrong in turn, beside the true state."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from thinkaloud.errors import DidNotWork
from thinkaloud.models import Scripted
from thinkaloud.monologue import Event
from thinkaloud.records import Outcome, Started, Step, Verdict
from thinkaloud.worlds.hands import Pointing, Spot
from thinkaloud.worlds.vision import Appearance, Sight, Sighting, View, open_eyes
from thinkaloud_bench import BENCHES, Played
from thinkaloud_bench.contract import CEILING, Item
from thinkaloud_bench.lost_where import Watch, WatchedEyes, WatchedHands
from thinkaloud_bench.running import report_of
from thinkaloud_worlds.real_table import RealTable
from thinkaloud_worlds.tabletop import Scene, Tabletop, Thing
from thinkaloud_worlds.tabletop.camera import PIXELS, pixel_at
from written_judge import write_judge
from written_policy import write_policy

TABLE = Scene(
    (
        Thing("red block", "block", -0.1, -0.5),
        Thing("green block", "block", 0.12, -0.62),
        Thing("blue bowl", "bowl", 0.12, -0.38),
    )
)
NOWHERE = np.zeros((64, 64), np.float32)


def spot(x: float, y: float) -> Spot:
    row, column = pixel_at(x, y)
    return Spot(((row + 0.5) / PIXELS, (column + 0.5) / PIXELS), 1.0, NOWHERE)


@dataclass
class Points:
    """Hands that pick on one thing and place on another, or refuse."""

    table: Tabletop
    picks: str = "red block"
    places: str = "blue bowl"
    refuses: bool = False

    def point(self, rgb: Any, height: Any, sentence: str) -> Pointing:
        if self.refuses:
            raise DidNotWork("I can't tell.")
        at = (self.table.position(name)[:2] for name in (self.picks, self.places))
        return Pointing(*(spot(*each) for each in at))


@dataclass
class Sees:
    """Eyes that see some things at some points."""

    sightings: Sequence[tuple[str, tuple[float, float, float]]]

    def look(self, view: View, catalogue: Sequence[Appearance]) -> Sight:
        return Sight(tuple(Sighting(name, (0, 0, 1, 1), point) for name, point in self.sightings))


def at_table() -> tuple[Tabletop, Watch]:
    table = Tabletop(TABLE)
    return table, Watch(table)


def move(table: Tabletop, watch: Watch, hands: Points | None = None, said: bool | None = None) -> None:
    """One step through the events of a run."""
    if hands is not None:
        table.pick_with(WatchedHands(hands, watch))
    skill = table.skills["pick_and_place"]
    step = skill.step({"object": "red block", "target": "blue bowl"})
    watch.hear(Event(0, 0.0, Started(step)))
    with contextlib.suppress(DidNotWork):
        asyncio.run(skill.run(step.arguments))
    watch.hear(Event(1, 0.0, Outcome(step, "completed")))
    if said is not None:
        watch.hear(Event(2, 0.0, Verdict(step, said, "action")))


def test_what_succeeds_is_lost_nowhere_and_right_steps_that_were_not_enough_are_the_planners() -> None:
    table, watch = at_table()
    move(table, watch, Points(table))
    assert table.on("red block", "blue bowl") and watch.attempts[-1].pointed
    assert watch.lost(True) == "" and watch.lost(False) == "planner"


@pytest.mark.parametrize("how", [{"picks": "green block"}, {"places": "green block"}, {"refuses": True}])
def test_hands_that_point_elsewhere_or_refuse_what_is_in_view_lose_it(how: dict[str, Any]) -> None:
    table, watch = at_table()
    move(table, watch, Points(table, **how))
    assert not watch.attempts[-1].pointed and watch.lost(False) == "hand"


# The real table -------------------------------------------------------------------------------------------------------


@dataclass
class PointsOnce:
    """Hands that point at one thing to pick up, and at another to put it on."""

    table: RealTable
    picks: str
    places: str

    def point(self, rgb: Any, height: Any, sentence: str) -> Pointing:
        at = (self.table.physics.position(name)[:2] for name in (self.picks, self.places))
        return Pointing(*(spot(*each) for each in at))


class Blind:
    """Eyes that find nothing."""

    def look(self, view: View, catalogue: Sequence[Appearance]) -> Sight:
        return Sight()


def at_real_table(eyes: Any = None) -> tuple[RealTable, Watch, tuple[str, ...]]:
    table = RealTable(task="stacking", steady=True)
    table.reset(3)
    watch = Watch(table)
    table.see_with(WatchedEyes(open_eyes("camera") if eyes is None else eyes, watch))
    table.observe()
    return table, watch, tuple(thing.name for thing in table.scene.objects)


def step_of(table: RealTable, watch: Watch, object: str, target: str, said: bool) -> None:
    step = table.skills["pick_place"].step({"object": object, "target": target})
    watch.hear(Event(0, 0.0, Started(step)))
    with contextlib.suppress(DidNotWork):
        asyncio.run(table.skills["pick_place"].run(step.arguments))
    watch.hear(Event(1, 0.0, Outcome(step, "completed")))
    watch.hear(Event(2, 0.0, Verdict(step, said, "action")))


def test_at_the_real_table_what_is_hidden_under_a_block_is_not_asked_for_by_a_good_planner() -> None:
    _table, watch, (low, high, third) = at_real_table()
    assert watch.in_view() == {high, third} and not watch.unseen
    watch.begin(low, third)
    assert watch.lost(False) == "planner"
    assert watch.truth.on(high, low) and not watch.truth.on(third, low)
    watch.begin("no block", low)
    assert not watch.holds(watch.attempts[-1])


@pytest.mark.parametrize(("picks", "places"), [(2, 2), (1, 1)])
def test_at_the_real_table_hands_are_watched_at_both_points(picks: int, places: int) -> None:
    table, watch, names = at_real_table()
    _, high, third = names
    table.pick_with(WatchedHands(PointsOnce(table, names[picks], names[places]), watch))
    step_of(table, watch, high, third, said=False)
    assert not watch.attempts[-1].pointed and watch.lost(False) == "hand"


def test_at_the_real_table_a_step_that_was_done_and_said_to_be_is_lost_nowhere() -> None:
    table, watch, (_, high, third) = at_real_table()
    table.pick_with(WatchedHands(PointsOnce(table, high, third), watch))
    step_of(table, watch, high, third, said=True)
    (attempt,) = watch.attempts
    assert attempt.pointed and attempt.came_true and table.truly_on(high, third)
    assert watch.lost(False) == "planner"  # the step was right, and not enough
    step_of(table, watch, third, high, said=True)  # nobody can put what is below onto what is above
    assert watch.lost(False) != "planner"


def test_at_the_real_table_eyes_that_find_nothing_lose_it() -> None:
    _, watch, (_, high, third) = at_real_table(Blind())
    assert watch.unseen == {high, third}
    watch.begin(high, third)
    assert watch.lost(False) == "eyes"


def test_an_episode_at_the_real_table_says_where_it_was_lost(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("thinkaloud_bench.lost_where.open_eyes", lambda name: Blind())
    item = Item(CEILING, "stacking", 0, 3, eyes="learned")
    played = asyncio.run(BENCHES["inner-monologue-real"].play(item, lambda: Scripted()))
    assert not played.success and played.lost == "eyes"


# Steps ----------------------------------------------------------------------------------------------------------------


def test_what_fails_although_all_was_right_is_the_arms() -> None:
    _table, watch = at_table()
    watch.begin("red block", "blue bowl")  # nothing moves
    assert watch.lost(False) == "arm"


def test_a_thing_that_is_covered_cannot_be_asked_for_by_a_good_planner() -> None:
    table, watch = at_table()
    x, y, z = table.position("red block")
    table.physics.put("green block", (x, y, z + 0.05))
    covered, other = ("red block", "green block")
    assert covered not in watch.in_view() and other in watch.in_view()
    watch.begin(covered, "middle")
    assert watch.lost(False) == "planner"


def test_a_judge_who_believes_a_failure_loses_it_unless_it_is_made_good() -> None:
    table, watch = at_table()
    move(table, watch, Points(table, places="green block"), said=True)
    assert watch.lost(False) == "judge"
    move(table, watch, Points(table), said=True)
    assert watch.lost(False) == "planner"  # the first failure was made good


def test_a_judge_who_does_not_see_a_success_loses_it() -> None:
    table, watch = at_table()
    move(table, watch, Points(table), said=False)
    assert watch.attempts[-1].came_true and watch.lost(False) == "judge"


def test_eyes_lose_what_they_miss_or_see_elsewhere_and_are_the_judge_without_learned_senses(tmp_path: Path) -> None:
    table, watch = at_table()
    true = {name: table.position(name) for name in table.physics.names}
    for wrong, sightings in (
        ({"red block"}, {**true, "red block": (0.2, -0.5, 0.0)}),
        ({"blue bowl"}, {name: at for name, at in true.items() if name != "blue bowl"}),
        ({"pink block"}, {**true, "pink block": (0.2, -0.5, 0.0)}),
        (set(), true),
    ):
        WatchedEyes(Sees([*sightings.items()]), watch).look(table.view(), ())
        assert watch.unseen == wrong
        watch.attempts.clear()
        watch.begin("red block", "blue bowl")
        concerned = bool(wrong & {"red block", "blue bowl"})
        assert watch.lost(False) == ("eyes" if concerned else "arm")
        watch.attempts.clear()
        assert watch.lost(False) == ("eyes" if wrong else "planner")


def played(preset: str, task: str, hands: str = "", senses: str = "") -> Played:
    item = Item(preset, task, 0, 3, hands=hands, senses=senses)
    return asyncio.run(BENCHES["inner-monologue-tabletop"].play(item, Scripted))


def test_an_episode_of_table_1_says_where_it_was_lost_if_a_part_was_learned(tmp_path: Path) -> None:
    pytest.importorskip("onnxruntime", reason="the extra 'vision' is not installed")
    hands = f"learned:{write_policy(tmp_path / 'policy.onnx', least=1.1)}"
    lost = played("ceiling", "pick-and-place", hands=hands)  # it refuses whatever it is asked
    assert not lost.success and lost.lost == "hand"
    assert played("ceiling", "pick-and-place").lost == ""
    senses = f"learned:{write_judge(tmp_path / 'judge.onnx', threshold=1.1)}"
    judged = played("ceiling", "pick-and-place", senses=senses)
    assert judged.lost == ("" if judged.success else "judge")


def test_the_table_has_a_row_for_each_place_and_the_lines_of_a_file_a_column(tmp_path: Path) -> None:
    bench = BENCHES["single-steps"]
    one = asyncio.run(bench.play(Item("expert", "seen", 0, 0), Scripted))
    lines = [replace_lost(one, number, lost) for number, lost in enumerate(("", "hand", "hand", "arm"))]
    items = [Item("expert", "seen", number, 0) for number in range(4)]
    report = report_of(bench, items, lines, "no model", 0)
    found = {row.metric: row.value for row in report.rows if row.metric.startswith("lost_") and row.task == "seen"}
    assert found == {"lost_eyes": 0, "lost_hand": 0.5, "lost_arm": 0.25, "lost_judge": 0, "lost_planner": 0}
    report.write(tmp_path)
    told = (tmp_path / "table.md").read_text()
    assert "| hand | 50" in told and "where episodes were lost" in told
    assert "lost" not in report_of(bench, items[:1], lines[:1], "no model", 0)._markdown()


def replace_lost(line: Played, index: int, lost: str) -> Played:
    import msgspec

    return msgspec.structs.replace(line, index=index, lost=lost, success=not lost)


def test_an_unknown_step_is_watched_without_an_error() -> None:
    watch = at_table()[1]
    watch.begin("pink block", "moon")
    assert not watch.holds(watch.attempts[-1]) and watch.lost(False) == "planner"
    assert replace(watch.attempts[-1], hidden=False, seen=False).cause == "eyes"
    watch.hear(Event(0, 0.0, Outcome(Step("wait", {}, "Wait."), "completed")))
