"""Whether a goal is met, on a table where things are wherever the test puts them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import pytest

from thinkaloud.records import Condition
from thinkaloud.skills import Relation, relation, relations_of
from thinkaloud_bench.multitalk.episodes import (
    At,
    AtRest,
    InRegion,
    Lined,
    Near,
    Swapped,
    TalkEpisode,
    TalkGoal,
    Within,
    things_of_goal,
)
from thinkaloud_bench.multitalk.goals import displaced, in_words, unmet

Xyz = tuple[float, float, float]


class Sayings:
    """The relations of the table below."""

    @relation("{object} is on {target}.")
    def on(self, object: str, target: str) -> bool:
        """Whether a thing is on another."""
        return False

    @relation("{object} is inside {target}.")
    def inside(self, object: str, target: str) -> bool:
        """Whether a thing is inside another."""
        return False

    @relation("{object} is near {other}.")
    def near(self, object: str, other: str) -> bool:
        """Whether two things are near each other."""
        return False


@dataclass
class Table:
    """Where things are and were."""

    places: dict[str, tuple[float, float]]
    starts: dict[str, tuple[float, float]] = field(default_factory=dict)
    facts: set[str] = field(default_factory=set)
    fallen: set[str] = field(default_factory=set)
    held: str | None = None
    relations: Mapping[str, Relation] = field(default_factory=lambda: relations_of(Sayings()))

    def position(self, name: str) -> Xyz:
        return (*self.places[name], 0.05)

    def start(self, name: str) -> Xyz:
        return (*self.starts.get(name, self.places[name]), 0.05)

    def upright(self, name: str) -> bool:
        return name not in self.fallen

    def holds(self, condition: Condition) -> bool:
        return condition.words in self.facts


def episode(*goal: TalkGoal) -> TalkEpisode:
    scene = {"object": [{"name": name, "x": 0, "y": 0} for name in ("can", "mug", "box", "tray")]}
    return TalkEpisode(
        "1", "file", "Do it.", scene, goal=(*goal, AtRest()) if not any(isinstance(g, AtRest) for g in goal) else goal
    )


def table(**places: tuple[float, float]) -> Table:
    usual = {"can": (0.3, 0.1), "mug": (0.3, -0.3), "box": (0.1, 0.4), "tray": (0.3, 0.5)}
    return Table({**usual, **places}, dict(usual))


def test_a_thing_at_a_point_within_three_centimetres() -> None:
    goal = episode(At(("can",), 0.2, 0.2))
    assert unmet(goal, table(can=(0.2, 0.225))) == ""
    assert unmet(goal, table(can=(0.2, 0.235))) == "not so: can at (0.20, 0.20)"


def test_either_of_two_will_do_but_not_a_third() -> None:
    goal = episode(At(("can", "mug"), 0.2, 0.2))
    assert unmet(goal, table(mug=(0.2, 0.2))) == ""
    assert unmet(goal, table(box=(0.2, 0.2))) == "not so: can or mug at (0.20, 0.20)"


def test_the_other_of_two_has_to_stay_where_it_was() -> None:
    found = unmet(episode(At(("can", "mug"), 0.2, 0.2)), table(mug=(0.2, 0.2), can=(0.3, 0.2)))
    assert found == "can was moved by 0.10 m"


def test_everything_else_stays_unless_it_is_free() -> None:
    moved = table(can=(0.2, 0.2), box=(0.1, -0.4))
    assert unmet(episode(At(("can",), 0.2, 0.2)), moved) == "box was moved by 0.80 m"
    assert unmet(episode(At(("can",), 0.2, 0.2), AtRest(("box",))), moved) == ""


def test_nothing_may_fall_or_be_held_in_the_end() -> None:
    there = table(can=(0.2, 0.2))
    there.fallen = {"mug"}
    assert unmet(episode(At(("can",), 0.2, 0.2)), there) == "mug fell over"
    there.fallen, there.held = {"can"}, None
    assert unmet(episode(At(("can",), 0.2, 0.2)), there) == "not so: can at (0.20, 0.20)"
    there.fallen, there.held = set(), "box"
    assert unmet(episode(At(("can",), 0.2, 0.2)), there) == "box is still in the hand"


def test_two_things_interchanged() -> None:
    goal = episode(Swapped("can", "mug"))
    assert unmet(goal, table(can=(0.3, -0.3), mug=(0.3, 0.1))) == ""
    assert unmet(goal, table(can=(0.3, -0.3), mug=(0.3, 0.2))).startswith("not so: can and mug interchanged")
    assert unmet(goal, table()).startswith("not so")


def test_a_line_along_an_axis() -> None:
    along_x = episode(Lined(("can", "mug", "box"), "x"))
    row = table(can=(0.1, -0.33), mug=(0.2, -0.35), box=(0.3, -0.32))
    assert unmet(along_x, row) == ""
    assert unmet(episode(Lined(("can", "mug", "box"), "y")), row).startswith("not so")
    assert unmet(along_x, table(can=(0.1, -0.33), mug=(0.2, -0.38), box=(0.3, -0.33))).startswith("not so")


def test_a_pile_is_no_line() -> None:
    piled = table(can=(0.1, 0.3), mug=(0.1, 0.3), box=(0.3, 0.3))
    assert unmet(episode(Lined(("can", "mug", "box"), "x")), piled).startswith("not so")


@pytest.mark.parametrize(("order", "met"), [(("can", "mug", "box"), True), (("mug", "can", "box"), False)])
def test_an_order_is_by_the_coordinate(order: tuple[str, ...], met: bool) -> None:
    row = table(can=(0.3, -0.4), mug=(0.3, 0.0), box=(0.3, 0.3))
    assert (unmet(episode(Lined(order, "y", ordered=True)), row) == "") is met
    assert unmet(episode(Lined(order, "y")), row) == ""


def test_on_or_in_a_receptacle() -> None:
    goal = episode(Within(("can",), "tray"))
    there = table(can=(0.3, 0.5))
    assert unmet(goal, there) == "not so: can on or in tray"
    there.facts = {"Can is on tray."}
    assert unmet(goal, there) == ""
    there.facts = {"Can is inside tray."}
    assert unmet(goal, there) == ""


def test_near_another_whichever_is_named_first() -> None:
    goal = episode(Near(("can",), "mug"))
    for fact in ("Can is near mug.", "Mug is near can."):
        there = table(can=(0.3, -0.2))
        there.facts = {fact}
        assert unmet(goal, there) == ""
    there.places["mug"] = (0.2, -0.2)
    assert unmet(goal, there) == "mug was moved by 0.14 m"


def test_a_part_of_the_table() -> None:
    goal = episode(InRegion(("can",), (-0.15, -0.62), (0.45, -0.15)))
    assert unmet(goal, table(can=(0.0, -0.4))) == ""
    assert unmet(goal, table(can=(0.0, -0.1))).startswith("not so: can where x from")


def test_nothing_may_have_been_moved_for_what_cannot_be_done() -> None:
    assert displaced(table(), ("can", "mug")) == ""
    assert displaced(table(can=(0.34, 0.1)), ("can", "mug")) == "can was moved by 0.04 m"


def test_conditions_in_words_and_what_they_speak_of() -> None:
    assert in_words(Lined(("can", "mug"), "x", ordered=True)) == "in a line along x, in this order: can, mug"
    assert in_words(AtRest(("mug",))) == "everything else where it was, but for mug"
    assert things_of_goal(Near(("can",), "mug")) == ("can", "mug")
    assert things_of_goal(Swapped("can", "mug")) == ("can", "mug")
