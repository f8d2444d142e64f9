"""What comes to light while a request is carried out: who said "all the blocks" meant the one below as well.

When all that was understood is done, and something is seen by then that was not when the request was read, the program
is run again. What it comes to counts where it is all that was wished before, and more is done only with what has come
to light. A program that names things one by one (`["apple", "pear"]`) says nothing of others.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from thinkaloud.monologue import Monologue
from thinkaloud.records import Answer, Meaning, Observation, Request, Step
from thinkaloud.understand.switches import switchable


@dataclass(frozen=True)
class Unread:
    """Things that were not known when a request was read, what that was taken to mean, and all deeds it came to."""

    meaning: Meaning
    things: tuple[str, ...]
    deeds: tuple[Step, ...]
    scene: Observation
    """All that is known now; in every list, what has come to light stands last."""


@switchable(None)
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
