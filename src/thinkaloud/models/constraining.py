"""Ways to constrain what a served model answers, and a probe that finds out which of them work at an address.

Some servers ignore a constraint without an error. So the probe asks under constraints that allow a single answer,
which nobody could guess, and looks at what comes. The result is kept on disk for each address and model:

    ways = await KnownWays(path).find(model)      # asks the server only if nothing is known yet
    "schema" in ways

Whatever works, every answer goes through the same readers (`tool_calls`): a way that works is no promise.
"""

from __future__ import annotations

import json
import secrets
import time
from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any, Literal, Protocol, get_args

from thinkaloud.errors import ModelMissing, ModelRefused
from thinkaloud.models.contract import Call, Turn
from thinkaloud.models.json_schema import find_misfit
from thinkaloud.models.load_check import cache_folder
from thinkaloud.models.openai_http import Rejected
from thinkaloud.models.tool_calls import json_of
from thinkaloud.untrusted.files import read_json

Way = Literal["grammar", "schema", "tool", "eyes"]
"""A grammar in GBNF, a JSON schema, the forced use of a tool; and whether the model looks at pictures."""
WAYS: Mapping[Way, str] = {
    "grammar": "grammar",
    "schema": "JSON schema",
    "tool": "forced tool",
    "eyes": "pictures",
}
PROBE_TOKENS = 40
"""Enough for the longest answer that the probe allows."""
_DAYS = 30
"""How long a result counts: servers are updated."""
_MOST_KNOWN = 200
_GREETING = (Turn("user", "Say hello in one short sentence."),)


class Probing(Protocol):
    """A served model that can be asked in each way that its form has."""

    name: str
    place: str
    """What the result is kept under: the form, the address without secrets, and the model."""

    def probes(self) -> Mapping[Way, Callable[[str], Awaitable[bool]]]:
        """Return for each way what asks under a constraint that allows only a word, and says whether it held."""
        ...


async def probe(model: Probing) -> frozenset[Way]:
    """Ask a server once in each way, and return those that work; an error that is not about the way is raised."""
    works: set[Way] = set()
    missing: list[ModelMissing] = []
    probes = model.probes()
    for way, holds in probes.items():
        try:
            if await holds(f"w{secrets.token_hex(4)}"):
                works.add(way)
        except ModelMissing as error:  # no such path; or no such model, or a wrong key, and then for every way
            missing.append(error)
        except (Rejected, ModelRefused):
            pass
    if len(missing) == len(probes):
        raise missing[-1]
    return frozenset(works)


def describe_ways(works: frozenset[Way]) -> str:
    """Say in words how answers are constrained: `JSON schema, forced tool`."""
    constrains = [WAYS[way] for way in get_args(Way) if way in works and way != "eyes"]
    return ", ".join(constrains) or "asking, and asking again with the fault"


class KnownWays:
    """What probes have found out, in a file that any number of processes may share."""

    def __init__(self, path: Path | None = None, now: Callable[[], float] = time.time) -> None:
        self._path, self._now = path or cache_folder() / "served.json", now

    async def find(self, model: Probing, *, again: bool = False) -> frozenset[Way]:
        """Return which ways work with a model; it is asked if that is not known, or `again`."""
        found = None if again else self._read().get(model.place)
        if isinstance(found, dict) and self._now() - found["at"] < _DAYS * 86400:
            return frozenset(way for way in get_args(Way) if way in found["ways"])
        works = await probe(model)
        self._keep(model.place, {"at": self._now(), "ways": sorted(works)})
        return works

    def _read(self) -> dict[str, Any]:
        """All results; a damaged file has none."""
        try:
            known = read_json(self._path.read_text())
            return {
                place: {"at": float(each["at"]), "ways": [str(way) for way in each["ways"]]}
                for place, each in known.items()
            }
        except (OSError, ValueError, AttributeError, LookupError, TypeError):
            return {}

    def _keep(self, place: str, found: Mapping[str, Any]) -> None:
        known = [(key, each) for key, each in self._read().items() if key != place]
        text = json.dumps(dict([*known[1 - _MOST_KNOWN :], (place, found)]))
        new = self._path.with_name(f"{self._path.name}.{secrets.token_hex(4)}")
        with suppress(OSError):  # a folder that cannot be written: the server is asked again next time
            self._path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            new.write_text(text)
            new.replace(self._path)


# What each way is tried with ------------------------------------------------------------------------------------------


def word_grammar(word: str) -> str:
    """Return a grammar that allows only a word."""
    return f'root ::= "{word}"'


def word_schema(word: str) -> dict[str, Any]:
    """Return a JSON schema that allows only a word."""
    one = {"type": "string", "enum": [word]}
    return {"type": "object", "properties": {"word": one}, "required": ["word"], "additionalProperties": False}


def word_tool(word: str) -> dict[str, Any]:
    """Return a tool that can only be called with a word."""
    return {"name": "note_word", "description": "Note a word.", "parameters": word_schema(word)}


def greeting() -> tuple[Turn, ...]:
    """Return a question that nobody answers with the word."""
    return _GREETING


def is_word_json(text: str, word: str) -> bool:
    """Whether an answer is what the schema allows."""
    return not find_misfit(json_of(text, "", PROBE_TOKENS), word_schema(word))


def is_word_call(calls: tuple[Call, ...]) -> bool:
    """Whether the tool was called; whether its arguments fit is for whoever reads the call."""
    return bool(calls) and calls[0].name == "note_word"
