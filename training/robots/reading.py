"""Reading a robot of the corpus; `training/corpus/README.md` says what stands in its file.

robot = read_corpus_file(Path("training/corpus/bakery.txt"))
robot.conversations[0].turns[0].words
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

from thinkaloud.errors import BadScene
from thinkaloud.robots import open_world
from thinkaloud.robots.text_file import RobotFile, TextFileWorld, robot_from
from thinkaloud.robots.text_file.field_readers import read_amount
from thinkaloud.worlds import World
from thinkaloud.worlds.full_world import FullWorld

CORPUS = Path(__file__).parent.parent / "corpus"
PLACES = CORPUS / "worlds"
"""What was said in our own worlds."""
LANGUAGES = ("en", "de", "es", "fr", "zh")
_HEAD = re.compile(r"(?P<name>\w+)\((?P<inside>[^()]*)\)(?: in (?P<unit>[^:]+?))?\s*:\s*(?P<about>.+)")
_SAID = re.compile(r"(?P<deep>>>?)(?P<language>[a-z]{2})?\s+(?P<words>.+)")
_FREE = ("number", "text")
_OFFERED = "?"
_STATEMENTS = re.compile(r'"(?:\\.|[^"\\])*"|(; )')


@dataclass(frozen=True)
class Said:
    """What a person said, the program that it means, and in which language it was."""

    words: str
    program: str
    language: str = "en"
    line: int = 0
    remedies: tuple[tuple[str, str], ...] = ()
    """What may go wrong with its first deed that nobody declared, each with the one call that helps."""
    offered: tuple[str, ...] = ()
    """The readings that the robot asked about in place of doing anything; the program is then the first of them."""


@dataclass(frozen=True)
class Conversation:
    """Things said one after another; the later ones need the earlier ones to be understood."""

    turns: tuple[Said, ...]


@dataclass(frozen=True)
class Robot:
    """A robot of the corpus, and what was said to it."""

    name: str
    data: Mapping[str, Any]
    """What a robot's file in TOML would hold."""
    told: tuple[str, ...]
    kept: tuple[str, ...]
    conversations: tuple[Conversation, ...]
    place: tuple[str, int] | None = None
    """The world that it is said in, and the seed of its scene; None for a robot that its file describes."""
    scene: str = ""
    """What stands in the scene's own file, where the world has one in place of what the seed draws."""
    sorts: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """Which things a word names that is in none of their names: `drink`."""

    def open(self) -> World:
        """The robot, or the world, with all that it can do; BadScene for whatever is wrong with it."""
        if self.place is None:
            return TextFileWorld(self.described)
        name, seed = self.place
        world = FullWorld(open_world(name, scene=self.scene or None))
        world.reset(seed)
        return world

    @property
    def described(self) -> RobotFile:
        """The robot itself; BadScene for whatever is wrong with it."""
        return robot_from(self.data, self.name)

    @property
    def said(self) -> Iterator[Said]:
        """All that was said to it."""
        return (turn for each in self.conversations for turn in each.turns)


@cache
def all_robots(folder: Path = CORPUS) -> tuple[Robot, ...]:
    """Every robot of the corpus, by name."""
    return tuple(read_corpus_file(path) for path in sorted(folder.glob("*.txt")))


def all_places() -> tuple[Robot, ...]:
    """Every world of the corpus, by the name of its file."""
    return all_robots(PLACES)


def read_corpus_file(path: Path) -> Robot:
    """The robot of a file; BadScene with the line for whatever is wrong in it."""
    reader = _Reader(path)
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        reader.take(number, line.rstrip())
    return reader.robot()


class _Reader:
    """Takes a file line by line."""

    def __init__(self, path: Path) -> None:
        self._path, self._line = path, 0
        self._about = ""
        self._kinds: dict[str, list[str]] = {}
        self._functions: dict[str, dict[str, Any]] = {"skills": {}, "relations": {}, "values": {}}
        self._facts: list[str] = []
        self._values: list[str] = []
        self._told: list[str] = []
        self._kept: list[str] = []
        self._sorts: dict[str, tuple[str, ...]] = {}
        self._talks: list[list[tuple[int, str, str, list[str]]]] = []
        self._place: tuple[str, int] | None = None
        self._scene = ""

    def fail(self, why: str) -> BadScene:
        return BadScene(f"{self._path.name}:{self._line}: {why}")

    def take(self, number: int, line: str) -> None:
        """One line of the file."""
        self._line = number
        if line.startswith(">"):
            self._begin(line)
        elif self._talks:
            if line.strip():
                self._talks[-1][-1][3].append(line)
        elif line.startswith("#"):
            self._about = " ".join([*self._about.split(), *line.lstrip("# ").split()])
        elif line.strip():
            self._declare(*line.split(maxsplit=1))

    def _begin(self, line: str) -> None:
        if (found := _SAID.fullmatch(line)) is None:
            raise self.fail("what was said stands behind `> `, or `>> ` where it goes on, or `>de ` in German")
        language = found["language"] or "en"
        if language not in LANGUAGES:
            raise self.fail(f"{language} is none of the languages {', '.join(LANGUAGES)}")
        if found["deep"] == ">":
            self._talks.append([])
        elif not self._talks:
            raise self.fail("`>>` goes on with a conversation, and there is none yet")
        self._talks[-1].append((self._line, language, found["words"].strip(), []))

    def _declare(self, what: str, rest: str = "") -> None:
        match what:
            case "world":
                name, _, seed = rest.partition(" seed ")
                if not (seed or "0").strip().isdigit():
                    raise self.fail(f"a world is named as in `world tabletop seed 3`, not {rest!r}")
                self._place = name.strip(), int(seed or 0)
            case "scene":
                self._scene = self._read_scene(rest)
            case "kind":
                name, _, things = rest.partition("=")
                self._kinds[name.strip()] = [each.strip() for each in things.split(",") if each.strip()]
            case "skill" | "is" | "value":
                part = {"skill": "skills", "is": "relations", "value": "values"}[what]
                name, table = self._function(rest)
                self._functions[part][name] = table
            case "now":
                for fact in (each.strip() for each in rest.split(";")):
                    (self._values if "=" in fact else self._facts).append(fact)
            case "sort":
                word, _, things = rest.partition("=")
                self._sorts[word.strip().lower()] = tuple(each.strip() for each in things.split(",") if each.strip())
            case "told":
                self._told.append(rest)
            case "kept":
                self._kept += [each.strip() for each in rest.split(",")]
            case _:
                raise self.fail(
                    "a line begins with world, scene, kind, skill, is, value, now, sort, told, kept or >, "
                    f"not with {what!r}"
                )

    def _read_scene(self, name: str) -> str:
        """The text of a scene, which lies in the folder `scenes` beside the file."""
        try:
            return (self._path.parent / "scenes" / name).read_text(encoding="utf-8")
        except OSError:
            raise self.fail(f"there is no scene {name!r} in the folder `scenes` beside this file") from None

    def _function(self, text: str) -> tuple[str, dict[str, Any]]:
        if (found := _HEAD.fullmatch(text)) is None:
            raise self.fail(f"{text!r} is no head; write name(kind, name: kind, name: a|b, name: number): what it is")
        parameters = dict(self._parameter(each) for each in found["inside"].split(",") if each.strip())
        about = found["about"].strip()
        named = re.findall(r"\{(\w+)\}", about)
        if sorted(named) == sorted(parameters):
            says, doc = about, re.sub(r"\{(\w+)\}", r"\1", about)
        elif named:
            raise self.fail(f"{about!r} has to name each parameter once in braces, or none: {', '.join(parameters)}")
        else:
            says, doc = f"{found['name']}({', '.join(f'{{{p}}}' for p in parameters)})", about
        unit = {"unit": found["unit"]} if found["unit"] else {}
        return found["name"], {"says": says, "doc": doc, "parameters": parameters, **unit}

    def _parameter(self, text: str) -> tuple[str, str | list[str]]:
        name, _, what = (each.strip() for each in text.partition(":"))
        if "|" in what:
            return name, [each.strip() for each in what.split("|")]
        kind = what or name
        if kind not in self._kinds and kind not in _FREE and read_amount(kind) is None:
            raise self.fail(f"{kind!r} is no kind here; there is {', '.join([*self._kinds, *_FREE])}")
        return name.replace(" ", "_"), kind

    def _said(self, number: int, language: str, words: str, lines: list[str]) -> Said:
        """A turn: its program, and behind it what may go wrong (`! The lid is closed.`) and what helps then.

        Or what was offered in place of doing anything (`? heat("left oven"); bake("rye loaf", "left oven")`).
        """
        self._line = number
        if any(line.startswith(_OFFERED) for line in lines):
            offered = tuple(_statements(line.lstrip(_OFFERED)) for line in lines)
            if not all(line.startswith(_OFFERED) for line in lines) or not all(offered):
                raise self.fail("what was offered stands behind `? `, one reading on a line, and nothing else with it")
            return Said(words, offered[0], language, number, offered=offered)
        marks = [at for at, line in enumerate(lines) if line.startswith("!")]
        remedies = []
        for at in marks:
            if at + 1 >= len(lines) or lines[at + 1].startswith("!"):
                raise self.fail("behind `! what went wrong` the call that helps has to follow, or give_up()")
            remedies.append((lines[at].lstrip("! "), lines[at + 1].strip()))
        program = lines[: marks[0]] if marks else lines
        if not program:
            raise self.fail("a program has to follow")
        return Said(words, "\n".join(program), language, number, tuple(remedies))

    def robot(self) -> Robot:
        """What all the lines come to."""
        name = re.sub(r"\W", "_", self._path.stem)
        data = {"name": name, "about": self._about, "kinds": self._kinds, **self._functions}
        data["start"] = {"facts": self._facts, "values": self._values}
        talks = []
        for talk in self._talks:
            turns = []
            for number, language, words, program in talk:
                if not program:
                    self._line = number
                    raise self.fail("a program has to follow")
                turns.append(self._said(number, language, words, program))
            if turns[-1].offered:
                raise self.fail("what was offered has to be answered: a turn with `>>` has to follow")
            talks.append(Conversation(tuple(turns)))
        robot = Robot(
            name, data, tuple(self._told), tuple(self._kept), tuple(talks), self._place, self._scene, self._sorts
        )
        try:
            _ = robot.described if self._place is None else None  # opening a world takes long
        except BadScene as error:
            raise BadScene(f"{self._path.name}: {error}") from error
        return robot


def _statements(line: str) -> str:
    """The statements of a reading, each on a line of its own; a text may have "; " in it."""
    return _STATEMENTS.sub(lambda found: "\n" if found[1] else found[0], line.strip())
