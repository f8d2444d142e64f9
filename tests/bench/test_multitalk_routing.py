"""Ways about a table: what is put aside, what is gone round, and what has no way at all."""

from __future__ import annotations

from math import hypot

import pytest

from thinkaloud_bench.multitalk.expert import to_blame
from thinkaloud_bench.multitalk.reach import course, grid, lines, usable
from thinkaloud_bench.multitalk.routing import ArmMove, Body, NoWay, Router, TablePoint

CAN, MUG = Body("can", 0.07, 0.07, 0.10), Body("mug", 0.07, 0.07, 0.09)
VASE, TRAY = Body("vase", 0.07, 0.07, 0.30), Body("tray", 0.26, 0.36, 0.016, flat=True)


def straight(start: TablePoint, end: TablePoint) -> list[TablePoint]:
    return [(start[0] + (end[0] - start[0]) * i / 32, start[1] + (end[1] - start[1]) * i / 32) for i in range(33)]


def router(*bodies: Body, places: tuple[TablePoint, ...] | None = None) -> Router:
    return Router({body.name: body for body in bodies}, usable, straight, grid() if places is None else places)


def test_a_free_way_is_taken_at_once() -> None:
    moves = router(CAN, MUG).moves({"can": (0.3, 0.4), "mug": (0.3, -0.2)}, {"can": (0.1, 0.4)}, {"can": "there"})
    assert [(move.name, move.start, move.end, move.why) for move in moves] == [("can", (0.3, 0.4), (0.1, 0.4), "there")]


def test_what_is_there_already_stays() -> None:
    assert router(CAN).moves({"can": (0.3, 0.4)}, {"can": (0.3, 0.4)}, {}) == []


def test_of_two_that_change_places_one_goes_aside() -> None:
    places = {"can": (0.3, 0.4), "mug": (0.3, -0.2)}
    first, second, third = router(CAN, MUG).moves(places, {"can": (0.3, -0.2), "mug": (0.3, 0.4)}, {})
    assert first.name == third.name != second.name
    assert first.end == third.start
    assert {second.end, third.end} == {*places.values()}
    assert min(hypot(first.end[0] - x, first.end[1] - y) for x, y in places.values()) > 0.12


def test_what_waits_for_a_place_goes_last() -> None:
    places = {"can": (0.3, 0.4), "mug": (0.3, -0.2)}
    moves = router(CAN, MUG).moves(places, {"can": (0.3, -0.2), "mug": (0.1, -0.4)}, {})
    assert [move.name for move in moves] == ["mug", "can"]


def test_what_is_tall_is_gone_round() -> None:
    places = {"can": (0.3, 0.4), "vase": (0.3, 0.1)}
    moves = router(CAN, VASE).moves(places, {"can": (0.3, -0.3)}, {})
    assert len(moves) == 2 and moves[-1].end == (0.3, -0.3)
    for move in moves:
        assert min(hypot(x - 0.3, y - 0.1) for x, y in straight(move.start, move.end)) > 0.11
    assert len(router(CAN, MUG).moves({"can": (0.3, 0.4), "mug": (0.3, 0.1)}, {"can": (0.3, -0.3)}, {})) == 1


def test_what_did_not_work_is_not_tried_again() -> None:
    way, places = router(CAN), {"can": (0.3, 0.4)}
    for _ in range(3):
        moves = way.moves(places, {"can": (0.1, 0.4)}, {})
        assert not {move.edge for move in moves} & way.banned
        way.banned.add(moves[0].edge)
    assert len(way.banned) == 3


def test_there_may_be_no_way() -> None:
    shut = router(CAN, VASE, places=())
    with pytest.raises(NoWay):
        shut.moves({"can": (0.3, 0.4), "vase": (0.3, 0.1)}, {"can": (0.3, -0.3)}, {})
    with pytest.raises(NoWay):
        router(CAN, MUG).moves({"can": (0.3, 0.4), "mug": (0.3, -0.2)}, {"can": (0.3, -0.2)}, {})


def test_a_receptacle_is_not_in_the_way() -> None:
    way = router(CAN, TRAY, MUG)
    assert way.in_the_way("can", (0.2, 0.3), {"tray": (0.2, 0.3), "mug": (0.25, 0.3)}) == ["mug"]


def test_where_things_can_stand() -> None:
    assert usable(CAN, (0.3, 0.4))
    assert not usable(CAN, (0.44, 0.4))
    assert not usable(CAN, (0.05, 0.05))
    assert all(hypot(*place) >= 0.3 for place in grid())


@pytest.mark.parametrize(("axis", "across"), [("x", 1), ("y", 0)])
def test_lines_run_along_their_axis(axis: str, across: int) -> None:
    found = lines(axis, 4)
    assert found and all(len({place[across] for place in row}) == 1 for row in found)


def test_things_are_carried_round_the_front_of_the_base() -> None:
    points = course((0.0, 0.4), (0.0, -0.4))
    assert min(hypot(*point) for point in points) > 0.3
    assert max(x for x, _ in points) > 0.3


def test_what_is_to_blame_for_trouble() -> None:
    aside = ArmMove("can", (0.3, 0.4), (0.1, 0.4), "")
    other = ArmMove("mug", (0.3, -0.2), (0.3, 0.4), "")
    back = ArmMove("can", (0.1, 0.4), (0.3, -0.2), "")
    wanted = {(0.3, 0.4), (0.3, -0.2)}
    assert to_blame([aside, other, back], 3, "mug ran into can", wanted) == {aside.edge, other.edge}
    assert to_blame([aside, other, back], 3, "mug ran into the vase", wanted) == {other.edge}
    assert to_blame([aside, other, back], 4, "the hand ran into mug", wanted) == {aside.edge, back.edge}
