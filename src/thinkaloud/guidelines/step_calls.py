"""From a step of guidelines in words to skill calls, by its words, the names in it, and what skills declare.

Skills are documented in the words of the steps, and the names of things are the robot's own. So code can find the
skills for a line such as "take an empty cup to the working area". If a call needs something that nothing before it has
brought about (a cup in the hand), another call for the same line comes first. If no skill is documented for a line, the
result says so.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass

from thinkaloud.language.name_matching import all_names, names_in
from thinkaloud.language.words import stem, stems
from thinkaloud.records import Arguments, Condition, Value
from thinkaloud.skills import Relation, Skill
from thinkaloud.skills.signatures import Parameter

_NAMED, _VERB, _BROUGHT = 2.0, 1.5, 3.0
_CLAUSE = re.compile(r"[,;:.()]|\bor\b|\band\b")
_EXAMPLE = re.compile(r"\bsuch as\b|\be\.g\.|\bfor example\b")
_AWAY = stems("throw discard dump waste rubbish trash")
SkillCall = tuple[Skill, dict[str, Value]]
"""A skill and its arguments."""


@dataclass(frozen=True)
class Fitter:
    """Knows a robot's skills, the names that they take, and the material in use."""

    skills: Mapping[str, Skill]
    relations: Mapping[str, Relation]
    vocabulary: Mapping[str, Sequence[str]]
    material: Collection[str]
    holds: Callable[[Condition], bool]

    def calls(self, line: str, before: Sequence[SkillCall] = ()) -> list[SkillCall]:
        """Return the calls for a line, after those of other lines; empty if no skill is documented for it."""
        ranked = sorted(self._candidates(line), key=lambda each: -each[0])
        if not ranked:
            return []
        _, skill, arguments = ranked[0]
        return [*self._first((skill, arguments), line, before), (skill, arguments)]

    def away(self, before: Sequence[SkillCall]) -> list[SkillCall]:
        """Return the calls that throw away what the calls before have begun, if a skill's documentation says how."""
        for skill in self.skills.values():
            for parameter in skill.signature.parameters[:1]:
                names = self.vocabulary.get(parameter.kind or "", ())
                for clause in _CLAUSE.split(skill.signature.about):
                    if stems(clause) & _AWAY and (told := names_in(clause, names)):
                        call: SkillCall = (skill, {parameter.name: told[0]})
                        return [*self._first(call, "", before), call]
        return []

    def thrown(self, line: str) -> list[SkillCall]:
        """Return the calls that throw something away, if that is what a line says, in any words."""
        return self.away(()) if stems(line) & _AWAY else []

    # Which skill ------------------------------------------------------------------------------------------------------

    def _candidates(self, line: str) -> list[tuple[float, Skill, dict[str, Value]]]:
        known, found = all_names(self.vocabulary), []
        words = stems(_without(line, names_in(line, [*known, *self.material])))
        common = Counter(word for skill in self.skills.values() for word in self._words(skill))
        used = set(names_in(line, [*self.material, *known])) & {*self.material}
        for skill in self.skills.values():
            if _takes_words(skill):
                found.append((0.01, skill, self._arguments(skill, line, last=True) or {}))
                continue
            arguments = self._arguments(skill, line, last=True)
            if arguments is None or not used <= self._about(skill, arguments):
                continue
            score = sum(1 / common[word] for word in words & self._words(skill))
            verbs = {stem(skill.name.split("_")[0].lower()), stem(skill.signature.says.split(" ")[0].lower())}
            score += _VERB * bool(verbs & words)
            if score > 0 or used:
                named = {*names_in(line, known)} & {*arguments.values()}
                about = used & self._about(skill, arguments)
                score += _NAMED * len({*named, *about}) + _BROUGHT * self._brings(skill, arguments, line)
                found.append((score, skill, arguments))
        return found

    def _brings(self, skill: Skill, arguments: Arguments, line: str) -> bool:
        """Whether a call affects what the line names last: "from here to there" is about there."""
        last = names_in(line, all_names(self.vocabulary))[-1:]
        promised = self._declared(skill, skill.promises, arguments)
        return any({*each.arguments.values()} & {*last} for each in promised if not each.relation.startswith("not "))

    def _words(self, skill: Skill) -> set[str]:
        s = skill.signature
        return stems(f"{s.name.replace('_', ' ')} {s.about} {s.says}")

    def _about(self, skill: Skill, arguments: Arguments) -> set[object]:
        """Return the material that a call uses: its argument, or the material that the skill is named after."""
        given: set[object] = {value for value in arguments.values() if value in self.material}
        return given or {*names_in(skill.name.replace("_", " "), self.material)}

    def _first(self, call: SkillCall, line: str, before: Sequence[SkillCall]) -> list[SkillCall]:
        """Return the call for the same line that brings about what this one needs, if nothing before has done so."""
        skill, given = call
        for need in self._declared(skill, skill.requires, given):
            if need.relation.startswith("not ") or self._is_so(need, before):
                continue
            for other in self.skills.values():
                if other is skill or not other.signature.parameters:  # the search finds such a call by itself
                    continue
                arguments = self._arguments(
                    other, line, last=False, besides={*given.values()} - {*need.arguments.values()}, before=before
                )
                if arguments is not None and any(
                    _same(each, need) for each in self._declared(other, other.promises, arguments)
                ):
                    return [(other, arguments)]
        return []

    def _is_so(self, need: Condition, before: Sequence[SkillCall]) -> bool:
        """Whether something holds after all these calls, as far as they declare it."""
        so = self.holds(need)
        for skill, given in before:
            if any(_same(each, need) for each in self._declared(skill, skill.revokes, given)):
                so = False
            if any(_same(each, need) for each in self._declared(skill, skill.promises, given)):
                so = True
        return so

    def _declared(self, skill: Skill, facts: Callable[..., list[Condition]], given: Arguments) -> list[Condition]:
        try:
            return facts(given, self.relations)
        except Exception:  # a robot builder's own code: if it fails, nothing is declared
            return []

    # Arguments --------------------------------------------------------------------------------------------------------

    def _arguments(
        self, skill: Skill, line: str, *, last: bool, besides: Collection[object] = (), before: Sequence[SkillCall] = ()
    ) -> dict[str, Value] | None:
        """Return a skill's arguments from a line; None if one is missing."""
        found: dict[str, Value] = {}
        for parameter in skill.signature.parameters:
            value: Value | None = None
            if parameter.kind is not None:
                names = [each for each in self.vocabulary.get(parameter.kind, ()) if each not in besides]
                value = self._value(skill, parameter, names, line, last, before)
            elif parameter.type is str and parameter.choices is None:
                value = line
            if value is None:
                value = parameter.default
            if value is None:
                return None
            found[parameter.name] = value
        return found

    def _value(
        self,
        skill: Skill,
        parameter: Parameter,
        names: Sequence[str],
        line: str,
        last: bool,
        before: Sequence[SkillCall],
    ) -> str | None:
        """Return a name for a parameter: one in the line, or else the one whose documentation shares words with the
        line."""
        if named := names_in(line, names):
            return named[-1] if last else named[0]
        if {*names} & {*self.material}:
            return None
        known = all_names(self.vocabulary)
        words = stems(_without(line, names_in(line, known)))
        about = "" if _EXAMPLE.search(parameter.about) else parameter.about
        common = Counter(word for each in self.skills.values() for word in self._words(each))
        for text in (skill.signature.about, about):
            scored = []
            for clause in _CLAUSE.split(text):
                if told := names_in(clause, names):
                    shared = words & stems(_without(clause, told))
                    scored.append((sum(1 / (common[word] or 1) for word in shared if common[word] < 4), told[0]))
            if scored and max(scored)[0] > 0.2:
                return max(scored)[1]
        alike = [name for name in names if (stems(name) & words) - self._shared]
        if len(alike) == 1:
            return alike[0]
        for _, given in reversed(before):
            if (value := given.get(parameter.name)) in names:
                return str(value)
        return next(iter(names_in(about, names)), None)

    @property
    def _shared(self) -> set[str]:
        """Return words that say little, because nearly every skill has them."""
        common = Counter(word for skill in self.skills.values() for word in self._words(skill))
        return {word for word, count in common.items() if count > len(self.skills) / 2}


def _same(one: Condition, other: Condition) -> bool:
    return one.relation == other.relation and dict(one.arguments) == dict(other.arguments)


def _without(text: str, names: Sequence[str]) -> str:
    for name in names:
        text = re.sub(rf"\b{re.escape(name)}\b", " ", text, flags=re.IGNORECASE)
    return text


def _takes_words(skill: Skill) -> bool:
    """Whether a skill does anything that it is told in words."""
    return any(p.type is str and p.kind is None and not p.choices for p in skill.signature.parameters)
