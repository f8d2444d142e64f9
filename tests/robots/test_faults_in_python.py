"""What `thinkaloud check` says of mistakes in a robot's Python: the skill or method, the part, and what to write."""

from __future__ import annotations

from pathlib import Path

import pytest

from thinkaloud.errors import BadInput
from thinkaloud.robots import open_to_check
from thinkaloud.robots.checking import check_robot

ROBOT = '''
from typing import Annotated
from thinkaloud import Kind, ManualClock, Observation, relation, relations_of, skill, skills_of

Cup = Annotated[str, Kind("cup")]

class Robot:
    name = "waiter"
    {members}

    def __init__(self):
        self.clock, self.skills, self.relations = ManualClock(), skills_of(self), relations_of(self)

    def reset(self, seed):
        pass

    def observe(self):
        return Observation(("red cup", "blue cup"), {vocabulary})

    def holds(self, condition):
        {holds}

    def snapshot(self):
        return b""

    def restore(self, snapshot):
        pass

    @skill("Fill the {{cup}}.", {skill})
    async def fill(self, cup: Cup) -> None:
        """Fill a cup."""

    @skill("Empty the {{cup}}.", ends=lambda cup: (("full", {{"cup": cup}}),))
    async def empty(self, cup: Cup) -> None:
        """Empty a cup."""

    @relation("{{cup}} is full.")
    def full(self, cup: Cup) -> bool:
        """Whether a cup is full."""
        return False
'''
EFFECTS = 'effects=lambda cup: (("full", {"cup": cup}),)'


def faults(tmp_path: Path, **changed: str) -> list[str]:
    parts = {
        "members": "",
        "vocabulary": '{"cup": ("red cup", "blue cup")}',
        "holds": "return self.relations[condition.relation].holds(**condition.arguments)",
        "skill": EFFECTS,
    }
    file = tmp_path / f"robot_{abs(hash(tuple(changed.items())))}.py"
    file.write_text(ROBOT.format(**{**parts, **changed}))
    return check_robot(open_to_check(str(file))).faults


def test_there_is_nothing_wrong_with_the_robot_itself(tmp_path: Path) -> None:
    assert faults(tmp_path) == []


def test_a_vocabulary_without_any_kind_is_a_fault(tmp_path: Path) -> None:
    (fault,) = faults(tmp_path, vocabulary="{}")
    assert fault.startswith("empty: `cup` is a Kind('cup')") and fault.endswith("list it as 'cup': ().")


@pytest.mark.parametrize(
    ("members", "told"),
    [
        ('people = ("cupp",)', "people: There is no kind 'cupp'. Did you mean 'cup'? Known: cup."),
        ('people = "cup"', "people: 'cup' is one text, not a tuple of them. Write a comma behind it: ('cup',)"),
        ('never = "full(cup)"', "never: 'full(cup)' is one text, not a tuple of them. Write a comma behind it: ("),
        ('budget = {"steps": -1}', "budget: steps: -1 is less than nothing; write how much a request may use."),
    ],
)
def test_what_is_declared_about_people_and_limits_is_read(tmp_path: Path, members: str, told: str) -> None:
    (fault,) = faults(tmp_path, members=members)
    assert fault.startswith(told)


@pytest.mark.parametrize(
    ("members", "written"),
    [
        ("def on_emergency(self):", "def on_emergency(self, matter)"),
        ("def recall(self):", "def recall(self, steps)"),
        ("def twin(self, seed):", "def twin(self)"),
    ],
)
def test_methods_have_to_take_what_they_are_called_with(tmp_path: Path, members: str, written: str) -> None:
    (fault,) = faults(tmp_path, members=f"{members}\n        pass")
    name = written.partition("(")[0].removeprefix("def ")
    assert fault == f"waiter: `{name}` does not take what it is called with. Write `{written}`."


def test_an_error_of_holds_names_it_and_the_robot(tmp_path: Path) -> None:
    (fault,) = faults(tmp_path, holds='raise RuntimeError("no camera")')
    assert fault.startswith(
        "waiter: `holds` raised RuntimeError: no camera for 'Red cup is full.'. Return True or False"
    )


@pytest.mark.parametrize(
    ("part", "told"),
    [
        ("remembers=lambda known, cup: known.nosuch", "fill: `remembers` raised AttributeError"),
        ("affordance=lambda seen, cup: 1 / 0", "fill: `affordance` raised ZeroDivisionError"),
        ("affordance=lambda seen, cup: 7", "fill: `affordance` returned 7. Return how likely the skill is to work"),
        (
            "check=lambda seen, cup: None",
            "fill: `check` does not take what it is called with. Let its parameters be (",
        ),
        (
            "first=lambda cup: ()",
            "fill: `first` does not take what it is called with. Let its parameters be (",
        ),
        ("changes=lambda seen, cup: ()", "fill: `changes` raised TypeError"),
        ("preconditions=(lambda seen, cup: seen.nosuch,)", "fill: `preconditions` raised AttributeError"),
    ],
)
def test_each_part_of_a_skill_is_tried_and_told_once(tmp_path: Path, part: str, told: str) -> None:
    (fault,) = faults(tmp_path, skill=f"{EFFECTS}, {part}")
    assert fault.startswith(told)


@pytest.mark.parametrize(
    ("part", "told"),
    [
        ("approval=3", 'fill: `approval` is 3. Write True, a role or name, or ["nurse", "Anna"].'),
        ('approval=""', "fill: `approval` is ''. Write True, a role or name, or [\"nurse\", \"Anna\"]."),
        ("asked_by=True", 'fill: `asked_by` is True. Write a role or name, or ["nurse", "Anna"].'),
        ("costs=3", 'fill: `costs` is 3. Write how much it uses of each budget: {"minutes": 2}.'),
        ("needs=True", "fill: `needs` is True, and has to be a function. Write needs=lambda cup, **_: (("),
        ("check=5", "fill: `check` is 5, and has to be a function. Write check=lambda cup, **_: …"),
        ("preconditions=print", "fill: `preconditions` is <built-in function print>. Write a tuple of functions:"),
    ],
)  # fmt: skip
def test_what_a_skill_cannot_be_given_is_refused_where_it_is_written(tmp_path: Path, part: str, told: str) -> None:
    with pytest.raises(BadInput) as error:
        faults(tmp_path, skill=f"{EFFECTS}, {part}")
    assert told in str(error.value)


def test_effects_that_are_no_function_are_told_with_the_function_to_write(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match=r"fill: `effects` is .*, and has to be a function. Write effects=lambda cup"):
        faults(tmp_path, skill='effects=(("full", {"cup": "red cup"}),)')
