"""Asks whether somebody needs help, where a request moves nothing and the model all but wrote that somebody does.

A model may read "Call an ambulance!" as a wish that this robot cannot fulfil. How likely `emergency(` was in that place
tells such requests from others, in every language. `python -m thinkaloud_bench.costs.emergencies` measures it.
"""

from __future__ import annotations

import tomllib
from dataclasses import replace
from functools import cache
from importlib import resources

from thinkaloud.program import tree
from thinkaloud.program.lexicon import Lexicon
from thinkaloud.program.parsing import program_of, read_program
from thinkaloud.program.switches import switchable
from thinkaloud.records import Answered, Meaning, Noted, Question, Reading
from thinkaloud.saying.telling import HELP_COMES
from thinkaloud.understand.meaning.circumstances import Circumstances
from thinkaloud.understand.meaning.running import find_emergency
from thinkaloud.worlds.emergencies import can_call_for_help

NEEDS_HELP = "Does somebody need help now?"
_RULES = (tree.Standing, tree.Never, tree.Keep, tree.Allow, tree.Forget)
CALL_YOURSELF = "If somebody needs help now, please call for it: I can't."


@switchable(False)
def may_be_emergency(score: float, model: str) -> bool:
    """Whether a request that moves nothing may have told of an emergency."""
    return score >= threshold_for(model)


def threshold_for(model: str) -> float:
    """The score from which a person is asked: measured for the embedded models, careful for any other."""
    found = _thresholds()
    return found.get(model.removeprefix("openai:"), found["default"])


@cache
def _thresholds() -> dict[str, float]:
    text = resources.files(__package__).joinpath("emergency_thresholds.toml").read_text(encoding="utf-8")
    return {name: float(score) for name, score in tomllib.loads(text).items()}


def moves_nothing(meaning: Meaning, lexicon: Lexicon) -> bool:
    """Whether the robot would do nothing, is not told a rule, and tells nothing of how things are."""
    if meaning.sort not in ("refusal", "unclear", "answer", "note", "question"):
        return False
    program = read_program(meaning.program, lexicon)
    nodes = () if program is None else program.nodes
    if any(isinstance(node, _RULES) for node in nodes):
        return False
    calls = (node for node in nodes if isinstance(node, tree.Call))
    return meaning.sort != "answer" or not any(each.role in ("relation", "measure") for each in calls)


def offered_call(asked: Meaning, lexicon: Lexicon) -> str | None:
    """The call for help that a question offers, as a program."""
    for each in asked.readings:
        program = read_program(each.program, lexicon)
        if program is not None and find_emergency(program) is not None:
            return each.program
    return None


def ask_for_help(meaning: Meaning, at: Circumstances) -> Meaning:
    """The question; where the robot could not call for help anyway, that people should."""
    if not can_call_for_help(at.world):
        told = f"{CALL_YOURSELF} {meaning.spoken}".strip()
        aloud = isinstance(meaning.content, Answered | Noted)
        return replace(meaning, told=told) if aloud else replace(meaning, words=told)
    call = program_of([tree.Emergency(tree.Text(at.request))], at.lexicon).text
    question = Question(NEEDS_HELP, ("yes", "no"))
    return Meaning(meaning.program, NEEDS_HELP, question, readings=(Reading(call, HELP_COMES, 0.0),))
