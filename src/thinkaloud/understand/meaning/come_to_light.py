"""What comes to light while a request is carried out: who said "all the blocks" meant the one below as well.

When all that was understood is done, and something is seen by then that was not when the request was read, the program
is run again. What it comes to counts where it is all that was wished before, and more is done only with what has come
to light. A program that names things one by one (`["apple", "pear"]`) says nothing of others: the model reads the
request once more, and what it puts beside things of before goes where those went.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from thinkaloud.language.calls import render_call
from thinkaloud.language.words import spaced_words
from thinkaloud.monologue import Monologue
from thinkaloud.records import Answer, Meaning, Observation, Request, Step
from thinkaloud.understand.lexicon import Lexicon
from thinkaloud.understand.program import read_program
from thinkaloud.understand.switches import nothing, switchable
from thinkaloud.understand.tree import Expression, Row, Text, Things
from thinkaloud.worlds.contract import World


@dataclass(frozen=True)
class Unread:
    """Things that were not known when a request was read, what that was taken to mean, and all deeds it came to."""

    meaning: Meaning
    things: tuple[str, ...]
    deeds: tuple[Step, ...]
    scene: Observation
    """All that is known now; in every list, what has come to light stands last."""


@switchable(nothing)
def find_unread(monologue: Monologue) -> Unread | None:
    """What has come to light since what was said last was read, if it asks for something to be done."""
    at, scene = monologue.where(Meaning), monologue.last(Observation)
    before = monologue.last(Observation, before=at) if at is not None else None
    read = [each for each in monologue.since(monologue.where((Request, Answer)), Meaning) if each.sort != "look"]
    if scene is None or before is None or not read or any(each.sort != "deeds" for each in read):
        return None
    new = tuple(each for each in _known(scene) if each not in _known(before))
    deeds = {deed.words: deed for each in read for deed in each.deeds}
    return Unread(read[-1], new, tuple(deeds.values()), _counted_on(scene, before)) if new else None


def _counted_on(scene: Observation, before: Observation) -> Observation:
    """The scene with what was known before first, in its order, and the rest after it: who counts off counts on."""
    known = [*_known(before)]

    def ordered(names: Iterable[str]) -> tuple[str, ...]:
        return tuple(sorted(names, key=lambda each: known.index(each) if each in known else len(known)))

    vocabulary = {kind: ordered(names) for kind, names in scene.vocabulary.items()}
    return replace(scene, objects=ordered(_known(scene)), hidden=(), vocabulary=vocabulary)


def _known(scene: Observation) -> dict[str, None]:
    return dict.fromkeys((*scene.objects, *scene.hidden))


def is_more(again: Meaning, unread: Unread) -> bool:
    """Whether a meaning has all that was wished before, and does more with what has come to light, and nothing else."""
    wished = {each.words for each in (*again.act.wishes, *again.act.already)}
    if again.sort != "deeds" or not {each.words for each in unread.meaning.act.wishes} <= wished:
        return False
    return bool(again.deeds) and all({*deed.arguments.values()} & {*unread.things} for deed in again.deeds)


def may_list_more(unread: Unread, request: str, lexicon: Lexicon) -> bool:
    """Whether a program lists things that the request did not name one by one: then it may be about others as well."""
    spoken = spaced_words(request)
    listed = _lists(unread.meaning.program, lexicon)
    return any(spaced_words(name) not in spoken for _, _, names in listed for name in names)


def with_siblings(program: str, unread: Unread, lexicon: Lexicon, world: World) -> str | None:
    """The deeds of before as a program, with those for what has come to light; None where nothing says which.

    `program` is what the model writes now: whatever is listed there together with things of before is done with as they
    were, and only where all of these were treated alike.
    """
    more = [each for found in _lists(program, lexicon) for each in _like_siblings(*found, unread, lexicon, world)]
    if not more:
        return None
    spelled = {own: name for name, own in lexicon.own_names.items()}
    steps = {each.words: each for each in (*unread.deeds, *more)}.values()
    return "\n".join(render_call(spelled.get(each.skill, each.skill), each.arguments.values()) for each in steps)


def _like_siblings(
    skill: str, place: str, names: list[str], unread: Unread, lexicon: Lexicon, world: World
) -> Iterator[Step]:
    own = lexicon.own_names.get(skill, skill)
    alike = [step.arguments for step in unread.deeds if step.skill == own and step.arguments.get(place) in names]
    others = [{name: value for name, value in given.items() if name != place} for given in alike]
    if others and all(each == others[0] for each in others):
        yield from (world.skills[own].step({**alike[0], place: name}) for name in names if name in unread.things)


def _lists(program: str, lexicon: Lexicon) -> Iterator[tuple[str, str, list[str]]]:
    """The lists of names that skills are given: the skill, the parameter, and the names; `x` and `x` again are one."""
    read = read_program(program, lexicon)
    single: dict[tuple[str, str, str], list[str]] = {}
    for call in () if read is None else (each for each in read.calls() if each.role == "skill"):
        for at, (value, parameter) in enumerate(zip(call.given, lexicon.skills[call.name].parameters, strict=False)):
            names = _names(value, lexicon)
            if len(names) > 1:
                yield call.name, parameter.name, names
            elif names:
                others = str([each for i, each in enumerate(call.given) if i != at])
                single.setdefault((call.name, parameter.name, others), []).extend(names)
    yield from ((skill, place, names) for (skill, place, _), names in single.items() if len(names) > 1)


def _names(value: Expression, lexicon: Lexicon) -> list[str]:
    match value:
        case Row(items):
            return [each.value for each in items if isinstance(each, Text)]
        case Things(name):
            return [*lexicon.named.get(name, ())]
        case Text(text):
            return [text]
    return []
