"""`Yes, but only Rex`: what is said of a part of what was offered, or of what is taken back, is worked out by code.

So is `yes, and Susi, too`: more of the same.

And `back where it was`: that is not all that was done last, but the place of one thing.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from thinkaloud.language.calls import render_call
from thinkaloud.language.name_matching import things_in
from thinkaloud.language.words import answer_words, spaced_words
from thinkaloud.records import Meaning, Step, WorldState
from thinkaloud.understand.conversation import PastWork
from thinkaloud.understand.language import UNDO, spelled
from thinkaloud.understand.lexicon import Lexicon
from thinkaloud.understand.meaning.wishes import promises_of
from thinkaloud.understand.switches import nothing, switchable
from thinkaloud.worlds.contract import World
from thinkaloud.worlds.full_world import is_opposite

_ONLY = re.compile(r"\b(?:only|just)\b(?P<only>.+)|\b(?:not|except(?: for)?|without)\b(?P<but>.+)", re.IGNORECASE)
_YES = frozenset({"yes", "yeah", "yep", "ok", "okay", "sure"})
_AGREES = _YES | {"right", "but", "only", "just"}
_BESIDES = frozenset({"and", "also", "too", "as", "well", "plus", "the", "please", "with", "that", "is"})
_WHERE = re.compile(r"\bwhere\s+(?:[\w']+\s+){1,3}?(?:was|were|came|stood|lay|used|had)\b|\bto where\b", re.IGNORECASE)


@switchable(lambda *_: False)
def agrees_in_part(text: str) -> bool:
    """Whether an answer says yes to a part: "yes, but only Rex", "only the small one"."""
    return answer_words(text)[:1] != [] and answer_words(text)[0] in _AGREES and _ONLY.search(text) is not None


@switchable(lambda *_: False)
def agrees_to_more(text: str, lexicon: Lexicon) -> bool:
    """Whether an answer says yes, and names a thing besides, and nothing else: "yes, and the Marlin as well"."""
    words = answer_words(text)
    names = {word for name in things_in(text, lexicon.things) for word in answer_words(name)}
    return bool(names) and words[0] in _YES and {*words} <= names | _YES | _BESIDES


@switchable(nothing)
def narrow(text: str, meaning: Meaning, work: PastWork | None, lexicon: Lexicon) -> str | None:
    """The program for the part of some deeds, or of what is taken back, that `only …` or `not …` leaves of it.

    None where no part of it is named: then it is for a model to read.
    """
    found = _ONLY.search(text)
    steps = work.steps if meaning.sort == "undo" and work is not None else meaning.deeds
    if found is None or meaning.sort not in ("undo", "deeds") or (meaning.sort == "undo" and work is None):
        return None
    named = {*things_in(found["only"] or found["but"], lexicon.things)}
    handled = [step for step in steps if named & {*step.arguments.values()}]
    if not handled or len(handled) == len(steps):
        return None
    wanted = handled if found["only"] is not None else [step for step in steps if step not in handled]
    if meaning.sort == "deeds":
        return calls_of(wanted, lexicon)
    stay = [step for step in steps if step not in wanted]
    return f"{spelled(UNDO, lexicon)}({meaning.why})\n{calls_of(stay, lexicon)}"


def widen(text: str, meaning: Meaning, lexicon: Lexicon) -> str | None:
    """What was offered, with what a yes names besides: `yes, and the Marlin as well` is the same for that one, too.

    None where it is not clear what is to be done with it: then it is for a model to read.
    """
    offered = {str(value) for step in meaning.deeds for value in step.arguments.values()}
    told = spaced_words(f"{meaning.words} {meaning.program}")
    named = things_in(text, lexicon.things) if meaning.sort == "deeds" else []
    more = [each for each in named if each not in offered and spaced_words(each) not in told]
    if not more or not meaning.deeds:
        return meaning.program
    last = meaning.deeds[-1]
    names = {own: called for called, own in lexicon.own_names.items()}
    signature = lexicon.skills.get(names.get(last.skill, last.skill))
    if signature is None or {step.skill for step in meaning.deeds} != {last.skill}:
        return None
    added = []
    for thing in more:
        places = [p.name for p in signature.parameters if thing in lexicon.named.get(lexicon.list_of(p) or "", ())]
        if len(places) != 1:
            return None
        added.append(replace(last, arguments={**last.arguments, places[0]: thing}))
    return calls_of([*meaning.deeds, *added], lexicon)


def calls_of(steps: Sequence[Step], lexicon: Lexicon) -> str:
    """The program that does some steps."""
    names = {own: called for called, own in lexicon.own_names.items()}
    return "\n".join(render_call(names.get(step.skill, step.skill), list(step.arguments.values())) for step in steps)


@switchable(lambda *_: False)
def says_back(text: str) -> bool:
    """Whether things are to be where they were: "put him back where he was"."""
    return _WHERE.search(text) is not None and "back" in answer_words(text)


def find_way_back(
    text: str,
    works: Sequence[tuple[PastWork, WorldState | None]],
    now: WorldState | None,
    lexicon: Lexicon,
    world: World,
) -> str | None:
    """The program that brings what is named, or what was handled last, where it was before it was last moved."""
    steps = [step for work, _ in works for step in work.steps]
    latest = [value for step in steps[-1:] for value in step.arguments.values() if isinstance(value, str)]
    things = things_in(text, lexicon.things) or latest[:1]
    found = [_back(thing, works, now, world) for thing in things]  # of all barrels, those that were moved
    back = [step for step in found if step is not None]
    return calls_of(back, lexicon) if back else None


def _back(
    thing: str, works: Sequence[tuple[PastWork, WorldState | None]], now: WorldState | None, world: World
) -> Step | None:
    """The latest step that moved a thing, to where it was before that."""
    for work, before in reversed(works):
        for step in reversed(work.steps):
            skill = world.skills.get(step.skill)
            for promised in promises_of(skill, step.arguments, world) if skill is not None else ():
                relation, values = world.relations[promised.relation], [*promised.arguments.values()]
                if is_opposite(promised.relation) or not relation.otherwise or values[:1] != [thing] or skill is None:
                    continue
                was = _value_of(promised.relation, thing, before)
                if was is None or was == _value_of(promised.relation, thing, now):
                    continue
                given = {name: was if value == values[-1] else value for name, value in step.arguments.items()}
                return skill.step(given)
    return None


def _value_of(relation: str, thing: str, state: WorldState | None) -> str | None:
    """What a thing is in, on or at, in a state."""
    for each in () if state is None else state.relations:
        values = [*each.arguments.values()]
        if each.relation == relation and values[:1] == [thing] and len(values) > 1:
            return str(values[-1])
    return None
