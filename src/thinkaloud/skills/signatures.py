"""Signatures: how a function is called, in code and in a sentence, read from its types and docstring.

A signature provides the JSON schema (function calling), the text signature (prompts) and the grammar (constrained
decoding). It also parses text back into arguments, or refuses it and says what is possible.

Not covered: arguments that are lists or objects. A robot's skills take names, numbers, flags and choices.
"""

from __future__ import annotations

import inspect
import itertools
import math
import re
import typing
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Annotated, Any, Literal

from thinkaloud.errors import SkillError, Unparseable, list_closest_names
from thinkaloud.language.name_matching import find_named
from thinkaloud.language.units import several
from thinkaloud.models import grammar as gbnf
from thinkaloud.records import Arguments, Value

Vocabulary = Mapping[str, Sequence[str]]
_MANY = 5000
"""Sentences with more variants than this are not listed one by one."""
_DECIMALS = 3
"""Numbers with more of them are rounded when they are said; coordinates in millimetres are not."""
_NEXT_TO = 0.01
"""The part of a step by which a number may be off."""


@dataclass(frozen=True, slots=True)
class Kind:
    """Marks a `str` parameter as the name of something in the scene: `Annotated[str, Kind("object")]`."""

    name: str


class OutOfRange(SkillError):
    """A number that a parameter does not take; `amount` says what it takes."""

    def __init__(self, number: float, amount: Amount, said: str = "") -> None:
        own = f"{spell_number(number)} {amount.unit if abs(number) == 1 else several(amount.unit)}".strip()
        told = f"{said} ({own})" if said else own
        super().__init__(f"{told} is not possible here: it has to be {amount.range}.")
        self.number, self.amount = number, amount


@dataclass(frozen=True, slots=True)
class Amount:
    """What a number counts, and which numbers are possible: `Annotated[float, Amount("ml", 10, 350, step=5)]`.

    An end may be a value of another argument: `Amount("ml", 10, "capacity({cup})")` (see `ranges`).
    """

    unit: str = ""
    least: float | str | None = None
    most: float | str | None = None
    step: float | None = None

    @property
    def ends(self) -> tuple[float | None, float | None]:
        """The least and the most, as far as they are the same for all things."""
        least, most = (None if isinstance(end, str) else end for end in (self.least, self.most))
        return least, most

    @property
    def range(self) -> str:
        """What is possible, in words: `10 to 350 ml, in steps of 5`."""
        unit = f" {several(self.unit)}" if self.unit else ""
        least, most = (None if end is None else spell_number(end) for end in self.ends)
        if least is not None and most is not None:
            found = f"{least} to {most}{unit}"
        else:
            ends = (("at least", least), ("at most", most))
            found = next((f"{word} {end}{unit}" for word, end in ends if end is not None), unit.strip())
        steps = f"in steps of {spell_number(self.step)}" if self.step else ""
        return ", ".join(filter(None, (found, steps)))

    def fit(self, number: float) -> float:
        """The number, put on the nearest step if it is next to it; raises OutOfRange if it is not possible."""
        least, most = self.ends
        begin = least or 0
        near = begin + round((number - begin) / self.step) * self.step if self.step else number
        if self.step and abs(near - number) > _NEXT_TO * self.step:
            raise OutOfRange(number, self)
        if (least is not None and near < least) or (most is not None and near > most):
            raise OutOfRange(number, self)
        return number if near == number else float(f"{near:.9g}")


@dataclass(frozen=True, slots=True)
class Parameter:
    """One argument: its type, and what it may be."""

    name: str
    type: type[str] | type[int] | type[float] | type[bool]
    about: str
    kind: str | None = None
    choices: tuple[str, ...] | None = None
    default: Value | None = None
    amount: Amount | None = None

    def options(self, vocabulary: Vocabulary) -> tuple[str, ...] | None:
        """The texts this argument may be here, or None if any text or number will do."""
        if self.kind is not None:
            return tuple(vocabulary.get(self.kind, ()))
        if self.type is bool:
            return ("true", "false")
        return self.choices

    def read(self, text: str, vocabulary: Vocabulary) -> Value:
        """The value that a text stands for; if there is none, the error says what is possible."""
        text = text.strip()
        options = self.options(vocabulary)
        if options is not None:
            found = find_named(text, options)
            if found is None:
                there = list_closest_names(options, text.strip("\"'").lower()) or "nothing"
                raise SkillError(f"There is no {self.kind or self.name} {text[:80]!r} here; there is: {there}.")
            return self.value(found)
        return text if self.type is str else self._number(text)

    def value(self, option: str) -> Value:
        """What one of the options stands for."""
        if self.type is bool:
            return option == "true"
        return int(option) if self.type is int else option

    def _number(self, text: str) -> Value:
        try:
            number = float(text)
            number = self.amount.fit(number) if self.amount is not None and math.isfinite(number) else number
            if math.isfinite(number) and (self.type is float or number.is_integer()):
                exact = self.type is int and self.amount is None and "." not in text
                return number if self.type is float else int(text) if exact else int(number)
        except ValueError:
            pass
        whole = "whole " if self.type is int else ""
        raise SkillError(f"{self.name} has to be a {whole}number, not {text[:80]!r}.")

    def expression(self, vocabulary: Vocabulary, *, capital: bool = False, without: Collection[str] = ()) -> str:
        """The grammar of this argument."""
        options = self.options(vocabulary)
        if options is not None:
            return gbnf.one_of(capitalised(o) if capital else o for o in options if o not in without)
        return {int: gbnf.INTEGER, float: gbnf.NUMBER}.get(self.type, r"[^\n,()]{1,80}")

    def schema(self, vocabulary: Vocabulary) -> dict[str, Any]:
        """This argument in JSON schema."""
        names = {str: "string", int: "integer", float: "number", bool: "boolean"}
        data: dict[str, Any] = {"type": names[self.type], "description": self.about}
        options = self.options(vocabulary)
        if options is not None and self.type is not bool:
            data["enum"] = [self.value(option) for option in options]
        return data


@dataclass(frozen=True)
class Signature:
    """How something is called, in code and in a sentence."""

    name: str
    about: str
    parameters: tuple[Parameter, ...]
    says: str
    distinct: tuple[str, ...] = ()
    unit: str = ""
    """What the value of a measure is counted in."""

    @cached_property
    def _pieces(self) -> tuple[str, ...]:
        return tuple(re.split(r"\{(\w+)\}", self.says))

    def _match(self, text: str, vocabulary: Vocabulary) -> re.Match[str] | None:
        # Try the names of the scene first: only they tell where `the cup on the tray` ends in `… on the table`.
        named = tuple((p.name, options) for p in self.parameters if (options := p.options(vocabulary)))
        return _pattern(self._pieces, named).fullmatch(text) or _pattern(self._pieces).fullmatch(text)

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
        """The sentence with these arguments, exactly: `parse` reads it back."""
        values = {p.name: p.default for p in self.parameters} | dict(arguments)
        return capitalised(self.says.format_map({name: _as_text(value) for name, value in values.items()}))

    def tell(self, arguments: Arguments) -> str:
        """The sentence as people say it: long decimals are rounded, and amounts are written as people write them."""
        counted = {p.name for p in self.parameters if p.amount is not None}
        told = {
            name: spell_number(value)
            for name, value in arguments.items()
            if isinstance(value, float) and (name in counted or value != round(value, _DECIMALS))
        }
        return self.render({**arguments, **told})

    def parse(self, text: str, vocabulary: Vocabulary) -> dict[str, Value]:
        """The arguments of a sentence; raises Unparseable for another sentence, SkillError for absent things."""
        match = self._match(text.strip(), vocabulary)
        if match is None:
            raise Unparseable(f"{text.strip()!r} is not of the form {self.says!r}.")
        return {p.name: p.read(match[p.name], vocabulary) for p in self.parameters if p.name in match.groupdict()}

    def check(self, arguments: Arguments, vocabulary: Vocabulary) -> dict[str, Value]:
        """Check arguments that came as data (a function call) and add the defaults."""
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
        for first, second in itertools.combinations(self.distinct, 2):
            if checked[first] == checked[second]:
                raise SkillError(f"{self.name}: {first} and {second} cannot both be {checked[first]!r}.")
        return checked

    def calls(self, vocabulary: Vocabulary, *, most: int = _MANY) -> list[dict[str, Value]]:
        """Every way to call this here; none if an argument is free text or a number, or if there are too many.

        Arguments with a default keep it.
        """
        values: list[Sequence[Value]] = []
        for p in self.parameters:
            options = p.options(vocabulary)
            if p.default is None and options is None:
                return []
            values.append((p.default,) if p.default is not None else [p.value(option) for option in options or ()])
        if math.prod(map(len, values)) > most:
            return []
        names = [p.name for p in self.parameters]
        found = [dict(zip(names, each, strict=True)) for each in itertools.product(*values)]
        return [call for call in found if len({call[name] for name in self.distinct}) == len(self.distinct)]

    def expression(self, vocabulary: Vocabulary, without: Sequence[Arguments] = ()) -> str | None:
        """The grammar of the sentence in this scene; None if nothing in the scene fits, or everything is left out."""
        sentences = self.expressions(vocabulary, without)
        return gbnf.choice(sentences.values()) if sentences else None

    def expressions(self, vocabulary: Vocabulary, without: Sequence[Arguments] = ()) -> dict[str, str]:
        """The grammar of the sentence for each possible first argument.

        One grammar under "" if the first argument is free, or if there are too many sentences to list.
        """
        named = [p for name in self._pieces[1::2] for p in self.parameters if p.name == name]
        if any(p.options(vocabulary) == () for p in named):
            return {}
        first = named[0].options(vocabulary) if named else None
        many = math.prod(len(p.options(vocabulary) or ()) for p in named) > _MANY
        if first is None or (many and len(named) > 1 and not without):
            return {"": self._sentence(vocabulary, {})}
        start, last, found = named[0], named[-1], {}
        for option in first:
            left_out = {_as_text(a.get(last.name)) for a in without if _as_text(a.get(start.name)) == option}
            if start is not last and {start.name, last.name} <= set(self.distinct):
                left_out.add(option)
            options = (option,) if start is last else last.options(vocabulary)
            if options is None or set(options) - left_out:
                found[option] = self._sentence(vocabulary, {start.name: option}, left_out)
        return found

    def _sentence(self, vocabulary: Vocabulary, fixed: Mapping[str, str], left_out: Collection[str] = ()) -> str:
        known = {p.name: p for p in self.parameters}
        parts = []
        for i, piece in enumerate(self._pieces):
            capital = not any(self._pieces[:i])
            if i % 2 == 0:
                parts.append(gbnf.literal(capitalised(piece) if capital else piece) if piece else "")
            elif piece in fixed:
                parts.append(gbnf.literal(capitalised(fixed[piece]) if capital else fixed[piece]))
            else:
                last = i == len(self._pieces) - 2
                parts.append(known[piece].expression(vocabulary, capital=capital, without=left_out if last else ()))
        return gbnf.sequence(*parts)


@lru_cache  # the scene stays the same for many sentences
def _pattern(pieces: tuple[str, ...], named: tuple[tuple[str, tuple[str, ...]], ...] = ()) -> re.Pattern[str]:
    # The shortest name first: in `on the box.` it is the box, even where something else is called `box.`.
    names = {parameter: "|".join(map(re.escape, sorted(options, key=len))) for parameter, options in named}
    *inside, end = pieces
    parts = [f"(?P<{p}>{names.get(p, '.+?')})" if i % 2 else re.escape(p) for i, p in enumerate(inside)]
    return re.compile("".join([*parts, re.escape(end.rstrip("."))]) + r"\s*\.?\s*", re.IGNORECASE)


def signature_of(
    function: Callable[..., Any], says: str | None = None, distinct: tuple[str, ...] = (), unit: str = ""
) -> Signature:
    """Read a function's name, types, defaults and docstring; raises at once if they do not make a skill."""
    name = function.__name__
    about, described = _docstring(function)
    try:
        hints = typing.get_type_hints(function, include_extras=True)
    except NameError as error:
        raise TypeError(f"{name}: the type {error.name} is not known at the top level of its module.") from None
    parameters = []
    for p in inspect.signature(function).parameters.values():
        if p.name == "self":
            continue
        if p.name not in hints or p.kind in (p.VAR_POSITIONAL, p.VAR_KEYWORD):
            raise TypeError(f"{name}: the parameter {p.name!r} needs a type and must not be *args or **kwargs.")
        parameters.append(_parameter(name, p, hints[p.name], described.get(p.name, "")))
    if says is None:
        says = f"{name}(" + ", ".join(f"{{{p.name}}}" for p in parameters) + ")"
    named = re.findall(r"\{(.*?)\}", says)
    if len(named) != len(set(named)):
        raise TypeError(f"{name}: the sentence {says!r} names a parameter twice.")
    unknown = {*named, *distinct} - {p.name for p in parameters}
    if unknown:
        raise TypeError(f"{name}: the sentence {says!r} names {sorted(unknown)}, which are not parameters.")
    return Signature(name, about, tuple(parameters), says, distinct, unit)


def _parameter(owner: str, p: inspect.Parameter, hint: Any, about: str) -> Parameter:
    kind = choices = amount = None
    if typing.get_origin(hint) is Annotated:
        kind = next((m.name for m in hint.__metadata__ if isinstance(m, Kind)), None)
        amount = next((m for m in hint.__metadata__ if isinstance(m, Amount)), None)
        hint = hint.__origin__
    if typing.get_origin(hint) is Literal:
        values = typing.get_args(hint)
        choices, hint = tuple(map(str, values)), type(values[0])
        if hint not in (str, int) or any(type(value) is not hint for value in values):
            raise TypeError(f"{owner}: {p.name!r} has to be a Literal of texts or of whole numbers.")
    if hint not in (str, int, float, bool):
        raise TypeError(f"{owner}: {p.name!r} is a {hint}; a skill takes str, int, float, bool, Literal or a Kind.")
    if amount is not None and hint not in (int, float):
        raise TypeError(f"{owner}: {p.name!r} is a {hint}; only int and float are amounts.")
    default = None if p.default is inspect.Parameter.empty else p.default
    return Parameter(p.name, hint, about or p.name, kind, choices, default, amount)


def _docstring(function: Callable[..., Any]) -> tuple[str, dict[str, str]]:
    text = inspect.getdoc(function)
    if not text:
        raise TypeError(f"{function.__name__}: a skill needs a docstring; models read it.")
    about, _, arguments = text.partition("\nArgs:\n")
    arguments = re.sub(r"\n {5,}", " ", arguments)  # a description may continue on deeper lines
    described = dict(re.findall(r"^\s+(\w+): (.+)$", arguments, re.MULTILINE))
    return about.strip(), described


def capitalised(text: str) -> str:
    """The text with its first letter in upper case."""
    return text[:1].upper() + text[1:]


def spell_number(number: float) -> str:
    """A number as people say it: 30 for 30.0, 0.33 for a third."""
    if not math.isfinite(number) or (number and abs(number) < 0.01):
        return f"{number:.2g}"
    return str(int(number)) if float(number).is_integer() else f"{number:.2f}".rstrip("0").rstrip(".")


def _as_text(value: Value | None) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)
