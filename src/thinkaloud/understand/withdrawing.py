"""A rule that no word speaks for, against just what is asked for now: who says that has more likely changed their mind.

"Never mind", in whatever words, ends the present request and forbids nothing. What holds for later has to be named.
"""

from __future__ import annotations

from thinkaloud.monologue import Monologue
from thinkaloud.program import tree
from thinkaloud.program.lexicon import Lexicon
from thinkaloud.program.parsing import Program, read_program
from thinkaloud.program.switches import switchable
from thinkaloud.records import Act, End, Meaning, Question, Rule
from thinkaloud.skills.rules import find_broken
from thinkaloud.understand.conversation import Heard
from thinkaloud.understand.replies import find_asked

ONLY_NOW = "I leave off. If I am never to do it again, please say so, and name it."


def words_for_rule(heard: Heard, said: str, rule: Meaning, monologue: Monologue, lexicon: Lexicon) -> str:
    """The words that may speak for a rule: those of a request count only if the robot asked about a rule in it.

    Who takes a rule back may mean the one for which the robot has just declined to do something.
    """
    asked = find_asked(heard, monologue)
    program = None if asked is None else read_program(asked.program, lexicon)
    kept = (tree.Never, tree.Keep, tree.Standing)
    if program is not None and any(isinstance(node, kept) for node in program.nodes):
        return said
    told = monologue.last(End, before=heard.at) if all(each.allowed for each in rule.rules) else None
    return heard.text if told is None or told.result != "declined" else f"{heard.text} {told.because}"


def forgets_unnamed(program: Program | None) -> bool:
    """Whether something is to be forgotten, and nothing says what."""
    return program is not None and any(
        isinstance(node, tree.Forget) and node.deed is None and node.words is None for node in program.nodes
    )


def is_amid(monologue: Monologue) -> bool:
    """Whether something is under way, or asked about, that may be what somebody takes back."""
    return any(isinstance(each.content, Act | Question) for each in monologue.in_order(Meaning))


@switchable(False)
def forbids_what_is_at_hand(rule: Meaning, monologue: Monologue, lexicon: Lexicon) -> bool:
    """Whether a rule forbids something of what is under way or was asked about, and is no rule for a later time."""
    forbids = any(not each.allowed for each in rule.rules) or rule.kept
    against = (_is_against(rule, meaning, lexicon) for meaning in monologue.in_order(Meaning))
    return bool(forbids) and not rule.standing and any(against)


def _is_against(rule: Meaning, meaning: Meaning, lexicon: Lexicon) -> bool:
    match meaning.content:
        case Act(deeds=deeds):
            broken = (find_broken([each], deed.skill, deed.arguments) for deed in deeds for each in rule.rules)
            return any(broken) or any({*rule.kept} & {*deed.arguments.values()} for deed in deeds)
        case Question():
            program = read_program(meaning.program, lexicon)
            return program is not None and (bool(rule.kept) or any(_may_be(each, program) for each in rule.rules))
    return False


def _may_be(rule: Rule, program: Program) -> bool:
    names = (node.call.name for node in program.deeds)
    return any(program.lexicon.own_names.get(name, name) == rule.skill for name in names)
