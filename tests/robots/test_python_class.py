"""A robot of one's own by the name of its class."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from thinkaloud.errors import BadInput, BadScene
from thinkaloud.robots import is_own_robot, open_world
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
        "odd_robots:Half": "is missing `name`, `clock`",
        "odd_robots:broken": "cannot be opened: RuntimeError: no power",
        "odd_robots:nothing": "has no class or function 'nothing'",
        "odd_robots:given": "is missing `name`",
        "lame_robots:Robot": "cannot be imported: ModuleNotFoundError",
        "no_robots_here:Robot": "There is no module 'no_robots_here'",
    }.items():
        with pytest.raises(BadInput, match=why):
            open_world(name)


def test_a_file_is_its_only_world_or_the_one_that_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("sys.path", [*sys.path])
    (tmp_path / "robots").mkdir()
    (tmp_path / "robots" / "beside.py").write_text("from toyworld import ToyWorld\n")
    for path, more in {
        "robots/lone_toy.py": "",
        "robots/json.py": "",
        "two_toys.py": "class Other(Toy):\n    pass\n",
    }.items():
        beside = "beside" if path.startswith("robots") else "toyworld"
        text = (
            f"from {beside} import ToyWorld\n\nclass Toy(ToyWorld):\n    pass\n\n\nclass Helper:\n    pass\n\n\n{more}"
        )
        (tmp_path / path).write_text(text)
    assert type(open_world("robots/lone_toy.py")) is type(open_world("robots/lone_toy.py:Toy"))
    assert type(open_world("robots/json.py")).__name__ == "Toy"  # though a module of this name is there already
    assert type(open_world("two_toys.py:Other")).__name__ == "Other"
    with pytest.raises(BadInput, match=r"several worlds. Choose one: two_toys.py:Toy, two_toys.py:Other\."):
        open_world("two_toys.py")


def test_what_is_wrong_with_a_file_is_told_in_one_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("sys.path", [*sys.path])
    (tmp_path / "odd_file.py").write_text(ODD)
    (tmp_path / "lame_file.py").write_text("import no_such_module_at_all\n")
    (tmp_path / "unread_file.py").write_text("class Robot(\n")
    for name, why in {
        "odd_file.py": "has no world class. A world needs reset, observe",
        "odd_file.py:nothing": "has no class or function 'nothing'",
        "lame_file.py": "cannot be imported: ModuleNotFoundError",
        "unread_file.py": "cannot be imported: SyntaxError",
        "no_file_here.py": "There is no file no_file_here.py",
    }.items():
        with pytest.raises(BadInput, match=why) as told:
            open_world(name)
        assert "\n" not in str(told.value)


def test_a_class_that_declares_what_it_has_not_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("sys.path", [*sys.path])
    text = """\
from thinkaloud import skill, skills_of
from toyworld import ToyWorld

class Typist(ToyWorld):
    def __init__(self):
        super().__init__()
        self.skills = {**self.skills, **skills_of(self)}

    @skill("Tip the cup.", needs=lambda: (("att", {"thing": "cup", "place": "shelf"}),))
    async def tip(self) -> None:
        \'\'\'Tip it.\'\'\'
"""
    (tmp_path / "typist.py").write_text(text)
    with pytest.raises(BadInput, match=r"^tip: needs: There is no relation 'att'. Did you mean 'at'"):
        open_world("typist.py")


def test_what_is_no_name_of_a_class_is_not_imported() -> None:
    assert all(map(is_own_robot, ("a.b:C", "robot.py", "../x.py:Y")))
    names = ("tabletop", "a:b:c", "a:", ":b", "a b:c", "robot.toml", "../x:y", "a.py:", "a.py:b:c")
    assert not any(map(is_own_robot, names))
