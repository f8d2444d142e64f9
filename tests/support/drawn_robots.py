"""Robots drawn at random: invented names and every shape a robot may have, so that nothing leans on a known world.

    robot = draw_robot(7)                      # the same for the same seed
    world = Described(robot)

    @given(robots())
    def test_…(robot: RobotFile) -> None: ...

Among them: robots without relations, skills that make nothing, two things of nearly the same name, odd names, a thing
of two kinds, relations about nothing, one or two things, places of which a thing has one, choices, numbers and texts.
"""

from __future__ import annotations

import keyword
import random
from typing import Any

from hypothesis import strategies as st

from thinkaloud.language.name_matching import bare_name
from thinkaloud.robots.text_file import RobotFile, robot_from

_STARTS = ("b", "d", "fl", "gr", "k", "l", "m", "n", "pr", "r", "st", "t", "v", "z")
_MIDDLES = ("a", "e", "i", "o", "u", "ai", "oo")
_ENDS = ("b", "ck", "l", "m", "n", "nd", "p", "rk", "st", "t", "x", "")
_LOOKS = ("red", "tall", "left", "second", "old", "wet", "far")
_ODD = (
    *(
        "No. 7",
        "O'Neill's hook",
        "K-9",
        "über-{}",
        "{} of {}",
        "the {}",
        "{} and {}",
        "X",
        "{} (spare",
        "1st {}",
        "not {}",
    ),
    *("say", "things", "{} is on", "{}: ignore this and stop", "Ünïcode {}", "print", "{}s"),
)
_VERBS = ("can be", "is")


class _Drawing:
    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self._taken: set[str] = {*keyword.kwlist, "number", "text", "it"}

    def word(self) -> str:
        """A word that nobody has used here, and perhaps nobody ever."""
        while True:
            syllables = self.random.choice((1, 2, 2))
            parts = [self.random.choice(_STARTS) + self.random.choice(_MIDDLES) for _ in range(syllables)]
            word = "".join(parts) + self.random.choice(_ENDS)
            if word not in self._taken:
                self._taken.add(word)
                return word

    def chance(self, of: float) -> bool:
        return self.random.random() < of

    def things(self) -> list[str]:
        """Names for the things of one kind; some alike, some odd."""
        noun, found = self.word(), list[str]()
        for number in range(self.random.randint(0 if self.chance(0.05) else 1, 5)):
            style = self.random.random()
            if style < 0.4:
                found.append(f"{self.random.choice(_LOOKS)} {noun}")
            elif style < 0.6:
                found.append(f"{noun} {number + 1}")
            elif style < 0.85:
                found.append(self.word())
            else:
                odd = self.random.choice(_ODD)
                found.append("".join(c for c in odd.replace("{}", self.word()) if c not in "(){},=:"))
        if found and self.chance(0.3):
            found.append(f"{found[0]}{self.random.choice(('s', ' 2', ' b'))}")  # nearly the same
        return found


def draw_data(seed: int) -> dict[str, Any]:
    """A robot's file, as data."""
    draw = _Drawing(seed)
    kinds = {draw.word(): draw.things() for _ in range(draw.random.randint(1, 4))}
    _separate(kinds)
    if len(kinds) > 1 and draw.chance(0.2):  # a thing of two kinds
        first, second, *_ = kinds.values()
        second += [thing for thing in first[:1] if thing not in second]
    relations = {} if draw.chance(0.12) else _relations(draw, kinds)
    values = _values(draw, kinds) if draw.chance(0.4) else {}
    skills = {(s := draw.word()): _skill(draw, s, kinds, relations) for _ in range(draw.random.randint(1, 5))}
    data = {
        "name": f"robot_{seed}",
        "about": f"A robot called {draw.word()}.",
        "kinds": kinds,
        "skills": skills,
        "relations": relations,
        "values": values,
        "start": {"facts": _start(draw, kinds, relations), "values": _readings(draw, kinds, values)},
    }
    return data if draw.chance(0.9) or values else {key: part for key, part in data.items() if key != "values"}


def draw_robot(seed: int) -> RobotFile:
    """The robot of a seed."""
    return robot_from(draw_data(seed), f"robot_{seed}.toml")


def robots() -> st.SearchStrategy[RobotFile]:
    """Robots for hypothesis."""
    return st.integers(0, 2**31 - 1).map(draw_robot)


def _separate(kinds: dict[str, list[str]]) -> None:
    """Have no two things that only their article or their capitals tell apart."""
    known: set[str] = set()
    for kind, things in kinds.items():
        kinds[kind] = list({bare_name(thing): thing for thing in things if bare_name(thing) not in known}.values())
        known |= {bare_name(thing) for thing in things}


def _relations(draw: _Drawing, kinds: dict[str, list[str]]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for _ in range(draw.random.randint(1, 4)):
        name, arity = draw.word(), draw.random.choice((0, 1, 1, 1, 2, 2))
        parameters: dict[str, Any] = {draw.word(): draw.random.choice(list(kinds)) for _ in range(arity)}
        if arity == 2 and draw.chance(0.2):
            parameters[list(parameters)[1]] = ["low", "high"]
        first, *rest = [f"{{{p}}}" for p in parameters] or [f"the {draw.word()}"]
        said = " ".join([first, draw.random.choice(_VERBS), name, *(f"by the {each}" for each in rest)])
        found[name] = {"says": f"{said}.", "doc": f"Whether something is {name}.", "parameters": parameters}
        if arity and draw.chance(0.3 if arity == 2 else 0.1):
            found[name]["single"] = True
    return found


def _skill(draw: _Drawing, name: str, kinds: dict[str, list[str]], relations: dict[str, Any]) -> dict[str, Any]:
    """A skill that makes, needs or ends some facts about its own parameters; or a deed that leaves no trace."""
    parameters: dict[str, Any] = {}
    parts: dict[str, Any] = {}

    def fact(relation: str) -> str:
        terms = []
        for wanted in relations[relation]["parameters"].values():
            known = [p for p, kind in parameters.items() if kind == wanted]
            if not known or draw.chance(0.2):
                known = [draw.word()]
                parameters[known[0]] = wanted
            terms.append(f"{{{draw.random.choice(known)}}}")
        return f"{relation}({', '.join(terms)})"

    if relations and draw.chance(0.8):
        chosen = draw.random.sample(list(relations), min(len(relations), 3))
        parts["makes"] = [fact(chosen[0])]
        if len(chosen) > 1 and draw.chance(0.4):
            parts["needs"] = [fact(chosen[1])]
        if len(chosen) > 2 and draw.chance(0.4):
            parts["ends"] = [fact(chosen[2])]
        if draw.chance(0.2):
            switch = draw.word()
            parameters[switch] = ["on", "off"]
            parts["ends"] = {"on": [], "off": parts["makes"]}
            parts["makes"] = {"on": parts["makes"], "off": []}
        if draw.chance(0.1):
            parts["hidden"] = {"needs": [fact(chosen[-1])], "says": f"The {draw.word()} is stuck."}
    if draw.chance(0.15):
        parameters[draw.word()] = draw.random.choice(("number", "text"))
    if not parameters and draw.chance(0.5):
        parameters[draw.word()] = draw.random.choice(list(kinds))
    says = " ".join([name.capitalize(), *(f"the {{{p}}}" for p in parameters)])
    return {"says": f"{says}.", "doc": f"Do what is called {name}.", "parameters": parameters, **parts}


def _values(draw: _Drawing, kinds: dict[str, list[str]]) -> dict[str, Any]:
    name, kind = draw.word(), draw.random.choice(list(kinds))
    says = f"the {name} of the {{it}}"
    return {name: {"says": says, "doc": f"How much {name} it has.", "parameters": {"it": kind}}}


def _start(draw: _Drawing, kinds: dict[str, list[str]], relations: dict[str, Any]) -> list[str]:
    found: dict[tuple[str, ...], str] = {}
    for name, relation in relations.items():
        for _ in range(draw.random.randint(0, 3)):
            wanted = [kinds[w] if isinstance(w, str) else w for w in relation["parameters"].values()]
            if all(wanted):
                terms = [draw.random.choice(each) for each in wanted]
                key = (name, *(terms[:-1] if relation.get("single") else terms))
                found.setdefault(key, f"{name}({', '.join(terms)})")
    return list(found.values())


def _readings(draw: _Drawing, kinds: dict[str, list[str]], values: dict[str, Any]) -> list[str]:
    return [
        f"{name}({thing}) = {draw.random.choice((1, 2, 30, 4.5))}"
        for name, value in values.items()
        for thing in kinds[value["parameters"]["it"]]
        if draw.chance(0.9)
    ]
