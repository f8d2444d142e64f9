"""Episodes in the form of the paper's Listing 2: stacks of which not all is seen, and things to be moved or sorted."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from thinkaloud.agent import Agent
from thinkaloud.loop import Limits
from thinkaloud.records import Observation, WorldState
from thinkaloud.skills import Skill
from thinkaloud.worlds.contract import Briefing
from thinkaloud_worlds.real_table import RealTable
from training import teacher
from training.demonstrators.inner_monologue.categories import CATEGORIES, SORTED, plural_of
from training.demonstrators.inner_monologue.scenes import FIXED, MOVABLE, TABLE, plural
from training.demonstrators.inner_monologue.table import WordTable
from training.noise import noisy
from training.samples import Sample
from training.words import PLAIN_COLOURS, one, some

STACK = (
    *("Stack the {m}.", "Pile up all the {m}.", "Build a tower of all the {m}.", "Make one stack of the {m}."),
    *("Put all the {m} on top of each other.", "Finish stacking the {m}.", "Stack all {m} into one tower."),
)
MOVE = (
    *("Move all {m} to the {t}.", "Put all the {m} on the {t}.", "All the {m} belong on the {t}."),
    *("Bring the {m} to the {t}.", "Every one of the {m} should be on the {t}."),
)
SORT = (
    *("Sort the {a} and the {b} into different {c}.", "Put the {a} on the {1} and the {b} on the {2}."),
    *("Separate the {a} from the {b}: the {a} go on the {1}, the {b} on the {2}.", "{a} to the {1}, {b} to the {2}."),
    *("The {2} is for the {b}, the {1} for the {a}.", "Tidy up: {a} on the {1}, {b} on the {2}, please."),
    *("Put the {a} in one {k} and the {b} in another.", "Keep the {a} and the {b} apart, in two {c}."),
)


_PICK_PLACE: Skill = RealTable.pick_place.__skill__  # type: ignore[attr-defined]


@dataclass
class CallTable(WordTable):
    """A table of words that is seen from one side: what was never seen is not known, and steps are calls."""

    briefing: Briefing = field(default_factory=lambda: Briefing(calls=True))

    def __post_init__(self) -> None:
        super().__post_init__()
        self._seen = list[str]()
        self.skills: Mapping[str, Skill] = {"pick_place": replace(_PICK_PLACE, function=self._act)}

    def observe(self) -> Observation:
        """What is in view, what was, and what has been put into something."""
        scene = super().observe()
        self._seen += [name for name in scene.objects if name not in self._seen]
        hidden = tuple(name for name in self._seen if name not in scene.objects)
        on = self.relations["on"]
        put = [(name, below) for name, below in self.under.items() if below in self.containers]
        told = tuple(on.condition({"object": name, "target": below}) for name, below in put)
        return Observation(scene.objects, scene.vocabulary, hidden, state=WorldState((), told) if told else None)


Place = Callable[[str], str]
"""Where a thing is to go; nothing where it is to stay."""


@dataclass
class Caller:
    """Says the next call from what the prompt tells. `place` is empty for a stack."""

    table: CallTable
    feedback: str
    place: Place | None

    def answer(self, asked: teacher.Asked) -> str:
        """The call, or that it stops."""
        lines = asked.prompt.rpartition("Task:")[2].splitlines()
        visible = _listed(lines, "Visible objects")
        tried = self._tried(lines, visible)
        if tried and not tried[-1][2] and {*tried[-1][:2]} <= {*(visible or self.table.things), *TABLE}:
            move: tuple[str, str] | None = tried[-1][:2]  # the same again
        else:
            move = self._stacked(visible, tried) if self.place is None else self._placed(lines, visible, tried)
        return " robot.stop()" if move is None else f" robot.pick_place({json.dumps(move[0])}, {json.dumps(move[1])})"

    def _tried(self, lines: Sequence[str], visible: Sequence[str]) -> list[tuple[str, str, bool]]:
        """What was put where, and whether that worked: as it was told, or as it looks."""
        found = list[tuple[str, str, bool]]()
        for line in lines:
            if match := re.match(r'Robot action: robot\.pick_place\("(.+)", "(.+)"\)', line):
                found.append((match[1], match[2], True))
            elif line == "Successful action: False":
                found[-1] = (*found[-1][:2], False)
        if self.feedback == "object" and self.place is None:  # what has something on it is not seen any more
            return [(thing, target, target not in visible) for thing, target, _ in found]
        return found

    def _stacked(self, visible: Sequence[str], tried: Sequence[tuple[str, str, bool]]) -> tuple[str, str] | None:
        tower = [name for thing, target, ok in tried if ok for name in (target, thing)]
        loose = [name for name in visible if name not in tower and name not in self.table.containers]
        if not tower:
            return (loose[0], loose[1]) if len(loose) > 1 else None
        return (loose[0], tower[-1]) if loose else None

    def _placed(
        self, lines: Sequence[str], visible: Sequence[str], tried: Sequence[tuple[str, str, bool]]
    ) -> tuple[str, str] | None:
        assert self.place is not None
        moved = {*_listed(lines, "Moved objects")} if self.feedback != "success" else set[str]()
        told = self.feedback == "object" and any(self.place(name) in self.table.containers for name in visible)
        done = moved if told else moved | {thing for thing, _, ok in tried if ok}
        return next(((n, self.place(n)) for n in visible if n not in done and self.place(n)), None)


def _listed(lines: Sequence[str], what: str) -> list[str]:
    """The latest list of that kind; one that was not told with the latest look is empty by now."""
    looks = [at for at, line in enumerate(lines) if line.startswith("Scene: Visible objects")]
    found = [line for line in lines[looks[-1] :] if line.startswith(f"Scene: {what} are ")] if looks else []
    return list(json.loads(found[-1].partition(" are ")[2])) if found else []


def _draw(rng: np.random.Generator) -> tuple[CallTable, str, Place | None]:
    """A table, what is asked, and where things go."""
    chance, colours = rng.random(), some(rng, PLAIN_COLOURS, 9)
    noun = "block" if rng.random() < 0.4 else one(rng, MOVABLE).split()[-1]
    if chance < 0.6:
        things = tuple(f"{colour} {noun}" for colour in colours[: int(rng.integers(2, 6))])
        table = CallTable(things, (), TABLE, rng)
        hidden = some(rng, things[1:], int(rng.integers(0, 2 if len(things) < 4 else 3)))
        free = [name for name in things if name not in hidden]
        table.under = dict(zip(some(rng, free, len(hidden)), hidden, strict=False))  # the lower ones are not seen
        if chance < 0.4:
            return table, one(rng, STACK).format(m=plural(noun)), None
        target = one(rng, TABLE)
        return table, one(rng, MOVE).format(m=plural(noun), t=target), lambda name: target
    first, second = SORTED[int(rng.integers(len(SORTED)))]
    holder = one(rng, FIXED).split()[-1]
    held = tuple(f"{colour} {holder}" for colour in colours[: 3 if rng.random() < 0.5 else 2])
    mine, others = (some(rng, CATEGORIES[each], int(rng.integers(1, 4))) for each in (first, second))
    things = tuple(some(rng, (*mine, *others), len(mine) + len(others)))
    table = CallTable(things, held, TABLE, rng)
    covered = some(rng, things, int(rng.integers(0, max(1, len(things) // 2))))
    free = [name for name in things if name not in covered]
    table.under = dict(zip(some(rng, free, len(covered)), covered, strict=False))
    said = {"a": plural_of(first), "b": plural_of(second), "c": plural(holder), "k": holder}
    text = one(rng, SORT)
    taken = some(rng, held, 2) if "{1}" in text else held[:2]  # who names none of them leaves it to the robot
    for number, name in enumerate(taken, 1):
        text = text.replace(f"{{{number}}}", name)
    text = text.format(**said)
    place = dict.fromkeys(mine, taken[0]) | dict.fromkeys(others, taken[1])
    return table, text[0].upper() + text[1:], lambda name: place.get(name, "")


def call_episode(rng: np.random.Generator) -> Iterator[Sample]:
    """The samples of one episode, with any of the feedbacks."""
    table, request, place = _draw(rng)
    feedback = str(rng.choice(["object+success", "object", "success"], p=[0.5, 0.25, 0.25]))
    table.fails = 0.3 * (rng.random() < 0.6)
    preset = f"inner_monologue:feedback={feedback}"
    caller = Caller(table, feedback, place)
    teaching = teacher.Teacher(caller.answer, family=f"calls.{feedback}", check=bool(rng.random() < 0.1))
    agent = Agent(table, teaching, preset, limits=Limits(steps=12))
    end = asyncio.run(agent.run(noisy(rng, request, 0.25)))
    if end.result == "failed":
        raise RuntimeError(end.because)
    yield from teaching.samples
