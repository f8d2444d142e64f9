"""Prompts and answers of Statler's parts and of its baselines, for conversations at drawn tables."""

from __future__ import annotations

import random
from collections.abc import Iterator

import numpy as np

from thinkaloud.methods.code_as_policies.conversation import render_beginning
from thinkaloud.methods.statler.forms import render_names
from thinkaloud.methods.statler.writer import render_task
from thinkaloud.plan.programs.grammar import PROGRAM_END
from thinkaloud.records import WorldState
from thinkaloud.state.changes import NO_CHANGE, render_changes
from thinkaloud.state.edit import is_container
from thinkaloud.state.json_text import render_opening, render_state
from training.demonstrators.statler import scenes, talk
from training.demonstrators.statler.table import Conversation, Done, begun
from training.samples import Sample

LONGEST_TEXT = 120
MOST_CALLS = 8
TURNS = 7


def query_mode(rng: np.random.Generator) -> Iterator[Sample]:
    """Names and a query, and the short program for it."""
    own = random.Random(int(rng.integers(2**62)))
    scene = scenes.drawn(own)
    for _ in range(own.randint(2, 5)):
        turn = talk.turn(scene, foreign=talk.FOREIGN)
        yield Sample(
            "statler.query", ((f"{render_names(scene.state)}\n# query: {turn.text}\n", turn.program + PROGRAM_END),)
        )


def _conversation(own: random.Random, turns: int, *, past: bool) -> Conversation:
    scene = scenes.drawn(own)
    held = Conversation(scene.domain, begun(scene, own.choice((0.0, 0.0, 0.3, 0.6))))
    for _ in range(turns * 4):
        if len(held.turns) >= turns:
            break
        turn = talk.turn(scene, vague=0.2)
        if past or not turn.past:
            held.take(turn)
    return held


def code(done: Done) -> str:
    """The reaction as moves and words, without looking anything up."""
    lines = [f'put_first_on_second("{thing}", "{target}")' for thing, target in done.moves]
    return "\n".join([*lines, *([f'say("{done.answer}")'] if done.answer else [])])


def note(done: Done) -> str:
    """What the writer is asked to take note of: what was done, in plain words."""
    if not done.moves:
        changes = render_changes(done.before, done.after).replace("\n", ", ")
        return "" if changes == NO_CHANGE else changes
    groups: dict[str, list[str]] = {}
    for thing, target in done.moves:
        groups.setdefault(target, []).append(thing)
    parts = []
    for target, things in groups.items():
        words = [f"the {thing}" for thing in things]
        where = "in" if is_container(target) else "on"
        parts.append(f"{' and '.join(filter(None, [', '.join(words[:-1]), words[-1]]))} {where} the {target}")
    return "Put " + " and ".join(parts)


def fits(done: Done) -> bool:
    """Whether it can be written as the paper's programs are: not too many calls, nothing too long."""
    short_enough = len(done.answer) <= LONGEST_TEXT and len(note(done)) <= LONGEST_TEXT
    single = not (done.answer and (done.moves or note(done)))
    something = bool(done.moves or done.answer or note(done))
    return short_enough and single and something and len(done.moves) <= MOST_CALLS and '"' not in done.answer


def _noted(done: Done) -> str:
    told = note(done)
    return "\n".join(filter(None, [code(done), f'update_wm("{told}")' if told else ""]))


def reader(rng: np.random.Generator) -> Iterator[Sample]:
    """The state and a query, and the program with names, as the paper has it."""
    held = _conversation(random.Random(int(rng.integers(2**62))), TURNS, past=False)
    for done in held.turns:
        if fits(done):
            asked = f"{render_state(done.before)}\n# query: {done.turn.text}\n"
            yield Sample("statler.reader", ((asked, _noted(done) + PROGRAM_END),))


def writer(rng: np.random.Generator) -> Iterator[Sample]:
    """The state and what happened, and the next state: all of it, or what is different."""
    own = random.Random(int(rng.integers(2**62)))
    held = _conversation(own, TURNS, past=False)
    for done in held.turns:
        told = note(done)
        if not told or not fits(done):
            continue
        if own.random() < 0.5:
            begins_with = render_opening(done.before, objects=True)
            asked = f"{render_task('full')}{render_state(done.before)}\n# query: {told}\n{begins_with}"
            yield Sample("statler.writer", ((asked, render_state(done.after).removeprefix(begins_with)),))
        else:
            asked = f"{render_task('delta')}{render_state(done.before)}\n# query: {told}\n"
            yield Sample("statler.writer", ((asked, render_changes(done.before, done.after) + PROGRAM_END),))


def unified(rng: np.random.Generator) -> Iterator[Sample]:
    """The state and a query, and the program with the next state after it."""
    held = _conversation(random.Random(int(rng.integers(2**62))), 5, past=False)
    for done in held.turns:
        if fits(done):
            asked = f"{render_state(done.before)}\n# query: {done.turn.text}\n"
            next_state = render_opening(done.before, objects=True)
            rest = render_state(done.after).removeprefix(next_state)
            answer = (code(done) or "noop()") + PROGRAM_END
            yield Sample("statler.unified", ((asked, answer), (next_state.removeprefix("#"), rest)))


def history(rng: np.random.Generator) -> Iterator[Sample]:
    """The queries and programs so far, and the next program."""
    held = _conversation(random.Random(int(rng.integers(2**62))), 12, past=True)
    parts: list[tuple[str, str]] = []
    for done in held.turns:
        if not fits(done):
            break
        given = f"{render_beginning(held.start, thoughts=False)}\n# query: " if not parts else " query: "
        parts.append((f"{given}{done.turn.text}\n", (code(done) or "noop()") + PROGRAM_END))
    if parts:
        yield Sample("statler.history", tuple(parts))


def thoughts(rng: np.random.Generator) -> Iterator[Sample]:
    """The same, with all the states so far worked out before the program."""
    held = _conversation(random.Random(int(rng.integers(2**62))), 9, past=True)
    so_far, known = render_beginning(held.start, thoughts=True), list[str]()
    for done in held.turns:
        changes = _changes(done.before, done.after)
        if not fits(done) or len(changes) > LONGEST_TEXT:
            break
        worked = "".join(f"# {number}. {what}\n" for number, what in enumerate(known, 1))
        written = code(done) or "noop()"
        yield Sample("statler.thoughts", ((f"{so_far}\n# query: {done.turn.text}\n", worked + written + PROGRAM_END),))
        so_far += f"\n# query: {done.turn.text}\n{written}"
        known.append(changes)


def _changes(before: WorldState, after: WorldState) -> str:
    return render_changes(before, after).replace("\n", ", ")
