"""What people say to robots of all walks of life, from the corpus: each sample is a session with one of them."""

from __future__ import annotations

import ast
import re
import tomllib
import zlib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from functools import cache, lru_cache
from pathlib import Path

import numpy as np

from thinkaloud.errors import BadScene, ThinkaloudError
from thinkaloud.language.words import stems
from thinkaloud.program.lexicon import Lexicon
from thinkaloud.records import Act, Meaning
from thinkaloud.understand.conversation import MOST_TURNS
from thinkaloud.understand.meaning.circumstances import Circumstances, Story
from thinkaloud.understand.meaning.referents import described_words, mentioned_in
from thinkaloud.understand.meaning.running import run_program
from thinkaloud.understand.prompting.prompt import (
    ASKED,
    PastTurn,
    render_knowledge,
    render_prompt,
    render_trouble,
)
from thinkaloud.understand.replies import option_named
from thinkaloud.untrusted.text import quoted
from thinkaloud.worlds import World
from training.robots.asking import ask_back
from training.robots.descriptions import chooses, has_descriptions, with_any_of, with_pronouns
from training.robots.mistaking import with_opinion
from training.robots.multiplying import draw_guise, draw_said, recolour
from training.robots.playing import Speaking
from training.robots.reading import Conversation, Robot, Said, all_places, all_robots
from training.samples import Demonstrator, Sample
from training.unseen import is_of_the_kitchen

FAMILY = "meaning.robots"
IN_WORLDS = "meaning.worlds"
_OPINION = 0.5
_TROUBLE = 0.7
_KNOWLEDGE = 0.8
KEPT_BACK = 20
"""One robot in so many is never learnt from: how well the others taught is seen there."""
KEPT_BACK_PLACES = 12
"""The same for what was said in worlds."""
_QUOTED = re.compile(r'"((?:\\.|[^"\\])*)"')
_Last = tuple[Said, Lexicon, World, Mapping[str, tuple[str, ...]]]
"""What was said last, what was shown with it, the world, and what words name there."""
APART = Path(__file__).parent.parent / "robots" / "apart.toml"


def is_kept_back(robot: Robot) -> bool:
    """Whether this is a robot to look at, and not to learn from."""
    return zlib.crc32(robot.name.encode()) % (KEPT_BACK if robot.place is None else KEPT_BACK_PLACES) == 0


@cache
def same_trade() -> frozenset[str]:
    """The robots that have the trade of one that a benchmark speaks with: what they are asked would be too near."""
    return frozenset(tomllib.loads(APART.read_text(encoding="utf-8"))["same_trade"])


def is_learnt_from(robot: Robot) -> bool:
    """Whether samples may be drawn of this robot."""
    return not is_kept_back(robot) and robot.name not in same_trade() and not is_of_the_kitchen(robot)


_emphasis: dict[str, int] = {}
"""How many times as often as others some files are drawn; none where `emphasise` was not called."""


def emphasise(names: Iterable[str], times: int) -> None:
    """From now on draw the files with these names so many times as often as each other one, in this process."""
    _emphasis.clear()
    _emphasis.update(dict.fromkeys(names, times))
    _all_learnt_from.cache_clear()


@cache
def _all_learnt_from() -> list[Robot]:
    """The robots of the corpus without those that are set apart, each as many times as it counts."""
    return _weighted(all_robots())


def _weighted(robots: Iterable[Robot]) -> list[Robot]:
    return [robot for robot in robots if is_learnt_from(robot) for _ in range(_emphasis.get(robot.name, 1))]


def sessions(rng: np.random.Generator) -> Iterator[Sample]:
    """A robot of the corpus in another guise, and a few of the things that were said to it."""
    yield from _session(_all_learnt_from(), rng)


def sessions_with_descriptions(rng: np.random.Generator) -> Iterator[Sample]:
    """The same of the robots to which people speak by descriptions, and vaguely."""
    yield from _session([robot for robot in _all_learnt_from() if robot.sorts], rng)


def sessions_as_they_are(rng: np.random.Generator) -> Iterator[Sample]:
    """The same without other words, invented or not: to see what these are good for."""
    yield from _session(_all_learnt_from(), rng, renamed=False)


def sessions_of_half(rng: np.random.Generator) -> Iterator[Sample]:
    """The same with every other robot: to see what more of them are good for."""
    yield from _session(_all_learnt_from()[::2], rng)


def _session(robots: list[Robot], rng: np.random.Generator, *, renamed: bool = True) -> Iterator[Sample]:
    robot = draw_guise(robots[int(rng.integers(len(robots)))], rng, renamed=renamed)
    try:
        yield from samples_of(robot, rng)
    except BadScene:  # two things have got the same name, or the like: another guise, then
        return


def sessions_in_worlds(rng: np.random.Generator) -> Iterator[Sample]:
    """A few of the things that were said in one of our own worlds; on tables of colours, in others."""
    places = _weighted(all_places())
    place = places[int(rng.integers(len(places)))]
    talks = draw_said(place, rng)
    found = samples_of(replace(place, conversations=tuple(talks)), rng, IN_WORLDS)
    english = all(turn.language == "en" for talk in talks for turn in talk.turns)
    yield from recolour(found, rng) if english else found


@lru_cache(128)
def open_place(place: tuple[str, int], scene: str) -> Speaking:
    """One of our own worlds, opened once."""
    world = Robot("", {}, (), (), (), place, scene).open()
    return Speaking(world, world.observe())


def samples_of(robot: Robot, rng: np.random.Generator | None = None, family: str = FAMILY) -> Iterator[Sample]:
    """What a model is shown of a session, and writes; a new sample begins where more is shown than what was said."""
    speaking = (
        Speaking(world := robot.open(), world.observe())
        if robot.place is None
        else open_place(robot.place, robot.scene)
    )
    world = speaking.world
    notes, kept = list(robot.told), list(robot.kept)
    earlier: list[PastTurn] = []
    parts: list[tuple[str, str]] = []
    shown = ""
    mentioned: tuple[tuple[str, ...], ...] = ()
    last: _Last | None = None
    asked: Meaning | None = None
    for talk in robot.conversations if rng is None else _asked_about(robot, speaking, rng):
        for place, turn in enumerate(talk.turns):
            if turn.offered:  # it was asked about: shown with the answer, and never learnt as a meaning
                earlier.append(PastTurn(turn.words, turn.program, ASKED, turn.offered))
                continue
            if asked is not None and place:
                turn = replace(turn, words=option_named(turn.words, asked))
            words = [*(past.request for past in earlier), turn.words]
            kept = list(dict.fromkeys(kept))
            lexicon = speaking.lexicon(words, notes, kept, shown=True)
            prompt = render_prompt(lexicon, earlier[-MOST_TURNS:], turn.words, explained=False)
            if parts and not prompt.startswith(shown):
                yield _ended(Sample(family, tuple(parts)), last, rng)
                parts, shown = [], ""
            turn = replace(turn, program=with_any_of(turn.program, lexicon))
            if turn.language == "en" and not has_descriptions(turn.program, lexicon):
                turn = replace(
                    turn, program=with_pronouns(turn.program, turn.words, mentioned[0] if mentioned else (), lexicon)
                )
            talked = " ".join(each.words for each in talk.turns[: place + 1])
            if robot.sorts or turn.language != "en" or not chooses(turn.program, talked, lexicon):
                last = turn, lexicon, world, robot.sorts
                answer = f"{turn.program}\n\n"
                parts.append((prompt.removeprefix(shown), answer))
                shown = prompt + answer
            everything = speaking.lexicon(words, notes, kept, shown=False)
            at = replace(_at(speaking, everything), mentioned=mentioned, known=robot.sorts)
            meaning, asks = _settled(turn, at)
            asked = _question_of(turn.program, at) if asks else None
            if about := mentioned_in(meaning, everything):
                mentioned = (about, *mentioned)
            earlier.append(PastTurn(turn.words, turn.program, ASKED if asks else _came(turn, rng), meant=meaning.meant))
            told, untouched, freed = _remembered(meaning.program if meaning.meant else turn.program, lexicon)
            if told or untouched or freed:
                notes += [each for each in told if each not in notes]
                kept = [each for each in [*kept, *untouched] if each not in freed]
    if parts:
        yield _ended(Sample(family, tuple(parts)), last, rng)


def _question_of(program: str, at: Circumstances) -> Meaning | None:
    """The question that a program asks, if it can be run."""
    try:
        return run_program(program, at)
    except (ThinkaloudError, LookupError, NameError):
        return None


def _asked_about(robot: Robot, speaking: Speaking, rng: np.random.Generator) -> list[Conversation]:
    """What was said; now and then the robot asked back."""
    at = _at(speaking, speaking.lexicon([], robot.told, robot.kept, shown=False))
    return ask_back(robot.conversations, at, lambda program: run_program(program, at), rng)


def _at(speaking: Speaking, lexicon: Lexicon) -> Circumstances:
    return Circumstances(speaking.world, speaking.scene, lexicon, {}, Story())


def _ended(sample: Sample, last: _Last | None, rng: np.random.Generator | None) -> Sample:
    """Half of the sessions end with another question: what helps, or whether that is what was meant."""
    if rng is None or last is None:
        return sample
    turn, lexicon, world, sorts = last
    if (words := described_words(turn.program, lexicon)) and sorts and rng.random() < _KNOWLEDGE:
        return _knowing(sample, turn, words[int(rng.integers(len(words)))], lexicon, sorts)
    if turn.remedies and rng.random() < _TROUBLE and (found := _troubled(sample, turn, lexicon, world, rng)):
        return found
    return with_opinion(sample, lexicon, rng) if rng.random() < _OPINION else sample


def _knowing(sample: Sample, turn: Said, words: str, lexicon: Lexicon, sorts: Mapping[str, tuple[str, ...]]) -> Sample:
    """Which of the things here do words name? As the file says, or by their names."""
    named = sorts.get(words.lower()) or [each for each in lexicon.things if stems(words) <= stems(each)]
    *before, (prompt, _) = sample.parts
    asked = render_knowledge(prompt, turn.program, words)
    known = ", ".join(quoted(each) for each in lexicon.things if each in named) or "none"
    return Sample(sample.family, (*before, (asked, f" {known}\n\n")))


def _troubled(sample: Sample, turn: Said, lexicon: Lexicon, world: World, rng: np.random.Generator) -> Sample | None:
    """The first deed fails, and one call may help."""
    at = Circumstances(world, world.observe(), lexicon, {}, Story((), (), ()))
    deeds = run_program(turn.program, at).deeds
    if not deeds:
        return None
    why, helps = turn.remedies[int(rng.integers(len(turn.remedies)))]
    *before, (prompt, _) = sample.parts
    asked = render_trouble(prompt, turn.program, f"{deeds[0].words} {why}")
    return Sample(sample.family, (*before, (asked, f" {helps}\n\n")))


def _came(turn: Said, rng: np.random.Generator | None) -> str:
    """Now and then the work was under way when the next thing was said, or had failed."""
    if rng is None or rng.random() > 0.06 or turn.program.startswith(("say(", "note(", "ask(", "cannot(", "keep(")):
        return ""
    return "under way" if rng.random() < 0.7 else str(rng.choice(["failed", "stopped", "limit", "declined"]))


def _settled(turn: Said, at: Circumstances) -> tuple[Meaning, bool]:
    """What a program means, as far as that matters for the next request; and whether the robot asks back."""
    plain = Meaning(turn.program, "", Act())
    if turn.program.startswith("ask("):
        return plain, True
    if not has_descriptions(turn.program, at.lexicon) and not {*_QUOTED.findall(turn.program)} - {*at.lexicon.things}:
        return plain, False  # all that is named is here
    try:
        meaning = run_program(turn.program, at)
    except (ThinkaloudError, LookupError, NameError):  # too few things, or it is about the past: it does not ask
        return plain, False
    return meaning, meaning.sort == "question"


def _remembered(program: str, lexicon: Lexicon) -> tuple[list[str], list[str], list[str]]:
    """What a program has the robot remember: notes, and things that are to be left alone, or no longer."""
    try:
        tree = ast.parse(program)
    except SyntaxError:
        return [], [], []
    found: dict[str, list[str]] = {"note": [], "keep": [], "allow": []}
    calls = [node.value for node in tree.body if isinstance(node, ast.Expr) and isinstance(node.value, ast.Call)]
    for call in calls:
        name = call.func.id if isinstance(call.func, ast.Name) else ""
        if name in found:
            deeds = [each for each in call.args if isinstance(each, ast.Call) and name == "allow"]
            for given in (each for each in call.args if each not in deeds):
                found[name] += [
                    n.value for n in ast.walk(given) if isinstance(n, ast.Constant) and isinstance(n.value, str)
                ]
                found[name] += [
                    t for n in ast.walk(given) if isinstance(n, ast.Name) for t in lexicon.kinds.get(n.id, ())
                ]
    lasting = len(calls) == len(tree.body) and {c.func.id for c in calls if isinstance(c.func, ast.Name)} <= {*found}
    return found["note"], found["keep"] if lasting else [], found["allow"]


DEMONSTRATORS = (
    Demonstrator("robots", sessions, share=0.8),
    Demonstrator("described", sessions_with_descriptions, share=0.5),
    Demonstrator("worlds", sessions_in_worlds, share=0.2),
    Demonstrator("ablation.plain", sessions_as_they_are, share=0.8),
    Demonstrator("ablation.half", sessions_of_half, share=0.8),
)
HELD_OUT = ()
