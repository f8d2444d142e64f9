"""Boxes, reach and the arm's kinematics: pure geometry."""

from __future__ import annotations

import math

import numpy as np
import pytest

from thinkaloud.errors import SkillError
from thinkaloud.records import Condition, WorldState
from thinkaloud_worlds.franka import CATALOGUE, Franka, free_place, reaches
from thinkaloud_worlds.franka.box_geometry import (
    ObjectBox,
    attributes_of,
    bearer,
    boxes_of,
    in_the_way,
    relations_among,
)
from thinkaloud_worlds.franka.franka_arm import (
    FRANKA_TOP_SPEED,
    HIGHEST,
    LOWEST,
    FrankaAim,
    franka_aim_of,
    franka_joints_at,
    path_along,
    turn_to_middle,
)
from thinkaloud_worlds.franka.layout import TABLE_X, TABLE_Y, WIDEST_GRASP
from thinkaloud_worlds.franka.reachability import way
from thinkaloud_worlds.simulated_time import TICK


def state(held: str = "", **boxes: ObjectBox) -> WorldState:
    relations = (Condition("held", {"object": held}, ""),) if held else ()
    return WorldState(tuple(boxes), relations, {name: attributes_of(box) for name, box in boxes.items()})


def upright(x: float, y: float, side: float = 0.06, height: float = 0.1, bottom: float = 0.0) -> ObjectBox:
    return ObjectBox(x, y, bottom + height / 2, side, side, height)


# The arm --------------------------------------------------------------------------------------------------------------


def test_joint_angles_bring_the_hand_to_where_it_is_meant_to_be() -> None:
    rng = np.random.default_rng(1)
    for _ in range(200):
        far, angle, z = rng.uniform(0.3, 0.72), rng.uniform(-2.4, 2.4), rng.uniform(0.015, 0.36)
        x, y = float(far * math.cos(angle)), float(far * math.sin(angle))
        aim = FrankaAim(x, y, float(z), turn_to_middle(x, y, float(rng.uniform(-4, 4))))
        joints = franka_joints_at(aim)
        assert ((joints >= LOWEST) & (joints <= HIGHEST)).all()
        back = franka_aim_of(joints)
        assert (back.x, back.y, back.z, back.turn) == pytest.approx((aim.x, aim.y, aim.z, aim.turn), abs=1e-9)


def test_the_model_has_the_hand_where_the_kinematics_say() -> None:
    table = Franka().table
    for aim in (FrankaAim(0.45, 0.1, 0.05), FrankaAim(0.1, -0.5, 0.3, turn_to_middle(0.1, -0.5, 0.7))):
        table.data.qpos[:7] = franka_joints_at(aim)
        posed = table.posed()
        hand = posed.body("hand")
        matrix = hand.xmat.reshape(3, 3)
        point = hand.xpos + matrix[:, 2] * 0.1034
        assert point == pytest.approx((aim.x, aim.y, aim.z), abs=1e-6)
        assert matrix[2, 2] == pytest.approx(-1.0)
        closes = matrix[:, 1]
        assert abs(closes[0] * math.cos(aim.turn) + closes[1] * math.sin(aim.turn)) == pytest.approx(1.0)


def test_no_joint_is_faster_than_it_may_be() -> None:
    for end in (FrankaAim(0.3, 0.5, 0.37, turn_to_middle(0.3, 0.5, 0.0)), FrankaAim(0.31, 0.0, 0.1)):
        start = FrankaAim(0.3, -0.5, 0.37, turn_to_middle(0.3, -0.5, 1.5))
        corners = np.array([[a.x, a.y, a.z, a.turn] for a in (start, end)])
        joints, speeds = path_along(corners, 5.0)
        assert (np.abs(speeds) <= FRANKA_TOP_SPEED * 1.05).all()
        assert franka_aim_of(joints[-1]).x == pytest.approx(end.x)
        assert len(joints) * TICK > 0.3


@pytest.mark.parametrize(("x", "y", "why"), [(0.15, 0.0, "too near"), (0.9, 0.0, "too far"), (0.0, 0.0, "too near")])
def test_what_is_out_of_reach_says_why(x: float, y: float, why: str) -> None:
    with pytest.raises(SkillError, match=why):
        franka_joints_at(FrankaAim(x, y, 0.1))
    assert not reaches(x, y)


def test_most_of_the_table_is_in_reach() -> None:
    points = [(x, y) for x in np.arange(*TABLE_X, 0.05) for y in np.arange(*TABLE_Y, 0.05) if math.hypot(x, y) > 0.3]
    assert sum(reaches(float(x), float(y)) for x, y in points) / len(points) > 0.97


def test_ways_are_straight_unless_the_base_is_there() -> None:
    line = way((0.3, -0.4), (0.4, 0.4))
    assert np.allclose(line[16], (0.35, 0.0))
    round_it = way((-0.05, 0.45), (-0.05, -0.45))
    assert np.hypot(round_it[:, 0], round_it[:, 1]).min() > 0.29
    assert round_it[16, 0] > 0.3  # in front of it
    assert np.allclose(round_it[-1], (-0.05, -0.45))


# Boxes ----------------------------------------------------------------------------------------------------------------


def test_relations_follow_from_boxes() -> None:
    boxes = {
        "tray": ObjectBox(0.2, 0.3, 0.01, 0.3, 0.3, 0.02),
        "cup": upright(0.2, 0.3, bottom=0.02),
        "basket": ObjectBox(0.2, -0.3, 0.04, 0.24, 0.24, 0.08),
        "lemon": upright(0.22, -0.3, 0.05, 0.05, bottom=0.01),
        "can": upright(0.36, -0.3),
        "bottle": upright(0.3, 0.0, bottom=0.22),
    }
    found = relations_among(boxes, "bottle", {"basket"})
    assert found == [
        ("on", {"object": "cup", "target": "tray"}),
        ("inside", {"object": "lemon", "target": "basket"}),
        ("near", {"object": "basket", "other": "can"}),
        ("held", {"object": "bottle"}),
    ]
    assert bearer("can", boxes, {"basket"}) is None


def test_near_is_less_than_five_centimetres_between_the_boxes() -> None:
    for gap, near in ((0.049, True), (0.051, False)):
        boxes = {"a": upright(0.3, 0.0), "b": upright(0.3, 0.06 + gap)}
        assert (("near", {"object": "a", "other": "b"}) in relations_among(boxes, None, ())) is near


def test_boxes_are_read_back_from_a_state() -> None:
    box = ObjectBox(0.123, -0.456, 0.05, 0.061, 0.06, 0.1)
    assert boxes_of(state(a=box)) == {"a": box.rounded()}
    assert boxes_of(WorldState(("a",), (), {"a": {"x": 1.0}})) == {}


def test_what_is_in_the_way_is_a_centimetre_round() -> None:
    others = {"b": upright(0.3, 0.0)}
    assert in_the_way(upright(0.3, 0.065), others) == ["b"]
    assert in_the_way(upright(0.3, 0.065), others, {"b"}) == []
    assert in_the_way(upright(0.3, 0.075), others) == []


def test_a_free_place_is_near_free_and_in_reach() -> None:
    full = state(a=upright(0.3, 0.3), b=upright(0.2, -0.4))
    size = (0.06, 0.06, 0.2)
    place = free_place(full, size, (0.3, 0.3))
    assert place is not None
    assert reaches(*place)
    assert 0.1 < math.dist(place, (0.3, 0.3)) < 0.25
    other = free_place(full, size, (0.3, 0.3), (place,))
    assert other is not None
    assert math.dist(other, place) > 0.1
    assert free_place(state(held="a", a=upright(0.3, 0.3)), size, (0.3, 0.3)) == (0.3, 0.3)


def test_where_all_is_taken_there_is_no_free_place() -> None:
    full = state(a=ObjectBox(0.15, 0.0, 0.1, 0.6, 1.24, 0.2))
    assert free_place(full, (0.06, 0.06, 0.1), (0.3, 0.3)) is None


# The catalogue --------------------------------------------------------------------------------------------------------


def test_the_catalogue_has_things_of_all_sorts() -> None:
    kinds = CATALOGUE.values()
    assert len(CATALOGUE) >= 40
    assert {"food", "drink", "tool", "toy", "cleaning", "kitchenware"} <= {tag for kind in kinds for tag in kind.tags}
    assert all(kind.graspable != kind.receptacle for kind in kinds)
    assert all(kind.across <= WIDEST_GRASP for kind in kinds if kind.graspable)
    assert {kind.name for kind in kinds if kind.tall} >= {"bleach bottle", "wine bottle", "vase"}
    assert all(kind.tall == ("tall" in kind.tags) for kind in kinds)
    assert {kind.name for kind in kinds if kind.receptacle} == {"tray", "plate", "bowl", "basket"}
