"""What people say around what they mean: politeness, passing words, capitals, slips, full stops or none."""

from __future__ import annotations

import random

import numpy as np

from training.demonstrators.statler.templates import chosen, drawn
from training.noise import slipped

_VERBS = """
put place move set lay drop bring transfer shift stick pop deposit relocate carry get leave take pick grab fetch lift
seize select find look locate see ensure make be have use go try proceed gather collect assemble round unite clear empty
unload pour tip swap exchange switch interchange stack pile build form disinfect clean wash sanitize sterilize purify
decontaminate cover hide conceal trap enclose shelter uncover unveil reveal expose unhide remove show balance even fill
load choose add match undo revert reverse cancel return free unstack unpack sort separate raise turn flip lower rest
"""
VERBS = frozenset(_VERBS.split())
"""With these words begins an order; everything else that is meant as one is a wish: `the red block should go there`."""
QUESTIONS = ("could", "can", "would", "will", "may I", "is it")
_SHARES = {"commands": (0.22, 0.34), "asking": (0.12, 0.12), "telling": (0.15, 0.15)}


def framed(rng: random.Random, text: str, kind: str) -> str:
    """A sentence as somebody would really write it; `kind` is commands, asking or telling."""
    before, after = _SHARES[kind]
    plain = kind == "commands" and text.split()[0].strip(",") not in VERBS
    asks, roll = kind == "asking", rng.random()
    if roll < before:
        first = chosen(rng, rng.choice(drawn(rng, f"frame {'wish' if plain else kind}").texts))
        text = first + text
        asks = asks or first.startswith(QUESTIONS)
    elif roll < after:
        text += rng.choice(drawn(rng, "frame after wish" if plain else "frame after").texts)
    return finished(rng, text, asks=asks)


def finished(rng: random.Random, text: str, *, asks: bool) -> str:
    """With or without capitals and a stop, and now and then a slip."""
    ends = ("?", "", " ?", "..", "?!") if asks else (".", "", "!", "..", "!!")
    text = text.rstrip(".") + rng.choices(ends, (50, 46, 2, 1, 1))[0]
    roll = rng.random()
    if roll < 0.5:
        text = text[0].upper() + text[1:]
    elif roll < 0.56:
        text = text.upper()
    elif roll < 0.6:
        text = text.lower()
    return slipped(np.random.default_rng(rng.getrandbits(32)), text) if rng.random() < 0.05 else text
