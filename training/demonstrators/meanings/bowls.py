"""Blocks and bowls as HiCRISP's table has them: so many, by warm or cool colours, and so many bowls left empty.

What lies where is in no prompt, so what depends on it is asked by the program: which bowls are empty, what can be
spared.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from thinkaloud.language.words import plural
from thinkaloud.program.lexicon import identifier
from thinkaloud.worlds.full_world import FullWorld
from thinkaloud_worlds.tabletop.layout import PLACES
from training.demonstrators.hicrisp import table as asked
from training.demonstrators.hicrisp.heldout import is_held_out
from training.demonstrators.hicrisp.saying import framed
from training.demonstrators.inner_monologue.scenes import Scene
from training.demonstrators.meanings.common import Code, call
from training.demonstrators.meanings.goals import Goal, facts
from training.demonstrators.meanings.sketch import Fact
from training.demonstrators.meanings.spots import Spots
from training.demonstrators.meanings.talking import Rng, Said

PUT = "pick_and_place"
_TRIES = 60
Laying = Callable[[Rng, Scene], tuple[FullWorld, Spots]]
"""Lays a scene on the table: its world, and where things are."""
_LEFT_OPEN = ("one of the", "the same", "any", "a")


def left_empty(blocks: str, bowls: str, count: int) -> str:
    """So many bowls are empty in the end: what lies in none, or is not alone in its own, goes into the others that are
    empty; where there are too few, what is in the first goes to the second."""
    left = f" - {count}" if count else ""
    lines = [
        f"e = [w for w in {bowls} if not any([on(b, w) for b in {blocks}])]",
        f"s = [b for b in {blocks} if not any([on(b, w) for w in {bowls}])]",
        f"for w in {bowls}:",
        f"    s = s + sorted([b for b in {blocks} if on(b, w)], key=level)[1:]",
        f"for i in range(len(e){left}):",
        f"    {PUT}(s[i], e[i])",
    ]
    if count:
        lines += [
            "if not e:",
            f"    {PUT}([b for b in {blocks} if on(b, {bowls}[0])], {bowls}[1])",
        ]
    return "\n".join(lines)


class Bowls:
    """One scene that HiCRISP's requests are about, and the one of them that it was drawn for."""

    def __init__(self, rng: Rng, laid: Laying) -> None:
        self.rng = rng
        self.said: Said | None = None
        kinds = (asked._count, asked._one_each, asked._group, asked._empties, asked._empty_one, asked._pairs)
        kind = kinds[int(rng.choice(len(kinds), p=(0.2, 0.12, 0.32, 0.26, 0.06, 0.04)))]
        self.drawn, (request, moves) = kind(rng)
        scene = self.drawn
        self.scene = Scene(tuple(scene.blocks), tuple(scene.bowls), tuple(PLACES), scene.block, scene.bowl)
        self.world, self.spots = laid(rng, self.scene)
        self.spots.under = dict(scene.lying)
        built = None if not moves else self._program(kind.__name__, request, moves)
        text = framed(rng, request, own=0.02)
        if built is not None and not is_held_out(text):
            self.said = Said(text, *built)

    def _program(self, kind: str, request: str, moves: Sequence[asked.Move]) -> tuple[str, Goal] | None:
        scene = self.drawn
        many, where = self._listed(scene.blocks, scene.block), self._listed(scene.bowls, scene.bowl)
        targets = {target for _, target in moves}
        goal = facts(*(("on", block, target) for block, target in moves))
        match kind:
            case "_empties":
                return self._empties(request, many, where)
            case "_one_each" if len(scene.bowls) > 1:
                short = many if len(scene.blocks) <= len(scene.bowls) else where
                return f"for i in range(len({short})):\n    {PUT}({many}[i], {where}[i])", goal
            case "_empty_one":
                first = scene.bowls[0]
                return call(PUT, Code(f'[b for b in {many} if on(b, "{first}")]'), *targets), goal
            case "_group" | "_count" if scene.lying:
                return None
            case "_group" | "_count":
                end = self._end(request, where, targets.pop())
                names = [block for block, _ in moves]
                by_look = kind == "_group" and any(end == bowl for bowl in scene.bowls) and self._blocks_chosen(request)
                things: object = names if by_look else Code(f"{many}[:{len(names)}]")
                single = len(names) == 1
                return call(PUT, (names[0] if by_look else Code(f"{many}[0]")) if single else things, end), goal
        return "\n".join(call(PUT, *move) for move in moves), goal

    def _blocks_chosen(self, request: str) -> bool:
        """Whether blocks are chosen by their colours, and not the bowl."""
        words = request.replace("-", " ").split()
        at = next(place for place, word in enumerate(words) if word in ("warm", "cool"))
        return (
            any(word.startswith(self.drawn.block) for word in words[at:])
            or f"{self.drawn.block}s with" in request
            or f"{self.drawn.block}s of" in request
        )

    def _end(self, request: str, where: str, bowl: str) -> str | Code:
        """The bowl as it was spoken of: by its name, or any of them."""
        noun = self.drawn.bowl
        free = any(f"{word} {form}" in request for word in _LEFT_OPEN for form in (noun, plural(noun)))
        return Code(f"{where}[0]") if free and bowl not in request and bowl == self.drawn.bowls[0] else bowl

    def _empties(self, request: str, many: str, where: str) -> tuple[str, Goal] | None:
        words = request.split()
        count = 0 if "no" in words else 2 if "two" in words else 1
        empty = [bowl for bowl in self.drawn.bowls if not self.drawn.inside(bowl)]
        if len(self.drawn.bowls) < 2 or (count > len(empty) and (count, len(empty)) != (1, 0)):
            return None
        lying, bowls = dict(self.drawn.lying), self.drawn.bowls

        def fits(found: frozenset[Fact]) -> bool:
            then = asked.Scene(self.drawn.blocks, bowls, lying | {fact[1]: fact[2] for fact in found})
            return sum(not then.inside(bowl) for bowl in bowls) == count

        return left_empty(many, where, count), Goal(fits=fits)

    def _listed(self, names: Sequence[str], noun: str) -> str:
        return identifier(plural(noun)) if len(names) > 1 else "objects"


def drawn_bowls(rng: Rng, laid: Laying) -> Bowls:
    """A scene with something to say about it."""
    for _ in range(_TRIES):
        found = Bowls(rng, laid)
        if found.said is not None:
            return found
    raise RuntimeError("nothing to say about any table")  # never so
