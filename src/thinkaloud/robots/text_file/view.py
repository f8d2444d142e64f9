"""The table [view] of a robot's file: where things are on a plan, and a picture to draw them on."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from thinkaloud.errors import list_closest_names
from thinkaloud.language.name_matching import all_names
from thinkaloud.robots.text_file.facts import GroundFact
from thinkaloud.robots.text_file.field_readers import FilePosition
from thinkaloud.robots.text_file.robot import RobotFile, RobotRelation, RobotView
from thinkaloud.worlds.drawing import Place, PlanPicture

_PICTURES = {".png": b"\x89PNG\r\n\x1a\n", ".jpg": b"\xff\xd8\xff", ".jpeg": b"\xff\xd8\xff"}
"""How files of these names begin."""
_LARGEST = 4_000_000


def read_view(
    here: FilePosition, data: Any, kinds: Mapping[str, tuple[str, ...]], relations: Mapping[str, RobotRelation]
) -> RobotView:
    """How the robot is drawn."""
    table, known = here.table(data, ("size", "places", "robot", "picture")), tuple(all_names(kinds))
    size = here.at("size").numbers(table.get("size"), (2,), "[12, 8]")
    places = {}
    for thing, numbers in here.at("places").table(table.get("places", {})).items():
        place = here.at("places").at(thing)
        if thing not in known:
            place.fail(f"there is no {thing!r} under [kinds]; there are: {list_closest_names(known, thing)}")
        places[thing] = place.numbers(numbers, (2, 4), "[3, 2], or [3, 2, 4, 3] for a room")
    robot = table.get("robot", "")
    if robot and (robot not in relations or len(relations[robot].signature.parameters) != 1):
        here.at("robot").fail(f"{robot!r} is not a relation with one parameter, such as at(room)")
    return RobotView((size[0], size[1]), places, robot, _read_picture(here.at("picture"), table))


def _read_picture(here: FilePosition, table: Mapping[str, Any]) -> str:
    name = here.text_of(table["picture"]) if "picture" in table else ""
    if name and (Path(name).name != name or Path(name).suffix.lower() not in _PICTURES):
        here.fail(f"{name!r} has to be a file beside this one that ends in {', '.join(_PICTURES)}")
    beside = Path(here.source)
    if name and beside.is_file() and not (beside.parent / name).is_file():
        here.fail(f"there is no file {name!r} beside this one")
    return name


def draw_places(robot: RobotFile, facts: Iterable[GroundFact]) -> tuple[Place, ...]:
    """The places of the plan, each with the things that a relation puts there."""
    view = robot.view
    if view is None:
        return ()
    facts = list(facts)
    here = {str(arguments[0]) for relation, arguments in facts if relation == view.robot and arguments}
    inside: dict[str, list[str]] = {}
    for _, arguments in facts:
        if len(arguments) == 2 and str(arguments[1]) in view.places and arguments[0] in robot.things:
            inside.setdefault(str(arguments[1]), []).append(str(arguments[0]))
    found = []
    for name, (x, y, *size) in view.places.items():
        kind = next((kind for kind, names in robot.kinds.items() if name in names), "")
        things = tuple(sorted(inside.get(name, ())))
        found.append(Place(name, x, y, kind, None, (size[0], size[1]) if size else None, name in here, things))
    return tuple(found)


def find_picture(robot: RobotFile) -> PlanPicture | None:
    """The picture under the plan, if the file declares one that is there and is a picture."""
    if robot.view is None or not robot.view.picture:
        return None
    path = Path(robot.source).parent / robot.view.picture
    if not path.is_file() or path.stat().st_size > _LARGEST:
        return None
    data = path.read_bytes()
    return PlanPicture(data, *robot.view.size) if data.startswith(_PICTURES[path.suffix.lower()]) else None
