"""Other words for what a robot has, everywhere at once: in its lists, its functions, what was said and what that meant.

A model that has seen ovens a hundred times knows ovens. One that has seen the same requests about lanterns, zorbs and
`left pakimo` has to read the robot's lists. Words of things are changed wherever they stand; names of functions only
where code reads them, so that what they are for has to be read from their description.
"""

from __future__ import annotations

import ast
import keyword
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from thinkaloud.language.calls import BUILTINS
from thinkaloud.language.words import plural, singular, stem, words_of
from thinkaloud.program.lexicon import identifier
from thinkaloud.program.words import ALWAYS, AMOUNT
from thinkaloud.robots.text_file.field_readers import read_amount
from training.robots.reading import Conversation, Robot, Said
from training.words import COLOURS, CONTAINERS, FOODS, NAMES, OBJECTS, SHAPES, made_up, one

_STAYS = frozenset(
    words_of("""
left right back front side top bottom upper lower middle centre center first last second third one two three
four five six seven eight nine ten old new big small long short large little high low near far light dark open
close closed shut on off in out up down over under and the for with from all both other not can may well will
must do does done make made put set get go going still watch check look fine wrong ready spare main hot cold
warm cool wet dry full empty day night morning evening hand head face foot end round part place line number
box room water fire time work way turn rest bar kind type free run stop start call point present mean like
minute hour today tomorrow
""")
)
"""Words that mean too many things to be changed wherever they stand."""
_FUNCTIONS = ("skills", "relations", "values")
_LIST = re.compile(r"\b[a-z_]{3,}\b(?!\s*\()")
"""What may be the name of a list in a program."""
_KEYWORD = re.compile(r"(?<=[(,\s])[a-z_]\w*(?==(?!=))")
"""A parameter by its name: `never(pour(cup="mug"))`."""
Change = Callable[[str], str]
_NOUNS = tuple(w for w in (*OBJECTS, *FOODS, *CONTAINERS, *SHAPES) if w.isalpha() and len(w) > 3)
_ADJECTIVES = tuple(w for w in COLOURS if w.isalpha() and len(w) > 2)


def rename_words(
    robot: Robot, talks: Iterable[Conversation], rng: np.random.Generator
) -> tuple[Robot, list[Conversation]]:
    """The robot and these conversations with other words for things and kinds, where their meaning allows that."""
    talks = list(talks)
    if any(turn.language != "en" for talk in talks for turn in talk.turns):
        return robot, talks  # what is called otherwise in another language cannot be changed in its words
    kinds: Mapping[str, list[str]] = robot.data["kinds"]
    stay = set(_STAYS) | set(_described_words(robot)) | set(_unit_words(robot, talks))
    for sort, named in robot.sorts.items():  # what a drink is, nobody knows of invented ones
        stay |= {word for text in (sort, *named) for word in words_of(text)}
    functions = {name for part in _FUNCTIONS for name in robot.data[part]}
    for kind, things in kinds.items():
        if identifier(plural(kind)) in functions:  # its list goes by another name, as long as both are called so
            stay |= {*words_of(kind)}
        if any(_needs_knowledge(talk, things) for talk in talks):
            stay |= {*words_of(kind), *(word for thing in things for word in words_of(thing))}
    said = {word for talk in talks for turn in talk.turns for word in words_of(turn.words)}
    taken = {stem(word) for word in (*words_of(_text_of(robot)), *said, *_function_words(robot))}
    chosen: dict[str, str] = {}
    strange = rng.random() < 0.35
    for kind, things in kinds.items():
        for name in (kind, *things):
            words = re.findall(r"[^\W\d_]+", name)
            for place, word in enumerate(words):
                small = word.lower()
                if not chosen.keys().isdisjoint((small, singular(small), plural(small))):
                    continue  # `jets` changes with `jet`
                if small in stay or len(small) < 3 or not small.isascii() or rng.random() < 0.25:
                    continue
                pool = NAMES if word[0].isupper() else _ADJECTIVES if place < len(words) - 1 else _NOUNS
                other = made_up(rng) if strange or rng.random() < 0.2 else one(rng, list(pool))
                if plural(small) == small:
                    other = plural(other)
                if stem(other.lower()) in taken or (plural(small) == small and plural(other) != other):
                    continue
                taken.add(stem(other.lower()))
                chosen[small] = other
    change = _Changer(chosen)
    lists = {identifier(plural(name)) for kind, things in kinds.items() for name in (kind, *_nouns(things))}
    lists -= functions
    parameters = {name for table in robot.data["skills"].values() for name in table["parameters"]}

    def code(text: str) -> str:
        text = _LIST.sub(lambda m: change(m[0]) if m[0] in lists else m[0], text)
        return _KEYWORD.sub(lambda m: change(m[0]) if m[0] in parameters else m[0], text)

    def program(text: str) -> str:
        return "".join(change(piece) if quoted else code(piece) for quoted, piece in _pieces(text))

    return _changed(robot, talks, change, program)


def rename_functions(
    robot: Robot, talks: Iterable[Conversation], rng: np.random.Generator
) -> tuple[Robot, list[Conversation]]:
    """The robot and these conversations with other names for some functions; what they are for is said as before."""
    taken = {*ALWAYS, *BUILTINS, *keyword.kwlist, "things"}
    taken |= {identifier(plural(word)) for word in words_of(_text_of(robot))}
    names = [name for part in _FUNCTIONS for name in robot.data[part]]
    share = rng.uniform(0.1, 0.8)
    chosen = {}
    for name in names:
        if rng.random() < share:
            other = _function_name(name, rng)
            if other not in taken and other not in names:
                taken.add(other)
                chosen[name] = other
    if not chosen:
        return robot, list(talks)
    pattern = re.compile(
        rf"(?<![\w\"'])({'|'.join(map(re.escape, chosen))})(?=\()|(?<=key=)({'|'.join(map(re.escape, chosen))})\b"
    )

    def program(text: str) -> str:
        return "".join(
            piece if quoted else pattern.sub(lambda m: chosen[m[1] or m[2]], piece) for quoted, piece in _pieces(text)
        )

    data = dict(robot.data)
    for part in _FUNCTIONS:
        data[part] = {chosen.get(name, name): _called(name, chosen, table) for name, table in data[part].items()}
    start = data["start"]
    data["start"] = {key: [_fact(fact, chosen) for fact in facts] for key, facts in start.items()}
    changed = [Conversation(tuple(_reworded(turn, str, program) for turn in talk.turns)) for talk in talks]
    return Robot(robot.name, data, robot.told, robot.kept, (), sorts=robot.sorts), changed


def _called(name: str, chosen: Mapping[str, str], table: Mapping[str, Any]) -> dict[str, Any]:
    says = table["says"]
    if name in chosen and says.startswith(f"{name}("):
        says = chosen[name] + says.removeprefix(name)
    return {**table, "says": says}


def _fact(fact: str, chosen: Mapping[str, str]) -> str:
    name, bracket, rest = fact.partition("(")
    return chosen.get(name.strip(), name.strip()) + bracket + rest


def _function_name(name: str, rng: np.random.Generator) -> str:
    """Invented; or short for what it was; or a number, as machines have them."""
    kind = int(rng.integers(5))
    if kind == 0:
        return "".join(part[:3] for part in name.split("_"))
    if kind == 1:
        return f"{name.split('_')[0]}_{made_up(rng)}"
    if kind == 2:
        return f"{one(rng, ['act', 'do', 'cmd', 'fn', 'op', 'q', 'f'])}{int(rng.integers(1, 60))}"
    return made_up(rng)


# What has to stay -----------------------------------------------------------------------------------------------------


def _described_words(robot: Robot) -> Iterator[str]:
    """Words of choices and word values: they stand in programs as texts and are said in other forms."""
    for part in ("skills", "relations"):
        for table in robot.data[part].values():
            for what in table["parameters"].values():
                if isinstance(what, list):
                    for each in what:
                        yield from words_of(each)
    for value in robot.data["start"]["values"]:
        yield from words_of(value.partition("=")[2])


def _unit_words(robot: Robot, talks: Iterable[Conversation]) -> Iterator[str]:
    """Words for units: a cup of milk is no other vessel of milk."""
    yield from (word for table in robot.data["values"].values() for word in words_of(table.get("unit", "")))
    for turn in (turn for talk in talks for turn in talk.turns):
        for unit in re.findall(rf'\b{AMOUNT}\([^"]*"([^"]*)"\)', turn.program):
            yield from (form for word in words_of(unit) for form in (word, plural(word)))


def _needs_knowledge(talk: Conversation, things: list[str]) -> bool:
    """Whether a program names one of these without a word of it having been said: then one has to know what it is."""
    said = set[str]()
    for turn in talk.turns:
        said |= {stem(word) for word in words_of(" ".join((turn.words, *turn.offered)))}
        for name in _texts(turn.program):
            if name in things and not any(stem(word) in said for word in words_of(name) if word not in _STAYS):
                return True
    return False


def _nouns(things: Iterable[str]) -> Iterator[str]:
    return (words[-1] for thing in things if (words := words_of(thing)))


def _texts(program: str) -> Iterator[str]:
    try:
        tree = ast.parse(program)
    except SyntaxError:
        return
    yield from (n.value for n in ast.walk(tree) if isinstance(n, ast.Constant) and isinstance(n.value, str))


def _text_of(robot: Robot) -> str:
    heads = [table["doc"] for part in _FUNCTIONS for table in robot.data[part].values()]
    names = [name for kind, things in robot.data["kinds"].items() for name in (kind, *things)]
    return "\n".join([*heads, *names, *robot.told, *robot.kept])


def _function_words(robot: Robot) -> Iterator[str]:
    return (word for part in _FUNCTIONS for name in robot.data[part] for word in words_of(name))


# Changing -------------------------------------------------------------------------------------------------------------


class _Changer:
    """Puts other words in the place of these, one or several of them, with capitals only where there were some."""

    def __init__(self, chosen: Mapping[str, str]) -> None:
        several = {plural(old): plural(new) for old, new in chosen.items()}
        single = {singular(old): singular(new) for old, new in chosen.items() if old in several}
        self._words = {**{old: new for old, new in single.items() if old not in _STAYS}, **several, **chosen}
        listed = sorted(self._words, key=len, reverse=True)
        self._pattern = (
            re.compile(rf"(?<![^\W_])({'|'.join(map(re.escape, listed))})(?![^\W_])", re.I) if listed else None
        )

    def __call__(self, text: str) -> str:
        """The text in these words."""
        return text if self._pattern is None else self._pattern.sub(self._other, text)

    def _other(self, match: re.Match[str]) -> str:
        old, new = match[1], self._words[match[1].lower()]
        return new[0].upper() + new[1:] if old[0].isupper() else new.lower()


def _changed(
    robot: Robot, talks: list[Conversation], text: Change, program: Change
) -> tuple[Robot, list[Conversation]]:
    data = {**robot.data, "about": text(robot.data["about"])}
    data["kinds"] = {text(kind): [text(each) for each in things] for kind, things in data["kinds"].items()}
    for part in _FUNCTIONS:
        data[part] = {name: _retold(table, text) for name, table in data[part].items()}
    data["start"] = {key: [_retold_fact(fact, text) for fact in facts] for key, facts in data["start"].items()}
    changed = [Conversation(tuple(_reworded(turn, text, program) for turn in talk.turns)) for talk in talks]
    told, kept = tuple(map(text, robot.told)), tuple(map(text, robot.kept))
    return Robot(robot.name, data, told, kept, (), sorts=robot.sorts), changed


def _reworded(turn: Said, text: Change, program: Change) -> Said:
    remedies = tuple((text(why), program(helps)) for why, helps in turn.remedies)
    offered = tuple(map(program, turn.offered))
    return replace(turn, words=text(turn.words), program=program(turn.program), remedies=remedies, offered=offered)


def _retold(table: Mapping[str, Any], text: Change) -> dict[str, Any]:
    parameters = {
        text(name): what if isinstance(what, list) or what == "text" or read_amount(what) else text(what)
        for name, what in table["parameters"].items()
    }
    return {**table, "says": text(table["says"]), "doc": text(table["doc"]), "parameters": parameters}


def _retold_fact(fact: str, text: Change) -> str:
    name, bracket, rest = fact.partition("(")
    return name + bracket + text(rest)


def _pieces(program: str) -> Iterator[tuple[bool, str]]:
    """The texts of a program, in their quotes, and what stands between them."""
    place = 0
    for found in re.finditer(r'"(?:\\.|[^"\\])*"', program):
        yield False, program[place : found.start()]
        yield True, found[0]
        place = found.end()
    yield False, program[place:]
