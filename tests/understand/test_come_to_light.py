"""What comes to light while a request is carried out is counted in, where it is more of what was asked for."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated

import pytest

from said import Talk
from thinkaloud.clock import Clock, ManualClock
from thinkaloud.records import Condition, Meaning, Observation
from thinkaloud.skills import Kind, Relation, Skill, condition_holds, relation, relations_of, skill, skills_of


def _puts(thing: str, place: str) -> tuple[tuple[str, dict[str, str]], ...]:
    return (("lies_on", {"thing": thing, "place": place}),)


class Heap:
    """Things on trays; what lies under something is seen once that is taken away."""

    name = "heap"

    def __init__(self, under: Mapping[str, str], *free: str) -> None:
        self.where = dict.fromkeys((*free, *under.values(), *under), "floor")
        self.over = {low: high for high, low in under.items()}
        self.clock: Clock = ManualClock()
        self.skills: Mapping[str, Skill] = skills_of(self)
        self.relations: Mapping[str, Relation] = relations_of(self)

    def observe(self) -> Observation:
        known = tuple(each for each in self.where if each not in self.over)
        trays = ("red tray", "blue tray")
        return Observation((*known, *trays), {"thing": known, "place": (*known, *trays)})

    @skill(says="Put the {thing} on the {place}.", distinct=("thing", "place"), effects=_puts)
    async def put(self, thing: Annotated[str, Kind("thing")], place: Annotated[str, Kind("place")]) -> str:
        """Put a thing on a tray, or on another thing.

        Args:
            thing: what to put there.
            place: where it goes.
        """
        self.where[thing] = place
        self.over = {low: high for low, high in self.over.items() if high != thing}
        return ""

    @relation(says="{thing} is on the {place}.", otherwise="{thing} stays where it is.")
    def lies_on(self, thing: Annotated[str, Kind("thing")], place: Annotated[str, Kind("place")]) -> bool:
        """Whether a thing is on something.

        Args:
            thing: what may be there.
            place: where.
        """
        return self.where[thing] == place

    def holds(self, condition: Condition) -> bool:
        return condition_holds(condition, self.relations)

    def reset(self, seed: int) -> None:
        pass

    def snapshot(self) -> bytes:
        return b""

    def restore(self, snapshot: bytes) -> None:
        pass


def test_all_of_a_kind_are_also_those_that_were_hidden() -> None:
    talk = Talk(['put(cubes, "red tray")'], Heap({"top cube": "low cube"}, "big cube"))
    assert talk.say("Put all the cubes on the red tray.").result == "goal met"
    assert talk.world.where == dict.fromkeys(("top cube", "low cube", "big cube"), "red tray")
    first, then = talk.all(Meaning)
    assert "low cube" not in first.words and "I will put the low cube on the red tray." in then.words


def test_what_a_description_means_is_counted_in_too() -> None:
    known = [' "pear", "fig"', ' "pear", "fig", "kiwi"']
    talk = Talk(['put(all_of("fruit"), "red tray")', *known], Heap({"pear": "kiwi", "fig": "saw"}))
    assert talk.say("Put all the fruit on the red tray.").result == "goal met"
    assert talk.world.where == dict.fromkeys(("pear", "fig", "kiwi"), "red tray") | {"saw": "floor"}


def test_what_was_missing_is_done_once_it_comes_to_light() -> None:
    both = 'put(all_of("fruit"), "red tray")\nput(all_of("tool"), "blue tray")'
    known = [' "pear", "fig"', " none", ' "pear", "fig"', ' "saw"']
    talk = Talk([both, *known], Heap({"pear": "saw"}, "fig"))
    assert talk.say("Put the fruit on the red tray and the tools on the blue tray.").result == "goal met"
    assert talk.world.where == {"pear": "red tray", "fig": "red tray", "saw": "blue tray"}


def test_what_is_still_missing_in_the_end_is_told() -> None:
    both = 'put(all_of("fruit"), "red tray")\nput(all_of("tool"), "blue tray")'
    known = [' "pear", "fig"', " none", ' "pear", "fig"', " none"]
    talk = Talk([both, *known], Heap({"pear": "cube"}, "fig"))
    end = talk.say("Put the fruit on the red tray and the tools on the blue tray.")
    assert end.result == "failed" and "tool" in end.because
    assert talk.world.where == {"pear": "red tray", "fig": "red tray", "cube": "floor"}


def test_what_is_counted_off_goes_on_where_it_was() -> None:
    tower = "for i in range(1, len(cubes)):\n    put(cubes[i], cubes[i - 1])"
    talk = Talk([tower], Heap({"top cube": "low cube"}, "big cube"))
    assert talk.say("Stack the cubes.").result == "goal met"
    assert talk.steps == ["Put the top cube on the big cube.", "Put the low cube on the top cube."]


@pytest.mark.parametrize(
    "again",
    [
        'put(["pear", "fig"], "red tray")\nput("saw", "blue tray")',  # nothing is said of it
        'put(["pear", "saw", "kiwi"], "red tray")',  # with things that went to different places
        'cannot("There are too many.")',
    ],
)
def test_what_nothing_is_said_of_stays_where_it_is(again: str) -> None:
    named = ['put(["pear", "fig"], "red tray")\nput("saw", "blue tray")']
    talk = Talk([*named, again], Heap({"pear": "kiwi"}, "fig", "saw"))
    assert talk.say("Fruit on one tray, tools on the other.").result == "goal met"
    assert talk.world.where["kiwi"] == "floor" and len(talk.all(Meaning)) == 1


def test_another_choice_is_not_made_for_what_came_to_light() -> None:
    talk = Talk(['put(sorted(cubes)[0], "red tray")', "unclear()"], Heap({"big cube": "aged cube"}, "top cube"))
    assert talk.say("Put the first cube on the red tray.").result == "goal met"
    assert talk.world.where == {"big cube": "red tray", "aged cube": "floor", "top cube": "floor"}


@pytest.mark.parametrize(
    ("said", "program"),
    [
        ("Put the pear on the red tray.", 'put("pear", "red tray")'),
        ("The pear and the fig go on the red tray.", 'put(["pear", "fig"], "red tray")'),
    ],
)
def test_who_names_things_one_by_one_is_not_read_again(said: str, program: str) -> None:
    talk = Talk([program], Heap({"pear": "kiwi"}, "fig", "saw"))
    assert talk.say(said).result == "goal met"
    assert len(talk.model.prompts) == 1 and talk.world.where["kiwi"] == "floor"
