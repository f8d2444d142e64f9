"""Skills and relations: typed Python functions with docstrings, and all that a mind needs to know about them.

From the function alone come the JSON schema (function calling), the text signature (prompts) and the grammar
(constrained decoding). A *skill* changes the world, a *relation* says whether something is true of it; both are said in
sentences.

    @skill(says="Wipe the {surface}.")
    async def wipe(surface: Annotated[str, Kind("surface")], strokes: int = 3) -> str:
        '''Wipe a surface with the cloth in hand.

        Args:
            surface: what to wipe.
            strokes: how often.
        '''

Not covered: arguments that are lists or objects. A robot's skills take names, numbers, flags and choices.
"""

from __future__ import annotations

import asyncio
import inspect
import math
import re
import typing
from collections.abc import Awaitable, Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Annotated, Any, Literal, TypeVar

from thinkaloud.errors import SkillError, Unparseable
from thinkaloud.models import grammar as gbnf
from thinkaloud.records import Arguments, Condition, Observation, Step, Value

Vocabulary = Mapping[str, Sequence[str]]
F = TypeVar("F", bound=Callable[..., Any])


@dataclass(frozen=True, slots=True)
class Kind:
    """Marks a `str` parameter as the name of something in the scene: `Annotated[str, Kind("object")]`."""

    name: str


@dataclass(frozen=True, slots=True)
class Parameter:
    """One argument: its type, and what it may be."""

    name: str
    type: type[str] | type[int] | type[float] | type[bool]
    about: str
    kind: str | None = None
    choices: tuple[str, ...] | None = None
    default: Value | None = None

    def options(self, vocabulary: Vocabulary) -> tuple[str, ...] | None:
        """The texts this argument may be here, or None where any text or number will do."""
        if self.kind is not None:
            return tuple(vocabulary.get(self.kind, ()))
        if self.type is bool:
            return ("true", "false")
        return self.choices

    def read(self, text: str, vocabulary: Vocabulary) -> Value:
        """The value that a text stands for; says what there is when it stands for nothing."""
        text = text.strip()
        options = self.options(vocabulary)
        if options is not None:
            named = {option.lower(): option for option in reversed(options)} | {option: option for option in options}
            bare = text.strip("\"'").lower()
            wanted = (text, text.lower(), bare, re.sub(r"^(the|a|an)\s+", "", bare))
            found = next((named[name] for name in wanted if name in named), None)
            if found is None:
                listed = ", ".join(options) or "nothing"
                raise SkillError(f"There is no {self.kind or self.name} {text[:80]!r} here; there is: {listed}.")
            return found == "true" if self.type is bool else found
        return text if self.type is str else self._number(text)

    def _number(self, text: str) -> Value:
        try:
            number = float(text)
            if math.isfinite(number) and (self.type is float or number.is_integer()):
                return number if self.type is float else int(number) if "." in text else int(text)
        except ValueError:
            pass
        whole = "whole " if self.type is int else ""
        raise SkillError(f"{self.name} has to be a {whole}number, not {text[:80]!r}.")

    def expression(self, vocabulary: Vocabulary, *, capital: bool = False, without: Collection[str] = ()) -> str:
        """The grammar of this argument."""
        options = self.options(vocabulary)
        if options is not None:
            return gbnf.one_of(_capital(o) if capital else o for o in options if o not in without)
        return {int: gbnf.INTEGER, float: gbnf.NUMBER}.get(self.type, r"[^\n,()]{1,80}")

    def schema(self, vocabulary: Vocabulary) -> dict[str, Any]:
        """This argument in JSON schema."""
        names = {str: "string", int: "integer", float: "number", bool: "boolean"}
        data: dict[str, Any] = {"type": names[self.type], "description": self.about}
        options = self.options(vocabulary)
        if options is not None and self.type is str:
            data["enum"] = list(options)
        return data


@dataclass(frozen=True)
class Signature:
    """How something is called, in code and in a sentence."""

    name: str
    about: str
    parameters: tuple[Parameter, ...]
    says: str
    distinct: tuple[str, ...] = ()

    @cached_property
    def _pieces(self) -> tuple[str, ...]:
        return tuple(re.split(r"\{(\w+)\}", self.says))

    def _match(self, text: str, vocabulary: Vocabulary) -> re.Match[str] | None:
        # With the names of the scene first: only they tell where `the cup on the tray` ends in `… on the table`.
        options = {p.name: p.options(vocabulary) for p in self.parameters}
        named = {p: "|".join(map(re.escape, found)) for p, found in options.items() if found}
        return self._pattern(named).fullmatch(text) or self._pattern({}).fullmatch(text)

    def _pattern(self, named: Mapping[str, str]) -> re.Pattern[str]:
        pieces = enumerate(self._pieces)
        parts = [f"(?P<{p}>{named.get(p, '.+?')})" if i % 2 else re.escape(p.rstrip(".")) for i, p in pieces]
        return re.compile("".join(parts) + r"\s*\.?\s*", re.IGNORECASE)

    def text(self) -> str:
        """The signature as a prompt shows it: `pour(location, ingredient, amount=1)  Pour an ingredient.`"""
        shown = (p.name if p.default is None else f"{p.name}={p.default}" for p in self.parameters)
        return f"{self.name}({', '.join(shown)})  {self.about.splitlines()[0]}"

    def schema(self, vocabulary: Vocabulary) -> dict[str, Any]:
        """The signature as an OpenAI-style function description."""
        return {
            "name": self.name,
            "description": self.about,
            "parameters": {
                "type": "object",
                "properties": {p.name: p.schema(vocabulary) for p in self.parameters},
                "required": [p.name for p in self.parameters if p.default is None],
                "additionalProperties": False,
            },
        }

    def render(self, arguments: Arguments) -> str:
        """The sentence that says this with these arguments."""
        values = {p.name: p.default for p in self.parameters} | dict(arguments)
        return _capital(self.says.format_map({name: _as_text(value) for name, value in values.items()}))

    def parse(self, text: str, vocabulary: Vocabulary) -> dict[str, Value]:
        """The arguments of a sentence; Unparseable for another sentence, SkillError for what is not there."""
        match = self._match(text.strip(), vocabulary)
        if match is None:
            raise Unparseable(f"{text.strip()!r} is not of the form {self.says!r}.")
        return {p.name: p.read(match[p.name], vocabulary) for p in self.parameters if p.name in match.groupdict()}

    def check(self, arguments: Arguments, vocabulary: Vocabulary) -> dict[str, Value]:
        """Arguments that came as data (a function call), checked and completed with defaults."""
        known = {p.name: p for p in self.parameters}
        for name in arguments:
            if name not in known:
                raise SkillError(f"{self.name} has no argument {name!r}; it takes: {', '.join(known) or 'none'}.")
        checked: dict[str, Value] = {}
        for p in self.parameters:
            if p.name in arguments:
                if not isinstance(arguments[p.name], str | int | float):
                    raise SkillError(f"{self.name}: {p.name} has to be a single value, not {arguments[p.name]!r}.")
                checked[p.name] = p.read(_as_text(arguments[p.name]), vocabulary)
            elif p.default is not None:
                checked[p.name] = p.default
            else:
                raise SkillError(f"{self.name} needs the argument {p.name!r}: {p.about}")
        for first, second in zip(self.distinct, self.distinct[1:], strict=False):
            if checked[first] == checked[second]:
                raise SkillError(f"{self.name}: {first} and {second} cannot both be {checked[first]!r}.")
        return checked

    def expression(self, vocabulary: Vocabulary, without: Sequence[Arguments] = ()) -> str | None:
        """The grammar of the sentence in this scene; None where nothing in the scene fits it, or all is left out."""
        sentences = self.expressions(vocabulary, without)
        return gbnf.choice(sentences.values()) if sentences else None

    def expressions(self, vocabulary: Vocabulary, without: Sequence[Arguments] = ()) -> dict[str, str]:
        """The grammar of the sentence for each thing that its first argument can be (all in one under "" if free)."""
        named = [p for name in self._pieces[1::2] for p in self.parameters if p.name == name]
        if any(p.options(vocabulary) == () for p in named):
            return {}
        first = named[0].options(vocabulary) if named else None
        if first is None or len(named) < 2:
            left_out = {str(arguments.get(named[0].name)) for arguments in without} if named else set()
            return {} if first and left_out >= set(first) else {"": self._sentence(vocabulary, {}, left_out)}
        last, found = named[-1], {}
        for option in first:
            left_out = {str(a.get(last.name)) for a in without if a.get(named[0].name) == option}
            left_out |= {option} if {named[0].name, last.name} <= set(self.distinct) else set()
            options = last.options(vocabulary)
            if options is None or set(options) - left_out:
                found[option] = self._sentence(vocabulary, {named[0].name: option}, left_out)
        return found

    def _sentence(self, vocabulary: Vocabulary, fixed: Mapping[str, str], left_out: Collection[str] = ()) -> str:
        known = {p.name: p for p in self.parameters}
        parts = []
        for i, piece in enumerate(self._pieces):
            capital = not any(self._pieces[:i])
            if i % 2 == 0:
                parts.append(gbnf.literal(_capital(piece) if capital else piece) if piece else "")
            elif piece in fixed:
                parts.append(gbnf.literal(_capital(fixed[piece]) if capital else fixed[piece]))
            else:
                last = i == len(self._pieces) - 2
                parts.append(known[piece].expression(vocabulary, capital=capital, without=left_out if last else ()))
        return gbnf.sequence(*parts)


@dataclass(frozen=True)
class Relation:
    """Something that can be true of the world, and how it is said."""

    signature: Signature
    holds: Callable[..., bool]
    single: bool = False
    """Whether a thing can be in this relation to one other only (a block lies on one thing)."""

    def condition(self, arguments: Arguments) -> Condition:
        """That this relation holds of these."""
        return Condition(self.signature.name, dict(arguments), self.signature.render(arguments))


Precondition = Callable[..., str | None]
"""(observation, **arguments) → why the skill cannot be done now, or None."""


@dataclass(frozen=True)
class Skill:
    """Something the robot can do."""

    signature: Signature
    function: Callable[..., Any]
    preconditions: tuple[Precondition, ...] = ()
    effects: Callable[..., tuple[tuple[str, Arguments], ...]] | None = None
    """(**arguments) → the relations that should hold afterwards."""
    affordance: Callable[..., float] | None = None
    """(observation, **arguments) → how likely the skill is to work now, 0 to 1."""
    check: Callable[..., str | None] | None = None
    """(**arguments) → what a predefined check finds wrong right after the skill, or None."""
    fix: Callable[..., Awaitable[str]] | None = None
    """(problem, **arguments) → the predefined correction for that, carried out."""
    approval: bool = False

    @property
    def name(self) -> str:
        """Its name in code."""
        return self.signature.name

    def step(self, arguments: Arguments, reason: str = "") -> Step:
        """This skill with these arguments, as a step."""
        return Step(self.name, dict(arguments), self.signature.render(arguments), reason)

    def refuse(self, arguments: Arguments, observation: Observation) -> dict[str, Value]:
        """Check arguments and preconditions; raises SkillError with the reason, or returns the complete arguments."""
        checked = self.signature.check(arguments, observation.vocabulary)
        for precondition in self.preconditions:
            problem = precondition(observation, **checked)
            if problem:
                raise SkillError(problem)
        return checked

    async def run(self, arguments: Arguments) -> str:
        """Do it. Plain functions run in a thread, so that a person is heard meanwhile."""
        if inspect.iscoroutinefunction(self.function):
            report = await self.function(**arguments)
        else:
            report = await asyncio.to_thread(self.function, **arguments)
        return "" if report is None else str(report)


def skill(
    says: str | None = None,
    *,
    distinct: tuple[str, ...] = (),
    preconditions: tuple[Precondition, ...] = (),
    effects: Callable[..., tuple[tuple[str, Arguments], ...]] | None = None,
    affordance: Callable[..., float] | None = None,
    check: Callable[..., str | None] | None = None,
    fix: Callable[..., Awaitable[str]] | None = None,
    approval: bool = False,
) -> Callable[[F], F]:
    """Mark a function or method as something the robot can do."""

    def mark(function: F) -> F:
        signature = signature_of(function, says, distinct)
        marked = Skill(signature, function, preconditions, effects, affordance, check, fix, approval)
        function.__skill__ = marked  # type: ignore[attr-defined]
        return function

    return mark


def relation(says: str, *, distinct: tuple[str, ...] = (), single: bool = False) -> Callable[[F], F]:
    """Mark a function or method as something that can be true of the world."""

    def mark(function: F) -> F:
        marked = Relation(signature_of(function, says, distinct), function, single)
        function.__relation__ = marked  # type: ignore[attr-defined]
        return function

    return mark


def skills_of(source: object) -> dict[str, Skill]:
    """The skills among an object's methods or a module's functions, by name."""
    marked = (f for f in _members(source) if hasattr(f, "__skill__"))
    return {f.__skill__.name: replace(f.__skill__, function=f) for f in marked}


def relations_of(source: object) -> dict[str, Relation]:
    """The relations among an object's methods or a module's functions, by name."""
    marked = (f for f in _members(source) if hasattr(f, "__relation__"))
    return {f.__relation__.signature.name: replace(f.__relation__, holds=f) for f in marked}


def _members(source: object) -> Iterator[Any]:
    owner = source if inspect.ismodule(source) else type(source)
    for name, member in vars(owner).items() if inspect.ismodule(source) else inspect.getmembers(owner):
        if callable(member) and not name.startswith("__"):
            yield getattr(source, name)


def signature_of(function: Callable[..., Any], says: str | None = None, distinct: tuple[str, ...] = ()) -> Signature:
    """Read a function's name, types, defaults and docstring; complains at once if they cannot serve as a skill."""
    name = function.__name__
    about, described = _docstring(function)
    hints = typing.get_type_hints(function, include_extras=True)
    parameters = []
    for p in inspect.signature(function).parameters.values():
        if p.name == "self":
            continue
        if p.name not in hints or p.kind in (p.VAR_POSITIONAL, p.VAR_KEYWORD):
            raise TypeError(f"{name}: the parameter {p.name!r} needs a type and a place of its own.")
        parameters.append(_parameter(name, p, hints[p.name], described.get(p.name, "")))
    if says is None:
        says = f"{name}(" + ", ".join(f"{{{p.name}}}" for p in parameters) + ")"
    named = re.findall(r"\{(.*?)\}", says)
    if len(named) != len(set(named)):
        raise TypeError(f"{name}: the sentence {says!r} names a parameter twice.")
    unknown = {*named, *distinct} - {p.name for p in parameters}
    if unknown:
        raise TypeError(f"{name}: the sentence {says!r} names {sorted(unknown)}, which are no parameters.")
    return Signature(name, about, tuple(parameters), says, distinct)


def _parameter(owner: str, p: inspect.Parameter, hint: Any, about: str) -> Parameter:
    kind = choices = None
    if typing.get_origin(hint) is Annotated:
        kind = next((m.name for m in hint.__metadata__ if isinstance(m, Kind)), None)
        hint = hint.__origin__
    if typing.get_origin(hint) is Literal:
        choices, hint = tuple(str(c) for c in typing.get_args(hint)), str
    if hint not in (str, int, float, bool):
        raise TypeError(f"{owner}: {p.name!r} is a {hint}; a skill takes str, int, float, bool, Literal or a Kind.")
    default = None if p.default is inspect.Parameter.empty else p.default
    return Parameter(p.name, hint, about or p.name, kind, choices, default)


def _docstring(function: Callable[..., Any]) -> tuple[str, dict[str, str]]:
    text = inspect.getdoc(function)
    if not text:
        raise TypeError(f"{function.__name__}: a skill needs a docstring; models read it.")
    about, _, arguments = text.partition("\nArgs:\n")
    arguments = re.sub(r"\n {5,}", " ", arguments)  # a description may go on in deeper lines
    described = dict(re.findall(r"^\s+(\w+): (.+)$", arguments, re.MULTILINE))
    return about.strip(), described


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def _as_text(value: Value | None) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)
