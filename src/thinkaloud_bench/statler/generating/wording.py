"""How queries are worded: many templates for each intent, politeness, upper and lower case, with and without a stop."""

from __future__ import annotations

import random
import re
from collections.abc import Sequence

from thinkaloud.state.edits import GROUND, is_container, is_cover, noun
from thinkaloud_bench.phrases import load_phrases

TEMPLATES = load_phrases("thinkaloud_bench.statler.generating", "templates")
_VERBS = ("put", "put", "move", "place", "set", "drop", "transfer", "lay", "bring")
_BEFORE = (
    "please {}", "now {}", "next, {}", "could you {}", "can you {}", "robot, {}", "then {}", "I want you to {}",
    "would you {}", "ok, now {}", "go ahead and {}", "I'd like you to {}", "alright, {}", "kindly {}",
)  # fmt: skip
_AFTER = ("{} please", "{}, please", "{}, thanks", "{} now", "{} for me", "{} if you can")
_NO_ORDER = re.compile(r"(I|the|both|let's|all|apart|every)\b")
_OPENING = ("tell me, {}", "hey, {}", "ok, {}", "so, {}", "quick question: {}", "one more thing: {}")
_HINT = (
    "by the way, {}",
    "note that {}",
    "just so you know, {}",
    "remember: {}",
    "FYI, {}",
    "I should tell you that {}",
)


class QueryWording:
    """Words for what is meant; the same random numbers give the same words. `used` are the templates so far."""

    def __init__(self, rng: random.Random) -> None:
        self.rng = rng
        self.used: list[str] = []

    def command(self, intent: str, target: str = "", **fills: str) -> str:
        """Something that is to be done; `target` is the thing or place itself, `y` in the fills how it is called."""
        text = self._filled(intent, target, fills)
        roll = self.rng.random()
        ordered = not _NO_ORDER.match(text)
        if roll < 0.25 and ordered:
            text = self.rng.choice(_BEFORE).format(text)
        elif roll < 0.38:
            text = self.rng.choice(_AFTER if ordered else _AFTER[:3]).format(text)
        asks = re.match(r"(could|can|would) you", text) is not None
        return self._finished(text, "?" if asks else ".")

    def question(self, intent: str, target: str = "", **fills: str) -> str:
        """Something that is to be answered."""
        text = self._filled(intent, target, fills)
        if self.rng.random() < 0.1:
            text = self.rng.choice(_OPENING).format(text)
        return self._finished(text, "?")

    def statement(self, intent: str, target: str = "", **fills: str) -> str:
        """Something that is told."""
        text = self._filled(intent, target, fills)
        if self.rng.random() < 0.12:
            text = self.rng.choice(_HINT).format(text)
        return self._finished(text, ".")

    def name(self, thing: str) -> str:
        """A thing by its name."""
        return f"the {thing}"

    def several(self, things: Sequence[str]) -> str:
        """Several things at once: `the red and the blue block`."""
        if len(things) == 1:
            return self.name(things[0])
        kinds = {noun(thing) for thing in things}
        whole = [f"the {thing}" for thing in things]
        ways = [_joined(whole), _joined([whole[0], *things[1:]]), f"both {_joined(whole)}" if len(things) == 2 else ""]
        if len(kinds) == 1 and all(len(thing.split()) > 1 for thing in things):
            kind = kinds.pop()
            hues = [thing.rpartition(" ")[0] for thing in things]
            ways += [f"the {_joined(hues)} {kind}s", f"{_joined(['the ' + hue for hue in hues])} {kind}"]
            ways.append(f"the {_joined(hues)} {kind}")
        return self.rng.choice([way for way in ways if way])

    def where(self, target: str) -> str:
        """A place to put something, as words for `y`."""
        return "the table" if target in GROUND else f"the {target}"

    def _filled(self, intent: str, target: str, fills: dict[str, str]) -> str:
        template = self.rng.choice(TEMPLATES[intent])
        verb = self.rng.choice((*_VERBS, "stack", "stack") if noun(target) == "block" else _VERBS)
        self.used.append(f"{intent}: {template}" + (f" ({verb})" if "{verb}" in template else ""))
        return template.format_map({**fills, "verb": verb, "on": self._onto(target, verb), "at": self._at(target)})

    def _onto(self, target: str, verb: str) -> str:
        goes = verb in ("move", "transfer", "bring")  # `move all the blocks in the red bowl` could mean those in it
        if is_container(target):
            return "into" if goes else self.rng.choice(("in", "into", "inside", "in"))
        if target in GROUND:
            return self.rng.choice(("to", "onto", "back to", "on") if goes else ("on", "onto", "down on", "on"))
        return self.rng.choice(("on", "onto", "on top of", "on"))

    def _at(self, target: str) -> str:
        if is_container(target):
            return self.rng.choice(("in", "inside"))
        return "over" if is_cover(target) else "on"

    def _finished(self, text: str, stop: str) -> str:
        roll = self.rng.random()
        if roll < 0.03:
            text = text.upper()
        elif roll < 0.65:
            text = text[0].upper() + text[1:]
        elif roll < 0.8:
            text = text.lower()
        return text + (stop if self.rng.random() < 0.6 else "")


def _joined(parts: Sequence[str]) -> str:
    return parts[0] if len(parts) == 1 else f"{', '.join(parts[:-1])} and {parts[-1]}"
