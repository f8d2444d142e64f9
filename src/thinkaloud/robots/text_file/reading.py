"""Read a robot's file. Errors name the place and say what would be right."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

from thinkaloud.errors import BadInput, BadParts, BadScene, SkillError, list_closest_names
from thinkaloud.language.name_matching import bare_name, find_nearest
from thinkaloud.records import Value
from thinkaloud.robots.text_file.facts import (
    Anything,
    DeclaredChanges,
    DeclaredFacts,
    FactPattern,
    GroundFact,
    ParameterSlot,
    ValueChange,
    ValuePattern,
    spell_fact,
)
from thinkaloud.robots.text_file.field_readers import (
    _FREE_TYPES,
    FilePosition,
    read_number_or_text,
    read_sentence,
    read_signature,
    refuse_same_sentences,
    split_fact,
)
from thinkaloud.robots.text_file.robot import NO_CHANGES, NO_FACTS, RobotFile, RobotRelation, RobotSkill
from thinkaloud.robots.text_file.view import read_view
from thinkaloud.skills.signatures import Signature
from thinkaloud.untrusted.files import Malformed, expand, read_file
from thinkaloud.untrusted.text import NAMES_HAVE, is_name
from thinkaloud.worlds.invariants import read_invariant
from thinkaloud.worlds.scene_parser import read_scene_data

_SHAPE = "a robot's file has [kinds], [skills.NAME], [relations.NAME], [values.NAME] and [start]"
_TOP = ("name", "about", "kinds", "skills", "relations", "values", "start", "people", "never", "budget", "view")
_SKILL = (
    *("says", "doc", "parameters", "needs", "makes", "ends", "changes", "hidden", "distinct"),
    *("asked_by", "approval", "costs", "emergency", "repeat"),
)
_CHANGE = re.compile(r"(?P<value>[^=+]+?)\s*(?P<sign>\+=|-=|=)\s*(?P<by>[^=]+)")
_ANY = "*"
_ELSEWHERE = ("request", "mcp", "rosbridge", "zenoh")
"""Tables for other readers: example requests with their expected results, and the server that does the work."""


def read_robot(path: Path | str) -> RobotFile:
    """Read the robot in a file; raises BadScene with the place of the first problem."""
    return parse_robot(read_robot_text(path), str(path))


def read_robot_text(path: Path | str) -> str:
    """The text of a robot's file; raises BadScene if it cannot be read."""
    path = expand(path)
    try:
        return read_file(path)
    except Malformed as error:
        raise BadScene(f"{path}: {error}; {_SHAPE}.") from error


def parse_robot(text: str, source: str = "robot") -> RobotFile:
    """The robot that a file's text describes; `source` is its name in errors."""
    return robot_from(read_scene_data(text, source, _SHAPE), source, text)


def robot_from(data: Mapping[str, Any], source: str = "robot", text: str = "") -> RobotFile:
    """The robot that a file's data describe; with the text, errors name the line."""
    return _Reader(FilePosition(source, text)).read(data)


def read_declared_fact(robot: RobotFile, text: str, source: str = "fact") -> tuple[GroundFact, bool]:
    """The fact in a text such as `not wet(fern)`, and whether it is said to hold."""
    reader = _Reader(FilePosition(source), robot)
    pattern = reader.pattern(FilePosition(source), text, None, negation=True)
    return pattern.filled({}), not pattern.negated


class _Follows(BadScene):
    """Something names a part that is wrong itself."""


class _Reader:
    """Reads the parts of a file in the order of their dependencies."""

    def __init__(self, place: FilePosition, robot: RobotFile | None = None) -> None:
        self._place = place
        self._kinds: dict[str, tuple[str, ...]] = dict(robot.kinds) if robot else {}
        self._relations: dict[str, RobotRelation] = dict(robot.relations) if robot else {}
        self._values: dict[str, Signature] = dict(robot.values) if robot else {}
        self._faults: list[str] = []
        self._lost: set[str] = set()
        """Relations and values that could not be read: what names them is not wrong for that."""

    def read(self, data: Any) -> RobotFile:
        """The robot."""
        here = self._place
        table = data if isinstance(data, dict) else here.table(data)
        with self._collecting():
            here.table(table, _TOP, also=_ELSEWHERE)
        with self._collecting():
            name = self._robots_name(here, table)
        with self._collecting():
            about = here.text_at(table, "about")
        self._read_kinds(here.at("kinds"), table.get("kinds", {}))
        self._relations = self._read_relations(here.at("relations"), table.get("relations", {}))
        self._values = self._read_values(here.at("values"), table.get("values", {}))
        skills = self._read_skills(here.at("skills"), table.get("skills", {}))
        with self._collecting():
            if not skills and not self._lost:
                here.at("skills").fail("the robot has no skills; describe one under [skills.NAME]")
            self._refuse_same_names(skills)
        start = here.at("start")
        begin: dict[str, Any] = {}
        with self._collecting():
            begin = start.table(table.get("start", {}), ("facts", "values"))
        facts = self._start_facts(start.at("facts"), begin.get("facts", []))
        measured = self._start_values(start.at("values"), begin.get("values", []))
        people: tuple[str, ...] = ()
        with self._collecting():
            people = self._people(here.at("people"), table.get("people", []))
        with self._collecting():
            shown = "view" in table and not self._lost  # it may be about a relation that could not be read
            view = read_view(here.at("view"), table["view"], self._kinds, self._relations) if shown else None
        with self._collecting():
            never = () if self._lost else self._never(here.at("never"), table.get("never", []), people)
        with self._collecting():
            budget = self._budget(here.at("budget"), table.get("budget", {}), skills)
        with self._collecting():
            emergency = self._emergency_skill(here.at("skills"), table.get("skills", {}), skills)
        if self._faults:
            raise BadParts(self._faults)
        return RobotFile(
            *(name, about, self._kinds, skills, self._relations, self._values, facts, measured, self._place.source),
            never=never,
            people=people,
            budget=budget,
            emergency=emergency,
            view=view,
        )

    @contextmanager
    def _collecting(self, lost: str = "") -> Iterator[None]:
        """Go on after what is wrong with a part: what else is wrong is told at once, but not what follows from it."""
        try:
            yield
        except BadScene as error:
            if not isinstance(error, _Follows):
                self._faults.append(str(error))
            self._lost |= {lost} - {""}

    @staticmethod
    def _robots_name(here: FilePosition, data: Mapping[str, Any]) -> str:
        name = here.text_at(data, "name")
        if not name.replace("_", "").isalnum() or not name.isascii():
            here.at("name").fail(
                f"{name!r} cannot name a robot; use letters, digits and underscores, such as tea_kitchen"
            )
        return name

    def _people(self, here: FilePosition, data: Any) -> tuple[str, ...]:
        for kind in here.texts(data):
            if kind not in self._kinds:
                here.fail(f"{kind!r} is not a kind; there is: {', '.join(self._kinds) or 'none'}")
        return tuple(data)

    def _never(self, here: FilePosition, data: Any, people: tuple[str, ...]) -> tuple[str, ...]:
        known = {name: each.signature for name, each in self._relations.items()}
        everybody = [thing for kind in people for thing in self._kinds[kind]]
        for text in here.texts(data):
            try:
                read_invariant(text, known, self._kinds, everybody, known=True)
            except BadInput as error:
                here.fail(str(error).removeprefix("never: ").removesuffix("."))
        return tuple(data)

    def _budget(self, here: FilePosition, data: Any, skills: Mapping[str, RobotSkill]) -> dict[str, float | str]:
        plain = [name for name, each in self._values.items() if not each.parameters]
        for name, limit in here.table(data).items():
            number = isinstance(limit, int | float) and not isinstance(limit, bool)
            if (number and limit < 0) or (not number and limit not in plain):
                here.at(name).fail(f"expected a number, 0 or more, or a value without parameters, not {limit!r:.60}")
        for name, skill in skills.items():
            if strange := [cost for cost in skill.costs if cost not in data]:
                there = f"there is: {', '.join(data) or 'none'}"
                self._place.at("skills").at(name).at("costs").fail(f"there is no budget {strange[0]!r}; {there}")
        return dict(data)

    @staticmethod
    def _costs(here: FilePosition, data: Any) -> dict[str, float]:
        for name, cost in here.table(data).items():
            if not isinstance(cost, int | float) or isinstance(cost, bool) or cost < 0:
                here.at(name).fail(f"expected a number, 0 or more, not {cost!r:.60}")
        return dict(data)

    def _read_kinds(self, here: FilePosition, data: Any) -> None:
        known: dict[str, str] = {}
        for kind, things in self._entries(here, data):
            self._kinds[kind] = (
                tuple(each for each in things if isinstance(each, str)) if isinstance(things, list) else ()
            )
            with self._collecting():
                self._check_kind(here.at(kind), kind, things, known)

    @staticmethod
    def _check_kind(place: FilePosition, kind: str, things: Any, known: dict[str, str]) -> None:
        if kind in _FREE_TYPES or kind != kind.strip() or not kind:
            place.fail(f"{kind!r} cannot be a kind; use a singular noun, such as plant")
        for thing in place.texts(things):
            if not is_name(thing) or "(" in thing or ")" in thing:
                place.fail(f"{thing!r} cannot be the name of a thing; {NAMES_HAVE}, and none of ( ) {{ }} , = :")
            if (other := known.setdefault(bare_name(thing), thing)) != thing:
                place.fail(f"{thing!r} and {other!r} could not be told apart; rename one")
            if things.count(thing) > 1:
                place.fail(f"{thing!r} is there twice; rename the second one, such as '{thing} 2'")

    def _entries(self, here: FilePosition, data: Any) -> Iterator[tuple[str, Any]]:
        """The entries of a table of parts; what is wrong with one of them does not keep the others from being read."""
        parts: dict[str, Any] = {}
        with self._collecting():
            parts = here.table(data)
        yield from parts.items()

    def _read_relations(self, here: FilePosition, data: Any) -> dict[str, RobotRelation]:
        found = {}
        for name, each in self._entries(here, data):
            with self._collecting(name):
                place = here.at(name)
                table = place.table(each, ("says", "doc", "parameters", "single"))
                signature = read_sentence(place, name, table, self._kinds)
                single = place.at("single").flag(table.get("single", False))
                if single and not signature.parameters:
                    place.at("single").fail("a relation without parameters is always single; leave `single` out")
                found[name] = RobotRelation(signature, single)
        with self._collecting():
            refuse_same_sentences(here, [each.signature for each in found.values()])
        return found

    def _read_values(self, here: FilePosition, data: Any) -> dict[str, Signature]:
        found = {}
        for name, each in self._entries(here, data):
            with self._collecting(name):
                place = here.at(name)
                table = place.table(each, ("says", "doc", "parameters", "unit"))
                found[name] = read_signature(place, name, table, self._kinds)
        return found

    def _read_skills(self, here: FilePosition, data: Any) -> dict[str, RobotSkill]:
        found = {}
        for name, each in self._entries(here, data):
            with self._collecting(name):
                found[name] = self._read_skill(here.at(name), name, each)
        with self._collecting():
            refuse_same_sentences(here, [each.signature for each in found.values()])
        return found

    def _read_skill(self, place: FilePosition, name: str, data: Any) -> RobotSkill:
        table = place.table(data, _SKILL)
        signature = read_sentence(place, name, table, self._kinds)
        needs, makes, ends = (
            self._declared(
                place.at(key), table.get(key, []), signature, negation=key == "needs", wildcard=key == "ends"
            )
            for key in ("needs", "makes", "ends")
        )
        self._check_bounds(place.at("parameters"), signature)
        hidden, says = self._hidden(place.at("hidden"), table, signature)
        changes = self._changes(place.at("changes"), table.get("changes", []), signature)
        asked_by = place.at("asked_by").people(table.get("asked_by", []))
        approval = table.get("approval", False)
        approvers = () if isinstance(approval, bool) else place.at("approval").people(approval)
        costs = self._costs(place.at("costs"), table.get("costs", {}))
        repeat = place.at("repeat").flag(table.get("repeat", not approval))
        return RobotSkill(
            signature, needs, makes, ends, hidden, says, changes, asked_by, bool(approval), approvers, costs, repeat
        )

    def _check_bounds(self, here: FilePosition, skill: Signature) -> None:
        """Refuse a range that is neither a value nor a relation of the skill's own parameters."""
        for p in skill.parameters:
            ends = (p.amount.least, p.amount.most) if p.amount is not None else ()
            for end in (each for each in ends if isinstance(each, str)):
                _, name, terms = split_fact(here.at(p.name), end)
                if name in self._values:
                    self._terms(here.at(p.name), end, terms, self._values[name], skill)
                    continue
                known = self._values | {key: each.signature for key, each in self._relations.items()}
                signature = self._signature(here.at(p.name), "value", name, known)
                self._terms(
                    here.at(p.name), end, terms, replace(signature, parameters=signature.parameters[:-1]), skill
                )

    def _emergency_skill(self, here: FilePosition, data: Mapping[str, Any], skills: Mapping[str, RobotSkill]) -> str:
        """The skill with `emergency = true`, which calls for help at once, with nothing chosen first; or none."""
        found = [name for name in skills if "emergency" in data[name]]
        for name in found:
            place = here.at(name).at("emergency")
            if data[name]["emergency"] is not True:
                place.fail("write emergency = true, or leave the line out")
            if skills[name].signature.parameters or skills[name].needs or name != found[0]:
                place.fail("one skill at most calls for help; it takes no parameters and needs nothing")
        return next(iter(found), "")

    def _hidden(self, here: FilePosition, skill: Mapping[str, Any], signature: Signature) -> tuple[DeclaredFacts, str]:
        if "hidden" not in skill:
            return NO_FACTS, ""
        table = here.table(skill["hidden"], ("needs", "says"))
        if not (needs := self._declared(here.at("needs"), table.get("needs", []), signature, negation=True)):
            here.at("needs").fail('say what has to be true, such as needs = ["unlocked()"]')
        return needs, here.text_at(table, "says")

    def _refuse_same_names(self, skills: Mapping[str, RobotSkill]) -> None:
        parts = {"skills": skills, "relations": self._relations, "values": self._values}
        known: dict[str, str] = {}
        for part, names in parts.items():
            for name in names:
                if (other := known.setdefault(name, part)) != part:
                    self._place.at(part).at(name).fail(
                        f"{name!r} is also one of the {other}, and code could not tell them apart; rename one, "
                        f"such as {self._other_name(part, name)!r}"
                    )

    @staticmethod
    def _other_name(part: str, name: str) -> str:
        return f"is_{name}" if part == "relations" else f"{name}_value"

    # Facts ------------------------------------------------------------------------------------------------------------

    def _declared(
        self, here: FilePosition, data: Any, skill: Signature, *, negation: bool = False, wildcard: bool = False
    ) -> DeclaredFacts:
        by, listed = self._by_choice(here, data, skill)
        patterns = {
            value: tuple(self.pattern(place, each, skill, negation=negation, wildcard=wildcard) for each in texts)
            for value, (place, texts) in listed.items()
        }
        return DeclaredFacts(by, patterns) if any(patterns.values()) else NO_FACTS

    def _changes(self, here: FilePosition, data: Any, skill: Signature) -> DeclaredChanges:
        by, listed = self._by_choice(here, data, skill)
        changes = {
            value: tuple(self._change(place, each, skill) for each in texts) for value, (place, texts) in listed.items()
        }
        return DeclaredChanges(by, changes) if any(changes.values()) else NO_CHANGES

    def _change(self, here: FilePosition, text: str, skill: Signature) -> ValueChange:
        """Read how a skill changes a value: `level({cup}) += {amount}`."""
        if (found := _CHANGE.fullmatch(text.strip())) is None:
            here.fail(f"{text!r} does not change a value; write level({{cup}}) += {{amount}}, or -= or =")
        value, right = self._value_pattern(here, text, found["value"], skill), found["by"].strip()
        if right.startswith("{") and right.endswith("}"):
            return ValueChange(value, found["sign"], self._number_slot(here, text, right[1:-1], skill, found["sign"]))
        if right.endswith(")"):
            return ValueChange(value, found["sign"], self._value_pattern(here, text, right, skill))
        by = read_number_or_text(right)
        if found["sign"] != "=" and isinstance(by, str):
            here.fail(f"{text!r}: {right!r} is not a number, a parameter in braces, or a value")
        return ValueChange(value, found["sign"], by)

    def _value_pattern(self, here: FilePosition, text: str, part: str, skill: Signature) -> ValuePattern:
        _, name, terms = split_fact(here, part)
        signature = self._signature(here, "value", name, self._values)
        return ValuePattern(name, self._terms(here, text, terms, signature, skill))

    @staticmethod
    def _number_slot(here: FilePosition, text: str, name: str, skill: Signature, sign: str) -> ParameterSlot:
        given = {p.name: p for p in skill.parameters}
        if name not in given:
            here.fail(f"{text!r}: there is no parameter {name!r} here; there is: {', '.join(given) or 'none'}")
        if sign != "=" and given[name].type not in (int, float):
            here.fail(f"{text!r}: {{{name}}} is not a number")
        return ParameterSlot(name)

    def _by_choice(
        self, here: FilePosition, data: Any, skill: Signature
    ) -> tuple[str, dict[str, tuple[FilePosition, list[str]]]]:
        """What a skill declares as texts: for every call, or in a table by the values of one of its choices."""
        if not isinstance(data, dict):
            return "", {"": (here, here.texts(data))}
        choices = {p.name: p.choices for p in skill.parameters if p.choices is not None}
        fitting = [name for name, values in choices.items() if {*data} <= {*values}]
        if len(fitting) != 1:
            known = "; ".join(f"{name}: {', '.join(values)}" for name, values in choices.items())
            there = f"the choices are {known}" if known else "no parameter has a list of choices"
            here.fail(f"expected a list of facts, or a table by the values of one choice; {there}")
        return fitting[0], {value: (here.at(value), here.texts(facts)) for value, facts in data.items()}

    def pattern(
        self,
        here: FilePosition,
        text: str,
        skill: Signature | None,
        *,
        negation: bool = False,
        wildcard: bool = False,
    ) -> FactPattern:
        """Read a fact in a skill, with the skill's parameters in braces; without a skill, only things are allowed."""
        negated, name, terms = split_fact(here, text)
        if negated and not negation:
            here.fail(f"{text!r}: `not` is not allowed here; put what is no longer true after a skill under `ends`")
        signature = self._signature(here, "relation", name, {n: r.signature for n, r in self._relations.items()})
        if _ANY in terms and not wildcard:
            here.fail(f"{text!r}: `*` is only allowed under `ends`; name a thing, or a parameter in braces")
        return FactPattern(name, self._terms(here, text, terms, signature, skill), negated)

    def _signature(self, here: FilePosition, what: str, name: str, known: Mapping[str, Signature]) -> Signature:
        if name not in known:
            if name in self._lost:
                raise _Follows(name)
            near = find_nearest(name, known)
            meant = f"did you mean {near!r}? " if near else ""
            here.fail(
                f"there is no {what} {name!r}; {meant}Describe it under [{what}s.{name}], or use one of: "
                f"{list_closest_names(list(known), name) or 'none'}"
            )
        return known[name]

    def _terms(
        self, here: FilePosition, text: str, terms: list[str], signature: Signature, skill: Signature | None
    ) -> tuple[Any, ...]:
        parameters = signature.parameters
        if len(terms) != len(parameters):
            form = f"{signature.name}({', '.join(p.name for p in parameters)})"
            here.fail(f"{text!r} is about {len(terms)}, and {signature.name} about {len(parameters)}; write {form}")
        found: list[Value | ParameterSlot | Anything] = []
        for term, parameter in zip(terms, parameters, strict=True):
            if term == _ANY:
                found.append(Anything())
                continue
            if term.startswith("{") and term.endswith("}"):
                found.append(self._slot(here, text, term[1:-1], signature, parameter.name, skill))
                continue
            try:
                found.append(parameter.read(term, self._kinds))
            except SkillError as error:
                here.fail(f"{text!r}: {str(error).rstrip('.')}")
        return tuple(found)

    def _slot(
        self, here: FilePosition, text: str, name: str, signature: Signature, wanted: str, skill: Signature | None
    ) -> ParameterSlot:
        given = {} if skill is None else {p.name: p for p in skill.parameters}
        if name not in given:
            here.fail(f"{text!r}: there is no parameter {name!r} here; there is: {', '.join(given) or 'none'}")
        taken = next(p for p in signature.parameters if p.name == wanted)
        options, fitting = given[name].options(self._kinds), taken.options(self._kinds)
        if fitting is None:
            if taken.type is float and given[name].type is str:
                here.fail(f"{text!r}: {signature.name} takes a number for {wanted!r}, and {{{name}}} is none")
        elif options is None:
            here.fail(f"{text!r}: {{{name}}} may be anything, and {signature.name} takes only: {', '.join(fitting)}")
        elif strange := [option for option in options if option not in fitting]:
            takes = f"a {taken.kind}" if taken.kind else " or ".join(fitting)
            here.fail(f"{text!r}: {{{name}}} may be {strange[0]!r}, and {signature.name} takes {takes} there")
        return ParameterSlot(name)

    def _start_facts(self, here: FilePosition, data: Any) -> tuple[GroundFact, ...]:
        facts: dict[GroundFact, None] = {}
        for text in self._texts(here, data):
            with self._collecting():
                name, values = atom = self.pattern(here, text, None).filled({})
                if self._relations[name].single:
                    other = next((f for f in facts if f[0] == name and f[1][:-1] == values[:-1] and f != atom), None)
                    if other is not None:
                        here.fail(f"{text!r} and {spell_fact(other)!r} cannot both be true: {name} is single")
                facts[atom] = None
        return tuple(facts)

    def _texts(self, here: FilePosition, data: Any) -> list[str]:
        with self._collecting():
            return here.texts(data)
        return []

    def _start_values(self, here: FilePosition, data: Any) -> dict[GroundFact, Value]:
        found: dict[GroundFact, Value] = {}
        for text in self._texts(here, data):
            with self._collecting():
                self._start_value(here, text, found)
        return found

    def _start_value(self, here: FilePosition, text: str, found: dict[GroundFact, Value]) -> None:
        left, equals, right = text.partition("=")
        if not equals or not right.strip():
            here.fail(f"{text!r} is not a value; write height(fern) = 30")
        _, name, terms = split_fact(here, left.strip())
        signature = self._signature(here, "value", name, self._values)
        read = self._terms(here, left.strip(), terms, signature, None)
        atom: GroundFact = (name, tuple(term for term in read if not isinstance(term, ParameterSlot)))
        if atom in found:
            here.fail(f"{spell_fact(atom)} is there twice; leave one out")
        found[atom] = value = read_number_or_text(right.strip())
        if signature.unit and isinstance(value, str):
            here.fail(f"{text!r}: {name} is counted in {signature.unit}; write the number alone")
