"""Why something cannot be done, in plain words; and what a robot says only in words."""

from __future__ import annotations

from dataclasses import replace
from typing import Annotated

from declaredworld import Robot
from thinkaloud.plan.search import Found, NotFound, Sought, find_steps
from thinkaloud.records import Arguments, Observation, WorldState
from thinkaloud.skills import Kind, relation, skill
from thinkaloud.worlds.full_world import negated

Facts = tuple[tuple[str, Arguments], ...]
Can = Annotated[str, Kind("can")]
Plant = Annotated[str, Kind("plant")]
CAN = "watering can"


def _no_weeds(self: Gardener, observation: Observation, plant: str) -> str | None:
    return f"The {plant} is under the net." if plant in self.netted else None


def _dry(observation: Observation, can: str) -> str | None:
    return None if observation.state is not None else "It is dark."


class Gardener(Robot):
    """Waters plants with a can; some can be filled, and a net may lie over a plant."""

    def __init__(self, *, tap: bool) -> None:
        self.full: set[str] = set()
        self.wet: set[str] = set()
        self.netted: set[str] = set()
        self.waved = 0
        super().__init__()
        if not tap:
            self.skills = {name: each for name, each in self.skills.items() if name != "fill"}

    def observe(self) -> Observation:
        return Observation((CAN, "fern", "rose"), {"can": (CAN,), "plant": ("fern", "rose")}, state=WorldState())

    @skill("Fill the {can}.", effects=lambda can: (("filled", {"can": can}),), preconditions=(_dry,))
    def fill(self, can: Can) -> str:
        """Fill a can."""
        self.full.add(can)
        return "filled"

    @skill(
        "Water the {plant}.",
        effects=lambda plant: (("watered", {"plant": plant}),),
        needs=lambda plant: (("filled", {"can": CAN}),),
        ends=lambda plant: (("filled", {"can": CAN}),),
        preconditions=(_no_weeds,),
    )
    def water(self, plant: Plant) -> str:
        """Water a plant."""
        self.wet.add(plant)
        self.full.clear()
        return "watered"

    @skill(
        "Take the net off the {plant}.",
        effects=lambda plant: (("not covered", {"plant": plant}),),
        needs=lambda plant: (("covered", {"plant": plant}),),
    )
    def uncover(self, plant: Plant) -> str:
        """Take the net away."""
        self.netted.discard(plant)
        return "bare"

    @skill("Wave.")
    def wave(self) -> str:
        """Wave."""
        self.waved += 1
        return "waved"

    @relation("The {can} is filled.")
    def filled(self, can: Can) -> bool:
        """Whether it is full."""
        return can in self.full

    @relation("The {plant} is wet.")
    def watered(self, plant: Plant) -> bool:
        """Whether it was watered."""
        return plant in self.wet

    @relation("The {plant} is covered.")
    def covered(self, plant: Plant) -> bool:
        """Whether a net lies over it."""
        return plant in self.netted

    def sought(self, *plants: str) -> Sought:
        deeds = tuple(self.step("water", plant) for plant in plants)
        return Sought(deeds, tuple(self.wish("watered", plant) for plant in plants))


def words(found: Found | NotFound) -> list[str]:
    assert isinstance(found, Found), found
    return [step.words for step in found.steps]


def test_the_can_is_filled_before_each_plant() -> None:
    robot = Gardener(tap=True)
    found = find_steps(robot, robot.observe(), robot.sought("fern", "rose"))
    fill = "Fill the watering can."
    assert words(found) == [fill, "Water the fern.", fill, "Water the rose."]
    assert isinstance(found, Found)
    robot.do(found.steps)
    assert robot.wet == {"fern", "rose"}


def test_what_nothing_can_change_is_said() -> None:
    robot = Gardener(tap=False)
    found = find_steps(robot, robot.observe(), robot.sought("fern"))
    assert isinstance(found, NotFound) and not found.gave_up
    assert found.why == "The watering can is not filled, and nothing that I can do changes that."
    assert [each.words for each in found.blocked_by] == ["The watering can is filled."]
    assert found.deed is not None and found.deed.words == "Water the fern."


class Measuring(Gardener):
    """A can is filled with so many litres."""

    @skill("Fill the {can} with {litres} litres.", effects=lambda can, litres: (("filled", {"can": can}),))
    def fill_with(self, can: Can, litres: float) -> str:
        """Fill a can with so much."""
        return f"filled {can} with {litres}"


def test_what_could_be_changed_with_a_number_that_nobody_said_is_told() -> None:
    robot = Measuring(tap=False)
    found = find_steps(robot, robot.observe(), robot.sought("fern"))
    assert isinstance(found, NotFound)
    assert found.why == (
        "The watering can is not filled. I can change that if you tell me the rest of this first: "
        "Fill the watering can with … litres."
    )


def test_an_objection_that_no_declared_need_explains_is_final() -> None:
    """The robot looks at itself, so nobody knows what it would say later: nothing is done to please it."""
    robot = Gardener(tap=True)
    robot.netted.add("fern")
    found = find_steps(robot, robot.observe(), robot.sought("fern"))
    assert isinstance(found, NotFound)
    assert found.why == "The fern is under the net. I found nothing to do about that."


def test_an_objection_to_the_predicted_state_leads_to_what_ends_it() -> None:
    def _bare(observation: Observation, plant: str) -> str | None:
        so = {each.words for each in observation.state.relations} if observation.state is not None else set()
        return f"The {plant} is under the net." if f"The {plant} is covered." in so else None

    robot = Gardener(tap=True)
    robot.netted.add("fern")
    robot.skills = {**robot.skills, "water": replace(robot.skills["water"], preconditions=(_bare,))}
    covered = robot.relations["covered"].condition({"plant": "fern"})
    scene = replace(robot.observe(), state=WorldState(relations=(covered,)))
    found = find_steps(robot, scene, robot.sought("fern"))
    assert sorted(words(found)) == ["Fill the watering can.", "Take the net off the fern.", "Water the fern."]


def test_an_objection_that_nothing_helps_is_repeated() -> None:
    robot = Gardener(tap=True)
    robot.netted.add("fern")
    robot.skills = {name: each for name, each in robot.skills.items() if name != "uncover"}
    robot.full.add(CAN)
    found = find_steps(robot, robot.observe(), robot.sought("fern"))
    assert isinstance(found, NotFound)
    assert found.why == "The fern is under the net. I found nothing to do about that."


def test_deeds_that_declare_nothing_are_done_as_they_were_said() -> None:
    robot = Gardener(tap=True)
    wave = robot.step("wave")
    assert words(find_steps(robot, robot.observe(), Sought((wave, wave)))) == ["Wave.", "Wave."]
    found = find_steps(robot, robot.observe(), Sought((wave, robot.step("water", "fern"), wave)))
    assert words(found) == ["Wave.", "Fill the watering can.", "Water the fern.", "Wave."]


def test_nothing_sought_is_nothing_done() -> None:
    robot = Gardener(tap=True)
    assert words(find_steps(robot, robot.observe(), Sought())) == []


def test_a_wish_alone_is_brought_about() -> None:
    robot = Gardener(tap=True)
    wishes = (robot.wish("watered", "fern"), robot.wish("not filled", CAN))
    assert words(find_steps(robot, robot.observe(), Sought((), wishes))) == [
        "Fill the watering can.",
        "Water the fern.",
    ]


def test_a_wish_of_a_relation_that_is_not_here_is_said() -> None:
    robot = Gardener(tap=True)
    wish = robot.wish("watered", "fern")
    del robot.relations["watered"]  # type: ignore[attr-defined]
    found = find_steps(robot, robot.observe(), Sought((), (wish,)))
    assert isinstance(found, NotFound) and found.why == "I cannot tell whether this is so: The fern is wet."


def test_sentences_are_denied() -> None:
    assert negated("The lid is open.") == "The lid is not open."
    assert negated("The robot has been at the gate.") == "The robot has not been at the gate."
    assert negated("The robot holds the cup.") == "It is not so that the robot holds the cup."
    told = "The robot knows where the {thing} is."
    assert negated(told) == "It is not so that the robot knows where the {thing} is."
    assert negated("{thing} is where it belongs.") == "{thing} is not where it belongs."
    assert negated("Nothing is on the {thing}.") == "It is not so that nothing is on the {thing}."
    assert negated("The {thing} is not locked.") == "The {thing} is locked."
    assert negated("The {thing} cannot be moved.") == "The {thing} can be moved."
