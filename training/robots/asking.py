"""Requests that a robot asked back about, made of plain ones: it offers readings, nearly right, and hears it once more.

    ask_back([Conversation((Said("water the fern", 'water("fern")'),))], at, run, rng)
    # > water the fern
    # ? water("rose")
    # >> no, water the fern
    # water("fern")

Who is asked often just says it again. What was offered was not done; what is said then is the whole of what is meant.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import replace

import numpy as np

from thinkaloud.errors import ThinkaloudError
from thinkaloud.language.words import NUMBERS, ORDINALS
from thinkaloud.records import Meaning
from thinkaloud.understand.meaning.circumstances import Circumstances
from thinkaloud.understand.offering import outcome_of
from training.noise import noisy
from training.robots.mistaking import mistake
from training.robots.reading import Conversation, Said
from training.words import one

SHARE = 0.12
"""Of the plain requests, so many are asked about."""
_WITH_RIGHT = 0.5
"""So often the right reading is among those that are offered."""
_PICKED = 0.3
"""So often it is then picked by its number."""
_MOST = 3
_TRIES = 8
_OFFERED = ("deeds", "answer", "note")
AGAIN = {
    "en": (
        *(
            "",
            "I mean: ",
            "I said: ",
            "I meant ",
            "again: ",
            "once more: ",
            "what I said: ",
            "I told you, ",
            "listen, ",
        ),
        *("please just ", "I want you to do this: ", "as I said, ", "in other words, ", "so: ", "well, ", "hm, "),
    ),
    "de": ("", "ich meine: ", "ich sagte: ", "nochmal: ", "wie gesagt: "),
    "es": ("", "quiero decir: ", "he dicho: ", "otra vez: "),
    "fr": ("", "je veux dire : ", "j'ai dit : ", "encore une fois : "),
    "zh": ("", "我是说，", "我说的是，", "再说一遍："),
}
"""How people begin to say it again."""
NO = {
    "en": (
        *("no, ", "No. ", "No! ", "nope, ", "no no, ", "no, I mean: ", "No, I said: ", "not that, ", "that's not it, "),
        *("wrong. ", "no that's wrong, ", "that is not what I meant: ", "you got me wrong: ", "not at all, "),
    ),
    "de": ("nein, ", "Nein! ", "nein, ich meine: ", "falsch, ", "das nicht, "),
    "es": ("no, ", "¡No! ", "no, quiero decir: ", "eso no, "),
    "fr": ("non, ", "Non ! ", "non, je veux dire : ", "pas ça, "),
    "zh": ("不，", "不是，", "不对，", "不是这个，"),
}
"""The same, where what was offered is wrong."""
NEITHER = {
    "en": ("neither, ", "neither. ", "none of these, ", "none of them: ", "no, none of that, "),
    "de": ("keins davon, ", "weder noch, "),
    "es": ("ninguno, ", "ninguna de esas, "),
    "fr": ("aucun des deux, ", "rien de tout ça, "),
    "zh": ("都不是，", "都不对，"),
}
"""The same, where all of several are."""
_PICKS = (
    "{number}",
    "{number}.",
    "number {number}",
    "the {ordinal}",
    "the {ordinal} one",
    "{ordinal}",
    "option {word}",
)
Run = Callable[[str], Meaning]


def ask_back(
    talks: Sequence[Conversation], at: Circumstances, run: Run, rng: np.random.Generator
) -> list[Conversation]:
    """The same conversations, some of one plain request with a question of the robot's in them; `run` runs programs."""
    said = [turn.program for talk in talks for turn in talk.turns]
    return [_asked_back(talk, said, at, run, rng) if _is_drawn(talk, rng) else talk for talk in talks]


def _is_drawn(talk: Conversation, rng: np.random.Generator) -> bool:
    return len(talk.turns) == 1 and not talk.turns[0].remedies and rng.random() < SHARE


def _asked_back(
    talk: Conversation, others: Sequence[str], at: Circumstances, run: Run, rng: np.random.Generator
) -> Conversation:
    (turn,) = talk.turns
    right = _outcome(turn.program, at, run)
    if right is None or right[0] != "deeds":
        return talk
    wrong = _mistaken(turn.program, right[1], others, at, run, rng)
    if not wrong:
        return talk
    offered = wrong
    place: int | None = None
    if rng.random() < _WITH_RIGHT:
        place = int(rng.integers(len(wrong) + 1))
        offered = [*wrong[:place], turn.program, *wrong[place:]]
    asked = replace(turn, program=offered[0], offered=tuple(offered))
    return Conversation((asked, replace(turn, words=_answered(turn, len(offered), place, rng))))


def _answered(turn: Said, many: int, place: int | None, rng: np.random.Generator) -> str:
    """What a person says who was offered so many readings, of which this is the right one, or none."""
    if place is not None and turn.language == "en" and rng.random() < _PICKED:
        names = {"number": str(place + 1), "ordinal": ORDINALS[place], "word": NUMBERS[place]}
        return one(rng, _PICKS).format_map(names)
    openings = AGAIN[turn.language]
    if place is None:
        openings = (*openings[:4], *NO[turn.language], *(NEITHER[turn.language] if many > 1 else ()))
    opening = one(rng, openings)
    words = noisy(rng, turn.words, 0.3) if turn.language == "en" and not opening else turn.words
    small = opening and not opening.endswith((". ", "! ")) and not words.startswith(("I ", "I'")) and rng.random() < 0.7
    return opening + (words[0].lower() + words[1:] if small else words)


def _mistaken(
    program: str, right: Hashable, others: Sequence[str], at: Circumstances, run: Run, rng: np.random.Generator
) -> list[str]:
    """Programs that a robot might have offered in place of this one: they come to something, and each to another."""
    known, found = {right}, list[str]()
    wanted = int(rng.integers(1, _MOST + 1))
    for _ in range(_TRIES):
        other = mistake(program, at.lexicon, others, rng)
        comes_to = None if other is None else _outcome(other, at, run)
        if other is None or comes_to is None or comes_to[1] in known:
            continue
        known.add(comes_to[1])
        found.append(other)
        if len(found) == wanted:
            break
    return found


def _outcome(program: str, at: Circumstances, run: Run) -> tuple[str, Hashable] | None:
    """The sort of what a program comes to, and that itself; None where a robot would not offer it."""
    try:
        meaning = run(program)
    except (ThinkaloudError, LookupError, TypeError, ValueError, NameError, ArithmeticError):
        return None
    if meaning.sort not in _OFFERED or (meaning.sort == "deeds" and not meaning.deeds):
        return None
    return meaning.sort, outcome_of(meaning, at.world)
