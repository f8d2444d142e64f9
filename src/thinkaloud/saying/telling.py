"""What was understood, in plain words: made by code from what the program comes to, never by the model.

"I will water the fern and the rose. Cactus is wet already."
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from thinkaloud.language.words import in_a_row, is_ended, plural, sentence_of
from thinkaloud.program.amounts import Counted
from thinkaloud.records import (
    Act,
    Answered,
    Condition,
    Content,
    Emergency,
    GoBack,
    LookFirst,
    Meaning,
    NotClear,
    Noted,
    Question,
    Reading,
    Refused,
    Rule,
    Step,
    StopWhen,
    UndoWork,
    Value,
)
from thinkaloud.saying.differences import shortened
from thinkaloud.skills.signatures import Parameter, Signature, spell_number
from thinkaloud.worlds.contract import World
from thinkaloud.worlds.emergencies import can_call_for_help
from thinkaloud.worlds.full_world import worth_saying

NONE = "None of these."
"""What is offered last, beside several readings."""
WHAT, NO_LONGER, ALL_OF_THESE = "What do you mean?", "Which of these should no longer hold?", "All of these."
STILL_KEPT = "You told me to leave {} alone. Should that no longer hold?"
"""Questions to choose by, and what stands for all that is offered."""
NOT_UNDERSTOOD = "I did not understand that."
HELP_COMES = "I call for help."
NO_HELP = "I can't call for help; please do it now."
GOES_ON = "I go on with what I was doing before."
_MOST_ABILITIES = 20
"""Skills that are told when somebody asks what the robot can do; the others are counted."""
_MANY = 8
"""Things that are named one by one; of more, how many there are is said as well."""

_SEVERAL = {"it is": "they are", "it was": "they were", "it has": "they have", "its": "their", "it": "them"}
"""What a sentence says of one thing, and of several: in this order."""


_DENIED = re.compile(r"\b(?:not|cannot)\b", re.IGNORECASE)


@dataclass(frozen=True)
class Besides:
    """What a program told besides what it comes to; whatever else it is, this is remembered, or said with it."""

    notes: tuple[str, ...] = ()
    freed: tuple[str, ...] = ()
    kept: tuple[str, ...] = ()
    left_out: tuple[str, ...] = ()
    """What was kept before, and a list therefore leaves out."""
    altogether: bool = False
    """Whether only one deed was forbidden: what is kept is kept from all of them."""
    rules: tuple[Rule, ...] = ()
    obeyed: tuple[Rule, ...] = ()
    """The rules because of which a list leaves something out."""
    standing: tuple[str, ...] = ()
    """What waits from now on, as sentences."""
    forgotten: tuple[str, ...] = ()


def tell(content: Content, besides: Besides, world: World) -> str:
    """All of it, in the first person."""
    match content:
        case Refused(why=why) | NotClear(why=why):
            return sentence_of(why) if why else NOT_UNDERSTOOD
        case Question(text, options):
            return text + (f" ({' / '.join(options)})" if options else "")
        case StopWhen(when):
            return "I leave off." if when == "now" else "I will stop after this step."
        case UndoWork(count, then):
            last = f"what I did for the last {count} requests" if count > 1 else "what I did last"
            return " ".join([f"I will take back {last}.", *_deeds(then or Act(), besides, world)])
        case Answered(said):
            kept = [f"I leave {the(besides.kept)} alone."] if besides.kept else []
            left_out = _left_out(besides.left_out, besides.obeyed)
            return " ".join([*kept, *(sentence_of(each) for each in said), *left_out, *_waiting(besides)])
        case Noted():
            return " ".join(_remembered(besides))
        case Act():
            return tell_act(content, besides, world)
        case GoBack(kept):
            return " ".join(_deeds(Act(kept=kept, left_out=besides.left_out, goes_on=True), besides, world))
        case LookFirst(wishes):
            return " ".join(each.words for each in wishes)
        case Emergency():
            return HELP_COMES if can_call_for_help(world) else NO_HELP


def tell_act(act: Act, besides: Besides, world: World) -> str:
    """What is done, and what is said then."""
    said = " ".join(sentence_of(each) for each in act.said)
    return " ".join([*_deeds(act, besides, world), *([f"Then I say: {said}"] if said else [])])


def _deeds(act: Act, besides: Besides, world: World) -> list[str]:
    found = [GOES_ON] if act.goes_on else []
    if act.deeds:
        found.append(tell_deeds(act.deeds, {name: skill.signature for name, skill in world.skills.items()}))
    found += dict.fromkeys(_already(each) for each in worth_saying(act.already))
    if act.kept:
        found.append(f"I leave {the(act.kept)} alone.")
    found += _ruled(act.rules, "For this I am")
    found += _left_out(act.left_out, besides.obeyed)
    found += [f"I remember: {sentence_of(each)}" for each in besides.notes]
    return found + _waiting(besides)


def _waiting(besides: Besides) -> list[str]:
    """What waits from now on, and what no longer does."""
    return [*(f"I no longer do this: {each}" for each in besides.forgotten), *besides.standing]


def _left_out(things: Sequence[str], obeyed: Sequence[Rule]) -> list[str]:
    found = [f"I leave {the(things)} alone, as you said."] if things else []
    return found + [f"You told me {rule.words}." for rule in obeyed]


def _ruled(rules: Sequence[Rule], begin: str) -> list[str]:
    found = [f"I may {rule.words} again." for rule in rules if rule.allowed]
    forbidden = dict.fromkeys(rule.words for rule in rules if not rule.allowed)
    return [*found, *([f"{begin} {in_a_row([*forbidden])}."] if forbidden else [])]


def _remembered(besides: Besides) -> list[str]:
    found = [f"I remember: {sentence_of(each)}" for each in besides.notes]
    if besides.kept:
        wider = ", in everything and not only in that" if besides.altogether else ""
        found.append(f"From now on I leave {the(besides.kept)} alone{wider}.")
    if besides.freed:
        found.append(f"I may touch {the(besides.freed)} again.")
    return found + _ruled(besides.rules, "From now on I am") + _waiting(besides)


def tell_deeds(steps: Sequence[Step], signatures: Mapping[str, Signature]) -> str:
    """`I will water the fern and the rose, then whistle.`"""
    parts = [_clause(group, signatures) for group in _alike(steps)]
    return f"I will {', then '.join(parts)}." if parts else ""


def _alike(steps: Sequence[Step]) -> list[list[Step]]:
    """Steps of one skill in a row that differ in one argument only, together."""
    groups: list[list[Step]] = []
    for step in steps:
        if groups and _together([*groups[-1], step]):
            groups[-1].append(step)
        else:
            groups.append([step])
    return groups


def _together(steps: Sequence[Step]) -> bool:
    same = {step.skill for step in steps}
    return len(same) == 1 and len(_differing(steps)) == 1


def _differing(steps: Sequence[Step]) -> list[str]:
    return [name for name in steps[0].arguments if len({str(step.arguments[name]) for step in steps}) > 1]


def _clause(steps: Sequence[Step], signatures: Mapping[str, Signature]) -> str:
    first = steps[0]
    if len(steps) == 1:
        return uncapitalised(first.words)
    (name,) = _differing(steps)
    values = [str(step.arguments[name]) for step in steps]
    before, found, _ = signatures[first.skill].says.partition(f"{{{name}}}")
    article = "the " if found and before.endswith("the ") else ""
    together: dict[str, Value] = {**first.arguments, name: joined(values, article)}
    return _of_several(uncapitalised(signatures[first.skill].tell(together)))


def _of_several(clause: str) -> str:
    """`shut it when it is full` of several things: `shut them when they are full`."""
    for one, several in _SEVERAL.items():
        clause = re.sub(rf"\b{one}\b", several, clause)
    return clause


def _already(condition: Condition) -> str:
    denied = _DENIED.search(condition.words) is not None  # `not running` may be a relation, and running its opposite
    return f"{condition.words.rstrip('.')} {'anyway' if denied else 'already'}."


def uncapitalised(sentence: str) -> str:
    """A sentence as a part of another."""
    text = sentence.strip().rstrip(".")
    return text if text[:2].isupper() else text[:1].lower() + text[1:]


def joined(names: Iterable[str], article: str = "") -> str:
    """`fern, the rose and the cactus`: names in a row; the article stands before all but the first."""
    listed = list(names)
    text = in_a_row([*listed[:1], *(article + name for name in listed[1:])])
    return f"{text} ({len(listed)})" if len(listed) > _MANY else text


def tell_abilities(skills: Iterable[Signature]) -> str:
    """`I can fill a cup; switch a lamp on or off.`: what each skill is for, by its own sentence."""
    told = list(dict.fromkeys(_ability(each) for each in skills))
    if not told:
        return "There is nothing that I can do here."
    more = len(told) - _MOST_ABILITIES
    rest = [f"and {more} more {'thing' if more == 1 else 'things'}"] if more > 0 else []
    return f"I can {'; '.join([*told[:_MOST_ABILITIES], *rest])}."


def _ability(skill: Signature) -> str:
    """`Put the {block} on {target}.` is `put a block on a target`; a skill without a sentence is what it is for."""
    if skill.says.startswith(f"{skill.name}(") or not re.match(r"\w+ ?", skill.says):
        return uncapitalised(skill.about.split("\n")[0])
    told, seen = skill.says, set[str]()
    for parameter in skill.parameters:
        noun = (parameter.kind or parameter.name).replace("_", " ")
        pattern = rf"(?:\b[Tt]he )?\{{{parameter.name}\}}"
        amount = parameter.type in (int, float) and re.search(rf"{pattern} [\w%°]", told) is not None
        said = re.search(rf"\b{re.escape(noun)}\b[^{{]*\{{{parameter.name}\}}", told) is not None
        told = re.sub(pattern, _any(parameter, noun, amount=amount, again=noun in seen or said), told)
        seen.add(noun)
    return uncapitalised(told)


def _any(parameter: Parameter, noun: str, *, amount: bool, again: bool) -> str:
    """Words for whatever may stand in a place."""
    if parameter.choices is not None and len(parameter.choices) <= _MANY:
        return in_a_row(parameter.choices, "or")
    if amount:
        return "a number of"
    if again and parameter.type in (int, float):
        return "a number"
    if again:
        return f"another {noun}"
    if plural(noun) == noun:
        return noun
    return f"{'an' if noun[:1].lower() in 'aeiou' else 'a'} {noun}"


def tell_choices(signature: Signature, parameter: Parameter, given: Mapping[str, Any], verb: str) -> str:
    """That something is none of the choices: "“ajar” is not possible here. I can draw the blind open or shut." """
    wrong, choices = str(given[parameter.name]), in_a_row(parameter.choices or (), "or")
    plain = all(isinstance(given.get(each.name), str | int | float) for each in signature.parameters)
    if verb != "do" or not plain or not signature.says[:1].isupper() or f"{{{parameter.name}}}" not in signature.says:
        return f"That can be {choices}, but not {wrong}."
    done = uncapitalised(signature.says.format_map({**given, parameter.name: choices}))
    return f"“{wrong}” is not possible here. I can {done}."


def the(names: Sequence[str]) -> str:
    """`the fern and the rose`; a name of its own has no article: `Rex`."""
    return joined([name if name[:1].isupper() else f"the {name}" for name in names]) or "nothing"


def tell_value(value: Any) -> str:
    """A value as the robot says it to a person, in sentences where it is the whole answer."""
    match value:
        case bool():
            return "Yes." if value else "No."
        case None:
            return "Nothing."
        case float():
            return spell_number(value)
        case list() | tuple() | set():
            told = [tell_value(each) for each in value]
            if told and all(is_ended(each) for each in told):
                return " ".join(told)
            return joined([tell_value(each).rstrip(".") for each in value]) or "None."
        case dict():
            return joined([f"{key}: {tell_value(each)}" for key, each in value.items()]) or "None."
    return str(value)


def tell_choice(choices: Sequence[str], question: str = WHAT) -> tuple[str, tuple[str, ...]]:
    """The question which of several readings was meant, by what differs; and what can be answered, in full."""
    shown = (*shortened(choices), NONE)
    asked = " ".join(f"{number}. {each}" for number, each in enumerate(shown, 1))
    return f"{question} {asked}", (*choices, NONE)


def tell_why_asked(asked: Meaning) -> str:
    """Why the robot asks: what it understood leaves something open; empty where it asks nothing."""
    match asked.content, asked.readings:
        case Question(), (Reading(rules=rules, kept=kept),) if rules or kept:
            return "A rule holds until you take it back, so I keep none that I am not sure you gave."
        case Question(), (_,):
            return _tell_doubt(asked)
        case Question(), (_, _, *_):
            return f"I can read that in {len(asked.readings)} ways. {_tell_doubt(asked)}"
        case Question(noun=noun), _:
            return f"Several things here may be “{noun}”." if noun else "I cannot tell from what you said."
    return ""


def _tell_doubt(asked: Meaning) -> str:
    if asked.sure is None:
        return "I am not sure enough to act without asking."
    return f"I am {asked.sure:.0%} sure of the likeliest. That is not enough to act without asking."


def tell_amounts(value: Any) -> str:
    """A value as the robot says it to a person, every amount with its unit."""
    if isinstance(value, Counted):
        return value.told
    if isinstance(value, list) and any(isinstance(each, Counted) for each in value):
        return joined([tell_amounts(each) for each in value])
    return tell_value(value)
