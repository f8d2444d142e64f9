"""Readings to judge: what people say to robots of the corpus, each with the right reading and with one nearly right.

A reading is right if it comes to the same in the world as the program in the corpus, as the benchmarks count it. What
a near miss comes to is found out by running it (`training.robots.near_misses` makes them).
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from dataclasses import replace
from functools import cache

import numpy as np

from thinkaloud.errors import BadScene, ThinkaloudError
from thinkaloud.records import Meaning
from thinkaloud.understand.checking.judge import render_judgement
from thinkaloud.understand.meaning.circumstances import Circumstances
from thinkaloud.understand.meaning.running import run_program
from thinkaloud.understand.offering import outcome_of
from thinkaloud.understand.prompting.prompt import NO, YES
from training.demonstrators.robots import is_learnt_from, open_place
from training.robots.descriptions import has_descriptions, with_pronouns
from training.robots.multiplying import draw_guise, draw_said, recolour
from training.robots.near_misses import Heard, draw_misses
from training.robots.playing import Speaking, Understood, play
from training.robots.reading import Conversation, Robot, all_places, all_robots
from training.samples import Demonstrator, Sample

FAMILY, IN_WORLDS = "judge.robots", "judge.worlds"
_JOINED = 0.5
"""How often all conversations of a session follow each other: what was said before may have nothing to do with it."""
_TRIES = 4
_UNWEIGHED = {"question": 0.25, "refusal": 0.1, "unclear": 0.1}
"""How often a reading is judged that asks back or declines: the robot never asks whether it should."""
_SAME = 0.5
"""How often the right reading is written in another way that comes to the same."""
_PLAINLY_SPOKEN = 0.4
"""How often a request without a description is taken, where those with one are wanted."""
_AMID = 0.08
_ALONE = 0.5
"""How often the right reading is shown of a request for which no wrong one was found."""
_REFERRING = ("described", "chosen", "all", "one")
"""The ways to go wrong that are about which thing is meant: one that comes to the same is right."""


@cache
def _robots(*, vague: bool) -> list[Robot]:
    return [robot for robot in all_robots() if is_learnt_from(robot) and (not vague or robot.sorts)]


@cache
def _places() -> list[Robot]:
    return [place for place in all_places() if is_learnt_from(place)]


def judgements(rng: np.random.Generator) -> Iterator[Sample]:
    """Readings of what was said to a robot of the corpus in another guise."""
    yield from _session(_robots(vague=False), rng)


def judgements_of_descriptions(rng: np.random.Generator) -> Iterator[Sample]:
    """The same of robots to which people speak by descriptions, and vaguely; mostly of such requests."""
    yield from _session(_robots(vague=True), rng, plainly=_PLAINLY_SPOKEN)


def judgements_in_worlds(rng: np.random.Generator) -> Iterator[Sample]:
    """The same of what was said in our own worlds; on tables of colours, in others."""
    place = _places()[int(rng.integers(len(_places())))]
    talks = draw_said(place, rng)
    assert place.place is not None
    speaking = open_place(place.place, place.scene)
    found = judge_all(replace(place, conversations=tuple(talks)), speaking, rng, IN_WORLDS)
    english = all(turn.language == "en" for talk in talks for turn in talk.turns)
    yield from recolour(found, rng) if english else found


def _session(robots: list[Robot], rng: np.random.Generator, plainly: float = 1.0) -> Iterator[Sample]:
    robot = draw_guise(robots[int(rng.integers(len(robots)))], rng)
    try:
        world = robot.open()
    except BadScene:  # two things have got the same name, or the like: another guise, then
        return
    yield from judge_all(robot, Speaking(world, world.observe()), rng, FAMILY, plainly)


def judge_all(
    robot: Robot, speaking: Speaking, rng: np.random.Generator, family: str, plainly: float = 1.0
) -> Iterator[Sample]:
    """Readings of all that was said to a robot, right and wrong ones."""
    talks = list(robot.conversations)
    if rng.random() < _JOINED:
        talks = [Conversation(tuple(turn for talk in talks for turn in talk.turns))]
    others = [(turn.words, turn.program) for turn in robot.said if not turn.offered]
    for talk in talks:
        try:
            for spoken in play(robot, talk, speaking):
                is_plain = not has_descriptions(spoken.said.program, spoken.lexicon)
                if not spoken.said.offered and not (is_plain and rng.random() > plainly):
                    yield from judge_turn(spoken, others, rng, family)
        except (ThinkaloudError, LookupError, NameError, TypeError):  # in this guise, or company, it cannot be run
            continue


def judge_turn(
    spoken: Understood, others: list[tuple[str, str]], rng: np.random.Generator, family: str
) -> Iterator[Sample]:
    """The right reading of what was said, and a wrong one."""
    at, turn = replace(spoken.at, request=spoken.said.words), spoken.said
    program, right = turn.program, spoken.meaning
    if turn.language == "en" and at.mentioned and not has_descriptions(program, at.lexicon):
        referring = with_pronouns(program, turn.words, at.mentioned[0], at.lexicon)
        if referring != program and (found := _run(referring, at)) is not None:
            program, right = referring, found
    said = Heard(
        turn.words,
        at.lexicon,
        tuple(dict.fromkeys(each for group in at.mentioned[:3] for each in group)),
        at.known,
        [each for each in others if each[0] != turn.words],
        bool(spoken.earlier),
    )
    wanted, wrong = _outcome(right, at), None
    for way, miss in draw_misses(program, said, rng, _TRIES):
        meaning = _run(miss, at)
        if meaning is None or rng.random() > _UNWEIGHED.get(meaning.sort, 1.0):
            continue
        if _outcome(meaning, at) != wanted:
            wrong = miss, meaning
            break
        if way in _REFERRING and meaning.words == right.words and "if " not in program and rng.random() < _SAME:
            program, right = miss, meaning
    spoken = _under_way(spoken, rng)
    if wrong is not None:
        yield _sample(spoken, *wrong, NO, family)
    if rng.random() < (_ALONE if wrong is None else 1.0) * _UNWEIGHED.get(right.sort, 1.0):
        yield _sample(spoken, program, right, YES, family)


def _run(program: str, at: Circumstances) -> Meaning | None:
    """What a program comes to; None if it cannot be run."""
    try:
        return run_program(program, at)
    except (ThinkaloudError, LookupError, NameError, TypeError, ValueError, AttributeError, ZeroDivisionError):
        return None


def _under_way(spoken: Understood, rng: np.random.Generator) -> Understood:
    """Now and then what was said before was still being done, or had failed."""
    if not spoken.earlier or spoken.earlier[-1].came or rng.random() > _AMID:
        return spoken
    came = str(rng.choice(["under way", "under way", "failed", "stopped"]))
    return replace(spoken, earlier=(*spoken.earlier[:-1], replace(spoken.earlier[-1], came=came)))


def _outcome(meaning: Meaning, at: Circumstances) -> Hashable:
    return outcome_of(meaning, at.world)


def _sample(spoken: Understood, program: str, meaning: Meaning, answer: str, family: str) -> Sample:
    prompt = render_judgement(spoken.said.words, spoken.lexicon, spoken.earlier, program, meaning.words)
    return Sample(family, ((prompt, f"{answer}\n\n"),))


DEMONSTRATORS = (
    Demonstrator("judging.robots", judgements, share=0.6),
    Demonstrator("judging.described", judgements_of_descriptions, share=0.3),
    Demonstrator("judging.worlds", judgements_in_worlds, share=0.1),
)
HELD_OUT = ()
