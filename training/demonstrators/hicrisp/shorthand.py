"""Activities and their shorthand: `get x` is to find and grab it, `into x c` to find c, open it if it opens, put x in
and close it again, `onto x s`, `sit s`, `lie b`, `on d`, `off d` likewise; all else is a step as it is said.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from training.demonstrators.hicrisp.homes import Wanted


@dataclass(frozen=True)
class Activity:
    """One kind of request. `roles`: a letter for each thing with the categories that it may be of."""

    name: str
    roles: Mapping[str, tuple[str, ...]]
    said: Sequence[str]
    done: Sequence[str]
    weight: float = 1.0
    states: Mapping[str, str] = field(default_factory=dict)
    inside: Mapping[str, str] = field(default_factory=dict)


def steps_of(wanted: Wanted, done: Sequence[str], names: Mapping[str, str]) -> list[str]:
    """The shorthand, written out."""
    found: list[str] = []
    for each in done:
        word, *letters = each.split()
        things = [names.get(letter, letter) for letter in letters]
        match word:
            case "get":
                found += [f"Find the {things[0]}.", f"Grab the {things[0]}."]
            case "go":
                found.append(f"Find the {things[0]}.")
            case "into":
                openable = wanted.has(things[1], "CAN_OPEN")
                found += [f"Find the {things[1]}.", *([f"Open the {things[1]}."] if openable else [])]
                found += [f"Put the {things[0]} in the {things[1]}."]
                found += [f"Close the {things[1]}."] if openable else []
            case "onto":
                found += [f"Find the {things[1]}.", f"Put the {things[0]} on the {things[1]}."]
            case "sit" | "lie":
                found += [f"Find the {things[0]}.", f"{word.capitalize()} down on the {things[0]}."]
            case "OPEN" | "CLOSE":
                if wanted.has(things[0], "CAN_OPEN"):
                    found.append(f"{word.capitalize()} the {things[0]}.")
            case "on" | "off":
                found += [f"Find the {things[0]}.", f"Switch {word} the {things[0]}."]
            case _:
                found.append(each.format_map(names))
    return found
