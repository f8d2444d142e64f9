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

from thinkaloud.names import find_named
from thinkaloud.records import Meaning, Observation
from thinkaloud.understand.checking.fitting import parsed, text_of
from thinkaloud.understand.language import with_name
from thinkaloud.understand.lexicon import Lexicon
from thinkaloud.understand.meaning.choosing import is_bare, leaves_open, names_all
from thinkaloud.words import stems

_MOST_ASKED = 24
"""So many things the model is asked about, one by one."""
_YES = 0.5
Opinion = Callable[[str], Awaitable[float | None]]
"""How likely the model says a program is what was meant; None where it does not say."""


@dataclass(frozen=True)
class Unsettled:
    """A word in a program that stands for one of several things, and those that it may be."""

    word: str
    things: tuple[str, ...]


def find_unsettled(
    program: str, meaning: Meaning, request: str, lexicon: Lexicon, scene: Observation
) -> Unsettled | None:
    """The word of a program that leaves open which thing it is, if nothing in view is called so."""
    if meaning.sort not in ("deeds", "refusal") or not names_all(program, request, lexicon):
        return None
    settled = {value for deed in meaning.deeds for value in deed.arguments.values()} & {*scene.objects}
    for word, things in _given(program, lexicon):
        in_view = [each for each in things if each in scene.objects]
        few = meaning.sort == "refusal" and len(things) <= _MOST_ASKED and find_named(word, things) is None
        if not (in_view or few) or settled & {*things} or find_named(word, in_view) is not None:
            continue
        if leaves_open(word, request) or (few and is_bare(word, request)) or not stems(word) & stems(request):
            return Unsettled(word, things)
    return None


def _given(program: str, lexicon: Lexicon) -> list[tuple[str, tuple[str, ...]]]:
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
    """The program with the thing that the model takes to be meant; None where it says so of none.

    Where the model has written a thing itself, one in view has only to seem more likely to it than that.
    """
    in_view = [each for each in unsettled.things if each in scene.objects]
    elsewhere = [each for each in unsettled.things if each not in scene.objects and each != unsettled.word]
    best, opinion = await _best(program, unsettled.word, in_view, is_meant)
    if opinion >= _YES:
        return best
    if meaning.sort == "deeds":
        return best if opinion > (await is_meant(program) or 0.0) else None
    best, opinion = await _best(program, unsettled.word, elsewhere, is_meant)
    return best if opinion >= _YES else None


async def _best(program: str, word: str, things: Sequence[str], is_meant: Opinion) -> tuple[str | None, float]:
    """The program with the thing that the model finds likeliest, and how likely that is to it."""
    programs = [with_name(program, word, each) for each in things[:_MOST_ASKED]]
    opinions = [(each, await is_meant(each) or 0.0) for each in programs]
    return max(opinions, key=lambda each: each[1], default=(None, 0.0))
