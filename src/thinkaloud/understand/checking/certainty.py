"""How sure: other readings of what was said, what speaks for each, and the number that is held against a threshold.

While a model writes it says how likely each piece was. Where another piece was likely, too, it is made to go on from
there: that gives another reading, for a second or less. Readings are the same if they come to the same in the world at
hand, which the caller says (`outcome`). From the likelihoods, from how far the readings agree, from the judge and from
one sign comes one number; a threshold for it is calibrated elsewhere, on requests that nothing here was made with.

    written = await write_program(model, prompt, grammar)
    doubt = await measure_doubt(model, prompt, grammar, written, meaning, outcome)
    if doubt.sure < threshold_for(model.name): …            # ask, and offer the others
"""

from __future__ import annotations

import math
import tomllib
from collections.abc import Callable, Hashable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import cache
from importlib import resources
from typing import Any

from thinkaloud.errors import ModelError
from thinkaloud.models import grammar as gbnf
from thinkaloud.models.contract import Model, Token, Usage, complete_weighed
from thinkaloud.models.gbnf import read_grammar
from thinkaloud.models.gbnf_rules import BadGrammar
from thinkaloud.records import WEIGHED, Meaning, Reading
from thinkaloud.understand.checking.judge import Judge
from thinkaloud.understand.prompting.prompt import STOPS, render_knowledge
from thinkaloud.untrusted.text import quoted

MOST_TOKENS = 200
_MOST_OTHERS = 2
_LIKELY = 0.12
"""How likely another piece has to have been for it to be followed."""
_WORTH_ASKING = 0.1
"""The weight under which a reading is not offered."""
_FALLBACK = "default"
_USUAL = 0.15
"""The share of silent errors that is accepted of a model for which none was chosen."""

Outcome = Callable[[str], Hashable | None]
"""What a program comes to just now: the same for programs that come to the same; None for what cannot be run or be."""


@dataclass(frozen=True)
class Written:
    """A program as a model wrote it. `odds`: how likely it is beside the one that the model would write first.

    `judged`: how likely a judge says it is what was meant; None where none was asked.
    """

    program: str
    tokens: tuple[Token, ...] = ()
    odds: float = 1.0
    usage: Usage = field(default_factory=Usage)
    judged: float | None = None


@dataclass(frozen=True)
class Doubt:
    """How sure, from 0 to 1; the other readings, which come to something else, likeliest first; what was measured.

    `instead`: the reading that this is about, where the one that was written first cannot be.
    """

    sure: float
    others: tuple[Reading, ...] = ()
    measured: Mapping[str, float] = field(default_factory=dict)
    instead: str = ""


async def measure_doubt(
    model: Model,
    prompt: str,
    grammar: str | None,
    written: Written,
    meaning: Meaning,
    outcome: Outcome,
    judge: Judge | None = None,
    enough: float | None = None,
) -> Doubt:
    """How sure the reading is that a model wrote first; others are looked for where it would be taken for granted.

    A judge, if there is one, is asked about every reading that something depends on. What cannot be was not meant,
    where another reading can. `enough` is the threshold that will decide, if nothing else does: the judge is not asked
    where no answer of it could bring the reading below that, or none above. Then `sure` is the nearest it could be.
    """
    signs = {"changes_nothing": float(meaning.sort == "deeds" and not meaning.deeds)}
    if meaning.sort not in WEIGHED:
        return weigh(written, [], outcome, signs, model.name)
    others = await write_others(model, prompt, grammar, written)
    others = [each for each in others if outcome(each.program) is not None]
    instead = outcome(written.program) is None and bool(others)
    if instead:
        written, *others = others
    doubtful = any(outcome(each.program) != outcome(written.program) for each in others)  # else none of them is offered
    if judge is not None and enough is not None and not doubtful:
        least, most = (weigh(replace(written, judged=j), others, outcome, signs, model.name) for j in (0.0, 1.0))
        if least.sure >= enough or most.sure < enough:
            return replace(least if least.sure >= enough else most, instead=written.program if instead else "")
    if judge is not None:
        written = replace(written, judged=await judge.judge(written.program))
        if doubtful:
            others = [replace(each, judged=await judge.judge(each.program)) for each in others]
    doubt = weigh(written, others, outcome, signs, model.name)
    return replace(doubt, instead=written.program) if instead else doubt


# Readings -------------------------------------------------------------------------------------------------------------


async def write_program(model: Model, prompt: str, grammar: str | None) -> Written:
    """The program that a model writes first, with how likely each piece of it was if the model can tell."""
    answer = await complete_weighed(model, prompt, stop=STOPS, grammar=grammar, most=MOST_TOKENS)
    return Written(tidied(answer.text), answer.tokens, usage=answer.usage)


async def write_others(model: Model, prompt: str, grammar: str | None, written: Written) -> list[Written]:
    """Other programs that the model might have written: it goes on from where it was least sure."""
    found: list[Written] = []
    for beginning, odds in find_forks(written):
        rest = grammar
        if grammar is not None:
            try:
                rest = read_grammar(grammar).residual(beginning)
            except (ValueError, BadGrammar):  # the grammar does not have this
                continue
        try:
            answer = await complete_weighed(model, prompt + beginning, stop=STOPS, grammar=rest, most=MOST_TOKENS)
        except ModelError:
            continue
        program = tidied(beginning + answer.text)
        if program and program not in {written.program, *(each.program for each in found)}:
            found.append(Written(program, answer.tokens, odds, answer.usage))
    return found


async def ask_which(model: Model, prompt: str, program: str, words: str, things: Sequence[str]) -> tuple[str, ...]:
    """The things that words may name, as far as a model knows: no less likely than that they name none of them."""
    rules = {"thing": gbnf.one_of([quoted(each) for each in things])}
    form = gbnf.grammar('" " ("none" | thing (", " thing)*) "\\n"', rules)
    asked = render_knowledge(prompt, program, words)
    answer = await model.complete(asked, stop=("\n",), grammar=form, most=MOST_TOKENS)
    found = [each for each in things if quoted(each) in answer.text]
    if found:
        with suppress(ModelError):  # not every model can score
            none, *scores = (await model.score(asked, [" none", *(f" {quoted(each)}" for each in found)])).values
            found = [each for each, score in zip(found, scores, strict=True) if score >= none]
    return tuple(found)


def find_forks(written: Written) -> list[tuple[str, float]]:
    """Beginnings of other programs: up to a piece of this one, and then the one that was nearly as likely."""
    forks: list[tuple[str, float]] = []
    place = 0
    for token in written.tokens:
        found = written.program.find(token.text, place)
        if found < 0 or not token.text.strip():
            continue
        place = found + len(token.text)
        for text, likelihood in token.others:
            if likelihood >= _LIKELY and text.strip() and "#" not in text:
                forks.append((written.program[:found] + text, likelihood / max(token.likelihood, likelihood, 1e-9)))
    return sorted(dict(forks).items(), key=lambda fork: -fork[1])[:_MOST_OTHERS]


def tidied(text: str) -> str:
    """A program without what does not belong to it: empty lines, comments, fences."""
    lines = [line.rstrip() for line in text.splitlines()]
    return "\n".join(line for line in lines if line and not line.startswith(("#", "```")))


# Weighing -------------------------------------------------------------------------------------------------------------


def weigh(
    written: Written, others: Sequence[Written], outcome: Outcome, signs: Mapping[str, float], model: str = ""
) -> Doubt:
    """How sure a reading is, beside the others and in view of the signs that it may be wrong."""
    wanted = outcome(written.program)
    odds: dict[Hashable, float] = {}
    backed: dict[Hashable, float] = {}  # the same, with what a judge says of them
    first: dict[Hashable, str] = {}
    for each in (written, *others):
        end = outcome(each.program)
        if end is not None or each is written:
            odds[end] = odds.get(end, 0.0) + each.odds
            backed[end] = backed.get(end, 0.0) + each.odds * (1.0 if each.judged is None else each.judged)
            first.setdefault(end, each.program)
    total = sum(backed.values()) or 1.0
    readings = [Reading(first[end], "", backed[end] / total) for end in first if end != wanted]
    offered = [reading for reading in readings if reading.weight >= _WORTH_ASKING]
    measured = {**measure_likelihood(written), "agreement": odds[wanted] / sum(odds.values()), **signs}
    if written.judged is not None:
        measured["judge"] = in_even_steps(written.judged)
    return Doubt(how_sure(measured, model), tuple(sorted(offered, key=lambda reading: -reading.weight)), measured)


def measure_likelihood(written: Written) -> dict[str, float]:
    """The likelihood of the least likely piece, of the first, and of all of them on the average; 1 where not told.

    The least and the average also as odds, which go on telling near 1; and how unlikely all of it together is.
    """
    values = [token.likelihood for token in written.tokens if token.text.strip()]
    if not values:
        values = [1.0]
    logs = [math.log(max(value, 1e-6)) for value in values]
    least, average = min(values), math.exp(sum(logs) / len(logs))
    found = {"least": least, "begun": values[0], "average": average}
    return found | {
        "least_odds": in_even_steps(least, 5),
        "average_odds": in_even_steps(average, 5),
        "whole": max(sum(logs), -4.0),
    }


def in_even_steps(likelihood: float, most: float = 3.0) -> float:
    """A likelihood as odds, in even steps: from -3 (surely not) over 0 to 3 (surely), or as far as one says."""
    yes = min(max(likelihood, 1e-6), 1 - 1e-6)
    return max(-most, min(most, math.log(yes / (1 - yes)) / 2))


def how_sure(measured: Mapping[str, float], model: str = "") -> float:
    """A logistic function of all that was measured, with coefficients that were fitted for the model, or for any."""
    models = _read("certainty.toml")["models"]
    counts = models.get(_known_as(model)) or models[_FALLBACK]
    value = counts["constant"] + sum(counts.get(name, 0.0) * amount for name, amount in measured.items())
    return 1 / (1 + math.exp(-max(-30.0, min(30.0, value))))


# What to do with it ---------------------------------------------------------------------------------------------------


def threshold_for(model: str, accepted_silent: float | None = None) -> float:
    """How sure a reading has to be so that no more than this share of requests of any kind is silently wrong.

    Without a share it is the one that was chosen for the model, by what it asks in vain. From the calibrated points of
    the model, or of any model where it has none: the least strict of those that keep to the share; nothing is sure
    enough (1) where none does. Each point was measured on the hardest kind of requests.
    """
    return threshold_in(_read("thresholds.toml").get("models", {}), model, accepted_silent)


def threshold_in(models: Mapping[str, Mapping[str, Any]], model: str, accepted: float | None = None) -> float:
    """The threshold by these calibrated points, `accepts = [[share of silent errors, threshold], …]` for each model."""
    found = models.get(_known_as(model)) or models.get(_FALLBACK) or {}
    points: Sequence[Sequence[float]] = found.get("accepts", ())
    accepted = float(found.get("accept", _USUAL)) if accepted is None else accepted
    return min((float(threshold) for share, threshold in points if share <= accepted), default=1.0)


def _known_as(model: str) -> str:
    """What a model is called in the tables; one that is served goes by its own name."""
    return model.removeprefix("openai:")


@cache
def _read(name: str) -> Mapping[str, Any]:
    return tomllib.loads(resources.files(__package__).joinpath(name).read_text(encoding="utf-8"))
