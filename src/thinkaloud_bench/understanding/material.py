"""Files of requests: a robot described in TOML, or one of the worlds that there are, and what is said to it.

How such a file is written stands in docs/benchmarks/understanding.md. What is wrong with one is told with its place.
"""

from __future__ import annotations

import tomllib
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from importlib import resources
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any, Literal, TypeVar, get_args

from thinkaloud.errors import BadInput
from thinkaloud_bench.episode_files import Fail, failing_at, name_kind, read_fields, read_text
from thinkaloud_bench.understanding.facts import Fact, read_fact, split_call

_T = TypeVar("_T")
Expected = Literal["do", "answer", "note", "decline", "ask", "stop"]
EXPECTED: tuple[Expected, ...] = get_args(Expected)
FOLDERS = ("robots", "worlds", "languages")
"""What is played: mostly in English, and to other robots in four other languages. Each has a mean of its own.

`calibration` and `calibration_languages` beside them are not played: thresholds are taken from them.
"""
CALIBRATION, CALIBRATION_LANGUAGES = "calibration", "calibration_languages"
KINDS = ("strangers", "vague", "amounts", "conversations", "five_languages", "people")
"""Kinds of requests, each by authors who have seen neither code nor training text."""
PROMISE = tuple(f"promise/{kind}" for kind in (*KINDS, "doses"))
"""Those from which thresholds are taken: the promise is held on the hardest kind."""
CERTIFY = tuple(f"certify/{kind}" for kind in KINDS)
"""The same kinds by authors who wrote last: they certify it."""
ABILITIES = "abilities"
"""What the benchmark `capabilities` plays."""
_FIELDS = (
    *("say", "turns", "expect", "also", "changes", "or", "holds", "not_holds", "untouched", "untouched_others"),
    *("touched", "calls", "ordered", "answer", "wrong", "tags", "seed", "scene"),
    *("amid", "proposes", "hint", "shuffle"),
)
_WORLD_ONLY = ("untouched", "untouched_others", "touched", "seed", "scene", "hint", "shuffle")


@dataclass(frozen=True, slots=True)
class Spoken:
    """A request, or several turns of one, and what a sensible robot does about it.

    `exact`: sets of facts of which one has to be all that is different in the end. `holds`: sets of which one has to be
    true in the end, whatever else is. Of things that neither `holds` nor `touched` names nothing may have changed then,
    unless `others_too`; `untouched` may not have changed in any case. `calls` have been made, if any are given.

    `amid` is said while a step is under way, one text at a step. With a `hint`, the first thing that the robot tries to
    move cannot be moved, and the hint is said when that has failed; `{thing}` in it is that thing. A refusal has to
    name one of what it `proposes`, if anything is given. `shuffle`: scene and progress are told in another order.
    """

    turns: tuple[str, ...]
    expect: Expected
    also: tuple[Expected, ...] = ()
    exact: tuple[tuple[Fact, ...], ...] | None = None
    holds: tuple[tuple[Fact, ...], ...] | None = None
    touched: tuple[str, ...] = ()
    untouched: tuple[str, ...] = ()
    others_too: bool = False
    calls: tuple[str, ...] = ()
    ordered: bool = False
    answer: tuple[str, ...] = ()
    wrong: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    seed: int | None = None
    scene: str | None = None
    amid: tuple[str, ...] = ()
    proposes: tuple[str, ...] = ()
    hint: str = ""
    shuffle: int = 0

    @property
    def text(self) -> str:
        """All that is said."""
        first, *rest = self.turns
        between = [*(f"({each})" for each in self.amid), *([f"({self.hint})"] if self.hint else [])]
        return " / ".join([first, *between, *rest])

    @property
    def accepted(self) -> tuple[Expected, ...]:
        """The kinds of ending that are right."""
        return (self.expect, *self.also)


@dataclass(frozen=True, slots=True)
class Material:
    """A file: its robot (`text` describes it) or its world, and the requests to it."""

    name: str
    requests: tuple[Spoken, ...]
    text: str = ""
    world: str = ""
    scene: str | None = None
    seed: int = 0
    about: str = ""


@dataclass(frozen=True, slots=True)
class Episode:
    """One request of a file: what is sent to whoever plays it."""

    material: Material
    number: int

    @property
    def spoken(self) -> Spoken:
        """The request itself."""
        return self.material.requests[self.number]


# Where they are -------------------------------------------------------------------------------------------------------


@cache
def shipped(*folders: str) -> dict[str, Material]:
    """The files of some folders beside this one, by their names."""
    found: dict[str, Material] = {}
    for folder in folders:
        place = resources.files(__package__).joinpath(folder)
        files = sorted((file for file in place.iterdir() if file.name.endswith(".toml")), key=lambda file: file.name)
        for file in files:
            material = read_material(file.read_text(encoding="utf-8"), f"{folder}/{file.name}", place)
            found[material.name] = material
    return found


def find_material(name: str) -> Material:
    """The file of this name, whichever folder it is in."""
    return shipped(*FOLDERS, *PROMISE, *CERTIFY, CALIBRATION, CALIBRATION_LANGUAGES, ABILITIES)[name]


# Reading --------------------------------------------------------------------------------------------------------------


def read_material(text: str, source: str, folder: Traversable | None = None) -> Material:
    """A file of requests; BadInput with the place where it is wrong. Scenes that it names lie in the folder."""
    fail = failing_at(source)
    try:
        data = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        fail(f"is not TOML: {error}")
    requests = data.get("request")
    if not isinstance(requests, list) or not requests:
        fail("has no [[request]]")
    world = data.get("world", "")
    if not world and "kinds" not in data and "skills" not in data:
        fail("describes no robot (kinds, skills, …) and names no world")
    name = read_text(data.get("name", Path(source).stem), "name", fail)
    return Material(
        name,
        tuple(_spoken(each, f"{source}: request {at}", bool(world), folder) for at, each in enumerate(requests, 1)),
        text,
        read_text(world, "world", fail) if world else "",
        _scene(data.get("scene"), folder, fail),
        _whole(data.get("seed", 0), "seed", fail),
        str(data.get("about", "")),
    )


def _spoken(data: Any, place: str, in_world: bool, folder: Traversable | None) -> Spoken:
    fail = failing_at(place)
    given = read_fields(data, _FIELDS, "a request", fail)
    if unknown := [key for key in given if key not in _FIELDS]:
        fail(f"a request has no field {unknown[0]!r}")
    if ("say" in given) == ("turns" in given):
        fail("a request has either 'say' or 'turns'")
    turns = _texts(given, "turns", fail) if "turns" in given else (read_text(given["say"], "say", fail),)
    if not turns:
        fail("'turns' is empty")
    expect = _kind(given.get("expect"), "expect", fail)
    also = tuple(_kind(each, "also", fail) for each in _texts(given, "also", fail))
    exact, holds = _wanted(given, in_world, fail)
    if expect == "answer" and not given.get("answer"):
        fail('an answer has to be given with it: answer = ["…"]')
    if any(key in given for key in _WORLD_ONLY) and not in_world:
        fail(f"{' and '.join(key for key in _WORLD_ONLY if key in given)}: for requests to a world only")
    calls = _texts(given, "calls", fail)
    _checked(split_call, calls, fail)
    return Spoken(
        turns,
        expect,
        also,
        exact,
        holds,
        touched=_texts(given, "touched", fail),
        untouched=_texts(given, "untouched", fail),
        others_too=not given.get("untouched_others", True),
        calls=calls,
        ordered=bool(given.get("ordered", False)),
        answer=_texts(given, "answer", fail),
        wrong=_texts(given, "wrong", fail),
        tags=_texts(given, "tags", fail),
        seed=_whole(given["seed"], "seed", fail) if "seed" in given else None,
        scene=_scene(given.get("scene"), folder, fail),
        amid=_texts(given, "amid", fail),
        proposes=_texts(given, "proposes", fail),
        hint=read_text(given["hint"], "hint", fail) if "hint" in given else "",
        shuffle=_whole(given.get("shuffle", 0), "shuffle", fail),
    )


_Sets = tuple[tuple[Fact, ...], ...]


def _wanted(given: dict[str, Any], in_world: bool, fail: Fail) -> tuple[_Sets | None, _Sets | None]:
    """What is to be different in the end, exactly; or what is to be true."""
    if in_world and "changes" in given:
        fail("in a world, 'holds' says what is to be true in the end; 'changes' is for described robots")
    if sum(key in given for key in ("changes", "or", "holds")) > 1:
        fail("only one of 'changes', 'or' and 'holds' can be given")
    if "or" in given:
        if not isinstance(given["or"], list) or not given["or"]:
            fail("'or' has to be a list of lists of facts")
        sets = tuple(_facts({"or": each}, "or", fail) for each in given["or"])
    elif "holds" in given or "not_holds" in given or in_world:
        denied = (Fact(fact.relation, fact.things, not fact.true) for fact in _facts(given, "not_holds", fail))
        return None, ((*_facts(given, "holds", fail), *denied),)
    else:
        sets = (_facts(given, "changes", fail),)
    return (None, sets) if in_world else (sets, None)


def _facts(given: dict[str, Any], key: str, fail: Fail) -> tuple[Fact, ...]:
    return _checked(read_fact, _texts(given, key, fail), fail)


def _checked(read: Callable[[str], _T], texts: tuple[str, ...], fail: Fail) -> tuple[_T, ...]:
    try:
        return tuple(read(text) for text in texts)
    except BadInput as error:
        fail(str(error))


def _texts(given: dict[str, Any], key: str, fail: Fail) -> tuple[str, ...]:
    value = given.get(key, [])
    if isinstance(value, str | int | float) and not isinstance(value, bool):
        value = [value]
    if not isinstance(value, list):
        fail(f"'{key}' has to be a list of texts, not {name_kind(value)}")
    return tuple(read_text(str(each) if isinstance(each, int | float) else each, key, fail) for each in value)


def _kind(value: Any, key: str, fail: Fail) -> Expected:
    if value not in EXPECTED:
        fail(f"'{key}' has to be one of {', '.join(EXPECTED)}, not {value!r}")
    kind: Expected = value
    return kind


def _whole(value: Any, key: str, fail: Fail) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or value < 0:
        fail(f"'{key}' has to be a whole number from 0 up")
    return value


def _scene(value: Any, folder: Traversable | None, fail: Fail) -> str | None:
    """The text of a scene: as it stands there, or that of a file which lies beside this one."""
    if value is None:
        return None
    text = read_text(value, "scene", fail)
    if "\n" in text or "{" in text:
        return text
    file = None if folder is None else folder.joinpath(text)
    if file is None or not file.is_file():
        fail(f"there is no scene file {text!r} beside it")
    return file.read_text(encoding="utf-8")
