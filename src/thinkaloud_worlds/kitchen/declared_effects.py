"""What each skill needs, brings about and ends; and its value function: how likely it is to work, given what is seen.

Needs and effects depend on what the robot believes: an item last seen in a drawer needs the drawer open. Values depend
on the observation alone, as those of learnt policies depend on the picture. A skill that cannot work has value 0. One
that might work, because something may be there unseen, has a small value. Otherwise the value is its success rate.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from thinkaloud.records import Arguments, Observation
from thinkaloud_worlds.kitchen.catalogue import CABINET, DRAWERS, TRASH, USER

Fact = tuple[str, Arguments]
UNLIKELY, NEEDLESS = 0.05, 0.1
"""The value of handling something unseen, and of a skill that would change nothing."""


@dataclass(frozen=True)
class KitchenView:
    """What an observation tells: `items` are those seen; `told` are those stated to be in view, maybe predicted."""

    place: str
    held: str
    items: frozenset[str]
    told: frozenset[str]
    open: Mapping[str, bool]

    @classmethod
    def of(cls, seen: Observation) -> KitchenView:
        """Read the view from an observation."""
        told = seen.state.relations if seen.state is not None else ()
        found = {each.relation: str(next(iter(each.arguments.values()), "")) for each in told}
        drawers = {
            str(each.arguments["drawer"]): each.relation == "opened"
            for each in told
            if each.relation in ("opened", "closed")
        }
        in_view = frozenset(str(each.arguments["item"]) for each in told if each.relation == "in_view")
        held = found.get("holding", "")
        return cls(found.get("at", ""), held, frozenset(seen.objects) - {held}, in_view, drawers)


def value_of(skill: str, rate: float, seen: Observation, arguments: Arguments) -> float:
    """How likely a skill is to work, given the rate at which it fails even under good conditions."""
    view, item, drawer = KitchenView.of(seen), str(arguments.get("item", "")), str(arguments.get("drawer", ""))
    works = 1.0 - rate
    match skill:
        case "find":
            worth = 0.0 if item == view.held else NEEDLESS if item in view.items else works
        case "go_to":
            worth = NEEDLESS if arguments.get("location") == view.place else works
        case "pick_up":
            worth = 0.0 if view.held else works if item in view.items else UNLIKELY
        case "put_down":
            worth = works if item and item == view.held else 0.0
        case "put_in":
            ready = item and item == view.held and view.place == CABINET
            worth = (works if view.open.get(drawer) else 0.0) if ready else 0.0
        case "bring_it_to_you":
            worth = 0.0 if not view.held else NEEDLESS if view.place == USER else works
        case "open_drawer" | "close_drawer":
            ready = view.place == CABINET and not view.held
            so = view.open.get(drawer) is (skill == "open_drawer")
            worth = 0.0 if not ready else NEEDLESS if so else works
        case _:
            worth = works
    return worth


def find_objection(skill: str, seen: Observation, arguments: Arguments) -> str | None:
    """Why a skill cannot even start, by what the robot sees and knows of itself; None if it can."""
    view, item, drawer = KitchenView.of(seen), str(arguments.get("item", "")), str(arguments.get("drawer", ""))
    if skill in ("put_down", "put_in", "put_at", "throw_away", "bring") and item != view.held:
        return f"The robot does not hold the {item}; it holds {f'the {view.held}' if view.held else 'nothing'}."
    if skill == "bring_it_to_you" and not view.held:
        return "The robot holds nothing that it could bring."
    if skill in ("pick_up", "open_drawer", "close_drawer") and view.held:
        return f"The hand is not empty: the robot holds the {view.held}."
    if skill == "find" and item == view.held:
        return f"The robot holds the {item} already."
    if skill == "pick_up" and item not in view.told:
        return f"The {item} is not in view."
    if skill in ("open_drawer", "close_drawer", "put_in") and view.place != CABINET:
        return f"The {drawer} is out of reach; it is at the {CABINET}."
    if skill == "put_in" and not view.open.get(drawer):
        return f"The {drawer} is not open."
    if skill == "put_at" and view.place != arguments.get("location"):
        return f"The robot is not at the {arguments.get('location')}."
    if skill == "throw_away" and view.place != TRASH:
        return f"The robot is not at the {TRASH}."
    return None


def find_needs(skill: str, arguments: Arguments, known: Mapping[str, str]) -> tuple[Fact, ...]:
    """What has to hold before a skill."""
    item = {"item": arguments["item"]} if "item" in arguments else {}
    in_drawer = known.get(str(arguments.get("item", "")), "") in DRAWERS
    opened = [("opened", {"drawer": known[str(arguments["item"])]})] if in_drawer else []
    found: dict[str, list[Fact]] = {
        "find": [*opened, ("not holding", item)],
        "pick_up": [("in_view", item), ("hand_empty", {})],
        "put_down": [("holding", item)],
        "put_in": [
            ("holding", item),
            ("at", {"location": CABINET}),
            ("opened", {"drawer": arguments.get("drawer", "")}),
        ],
        "bring_it_to_you": [("not hand_empty", {})],
        "open_drawer": [("at", {"location": CABINET}), ("hand_empty", {})],
        "close_drawer": [("at", {"location": CABINET}), ("hand_empty", {})],
        "put_at": [("holding", item), ("at", {"location": arguments.get("location", "")})],
        "throw_away": [("holding", item), ("at", {"location": TRASH})],
        "bring": [("holding", item)],
    }
    return tuple(found.get(skill, ()))


def find_effects(skill: str, arguments: Arguments) -> tuple[Fact, ...]:
    """What holds after a skill that worked."""
    item = {"item": arguments["item"]} if "item" in arguments else {}
    found: dict[str, list[Fact]] = {
        "find": [("in_view", item)],
        "go_to": [("at", {"location": arguments.get("location", "")})],
        "pick_up": [("holding", item)],
        "put_down": [("hand_empty", {})],
        "put_in": [("inside", dict(arguments)), ("hand_empty", {})],
        "bring_it_to_you": [("at", {"location": USER})],
        "open_drawer": [("opened", dict(arguments))],
        "close_drawer": [("closed", dict(arguments))],
        "put_at": [("item_at", dict(arguments)), ("hand_empty", {})],
        "throw_away": [("item_at", {**item, "location": TRASH}), ("hand_empty", {})],
        "bring": [("item_at", {**item, "location": USER}), ("at", {"location": USER}), ("hand_empty", {})],
    }
    return tuple(found[skill])


def find_ends(skill: str, arguments: Arguments) -> tuple[Fact, ...]:
    """What no longer holds after a skill; a missing argument means that it may end for anything."""
    item = {"item": arguments["item"]} if "item" in arguments else {}
    drives: list[Fact] = [("at", {}), ("in_view", {})]
    found: dict[str, list[Fact]] = {
        "find": drives,
        "go_to": drives,
        "bring_it_to_you": drives,
        "pick_up": [("hand_empty", {}), ("in_view", item), ("item_at", item), ("inside", item)],
        "put_down": [("holding", item)],
        "put_in": [("holding", item)],
        "open_drawer": [("closed", dict(arguments))],
        "close_drawer": [("opened", dict(arguments))],
        "put_at": [("holding", item)],
        "throw_away": [("holding", item)],
        "bring": [("holding", item), *drives],
    }
    return tuple(found[skill])
