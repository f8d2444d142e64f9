"""What the guidelines imply: the steps that are left, as keys in a partial order, from an order and the true state.

A counter: what is in the vessel at work may stay if the order wants all of it and nothing that had to go in earlier is
missing; else the vessel is thrown away and another one begun. A machine: what is loaded and prepared already stays.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from thinkaloud_bench.itp.episodes import CounterOrder, MachineOrder


@dataclass(frozen=True, slots=True)
class ExpectedSteps:
    """Steps in one right order; `before` has the pairs of places whose order matters.

    A block is what one hand does with one thing: blocks may change places as wholes, but not be mixed; one that is
    `begun` comes first.
    """

    keys: tuple[str, ...]
    before: frozenset[tuple[int, int]] = frozenset()
    blocks: tuple[tuple[int, ...], ...] = ()
    begun: bool = False


@dataclass(frozen=True, slots=True)
class CounterState:
    """What is true at a counter: what is in the vessel that is at work (or finished already), None if there is none."""

    contents: tuple[str, ...] | None = None
    finished: bool = False


@dataclass(frozen=True, slots=True)
class MachineState:
    """What is true of a machine, as far as it decides what is left to do."""

    loaded: Mapping[str, int] = field(default_factory=dict)
    held: str | None = None
    prepared: bool = False
    opened: bool = False
    pulled: bool = False
    additive: str | None = None


def can_become(contents: Sequence[str], order: CounterOrder) -> bool:
    """Whether what is in a vessel can become what is ordered by adding to it."""
    layer = {material: rank for rank, layer in enumerate(order.layers) for material in layer}
    if not all(material in layer for material in contents):
        return False
    ranks = [layer[material] for material in dict.fromkeys(contents)]
    missing = [rank for material, rank in layer.items() if material not in contents]
    return ranks == sorted(ranks) and (not ranks or all(rank >= max(ranks) for rank in missing))


def expected_at_counter(order: CounterOrder, state: CounterState) -> ExpectedSteps:
    """What is left to do for a drink (or whatever is made there)."""
    there = state.contents
    if there is not None and state.finished and set(there) == set(order.materials) and can_become(there, order):
        return ExpectedSteps(())
    keys, ranks = list[str](), list[int]()
    if there is None or state.finished or not can_become(there, order):
        keys, ranks = (["get"], [-1]) if there is None else (["discard", "get"], [-2, -1])
        there = ()
    for rank, layer in enumerate(order.layers):
        missing = [f"add {material}" for material in layer if material not in there]
        keys += missing
        ranks += [rank] * len(missing)
    keys.append("finish")
    ranks.append(len(order.layers))
    return ExpectedSteps(tuple(keys), _ordered(len(keys), lambda a, b: ranks[a] < ranks[b]))


def expected_at_machine(order: MachineOrder, state: MachineState) -> ExpectedSteps:
    """What is left to do until everything ordered is ready."""
    left = Counter(dict(order.items))
    left.subtract(state.loaded)
    keys, blocks = list[str](), list[tuple[int, ...]]()

    def block(*parts: str) -> None:
        blocks.append(tuple(range(len(keys), len(keys) + len(parts))))
        keys.extend(parts)

    if state.held is not None and left[state.held] > 0:
        left[state.held] -= 1
        block(*([] if state.prepared else [f"prepare {state.held}"]), f"put {state.held}")
    begun = bool(blocks)
    for kind, _ in order.items:
        for _ in range(max(left[kind], 0)):
            block(f"grasp {kind}", f"prepare {kind}", f"put {kind}")
    opening = [key for key, done in (("open", state.opened), ("pull", state.pulled)) if not done]
    at = blocks[0][-1] if blocks else len(keys)  # the door is opened just before the first thing is put in
    keys[at:at] = opening
    blocks = [tuple(i + len(opening) * (i >= at) for i in each) for each in blocks]
    keys += [] if state.additive == order.additive else [f"additive {order.additive}"]
    keys += ["close", "start", "wait", "check", "return"]
    tail = keys.index("close")
    chains = [list(each) for each in blocks]
    pairs = {(a, b) for chain in chains for i, a in enumerate(chain) for b in chain[i + 1 :]}
    pairs |= {(a, b) for b in range(tail, len(keys)) for a in range(b)}
    puts = [chain[-1] for chain in chains]
    opens = [keys.index(key) for key in opening]
    pairs |= {(a, b) for a in opens for b in puts} | {(a, b) for a in opens for b in opens if a < b}
    for at, key in enumerate(keys):
        if key.startswith("additive ") and "open" in opening:
            pairs.add((keys.index("open"), at))
    return ExpectedSteps(tuple(keys), close_order(pairs), tuple(blocks), begun)


def expected_as_listed(steps: Sequence[str], sentence: Callable[[str], str]) -> ExpectedSteps:
    """The steps of a file, in their order; it is free only among neighbours that are the same `sentence`."""
    groups, group = list[int](), 0
    for at, step in enumerate(steps):
        group += at > 0 and sentence(step) != sentence(steps[at - 1])
        groups.append(group)
    return ExpectedSteps(tuple(steps), _ordered(len(steps), lambda a, b: groups[a] < groups[b]))


def _ordered(count: int, first: Callable[[int, int], bool]) -> frozenset[tuple[int, int]]:
    return frozenset((a, b) for a in range(count) for b in range(count) if first(a, b))


def close_order(pairs: set[tuple[int, int]]) -> frozenset[tuple[int, int]]:
    """With all that follows from the pairs."""
    after: dict[int, set[int]] = defaultdict(set)
    for a, b in pairs:
        after[a].add(b)
    for middle in list(after):
        for reached in after.values():
            if middle in reached:
                reached |= after[middle]
    return frozenset((a, b) for a, found in after.items() for b in found)
