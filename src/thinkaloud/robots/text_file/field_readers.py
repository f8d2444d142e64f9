"""The parts of a robot's file: tables, texts, sentences with parameters, facts; and where each one is."""

from __future__ import annotations

import keyword
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, NoReturn

from thinkaloud.errors import BadScene
from thinkaloud.language.name_matching import find_nearest
from thinkaloud.language.number_words import HAN
from thinkaloud.language.words import is_ended
from thinkaloud.records import Value
from thinkaloud.robots.text_file.robot import NumberParameter
from thinkaloud.skills.signatures import Amount, Parameter, Signature
from thinkaloud.untrusted.text import without_unseen

_FREE_TYPES = ("number", "text")
"""What a parameter may be other than a kind or a list of choices."""
_END = r"-?\d+(?:\.\d+)?"
_BOUND = r"[^\W\d]\w*\([^()]*\)"
"""A value of another parameter: `capacity({cup})`."""
_UNIT = r"[^\s\d.-](?:(?!\.\.)\S)*"
"""A word of a unit; what has two dots is a range that cannot be read."""
_NUMBER = re.compile(
    rf"number(?: +(?P<unit>{_UNIT}(?: {_UNIT})??))?"
    rf"(?: +(?P<least>{_END}|{_BOUND})?\.\.(?P<most>{_END}|{_BOUND})?)?"
    r"(?: +step +(?P<step>\d+(?:\.\d+)?))?"
)
_FACT = re.compile(r"(not\s+)?([^\W\d]\w*)\s*\((.*)\)", re.DOTALL)


@dataclass(frozen=True)
class FilePosition:
    """A place in a file, for error messages."""

    source: str
    text: str = ""
    path: tuple[str, ...] = ()

    def at(self, key: str) -> FilePosition:
        """A place within this one."""
        return FilePosition(self.source, self.text, (*self.path, key))

    def fail(self, why: str) -> NoReturn:
        """A BadScene error with the file, the line if known, the place and the problem."""
        line = self.line()
        where = f"{self.source}:{line}" if line else self.source
        raise BadScene(f"{where}: {'.'.join(self.path)}{': ' if self.path else ''}{why}.")

    def line(self) -> int | None:
        """The line of the table, or of the key in it; None if it cannot be found."""
        lines = self.text.splitlines()
        for depth in range(len(self.path), 0, -1):
            table = r"\s*\.\s*".join(f'"?{re.escape(key)}"?' for key in self.path[:depth])
            head = next((n for n, line in enumerate(lines, 1) if re.match(rf"\s*\[{table}\]", line)), None)
            if head is not None:
                return self._key_after(lines, head, self.path[depth:])
        return self._key_after(lines, 0, self.path) or None

    def _key_after(self, lines: Sequence[str], head: int, keys: Sequence[str]) -> int:
        for number in range(head, len(lines) if keys else head):
            if lines[number].startswith("["):
                break
            if re.match(rf'\s*"?{re.escape(keys[0])}"?\s*[=.]', lines[number]):
                return number + 1
        return head

    def table(self, data: Any, keys: Sequence[str] | None = None, also: Sequence[str] = ()) -> dict[str, Any]:
        """Read a table; for an unknown key, the error suggests the nearest known one."""
        if not isinstance(data, dict):
            self.fail(f"expected a table, not {data!r:.60}")
        for key in data:
            if keys is not None and key not in keys and key not in also:
                near = find_nearest(key, keys)
                meant = f" Did you mean {near!r}?" if near else ""
                self.at(key).fail(f"there is no such key.{meant} Known: {', '.join(keys)}")
        return data

    def text_of(self, data: Any) -> str:
        """Read a text that is not empty, without what nobody sees: escapes, marks that turn the direction of text."""
        if not isinstance(data, str) or not (read := without_unseen(data).strip()):
            self.fail(f"expected a text, not {data!r:.60}")
        return read

    def text_at(self, table: Mapping[str, Any], key: str) -> str:
        """Read a required text."""
        if key not in table:
            self.fail(f'{key!r} is missing; write {key} = "…"')
        return self.at(key).text_of(table[key])

    def flag(self, data: Any) -> bool:
        """Read true or false."""
        if not isinstance(data, bool):
            self.fail(f"expected true or false, not {data!r:.60}")
        return data

    def numbers(self, data: Any, lengths: Sequence[int], example: str) -> tuple[float, ...]:
        """Read a list of so many numbers."""
        if not isinstance(data, list) or len(data) not in lengths or not all(type(n) in (int, float) for n in data):
            self.fail(f"expected numbers in metres, such as {example}, not {data!r:.60}")
        return tuple(float(each) for each in data)

    def texts(self, data: Any) -> list[str]:
        """Read a list of texts."""
        if not isinstance(data, list) or not all(isinstance(each, str) for each in data):
            self.fail(f'expected a list of texts, such as ["a", "b"], not {data!r:.60}')
        return data

    def people(self, data: Any) -> tuple[str, ...]:
        """Read roles or names, one or several: `"nurse"`, `["nurse", "Anna"]`."""
        names = [data] if isinstance(data, str) else data
        if not isinstance(names, list) or not all(isinstance(each, str) and each.strip() for each in names):
            self.fail(f'expected a role or a name, or a list of them, such as ["nurse", "Anna"], not {data!r:.60}')
        return tuple(each.strip() for each in names)


def read_number_or_text(text: str) -> Value:
    """A number if it is one, otherwise the text."""
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            continue
    return text.strip("\"'")


def split_fact(here: FilePosition, text: str) -> tuple[bool, str, list[str]]:
    """Whether a fact is negated, its relation, and its arguments, as written."""
    found = _FACT.fullmatch(text.strip())
    if found is None:
        here.fail(f"{text!r} is not a fact; write relation(thing), or relation() if it has no arguments")
    inside = found[3].strip()
    return bool(found[1]), found[2], [each.strip() for each in inside.split(",")] if inside else []


def read_signature(
    here: FilePosition, name: str, table: Mapping[str, Any], kinds: Mapping[str, Sequence[str]]
) -> Signature:
    """Read a signature; raises BadScene for a sentence that does not name each parameter once."""
    if keyword.iskeyword(name):
        here.fail(
            f"{name!r} is a Python keyword, which code cannot call; write {name + '_'!r}. Its sentence, and what "
            "people say, may still contain the word"
        )
    if not _is_name(name):
        here.fail(
            f"{name!r} is not a name that code can call; use the letters a to z, digits and underscores, "
            "beginning with a letter, such as fill_can"
        )
    says, doc = here.text_at(table, "says"), here.text_at(table, "doc")
    given = here.at("parameters").table(table.get("parameters", {}))
    parameters = tuple(_read_parameter(here.at("parameters").at(p), p, what, kinds) for p, what in given.items())
    named = re.findall(r"\{(\w+)\}", says)
    if sorted(named) != sorted(given) or says.count("{") != len(named) or says.count("}") != len(named):
        wanted = ", ".join(f"{{{p}}}" for p in given) or "no braces"
        here.at("says").fail(f"{says!r} has to name each parameter once, in braces: {wanted}")
    distinct = tuple(here.at("distinct").texts(table.get("distinct", [])))
    if strange := [p for p in distinct if p not in given]:
        here.at("distinct").fail(f"there is no parameter {strange[0]!r}; there is: {', '.join(given) or 'none'}")
    unit = here.at("unit").text_of(table["unit"]) if "unit" in table else ""
    return Signature(name, doc, parameters, says, distinct, unit)


def read_sentence(
    here: FilePosition, name: str, table: Mapping[str, Any], kinds: Mapping[str, Sequence[str]]
) -> Signature:
    """Read what says a whole sentence; a full stop that was left out is added, since others are said behind it."""
    read = read_signature(here, name, table, kinds)
    if is_ended(read.says.rstrip()):
        return read
    return replace(read, says=read.says.rstrip() + ("。" if HAN.search(read.says) else "."))


def _is_name(name: str) -> bool:
    return name.isascii() and name.isidentifier() and not keyword.iskeyword(name) and not name.startswith("_")


def read_amount(what: str) -> Amount | None:
    """What a number counts and may be, as a file writes it: `number ml 10..350 step 5`; None for anything else."""
    found = _NUMBER.fullmatch(what.strip())
    if found is None:
        return None
    least, most = (found[each] if "(" in (found[each] or "") else _number(found[each]) for each in ("least", "most"))
    return Amount(found["unit"] or "", least, most, _number(found["step"]))


def _number(text: str | None) -> float | None:
    return None if text is None else float(text)


def _read_parameter(here: FilePosition, name: str, what: Any, kinds: Mapping[str, Sequence[str]]) -> Parameter:
    if not (name.isascii() and name.isidentifier()) or keyword.iskeyword(name):
        here.fail(
            f"{name!r} cannot name a parameter; use the letters a to z, digits and underscores, "
            f"and no Python keyword, such as {name + '_' if keyword.iskeyword(name) else 'box'!r}"
        )
    if isinstance(what, list):
        kind = type(what[0]) if what else None
        if kind not in (str, int) or any(type(each) is not kind for each in what) or len({*what}) != len(what):
            here.fail(f'choices are different texts, or whole numbers, such as ["on", "off"], not {what!r:.60}')
        choices = tuple(map(str, what))
        return Parameter(name, int if kind is int else str, f"one of {', '.join(choices)}.", choices=choices)
    if isinstance(what, str) and (amount := read_amount(what)) is not None:
        least, most = amount.ends
        if amount.step == 0 or (least is not None and most is not None and least > most):
            here.fail(f"no number is in {what!r:.60}; write the smaller end first, and a step above 0")
        return NumberParameter(name, float, "a number.", amount=amount if what != "number" else None)
    if what == "text":
        return Parameter(name, str, "any text.")
    if not isinstance(what, str) or what not in kinds:
        known = ", ".join([*kinds, *_FREE_TYPES])
        here.fail(
            f"{what!r:.60} is not a kind; a parameter is one of {known}, or a list of choices; "
            "a number may have a unit, a range and a step, such as 'number ml 10..350 step 5'"
        )
    return Parameter(name, str, f"the name of a {what}.", what)


def refuse_same_sentences(here: FilePosition, signatures: Sequence[Signature]) -> None:
    """Refuse two with the same words: they could not be told apart."""
    known: dict[str, str] = {}
    for signature in signatures:
        kinds = {p.name: f"{{{p.kind or p.choices or p.type.__name__}}}" for p in signature.parameters}
        other = known.setdefault(signature.says.format_map(kinds).lower(), signature.name)
        if other != signature.name:
            here.at(signature.name).at("says").fail(f"{other!r} has the same sentence; change one")
