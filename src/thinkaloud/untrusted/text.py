"""Text from outside is data: names of things, what skills report, what worlds tell, what people answer.

It becomes part of prompts, whose lines are ours. So it must fit on one line, must not end a quote, and must not contain
the labels that our lines begin with. `tidy_record` ensures that when a record enters the monologue, and every prompt is
made from the monologue. Names also appear in grammars and calls, so they are never changed; a name that could be taken
for more than a name is refused when things are first seen (`refuse_names`).

Not covered: requests. A request is not data; it says what to do.
"""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Iterable, Mapping
from dataclasses import replace
from functools import lru_cache

from thinkaloud.errors import BadInput
from thinkaloud.records import (
    Answer,
    Ask,
    Critique,
    Observation,
    Outcome,
    Record,
    Refusal,
    Rehearsal,
    Value,
    Verdict,
    WorldState,
)

LONGEST_LINE, LONGEST_ANSWER, LONGEST_QUOTE = 600, 2000, 300
"""The most letters of a report, of an answer, and of one piece of people's words."""
LONGEST_NAME, MOST_WORDS = 60, 6
NAMES_HAVE = f"names have 1 to {LONGEST_NAME} letters, digits, spaces or hyphens, in at most {MOST_WORDS} words"
_LABELS = (
    "human|robot|robot thought|robot action|robot ask|scene|success|request|new request|order|material|steps?|rules"
    "|completed steps|refused|declined|not available|unavailable|task|things|takes|now|seen|done|done so far|failed|why"
    "|needed|meant|plan|ask|critic|simulator|note|not possible|not usable|environment|relations|questions|violations"
    "|questions and answers|thought|step-by-step instructions|output|query|state|objects|told|kept|next|wanted|heard"
    "|goal|goal state is|options|instructions|available material[^:]{0,30}|system|user|assistant|tool|developer"
)
SPEAKER_LABEL = re.compile(rf"(?<![\w'-])((?:{_LABELS}))\s*[:：]", re.IGNORECASE)
"""The labels our lines begin with in any prompt, and the roles of a chat."""
_MARKS = re.compile(r"<\|[^|>]{0,40}\|>|</?s>|\[/?INST\]|<</?SYS>>|```+|\n#+")
"""What separates the turns of a chat for a model, and text from code."""
_UNSEEN = ("Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp")
_IN_NAMES = " '’.#&/+-_()%°"
_ENDS_OR_BEGINS = re.compile(r"(?<!\bProf)(?<!\bCapt)(?<!\bInsp)(?<=[^\W\d]{4})\.\s+[^\W\d]|#(?!\d)|\s{2}")
"""The end of a sentence before another. A full stop after up to three letters, or a title, marks an abbreviation."""


def without_unseen(text: str) -> str:
    """A text with spaces in place of invisible characters: line ends, escapes, direction marks."""
    if text.isascii() and text.isprintable():
        return text
    return "".join(" " if unicodedata.category(letter) in _UNSEEN else letter for letter in text)


def one_line(text: str, longest: int = LONGEST_LINE) -> str:
    """A text on one line, without invisible characters, cut to a length."""
    line = " ".join(without_unseen(text).split())
    return line if len(line) <= longest else line[: longest - 1] + "…"


def quoted(text: str, longest: int = LONGEST_QUOTE) -> str:
    """Somebody's words in quotes, on one line: nothing in them can end the line, or the quotes."""
    return json.dumps(one_line(text, longest), ensure_ascii=False)


def as_data(text: str, longest: int = LONGEST_LINE) -> str:
    """Make a text from outside safe to put in one of our lines, inside its quotes and under its label."""
    line = one_line(_MARKS.sub(" ", text), longest)
    return SPEAKER_LABEL.sub(r"\1 -", line).replace('"', "'").replace("\\", "/")


# Names ----------------------------------------------------------------------------------------------------------------


@lru_cache(maxsize=4096)
def is_name(text: str, longest: int = LONGEST_NAME) -> bool:
    """Whether a text can only be a name: a few words, and nothing that ends a sentence, a quote, a list or a line."""
    if not 0 < len(text) <= longest or text != text.strip() or len(text.split()) > MOST_WORDS:
        return False
    letters = (letter in _IN_NAMES or unicodedata.category(letter)[0] in "LMN" for letter in text)
    return all(letters) and text[0].isalnum() and _ENDS_OR_BEGINS.search(text) is None


def say_no_name(text: str, longest: int = LONGEST_NAME) -> str:
    """What is wrong with a name, and what a name may be."""
    return f"{one_line(text, 60)!r} is no usable name; {NAMES_HAVE.replace(str(LONGEST_NAME), str(longest))}."


def refuse_names(scene: Observation) -> None:
    """Raise BadInput if a name in view could be taken for more than a name."""
    for name in _names_in(scene):
        if not is_name(name):
            raise BadInput(f"{say_no_name(name)} Something in view has this name; rename it.")


def _names_in(scene: Observation) -> Iterable[str]:
    yield from (*scene.objects, *scene.hidden)
    for names in scene.vocabulary.values():
        yield from names
    if scene.state is not None:
        yield from scene.state.objects


# The door -------------------------------------------------------------------------------------------------------------


def tidy_record(record: Record) -> Record:
    """Make the outside text of a record safe before it enters the monologue; raises BadInput for unusable names."""
    match record:
        case Answer(text):
            return replace(record, text=as_data(text, LONGEST_ANSWER))
        case Outcome(report=report, fixes=fixes) if report or fixes:
            told = tuple(replace(fix, problem=as_data(fix.problem), remedy=as_data(fix.remedy)) for fix in fixes)
            return replace(record, report=as_data(report), fixes=told)
        case Verdict(expected=expected, observed=observed, why=why, doubt=doubt) if expected or observed or why:
            expected, observed, why, doubt = map(as_data, (expected, observed, why, doubt))
            return replace(record, expected=expected, observed=observed, why=why, doubt=doubt)
        case Critique(violations, "rules") if violations:  # an analyzer's words come from a model
            return replace(record, violations=tuple(replace(each, why=as_data(each.why)) for each in violations))
        case Rehearsal(error=error) if error:
            return replace(record, error=as_data(error))
        case Refusal(why=why):  # our own words, though they may contain a name or what a program was told
            return replace(record, why=without_unseen(why))
        case Ask(questions):
            return replace(record, questions=tuple(map(without_unseen, questions)))
        case Observation(state=state):
            refuse_names(record)
            return record if state is None else replace(record, state=_tidied_state(state))
        case _:
            return record


def _tidied_state(state: WorldState) -> WorldState:
    attributes = {
        name: {one_line(word): _tidied_value(value) for word, value in known.items()}
        for name, known in state.attributes.items()
    }
    same = attributes == _plain(state.attributes)
    facts = tuple(as_data(fact) for fact in state.facts)
    return state if same and facts == state.facts else replace(state, attributes=attributes, facts=facts)


def _plain(attributes: Mapping[str, Mapping[str, Value]]) -> dict[str, dict[str, Value]]:
    return {name: dict(known) for name, known in attributes.items()}


def _tidied_value(value: Value) -> Value:
    return as_data(value) if isinstance(value, str) else value
