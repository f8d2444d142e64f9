"""The real table of Inner Monologue: things of several sorts in clutter, containers some of which are empty, stacks.

Which things are tools nobody tells: a model has to know it, and writes their names. Which trays are empty, code looks
up.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache

from thinkaloud.language.name_matching import head_noun
from thinkaloud.language.words import plural
from thinkaloud.program.lexicon import identifier
from thinkaloud.records import Observation
from thinkaloud.robots import open_world
from thinkaloud.worlds.full_world import FullWorld
from training.demonstrators.inner_monologue.categories import CATEGORIES, SORTED, plural_of
from training.demonstrators.inner_monologue.scenes import FIXED, MOVABLE, TABLE
from training.demonstrators.meanings.common import Code, Common, call, said, written
from training.demonstrators.meanings.goals import Goal, facts, says
from training.demonstrators.meanings.sketch import Sketch, sketch_of
from training.demonstrators.meanings.spots import Spots, scatter
from training.demonstrators.meanings.tabletop import leaves
from training.demonstrators.meanings.talking import Drawn, Rng, Said, Talk, converse
from training.heldout import violations
from training.samples import Sample
from training.words import PLAIN_COLOURS, one, some

PUT = "pick_place"
FREE = "e"
"""What programs call the containers that are empty: the grammar has letters for what is remembered."""
_HOLDERS = tuple(dict.fromkeys(noun for each in FIXED if (noun := each.split()[-1]) not in ("plate", "bottle")))
_APART = (
    "[separate|split up|divide|sort out|pull apart] the {a} and the {b}",
    "[I want|please have|keep|get] the {a} apart from the {b}",
    "the {a} and the {b} are [all mixed up|in one heap|jumbled together]",
    "[tidy up|clear this mess|untangle this heap]",
    "[no more {a} among the {b}|{a} and {b} should not lie together]",
)
_EMPTY_TWO = (
    "[the|all the] {a} go {in_} an empty {k}[,| and] the {b} {in_} another [empty one|one that is empty|free one]",
    "take two [free|empty|unused] {c}, one for the {a} and one for the {b}",
    "use the [empty|free] {c}: {a} {in_} one[,| and] {b} {in_} the other",
    "{a} {in_} the first {k} that is [free|empty], {b} {in_} the next",
    "put the {a} {in_} a {k} with nothing {in_} it and the {b} {in_} a second one like that",
    "each sort gets a free {k} of its own: the {a} one, the {b} another",
    "{in_} one of the empty {c} I want the {a}, {in_} a different empty one the {b}",
    "there are empty {c}: one takes the {a}, the other the {b}",
    "the {a} belong {in_} a {k} that is still free, and the {b} {in_} another one that is",
)
_DIFFERENT = (
    "[sort|put|divide] the {a} and the {b} into different {c}",
    "the {a} {in_} one {k}, the {b} {in_} another[| one]",
    "one {k} for the {a}[,| and] one for the {b}",
    "{a} and {b} into separate {c}",
)
_NAMED = (
    "the {a} [go|belong] {in_} the {one}, the {b} {in_} the {two}",
    "put the {a} {in_} the {one} and the {b} {in_} the {two}",
    "{a}: {one}. {b}: {two}",
    "{in_} the {one} I want all the {a}, and {in_} the {two} all the {b}",
)
_EMPTY_ONE = (
    "[put|move|get] [the|all the|all] {a} {in_} [an empty|a free|an unused] {k}",
    "[find|take] a {k} that is empty and put the {a} {in_} it",
    "the {a} should be {in_} a {k} with nothing else {in_} it",
    "[is there an empty {k}? Put|take an empty {k} for] the {a}[| there]",
)
_ONE = (
    "[put|move|bring|get] [the|all the|all|every one of the] {a} {to} the {one}",
    "the {a} [go|belong|should be] {in_} the {one}",
    "[clear|take] the {a} [away|off]: [put them|they go] {to} the {one}",
    "{in_} the {one} I want [all the {a}|every one of the {a}]",
)
_BUT = (
    "[put|move] everything [but|except|apart from] the {a} {to} the {one}",
    "all that [is not one of|is none of] the {a} goes {to} the {one}",
    "[leave the {a}, the rest goes|the {a} stay, everything else goes] {to} the {one}",
)
_STACK = (
    "[build|make] [a|one] tower [of|out of|from] [all the|the] {m}",
    "[pile up|heap up] [all the|the] {m}[|, one on another]",
    "[all the|the] {m} [on top of each other|in one stack|should be one tower]",
    "[one single stack of|I want a stack of all] the {m}",
)
_WHICH = ("which {c} are [empty|free|unused]", "are there {c} with nothing {in_} them, and which", "name the empty {c}")
_HOW_MANY = ("how many {c} are [empty|free]", "how many of the {c} have nothing {in_} them")
_IS = ("is the {one} empty", "is there nothing {in_} the {one}")
_WHAT = ("what is {in_} the {one}", "what lies {in_} the {one}", "what have we got {in_} the {one}")
_NONE = (
    "[put|move] the {a} {to} the {one}",
    "[all|every one of] the {a} {to} the {one}",
)


@dataclass
class Cluttered(Spots):
    """Things in heaps; what has none is empty."""

    def empty(self, target: str) -> bool:
        """Whether nothing is in or on it."""
        return not any(self.on(each, target) for each in self.spot if each != target)


@cache
def table() -> tuple[Sketch, FullWorld]:
    """The table that all scenes are laid on."""
    return sketch_of(open_world("real_table"), ends={PUT: leaves})


class Clutter:
    """What people want of one table."""

    def __init__(self, rng: Rng, sorts: dict[str, list[str]], holders: Sequence[str], stacked: Sequence[str]) -> None:
        self.rng, self.sorts, self.holders, self.stacked = rng, sorts, list(holders), list(stacked)
        things = [*itertools.chain(*sorts.values()), *stacked]
        self.things = some(rng, things, len(things))
        sketch, self.world = table()
        self.spots = Cluttered(scatter(rng, [*self.things, *holders]))
        full = some(rng, self.holders, int(rng.integers(1, max(2, len(holders) - 1)))) if holders else []
        self.spots.under = {name: one(rng, tuple(full)) for name in self.things if full and rng.random() < 0.8}
        targets = (*self.things, *holders, *TABLE)
        vocabulary = {
            "object": tuple(self.things),
            "target": targets,
            "object in view": tuple(self.things),
            "target in view": targets,
        }
        sketch.scene, sketch.model = Observation((*self.things, *holders), vocabulary), self.spots
        self.noun = head_noun(holders[0]) if holders else "tray"
        self.many = identifier(plural(self.noun))

    @property
    def free(self) -> list[str]:
        """The containers that are empty."""
        return [each for each in self.holders if self.spots.empty(each)]

    def _a(self, templates: Sequence[str], *sorts: str, **words: str) -> str:
        into = self.rng.random() < 0.5
        given = {
            "in_": "in" if into else "on",
            "to": "into" if into else "onto",
            "k": self.noun,
            "c": plural(self.noun),
        }
        spoken = {letter: plural_of(each) for letter, each in zip("abc", sorts, strict=False)}
        holders = dict(zip(("one", "two"), words.pop("at", "").split("|"), strict=False))
        return said(self.rng, templates, **{**given, **spoken, **words, **holders})

    def _of(self, sort: str) -> object:
        """All of a sort, as a program has them: the list that they are, or their names."""
        names = [each for each in self.things if each in self.sorts[sort]]
        noun = head_noun(names[0])
        listed = [each for each in self.things if head_noun(each) == noun]
        if len(names) > 1 and sorted(listed) == sorted(names) and noun == sort:
            return Code(identifier(plural(noun)))
        return names if len(names) > 1 else names[0]

    def _on(self, sorts: Sequence[str], targets: Sequence[str]) -> Goal:
        pairs = zip(sorts, targets, strict=True)
        return facts(*(("on", name, target) for sort, target in pairs for name in self.sorts[sort]))

    def _said(self, text: str, program: str, goal: Goal) -> Said:
        return Said(written(self.rng, text), program, goal)

    # Deeds ------------------------------------------------------------------------------------------------------------

    def _two(self) -> list[str] | None:
        return some(self.rng, list(self.sorts), 2) if len(self.sorts) > 1 else None

    def empty_two(self) -> Said | None:
        """Each sort on an empty container of its own."""
        sorts, free = self._two(), self.free
        if sorts is None or len(free) < 2:
            return None
        text = self._a(_EMPTY_TWO, *sorts)
        if self.rng.random() < 0.4:
            text = f"{self._a(_APART, *sorts)}{one(self.rng, (': ', ', ', '. '))}{text}"
        lines = [f"{FREE} = [{self.noun[0]} for {self.noun[0]} in {self.many} if empty({self.noun[0]})]"]
        lines += [call(PUT, self._of(sort), Code(f"{FREE}[{at}]")) for at, sort in enumerate(sorts)]
        return self._said(text, "\n".join(lines), self._on(sorts, free[:2]))

    def different(self) -> Said | None:
        """Each sort in another container, whichever."""
        sorts = self._two()
        if sorts is None or len(self.holders) < 2:
            return None
        lines = [call(PUT, self._of(sort), Code(f"{self.many}[{at}]")) for at, sort in enumerate(sorts)]
        return self._said(self._a(_DIFFERENT, *sorts), "\n".join(lines), self._on(sorts, self.holders[:2]))

    def named(self) -> Said | None:
        """Each sort in a container that is named."""
        sorts = self._two()
        if sorts is None or len(self.holders) < 2:
            return None
        ends = some(self.rng, self.holders, 2)
        text = self._a(_NAMED, *sorts, at="|".join(ends))
        lines = [call(PUT, self._of(sort), end) for sort, end in zip(sorts, ends, strict=True)]
        return self._said(text, "\n".join(lines), self._on(sorts, ends))

    def empty_one(self) -> Said | None:
        """One sort in a container that is empty."""
        if not self.sorts or not self.free:
            return None
        sort, letter = one(self.rng, tuple(self.sorts)), self.noun[0]
        found = Code(f"[{letter} for {letter} in {self.many} if empty({letter})][0]")
        return self._said(self._a(_EMPTY_ONE, sort), call(PUT, self._of(sort), found), self._on([sort], self.free[:1]))

    def one_sort(self) -> Said | None:
        """One sort in a container or at a place that is named."""
        if not self.sorts:
            return None
        sort, end = one(self.rng, tuple(self.sorts)), one(self.rng, (*self.holders, *self.holders, *TABLE))
        return self._said(self._a(_ONE, sort, at=end), call(PUT, self._of(sort), end), self._on([sort], [end]))

    def all_but(self) -> Said | None:
        """Everything but one sort."""
        if len(self.sorts) < 2:
            return None
        sort, end = one(self.rng, tuple(self.sorts)), one(self.rng, (*self.holders, *TABLE))
        names = [each for each in self.things if each in self.sorts[sort]]
        but = call("", names)[1:-1] if len(names) > 1 else ""
        test = f"o not in {but}" if but else f"o != {call('', names[0])[1:-1]}"
        moved = [each for each in self.things if each not in names]
        goal = facts(*(("on", name, end) for name in moved))
        return self._said(self._a(_BUT, sort, at=end), call(PUT, Code(f"[o for o in objects if {test}]"), end), goal)

    def no_such(self) -> Said | None:
        """A sort of which nothing is here."""
        words = {word for each in (*self.things, *self.holders) for word in each.split()}
        others = [s for s in CATEGORIES if s not in self.sorts and not {*CATEGORIES[s]} & {*self.things}]
        known = [s for s in others if not {*s.split()} & words and s in {each for pair in SORTED for each in pair}]
        if not known or not self.sorts or self.stacked:
            return None
        sort = one(self.rng, tuple(known))
        if any({sort, each} <= {"pen", "pencil"} or "condiment" in (sort, each) for each in self.sorts):
            return None
        why = f"There are no {plural_of(sort)} here."
        end = one(self.rng, (*self.holders, *TABLE))
        return self._said(self._a(_NONE, sort, at=end), call("cannot", why), Goal("refusal", about=plural_of(sort)))

    def tower(self) -> Said | None:
        """All of a kind in one stack."""
        if len(self.stacked) < 2:
            return None
        noun = head_noun(self.stacked[0])
        names = [each for each in self.things if head_noun(each) == noun]
        many = identifier(plural(noun))
        program = f"for i in range(1, len({many})):\n    {PUT}({many}[i], {many}[i - 1])"
        goal = facts(*(("on", a, b) for b, a in itertools.pairwise(names)))
        return self._said(self._a(_STACK, m=plural(noun)), program, goal)

    # Questions --------------------------------------------------------------------------------------------------------

    def asked(self) -> Said | None:
        """What is empty, and what is where."""
        if len(self.holders) < 2:
            return None
        letter, end, roll = self.noun[0], one(self.rng, tuple(self.holders)), self.rng.random()
        found = f"[{letter} for {letter} in {self.many} if empty({letter})]"
        if roll < 0.3:
            return self._said(self._a(_WHICH), f"say({found})", says(self.free))
        if roll < 0.5:
            return self._said(self._a(_HOW_MANY), f"say(len({found}))", says(len(self.free)))
        if roll < 0.75:
            return self._said(self._a(_IS, at=end), f"say({call('empty', end)})", says(self.spots.empty(end)))
        inside = [each for each in self.things if self.spots.on(each, end)]
        program = f"say([o for o in objects if {call('on', Code('o'), end)}])"
        return self._said(self._a(_WHAT, at=end), program, says(inside) if inside else says(...))

    def ways(self) -> list[tuple[Drawn, float]]:
        """All of it, with how often."""
        found: list[tuple[Drawn, float]] = [
            (self.empty_two, 4), (self.different, 1.2), (self.named, 1.5), (self.empty_one, 2), (self.one_sort, 1.5),
            (self.all_but, 0.8), (self.no_such, 0.6), (self.tower, 2), (self.asked, 1.2),
        ]  # fmt: skip
        total = sum(weight for _, weight in found)
        return [(way, weight / total) for way, weight in found]


def samples(rng: Rng) -> Iterator[Sample]:
    """One conversation at a table with clutter, or with things to stack."""
    colours = some(rng, PLAIN_COLOURS, 9)
    holder = one(rng, _HOLDERS)
    holders = [f"{colour} {holder}" for colour in colours[: int(rng.integers(2, 5))]]
    sorts: dict[str, list[str]] = {}
    stacked: list[str] = []
    if rng.random() < 0.2:
        noun = "block" if rng.random() < 0.4 else one(rng, MOVABLE).split()[-1]
        stacked = [f"{colour} {noun}" for colour in colours[: int(rng.integers(2, 6))]]
        holders = holders if rng.random() < 0.3 else []
    else:
        pair = SORTED[int(rng.integers(len(SORTED)))]
        sorts = {each: some(rng, CATEGORIES[each], int(rng.integers(1, 5))) for each in some(rng, pair, 2)}
    names = [*itertools.chain(*sorts.values()), *stacked, *holders]
    if len({*names}) < len(names) or violations(", ".join(names)):
        return
    if any(head_noun(each) == holder for each in names[: len(names) - len(holders)]):
        return  # "the cups into the cups": nobody can tell which are meant
    clutter = Clutter(rng, sorts, holders, stacked)
    common = Common(rng, [*clutter.things, *holders], [*clutter.world.skills, *clutter.world.relations])
    yield from converse(rng, Talk("meaning.sorting", clutter.world), [*clutter.ways(), *common.ways(0.25)])
