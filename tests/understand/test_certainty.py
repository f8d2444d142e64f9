"""How sure: forks, other readings, weights, thresholds."""

from __future__ import annotations

import asyncio
from collections.abc import Hashable, Sequence
from dataclasses import replace
from typing import Any, cast

import pytest

from thinkaloud.models import Recorded, Scripted
from thinkaloud.models.contract import Completion, Model, Token, complete_weighed
from thinkaloud.records import Act, Meaning, ModelCall, Step
from thinkaloud.understand.checking.certainty import (
    Doubt,
    Written,
    find_forks,
    how_sure,
    in_even_steps,
    measure_doubt,
    measure_likelihood,
    threshold_for,
    threshold_in,
    tidied,
    weigh,
    write_program,
)
from thinkaloud.understand.checking.judge import Judge, odds_of_yes

NO_DOUBTS = {"changes_nothing": 0.0}
FILL = Written('fill("big cup")', (Token("fill", 0.6, (("cannot", 0.3),)), Token('("', 1.0), Token("big cup", 0.9)))


class Unsure(Scripted):
    """A script that says how likely its pieces are."""

    async def complete_weighed(
        self, prompt: str, *, stop: Sequence[str] = (), grammar: str | None = None, most: int = 256
    ) -> Completion:
        """The next answer; its first piece might have been another."""
        answer = await self.complete(prompt, stop=stop, grammar=grammar, most=most)
        return Completion(answer.text, answer.usage, (Token(answer.text[:4], 0.5, (("cannot", 0.4), ("say", 0.01))),))


def as_written(program: str) -> Hashable | None:
    return None if "broken" in program else program


def test_a_fork_is_where_another_piece_was_nearly_as_likely() -> None:
    assert [(text, round(odds, 2)) for text, odds in find_forks(FILL)] == [("cannot", 0.5)]
    sure = Written("stop()", (Token("stop", 0.99, (("say", 0.01),)),))
    assert find_forks(sure) == []


def test_pieces_that_the_grammar_filled_in_are_passed_over() -> None:
    written = Written('put("a", "b")', (Token("put", 1.0), Token("a", 0.5, (("c", 0.4),)), Token("b", 1.0)))
    assert [(text, round(odds, 2)) for text, odds in find_forks(written)] == [('put("c', 0.8)]


def test_readings_that_come_to_the_same_are_one() -> None:
    same = weigh(FILL, [Written("fill(cups)", odds=0.5)], lambda program: "full", NO_DOUBTS)
    assert same.others == () and same.measured["agreement"] == 1
    apart = weigh(FILL, [Written("fill(cups)", odds=0.5), Written("broken", odds=1.0)], as_written, NO_DOUBTS)
    assert [(each.program, round(each.weight, 2)) for each in apart.others] == [("fill(cups)", 0.33)]
    assert apart.sure < same.sure


@pytest.mark.parametrize("sign", sorted(NO_DOUBTS))
def test_no_sign_of_doubt_makes_surer(sign: str) -> None:
    assert weigh(FILL, [], as_written, NO_DOUBTS | {sign: 1.0}).sure <= weigh(FILL, [], as_written, NO_DOUBTS).sure


def test_what_a_model_was_not_sure_of_makes_less_sure() -> None:
    likely = Written("stop()", (Token("stop", 0.99), Token("()", 0.99)))
    unlikely = Written("stop()", (Token("stop", 0.2), Token("()", 0.99)))
    assert weigh(unlikely, [], as_written, NO_DOUBTS).sure < weigh(likely, [], as_written, NO_DOUBTS).sure


def test_another_reading_is_written_from_where_the_model_was_least_sure() -> None:
    model = Unsure(['fill("cup")', '("There is no cup.")'])
    meaning = Meaning('fill("cup")', "", Act())

    async def both() -> tuple[str, list[str]]:
        written = await write_program(model, "> ", None)
        doubt = await measure_doubt(model, "> ", None, written, meaning, as_written)
        return written.program, [each.program for each in doubt.others]

    assert asyncio.run(both()) == ('fill("cup")', ['cannot("There is no cup.")'])
    assert model.prompts == ["> ", "> cannot"]


def test_a_reading_that_can_be_stands_in_for_one_that_cannot() -> None:
    model = Unsure(['fill("broken")', '("There is no cup.")'])
    meaning = Meaning('fill("broken")', "", Act())

    async def both() -> Doubt:
        written = await write_program(model, "> ", None)
        return await measure_doubt(model, "> ", None, written, meaning, as_written)

    doubt = asyncio.run(both())
    assert doubt.instead == 'cannot("There is no cup.")' and doubt.others == ()


class Judging:
    """A judge that always says the same, and counts how often it is asked."""

    def __init__(self, likelihood: float) -> None:
        self.likelihood, self.asked = likelihood, 0

    async def judge(self, program: str) -> float:
        self.asked += 1
        return self.likelihood


def judged(likelihood: float, pieces: float, enough: float | None) -> tuple[Doubt, int]:
    """How sure the large model is of a program whose pieces were so likely, and how often the judge was asked."""
    model, judge = Scripted([], name="embedded-large"), Judging(likelihood)
    written = Written('fill("cup")', (Token("fill", pieces), Token('("cup")', pieces)))
    meaning = Meaning('fill("cup")', "", Act((Step("fill", {"vessel": "cup"}, "", ""),)))
    asked = measure_doubt(model, "> ", None, written, meaning, as_written, cast(Judge, judge), enough)
    return asyncio.run(asked), judge.asked


@pytest.mark.parametrize("likelihood", [0.0, 0.3, 0.9, 1.0])
@pytest.mark.parametrize("pieces", [0.02, 0.5, 0.9, 0.99, 0.999, 0.9999, 0.99999, 1.0])
def test_the_judge_is_asked_only_where_its_answer_could_change_what_is_done(likelihood: float, pieces: float) -> None:
    enough = threshold_for("embedded-large")
    always, once = judged(likelihood, pieces, None)
    doubt, times = judged(likelihood, pieces, enough)
    assert once == 1 and (doubt.sure >= enough) is (always.sure >= enough)
    assert times == 1 or abs(doubt.sure - enough) <= abs(always.sure - enough)
    assert times == (1 if 0.02 < pieces < 0.9995 else 0)


@pytest.mark.parametrize("model", ["default", "embedded", "embedded-large"])
def test_what_a_judge_says_for_a_reading_never_makes_it_less_sure(model: str) -> None:
    measured = {"begun": 0.9, "average_odds": 2.0, "agreement": 0.8}
    sure = [how_sure({**measured, "judge": in_even_steps(each)}, model) for each in (0.0, 0.2, 0.5, 0.9, 1.0)]
    assert sure == sorted(sure)


def test_a_beginning_that_the_grammar_does_not_have_is_not_followed() -> None:
    model = Unsure(['fill("cup")'])
    meaning = Meaning('fill("cup")', "", Act())
    grammar = 'root ::= "fill(\\"cup\\")"\n'

    async def both() -> int:
        written = await write_program(model, "> ", grammar)
        return len((await measure_doubt(model, "> ", grammar, written, meaning, as_written)).others)

    assert asyncio.run(both()) == 0


def test_a_model_that_cannot_tell_is_asked_once() -> None:
    model: Model = Scripted(['fill("cup")'])
    calls: list[ModelCall] = []
    recorded = Recorded(model, emit=calls.append)
    answer = asyncio.run(complete_weighed(recorded, "> "))
    assert (answer.text, answer.tokens, len(calls)) == ('fill("cup")', (), 1)


def test_fences_and_comments_are_no_part_of_a_program() -> None:
    assert tidied('```python\n# so\nif x:\n    fill("cup")\n\n```\n') == 'if x:\n    fill("cup")'


def test_the_threshold_is_the_least_strict_that_keeps_to_the_share() -> None:
    models = {"small": {"accepts": [[0.02, 0.91], [0.05, 0.8]]}, "default": {"accepts": [[0.1, 0.5]]}}
    assert threshold_in(models, "small", 0.05) == 0.8
    assert threshold_in(models, "small", 0.03) == 0.91
    assert threshold_in(models, "small", 0.01) == 1.0
    assert threshold_in(models, "another", 0.2) == 0.5


def test_each_model_has_a_share_of_its_own_by_default() -> None:
    accepts = [[0.02, 0.91], [0.17, 0.8], [0.2, 0.1]]
    models: dict[str, dict[str, Any]] = {"small": {"accept": 0.17, "accepts": accepts}, "default": {"accepts": accepts}}
    assert threshold_in(models, "small") == 0.8
    assert threshold_in(models, "another") == 0.91
    assert 0 <= threshold_for("embedded-large", 0.05) <= 1
    assert threshold_for("nobody measured", 0.05) >= threshold_for("embedded-large", 0.05)


@pytest.mark.parametrize(
    ("told", "judged"),
    [
        ((Token(" yes", 0.6, ((" no", 0.2), (" maybe", 0.2))),), 0.75),
        ((Token(" no", 0.9, ((" yes", 0.1),)),), 0.1),
        ((Token(" maybe", 0.6, (("yes", 0.1), ("no", 0.3))),), 0.25),
        ((Token(" yes", 0.8),), 1.0),
        ((Token(" maybe", 0.9),), None),
        ((Token(" perhaps", 0.9), Token(" yes", 1.0)), None),
        ((), None),
    ],
)
def test_a_judgement_is_how_likely_yes_is_beside_no(told: tuple[Token, ...], judged: float | None) -> None:
    assert odds_of_yes(told) == (None if judged is None else pytest.approx(judged))


def test_a_judgement_counts_in_even_steps_within_limits() -> None:
    assert in_even_steps(0.5) == 0
    assert in_even_steps(0.8) == pytest.approx(-in_even_steps(0.2)) == pytest.approx(0.693, abs=1e-3)
    assert (in_even_steps(0.0), in_even_steps(1.0)) == (-3, 3)
    values = [in_even_steps(number / 20) for number in range(21)]
    assert values == sorted(values)


def test_what_a_judge_thinks_of_a_reading_weighs_it() -> None:
    others = [Written("fill(cups)", odds=0.5, judged=0.8), Written("stop()", odds=0.5, judged=0.1)]
    doubt = weigh(replace(FILL, judged=0.2), others, as_written, NO_DOUBTS)
    assert [(each.program, round(each.weight, 2)) for each in doubt.others] == [("fill(cups)", 0.62)]
    assert doubt.measured["judge"] == in_even_steps(0.2)
    assert doubt.measured["agreement"] == 0.5
    unasked = weigh(FILL, [replace(each, judged=None) for each in others], as_written, NO_DOUBTS)
    assert [round(each.weight, 2) for each in unasked.others] == [0.25, 0.25]
    assert "judge" not in unasked.measured


def test_a_judgement_counts_for_a_model_that_was_fitted_with_one() -> None:
    measured = {"least": 0.9, "begun": 0.9, "average": 0.9, "agreement": 1.0}
    against, for_it = (how_sure({**measured, "judge": judged}, "embedded") for judged in (-3.0, 3.0))
    assert against < how_sure({**measured, "judge": 0.0}, "embedded") < for_it
    assert how_sure({**measured, "judge": -3.0}) == how_sure(measured)


def test_near_one_odds_still_tell_likelihoods_apart() -> None:
    likely, likelier = (measure_likelihood(Written("stop()", (Token("stop", value),))) for value in (0.99, 0.999))
    assert likelier["least"] - likely["least"] < 0.01
    assert likelier["least_odds"] - likely["least_odds"] > 1
    assert likelier["average_odds"] > likely["average_odds"]


def test_the_longer_a_program_of_likely_pieces_the_less_likely_is_all_of_it() -> None:
    short, long = (measure_likelihood(Written("", (Token("a", 0.9),) * count)) for count in (2, 10))
    assert short["average"] == pytest.approx(long["average"])
    assert 0 > short["whole"] > long["whole"]
    assert measure_likelihood(Written("", (Token("a", 0.1),) * 50))["whole"] == -4
