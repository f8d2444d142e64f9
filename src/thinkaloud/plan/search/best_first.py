"""Best-first search: from a situation to one in which all goals hold, using the steps that may contribute.

Relevant facts are numbered, so that a situation is an integer used as a bit set. The distance to the goal is estimated
by adding up what each goal would cost if nothing were ever undone.
"""

from __future__ import annotations

import heapq
import itertools
import math
import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace

from thinkaloud.plan.search.facts import Literal
from thinkaloud.plan.search.situations import Act, Situation
from thinkaloud.plan.search.useful_steps import Library
from thinkaloud.worlds.invariants import Invariant, tell_never

MARK = "\0done"
"""Relations that begin with this are the search's own notes."""
_WEIGHT = 1.5
"""The weight of the estimated remaining cost against the cost so far."""
_CALMLY = 1500
"""After this many situations, the search becomes greedy: it takes what looks nearest, whatever it has cost so far."""
_DEEPEST_FIRST = 12
_SAME_WORDS = 60
"""An action that was refused this often with the same words is given up."""


@dataclass
class Budget:
    """The remaining effort. The number of situations is the limit; the time limit is for extremely slow skills."""

    left: int
    until: float = math.inf
    spent: int = 0

    @classmethod
    def of(cls, most: int, seconds: float) -> Budget:
        """Allow this many situations, and at most this many seconds."""
        return cls(most, time.monotonic() + seconds)

    def take(self) -> bool:
        """Use one situation, if there is one left."""
        if self.left <= 0 or time.monotonic() > self.until:
            self.left = 0
            return False
        self.left, self.spent = self.left - 1, self.spent + 1
        return True

    def share(self, most: int) -> Budget:
        """Return part of the budget; report what was used of it with `settle`."""
        return Budget(min(self.left, most), self.until)

    def settle(self, part: Budget) -> None:
        """Count what a part has used."""
        self.left, self.spent = max(self.left - part.spent, 0), self.spent + part.spent


@dataclass
class Trail:
    """The result of a search: the steps and where they lead, or what was refused on the way."""

    acts: tuple[Act, ...] | None = None
    end: Situation | None = None
    refused: dict[str, Act] = field(default_factory=dict)
    """Objections, and the step that each one is about."""
    exhausted: bool = False
    """Everything was tried."""
    told: dict[str, int] = field(default_factory=dict)
    """How often each objection to an action was made."""
    forbidden: bool = False
    """An action was refused because of what must never be so; nothing else is moved to make it possible."""

    def forbid(self, why: str, act: Act) -> None:
        """Note that a step would bring about what must never be so."""
        self.refused.setdefault(why, act)
        self.forbidden |= bool(act.marks)

    @property
    def hopeless(self) -> bool:
        """Whether an action was always refused with the same words, whatever was done before it."""
        return len(self.told) == 1 and max(self.told.values()) >= _SAME_WORDS


class _Node:
    __slots__ = ("act", "cost", "first", "mask", "parent", "situation")

    def __init__(
        self, parent: _Node | None, act: Act | None, mask: int, cost: float, situation: Situation | None
    ) -> None:
        self.parent, self.act, self.mask, self.cost, self.situation = parent, act, mask, cost, situation
        self.first: tuple[Act, ...] = ()

    def reached(self) -> Situation:
        """The situation itself, computed when it is needed."""
        if self.situation is None:
            assert self.parent is not None and self.act is not None
            self.situation = self.parent.reached().after(self.act)
        return self.situation

    def acts(self) -> Iterator[Act]:
        if self.parent is not None and self.act is not None:
            yield from self.parent.acts()
            yield from self.first
            yield self.act


_Never = tuple[tuple[Literal, ...], Invariant]
"""Facts that must never hold together."""


class Numbered:
    """Steps and literals, numbered."""

    def __init__(self, acts: Sequence[Act], goals: Iterable[Literal], never: Iterable[_Never] = ()) -> None:
        goals, never = list(goals), [*_reachable(never, acts)]
        needed = dict.fromkeys(itertools.chain(goals, *(act.needs for act in acts), *(act.marks for act in acts)))
        needed |= dict.fromkeys(literal for facts, _ in never for literal in facts)
        self.literals = list(needed)
        self.number = {literal: i for i, literal in enumerate(self.literals)}
        self.marks = self.mask(literal for literal in self.literals if literal.atom.relation == MARK)
        self.goal = self.mask(goals)
        self.never = [(self.mask(facts), each) for facts, each in never]
        self.acts = acts
        self.place = {id(act): a for a, act in enumerate(acts)}
        self._about: dict[str, list[int]] = {}
        self._about_first: dict[tuple[str, object], list[int]] = {}
        for i, literal in enumerate(self.literals):
            relation, values = literal.atom
            self._about.setdefault(relation, []).append(i)
            if values:
                self._about_first.setdefault((relation, values[0]), []).append(i)
        self.needs = [self.mask(act.needs) for act in acts]
        made = [self._made(act) for act in acts]
        self.makes, self.breaks = [each[0] for each in made], [each[1] for each in made]
        self.goal_numbers = bits(self.goal)
        self.needed_by: list[list[int]] = [[] for _ in self.literals]
        for a, act in enumerate(acts):
            for need in act.needs:
                self.needed_by[self.number[need]].append(a)

    def mask(self, literals: Iterable[Literal]) -> int:
        """Return the bits of some literals."""
        found = 0
        for literal in literals:
            found |= 1 << self.number[literal]
        return found

    def look(self, situation: Situation, marked: int = 0) -> int:
        """Return the bits of what holds in a situation."""
        found = marked & self.marks
        for i, literal in enumerate(self.literals):
            if not self.marks >> i & 1 and situation.holds(literal):
                found |= 1 << i
        return found

    def find_new_break(self, before: int, after: int) -> str:
        """Return what must never be so and becomes so between two sets of bits, in words; or nothing."""
        return tell_never([each for bad, each in self.never if after & bad == bad and before & bad != bad][:1])

    def _made(self, act: Act) -> tuple[int, int]:
        """Return the bits that a step sets, and those that it clears."""
        makes = breaks = 0
        added = {*act.adds}
        for end in act.ends:
            first = end.values[0] if end.values else None
            near = (
                self._about.get(end.relation, ()) if first is None else self._about_first.get((end.relation, first), ())
            )
            for i in near:
                literal = self.literals[i]
                if end.covers(literal.atom) and literal.atom not in added:
                    if literal.so:
                        breaks |= 1 << i
                    else:
                        makes |= 1 << i
        for atom in act.adds:
            makes |= 1 << self.number[Literal(atom)] if Literal(atom) in self.number else 0
            breaks |= 1 << self.number[Literal(atom, False)] if Literal(atom, False) in self.number else 0
        return makes | self.mask(act.marks), breaks

    def estimate(self, mask: int, *, everything: bool = False) -> tuple[float, list[float]]:
        """Return the cost of reaching all goals if nothing were ever undone, and the cost of each literal alone."""
        costs = [0.0 if mask >> i & 1 else math.inf for i in range(len(self.literals))]
        missing = [(needs & ~mask).bit_count() for needs in self.needs]
        sums = [act.cost for act in self.acts]
        queue: list[tuple[float, int]] = []
        settled, goal = mask, self.goal
        self.by: dict[int, int] = {}

        def offer(a: int) -> None:
            fresh = self.makes[a] & ~settled
            while fresh:
                low = fresh & -fresh
                fresh ^= low
                i = low.bit_length() - 1
                if sums[a] < costs[i]:
                    costs[i] = sums[a]
                    self.by[i] = a
                    heapq.heappush(queue, (sums[a], i))

        for a, count in enumerate(missing):
            if count == 0:
                offer(a)
        while queue and (everything or goal & ~settled):
            cost, i = heapq.heappop(queue)
            if settled >> i & 1:
                continue
            settled |= 1 << i
            for a in self.needed_by[i]:
                missing[a] -= 1
                sums[a] += cost
                if missing[a] == 0:
                    offer(a)
        return sum(costs[i] for i in self.goal_numbers), costs

    def relax(self, mask: int) -> tuple[float, set[int]]:
        """Return the cost if nothing were undone and no step repeated, and the steps to begin with."""
        far, _ = self.estimate(mask)
        if math.isinf(far):
            return far, set()
        chosen, todo = set[int](), [i for i in self.goal_numbers if not mask >> i & 1]
        for i in todo:  # `todo` grows during the loop
            if (a := self.by[i]) not in chosen:
                chosen.add(a)
                todo += [n for need in self.acts[a].needs if not mask >> (n := self.number[need]) & 1]
        first = {a for a in chosen if not self.needs[a] & ~mask}
        return sum(self.acts[a].cost for a in chosen), first


class Search:
    """One search over some steps."""

    def __init__(self, library: Library, acts: Sequence[Act], goals: Iterable[Literal]) -> None:
        self.library, self.numbered = library, Numbered(acts, goals, library.never)
        self.asks = any(act.skill.preconditions or act.skill.remembers or act.skill.first for act in acts)
        self._keeps = library.keeps

    def run(self, start: Situation, budget: Budget) -> Trail:
        """Return the steps to a situation where all goals hold."""
        part = budget.share(_CALMLY)
        trail = self._run(start, part)
        budget.settle(part)
        if trail.acts is None and not trail.exhausted and not trail.hopeless and budget.left:
            hasty = self._rush(start, budget)
            forbidden = trail.forbidden or hasty.forbidden
            trail = replace(hasty, refused=trail.refused | hasty.refused, forbidden=forbidden)
        return trail

    def _run(self, start: Situation, budget: Budget) -> Trail:
        trail, numbered, count = Trail(), self.numbered, itertools.count()
        root = _Node(None, None, numbered.look(start), 0.0, start)
        far, _ = numbered.estimate(root.mask)
        if math.isinf(far):
            trail.exhausted = True
            return trail
        queue = [(far, next(count), root)]
        best: dict[object, float] = {self._key(root): 0.0}
        while queue and not trail.hopeless:
            _, _, node = heapq.heappop(queue)
            if numbered.goal & ~node.mask == 0:
                trail.acts, trail.end = tuple(node.acts()), node.reached()
                return trail
            if node.cost > best[self._key(node)]:
                continue
            for new in self._next(node, trail, budget):
                key = self._key(new)
                if new.cost >= best.get(key, math.inf):
                    continue
                if new.situation is None and not budget.take():
                    return trail
                best[key] = new.cost
                far, _ = numbered.estimate(new.mask)
                if not math.isinf(far):
                    heapq.heappush(queue, (new.cost + _WEIGHT * far, next(count), new))
        trail.exhausted = budget.left > 0 and not trail.hopeless
        return trail

    def _rush(self, start: Situation, budget: Budget) -> Trail:
        """The same, but greedy: evaluate a situation when its turn comes, and try helpful steps first."""
        trail, numbered, count = Trail(), self.numbered, itertools.count()
        root = _Node(None, None, numbered.look(start), 0.0, start)
        queue: list[tuple[float, int, _Node]] = [(0.0, next(count), root)]
        seen: set[object] = {self._key(root)}
        while queue and not trail.hopeless:
            _, _, node = heapq.heappop(queue)
            if numbered.goal & ~node.mask == 0:
                trail.acts, trail.end = tuple(node.acts()), node.reached()
                return trail
            if not budget.take():
                return trail
            far, helpful = numbered.relax(node.mask)
            if math.isinf(far):
                continue
            for new in self._next(node, trail, budget):
                if (key := self._key(new)) not in seen:
                    seen.add(key)
                    nearer = new.act is not None and numbered.place[id(new.act)] in helpful
                    heapq.heappush(queue, (far - 1.0 if nearer else far, next(count), new))
        trail.exhausted = budget.left > 0 and not trail.hopeless
        return trail

    def _key(self, node: _Node) -> object:
        return (node.mask, node.reached().key) if self.asks else node.mask

    def _next(self, node: _Node, trail: Trail, budget: Budget) -> Iterator[_Node]:
        self.library.setting.go_on()
        numbered = self.numbered
        for a, act in enumerate(numbered.acts):
            if numbered.needs[a] & ~node.mask:
                continue
            mask = node.mask & ~numbered.breaks[a] | numbered.makes[a]
            skill = act.skill
            if mask == node.mask and not (skill.remembers or self.asks):
                continue
            if not (skill.preconditions or skill.remembers or skill.first or self._keeps):
                if why := numbered.find_new_break(node.mask, mask):
                    trail.forbid(why, act)
                else:
                    yield _Node(node, act, mask, node.cost + act.cost, None)
                continue
            if trail.hopeless or not budget.take():
                return
            new = self._careful(node, act, mask, trail)
            if new is not None:
                yield new

    def _careful(self, node: _Node, act: Act, mask: int, trail: Trail) -> _Node | None:
        """The same for a step whose result does not follow from the bits alone."""
        before = node.reached()
        first = self.library.before(act, before, _DEEPEST_FIRST)
        if first is None:
            return None
        done, last, cost = before, before, node.cost + act.cost
        for each in (*first, act):
            problem = done.objection(each)
            if problem:
                trail.refused.setdefault(problem, each)
                if each.marks:
                    trail.told[problem] = trail.told.get(problem, 0) + 1
                return None
            after = done.after(each)
            if self.library.touches_kept(each, done, after):
                trail.refused.setdefault(f"For that I would have to touch {self.library.kept_words}.", each)
                return None
            if each is not act and (why := self.library.find_new_break(done, after)):
                trail.forbid(why, each)
                return None
            done, last = after, done
        if act.skill.remembers is not None or first:
            mask = self.numbered.look(done, mask)
        if why := self.numbered.find_new_break(self.numbered.look(last) if first else node.mask, mask):
            trail.forbid(why, act)
            return None
        new = _Node(node, act, mask, cost + sum(each.cost for each in first), done)
        new.first = tuple(first)
        return new


def _reachable(never: Iterable[_Never], acts: Iterable[Act]) -> Iterator[_Never]:
    """Return what must never be so if one of these steps could make a part of it so."""
    made = {(atom.relation, True) for act in acts for atom in act.adds}
    made |= {(atom.relation, False) for act in acts for atom in act.ends}
    remembers = any(act.skill.remembers for act in acts)
    return (each for each in never if remembers or any((fact.atom.relation, fact.so) in made for fact in each[0]))


def bits(mask: int) -> list[int]:
    """Return the numbers of the bits that are set."""
    found = []
    while mask:
        low = mask & -mask
        found.append(low.bit_length() - 1)
        mask ^= low
    return found
