"""Task guidelines: how to do a task, in plain text that anybody can write (ITP, sections III and IV).

    Options: Pure milk, Boba milk
    Instructions:
    Pure milk
    Material: milk
    Steps:
    0) take an empty cup to the working area
    …
    Available material we have now: boba, milk

A planner reads the text as it is. This module parses it in order to check it, and to check plans made with it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from importlib import resources
from pathlib import Path
from typing import NoReturn

from thinkaloud.errors import BadInput
from thinkaloud.language.name_matching import find_nearest
from thinkaloud.language.words import stem, stems
from thinkaloud.skills import Signature, Skill
from thinkaloud.untrusted.files import FileMissing, Malformed, expand, read_file
from thinkaloud.untrusted.text import is_name, one_line, say_no_name, without_unseen

LONGEST_GUIDELINES = 20_000
"""Characters; a model has to read all of them."""
_HEADINGS = ("options", "instructions", "material", "steps", "rules", "available location", "available material")
_HEADING = re.compile(
    r"(options?|instructions?|materials?|steps?|rules?|available (?:location|material)s?[^:]*):(.*)", re.I
)
_NUMBERED = re.compile(r"\d+\s*[).:]\s*(.*)")
_OURS = re.compile(
    r"\W*(?:new request|request|thought|completed steps|completed|refused|not available|declined|nothing left|human"
    r"|robot(?: \w+)?|scene|query|state|step|system|user|assistant|tool)\s*[:：]",
    re.IGNORECASE,
)
"""Other words that can begin a line in a planner's prompt, in addition to the headings."""
_RECIPES = ("instructions", "material", "steps")


@dataclass(frozen=True, slots=True)
class Recipe:
    """How to make one of the options."""

    name: str
    material: tuple[str, ...]
    steps: tuple[str, ...]


@dataclass(frozen=True)
class Guidelines:
    """Guidelines, as written and as parsed. If no material is listed, everything is available."""

    name: str
    text: str
    options: tuple[str, ...]
    recipes: tuple[Recipe, ...]
    available: tuple[str, ...] = ()
    locations: tuple[str, ...] = ()
    rules: tuple[str, ...] = ()

    def missing(self, material: Iterable[str]) -> list[str]:
        """Return the material that is not available: its name shares no word with anything available.

        `strawberry` is available if there is strawberry jam.
        """
        there = {word for name in self.available for word in stems(name)}
        return [name for name in material if there and not stems(name) <= there]

    def undocumented(self, skills: Mapping[str, Skill]) -> list[str]:
        """Return the steps that share no word with any skill's name or documentation, each of them once."""
        return [
            step for step in dict.fromkeys(s for r in self.recipes for s in r.steps) if not self.doable(step, skills)
        ]

    def doable(self, step: str, skills: Mapping[str, Skill]) -> bool:
        """Whether the documentation of some skill has words of this step."""
        return bool(self.documented(step, skills))

    def documented(self, step: str, skills: Mapping[str, Skill]) -> dict[str, Skill]:
        """Return the skills whose name or documentation shares a word with this step; names of things do not count.

        A skill that takes any words can do anything.
        """
        signatures = {name: skill.signature for name, skill in skills.items()}
        arguments = {word for s in signatures.values() for p in s.parameters for word in stems(p.name)}
        things = self._things | arguments | {word for s in signatures.values() for word in stems(_nouns(s))}
        verbs = {stem(name.split("_")[0].lower()) for name in signatures}  # `place` counts despite `working place`
        words = stems(step) - (things - verbs)
        found = {}
        for name, signature in signatures.items():
            free = any(p.type is str and p.kind is None and not p.choices for p in signature.parameters)
            if free or words & stems(f"{name.replace('_', ' ')} {signature.about} {signature.says}"):
                found[name] = skills[name]
        return found

    @cached_property
    def _things(self) -> set[str]:
        return {word for text in (*self.available, *self.locations) for word in stems(text)}


def _nouns(signature: Signature) -> str:
    """Return the words in a function's name that say what it is applied to."""
    return " ".join(signature.name.split("_")[1:])


def shipped() -> tuple[str, ...]:
    """Return the names of the shipped guidelines."""
    here = resources.files(__name__).iterdir()
    return tuple(sorted(path.name.removesuffix(".txt") for path in here if path.name.endswith(".txt")))


def shipped_text(name: str) -> str:
    """Return the text of shipped guidelines."""
    return (resources.files(__name__) / f"{name}.txt").read_text(encoding="utf-8")


def load_guidelines(source: str | Path) -> Guidelines:
    """Load guidelines from a file, or shipped ones by name."""
    path = expand(source)
    if str(source) in shipped() and not path.exists():
        return read_guidelines(shipped_text(str(source)), str(source))
    try:
        text = read_file(path, "utf-8-sig")
    except FileMissing as error:
        raise BadInput(f"{source}: {error}; the shipped guidelines are: {', '.join(shipped())}.") from None
    except Malformed as error:
        raise BadInput(f"{source}: {error}; guidelines must be plain text.") from None
    return read_guidelines(text, str(source))


def read_guidelines(text: str, name: str = "guidelines") -> Guidelines:
    """Parse a text; BadInput, with the line, for what is missing or does not fit."""
    if len(text) > LONGEST_GUIDELINES:
        raise BadInput(f"{name}: has {len(text)} characters; a planner can be given at most {LONGEST_GUIDELINES}.")
    lines = text.removeprefix("\ufeff").splitlines()
    end = "\n" if text.endswith("\n") else ""
    return _Reading(name, "\n".join(map(without_unseen, lines)) + end).read()


class _Reading:
    """Reads the lines once, from heading to heading."""

    def __init__(self, name: str, text: str) -> None:
        self._name, self._text = name, text
        self._lines = text.splitlines()
        self._under = ""
        self._listed: dict[str, list[str]] = {heading: [] for heading in _HEADINGS}
        self._recipes: dict[str, tuple[list[str], list[str]]] = {}
        self._at: dict[str, int] = {}
        self._current = ""

    def read(self) -> Guidelines:
        """Return the result, checked."""
        for number, line in enumerate(self._lines, 1):
            if line.strip():
                self._take(number, line.strip())
        options = self._listed["options"]
        if not options:
            self._no_options()
        recipes = tuple(Recipe(each, tuple(m), tuple(s)) for each, (m, s) in self._recipes.items())
        for recipe in recipes:
            if not recipe.steps:
                self._fail(self._at[recipe.name], f"{recipe.name!r} has no steps; write them as 0) …, 1) …")
        known = {recipe.name.lower() for recipe in recipes}
        for option in options:
            if option.lower() not in known:
                self._fail(self._at[option], f"nothing says how {option!r} is done; write its material and its steps")
        available, locations = self._listed["available material"], self._listed["available location"]
        rules = tuple(self._listed["rules"])
        return Guidelines(self._name, self._text, tuple(options), recipes, tuple(available), tuple(locations), rules)

    def _take(self, number: int, line: str) -> None:
        if _OURS.match(line):
            self._fail(number, f"{one_line(line, 40)!r} looks like a line of the conversation; begin it differently")
        if heading := _HEADING.fullmatch(line):
            word = heading[1].lower()
            self._under = next(known for known in _HEADINGS if word.startswith(known.rstrip("s")))
            if self._under in ("material", "steps") and not self._current:
                self._fail(number, f"{heading[1]!r} comes before the name of an option")
            if heading[2].strip():
                self._add(number, heading[2].strip())
        elif (step := _NUMBERED.fullmatch(line)) and self._current and self._under in _RECIPES:
            if not step[1].strip():
                self._fail(number, "a step has no words")
            self._recipes[self._current][1].append(step[1].strip())
        elif self._under in _RECIPES and self._opens(number, line):
            self._begin(number, line)
        elif self._under == "steps" and self._lines[number - 1][:1].isspace() and self._recipes[self._current][1]:
            self._recipes[self._current][1][-1] += f" {line}"  # continuation of a long step
        else:
            self._add(number, line)

    def _opens(self, number: int, line: str) -> bool:
        """Whether the line is the name of an option: its material or its steps come next."""
        following = next((line.strip() for line in self._lines[number:] if line.strip()), "")
        if _NUMBERED.fullmatch(following) and line.rstrip(": ").lower() in map(str.lower, self._listed["options"]):
            return True
        return re.match(r"(materials?|steps?)\s*:|0\s*[).:]", following, re.IGNORECASE) is not None

    def _begin(self, number: int, line: str) -> None:
        names = {option.lower(): option for option in self._listed["options"]}
        name = line.rstrip(":").strip()
        if not names:
            self._no_options()
        if name.lower() not in names:
            near = find_nearest(name.lower(), names)
            hint = f" (did you mean {names[near]!r}?)" if near else ""
            self._fail(number, f"{name!r} is not one of the options{hint}")
        if names[name.lower()] in self._recipes:
            self._fail(number, f"{name!r} is explained twice")
        self._current = names[name.lower()]
        self._recipes[self._current] = ([], [])
        self._at[self._current] = number

    def _add(self, number: int, line: str) -> None:
        """Add a line, or the rest of one, to the heading above it."""
        bullet = re.match(r"[*\-•]\s+|\d+[).]\s+", line)
        words = line[bullet.end() :] if bullet else line
        if self._under in ("material", "available material"):
            self._refuse_names(number, _split(words))
        if self._under == "material":
            self._recipes[self._current][0].extend(_split(words))
        elif self._under in ("options", "available material"):
            found = [words.strip().rstrip(".")] if bullet else _split(words)
            self._listed[self._under] += found
            self._at |= {each: number for each in found if self._under == "options"}
        elif self._under in ("rules", "available location"):
            self._listed[self._under].append(words)

    def _refuse_names(self, number: int, names: Iterable[str]) -> None:
        for name in names:
            if not is_name(name):
                self._fail(number, say_no_name(name).rstrip("."))

    def _no_options(self) -> NoReturn:
        raise BadInput(f"{self._name}: it has no options; begin with a line such as 'Options: Pure milk, Boba milk'.")

    def _fail(self, number: int, why: str) -> NoReturn:
        raise BadInput(f"{self._name}, line {number}: {why}.")


def _split(text: str) -> list[str]:
    return [part.strip().rstrip(".") for part in re.split(r"[,;]|\.\s", text) if part.strip(" .")]
