"""How people say what they want: for every kind of wish at least eight ways, with room for names and coordinates."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from thinkaloud_bench.phrases import load_phrases

WAYS = load_phrases("thinkaloud_bench.multitalk.generating", "phrasings")
PURPOSES = load_phrases("thinkaloud_bench.multitalk.generating", "purposes")
UNCLEAR = ("book", "remote control", "candle", "tea box", "coffee can", "stapler", "piece of butter", "tape measure")
"""Kinds about which people may disagree what they are for."""
_POINTS = ("({x:.2f}, {y:.2f})", "({x:.2f}, {y:.2f})", "x = {x:.2f}, y = {y:.2f}", "({x:.2f}, {y:.2f}, 0.00)")


def say_wish(rng: Random, ways: Sequence[str], **words: str) -> str:
    """One of the ways, with the words put in; `{A}` is `{a}` as a sentence begins."""
    text = rng.choice(ways).format_map(words | {name.upper(): begin_sentence(word) for name, word in words.items()})
    return begin_sentence(text)


def point(rng: Random, x: float, y: float) -> str:
    """A point as people write it."""
    return rng.choice(_POINTS).format(x=x + 0.0, y=y + 0.0)


def the(name: str) -> str:
    """A thing as it is spoken of: numbered ones go without an article."""
    return name if name[-1:].isdigit() else f"the {name}"


def join_things(names: Sequence[str]) -> str:
    """Several things in a sentence."""
    return ", ".join(map(the, names))


def begin_sentence(text: str) -> str:
    """The text as a sentence begins; a coordinate keeps its letter."""
    return text if text.startswith("x =") else text[:1].upper() + text[1:]
