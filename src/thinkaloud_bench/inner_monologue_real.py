"""Inner Monologue's Table 2: the real table's two tasks, simulated, seen through the camera at the wrist.

Scenes follow appendix B.2; points, motions, noise and success detection follow appendix A.2 (`worlds/real_table`).
Success is judged by the true positions when the episode ends: one tower of three; or all fruits on one of the two
plates that were empty and all bottles on the other, as requested. Only the judge and the expert know which things are
fruits; no planner is told. The limit is 15 steps. The paper does not give the wording of the requests or the clutter.
It says "The robot is asked to sort them by putting fruits on one of the remaining plates, and bottles on the other", so
the request names these plates; the scene description does not say what lies where. Seed 0 is the test; develop prompts
and training data with seeds from 1000 on.
"""

from __future__ import annotations

from dataclasses import dataclass

from thinkaloud.loop import Limits
from thinkaloud.monologue import Monologue
from thinkaloud.records import Decision, Decline, Done, Plan
from thinkaloud_bench.contract import CEILING, Bench, Item, Task
from thinkaloud_bench.playing import SAME_LOOP, Judged, Plays, Setup, expert_in
from thinkaloud_bench.plots import bars
from thinkaloud_bench.rows import request_rows
from thinkaloud_worlds.real_table import RealTable

_STEPS = 15
_FRUITS = ("apple", "strawberry", "plum")
_BOTTLES = ("ketchup bottle", "mustard bottle", "soft drink bottle")
_STACK = "Stack all the blocks."
_SORT = "Sort the fruits from the bottles: put the fruits on the {0} and the bottles on the {1}."


@dataclass
class Stacked:
    """The goal that all blocks form one tower."""

    table: RealTable

    def met(self) -> bool:
        """Whether they are."""
        return len(self._tower()) == len(self.table.blocks)

    def moves(self) -> list[tuple[str, str]]:
        """Return useful moves, the best first: another block onto the tallest tower, or that tower's onto a block."""
        tower = self._tower()
        loose = [block for block in self.table.blocks if block not in tower and not self._covered(block)]
        return [(block, tower[-1]) for block in loose] + [(tower[-1], block) for block in loose]

    def _tower(self) -> list[str]:
        """The tallest tower, from below."""
        found = []
        for base in self.table.blocks:
            tower = [base]
            while (
                top := next((b for b in self.table.blocks if b not in tower and self._on(b, tower[-1])), None)
            ) is not None:
                tower.append(top)
            found.append(tower)
        return max(found, key=len)

    def _on(self, block: str, other: str) -> bool:
        return self.table.physics.held != block and self.table.truly_on(block, other)

    def _covered(self, block: str) -> bool:
        return any(self._on(other, block) for other in self.table.blocks if other != block)


@dataclass
class Sorted:
    """The goal that fruits are on the first of the plates that were empty, and bottles on the other."""

    table: RealTable

    def met(self) -> bool:
        """Whether they are."""
        return not self.moves()

    def moves(self) -> list[tuple[str, str]]:
        """Return what is misplaced, and where it belongs."""
        fruits, bottles = self.plates()
        wanted = {**dict.fromkeys(_FRUITS, fruits), **dict.fromkeys(_BOTTLES, bottles)}
        return [(name, plate) for name, plate in wanted.items() if not self.table.truly_on(name, plate)]

    def plates(self) -> tuple[str, str]:
        """The plates that were empty."""
        full = next(thing.on for thing in self.table.scene.objects if thing.on)
        first, second = (plate for plate in self.table.bowls if plate != full)
        return first, second


@dataclass
class RealExpert:
    """Makes no mistakes: it knows the goal and the true state, but sees, picks and places like any planner here."""

    table: RealTable
    goal: Stacked | Sorted

    def __call__(self, monologue: Monologue) -> Decision:
        """Return the next move that is possible with what is in view; a different one if the last has failed."""
        if self.goal.met():
            return Done("the judge says so")
        seen = self.table.observe().objects
        moves = [move for move in self.goal.moves() if {*move} <= {*seen}]
        if not moves:
            return Decline("what is left to do is not in view")
        last = monologue.last(Plan)
        tried = tuple(last.steps[0].arguments.values()) if last is not None else ()
        object, target = next((move for move in moves if move != tried), moves[0])
        return Plan("", (), (self.table.skills["pick_place"].step({"object": object, "target": target}),))


def _set_up(item: Item) -> Setup:
    stacking = item.task == "stacking"
    table = RealTable(task="stacking" if stacking else "sorting")
    table.reset(item.seed)
    goal = Stacked(table) if stacking else Sorted(table)
    return Setup(
        table,
        _STACK if isinstance(goal, Stacked) else _SORT.format(*goal.plates()),
        lambda *_: Judged(goal.met()),
        expert_in(SAME_LOOP, RealExpert(table, goal)),
        Limits(steps=_STEPS),
    )


BENCH = Bench(
    "inner-monologue-real",
    "Inner Monologue (Huang et al., 2022), Table 2: the real table, simulated, seen through a camera",
    tasks={
        "stacking": Task("stacking", "Finish 3-block stacking"),
        "sorting": Task("sorting", "Sort fruits from bottles"),
    },
    presets=(
        "open_loop",
        "inner_monologue:feedback=object",
        "inner_monologue:feedback=success",
        "inner_monologue:feedback=object+success",
        CEILING,
    ),
    play=Plays(_set_up),
    rows=request_rows,
    draw=bars,
    paper={
        "success": {
            "open_loop": {"stacking": 0.20, "sorting": 0.20},
            "inner_monologue:feedback=object": {"stacking": 0.40, "sorting": 0.50},
            "inner_monologue:feedback=success": {"stacking": 0.40, "sorting": 0.40},
            "inner_monologue:feedback=object+success": {"stacking": 1.00, "sorting": 0.80},
        }
    },
    episodes=10,
)
