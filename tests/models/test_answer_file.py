"""What a model answered is kept in a file, and given again to the same question, and to no other."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from thinkaloud.errors import ModelMissing, ModelUnreachable
from thinkaloud.models import Scripted, Turn, open_model
from thinkaloud.models.answer_file import ReadsAnswers, WritesAnswers
from thinkaloud.models.contract import Completion, Token, complete_weighed, find_judge, in_role, is_fluent


class Unsure(Scripted):
    """Tells how likely its answers were, and judges in that role."""

    fluent = True
    judges = False

    async def complete_weighed(self, prompt: str, **_: object) -> Completion:
        return Completion("stop()", tokens=(Token("stop", 0.75, (("say", 0.25),)),))

    def in_role(self, role: str) -> Unsure:
        other = Unsure(self._answer, scores=self._scores, name=self.name)
        other.judges = role == "judge"
        return other


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "answers.jsonl"


async def ask(model: WritesAnswers | ReadsAnswers) -> list[object]:
    listener = in_role(model, "listener")
    judge = find_judge(model)
    assert judge is not None and is_fluent(listener)
    return [
        await listener.complete("Fill it.", stop=("\n",), grammar='root ::= "x"'),
        await complete_weighed(listener, "Fill it.", stop=("\n",)),
        await complete_weighed(judge, "so?", stop=("\n",)),
        await model.chat([Turn("user", "Hello.")]),
        await model.score("Pick", [" a", " b"]),
    ]


def test_the_same_questions_get_the_same_answers_without_the_model(path: Path) -> None:
    model = Unsure(lambda prompt: f"{prompt}!", scores={" a": -1.0, " b": -2.5}, name="some model")
    first = asyncio.run(ask(WritesAnswers(model, path)))
    again = open_model(f"replay:{path}")
    assert isinstance(again, ReadsAnswers) and again.name == "some model" and not again.judges
    assert asyncio.run(ask(again)) == first


def test_another_question_is_an_error_that_shows_it(path: Path) -> None:
    writes = WritesAnswers(Scripted(["x", "x"]), path)
    asyncio.run(writes.complete("Fill it.", grammar="one"))
    again = ReadsAnswers(path)
    for ask_again in (
        again.complete("Fill it.", grammar="another"),
        again.complete("Fill it.", grammar="one", stop=("\n",)),
        again.complete("Fill that.", grammar="one"),
        again.complete_weighed("Fill it.", grammar="one"),
        again.in_role("planner").complete("Fill it.", grammar="one"),
    ):
        with pytest.raises(ModelUnreachable, match=r"no answer to this question .*Fill"):
            asyncio.run(ask_again)
    assert asyncio.run(again.complete("Fill it.", grammar="one")).text == "x"
    assert find_judge(again) is None


def test_a_file_without_answers_cannot_be_replayed(path: Path) -> None:
    for text in (None, "", "no line of ours\n"):
        if text is not None:
            path.write_text(text, encoding="utf-8")
        with pytest.raises(ModelMissing):
            ReadsAnswers(path)
