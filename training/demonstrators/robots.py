"""What people say to robots of all walks of life, from the corpus: each sample is a session with one of them."""

from __future__ import annotations

import ast
import tomllib
import zlib
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import numpy as np

from thinkaloud.errors import BadScene
from thinkaloud.understand.conversation import MOST_TURNS
from thinkaloud.understand.lexicon import Lexicon, lexicon_of
from thinkaloud.understand.prompt import PastTurn, render_prompt
from thinkaloud.worlds.described import Described
from training.robots.multiplying import draw_guise
from training.robots.reading import Robot, Said, all_robots
from training.samples import Demonstrator, Sample

FAMILY = "meaning.robots"
KEPT_BACK = 20
"""One robot in so many is never learnt from: how well the others taught is seen there."""
APART = Path(__file__).parent.parent / "robots" / "apart.toml"


def is_kept_back(robot: Robot) -> bool:
    """Whether this is a robot to look at, and not to learn from."""
    return zlib.crc32(robot.name.encode()) % KEPT_BACK == 0


@cache
def same_trade() -> frozenset[str]:
    """The robots that have the trade of one that a benchmark speaks with: what they are asked would be too near."""
    return frozenset(tomllib.loads(APART.read_text(encoding="utf-8"))["same_trade"])


def is_learnt_from(robot: Robot) -> bool:
    """Whether samples may be drawn of this robot."""
    return not is_kept_back(robot) and robot.name not in same_trade()


def sessions(rng: np.random.Generator) -> Iterator[Sample]:
    """A robot of the corpus in another guise, and a few of the things that were said to it."""
    robots = [robot for robot in all_robots() if is_learnt_from(robot)]
    robot = draw_guise(robots[int(rng.integers(len(robots)))], rng)
    try:
        yield from samples_of(robot, rng)
    except BadScene:  # two things have got the same name, or the like: another guise, then
        return


def samples_of(robot: Robot, rng: np.random.Generator | None = None) -> Iterator[Sample]:
    """What a model is shown of a session, and writes; a new sample begins where more is shown than what was said."""
    world = Described(robot.described)
    scene = world.observe()
    notes, kept = list(robot.told), list(robot.kept)
    earlier: list[PastTurn] = []
    parts: list[tuple[str, str]] = []
    shown = ""
    lexicon = lexicon_of(world, scene, notes=notes, kept=kept)
    for talk in robot.conversations:
        for turn in talk.turns:
            prompt = render_prompt(lexicon, earlier[-MOST_TURNS:], turn.words, explained=False)
            if parts and not prompt.startswith(shown):
                yield Sample(FAMILY, tuple(parts))
                parts, shown = [], ""
            answer = f"{turn.program}\n\n"
            parts.append((prompt.removeprefix(shown), answer))
            shown = prompt + answer
            earlier.append(PastTurn(turn.words, turn.program, _came(turn, rng)))
            told, untouched, freed = _remembered(turn.program, lexicon)
            if told or untouched or freed:
                notes += [each for each in told if each not in notes]
                kept = [each for each in [*kept, *untouched] if each not in freed]
                lexicon = lexicon_of(world, scene, notes=notes, kept=dict.fromkeys(kept))
    if parts:
        yield Sample(FAMILY, tuple(parts))


def _came(turn: Said, rng: np.random.Generator | None) -> str:
    """Now and then the work was under way when the next thing was said, or had failed."""
    if rng is None or rng.random() > 0.06 or turn.program.startswith(("say(", "note(", "ask(", "cannot(", "keep(")):
        return ""
    return "under way" if rng.random() < 0.7 else str(rng.choice(["failed", "stopped", "limit", "declined"]))


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
            for given in call.args:
                found[name] += [
                    n.value for n in ast.walk(given) if isinstance(n, ast.Constant) and isinstance(n.value, str)
                ]
                found[name] += [
                    t for n in ast.walk(given) if isinstance(n, ast.Name) for t in lexicon.kinds.get(n.id, ())
                ]
    lasting = len(calls) == len(tree.body) and {c.func.id for c in calls if isinstance(c.func, ast.Name)} <= {*found}
    return found["note"], found["keep"] if lasting else [], found["allow"]


DEMONSTRATORS = (Demonstrator("robots", sessions, share=0.8),)
HELD_OUT = ()
