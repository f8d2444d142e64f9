"""Robots that are described in other languages: each kind has a list of its own, by a name that can be read."""

from __future__ import annotations

import ast
from dataclasses import dataclass

import pytest
from hypothesis import given
from hypothesis import strategies as st

from said import Talk, meaning_of, question_of
from thinkaloud.models.gbnf import Grammar
from thinkaloud.program.lexicon import Lexicon, identifier, lexicon_of
from thinkaloud.program.parsing import parse_program
from thinkaloud.records import Ask, Meaning
from thinkaloud.robots.text_file import TextFileWorld
from thinkaloud.skills.signatures import Parameter, Signature
from thinkaloud.understand.prompting.grammar import program_grammar
from thinkaloud.worlds.full_world import FullWorld


@dataclass(frozen=True)
class Described:
    """A robot with cups to fill and doors to open, in one language."""

    cup: str
    cups: tuple[str, str]
    door: str
    doors: tuple[str, str]
    fill: str
    open: str
    full: str
    is_open: str
    lists: tuple[str, str]

    def world(self) -> TextFileWorld:
        return TextFileWorld(f"""
name = "described"
about = "…"

[kinds]
"{self.cup}" = {[*self.cups]}
"{self.door}" = {[*self.doors]}

[skills.fill]
says = "{self.fill}"
doc = "{self.fill.replace("{it}", self.cup)}"
parameters = {{ it = "{self.cup}" }}
makes = ["full({{it}})"]

[skills.open]
says = "{self.open}"
doc = "{self.open.replace("{it}", self.door)}"
parameters = {{ it = "{self.door}" }}
makes = ["is_open({{it}})"]

[relations.full]
says = "{self.full}"
doc = "{self.full.replace("{it}", self.cup)}"
parameters = {{ it = "{self.cup}" }}

[relations.is_open]
says = "{self.is_open}"
doc = "{self.is_open.replace("{it}", self.door)}"
parameters = {{ it = "{self.door}" }}

[start]
facts = ["full({self.cups[0]})"]
""")


CHINESE = Described(
    *("茶杯", ("红杯", "蓝杯"), "门", ("左门", "右门"), "把{it}倒满。", "打开{it}。", "{it}是满的。", "{it}开着。"),
    lists=("茶杯s", "门s"),
)
GERMAN = Described(
    *("Kännchen", ("Ölkännchen", "Milchkännchen"), "Tür", ("linke Tür", "rechte Tür")),
    *("Fülle {it}.", "Öffne {it}.", "{it} ist voll.", "{it} ist offen."),
    lists=("kannchens", "turs"),
)
RUSSIAN = Described(
    *("чашка", ("красная чашка", "синяя чашка"), "дверь", ("левая дверь", "правая дверь")),
    *("Наполни {it}.", "Открой {it}.", "{it} полна.", "{it} открыта."),
    lists=("чашкаs", "дверьs"),
)
ARABIC = Described(
    *("كوب", ("كوب أحمر", "كوب أزرق"), "باب", ("باب أيسر", "باب أيمن")),
    *("املأ {it}.", "افتح {it}.", "{it} ممتلئ.", "{it} مفتوح."),
    lists=("كوبs", "بابs"),
)
ALL = pytest.mark.parametrize("robot", [CHINESE, GERMAN, RUSSIAN, ARABIC], ids=["zh", "de", "ru", "ar"])


@ALL
def test_each_kind_has_a_list_and_a_grammar_that_spells_it(robot: Described) -> None:
    whole = FullWorld(robot.world())
    lexicon = lexicon_of(whole, whole.observe())
    cups, doors = robot.lists
    assert (lexicon.kinds[cups], lexicon.kinds[doors]) == (robot.cups, robot.doors)
    grammar = Grammar.parse(program_grammar(lexicon))
    assert grammar.accepts(f"fill([x for x in {cups} if not full(x)])\nopen({doors}[0])\n\n")
    assert grammar.accepts(f'say({lexicon.noun_of(cups) if cups == "茶杯s" else "full"}("{robot.cups[0]}"))\n\n')


@ALL
def test_what_is_written_of_a_list_is_done(robot: Described) -> None:
    talk = Talk([f"fill([x for x in {robot.lists[0]} if not full(x)])"], robot.world())
    assert talk.say("Fill whatever is not full yet.").result == "goal met"
    assert talk.steps == [robot.fill.format(it=robot.cups[1])]
    assert f"{robot.lists[1]} = " in talk.model.prompts[0]


@ALL
def test_a_kind_that_several_things_share_is_asked_about_and_named_in_the_answer(robot: Described) -> None:
    assert question_of(meaning_of(f'open("{robot.door}")', robot.world())).options == robot.doors
    talk = Talk([f'open(the("{robot.door}"))'], robot.world(), answers=(robot.doors[1],))
    assert talk.say("Open it.").result == "goal met" and len(talk.all(Ask)) == 1
    assert talk.steps == [robot.open.format(it=robot.doors[1])]


@ALL
def test_an_answer_names_the_kind_as_the_robot_does(robot: Described) -> None:
    cups = robot.lists[0]
    talk = Talk([f"say([x for x in {cups} if full(x)])", f"say(len({cups}))"], robot.world())
    assert robot.cups[0] in talk.say("Which are full?").because.replace("Красная", "красная")
    assert "2" in talk.say("How many are there?").because
    assert not any("_" in meaning.spoken for meaning in talk.all(Meaning))


def test_kinds_with_the_same_letters_are_numbered() -> None:
    world = TextFileWorld("""
name = "numbered"
about = "…"

[kinds]
"Tur" = ["Tur eins"]
"Tür" = ["Tür eins"]

[skills.open]
says = "Open {it} and {that}."
doc = "Open both."
parameters = { it = "Tur", that = "Tür" }
""")
    whole = FullWorld(world)
    lexicon = lexicon_of(whole, whole.observe())
    assert (lexicon.kinds["turs"], lexicon.kinds["turs_2"]) == (("Tur eins",), ("Tür eins",))
    assert lexicon.list_of(Parameter("that", str, "", "Tür")) == "turs_2"


def test_people_are_people_by_whatever_name() -> None:
    world = TextFileWorld("""
name = "home"
about = "…"
people = ["Bewohnerin"]

[kinds]
"Bewohnerin" = ["Änne", "Ösil"]

[skills.wake]
says = "Wake {who}."
doc = "Wake somebody."
parameters = { who = "Bewohnerin" }
""")
    talk = Talk(["wake(bewohnerins)"], world)
    talk.say("Wake all of them.")
    assert talk.steps == ["Wake Änne.", "Wake Ösil."]


@given(st.text(min_size=1, max_size=12))
def test_any_name_can_be_spelled_and_python_reads_it_as_it_stands(text: str) -> None:
    name = identifier(text)
    (node,) = (each for each in ast.walk(ast.parse(f"{name}()")) if isinstance(each, ast.Name))
    assert node.id == name


def test_skills_beyond_ascii_can_be_called() -> None:
    lexicon = Lexicon(skills={"浇水": Signature("浇水", "Waters.", (Parameter("it", str, ""),), "浇{it}。")})
    program = '浇水("蕨")'
    assert Grammar.parse(program_grammar(lexicon)).accepts(f"{program}\n\n")
    assert [call.role for call in parse_program(program, lexicon).calls()] == ["skill"]
