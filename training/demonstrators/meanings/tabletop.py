"""The table of Inner Monologue: what people ask for with blocks and bowls, and much that is called otherwise."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator
from functools import cache

from thinkaloud.language.words import NUMBERS, plural, stems
from thinkaloud.program.lexicon import identifier
from thinkaloud.records import Observation
from thinkaloud.robots import open_world
from thinkaloud.worlds.full_world import FullWorld
from thinkaloud_worlds.tabletop.layout import PLACES, TABLE_TOP
from training.demonstrators.inner_monologue.abroad import abroad
from training.demonstrators.inner_monologue.asking import Asked
from training.demonstrators.inner_monologue.requests import Requests
from training.demonstrators.inner_monologue.scenes import Scene, draw, matched
from training.demonstrators.inner_monologue.table import TABLETOP, scattered
from training.demonstrators.meanings.bowls import drawn_bowls
from training.demonstrators.meanings.common import Code, Common, call, said, written
from training.demonstrators.meanings.goals import Goal, facts
from training.demonstrators.meanings.relating import Relating
from training.demonstrators.meanings.sketch import Fact, Sketch, sketch_of
from training.demonstrators.meanings.spots import Spots, scatter
from training.demonstrators.meanings.talking import CHECKED, Drawn, Rng, Said, Talk, converse
from training.heldout import violations
from training.noise import noisy
from training.samples import Sample
from training.words import FOODS, OBJECTS

PUT = "pick_and_place"
_BOWLS = 0.3
"""The share of conversations that are about what HiCRISP asks for at a table."""
_WRONG = re.compile(r"(no|i meant|wait|sorry|not)\b", re.IGNORECASE)
_MIDDLES = {
    name: (region.centre[0] - TABLE_TOP.x[0], region.centre[1] - TABLE_TOP.y[0]) for name, region in PLACES.items()
}


def leaves(object: str, **where: object) -> tuple[tuple[str, dict[str, str]], ...]:
    """What was under a thing is it no longer."""
    return (("on", {"object": object}),)


@cache
def table() -> tuple[Sketch, FullWorld]:
    """The table that all scenes are laid on."""
    return sketch_of(open_world("tabletop"), ends=dict.fromkeys((PUT, "put_beside", "put_between"), leaves))


def laid(rng: Rng, scene: Scene) -> tuple[FullWorld, Spots]:
    """The table with these things on it, scattered."""
    sketch, whole = table()
    names = [*scene.things, *scene.containers]
    spots = Spots(scatter(rng, names), places=_MIDDLES if scene.places == tuple(PLACES) else _row(scene.places))
    spots.wide = dict.fromkeys(scene.containers, 0.12)
    spots.under = scattered(rng, scene.things, scene.containers, scene.places)
    targets = (*scene.things, *scene.containers, *scene.places)
    vocabulary = {
        "object": scene.things,
        "target": targets,
        "object in view": scene.things,
        "target in view": targets,
        "thing": tuple(names),
    }
    sketch.scene, sketch.model = Observation(tuple(names), vocabulary), spots
    return whole, spots


def _row(places: tuple[str, ...]) -> dict[str, tuple[float, float]]:
    return {name: (0.1 * at, 0.45) for at, name in enumerate(places)}


class Plain(Requests):
    """The requests of `inner_monologue`, with goals that are pairs instead of sentences."""

    def fact(self, thing: str, target: str) -> str:
        return f"{thing} | {target}"

    def stays(self, thing: str) -> str:
        return f"{thing} | stays"

    def stack(self, base: str = "") -> str:
        return f"one stack of {base}"


class Tabletop:
    """Requests about one scene, each with its program and its goal."""

    def __init__(self, rng: Rng, scene: Scene) -> None:
        self.rng, self.scene = rng, scene
        self.world, self.spots = laid(rng, scene)
        self.requests = Plain(rng, scene, TABLETOP)

    def listed(self, noun: str) -> Code | list[str]:
        """The list of a kind, as programs call it."""
        names = self.scene.of(noun)
        return Code(identifier(plural(noun))) if len(names) > 1 else list(names)

    def kind(self, noun: str) -> tuple[str, ...]:
        """What can be put somewhere: containers, or places that are called so."""
        found = self.scene.of(noun)
        return found or tuple(place for place in self.scene.places if place.split()[-1] == noun)

    # From goals to programs -------------------------------------------------------------------------------------------

    def said(self, asked: Asked | None, *, first: bool = False) -> Said | None:
        """A request with its program; `first` where so many of a kind are meant, and not these very ones."""
        if asked is None or asked.missing:
            return None
        pairs = [tuple(goal.split(" | ")) for goal in asked.goal]
        built = self._program(pairs, first)
        if built is None:
            return None
        return Said(noisy(self.rng, asked.request, 0.3), *built)

    def _program(self, pairs: list[tuple[str, ...]], first: bool) -> tuple[str, Goal] | None:
        stay = [thing for thing, target in pairs if target == "stays"]
        pairs = [pair for pair in pairs if pair[1] != "stays"]
        (thing, target), *_rest = pairs
        if target.startswith("one stack of "):
            return self._tower(pairs, target.removeprefix("one stack of "))
        if target.startswith("a "):
            return self._some_target(pairs, target.split()[1:])
        if first:
            noun = thing.split()[-1]
            found = Code(f"{identifier(plural(noun))}[:{len(pairs)}]")
            return call(PUT, found, target), facts(*(("on", name, where) for name, where in pairs))
        if len(pairs) > 1 and len({where for _, where in pairs}) == 1 and "every" not in thing:
            names = [name for name, _ in pairs]
            return call(PUT, names, target), facts(*(("on", name, target) for name in names))
        lines, goal = list[str](), list[Fact]()
        before = [*stay]
        for what, where in pairs:
            line, names = self._all(what, where, before)
            before.append(what)
            lines.append(line)
            goal += [("on", name, where) for name in names if name != where]
        return "\n".join(lines), facts(*goal)

    def _all(self, what: str, where: str, apart: list[str]) -> tuple[str, list[str]]:
        """The call for one thing or all of a kind, and which things that are."""
        if what == "every thing":
            return call(PUT, Code("objects"), where), list(self.scene.things)
        if not what.startswith("every "):
            return call(PUT, what, where), [what]
        noun = what.split()[-1]
        names = [name for name in self.scene.of(noun) if name in self.scene.things]
        if not what.startswith("every other "):
            return call(PUT, self.listed(noun), where), names
        gone = [name for name in apart if name in names]
        left = [name for name in names if name not in gone]
        letter, kind = noun[0], identifier(plural(noun))
        but = f'{letter} != "{gone[0]}"' if len(gone) == 1 else f"{letter} not in {_names(gone)}"
        return call(PUT, Code(f"[{letter} for {letter} in {kind} if {but}]"), where), left

    def _tower(self, pairs: list[tuple[str, ...]], base: str) -> tuple[str, Goal] | None:
        every = pairs[0][0].startswith("every ")
        noun = pairs[0][0].split()[-1]
        names = list(self.scene.of(noun)) if every else [name for name, _ in pairs]
        if any(name not in self.scene.things for name in names) or base in names:
            return None
        goal = facts(*(("on", a, b) for b, a in itertools.pairwise(names)), *([("on", names[0], base)] if base else []))
        if every:
            kind = identifier(plural(noun))
            loop = f"for i in range(1, len({kind})):\n    {PUT}({kind}[i], {kind}[i - 1])"
            return (f"{PUT}({kind}[0], {_names([base])[1:-1]})\n" if base else "") + loop, goal
        lines = [call(PUT, names[0], base)] if base else []
        lines += [call(PUT, a, b) for b, a in itertools.pairwise(names)]
        return "\n".join(lines), goal

    def _some_target(self, pairs: list[tuple[str, ...]], target: list[str]) -> tuple[str, Goal] | None:
        """Any one of a kind, a different one each, or the one that looks alike, or not."""
        noun = target[-1]
        options = self.kind(noun)
        every = pairs[0][0].startswith("every ")
        kind = pairs[0][0].split()[-1]
        names = [n for n in self.scene.of(kind) if n in self.scene.things] if every else [name for name, _ in pairs]
        many = identifier(plural(noun))
        if len(options) < 2 or any(name in options for name in names):
            return None

        def fits(found: frozenset[Fact]) -> bool:
            where = {fact[1]: fact[2] for fact in found}
            looks = [(name.rpartition(" ")[0], end.rpartition(" ")[0]) for name, end in where.items()]
            how = {
                "different": len({*where.values()}) == len(where),
                "matching": all(a == b for a, b in looks),
                "mismatched": all(a != b for a, b in looks),
            }
            return {*where} == {*names} and {*where.values()} <= {*options} and how.get(target[0], True)

        goal = Goal(fits=fits)
        match target[0]:
            case "different" if every and len(names) > 1:
                here = identifier(plural(kind))
                return f"for i in range(len({here})):\n    {PUT}({here}[i], {many}[i])", goal
            case "different":
                pick = [call(PUT, name, Code(f"{many}[{at}]")) for at, name in enumerate(names)]
                return "\n".join(pick), goal
            case "matching" | "mismatched":
                same = target[0] == "matching"
                lines = []
                for name in names:
                    look = name.rpartition(" ")[0]
                    ends = [end for end in options if (end.rpartition(" ")[0] == look) is same]
                    if not ends:
                        return None
                    lines.append(call(PUT, name, ends[0]))
                return "\n".join(lines), goal
        if every:
            return call(PUT, self.listed(kind), Code(f"{many}[0]")), goal
        return call(PUT, names[0], Code(f"{many}[0]")), goal

    # Besides ----------------------------------------------------------------------------------------------------------

    def missing(self) -> Said:
        """Something that is not there, by the name that was said."""
        ask, known = self.requests, " ".join((*self.scene.things, *self.scene.containers, *self.scene.places))
        while stems(name := ask.pick((*OBJECTS, *FOODS))) & stems(known):
            pass
        if self.rng.random() < 0.4 and self.scene.things:  # one of the kind, of a colour that is not there
            look = ask.pick(("red", "blue", "green", "yellow", "violet", "teal", "striped", "silver"))
            name = f"{look} {self.scene.kind}"
            if look in known:
                return self.missing()
        if self.rng.random() < 0.6:
            target = ask.target()
            text, program = ask.say(f"the {name}", ask.spot(target)), call(PUT, name, target)
        else:
            thing = ask.pick(self.scene.things)
            where = f"{ask.pick(('in', 'on', 'into', 'onto'))} the {name}"
            text, program = ask.say(ask.the(thing, short=False), where), call(PUT, thing, name)
        return Said(noisy(self.rng, text, 0.2), program, Goal("refusal", about=f"no {name}"))

    def ambiguous(self) -> Said | None:
        """A noun that several things share: the deed with that noun, and the robot asks which."""
        ask, noun = self.requests, self.scene.kind
        if len(self.scene.of(noun)) < 2:
            return None
        if self.rng.random() < 0.6 or len(self.scene.containers) < 2:
            target = ask.target(of=noun)
            text, program = ask.say(f"the {noun}", ask.spot(target)), call(PUT, noun, target)
        else:
            noun = self.scene.holder
            thing = ask.pick(self.scene.things)
            text = ask.say(ask.the(thing, short=False), f"{ask.pick(('in', 'into', 'on'))} the {noun}")
            program = call(PUT, thing, noun)
        return Said(noisy(self.rng, text, 0.2), program, Goal("question", about=noun))

    def some_in_one(self) -> Said | None:
        """So many of a kind, any, in one and the same of several."""
        noun, holder = self.scene.kind, self.scene.holder
        names, ends = self.scene.of(noun), self.kind(holder)
        if len(names) < 3 or len(ends) < 2 or any(name not in self.scene.things for name in names):
            return None
        count = int(self.rng.integers(2, len(names)))
        many, where = identifier(plural(noun)), identifier(plural(holder))
        text = said(
            self.rng,
            (
                "[put|place|collect|drop] {c} {m} [together |]in [one|the same|a single|one and the same] {h}",
                "{c} {m} [belong|go|should go] in [one|the same] {h}[|, no matter which]",
                "[fill|load] one {h} with {c} {m}[|, one after the other]",
            ),
            c=str(count) if self.rng.random() < 0.3 else NUMBERS[count - 1],
            m=plural(noun),
            h=holder,
        )
        goal = facts(*(("on", name, ends[0]) for name in names[:count]))
        return Said(written(self.rng, text), call(PUT, Code(f"{many}[:{count}]"), Code(f"{where}[0]")), goal)

    def corrected(self) -> tuple[Said, ...] | None:
        """A request, and then a word about it: elsewhere, another one, the same with that one, too."""
        ask = self.requests
        first = ask.single() if self.rng.random() < 0.7 else ask.all_to_one()
        before, then = self.said(first), ask.after(first)
        after = self.said(then)
        if before is None or then is None or after is None:
            return None
        if _WRONG.match(then.request):
            after = Said(after.request, f"undo()\n{after.program}", Goal("undo", facts=after.goal.facts))
        return before, after

    def ways(self) -> list[tuple[Drawn, float]]:
        """Requests of every kind, with how often."""
        ask = self.requests
        drawn = (
            (ask.single, 3.0), (ask.several, 1.5), (ask.all_to_one, 2.5), (ask.some_to_one, 1.2), (ask.all_but, 1.5),
            (ask.one_and_the_rest, 1.0), (ask.everything, 0.7), (ask.by_kind, 1.0), (ask.by_look, 0.7),
            (ask.different, 1.5), (ask.any_of, 1.2), (ask.tower, 2.5), (ask.part_tower, 1.0), (ask.ordered_tower, 1.0),
            (ask.matching, 1.5), (ask.mismatched, 1.0), (lambda: abroad(ask), 0.7),
        )  # fmt: skip
        found: list[tuple[Drawn, float]] = [(lambda way=way: self.said(way()), weight) for way, weight in drawn]  # type: ignore[misc]
        found.append((lambda: self.said(ask.so_many(), first=True), 1.0))
        found += [(self.some_in_one, 1.0), (self.missing, 1.5), (self.ambiguous, 1.2), (self.corrected, 2.0)]
        total = sum(weight for _, weight in found)
        return [(way, weight / total) for way, weight in found]


def _names(names: list[str]) -> str:
    return "[" + ", ".join(f'"{name}"' for name in names) + "]"


def samples(rng: Rng) -> Iterator[Sample]:
    """One conversation at a table."""
    if rng.random() < _BOWLS:
        yield from _about_bowls(rng)
        return
    scene = matched(rng) if rng.random() < 0.2 else draw(rng)
    asked = Tabletop(rng, scene)
    names = [*scene.things, *scene.containers]
    common = Common(rng, names, [*asked.world.skills, *asked.world.relations])
    relating = Relating(rng, asked.spots, list(scene.things), list(scene.containers), PUT)
    ways = [*asked.ways(), *relating.ways(0.55), *relating.questions(0.35), *common.ways(0.28)]
    yield from converse(rng, Talk("meaning.tabletop", asked.world), ways)


def _about_bowls(rng: Rng) -> Iterator[Sample]:
    """One conversation about blocks and bowls as HiCRISP has them."""
    bowls = drawn_bowls(rng, laid)
    names = [*bowls.scene.things, *bowls.scene.containers]
    common = Common(rng, names, [*bowls.world.skills, *bowls.world.relations])
    relating = Relating(rng, bowls.spots, list(bowls.scene.things), list(bowls.scene.containers), PUT)
    talk = Talk("meaning.tabletop", bowls.world)
    if bowls.said is not None and not violations(f'# "{bowls.said.request}"\n{bowls.said.program}'):
        yield from talk.take(bowls.said, checked=bool(rng.random() < CHECKED))
    yield from converse(rng, talk, [*relating.ways(0.3), *relating.questions(0.4), *common.ways(0.3)], longest=3)
