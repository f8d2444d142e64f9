"""One robot of the corpus becomes many: other words, other names of functions, another order, other company.

What was said stays what people said; only what it is about changes, and how it was typed. All chance is the caller's.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace

import numpy as np

from training.noise import noisy
from training.robots.reading import Conversation, Robot, Said
from training.robots.renaming import rename_functions, rename_words
from training.samples import Sample
from training.words import PLAIN_COLOURS, some

_MOST_TURNS = 8
_JOINED = (" and then ", ", then ", ". After that, ", "; also ", ", and ", ". And ", ". Then ", " and after that ")


def draw_guise(robot: Robot, rng: np.random.Generator, *, renamed: bool = True) -> Robot:
    """The robot in another guise, with a few of its conversations, in any order, as one session."""
    talks = draw_talks(robot, rng)
    if renamed and rng.random() < 0.7:
        robot, talks = rename_words(robot, talks, rng)
    if renamed and rng.random() < 0.4:
        robot, talks = rename_functions(robot, talks, rng)
    return replace(_reordered(robot, rng), conversations=tuple(_said(talks, rng)))


def draw_said(robot: Robot, rng: np.random.Generator) -> list[Conversation]:
    """Some of what was said, as it may have been typed: for worlds, whose names are their own."""
    return _said(draw_talks(robot, rng), rng)


def _said(talks: list[Conversation], rng: np.random.Generator) -> list[Conversation]:
    talks = [_typed(talk, rng) for talk in talks]
    return _joined(talks, rng) if rng.random() < 0.15 else talks


def recolour(samples: Iterable[Sample], rng: np.random.Generator) -> Iterator[Sample]:
    """The same with other colours, in names, words and programs at once."""
    samples = list(samples)
    text = " ".join(sample.text.lower() for sample in samples)
    there = [colour for colour in PLAIN_COLOURS if re.search(rf"\b{colour}\b", text)]
    if not there:
        yield from samples
        return
    others = [str(each) for each in some(rng, [c for c in PLAIN_COLOURS if " " not in c], len(there))]
    changed = dict(zip(there, others, strict=True))
    found = re.compile(rf"\b({'|'.join(sorted(there, key=len, reverse=True))})\b", re.IGNORECASE)

    def change(match: re.Match[str]) -> str:
        new = changed[match[0].lower()]
        return new.capitalize() if match[0][0].isupper() else new

    for sample in samples:
        parts = [(found.sub(change, asked), found.sub(change, answer)) for asked, answer in sample.parts]
        yield Sample(sample.family, tuple(parts))


def draw_talks(robot: Robot, rng: np.random.Generator) -> list[Conversation]:
    """Some of what was said to it: of one language or of all, up to so many turns."""
    talks = list(robot.conversations)
    if rng.random() < 0.6:
        english = [talk for talk in talks if all(turn.language == "en" for turn in talk.turns)]
        talks = english or talks
    elif rng.random() < 0.6:
        talks = [talk for talk in talks if any(turn.language != "en" for turn in talk.turns)] or talks
    most = int(rng.integers(1, _MOST_TURNS + 1))
    found: list[Conversation] = []
    for index in rng.permutation(len(talks)):
        talk = talks[int(index)]
        if found and sum(len(each.turns) for each in found) + len(talk.turns) > most:
            continue
        found.append(talk)
    return found


def _typed(talk: Conversation, rng: np.random.Generator) -> Conversation:
    return Conversation(tuple(replace(turn, words=_slipped(turn, rng)) for turn in talk.turns))


def _slipped(turn: Said, rng: np.random.Generator) -> str:
    if turn.language == "zh" or "note(" in turn.program:
        return turn.words
    if turn.language != "en":
        return turn.words.lower().rstrip(".!") if rng.random() < 0.15 else turn.words
    return noisy(rng, turn.words, 0.3)


def _joined(talks: list[Conversation], rng: np.random.Generator) -> list[Conversation]:
    """Two requests in one breath, if there are two plain ones."""
    plain = [i for i, talk in enumerate(talks) if len(talk.turns) == 1 and _is_plain(talk.turns[0])]
    if len(plain) < 2:
        return talks
    first, second = (int(i) for i in rng.permutation(plain)[:2])
    one, other = talks[first].turns[0], talks[second].turns[0]
    said = one.words.rstrip(".! ") + str(rng.choice(_JOINED)) + _small(other.words)
    both = Conversation((Said(said, f"{one.program}\n{other.program}"),))
    return [both if i == first else talk for i, talk in enumerate(talks) if i != second]


def _is_plain(turn: Said) -> bool:
    """Whether it is a deed or two and nothing else: no question, no condition, nothing about the talk itself."""
    ours = (
        "say(",
        "ask(",
        "note(",
        "cannot(",
        "keep(",
        "allow(",
        "never(",
        "undo(",
        "stop(",
        "unclear(",
        "previous(",
        "if ",
        "for ",
    )
    plain = not turn.program.startswith(ours) and "\nif " not in turn.program and "=" not in turn.program.split("(")[0]
    return plain and turn.language == "en" and len(turn.words) < 90 and "?" not in turn.words


def _small(words: str) -> str:
    return words if words.startswith(("I ", "I'")) else words[0].lower() + words[1:]


def _reordered(robot: Robot, rng: np.random.Generator) -> Robot:
    """Lists and functions in another order."""
    if rng.random() < 0.3:
        return robot
    data = dict(robot.data)
    kinds = {kind: [str(each) for each in rng.permutation(things)] for kind, things in data["kinds"].items()}
    data["kinds"] = {kind: kinds[kind] for kind in map(str, rng.permutation(list(kinds)))} if kinds else {}
    for part in ("skills", "relations", "values"):
        names = [str(each) for each in rng.permutation(list(data[part]))] if data[part] else []
        data[part] = {name: data[part][name] for name in names}
    return replace(robot, data=data)
