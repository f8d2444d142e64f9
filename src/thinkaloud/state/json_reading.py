"""Read Statler's JSON: from decoded data to a world state. Every error is a ValueError with a sentence."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterable, Mapping
from typing import Any

from thinkaloud.records import Condition, Value, WorldState
from thinkaloud.state.edits import GROUND, is_container, is_cover, lies_on
from thinkaloud.state.names import NameFinder
from thinkaloud.state.weights import read_weight
from thinkaloud.untrusted.files import Malformed, read_json

_OWN_KEYS = ("contains", "is", "on", "under", "weight")
"""The keys of a thing that come first, in this order, before other attributes."""

_TRAILING = re.compile(r'("(?:[^"\\]|\\.)*")|,(?=\s*[}\]])', re.DOTALL)
_PLACED = re.compile(r"(.+?) is (?:on|in|over|inside) (.+)", re.DOTALL)


def is_number(value: Any) -> bool:
    """Whether it is a number that a thing can have."""
    return isinstance(value, (int, float)) and not isinstance(value, bool) and math.isfinite(value)


def render_json(value: Any) -> str:
    """Return JSON on one line."""
    return json.dumps(value, ensure_ascii=False)


def read_state_json(text: str) -> dict[str, Any]:
    """Return the JSON in a text, with or without comment signs, `state =` and the opening line."""
    plain = "\n".join(re.sub(r"^\s*#", "", line) for line in text.strip().split("\n")).strip()
    plain = re.sub(r"^state\s*=\s*", "", plain)
    if plain.startswith('"'):
        plain = "{" + plain
    plain = _TRAILING.sub(lambda found: found[1] or "", plain)
    try:
        data = read_json(plain, _once)
    except Malformed as error:
        raise ValueError(f"This is not JSON: {error}.") from None
    if not isinstance(data, dict):
        raise ValueError("A state begins with { and ends with }.")
    return data


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    for key in (keys := [key for key, _ in pairs]):
        if keys.count(key) > 1:
            raise Malformed(f"{key!r} is there twice; it can be there only once")
    return dict(pairs)


def read_names(value: Any, key: str) -> list[str]:
    """A list of names, or one name."""
    if isinstance(value, str):
        return [value.strip()]
    if not isinstance(value, (list, tuple)) or not all(isinstance(each, str) for each in value):
        raise ValueError(f"{key!r} must be a list of names.")
    return [each.strip() for each in value]


class StateReading:
    """Reads decoded data once. Without an earlier state it is lenient: one half of a two-sided statement is enough."""

    def __init__(self, data: Mapping[str, Any], names: NameFinder, before: WorldState | None) -> None:
        self.data, self.names, self.before = data, names, before
        self.on: list[tuple[str, str]] = []
        self.halves: dict[str, list[tuple[str, str]]] = {"on": [], "under": []}
        self.relations: list[Condition] = []
        self.attributes: dict[str, Mapping[str, Value]] = {}
        self.facts: list[str] = []
        spoken = before.attributes.values() if before else ()
        self.keys = {key for words in spoken for key, value in words.items() if value is not True}

    def state(self) -> WorldState:
        """Return the state; ValueError says what is wrong with it."""
        if self.before:
            self._same_objects(self.before)
        for text in _flat(self.data.get("relations", []), "relations"):
            self._relation(text)
        facts = _flat(self.data.get("facts", []), "facts")
        for key, value in self.data.items():
            if key not in ("objects", "covers", "relations", "facts"):
                self._thing(key, value)
        self._both_halves()
        before = self.before or WorldState(tuple(self.names.all))
        pairs = [pair for pair in dict.fromkeys(self.on) if pair[1] not in GROUND]
        relations = _kept_order(before.relations, [*(lies_on(*pair) for pair in pairs), *self.relations])
        return WorldState(before.objects, relations, self.attributes, _kept_order(before.facts, [*facts, *self.facts]))

    def _same_objects(self, before: WorldState) -> None:
        named = read_names(self.data.get("objects", []), "objects") + read_names(self.data.get("covers", []), "covers")
        found = [self.names.find(name) or name for name in named]
        for name in found:
            if name not in before.objects:
                raise ValueError(f"There is no {name} here{self.names.hint(name)}")
        if lost := [name for name in before.objects if name not in found]:
            raise ValueError(f"The state no longer lists the {' and the '.join(lost)}; things do not vanish.")
        if not any(map(is_cover, before.objects)):
            lines = {self.names.find(key) for key in self.data}
            if silent := [name for name in before.objects if name not in lines]:
                raise ValueError(f"The state has no line for the {' and the '.join(silent)}.")

    def _name(self, name: Any, about: str) -> str:
        found = self.names.find(name) if isinstance(name, str) else None
        if found is None:
            raise ValueError(f"{about}: there is no {name if isinstance(name, str) else render_json(name)} here.")
        return found

    def _target(self, name: Any, about: str) -> str:
        ground = isinstance(name, str) and name.strip().lower().removeprefix("the ") in GROUND
        return GROUND[0] if ground else self._name(name, about)

    def _relation(self, text: str) -> None:
        known = [r for r in (self.before.relations if self.before else ()) if r.relation != "on" and r.words == text]
        placed = _PLACED.fullmatch(text.strip().removesuffix("."))
        if known:
            self.relations.append(known[0])
        elif placed:
            self.on.append((self._name(placed[1], f"Relation {text!r}"), self._target(placed[2], f"Relation {text!r}")))
        else:
            raise ValueError(f"Relation {text!r} does not say what is on or in what.")

    def _thing(self, key: str, value: Any) -> None:
        thing = self.names.find(key)
        if thing is None:
            raise ValueError(f"{key!r} is no key of a state and nothing that is here{self.names.hint(key)}")
        if not isinstance(value, Mapping):
            raise ValueError(f"What is said of the {thing} must stand in {{ }}.")
        words: dict[str, Value] = {}
        for name, said in value.items():
            self._said(thing, name, said, words)
        if words:
            self.attributes[thing] = words

    def _said(self, thing: str, key: str, said: Any, words: dict[str, Value]) -> None:
        about = f"The {key!r} of the {thing}"
        if key == "is":
            words.update({word: True for word in read_names(said, key) if word})
        elif key == "contains":
            if not is_container(thing) and said:
                raise ValueError(f"The {thing} is nothing that can contain something.")
            self.on += [(self._name(each, about), thing) for each in read_names(said, key)]
        elif key == "on" and isinstance(said, (str, list)):
            self.halves["on"] += [(thing, self._target(each, about)) for each in read_names(said, key)]
        elif key == "under" and isinstance(said, (str, list)):
            self.halves["under"] += [(self._name(each, about), thing) for each in read_names(said, key)]
        elif key == "weight":
            for each in said if isinstance(said, list) else [said]:
                self._weight(thing, each, words)
        elif self.before and key not in self.keys:
            raise ValueError(
                f"{about}: there is no such key; the keys are {', '.join([*_OWN_KEYS, *sorted(self.keys)])}."
            )
        elif isinstance(said, (str, bool)) or is_number(said):
            words[key] = said
        else:
            raise ValueError(f"{about} must be a word or a number.")

    def _weight(self, thing: str, said: Any, words: dict[str, Value]) -> None:
        known = read_weight(thing, said, self.names.all) if isinstance(said, str) else None
        if known is not None:
            self.facts.append(known.fact())
        elif is_number(said) or (isinstance(said, str) and self.before and said == self._had(thing)):
            words["weight"] = said
        else:
            raise ValueError(
                f"The 'weight' of the {thing} cannot be {render_json(said)}; write such as \"2 * red block\" or 3."
            )

    def _had(self, thing: str) -> Value | None:
        return self.before.attributes.get(thing, {}).get("weight") if self.before else None

    def _both_halves(self) -> None:
        """Check that each `on` has its `under`; a state that has only one of them has forgotten the other."""
        over, under = self.halves["on"], self.halves["under"]
        if self.before:
            for thing, target in over:
                if (thing, target) not in under and target not in GROUND and not is_container(target):
                    raise ValueError(f"The {thing} is on the {target}, but the {target} is not said to be under it.")
            for thing, target in under:
                if (thing, target) not in over:
                    raise ValueError(f"The {target} is under the {thing}, but the {thing} is not said to be on it.")
        self.on += [*over, *under]


def _flat(value: Any, key: str) -> list[str]:
    """Return sentences, also from lists of lists."""
    if isinstance(value, str):
        return [value]
    if not isinstance(value, (list, tuple)):
        raise ValueError(f"{key!r} must be a list of sentences.")
    return [text for each in value for text in _flat(each, key)]


def _kept_order(before: Iterable[Any], found: list[Any]) -> tuple[Any, ...]:
    """Return what was found: in the earlier order as far as it was there, then the rest."""
    old = [each for each in before if each in found]
    new: list[Any] = []
    for each in found:
        if each not in old and each not in new:
            new.append(each)
    return (*old, *new)
