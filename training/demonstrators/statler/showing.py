"""Prompts and answers of Statler's parts and of its baselines, for conversations at drawn tables.

All are shown the same conversations, and think the same thoughts; what they see of them is what their method shows.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterator, Sequence

import numpy as np

from thinkaloud.errors import CodeRefused, StateRefused
from thinkaloud.execute.sandbox import Sandbox
from thinkaloud.methods.code_as_policies.conversation import OWN_FUNCTIONS, render_first_state
from thinkaloud.methods.statler.reader_prompt import render_known
from thinkaloud.methods.statler.writer import render_update
from thinkaloud.plan.programs.grammar import PROGRAM_END, THINK
from thinkaloud.plan.programs.program import PlannedProgram
from thinkaloud.plan.programs.prompt import render_functions, without_comments
from thinkaloud.records import WorldState
from thinkaloud.skills.built_in_steps import SAY, UPDATE
from thinkaloud.state.change_lines import NO_CHANGE, render_changes
from thinkaloud.state.edits import is_container
from thinkaloud.state.json_text import read_state, render_opening, render_state
from thinkaloud.state.view import StateView
from training.demonstrators.statler import scenes, talk
from training.demonstrators.statler.table import Conversation, Done, begun, scene_of
from training.samples import Sample

LONGEST_TEXT = 240
MOST_CALLS = 12
SEVERAL = 6
"""From so many moves to one place on they are a function, which is asked for next."""
TURNS = 8
CALM, BUSY, FILLED = (0.0, 0.0, 0.3, 0.6), (0.0, 0.3, 0.6, 0.9), (0.0, 0.2, 0.3, 0.4)
"""How many things lie on or in others at the beginning; where they do, more has to be kept, and bowls become empty."""
MATCHES, TRIED = 0.4, 30
"""How often weights are to be matched, and how many ways to ask for that are tried until one can be carried out."""
LOOKED_UP = 2
"""So many times as often a turn is shown for which something has to be looked up."""
REFUSED, STATES_REFUSED = 0.03, 0.1
_CALLED = "put_first_on_second"
_CALLS = ("pick_and_place", "put", "place", "move_to", "put_on", "bring", "stack_on", "transfer", "set_down", "deliver")
_LIST_CALLS = ("put_all", "move_all", "put_things", "bring_all", "place_each", "carry_all")
_PAST = re.compile(r"\b(was|started|first_moved|moved|never_moved|moves|was_ever|ever|was_in|undo|why|all_moves)\(")
_MATCH = re.compile(r'match\("(.+?)", "(.+?)"')
_LONG_AGO = re.compile(r"last_moved\(\d")
_PREDICATE = re.compile(r"(.+?) is ((?:on|in) .+|clean|dirty)")


class Talk:
    """A conversation at a drawn table, and what programs call things there."""

    def __init__(
        self, rng: np.random.Generator, turns: int, *, window: int | None = None, busy: Sequence[float] = CALM
    ) -> None:
        self.rng = random.Random(int(rng.integers(2**62)))
        self.called = _CALLED if self.rng.random() < 0.85 else self.rng.choice(_CALLS)
        self.all_called = self.rng.choice(_LIST_CALLS)
        scene = scenes.drawn(self.rng)
        weighs = scene.domain == "weight" and len(scene.boxes) > 1
        self.held = Conversation(scene.domain, begun(scene, self.rng.choice(FILLED if weighs else busy)))
        for _ in range(turns * 4):
            if len(self.held.turns) >= turns:
                break
            if weighs and self.rng.random() < MATCHES and self._match(scene):
                continue
            turn = talk.turn(scene, vague=0.25, foreign=talk.FOREIGN)
            if self.rng.random() < 0.02:
                turn = talk.absent(scene)
            elif len(scene.loose) >= SEVERAL and self.rng.random() < 0.07:
                turn = talk.gathering(scene) or turn
            if window is None or self._within(turn, window):
                self.held.take(turn)

    def _match(self, scene: scenes.Scene) -> bool:
        """Ask for a bowl as heavy as another, where that can be had; whether it could."""
        view = StateView(self.held.state)
        for _ in range(TRIED):
            turn = talk.matching(scene)
            named = None if turn is None else _MATCH.match(turn.program)
            if turn is None or named is None or named[1] == named[2] or not view.inside(named[2]):
                continue
            if self.held.take(turn) is not None:
                return True
        return False

    def _within(self, turn: talk.Turn, window: int) -> bool:
        """Whether all that a turn speaks of is in the state or in so many queries before it."""
        if not turn.past:
            return True
        if _PAST.search(turn.program) or _LONG_AGO.search(turn.program):
            return False
        lately = self.held.turns[-window:]
        return any(done.moves for done in lately) if "last_moved" in turn.program else bool(lately)

    def some(self, count: int) -> list[Done]:
        """A few of the turns that can be written as the paper's programs are."""
        turns = [done for done in self.held.turns if fits(done)]
        found = list[Done]()
        while turns and len(found) < count:  # what has to be looked up in a state is harder than what is said
            (done,) = self.rng.choices(turns, [LOOKED_UP if each.thoughts else 1 for each in turns])
            turns.remove(done)
            found.append(done)
        return found

    def functions(self, own: Sequence[str]) -> str:
        """The line that says what a program may call."""
        return render_functions(self.held.world, own).replace(_CALLED, self.called, 1)

    def code(self, done: Done) -> str:
        """The reaction as moves and words, without looking anything up."""
        moves, places = done.moves, {target for _, target in done.moves}
        if len(moves) >= SEVERAL and len(places) == 1 and self.held.world.name != "cups":
            things = ", ".join(f'"{thing}"' for thing, _ in moves)
            lines = [f'{self.all_called}([{things}], "{places.pop()}")']
        else:
            lines = [f'{self.called}("{thing}", "{target}")' for thing, target in moves]
        return "\n".join([*lines, *([f'say("{done.answer}")'] if done.answer else [])])

    def earlier(self, turns: Sequence[Done]) -> list[tuple[str, str]]:
        """The turns before one, as a prompt shows them."""
        return [(done.turn.text, self.code(done) or "noop()") for done in turns]

    def known(self, done: Done, own: Sequence[str]) -> str:
        """What a reader sees of a turn."""
        at = self.held.turns.index(done)
        lines = render_known(self.functions(own), self.earlier(self.held.turns[:at]), done.before)
        return "\n".join([*lines, f"# query: {done.turn.text}"]) + "\n"

    def refusal(self, done: Done) -> str:
        """Now and then: that another program was refused, with what the sandbox says of it."""
        moves = done.moves
        if not moves or self.called != _CALLED or self.rng.random() > REFUSED:
            return ""
        thing, target = self.rng.choice(moves)
        wrong = self.rng.choice((f"{thing}s", f"other {thing}", "it"))
        code = self.rng.choice((f'{_CALLED}("{wrong}", "{target}")', f'{_CALLED}("{thing}")', f'"{thing}"'))
        try:
            Sandbox().run(code, PlannedProgram(self.held.world, scene_of(done.before)).functions())
        except CodeRefused as error:
            return f"# refused: {code}: {error}\n"
        return f"# refused: {code}: This program says and does nothing; call a function that does.\n"


def thoughts(done: Done) -> str:
    """What had to be looked up, as comments before the program."""
    return "".join(f"{THINK}{line}\n" for line in done.thoughts)


def note(done: Done) -> str:
    """What the writer is asked to take note of, in plain words: what was done, or what people told."""
    if not done.moves:
        return _told(done.told)
    groups: dict[str, list[str]] = {}
    for thing, target in done.moves:
        groups.setdefault(target, []).append(thing)
    return "Put " + " and ".join(
        f"{_row(things)} {'in' if is_container(target) else 'on'} the {target}" for target, things in groups.items()
    )


def _told(told: Sequence[str]) -> str:
    """Changes that people told, with what is said of several things said once."""
    groups: dict[str, list[str]] = {}
    for line in told:
        found = _PREDICATE.fullmatch(line)
        groups.setdefault(found[2] if found else "", []).append(found[1] if found else line)
    parts = []
    for said, things in groups.items():
        parts += (
            [f"{_row(things)} {'is' if len(things) == 1 else 'are'} {said}"] if said else [f"the {t}" for t in things]
        )
    text = " and ".join(parts)
    return text[:1].upper() + text[1:]


def _row(things: Sequence[str]) -> str:
    words = [f"the {thing}" for thing in things]
    return " and ".join(filter(None, [", ".join(words[:-1]), words[-1]]))


def fits(done: Done) -> bool:
    """Whether it can be written as the paper's programs are: not too many calls, nothing too long."""
    short_enough = len(done.answer) <= LONGEST_TEXT and len(note(done)) <= LONGEST_TEXT
    single = not (done.answer and (done.moves or done.told)) and not (done.moves and done.told)
    plain = not any(mark in done.answer + note(done) for mark in '"\\\n')
    one_place = len({target for _, target in done.moves}) == 1
    few = len(done.moves) <= (30 if one_place else MOST_CALLS)
    return short_enough and single and plain and few and len(done.thoughts) <= 12


# Statler --------------------------------------------------------------------------------------------------------------


def reader(rng: np.random.Generator) -> Iterator[Sample]:
    """The state and a query, and the program, with a note for the writer where something changes."""
    held = Talk(rng, TURNS, window=4)
    for done in held.some(4):
        update = f'{UPDATE}("{note(done)}")' if note(done) else ""
        program = "\n".join(filter(None, [held.code(done), update])) or "noop()"
        asked = held.known(done, (SAY, UPDATE)) + held.refusal(done)
        yield Sample("statler.reader", ((asked, thoughts(done) + program + PROGRAM_END),))


def writer(rng: np.random.Generator) -> Iterator[Sample]:
    """The state and what happened, and the next state."""
    held = Talk(rng, TURNS, window=4, busy=BUSY)
    for done in held.some(4):
        if told := _noted(held.rng, done):
            begun_with, why = render_opening(done.before, objects=True), _refused(held.rng, done)
            asked = render_update(done.before, told, feedback=why)
            yield Sample("statler.writer", ((asked, render_state(done.after).removeprefix(begun_with)),))


def other_writers(rng: np.random.Generator) -> Iterator[Sample]:
    """The same with instructions (Statler-Auto), or with only what is different."""
    held = Talk(rng, TURNS, window=4, busy=BUSY)
    for done in held.some(4):
        if not (told := _noted(held.rng, done)):
            continue
        if held.rng.random() < 0.5:
            answer = render_state(done.after).removeprefix(render_opening(done.before, objects=True))
            yield Sample("statler.auto", ((render_update(done.before, told, examples=False), answer),))
        else:
            asked = render_update(done.before, told, "delta", examples=held.rng.random() < 0.7)
            yield Sample("statler.changes", ((asked, render_changes(done.before, done.after) + PROGRAM_END),))


def _noted(rng: random.Random, done: Done) -> str:
    """What the writer is told: mostly a note in plain words, at times just what the person said."""
    told = note(done)
    return done.turn.text.rstrip(".") if told and not done.turn.past and rng.random() < 0.15 else told


def _refused(rng: random.Random, done: Done) -> str:
    """Now and then: why a state was refused that was written before."""
    if rng.random() > STATES_REFUSED:
        return ""
    lines, before = render_state(done.after).split("\n"), render_state(done.before).split("\n")
    changed = [at for at in range(len(lines)) if len(lines) == len(before) and lines[at] != before[at]]
    if changed and rng.random() < 0.6:  # something was left as it was
        at = rng.choice(changed)
        lines[at] = before[at]
    elif len(lines) > 4:
        del lines[rng.randrange(3, len(lines) - 1)]
    try:
        read_state("\n".join(lines), done.before)
    except StateRefused as error:
        return f"# refused: {error}\n"
    return ""


def unified(rng: np.random.Generator) -> Iterator[Sample]:
    """The state and a query, and the program with the next state after it."""
    held = Talk(rng, 5, window=4)
    for done in held.some(4):
        next_state = render_opening(done.before, objects=True)
        rest = render_state(done.after).removeprefix(next_state)
        answer = thoughts(done) + (held.code(done) or "noop()") + PROGRAM_END
        yield Sample(
            "statler.unified", ((held.known(done, OWN_FUNCTIONS), answer), (next_state.removeprefix("#"), rest))
        )


def functions(rng: np.random.Generator) -> Iterator[Sample]:
    """A function that a program calls and that there is not, and its definition."""
    held = Talk(rng, 1)
    things = held.rng.sample(held.held.state.objects, min(len(held.held.state.objects), held.rng.randint(2, 8)))
    for name, parameters, body in _definitions(held):
        arguments = ["[" + ", ".join(f'"{thing}"' for thing in things) + "]"]
        arguments += [f'"{held.rng.choice(held.held.state.objects)}"'] if "," in parameters else []
        own = held.rng.choice((OWN_FUNCTIONS, (SAY, UPDATE)))
        asked = f"{held.functions(own)}\n# define function: {name}({', '.join(arguments)})\n"
        yield Sample("statler.functions", ((asked, f"def {name}({parameters}):\n{body}{PROGRAM_END}"),))


def _definitions(held: Talk) -> Iterator[tuple[str, str, str]]:
    put, pick = held.called, held.rng.choice
    yield held.all_called, "things, place", f"    for thing in things:\n        {put}(thing, place)"
    name = pick(("clear_away", "move_away", "put_away", "unload", "clear_table", "set_aside"))
    yield name, "things", f'    for thing in things:\n        {put}(thing, "table")'
    name = pick(("build_tower", "stack_up", "pile_up", "make_stack", "stack_all", "build_stack"))
    yield name, "things", f"    for below, thing in zip(things, things[1:]):\n        {put}(thing, below)"
    name = pick(("stack_on_base", "build_tower_on", "pile_on", "stack_onto"))
    yield name, "things, base", f"    for thing in things:\n        {put}(thing, base)\n        base = thing"


# Code as Policies -----------------------------------------------------------------------------------------------------


def history(rng: np.random.Generator) -> Iterator[Sample]:
    """The queries and programs so far, and the next program."""
    held = Talk(rng, 10)
    parts: list[tuple[str, str]] = []
    so_far = f"{held.functions(OWN_FUNCTIONS)}\n{render_first_state(held.held.start, states=False)}\n"
    for done in held.held.turns:
        if not fits(done):
            break
        program = held.code(done) or "noop()"
        parts.append((f"{so_far}# query: {done.turn.text}\n", thoughts(done) + program + PROGRAM_END))
        so_far += f"# query: {done.turn.text}\n{without_comments(program)}\n"
    for at in sorted(held.rng.sample(range(len(parts)), min(3, len(parts)))):
        yield Sample("statler.history", (parts[at],))


def worked_out(rng: np.random.Generator) -> Iterator[Sample]:
    """The same, with all the states so far worked out before the program."""
    held = Talk(rng, 9)
    so_far, known = (
        f"{held.functions(OWN_FUNCTIONS)}\n{render_first_state(held.held.start, states=True)}\n",
        list[str](),
    )
    parts: list[tuple[str, str]] = []
    for done in held.held.turns:
        if not fits(done):
            break
        states = "".join(f"# {number}. {what}\n" for number, what in enumerate(known, 1))
        program = held.code(done) or "noop()"
        parts.append((f"{so_far}# query: {done.turn.text}\n", states + thoughts(done) + program + PROGRAM_END))
        so_far += f"# query: {done.turn.text}\n{program}\n"
        known.append(_changes(done.before, done.after))
    for at in sorted(held.rng.sample(range(len(parts)), min(3, len(parts)))):
        yield Sample("statler.thoughts", (parts[at],))


def _changes(before: WorldState, after: WorldState) -> str:
    return render_changes(before, after).replace("\n", ", ") or NO_CHANGE
