"""Lessons: what people mean by their own words, as the monologue has them."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable
from dataclasses import replace

from thinkaloud.monologue import Monologue
from thinkaloud.records import Taught


def lessons_of(monologue: Monologue) -> list[Taught]:
    """The lessons that hold, the oldest first; a later one for the same words replaces an earlier one."""
    found: dict[str, Taught] = {}
    for lesson in monologue.since(None, Taught):
        words = normalised(lesson.said)
        found.pop(words, None)
        if not lesson.forgotten:
            found[words] = lesson
    return list(found.values())


def lessons_to_take_in(monologue: Monologue, kept: Iterable[Taught]) -> list[Taught]:
    """What has to be added to a monologue so that exactly these lessons hold."""
    wanted = {normalised(lesson.said): lesson for lesson in kept}
    held = {normalised(lesson.said): lesson for lesson in lessons_of(monologue)}
    over = [replace(lesson, forgotten=True) for words, lesson in held.items() if words not in wanted]
    return over + [lesson for words, lesson in wanted.items() if held.get(words) != lesson]


def normalised(text: str) -> str:
    """Words as they are compared: without differences of case, width, spacing and punctuation."""
    plain = unicodedata.normalize("NFKC", text).casefold()
    kept = "".join(letter if letter.isalnum() or unicodedata.combining(letter) else " " for letter in plain)
    return " ".join(kept.split())
