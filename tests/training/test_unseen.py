"""The tasks that nobody may learn are noticed by what they come to, in whatever words they are asked for."""

from __future__ import annotations

from pathlib import Path

import pytest

from training.demonstrators.robots import is_learnt_from
from training.robots.check import check_file
from training.robots.reading import CORPUS, all_places
from training.unseen import is_of_the_kitchen, names_items_of_the_kitchen

TABLE = """\
# An arm over a table.
kind block = red block, blue block, green block
kind bowl = red bowl, blue bowl, green bowl
kind place = left corner, right corner, far corner, left side, red block, blue block, red bowl, blue bowl, green bowl
skill put(block, place): Put {block} on {place}.

> %s
"""


def found_in(tmp_path: Path, words: str, program: str) -> list[str]:
    path = tmp_path / "table.txt"
    path.write_text(TABLE % words + program, encoding="utf-8")
    return [each for each in check_file(path, quiet=True)[1] if "nobody may learn" in each]


@pytest.mark.parametrize(
    ("words", "program", "task"),
    [
        (
            "nobody shares, off you go",
            'put("red block", "left corner")\nput("blue block", "right corner")\nput("green block", "far corner")\n',
            "each into another corner",
        ),
        (
            "zu Hause ist es am schönsten",
            'put("red block", "red bowl")\nput("blue block", "blue bowl")\nput("green block", "green bowl")\n',
            "each into its own colour",
        ),
        (
            "those two trade homes",
            'put("red block", "blue bowl")\nput("blue block", "red bowl")\n',
            "each into another colour",
        ),
        (
            "una torre ahí",
            'put("red block", "left side")\nput("blue block", "red block")\nput("green block", "blue block")\n',
            "all in one stack at a place",
        ),
    ],
)
def test_a_task_is_noticed_in_any_words(words: str, program: str, task: str, tmp_path: Path) -> None:
    (found,) = found_in(tmp_path, words, program)
    assert task in found


@pytest.mark.parametrize(
    "program",
    [
        'put("red block", "left corner")\nput("blue block", "right corner")\n',
        'put(blocks, "blue bowl")\n',
        'put("red block", "blue bowl")\n',
        'put("blue block", "red block")\nput("green block", "blue block")\n',
        'put("red block", "red bowl")\n',
    ],
)
def test_what_is_only_a_part_of_a_task_or_another_one_is_allowed(program: str, tmp_path: Path) -> None:
    assert not found_in(tmp_path, "like this", program)


def test_nothing_is_learnt_in_the_kitchen_of_the_papers() -> None:
    kitchens = [place for place in all_places() if is_of_the_kitchen(place)]
    assert kitchens and not any(is_learnt_from(place) for place in kitchens)


def test_no_robot_has_an_item_of_that_kitchen() -> None:
    assert names_items_of_the_kitchen("Two Cokes, please.") == ["cokes"]
    found = {path.stem: names_items_of_the_kitchen(path.read_text(encoding="utf-8")) for path in CORPUS.glob("*.txt")}
    assert {name: items for name, items in found.items() if items} == {}
