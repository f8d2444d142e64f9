"""A robot of one's own by the name of its class."""

from __future__ import annotations

from pathlib import Path

import pytest

from thinkaloud.errors import BadInput, BadScene
from thinkaloud.worlds import is_own_robot, open_world
from toyworld import ToyWorld


ODD = """
class Half:
    pass

def broken():
    raise RuntimeError("no\\npower")

def given(scene):
    return scene
"""


def test_a_class_of_a_module_is_a_world() -> None:
    assert isinstance(open_world("toyworld:ToyWorld"), ToyWorld)
    with pytest.raises(BadScene, match="takes no scene"):
        open_world("toyworld:ToyWorld", scene="x")


def test_what_is_none_is_told_in_one_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))
    (tmp_path / "odd_robots.py").write_text(ODD)
    (tmp_path / "lame_robots.py").write_text("import no_such_module_at_all\n")
    for name, why in {
        "odd_robots:Half": "it has no name, no clock",
        "odd_robots:broken": "cannot be opened: RuntimeError: no power",
        "odd_robots:nothing": "has no class or function 'nothing'",
        "odd_robots:given": "it has no name",
        "lame_robots:Robot": "cannot be imported: ModuleNotFoundError",
        "no_robots_here:Robot": "There is no module 'no_robots_here' here",
    }.items():
        with pytest.raises(BadInput, match=why):
            open_world(name)


def test_what_is_no_name_of_a_class_is_not_imported() -> None:
    assert is_own_robot("a.b:C")
    assert not any(map(is_own_robot, ("tabletop", "a:b:c", "a:", ":b", "a b:c", "robot.toml", "../x:y")))
