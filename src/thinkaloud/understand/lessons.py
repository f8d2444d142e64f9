"""What people have taught the robot about their own words, and which of it helps to read a request.

A lesson for just these words replaces the reading; capitals, spaces and punctuation may differ. A lesson for similar
words is shown to the model as if it had been said before. Words are similar if they share many runs of three letters;
that works in any language.
"""

from __future__ import annotations

from collections.abc import Sequence

from thinkaloud.episode.lessons import normalised
from thinkaloud.records import Taught
from thinkaloud.understand.prompting.prompt import PastTurn

_MOST_SHOWN = 2
_ALIKE = 0.35
"""The least share of common runs of letters at which a lesson is shown."""


def find_lesson(text: str, lessons: Sequence[Taught]) -> Taught | None:
    """The lesson for just these words."""
    words = normalised(text)
    return next((lesson for lesson in reversed(lessons) if normalised(lesson.said) == words), None)


def similar_turns(text: str, lessons: Sequence[Taught]) -> list[PastTurn]:
    """The lessons for similar words, as a prompt shows what was said before, the most similar last."""
    alike = [(_alike(text, lesson.said), n) for n, lesson in enumerate(lessons) if lesson.program]
    best = sorted(each for each in alike if each[0] >= _ALIKE)[-_MOST_SHOWN:]
    return [PastTurn(lessons[n].said, lessons[n].program) for _, n in best]


def _alike(one: str, other: str) -> float:
    first, second = _runs(one), _runs(other)
    return len(first & second) / len(first | second)


def _runs(text: str) -> set[str]:
    padded = f"  {normalised(text)} "
    return {padded[at : at + 3] for at in range(len(padded) - 2)}
