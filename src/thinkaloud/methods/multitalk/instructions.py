"""The three answers of MultiTalk's planner: numbered actions with their reasons, questions, or the order to look again.

    Step-by-step Instructions:          Questions:                     Perception Rerun Required
    1: action # reason                  1: question
    2: action # reason

Here is their grammar, and here they are read, also as models write them that no grammar holds.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from thinkaloud.calls import call_grammar, read_call, read_step
from thinkaloud.errors import Unparseable
from thinkaloud.methods.multitalk.dialogue import HEADING
from thinkaloud.methods.multitalk.short_dialogue import POINT_PATTERN
from thinkaloud.models import grammar as gbnf
from thinkaloud.records import Step
from thinkaloud.skills import Skill, Vocabulary

QUESTIONS = "Questions:"
RERUN = "Perception Rerun Required"
NOT_SAID, EACH, WHERE = "not said", "each", "Where: "
ANSWER_END = "\n\n"
_ASKING = ("Which ", "Where should I put ", "In which direction ", "In which order ")
"""How questions begin that a person can answer: for a thing, a place, a direction, an order."""
_INSTEAD = "What should I do instead?"
_TELLING = ("The ", "There is ")
"""How a sentence begins that says why something cannot be done; a point of which that is said may begin it, too."""
MOST_STEPS, MOST_QUESTIONS = 20, 3
COORDINATE = '"-"? [0-9] "." [0-9]{2}'
_REASON = r"[^\n#]{3,90}"
_QUESTION = r'[A-Z(] [^\n?]{8,120} "?"'
_RERUN = re.compile(r"perception\W+re-?run|re-?run\W+(?:the\W+)?perception", re.IGNORECASE)
_NUMBERED = re.compile(r"^\s*(?:[-*]\s*)?\d+\s*[:.)]\s*(.+?)\s*$", re.MULTILINE)
_KIND = re.compile(
    r"^\W*(step-by-step instructions[^\w\n]*:|questions[^\w\n]*:|perception re-?run required)\**",
    re.IGNORECASE | re.MULTILINE,
)
_CALL = re.compile(r"`?\w+\s*\(")


# Grammar --------------------------------------------------------------------------------------------------------------


def thought_grammar(spoken: str, places: Sequence[str]) -> str:
    """What is to be moved and where to; with no numbers but those that somebody has spoken of.

    `places` are the ways to say where a thing may go; that it is not said is another.
    """
    free = _free(spoken)
    where = gbnf.one_of([*read_points(spoken), *places, NOT_SAID]) + f" ({gbnf.literal(',')} {free}{{3,40}})?"
    each = gbnf.sequence(gbnf.literal(f"{EACH} "), f"{free}{{3,60}}")
    said = [gbnf.literal("What: "), f"{free}{{3,70}}", gbnf.literal(f". {WHERE}"), gbnf.choice([where, each])]
    return gbnf.grammar(gbnf.sequence(*said, gbnf.literal(".\n")))


def read_points(spoken: str) -> list[str]:
    """The points that somebody has spoken of, in one form: `(0.10, -0.20)`, also where `x = .1, y = -.2` is said."""
    values = [[float(value) for value in match.groups() if value] for match in POINT_PATTERN.finditer(spoken)]
    return list(dict.fromkeys(f"({x + 0.0:.2f}, {y + 0.0:.2f})" for x, y in values))


def _free(spoken: str) -> str:
    """A letter, or a number that somebody has spoken of."""
    numbers = dict.fromkeys(re.findall(r"(?<= )\d+\b", POINT_PATTERN.sub("", spoken)))
    return gbnf.choice([r"[^\n0-9(){}.:?]", *(gbnf.literal(text) for text in (*read_points(spoken), *numbers))])


def kind_grammar(*, plans: bool, asks: bool, looks: bool) -> str:
    """Which of the answers it is going to be."""
    return gbnf.grammar(
        gbnf.one_of([HEADING + "\n"] * plans + [QUESTIONS + "\n"] * asks + [RERUN + ANSWER_END] * looks)
    )


def question_grammar(spoken: str, *, trouble: bool) -> str:
    """Numbered questions about nothing but what has been spoken of; a sentence before says why something does not go.

    In `trouble`, where a plan is of no more use, that has to be said.
    """
    free, points = _free(spoken), read_points(spoken)
    asked = gbnf.sequence(gbnf.one_of(_ASKING), f"{free}{{3,70}}", gbnf.literal("?"))
    if trouble:
        said = gbnf.sequence(gbnf.one_of([*points, *_TELLING]), f"{free}{{8,70}}", gbnf.literal(". "))
        question = gbnf.sequence(gbnf.literal("1: "), said, gbnf.choice([asked, gbnf.literal(_INSTEAD)]))
        return gbnf.grammar(gbnf.sequence(question, gbnf.literal(ANSWER_END)))
    said = gbnf.sequence(gbnf.one_of(points), f"{free}{{8,70}}", gbnf.literal(". ")) if points else ""
    return gbnf.grammar(gbnf.sequence(_numbered(f"({said})? {asked}" if said else asked), gbnf.literal(ANSWER_END)))


def _numbered(question: str) -> str:
    return _nested([gbnf.sequence(gbnf.literal(f"{n}: "), question) for n in range(1, MOST_QUESTIONS + 1)])


def answer_grammar(
    skills: Mapping[str, Skill], vocabulary: Vocabulary, *, plans: bool = True, asks: bool, looks: bool
) -> str:
    """An answer that can be read. A plan ends with its last action at the latest; only so much is promised."""
    plan = _plan_rules(skills, vocabulary)
    options = ["plan"] * bool(plans and plan) + ["questions"] * asks + ["rerun"] * looks
    if not options:
        raise Unparseable("No skill fits anything in this scene.")
    rules = {"answer": gbnf.choice(options), **plan}
    rules["questions"] = gbnf.sequence(gbnf.literal(QUESTIONS + "\n"), _numbered(_QUESTION))
    rules["rerun"] = gbnf.literal(RERUN)
    return gbnf.grammar(gbnf.sequence("answer", gbnf.literal(ANSWER_END)), rules)


def _plan_rules(skills: Mapping[str, Skill], vocabulary: Vocabulary) -> dict[str, str]:
    parameters = {name: skill.signature.parameters for name, skill in skills.items()}
    fitting = {name: skills[name] for name in skills if all(p.options(vocabulary) != () for p in parameters[name])}
    usual = {name: skill for name, skill in fitting.items() if not skill.last}
    final = {name: skill for name, skill in fitting.items() if skill.last}
    if not fitting:
        return {}
    rules = {"reason": gbnf.sequence(gbnf.literal(" # "), _REASON)}
    if usual:
        rules["usual"] = gbnf.sequence(call_grammar(usual, vocabulary, coordinate=COORDINATE), "reason")
    if final:
        rules["final"] = gbnf.sequence(call_grammar(final, vocabulary, coordinate=COORDINATE), "reason")
    for number in range(MOST_STEPS if usual else 1, 0, -1):
        more = f"({gbnf.literal(chr(10))} step{number + 1})?" if number < MOST_STEPS else ""
        step = [gbnf.sequence("usual", more)] * bool(usual) + ["final"] * bool(final)
        rules[f"step{number}"] = gbnf.sequence(gbnf.literal(f"{number}: "), gbnf.choice(step))
    return {"plan": gbnf.sequence(gbnf.literal(HEADING + "\n"), "step1"), **rules}


def _nested(lines: list[str]) -> str:
    """The first, and after each the next one or none."""
    *before, last = lines
    for line in reversed(before):
        last = gbnf.sequence(line, f"({gbnf.literal(chr(10))} {last})?")
    return last


# Reading --------------------------------------------------------------------------------------------------------------


def split_answer(text: str) -> tuple[str, str, str]:
    """What comes before an answer, which of the three it is (empty where it is none of them), and what it says."""
    found = _KIND.search(text)
    if found is None:
        return text, "", ""
    kind = {"s": HEADING, "q": QUESTIONS, "p": RERUN}[found[1][0].lower()]
    return text[: found.start()], kind, text[found.end() :]


def read_lines(text: str) -> list[str]:
    """The lines that say something, without their numbers."""
    lines = [line.strip() for line in text.splitlines()]
    return [re.sub(r"^\d+\s*[:.)]\s*", "", line) for line in lines if line.strip("`* ")]


def is_rerun(text: str) -> bool:
    """Whether an answer is the order to look again."""
    return _RERUN.search(text) is not None and not _steps_in(text)


def read_questions(text: str) -> tuple[str, ...]:
    """The questions of an answer that consists of questions."""
    _, kind, rest = split_answer(text)
    if kind != QUESTIONS:
        return ()
    lines = [line.strip() for line in (_NUMBERED.findall(rest) or rest.strip().splitlines()[:1])]
    return tuple(dict.fromkeys(line for line in lines if line))[: MOST_QUESTIONS + 2]


def read_instructions(text: str, skills: Mapping[str, Skill], vocabulary: Vocabulary) -> tuple[Step, ...]:
    """The steps of a plan; Unparseable says which line is no action of this robot, and what there is."""
    lines = _steps_in(text)
    if not lines:
        known = ", ".join(skills)
        forms = f"{HEADING} with a numbered line each, {QUESTIONS} or {RERUN}"
        raise Unparseable(f"This is no plan, no question and no order to look again: say {forms}. Actions: {known}.")
    if len(lines) > MOST_STEPS:
        raise Unparseable(f"{len(lines)} steps are too many; {MOST_STEPS} at most.")
    return tuple(read_line(line, skills, vocabulary) for line in lines)


def _steps_in(text: str) -> list[str]:
    """The lines of a plan, where any of them is an action."""
    _, kind, rest = split_answer(text)
    body = rest if kind == HEADING else text
    lines: list[str] = _NUMBERED.findall(body.split(QUESTIONS)[0])
    return lines if any(map(_is_action, lines)) else []


def _is_action(line: str) -> bool:
    """Whether a line begins with an action, or has one after its words."""
    return any(_CALL.match(part) for part in (line, line.rpartition(": ")[2]))


def read_line(line: str, skills: Mapping[str, Skill], vocabulary: Vocabulary) -> Step:
    """The step of one line: an action and, after a #, the reason for it; or the reason, a colon and the action."""
    if _CALL.match(line):
        call, reason = _parted(line)
    else:
        reason, _, call = line.rpartition(": ")
    read = read_call(call.strip(" `"))
    point = read.values[0] if len(read.values) == 1 else None
    values = list(point) if isinstance(point, tuple | list) else read.values
    return read_step(read._replace(values=values), skills, vocabulary, reason.strip())


def _parted(line: str) -> tuple[str, str]:
    """An action and the reason for it; a # may also be part of a name."""
    for hash_ in re.finditer("#", line):
        call = line[: hash_.start()]
        if call.count('"') % 2 == 0:
            return call, line[hash_.end() :]
    return line, ""
