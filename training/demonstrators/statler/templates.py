"""The language of the demonstrations, read from `language/*.txt`: phrasings, and the programs that they mean.

    [asking questions]

    > 2 past say(was({X}))
    where was {X} (before|before that|earlier)

A section has families. Each begins with how often it is drawn, perhaps `past` (one has to know what happened earlier),
and its program (`;;` is the end of a line); below it are ways to say that. In round brackets stand alternatives, in
curly ones what is filled in, in pointed ones a macro of the same file. Quotes keep a space at the end of a phrase.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

_FOLDER = Path(__file__).parent / "language"
_INNERMOST = re.compile(r"\(([^()]*\|[^()]*)\)")
_MACRO = re.compile(r"([A-Z]+) = (.+)")
_HEAD = re.compile(r"> ([\d.]+) (past )?(.+)")


@dataclass
class Family:
    """Ways to say one thing, and the program for it."""

    weight: float
    past: bool
    program: str
    texts: list[str]


@cache
def sections() -> dict[str, list[Family]]:
    """All families, by the section that they stand in."""
    found: dict[str, list[Family]] = {}
    for path in sorted(_FOLDER.glob("*.txt")):
        for section, family in _read(path.read_text(encoding="utf-8")):
            found.setdefault(section, []).append(family)
    return found


def _read(text: str) -> Iterator[tuple[str, Family]]:
    macros: dict[str, str] = {}
    section, family = "", Family(1, False, "", [])
    for line in text.splitlines():
        if match := _MACRO.fullmatch(line):
            macros[f"<{match[1]}>"] = match[2]
        elif line.startswith("["):
            section, family = line.strip("[]"), Family(1, False, "", [])
        elif match := _HEAD.fullmatch(line):
            family = Family(float(match[1]), bool(match[2]), match[3].replace(" ;; ", "\n"), [])
            yield section, family
        elif line and not line.startswith("#"):
            for name, value in macros.items():
                line = line.replace(name, value)
            family.texts.append(line[1:-1] if line.startswith('"') else line)
            if not family.program and len(family.texts) == 1:
                yield section, family


@cache
def weights(section: str) -> tuple[list[Family], list[float]]:
    """The families of a section, and how often each is drawn."""
    families = sections()[section]
    return families, [family.weight for family in families]


def drawn(rng: random.Random, section: str) -> Family:
    """One of the families of a section."""
    families, shares = weights(section)
    return rng.choices(families, shares)[0]


def chosen(rng: random.Random, template: str) -> str:
    """A template with one of each alternatives."""
    while "|" in template:
        template = _INNERMOST.sub(lambda found: rng.choice(found[1].split("|")), template)
    return template.replace("(", "").replace(")", "")


def tidy(text: str) -> str:
    """Without doubled spaces and spaces before commas."""
    return re.sub(r" +", " ", re.sub(r" ([,.?!])", r"\1", text)).strip()
