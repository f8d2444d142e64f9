"""Goals of the requests in HiCRISP's Table II, judged by the true positions, and the next move towards each."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Protocol

from thinkaloud_worlds.tabletop import Tabletop

_Move = tuple[str, str]


class TableGoal(Protocol):
    """What a request wants of a table."""

    def share(self, table: Tabletop) -> float:
        """How much of it is there, from 0 to 1."""
        ...

    def met(self, table: Tabletop) -> bool:
        """Whether it is so now, all of it."""
        ...

    def move(self, table: Tabletop) -> _Move | None:
        """A block and where it should go next; None if nothing on the table helps."""
        ...


@dataclass(frozen=True)
class TwoTogether:
    """Two blocks, and no more, are in one of these bowls."""

    bowls: tuple[str, ...]

    def share(self, table: Tabletop) -> float:
        """One half for each block."""
        return 1.0 if self.met(table) else min(max(len(blocks_in(table, bowl)) for bowl in self.bowls), 1) / 2

    def met(self, table: Tabletop) -> bool:
        """Whether it is so now."""
        return any(len(blocks_in(table, bowl)) == 2 for bowl in self.bowls)

    def move(self, table: Tabletop) -> _Move | None:
        """Another block into the bowl that has most; or one too many out of it."""
        bowl = max(self.bowls, key=lambda bowl: (len(blocks_in(table, bowl)) <= 2, len(blocks_in(table, bowl))))
        inside = blocks_in(table, bowl)
        if len(inside) > 2:
            return _away(table, inside)
        return _into(table, [block for block in table.blocks if block not in inside], bowl)


@dataclass(frozen=True)
class OneEach:
    """Every bowl has exactly one block in it."""

    def share(self, table: Tabletop) -> float:
        """By bowls."""
        return sum(len(blocks_in(table, bowl)) == 1 for bowl in table.bowls) / len(table.bowls)

    def met(self, table: Tabletop) -> bool:
        """Whether it is so now."""
        return self.share(table) == 1.0

    def move(self, table: Tabletop) -> _Move | None:
        """A block that is in no bowl, or not alone in its bowl, into an empty one."""
        return _into(table, _spare_blocks(table), *_empty_bowls(table))


@dataclass(frozen=True)
class AllIn:
    """These blocks are in the bowl, and no others are."""

    blocks: tuple[str, ...]
    bowl: str

    def share(self, table: Tabletop) -> float:
        """By blocks; each that does not belong there undoes one that does."""
        inside = blocks_in(table, self.bowl)
        right = len([block for block in inside if block in self.blocks])
        return max(2 * right - len(inside), 0) / len(self.blocks)

    def met(self, table: Tabletop) -> bool:
        """Whether it is so now."""
        return {*blocks_in(table, self.bowl)} == {*self.blocks}

    def move(self, table: Tabletop) -> _Move | None:
        """One that belongs there in, or one that does not out."""
        inside = blocks_in(table, self.bowl)
        wrong = [block for block in inside if block not in self.blocks]
        if wrong:
            return _away(table, wrong)
        return _into(table, [block for block in self.blocks if block not in inside], self.bowl)


@dataclass(frozen=True)
class OneEmpty:
    """Exactly one bowl has no block in it."""

    def share(self, table: Tabletop) -> float:
        """How near the number of empty bowls is to one."""
        return 1 - abs(len(_empty_bowls(table)) - 1) / max(len(table.bowls) - 1, 1)

    def met(self, table: Tabletop) -> bool:
        """Whether it is so now."""
        return len(_empty_bowls(table)) == 1

    def move(self, table: Tabletop) -> _Move | None:
        """A block that can be spared into an empty bowl; where no bowl is empty, out of the one with the fewest."""
        empty = _empty_bowls(table)
        if empty:
            return _into(table, _spare_blocks(table), *empty)
        least = min(table.bowls, key=lambda bowl: len(blocks_in(table, bowl)))
        return _into(table, blocks_in(table, least), *(bowl for bowl in table.bowls if bowl != least))


def blocks_in(table: Tabletop, bowl: str) -> list[str]:
    """The blocks that are in a bowl."""
    return [block for block in table.blocks if table.on(block, bowl)]


def _empty_bowls(table: Tabletop) -> list[str]:
    """The bowls that have no block in them."""
    return [bowl for bowl in table.bowls if not blocks_in(table, bowl)]


def _spare_blocks(table: Tabletop) -> list[str]:
    """The blocks in no bowl; where there are none, those that are not alone in theirs."""
    filled = [blocks_in(table, bowl) for bowl in table.bowls]
    loose = [block for block in table.blocks if not any(block in blocks for blocks in filled)]
    return [block for block in loose if _there(table, block)] or [
        block for blocks in filled if len(blocks) > 1 for block in blocks
    ]


def _into(table: Tabletop, blocks: list[str], *bowls: str) -> _Move | None:
    """The nearest of the blocks into the nearest of the bowls; first what covers all of them aside."""
    there = [block for block in blocks if _there(table, block)]
    free = [block for block in there if _covering(table, block) is None]
    pairs = [(block, bowl) for block in free for bowl in bowls]
    if pairs:
        return min(pairs, key=lambda pair: math.dist(table.position(pair[0])[:2], table.position(pair[1])[:2]))
    return _away(table, [str(_covering(table, block)) for block in there]) if bowls else None


def _away(table: Tabletop, blocks: list[str]) -> _Move | None:
    """The topmost of some blocks to where the table is free."""
    for block in sorted(blocks, key=lambda block: -table.position(block)[2]):
        things = [name for name in (*table.blocks, *table.bowls) if name != block]
        room = {p: min(math.dist(table.position(p)[:2], table.position(t)[:2]) for t in things) for p in table.places}
        return block, max(room, key=lambda place: room[place])
    return None


def _there(table: Tabletop, block: str) -> bool:
    """Whether a block is still on the table."""
    return table.position(block)[2] > 0


def _covering(table: Tabletop, block: str) -> str | None:
    return next((other for other in table.blocks if other != block and table.on(other, block)), None)
