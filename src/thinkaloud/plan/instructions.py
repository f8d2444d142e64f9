"""The three answers of MultiTalk's planner: numbered actions with their reasons, questions, or the order to look again.

    Step-by-step Instructions:          Questions:                     Perception Rerun Required
    1: action # reason                  1: question
    2: action # reason

Here is their grammar, and here they are read, also as models write them that no grammar holds.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from thinkaloud.dialogue import HEADING, is_pointed
from thinkaloud.errors import Unparseable
from thinkaloud.models import grammar as gbnf
from thinkaloud.plan.calls import called, parsed_call
from thinkaloud.records import Step
from thinkaloud.skills import Signature, Skill, Vocabulary

QUESTIONS = "Questions:"
RERUN = "Perception Rerun Required"
END = "\n\n"
MOST_STEPS, MOST_QUESTIONS = 20, 3
_NUMBER = '"-"? [0-9] "." [0-9]{2}'
_REASON = r"[^\n#]{3,90}"
_QUESTION = r'[A-Z(] [^\n?]{8,120} "?"'
_POINT = re.compile(r"\(-?\d+(?:\.\d+)?(?:, ?-?\d+(?:\.\d+)?)+\)")
_RERUN = re.compile(r"perception\W+re-?run|re-?run\W+(?:the\W+)?perception", re.IGNORECASE)
_NUMBERED = re.compile(r"^\s*(?:[-*]\s*)?\d+\s*[:.)]\s*(.+?)\s*$", re.MULTILINE)


# Grammar --------------------------------------------------------------------------------------------------------------


def thought_grammar(spoken: str) -> str:
    """What is known and what is not, in a line; with no numbers but those that somebody has spoken of."""
    points = dict.fromkeys(_POINT.findall(spoken))
    numbers = dict.fromkeys(re.findall(r"(?<= )\d+\b", _POINT.sub("", spoken)))
    spoken_of = [gbnf.literal(text) for text in (*points, *numbers)]
    piece = gbnf.choice([r"[^\n0-9(){}]", *spoken_of])
    return gbnf.grammar(gbnf.sequence(r"[A-Z]", f"{piece}{{8,110}}", gbnf.literal("\n")))


def kind_grammar(*, asks: bool, looks: bool) -> str:
    """Which of the answers it is going to be."""
    return gbnf.grammar(gbnf.one_of([HEADING + "\n"] + [QUESTIONS + "\n"] * asks + [RERUN + END] * looks))


def question_grammar() -> str:
    """Numbered questions."""
    return gbnf.grammar(gbnf.sequence(_questions(), gbnf.literal(END)))


def _questions() -> str:
    asked = [gbnf.sequence(gbnf.literal(f"{n}: "), _QUESTION) for n in range(1, MOST_QUESTIONS + 1)]
    return _nested(asked)


def answer_grammar(skills: Mapping[str, Skill], vocabulary: Vocabulary, *, asks: bool, looks: bool) -> str:
    """An answer that can be read. A plan ends with its last action at the latest; only so much is promised."""
    options = ["plan"] + ["questions"] * asks + ["rerun"] * looks
    rules = {"answer": gbnf.choice(options), **_plan_rules(skills, vocabulary)}
    rules["questions"] = gbnf.sequence(gbnf.literal(QUESTIONS + "\n"), _questions())
    rules["rerun"] = gbnf.literal(RERUN)
    return gbnf.grammar(gbnf.sequence("answer", gbnf.literal(END)), rules)


def _plan_rules(skills: Mapping[str, Skill], vocabulary: Vocabulary) -> dict[str, str]:
    usual = [_call(s.signature, vocabulary) for s in skills.values() if not s.last]
    final = [_call(s.signature, vocabulary) for s in skills.values() if s.last]
    rules = {"reason": gbnf.sequence(gbnf.literal(" # "), _REASON)}
    rules["usual"] = gbnf.sequence(gbnf.choice([c for c in usual if c] or final), "reason")
    if any(final):
        rules["final"] = gbnf.sequence(gbnf.choice(filter(None, final)), "reason")
    for number in range(MOST_STEPS, 0, -1):
        more = f"({gbnf.literal(chr(10))} step{number + 1})?" if number < MOST_STEPS else ""
        step = gbnf.sequence("usual", more)
        begin = gbnf.literal(f"{number}: ")
        rules[f"step{number}"] = gbnf.sequence(begin, f"({step} | final)" if any(final) else step)
    return {"plan": gbnf.sequence(gbnf.literal(HEADING + "\n"), "step1"), **rules}


def _nested(lines: list[str]) -> str:
    """The first, and after each the next one or none."""
    *before, last = lines
    for line in reversed(before):
        last = gbnf.sequence(line, f"({gbnf.literal(chr(10))} {last})?")
    return last


def _call(signature: Signature, vocabulary: Vocabulary) -> str:
    """The grammar of a call; empty where nothing in the scene fits it."""
    if is_pointed(signature):
        needed = sum(p.default is None for p in signature.parameters)
        rest = [f"({gbnf.literal(', ')} {_NUMBER})?"] * (len(signature.parameters) - needed)
        point = gbnf.sequence(*[gbnf.literal(", ") + " " + _NUMBER if i else _NUMBER for i in range(needed)], *rest)
        return gbnf.sequence(gbnf.literal(f"{signature.name}(("), point, gbnf.literal("))"))
    values = []
    for p in signature.parameters:
        options = p.options(vocabulary)
        if options == ():
            return ""
        plain = p.type in (int, float, bool)
        values.append(p.expression(vocabulary) if plain else f'"\\"" {p.expression(vocabulary)} "\\""')
    inside = gbnf.sequence(*[f"{gbnf.literal(', ')} {value}" if i else value for i, value in enumerate(values)])
    return gbnf.sequence(gbnf.literal(f"{signature.name}("), inside, gbnf.literal(")"))


# Reading --------------------------------------------------------------------------------------------------------------


def orders_rerun(text: str) -> bool:
    """Whether an answer is the order to look again."""
    return _RERUN.search(text) is not None and not _steps_in(text)


def questions_in(text: str) -> tuple[str, ...]:
    """The questions of an answer that consists of questions."""
    head, found, rest = text.partition(QUESTIONS)
    if not found or HEADING in head:
        return ()
    lines = [line.strip() for line in (_NUMBERED.findall(rest) or rest.strip().splitlines()[:1])]
    return tuple(line for line in lines if line)[: MOST_QUESTIONS + 2]


def read_instructions(text: str, skills: Mapping[str, Skill], vocabulary: Vocabulary) -> tuple[Step, ...]:
    """The steps of a plan; Unparseable says which line is no action of this robot, and what there is."""
    lines = list(_steps_in(text))
    if not lines:
        known = ", ".join(skills)
        forms = f"{HEADING} with a numbered line each, {QUESTIONS} or {RERUN}"
        raise Unparseable(f"This is no plan, no question and no order to look again: say {forms}. Actions: {known}.")
    if len(lines) > MOST_STEPS:
        raise Unparseable(f"{len(lines)} steps are too many; {MOST_STEPS} at most.")
    return tuple(read_line(line, skills, vocabulary) for line in lines)


def _steps_in(text: str) -> Iterable[str]:
    body = text.partition(HEADING)[2] or text
    lines = _NUMBERED.findall(body.split(QUESTIONS)[0])
    return [line for line in lines if re.match(r"`?\w+\s*\(", line)]


def read_line(line: str, skills: Mapping[str, Skill], vocabulary: Vocabulary) -> Step:
    """The step of one line: an action and, after a #, the reason for it."""
    call, _, reason = line.partition("#")
    name, given, named = parsed_call(call.strip(" `"))
    point = given[0] if len(given) == 1 else None
    values = list(point) if isinstance(point, tuple | list) else given
    return called(name, values, named, skills, vocabulary, reason.strip())
