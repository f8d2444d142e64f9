"""No module of a world imports another that needs it first: they can be read from the bottom up."""

from __future__ import annotations

import ast
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

import thinkaloud_worlds

ROOT = Path(thinkaloud_worlds.__file__).parent
ROOMS = sorted(path.parent.name for path in ROOT.glob("*/__init__.py"))


def needed(path: Path, package: str) -> set[str]:
    """The modules of a package that a module imports, wherever in it but for its type hints: those it needs not."""
    tree = ast.parse(path.read_text())
    hints = [node for node in ast.walk(tree) if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING"]
    spared = {id(each) for hint in hints for each in ast.walk(hint)}
    found = [n for n in ast.walk(tree) if isinstance(n, ast.ImportFrom) and n.module and id(n) not in spared]
    names = {f"{node.module}.{each.name}".removeprefix(f"{package}.") for node in found for each in node.names}
    return {name.partition(".")[0] for name in names if not name.startswith("thinkaloud")}


@pytest.mark.sampled(3)
@pytest.mark.parametrize("room", ROOMS)
def test_a_world_is_built_without_circles(room: str) -> None:
    modules = {path.stem: path for path in (ROOT / room).glob("*.py") if path.stem != "__init__"}
    graph = {name: needed(path, f"thinkaloud_worlds.{room}") & {*modules} for name, path in modules.items()}
    assert len([*TopologicalSorter(graph).static_order()]) == len(modules)  # raises CycleError


def test_the_rooms_are_found() -> None:
    assert {"tabletop", "household", "franka"} <= {*ROOMS}
