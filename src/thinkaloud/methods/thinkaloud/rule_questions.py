"""Questions about rules: one that is taken back in other words, and a reminder that waits for the wrong thing.

A model may read "forget that rule" as `stop()`, and "you need not fill the tank any more" as a remark; then the rule
stayed in silence. "If Bert is in the garden for an hour, tell me" may become a reminder that looks at nothing.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from thinkaloud.episode.told_rules import tell_held
from thinkaloud.language.name_matching import names_in
from thinkaloud.language.words import stems
from thinkaloud.monologue import Monologue
from thinkaloud.program import tree
from thinkaloud.program.held_rules import Held, all_held, read_rule, reminders_in, take_back
from thinkaloud.program.lexicon import Lexicon
from thinkaloud.program.parsing import Program, read_program
from thinkaloud.program.switches import switchable
from thinkaloud.records import Meaning, Noted, Question, Reading, Rule, StandingRule, StopWhen
from thinkaloud.saying.telling import ALL_OF_THESE, NO_LONGER, tell_choice
from thinkaloud.understand.meaning.circumstances import Circumstances
from thinkaloud.understand.withdrawing import is_amid

FORGET_THIS = "Shall I forget this: {}"
BY_TIME_ALONE = "I understood: {} I go by the time alone, and do not look whether it is so. Is that right?"


@switchable(None)
def ask_about_rules(meaning: Meaning, at: Circumstances, monologue: Monologue) -> Meaning | None:
    """The question whether a rule is to be forgotten, or whether a reminder is to come in any case."""
    program = read_program(meaning.program, at.lexicon)
    if program is None:
        return None
    if meaning.standing and any(_may_wait_for_a_fact(each, at.lexicon) for each in program.statements):
        question = Question(BY_TIME_ALONE.format(meaning.spoken), ("yes", "no"))
        return Meaning(
            meaning.program, question.text, question, readings=(Reading(meaning.program, meaning.words, 0.0),)
        )
    found = [*_taken_back(meaning, program, at, monologue)]
    return _ask_to_forget(meaning, found, at) if found else None


def _taken_back(meaning: Meaning, program: Program, at: Circumstances, monologue: Monologue) -> Iterator[Held]:
    """The rules that may be taken back: all, by a stop with nothing under way; those that a remark speaks of."""
    held = all_held(at.standing, at.rules, at.lexicon.kept)
    match meaning.content:
        case StopWhen() if not is_amid(monologue):
            yield from held
        case Noted(kept=(), rules=()) if all(isinstance(each, tree.Note) for each in program.statements):
            told = " ".join((at.request, *meaning.notes))
            yield from (each for each in held if _speaks_of(told, each, at.lexicon))


def _speaks_of(told: str, held: Held, lexicon: Lexicon) -> bool:
    """Whether words share a name or a skill with what is done, or not done, by a rule."""
    match held:
        case StandingRule():
            rule = read_rule(held, lexicon)
            deeds = [] if rule is None else [each.call for each in rule.deeds if isinstance(each, tree.Do)]
            names = [node.value for deed in deeds for node in tree.walk(deed) if isinstance(node, tree.Text)]
            skills = [deed.name for deed in deeds]
            if rule is not None and any(stems(told) & stems(text) for text in reminders_in(rule)):
                return True
        case Rule(skill, arguments):
            names = [value for value in arguments.values() if isinstance(value, str)]
            skills = [word for word, own in lexicon.own_names.items() if own == skill] or [skill]
        case _:
            names, skills = [held], []
    verbs = stems(" ".join(lexicon.skills[each].says.split("{")[0] for each in skills if each in lexicon.skills))
    return bool(names_in(told, names)) or bool(verbs & stems(told))


def _ask_to_forget(meaning: Meaning, found: Sequence[Held], at: Circumstances) -> Meaning:
    """The question whether this is to be forgotten, or which of these."""
    told = [tell_held(each, at.now) for each in found]
    programs = [take_back(each, at.lexicon) for each in found]
    if len(found) == 1:
        question = Question(f"{FORGET_THIS.format(told[0]).rstrip('.')}?", ("yes", "no"))
    else:
        told, programs = [*told, ALL_OF_THESE], [*programs, "\n".join(programs)]
        question = Question(*tell_choice(told, NO_LONGER))
    readings = tuple(Reading(each, words, 0.0) for each, words in zip(programs, told, strict=True))
    return Meaning(meaning.program, question.text, question, readings=readings)


def _may_wait_for_a_fact(statement: tree.Statement, lexicon: Lexicon) -> bool:
    """Whether something is only said at a time, in words that name one of the robot's relations with its things."""
    if not isinstance(statement, tree.Standing) or not isinstance(statement.when, tree.Amount | tree.TimeOfDay):
        return False
    texts = [
        each.text.value
        for each in statement.deeds
        if isinstance(each, tree.Remind) and isinstance(each.text, tree.Text)
    ]
    return any(_names_relation(text, lexicon) for text in texts)


def _names_relation(text: str, lexicon: Lexicon) -> bool:
    """Whether a text names a thing for every parameter of a relation, and the relation's own word where it has one.

    A word that is also a skill's tells of a deed: who is to be reminded to lock the door does not wait for that.
    """
    verbs = {root for each in lexicon.skills.values() for root in stems(each.says.split("{")[0] or each.name)}
    for relation in lexicon.relations.values():
        lists = [lexicon.named.get(lexicon.list_of(each) or "", ()) for each in relation.parameters]
        own = stems(" ".join(part.split("}")[-1] for part in relation.says.split("{")))
        named = all(names_in(text, names) for names in lists) and bool(lists)
        if named and (own & stems(text) - verbs if own else len(lists) > 1):
            return True
    return False
