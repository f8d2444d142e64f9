"""`thinkaloud check` finds what is wrong with a robot before anybody speaks, and shows what to say to it."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from thinkaloud.cli import cli
from thinkaloud.cli.chat import chat_with
from thinkaloud.cli.typed_lines import InputLines
from thinkaloud.models import Scripted
from thinkaloud.robots import open_world
from thinkaloud.robots.checking import check_robot
from thinkaloud.robots.example_requests import example_requests
from thinkaloud.robots.text_file import TextFileWorld
from thinkaloud.staging.options import RunOptions
from thinkaloud.worlds import WORLDS

ROBOTS = Path(__file__).parents[2] / "examples" / "robots"
CAFE = """
name = "cafe"
about = "A robot makes drinks."
[kinds]
cup = ["red cup", "blue cup"]
machine = ["espresso machine"]
[skills.brew]
says = "Brew a coffee in the {cup}."
doc = "Brew."
parameters = { cup = "cup" }
needs = ["clean({cup})", "plugged_in(espresso machine)"]
makes = ["full({cup})"]
[skills.rinse]
says = "Rinse the {cup}."
doc = "Rinse."
parameters = { cup = "cup" }
makes = ["clean({cup})"]
ends = ["full({cup})"]
[relations.clean]
says = "{cup} is clean."
doc = "Whether it is clean."
parameters = { cup = "cup" }
[relations.full]
says = "{cup} is full of coffee."
doc = "Whether it is full."
parameters = { cup = "cup" }
[relations.plugged_in]
says = "{machine} is plugged in."
doc = "Whether it has power."
parameters = { machine = "machine" }
"""
FAULTY = """
from typing import Annotated
from thinkaloud import Amount, Kind, ManualClock, Observation, relation, relations_of, skill, skills_of
Plant = Annotated[str, Kind("plant")]
class Garden:
    name = "garden"
    def __init__(self):
        self.clock, self.skills, self.relations = ManualClock(), skills_of(self), relations_of(self)
    @skill("Water the {plant}.", effects=lambda plant: ("wet", {"plant": plant}))
    async def water(self, plant: Plant) -> None:
        "Water a plant."
    @skill("Cut the {plant}.", effects=lambda plant: (("cut_back", {"plant": plant}),),
           ends=lambda plant: (("cut_back", {"plant": plant}),))
    async def cut(self, plant: Plant) -> None:
        "Cut a plant."
    @skill("Pour {ml} ml over the {plant}.", costs={"battery": 1})
    async def pour(self, plant: Plant, ml: Annotated[float, Amount("ml", 1, "capcity({plant})")]) -> None:
        "Pour."
    @skill("Mist the {plant}.", changes=lambda plant: (("levle", {"plant": plant}, 3),))
    async def mist(self, plant: Plant) -> None:
        "Mist a plant."
    @skill("Feed the {plant}.", preconditions=(lambda scene, plant: scene.bag,))
    async def feed(self, plant: Plant) -> None:
        "Feed a plant."
    @relation("{plant} is wet.")
    def wet(self, plant: Plant) -> bool:
        "Whether it is wet."
    @relation("{plant} is cut back.")
    def cut_back(self, plant: Plant) -> bool:
        "Whether it is cut."
        return self.shears
    def reset(self, seed): ...
    def observe(self): return Observation(("fern",), {"plant": ("fern",)})
    def holds(self, condition): return self.relations[condition.relation].holds(**condition.arguments)
    def snapshot(self): return "text"
    def restore(self, snapshot): ...
"""
BEACH = """
from typing import Annotated
from thinkaloud import Kind, ManualClock, Observation, relation, relations_of, skill, skills_of
Item, Place = Annotated[str, Kind("item")], Annotated[str, Kind("place")]
class Beach:
    name = "beach"
    def __init__(self):
        self.clock, self.skills, self.relations = ManualClock(), skills_of(self), relations_of(self)
        self.lies, self.is_at = {"kayak": "hut"}, "hut"
    @skill("Bring the {item} to the {place}.",
           effects=lambda item, place: (("at", {"item": item, "place": place}),))
    async def bring(self, item: Item, place: Place) -> None:
        "Bring it."
    @skill("Go to the {place}.", effects=lambda place: (("here", {"place": place}),))
    async def go(self, place: Place) -> None:
        "Go."
    @skill("Sweep the hut.", needs=lambda: (("not at", {"item": "kayak", "place": "hut"}), ("not here", {})),
           effects=lambda: (("swept", {}),))
    async def sweep(self) -> None:
        "Sweep."
    @relation("{item} is at the {place}.", single=True)
    def at(self, item: Item, place: Place) -> bool:
        "Where it is."
        return {"hut": self.lies[item] == "hut", "pier": self.lies[item] == "pier"}[place]
    @relation("The robot is at the {place}.", single=True)
    def here(self, place: Place) -> bool:
        "Where the robot is."
        return {"hut": True, "pier": False}[place]
    @relation("The hut is swept.")
    def swept(self) -> bool:
        "Whether it is swept."
        return False
    def reset(self, seed): ...
    def observe(self): return Observation(("kayak",), {"item": ("kayak",), "place": ("hut", "pier")})
    def holds(self, condition): return self.relations[condition.relation].holds(**condition.arguments)
    def snapshot(self): return b""
    def restore(self, snapshot): ...
"""


def checked(*arguments: str) -> Result:
    return CliRunner().invoke(cli, ["check", *arguments])


def test_all_faults_of_a_robot_in_python_are_listed_at_once(tmp_path: Path) -> None:
    (tmp_path / "faulty_garden.py").write_text(FAULTY)
    done = checked(str(tmp_path / "faulty_garden.py"))
    assert done.exit_code == 1
    for fault in (
        "water: `effects` is one relation, not a tuple of them. Write a comma behind it",
        "cut: cut_back(fern) comes about and ends in the same call. Leave it out of one.",
        "feed: `preconditions` raised AttributeError: 'Observation' object has no attribute 'bag'",
        "the relation wet returned nothing. Return True or False; is a `return` missing?",
        "the relation cut_back: `cut_back` raised AttributeError: 'Garden' object has no attribute 'shears'",
        "garden: `snapshot` returned 'text'. Return bytes.",
        "pour: the range of `ml`: There is no value 'capcity'.",
        "mist: `changes`: There is no value 'levle'.",
        "pour: costs: There is no budget 'battery'.",
    ):
        assert fault in done.stdout, done.stdout


def test_what_no_skill_can_bring_about_or_undo_is_listed() -> None:
    notes = check_robot(TextFileWorld(CAFE)).notes
    assert notes == [
        "brew needs plugged_in(espresso machine), which is not so now, and no skill brings that about.",
        "No skill can bring this about: plugged_in. The robot declines requests for it.",
        "No skill can undo this: clean. Once it is so, it stays so.",
    ]


def test_what_is_called_like_a_deed_is_listed() -> None:
    """A model would write `clean("red cup")` for the skill `rinse`, and it only tells something."""
    notes = check_robot(TextFileWorld(CAFE.replace('says = "Rinse the {cup}."', 'says = "Clean the {cup}."'))).notes
    assert any(
        each.startswith("`clean` is something that can be told, and the verb of the skill `rinse`") for each in notes
    )
    assert not any("something that can be told" in each for each in check_robot(TextFileWorld(CAFE)).notes)


def test_a_new_place_ends_the_old_one_of_a_single_relation(tmp_path: Path) -> None:
    (tmp_path / "beach.py").write_text(BEACH)
    done = checked(str(tmp_path / "beach.py"))
    known = done.stdout.partition("To know:\n")[2].partition("Nothing to mend.")[0].strip()
    assert known == "No skill can undo this: swept. Once it is so, it stays so."


def test_a_single_relation_with_one_value_to_bring_about_stays_so(tmp_path: Path) -> None:
    only = BEACH.replace('("here", {"place": place})', '("here", {"place": "pier"})').replace(
        '("Go to the {place}."', '("Leave by the {place}."'
    )
    (tmp_path / "beach.py").write_text(only)
    assert "No skill can undo this: here, swept." in checked(str(tmp_path / "beach.py")).stdout


@pytest.mark.parametrize(
    ("part", "name", "hint"),
    [
        ("ends", "at", "leave `place` out; it then stands for everything."),
        ("needs", "not at", "leave `place` out; it then stands for everything."),
        ("effects", "at", "name one thing."),
    ],
)
def test_the_star_of_text_files_is_refused_in_python(tmp_path: Path, part: str, name: str, hint: str) -> None:
    star = f'{part}=lambda: (("{name}", {{"item": "kayak", "place": "*"}}),))\n    async def sweep'
    begin, _, rest = BEACH.partition('needs=lambda: (("not at"')
    (tmp_path / "beach.py").write_text(f"{begin}{star}{rest.partition('async def sweep')[2]}")
    done = checked(str(tmp_path / "beach.py"))
    assert done.exit_code == 1 and f"sweep: `{part}` says {name}(place='*')" in done.stdout
    assert f"In Python, {hint}" in done.stdout and "Is the kind right?" not in done.stdout


def test_ten_requests_are_made_from_the_words_of_this_robot() -> None:
    requests = example_requests(TextFileWorld(CAFE))
    assert requests == [
        "Brew a coffee in the red cup.",
        "Rinse the red cup.",
        "Brew a coffee in the blue cup.",
        "Rinse the blue cup.",
        "Brew a coffee in all the cups.",
        "Brew a coffee in the red cup, then rinse the red cup.",
        "Is the red cup clean?",
        "Which cups are clean?",
        "If the red cup is not full of coffee, brew a coffee in the red cup.",
        "Never rinse the blue cup.",
    ]


@pytest.mark.parametrize(
    "name", [*WORLDS.available(), *(str(path) for path in ROBOTS.glob("*.toml") if not path.stem.endswith("_cart"))]
)
def test_every_robot_of_ours_is_sound_and_has_requests(name: str) -> None:
    world = open_world(name)
    assert check_robot(world).faults == []
    requests = example_requests(world)
    assert 0 < len(requests) <= 10 and len({*requests}) == len(requests)


def test_a_file_that_cannot_be_read_is_told_in_one_line(tmp_path: Path) -> None:
    (tmp_path / "cafe.toml").write_text(CAFE.replace('"full({cup})"', '"ful({cup})"', 1))
    done = checked(str(tmp_path / "cafe.toml"))
    assert (done.exit_code, done.stderr.count("\n")) == (2, 1)
    assert "cafe.toml:12: skills.brew.makes: there is no relation 'ful'; did you mean 'full'?" in done.stderr


def test_skills_tell_the_unit_range_and_step_of_an_amount(tmp_path: Path) -> None:
    robot = CAFE.replace(
        'parameters = { cup = "cup" }', 'parameters = { cup = "cup", amount = "number ml 10..350 step 5" }', 1
    )
    (tmp_path / "cafe.toml").write_text(robot.replace("in the {cup}.", "of {amount} ml in the {cup}."))
    done = CliRunner().invoke(cli, ["skills", str(tmp_path / "cafe.toml")])
    assert "amount: a number: 10 to 350 ml, in steps of 5." in done.stdout


def test_help_suggests_what_this_robot_can_do(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "cafe.toml").write_text(CAFE)
    lines = InputLines()
    lines.put("/help")
    lines.end()
    chat_with(RunOptions(world=str(tmp_path / "cafe.toml"), no_journal=True), model=Scripted([]), lines=lines)
    told = capsys.readouterr().out
    assert "Brew a coffee in the red cup." in told and "block" not in told


def test_what_must_never_be_so_and_is_so_already_is_a_fault() -> None:
    never = 'never = ["full(cup) and not clean(cup)"]\n[kinds]'
    begun = '[start]\nfacts = ["full(red cup)"]\n'
    (fault,) = check_robot(TextFileWorld(CAFE.replace("[kinds]", never) + begun)).faults
    assert fault == (
        "This must never be so: the red cup is full of coffee and the red cup is not clean. "
        "It is so already, at the start."
    )
    assert not check_robot(TextFileWorld(CAFE.replace("[kinds]", never))).faults
