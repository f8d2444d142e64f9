"""What eyes find on random tables: the counts follow the truth, and right is only what is in the right place."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

import msgspec
import pytest

from thinkaloud.models import Scripted
from thinkaloud.perceive.detector_boxes import DetectingEyes, Detection
from thinkaloud.worlds.vision import Appearance, Eyes, PixelBox, Sight, Sighting, View
from thinkaloud_bench import BENCHES, Played
from thinkaloud_bench.bad_pictures import KINDS, REFUSED, draw_bad
from thinkaloud_bench.contract import Item
from thinkaloud_bench.random_tables import appearance_of, count_boxes
from thinkaloud_worlds.random_tables import draw_phrases, draw_table, fits, photograph_drawn
from thinkaloud_worlds.random_tables.words import TRUE

BENCH = BENCHES["random-tables"]
TABLE = draw_table(5, "clutter")
PICTURE = photograph_drawn(TABLE, 160, 120)
PHRASES = draw_phrases(TABLE)


def true_boxes() -> dict[str, PixelBox]:
    """The box of each phrase that fits something of which at least a quarter is visible."""
    found = dict[str, PixelBox]()
    for phrase, words in PHRASES.items():
        for number, thing in enumerate(TABLE.things):
            box = PICTURE.box(number)
            if fits(thing.truths, words) == TRUE and box and PICTURE.visible(number) >= 0.25:
                found[phrase] = box
    return found


def counted(boxes: list[tuple[str, PixelBox]]) -> dict[str, float]:
    sight = Sight(tuple(Sighting(name, box, None) for name, box in boxes))
    return count_boxes(sight, PHRASES, TABLE, PICTURE)


def test_eyes_that_see_the_truth_are_right_throughout() -> None:
    scores = counted([*true_boxes().items()])
    assert scores["right"] == scores["said"] == scores["visible"] == len(true_boxes()) > 3
    assert scores["agreed"] == scores["asked"] > scores["visible"]
    assert scores["right_covered"] == scores["covered"]


def test_eyes_that_see_nothing_agree_where_there_is_nothing() -> None:
    scores = counted([])
    assert scores["right"] == scores["said"] == 0 and scores["visible"] == len(true_boxes())
    assert scores["agreed"] == scores["asked"] - scores["visible"]


def test_a_box_elsewhere_or_a_second_one_is_wrong() -> None:
    phrase, box = next(iter(true_boxes().items()))
    elsewhere = (0, 0, 3, 3) if box[0] > 5 or box[1] > 5 else (150, 110, 155, 115)
    assert counted([(phrase, elsewhere)])["right"] == 0
    twice = counted([(phrase, box), (phrase, elsewhere)])
    assert (twice["right"], twice["said"]) == (1, 2)
    absent = next(phrase for phrase in reversed(PHRASES) if phrase not in true_boxes())
    assert counted([(absent, box)])["right"] == 0


def test_eyes_with_a_catalogue_are_told_what_is_there() -> None:
    phrase = next(iter(true_boxes()))
    look = appearance_of(phrase, PHRASES[phrase], TABLE)
    thing = next(each for each in TABLE.things if fits(each.truths, PHRASES[phrase]) == TRUE)
    assert (look.rgb, look.across, look.height) == (thing.rgb, thing.across, thing.height)
    assert appearance_of("red bowl", ("red", "bowl"), draw_table(5, "plain", 1)).across == pytest.approx(0.14)


@pytest.mark.parametrize("task", ["plain", "kept_back", "kitchen", "kitchen_kept_back"])
def test_a_picture_is_played(task: str) -> None:
    played: Played = asyncio.run(BENCH.play(Item("camera", task, 0, 4), Scripted))
    assert played.scores["right"] <= played.scores["said"] and played.scores["agreed"] <= played.scores["asked"]
    assert played.request


# Scores, and bad pictures ---------------------------------------------------------------------------------------------


def test_boxes_are_counted_by_their_scores() -> None:
    (first, box), *others = [*true_boxes().items()]
    found = [Sighting(first, box, None, 0.97), Sighting(first, box, None, 0.7)]
    found += [Sighting(others[0][0], others[0][1], None, 0.3)]
    scores = count_boxes(Sight(tuple(found)), PHRASES, TABLE, PICTURE)
    assert (scores["said_95"], scores["right_95"]) == (1, 1)
    assert (scores["said_60"], scores["right_60"]) == (1, 0)  # a second box of one thing
    assert (scores["said_0"], scores["right_0"]) == (1, 1) and "said_80" not in scores


class Inventing:
    """Eyes that find everything with the same score, whatever the picture."""

    def __init__(self, score: float) -> None:
        self.score = score

    def look(self, view: View, catalogue: Sequence[Appearance]) -> Sight:
        return Sight(tuple(Sighting(each.name, (0, 0, 9, 9), None, self.score) for each in catalogue))


def bad(index: int, eyes: Eyes, monkeypatch: pytest.MonkeyPatch) -> Played:
    monkeypatch.setattr("thinkaloud_bench.random_tables.open_eyes", lambda name: eyes)
    return asyncio.run(BENCH.play(Item("camera", "bad_input", index, 1000 + index), lambda: Scripted([])))


@pytest.mark.parametrize("kind", KINDS)
def test_pictures_of_nothing_are_refused_or_nothing_is_found_in_them(
    kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    index = KINDS.index(kind)
    with monkeypatch.context() as patch:
        played = bad(index, DetectingEyes(Nothing()), patch)
    assert played.request.startswith(f"{kind}: ") and played.success
    assert played.scores["refused"] == played.scores["to_refuse"] == (kind in REFUSED)
    assert msgspec.json.decode(msgspec.json.encode(played), type=Played) == played  # so it can be gone on with
    with monkeypatch.context() as patch:
        sure, unsure = bad(index, Inventing(0.9), patch), bad(index, Inventing(0.5), patch)
    assert not sure.success and sure.scores["made_up"] == sure.scores["phrases"] >= 7
    assert draw_bad(5, index).kind == kind and unsure.scores["made_up"] == 0 and unsure.success is (kind not in REFUSED)


class Nothing:
    """A detector that finds nothing."""

    def detect(self, view: View, catalogue: Sequence[Appearance]) -> list[Detection]:
        return []


def test_what_is_made_up_and_how_well_scores_hold_are_rows_and_a_table(monkeypatch: pytest.MonkeyPatch) -> None:
    played = [bad(index, Inventing(0.9), monkeypatch) for index in range(2)]
    rows = BENCH.rows(BENCH, ["camera"], played)
    assert {(each.metric, each.value) for each in rows if each.task == "bad_input"} >= {
        ("made_up", 1.0),
        ("refused", 0.0),
    }
    assert not BENCH.lists(rows)


@pytest.mark.parametrize("task", ["dishes", "dishes_kept_back"])
def test_dishes_are_asked_for_and_found_by_those_who_see_them(task: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("thinkaloud_bench.random_tables.open_eyes", lambda name: Inventing(0.9))
    played = asyncio.run(BENCH.play(Item("camera", task, 0, 7), lambda: Scripted([])))
    assert played.scores["visible"] >= 3 and played.scores["said"] >= played.scores["visible"]
    listed = BENCH.lists(BENCH.rows(BENCH, ["camera"], [played]))
    ((title, lines),) = listed.items()
    assert "camera" in title and lines[1][0] == task and lines[1][3].endswith(")") and lines[1][1] == ""
