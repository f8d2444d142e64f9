"""Which of the offered choices an answer names: by its words, by a number, or as whichever.

An answer that consists of words of one choice picks that one: "blue", "the tall one". If it fits several, it picks the
one of which it names all that sets it apart, and otherwise none: the rest of the choices is what is left to ask about.
"""

from __future__ import annotations

from collections.abc import Sequence

from thinkaloud.language.words import PICKING, answer_words, denies, picked_number, says_any, says_last, stems


def pick_named(text: str, choices: Sequence[str]) -> int | None:
    """The place of the choice that an answer repeats word for word."""
    said = answer_words(text)
    same = [place for place, choice in enumerate(choices) if answer_words(choice) == said]
    return same[0] if len(same) == 1 and said else None


def pick(text: str, choices: Sequence[str], *, to_the_last: bool = False) -> int | None:
    """The place of the choice that an answer names. Who leaves it to the robot gets the first; a denial names none.

    With `to_the_last`, the last of the choices is also the last that was offered, and may be called that.
    """
    shared = set[str].intersection(*map(stems, choices)) if choices else set()
    if says_any(text, shared):
        return 0
    if denies(text):
        return None
    if to_the_last and says_last(text, shared):
        return len(choices) - 1
    if (number := picked_number(text, shared)) is not None and 1 <= number <= len(choices):
        return number - 1
    fits = find_fitting(text, choices)
    whole = [place for place in fits if stems(choices[place]) - shared == _said(text) - shared]
    return fits[0] if len(fits) == 1 else whole[0] if len(whole) == 1 else None


def find_fitting(text: str, choices: Sequence[str]) -> list[int]:
    """The places of the choices that have all words of an answer; none for an answer without words, or a denial."""
    said = _said(text)
    if not said or denies(text) or any(word.isdecimal() for word in answer_words(text)):
        return []
    return [place for place, choice in enumerate(choices) if said <= stems(choice)]


def _said(text: str) -> set[str]:
    """The stems of an answer, without those of words that only accompany a choice: "the red one, please"."""
    return stems(" ".join(word for word in answer_words(text) if word not in PICKING))
