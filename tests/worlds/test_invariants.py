"""What must never be so: how it is written, for whom it holds, and what is wrong with it."""

from __future__ import annotations

from typing import Any

import pytest

from carehome import CARE_HOME, CareHome
from thinkaloud.agent import Agent
from thinkaloud.errors import BadInput, BadScene
from thinkaloud.models import Scripted
from thinkaloud.robots.text_file import TextFileWorld, parse_robot
from thinkaloud.worlds.invariants import Fact, Invariant, invariants_of, read_facts, read_invariant, tell_never

KINDS = {"resident": ("Ada", "Bert", "Cy"), "room": ("hall", "garden")}


def read(text: str, people: tuple[str, ...] = ()) -> list[tuple[Fact, ...]]:
    signatures = {name: each.signature for name, each in CareHome().relations.items()}
    return [each.facts for each in read_invariant(text, signatures, KINDS, people)]


def test_a_kind_stands_for_each_of_its_things_and_is_the_same_thing_each_time() -> None:
    found = read("resident_in(resident, garden) and not bathed(resident)")
    assert found == [
        (Fact("resident_in", (who, "garden")), Fact("bathed", (who,), False)) for who in ("Ada", "Bert", "Cy")
    ]


def test_another_of_a_kind_is_another() -> None:
    found = read("resident_in(resident, hall) and resident_in(other resident, hall)")
    assert len(found) == 6 and all(one.values[0] != other.values[0] for one, other in found)


def test_person_stands_for_everybody() -> None:
    assert read("bathed(person)", ("Ada", "Cy")) == [(Fact("bathed", ("Ada",)),), (Fact("bathed", ("Cy",)),)]


def test_several_are_told_as_sentences_each_with_its_facts_joined() -> None:
    signatures = {name: each.signature for name, each in CareHome().relations.items()}
    both = ("resident_in(Ada, garden) and not bathed(Ada)", "locked() and resident_in(Bert, garden)")
    assert tell_never(each for text in both for each in read_invariant(text, signatures, KINDS)) == (
        "This must never be so: Ada is in the garden and Ada is not bathed. "
        "And this must never be so: the garden is locked and Bert is in the garden."
    )
    assert tell_never([]) == ""


def test_a_thing_that_is_not_here_now_is_still_meant() -> None:
    assert read("robot_in(cellar) and locked()") == [(Fact("robot_in", ("cellar",)), Fact("locked", ()))]


def test_what_cannot_be_told_is_not_risked() -> None:
    home = CareHome()
    home.never = ("resident_in(Dora, garden)",)
    fact = Fact("resident_in", ("Dora", "garden"))
    assert read_facts(home)(fact) is None
    assert Invariant((fact,), (home.relations["resident_in"].signature,)).is_broken(read_facts(home))


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("locked", "cannot be read; write relation"),
        ("locked() or locked()", "cannot be read"),
        ("shut()", "There is no relation 'shut'"),
        ("robot_in()", r"write robot_in\(room\)"),
        ("robot_in(cellar)", "There is no thing or kind 'cellar'"),
    ],
)
def test_what_is_wrong_is_said_before_anything_moves(text: str, why: str) -> None:
    home = CareHome()
    home.never = (text,)
    with pytest.raises(BadInput, match=why):
        Agent(home, Scripted()).check("Lock the garden.")


@pytest.mark.parametrize(
    ("old", "new", "why"),
    [
        ('"locked(garden door) and', '"locked(gardn door) and', "There is no thing or kind 'gardn door'"),
        ('people = ["resident"]', 'people = ["guest"]', "people: 'guest' is not a kind; there is: resident"),
        ('battery = "charge"', 'battery = "level"', "budget.battery: expected a number, 0 or more, or a value without"),
        (
            "steps = 10",
            "steps = -1",
            "budget.steps: expected a number, 0 or more, or a value without",
        ),
        (
            "costs = { battery = 3 }",
            "costs = { minutes = 3 }",
            "there is no budget 'minutes'; there is: steps, battery",
        ),
        ("costs = { battery = 3 }", 'costs = { battery = "3" }', "expected a number, 0 or more, not '3'"),
    ],
)
def test_what_is_wrong_in_a_file_is_said_with_its_place(old: str, new: str, why: str) -> None:
    assert old in CARE_HOME
    with pytest.raises(BadScene) as refused:
        parse_robot(CARE_HOME.replace(old, new), "home.toml")
    assert str(refused.value).startswith("home.toml:") and why in str(refused.value)


def test_a_budget_without_a_measure_is_refused_in_python() -> None:
    home = CareHome()
    home.budget = {"battery": "level"}
    with pytest.raises(BadInput, match="budget: battery: There is no value without parameters 'level'"):
        Agent(home, Scripted()).check("Lock the garden.")


def test_python_and_a_text_file_declare_the_same_way() -> None:
    home: Any = CareHome()
    home.never, home.people = ("locked() and resident_in(resident, garden)",), ("resident",)
    text = TextFileWorld(CARE_HOME)
    assert len(invariants_of(home, home.observe().vocabulary)) == 2
    assert len(invariants_of(text, text.observe().vocabulary)) == 2 + 4


def test_relations_that_take_nothing_are_not_single() -> None:
    from thinkaloud import relation

    with pytest.raises(TypeError, match="a relation without parameters is always single"):

        @relation("It is dark.", single=True)
        def dark() -> bool:
            """Whether it is dark."""
            return False
