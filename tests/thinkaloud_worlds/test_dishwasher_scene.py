"""Scenes of the machine: read, written, and refused with the line."""

from __future__ import annotations

import pytest

from kiln_scene import KILN
from thinkaloud.errors import BadScene
from thinkaloud_worlds.dishwasher import Dishwasher, MachineScene, open_dishwasher, read_machine_scene


def test_a_scene_is_read_from_json_and_toml_and_written_again() -> None:
    scene = read_machine_scene(KILN)
    assert MachineScene.from_json(scene.to_json()) == scene
    toml = 'compartments = ["top"]\nadditives = ["soap"]\n[[items]]\nkind = "mug"\nbelongs = "top"\n'
    assert read_machine_scene(toml).names == ("mug 1",)
    assert open_dishwasher(None).scene == open_dishwasher(Dishwasher().scene.to_json()).scene


@pytest.mark.parametrize(
    ("old", "new", "error"),
    [
        ('"belongs": "upper shelf"', '"belongs": "attic"', r"scene:7: .*'attic'.*upper shelf, lower shelf"),
        ('"count": 2', '"count": 0', r"scene:6: vase: the count is 0"),
        ('"count": 2', '"count": "two"', r"scene:6: items\[0\].count: .*int"),
        ('"count": 2', '"number": 2', r"scene:6: .*unknown field 'number'"),
        ('"machine": "kiln"', '"engine": "kiln"', r"scene:2: .*unknown field 'engine'"),
        ('"machine": "kiln"', '"machine": ""', r"scene:2: '' cannot be the machine"),
        ('"machine": "kiln"', '"machine": "窯"', r"Latin letter"),
        ('"item": "pot"', '"item": "glaze"', r"share a word"),
        ('"item": "pot"', '"item": "object"', r"that word is reserved"),
        ('"finished": "showroom"', '"finished": "workbench"', r"scene:3: Two places"),
        ('"additives": ["blue glaze"]', '"additives": []', r"scene:9: There are no additives"),
        ('"egg cup"', '"Vase"', r"scene:7: 'Vase' is listed twice"),
        ('"cycle_minutes": 90', '"cycle_minutes": 0', r"scene:9: A cycle takes 0 minutes"),
        ('"additives": ["blue glaze"],', "", r"missing required field 'additives'"),
        ('"compartments": [', '"compartments" [', r"scene:4: is not JSON"),
    ],
)
def test_what_is_wrong_with_a_scene_is_said_with_its_line(old: str, new: str, error: str) -> None:
    assert old in KILN
    with pytest.raises(BadScene, match=error):
        read_machine_scene(KILN.replace(old, new))


def test_a_broken_toml_scene_is_located_too() -> None:
    with pytest.raises(BadScene, match="scene:1: is not TOML"):
        read_machine_scene("compartments = [")
    toml = 'compartments = ["top"]\nadditives = ["soap"]\n[[items]]\nkind = "mug"\nbelongs = "cellar"\n'
    with pytest.raises(BadScene, match="scene:5: mug"):
        read_machine_scene(toml)
    for text in ("", "[]", "nonsense", "[" * 100_000):
        with pytest.raises(BadScene):
            read_machine_scene(text)
