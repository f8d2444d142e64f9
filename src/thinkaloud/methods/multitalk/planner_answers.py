"""The answers of MultiTalk's planner: numbered actions with their reasons, questions, another look, or nothing to do.

    Thought: What: the can. Where: not said.   Thought: …                     Thought: …
    Step-by-step Instructions:                 Questions:                     Perception Rerun Required
    1: reason: action                          1: question
    2: reason: action                                                         No Action Required

This module has their grammar, which says how an answer is written, not whether it is right, and their parser. The
parser also accepts what models write without a grammar: the reason after the action and a #, as in the paper, or no
thought.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from thinkaloud.errors import Unparseable
from thinkaloud.language.calls import call_grammar, read_call, read_step
from thinkaloud.methods.multitalk.dialogue_text import HEADING, THOUGHT_LABEL
from thinkaloud.models import grammar as gbnf
from thinkaloud.records import Step
from thinkaloud.skills import Skill, Vocabulary

QUESTIONS = "Questions:"
RERUN = "Perception Rerun Required"
NO_ACTION_REQUIRED = "No Action Required"
ANSWER_END = "\n\n"
MOST_ANSWER_STEPS, MOST_QUESTIONS = 20, 3
COORDINATE = '"-"? [0-9] "." [0-9]{1,2}'
"""To the centimetre. A person's 0.4 must not be held to two decimals: the model then has to make one up."""
_THOUGHT = r"[^\n]{3,600}"
_REASON = r"[^\n#:]{3,90}"
_QUESTION = r"[^\n]{6,220}"
_RERUN = re.compile(r"perception\W+re-?run|re-?run\W+(?:the\W+)?perception", re.IGNORECASE)
_NUMBERED = re.compile(r"^\s*(?:[-*]\s*)?\d+\s*[:.)]\s*(.+?)\s*$", re.MULTILINE)
_KIND = re.compile(
    r"^\W*(step-by-step instructions[^\w\n]*:|questions[^\w\n]*:|perception re-?run required"
    r"|no action (?:is )?required)\**",
    re.IGNORECASE | re.MULTILINE,
)
_CALL = re.compile(r"`?\w+\s*\(")
_REASONED = re.compile(r"^(?P<reason>.*?):\s+(?P<call>`?\w+\(.*)$")


# Grammar --------------------------------------------------------------------------------------------------------------


def dialogue_answer_grammar(
    skills: Mapping[str, Skill],
    vocabulary: Vocabulary,
    *,
    asks: bool = True,
    looks: bool = True,
    thinks: bool = True,
) -> str:
    """Return the grammar of a valid answer: a thought first, and the reason before each action; or the paper's form.

    A plan ends at the latest with its last allowed action.
    """
    plan = _plan_rules(skills, vocabulary, reason_first=thinks)
    options = ["plan"] * bool(plan) + ["questions"] * asks + ["rerun"] * looks + ["nothing"]
    rules = {"answer": gbnf.choice(options), **plan}
    if asks:
        rules["questions"] = gbnf.sequence(gbnf.literal(QUESTIONS + "\n"), _numbered(_QUESTION))
    if looks:
        rules["rerun"] = gbnf.literal(RERUN)
    rules["nothing"] = gbnf.literal(NO_ACTION_REQUIRED)
    thought = ['" "', _THOUGHT, gbnf.literal("\n")] * thinks
    return gbnf.grammar(gbnf.sequence(*thought, "answer", gbnf.literal(ANSWER_END)), rules)


def _numbered(question: str) -> str:
    return _nested([gbnf.sequence(gbnf.literal(f"{n}: "), question) for n in range(1, MOST_QUESTIONS + 1)])


def _plan_rules(skills: Mapping[str, Skill], vocabulary: Vocabulary, *, reason_first: bool) -> dict[str, str]:
    parameters = {name: skill.signature.parameters for name, skill in skills.items()}
    fitting = {name: skills[name] for name in skills if all(p.options(vocabulary) != () for p in parameters[name])}
    usual = {name: skill for name, skill in fitting.items() if not skill.last}
    final = {name: skill for name, skill in fitting.items() if skill.last}
    if not fitting:
        return {}
    colon, sign = gbnf.literal(": "), gbnf.literal(" # ")
    rules = {"reason": gbnf.sequence(_REASON, colon) if reason_first else gbnf.sequence(sign, _REASON)}
    for name, calls in (("usual", usual), ("final", final)):
        if calls:
            line = ["reason", call_grammar(calls, vocabulary, coordinate=COORDINATE)]
            rules[name] = gbnf.sequence(*(line if reason_first else line[::-1]))
    for number in range(MOST_ANSWER_STEPS if usual else 1, 0, -1):
        more = f"({gbnf.literal(chr(10))} step{number + 1})?" if number < MOST_ANSWER_STEPS else ""
        step = [gbnf.sequence("usual", more)] * bool(usual) + ["final"] * bool(final)
        rules[f"step{number}"] = gbnf.sequence(gbnf.literal(f"{number}: "), gbnf.choice(step))
    return {"plan": gbnf.sequence(gbnf.literal(HEADING + "\n"), "step1"), **rules}


def _nested(lines: list[str]) -> str:
    """Return the first item and, after each, the next one or none."""
    *before, last = lines
    for line in reversed(before):
        last = gbnf.sequence(line, f"({gbnf.literal(chr(10))} {last})?")
    return last


# Reading --------------------------------------------------------------------------------------------------------------


def split_answer(text: str) -> tuple[str, str, str]:
    """Split an answer: what comes before it, its kind (empty if none), and its content."""
    found = _KIND.search(text)
    if found is None:
        return text, "", ""
    kind = {"s": HEADING, "q": QUESTIONS, "p": RERUN, "n": NO_ACTION_REQUIRED}[found[1][0].lower()]
    return text[: found.start()], kind, text[found.end() :]


def read_thought(text: str) -> str:
    """Return the thought before the answer, in one line."""
    before, kind, _ = split_answer(text)
    return " ".join(before.split()).removeprefix(THOUGHT_LABEL).strip() if kind else ""


def is_rerun(text: str) -> bool:
    """Whether an answer asks to look again."""
    kind = split_answer(text)[1]
    return kind == RERUN or (not kind and _RERUN.search(text) is not None and not _steps_in(text))


def is_nothing(text: str) -> bool:
    """Whether an answer says that there is nothing to do."""
    return split_answer(text)[1] == NO_ACTION_REQUIRED and not _steps_in(text)


def read_questions(text: str) -> tuple[str, ...]:
    """Return the questions of an answer that consists of questions."""
    _, kind, rest = split_answer(text)
    if kind != QUESTIONS:
        return ()
    lines = [line.strip() for line in (_NUMBERED.findall(rest) or rest.strip().splitlines()[:1])]
    return tuple(dict.fromkeys(line for line in lines if line))[: MOST_QUESTIONS + 2]


def read_instructions(text: str, skills: Mapping[str, Skill], vocabulary: Vocabulary) -> tuple[Step, ...]:
    """Return the steps of a plan; Unparseable names the line that is not an action of this robot, and the actions."""
    lines = _steps_in(text)
    if not lines:
        known = ", ".join(skills)
        forms = f"{HEADING} with a numbered line each, {QUESTIONS} {RERUN} or {NO_ACTION_REQUIRED}"
        raise Unparseable(f"This is no plan, no question and no order to look again: say {forms}. Actions: {known}.")
    if len(lines) > MOST_ANSWER_STEPS:
        raise Unparseable(f"{len(lines)} steps are too many; {MOST_ANSWER_STEPS} at most.")
    return tuple(read_line(line, skills, vocabulary) for line in lines)


def _steps_in(text: str) -> list[str]:
    """Return the lines of a plan, if any of them is an action."""
    _, kind, rest = split_answer(text)
    body = rest if kind == HEADING else text
    lines: list[str] = _NUMBERED.findall(body.split(QUESTIONS)[0])
    return lines if any(map(_is_action, lines)) else []


def _is_action(line: str) -> bool:
    """Whether a line begins with an action, or has one after its words."""
    return _CALL.match(line) is not None or _REASONED.match(line) is not None


def read_line(line: str, skills: Mapping[str, Skill], vocabulary: Vocabulary) -> Step:
    """Parse one line: the reason, a colon and the action; or an action and, after a #, its reason."""
    reasoned = None if _CALL.match(line) else _REASONED.match(line)
    call, reason = _parted(line) if reasoned is None else (_parted(reasoned["call"])[0], reasoned["reason"])
    read = read_call(call.strip(" `"))
    point = read.values[0] if len(read.values) == 1 else None
    values = list(point) if isinstance(point, tuple | list) else read.values
    return read_step(read._replace(values=values), skills, vocabulary, reason.strip())


def _parted(line: str) -> tuple[str, str]:
    """Return an action and its reason; a # may also be part of a name."""
    for hash_ in re.finditer("#", line):
        call = line[: hash_.start()]
        if call.count('"') % 2 == 0:
            return call, line[hash_.end() :]
    return line, ""
