"""Statler's tables: what people say there in the words of `statler`, with programs of the language of meanings.

The words and their short programs come from `training/demonstrators/statler/language`. Only those are taken that the
lists and relations of the world can say; goals are what `statler`'s own conversation makes of the short program.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterator
from functools import cache

from thinkaloud.records import Observation, WorldState
from thinkaloud.state.edit import is_container, supports
from thinkaloud.understand.lexicon import identifier
from thinkaloud.words import plural
from thinkaloud.worlds import open_world
from thinkaloud.worlds.whole import Whole
from training.demonstrators.meanings.common import Code, Common, call, said, written
from training.demonstrators.meanings.goals import Goal, says
from training.demonstrators.meanings.relating import Relating
from training.demonstrators.meanings.sketch import Sketch, sketch_of
from training.demonstrators.meanings.spots import GROUND, Spots, scatter
from training.demonstrators.meanings.tabletop import PUT, leaves
from training.demonstrators.meanings.talking import Drawn, Rng, Said, Talk, converse
from training.demonstrators.statler.frames import framed
from training.demonstrators.statler.phrases import Filler
from training.demonstrators.statler.scenes import CLEANER, Scene
from training.demonstrators.statler.scenes import drawn as drawn_scene
from training.demonstrators.statler.table import Conversation, begun
from training.demonstrators.statler.talk import SECTIONS, Turn, sayable
from training.demonstrators.statler.templates import drawn as drawn_family
from training.samples import Sample
from training.words import one, some

_NAME = r'"([^"]+)"'
_NAMES = rf"(\[(?:{_NAME}(?:, )?)+\])"
_WHAT = r"(.+?)"
_SAME = re.compile(r"\b(?:that|it|them|there|same|other)\b", re.IGNORECASE)


@cache
def table(domain: str) -> tuple[Sketch, Whole]:
    """The table of a domain that all its scenes are laid on."""
    return sketch_of(open_world(domain), ends=dict.fromkeys((PUT, "put_beside", "put_between"), leaves))


class Domain:
    """What is said at one table of a domain."""

    def __init__(self, rng: Rng, scene: Scene) -> None:
        self.rng, self.scene = rng, scene
        state = begun(scene, 0.4)
        self.state = WorldState(state.objects, state.relations)
        sketch, self.world = table(scene.domain)
        self.movable = tuple(name for name in scene.objects if not is_container(name))
        self.holders = tuple(name for name in scene.objects if is_container(name))
        self.spots = Spots(scatter(rng, scene.objects), dict.fromkeys(self.holders, 0.12), dict(supports(state)))
        targets = (*self.movable, *self.holders, *GROUND)
        vocabulary = {
            "object": self.movable,
            "target": targets,
            "object in view": self.movable,
            "target in view": targets,
            "thing": scene.objects,
        }
        names = (*self.movable, *self.holders)
        sketch.scene, sketch.model = Observation(names, vocabulary, state=self.state), self.spots
        self.questions: tuple[tuple[re.Pattern[str], Callable[..., tuple[str, object]]], ...] = tuple(
            (re.compile(f"say\\({pattern}\\)"), way) for pattern, way in self._patterns()
        )

    # Deeds ------------------------------------------------------------------------------------------------------------

    def deed(self) -> Said | None:
        """Things that are put somewhere."""
        turn = self._turn("commands", "commands")
        match = turn and re.fullmatch(rf"put\({_WHAT}, {_NAME}\)", turn.program)
        if not turn or not match:
            return None
        what = self._what(match[1])
        done = Conversation(self.scene.domain, self.state).take(turn)
        if what is None or done is None:
            return None
        target = str(match[len(match.groups())])
        if target in GROUND:
            target = "table"
        wanted = {(thing, "table" if where in GROUND else where) for thing, where in done.moves}
        there = {name for name in self.movable if self.spots.on(name, target)}
        meant = frozenset(("on", thing, target) for thing, _ in wanted | {(name, "") for name in self._named(what)})
        if any(where != target for _, where in wanted) or not meant or (target in GROUND and there):
            return None  # the arm sets something aside on its own, or something lies there already
        return Said(turn.text, call(PUT, Code(what), target), Goal(facts=meant))

    def _turn(self, kind: str, section: str) -> Turn | None:
        """Something of a section; nothing that only makes sense after something else."""
        fill = Filler(self.scene, vague=0.0)
        family = drawn_family(self.scene.rng, f"{kind} {section}")
        if family.past:
            return None
        try:
            text, program = fill.filled(family)
        except IndexError:
            return None
        turn = Turn(framed(self.scene.rng, text, kind), program, fill.past)
        return turn if not fill.past and sayable(turn, self.scene.objects) else None

    def _what(self, short: str) -> str | None:
        """What is put, as a program of ours says it."""
        kind = identifier(plural(self.scene.kind))
        every = {"blocks()": kind, f'things("{self.scene.kind}")': kind, "loose()": "objects"}
        if self.scene.domain == "cups" or len(self.scene.blocks) < 2:
            every = {}
        if short in every:
            return every[short]
        if re.fullmatch(rf"{_NAME}|{_NAMES}", short):
            return short
        if match := re.fullmatch(rf"inside\({_NAME}\)", short):
            return f'[o for o in objects if on(o, "{match[1]}")]'
        if (match := re.fullmatch(rf"but\({_NAME}\)", short)) and every:
            letter = self.scene.kind[0]
            return f'[{letter} for {letter} in {kind} if {letter} != "{match[1]}"]'
        return None

    def _named(self, what: str) -> list[str]:
        """The things of an expression that are meant whether or not they are there already."""
        kind = identifier(plural(self.scene.kind))
        if what == kind:
            return list(self.scene.blocks)
        if what == "objects":
            return list(self.movable)
        names = [name for name in re.findall(_NAME, what) if name in self.movable]
        if " != " in what:
            return [name for name in self.scene.blocks if name not in names]
        return names if " for " not in what else []

    # Questions --------------------------------------------------------------------------------------------------------

    def question(self) -> Said | None:
        """What is where, how many, whether."""
        turn = self._turn("asking", "questions")
        for pattern, way in self.questions:
            if turn and (match := pattern.fullmatch(turn.program)):
                program, value = way(*match.groups())
                return Said(turn.text, f"say({program})", says(value))
        return None

    def _patterns(self) -> list[tuple[str, Callable[..., tuple[str, object]]]]:
        def within(box: str) -> list[str]:
            return [name for name in self.movable if self.spots.on(name, box)]

        def empty() -> list[str]:
            return [b for b in self.scene.boxes if not within(b)]

        box, kind = self.scene.box, identifier(plural(self.scene.box))
        letter = box[0] if box[0] != "o" else "b"
        bare = f"[{letter} for {letter} in {kind} if not any([on(o, {letter}) for o in objects])]"
        all_in = 'objects if on(o, "{}")'
        heads = r'(?:bowls\(|things\("\w+", )"empty"\)'
        found: list[tuple[str, Callable[..., tuple[str, object]]]] = [
            (rf"where\({_NAME}\)", self._where),
            (rf"inside\({_NAME}\)", lambda b: (f"[o for o in {all_in.format(b)}]", within(b))),
            (rf"len\(inside\({_NAME}\)\)", lambda b: (f"len([o for o in {all_in.format(b)}])", len(within(b)))),
            (rf"{_NAME} in inside\({_NAME}\)", lambda x, b: (f'on("{x}", "{b}")', self.spots.on(x, b))),
            (rf"{_NAME} not in inside\({_NAME}\)", lambda x, b: (f'not on("{x}", "{b}")', not self.spots.on(x, b))),
            (rf"empty\({_NAME}\)", lambda b: (f"not any([on(o, {_quoted(b)}) for o in objects])", not within(b))),
            (rf"any\(inside\({_NAME}\)\)", lambda b: (f"any([on(o, {_quoted(b)}) for o in objects])", bool(within(b)))),
            (rf"under\({_NAME}\) == {_NAME}", lambda x, y: (f'on("{x}", "{y}")', self.spots.on(x, y))),
            (rf"any\(on\({_NAME}\)\)", lambda x: (f"any([on(o, {_quoted(x)}) for o in objects])", bool(within(x)))),
            (rf"on\({_NAME}\)", lambda x: (f"[o for o in {all_in.format(x)}]", within(x))),
            (rf"higher\({_NAME}, {_NAME}\)", self._higher),
            (rf'is_\({_NAME}, "on the table"\)', lambda x: (f'on("{x}", "table")', self.spots.on(x, "table"))),
        ]
        if len(self.scene.boxes) > 1:
            found.append((heads, lambda: (bare, empty())))
            found.append((rf"len\({heads}\)", lambda: (f"len({bare})", len(empty()))))
        return found

    def _where(self, name: str) -> tuple[str, object]:
        there = [other for other in (*self.movable, *self.holders, *GROUND) if other != name]
        return f"[t for t in targets if on({_quoted(name)}, t)]", [t for t in there if self.spots.on(name, t)]

    def _higher(self, one_: str, other: str) -> tuple[str, object]:
        return f'height("{one_}") > height("{other}")', self.spots.height(one_) > self.spots.height(other)

    # What is told -----------------------------------------------------------------------------------------------------

    def told(self) -> Said | None:
        """What somebody tells of dirt, weights and what was moved: the words are kept."""
        sections = [name for name in SECTIONS[self.scene.domain] if name.startswith("telling")]
        turn = self._told(one(self.rng, sections))
        return turn and turn[0]

    def _told(self, section: str) -> tuple[Said, str] | None:
        fill = Filler(self.scene, vague=0.0)
        family = drawn_family(self.scene.rng, section)
        if family.past:
            return None
        try:
            text, program = fill.filled(family)
        except IndexError:
            return None
        told = f"{text[:1].upper()}{text[1:].rstrip('.')}."
        if '"' in told or _SAME.search(told):
            return None
        return Said(framed(self.scene.rng, text, "telling"), call("note", told), Goal("note", notes=(told,))), program

    def then(self) -> tuple[Said, ...] | None:
        """Something is told, and then used: the names that it was told of."""
        if self.scene.domain == "disinfection":
            return self._dirt()
        if self.scene.domain == "weight" and len(self.scene.loose) > 2:
            return self._weight()
        return None

    def _dirt(self) -> tuple[Said, ...] | None:
        told = self._told("telling dirt")
        match = told and re.fullmatch(rf'mark\(({_NAME}|{_NAMES}), "(dirty|clean)"\)', told[1])
        if not told or not match:
            return None
        names, word, many = re.findall(_NAME, match[1]), str(match.groups()[-1]), plural(self.scene.kind)
        if not {*names} <= {*self.scene.blocks}:
            return None
        target = one(self.rng, [CLEANER, *self.scene.boxes]) if word == "dirty" else one(self.rng, self.scene.boxes)
        listed = names[0] if len(names) == 1 else names
        words = {"w": word, "m": many, "t": target}
        if self.rng.random() < 0.4:
            asked = written(
                self.rng, said(self.rng, ("which {m} are {w}", "what is {w} here", "name the {w} {m}"), **words)
            )
            return told[0], Said(asked, call("say", listed), says(names if len(names) > 1 else names[0]))
        text = said(
            self.rng,
            ("[put|place|move] [all |]the {w} {m} in the {t}", "[everything|all] that is {w} goes [in|into] the {t}",
             "the {w} {m} [belong|should go] in the {t}", "[collect|gather] the {w} ones in the {t}"),
            **words,
        )  # fmt: skip
        goal = Goal(facts=frozenset(("on", name, target) for name in names))
        return told[0], Said(written(self.rng, text), call(PUT, listed, target), goal)

    def _weight(self) -> tuple[Said, ...] | None:
        a, b = some(self.rng, self.scene.loose, 2)
        word, other = ("heavier", "lighter") if self.rng.random() < 0.6 else ("lighter", "heavier")
        text = f"the {a} is {one(self.rng, ('', 'much ', 'a bit ', 'three times '))}{word} than the {b}"
        told = f"{text[:1].upper()}{text[1:]}."
        first = Said(written(self.rng, text), call("note", told), Goal("note", notes=(told,)))
        wanted = one(self.rng, [word, other])
        thing = a if wanted == word else b
        if self.rng.random() < 0.5 or not self.scene.boxes:
            asked = said(
                self.rng,
                ("which [one |]is {w}, the {a} or the {b}", "what is {w}: the {b} or the {a}"),
                w=wanted,
                a=a,
                b=b,
            )
            return first, Said(written(self.rng, asked), call("say", thing), says(thing))
        target = one(self.rng, self.scene.boxes)
        asked = said(
            self.rng,
            ("[put|place|move] the {w} one of the {a} and the {b} in the {t}", "the {w} of the two goes in the {t}"),
            w=wanted, a=a, b=b, t=target,
        )  # fmt: skip
        goal = Goal(facts=frozenset({("on", thing, target)}))
        return first, Said(written(self.rng, asked), call(PUT, thing, target), goal)

    def ways(self) -> list[tuple[Drawn, float]]:
        """All of it, with how often."""
        return [(self.deed, 0.62), (self.question, 0.45), (self.told, 0.06), (self.then, 0.12)]


def _quoted(name: str) -> str:
    return f'"{name}"'


def samples(rng: Rng) -> Iterator[Sample]:
    """One conversation at a table of a domain."""
    scene = drawn_scene(random.Random(int(rng.integers(2**62))))
    domain = Domain(rng, scene)
    common = Common(rng, [*domain.movable], [*domain.world.skills])
    relating = Relating(rng, domain.spots, list(scene.loose), list(scene.boxes), PUT, GROUND)
    ways = [*domain.ways(), *relating.ways(0.22), *relating.questions(0.08), *common.ways(0.16)]
    yield from converse(rng, Talk("meaning.statler", domain.world), ways)
