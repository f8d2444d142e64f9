"""Which of the things here will do, where a request leaves that open and no name says it: the model is asked.

`A snack` is the name of nothing here, and of `something to clean up with` a model may write that it is a rag. What a
coke is stands in no table; the model that reads knows it, as far as it does. It is asked for a second opinion of the
program with each of the things in the place of the word, those in view first; so of `read book`, too, where there is a
novel. A thing that it says no to is not taken for one that is not here, and what it takes is no more than a guess: the
robot asks, unless it is told never to. What was named (`the orchid`, `my rag`) is never exchanged for something else.
"""

from __future__ import annotations

import ast
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass

from thinkaloud.language.name_matching import find_named
from thinkaloud.language.words import stems, words_of
from thinkaloud.records import Meaning, Observation
from thinkaloud.understand.checking.fitting import WORDS, parsed, text_of
from thinkaloud.understand.language import with_name
from thinkaloud.understand.lexicon import Lexicon
from thinkaloud.understand.meaning.choosing import is_bare, leaves_open, names_all
from thinkaloud.understand.switches import nothing, switchable

_MOST_ASKED = 24
"""So many things the model is asked about, one by one."""
_YES, _CLEARLY = 0.5, 0.8
_FARTHER = 5.0
"""By so much the odds of a thing have to be better than those of others, where it takes their place."""
Opinion = Callable[[str], Awaitable[float | None]]
"""How likely the model says a program is what was meant; None where it does not say."""


@dataclass(frozen=True)
class Unsettled:
    """A word in a program that stands for one of several things, and those that it may be."""

    word: str
    things: tuple[str, ...]
    open: bool = False
    """Nothing says what it is but what it is for: `something to clean up with`."""
    found: str = ""
    """What was said of it, where it is one of the things that were found where somebody said; nothing elsewhere."""


@switchable(nothing)
def find_unsettled(
    program: str, meaning: Meaning, request: str, lexicon: Lexicon, scene: Observation, found: str = ""
) -> Unsettled | None:
    """The word of a program that leaves open which thing it is, if nothing in view is called so; and what a model has
    taken on its own for `something`, or for what was `found` where somebody said."""
    if meaning.sort not in ("deeds", "refusal") or not names_all(program, request, lexicon):
        return None
    settled = {value for deed in meaning.deeds for value in deed.arguments.values()} & {*scene.objects}
    open_ = bool(WORDS["open"] & {*words_of(request)})
    for word, things in given_texts(program, lexicon):
        in_view = [each for each in things if each in scene.objects]
        few = meaning.sort == "refusal" and len(things) <= _MOST_ASKED and find_named(word, things) is None
        own = bool(found or open_) and not stems(word) & stems(request)
        if not (in_view or few) or (not own and (settled & {*things} or find_named(word, in_view) is not None)):
            continue
        bare = few and is_bare(word, request)
        if found or bare or leaves_open(word, request) or not stems(word) & stems(request):
            return Unsettled(word, things, open_ and not found, found)
    return None


def given_texts(program: str, lexicon: Lexicon) -> list[tuple[str, tuple[str, ...]]]:
    """The texts that skills are given, each with all that could stand there."""
    tree = parsed(program)
    found = []
    for call in ast.walk(tree) if tree is not None else ():
        if isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and call.func.id in lexicon.skills:
            for value, parameter in zip(call.args, lexicon.skills[call.func.id].parameters, strict=False):
                things = lexicon.kinds.get(lexicon.list_of(parameter) or "", ())
                if (text := text_of(value)) is not None and things:
                    found.append((text, things))
    return found


async def settle(
    program: str, unsettled: Unsettled, meaning: Meaning, scene: Observation, is_meant: Opinion
) -> str | None:
    """The program with the thing that the model takes to be meant; None where it stays as it is.

    Where the model has written a thing itself, one in view has only to seem more likely to it than that. Where it was
    only said what it is for, another is taken if it is far likelier: chips in view wipe up nothing. Of things that were
    found, one has to be far likelier than the others: else the word that was said stands there, for all of them.
    """
    word = unsettled.word
    in_view = [each for each in unsettled.things if each in scene.objects]
    elsewhere = [each for each in unsettled.things if each not in scene.objects and each != word]
    if unsettled.found:
        ranked = await _ranked(program, word, unsettled.things, is_meant)
        (best, opinion), (_, second) = ranked[0], (*ranked, ("", 0.0))[1]
        clear = opinion >= _CLEARLY and _odds(opinion) > _FARTHER * _odds(second)
        return _changed(program, word, best if clear else unsettled.found)
    best, opinion = (await _ranked(program, word, in_view, is_meant))[0]
    if unsettled.open:
        own = await is_meant(program) or 0.0 if word in unsettled.things else 0.0
        other, likelier = (*await _ranked(program, word, elsewhere, is_meant), ("", 0.0))[0]
        if likelier >= _YES and _odds(likelier) > _FARTHER * _odds(max(opinion, own)):
            return _changed(program, word, other)
        if word in in_view and _odds(opinion) <= _FARTHER * _odds(own):
            return None
    if opinion >= _YES:
        return _changed(program, word, best)
    if meaning.sort == "deeds":
        return _changed(program, word, best) if opinion > (await is_meant(program) or 0.0) else None
    best, opinion = (*await _ranked(program, word, elsewhere, is_meant), ("", 0.0))[0]
    return _changed(program, word, best) if opinion >= _YES else None


def _changed(program: str, word: str, thing: str) -> str | None:
    return with_name(program, word, thing) if thing != word else None


def _odds(likelihood: float) -> float:
    return likelihood / max(1.0 - likelihood, 1e-6)


async def _ranked(program: str, word: str, things: Sequence[str], is_meant: Opinion) -> list[tuple[str, float]]:
    """The things, the likeliest in the model's opinion first, each with how likely it is to it."""
    opinions = [(each, await is_meant(with_name(program, word, each)) or 0.0) for each in things[:_MOST_ASKED]]
    return sorted(opinions, key=lambda each: -each[1])
