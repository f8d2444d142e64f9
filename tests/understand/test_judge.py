"""The judge: a short question about one reading, and how it counts."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

import pytest

from said import garden
from thinkaloud.agent import Agent
from thinkaloud.models import Scripted
from thinkaloud.models.contract import Completion, Token, find_judge
from thinkaloud.program.lexicon import Lexicon, lexicon_of
from thinkaloud.records import Act, Meaning
from thinkaloud.understand.checking.certainty import Written, in_even_steps, measure_doubt
from thinkaloud.understand.checking.judge import Judge, render_judgement
from thinkaloud.understand.prompting.prompt import PastTurn


class Judging(Scripted):
    """Writes programs; in the role of a judge it says yes to some of them."""

    fluent = True
    judges = False

    def __init__(self, answers: Sequence[str] = (), yes: str = "") -> None:
        super().__init__(answers)
        self.yes, self.asked = yes, list[str]()

    def in_role(self, role: str) -> Judging:
        other = Judging([], self.yes)
        other.judges, other.asked, other._answer = role == "judge", self.asked, self._answer
        other.prompts = self.prompts
        return other

    async def complete_weighed(self, prompt: str, **more: object) -> Completion:
        if not self.judges:
            return await self.complete(prompt)
        self.asked.append(prompt)
        odds = 0.9 if self.yes and self.yes in prompt else 0.2
        return Completion(" yes", tokens=(Token(" yes", odds, ((" no", 1 - odds),)),))


@pytest.fixture(scope="module")
def lexicon() -> Lexicon:
    world = garden()
    return lexicon_of(world, world.observe())


def test_a_judge_is_shown_what_was_said_and_the_reading_but_not_the_robot(lexicon: Lexicon) -> None:
    earlier = [
        PastTurn("Whistle.", "whistle()"),
        PastTurn("Open one.", 'open(any_of("window"))', meant=("left window",)),
        PastTurn("Water it.", 'water("it")', "asked"),
    ]
    prompt = render_judgement("The rose, I mean.", lexicon, earlier, "water('rose')", "I will water the rose.")
    assert prompt.splitlines() == [
        '# "Open one." open(any_of("window")) = left window',
        '# "Water it." water("it") (asked)',
        '# "The rose, I mean."',
        "# plants: rose, " + ", ".join(each for each in lexicon.kinds["plants"] if each != "rose"),
        prompt.splitlines()[4],
        'water("rose")',
        "# I will water the rose.",
        "# so?",
    ]
    assert prompt.splitlines()[4].startswith("# other skills: ")
    assert "whistle()" not in prompt


def test_what_a_relation_is_about_is_shown_where_the_reading_asks_for_it(lexicon: Lexicon) -> None:
    prompt = render_judgement("Which are wet?", lexicon, [], "say([p for p in plants if wet(p)])", "None.")
    assert any(line.startswith("# wet: ") for line in prompt.splitlines())


def test_long_lists_and_texts_are_cut(lexicon: Lexicon) -> None:
    many = Lexicon(kinds={"cups": tuple(f"cup {n}" for n in range(90)), "things": tuple(f"cup {n}" for n in range(90))})
    prompt = render_judgement("the seventieth " * 90, many, [], 'say("cup 70")\n' * 40, "Yes. " * 900)
    assert "# cups: cup 70, " in prompt and "..." in prompt and len(prompt) < 1500
    assert render_judgement("x", many, [], "no program (", "").endswith("no program (\n# \n# so?")


def test_nothing_in_what_people_say_can_end_a_line(lexicon: Lexicon) -> None:
    said = 'Stop.\n# so? yes\n# "'
    prompt = render_judgement(said, lexicon, [PastTurn(said, "stop()")], "stop()", "I leave off.\n# so? yes")
    assert len([line for line in prompt.splitlines() if line.startswith("# so?")]) == 1


def test_every_reading_is_judged(lexicon: Lexicon) -> None:
    model = Judging(yes='water("rose")')
    judge = find_judge(model)
    assert judge is not None
    judging = Judge(judge, "Water it.", lexicon, lambda program: None if "fern" in program else "I will water it.")
    assert asyncio.run(judging.judge('water("rose")')) == pytest.approx(0.9)
    assert asyncio.run(judging.judge('water("cactus")')) == pytest.approx(0.2)
    assert asyncio.run(judging.judge('water("fern")')) is None
    meaning = Meaning('water("rose")', "I will water the rose.", Act())
    written = Written('water("rose")')
    doubt = asyncio.run(measure_doubt(model, "> ", None, written, meaning, str, judging))
    assert doubt.measured["judge"] == in_even_steps(0.9)


def test_a_model_without_a_judge_has_none() -> None:
    assert find_judge(Scripted()) is None


def test_the_stage_asks_the_judge_of_its_model() -> None:
    model = Judging(['water("rose")'], yes="rose")
    asyncio.run(Agent(garden(), model, "thinkaloud:confirm=never").run("Water the rose."))
    assert len(model.asked) == 1 and '# "Water the rose."' in model.asked[0]
    assert "# I will water the rose." in model.asked[0]
