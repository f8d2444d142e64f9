"""What people say about where things are on a table: left of, between, the nearest, how many; deeds.

Goals are computed here from the points themselves, not from the programs.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable
from dataclasses import dataclass

from thinkaloud.language.words import ORDINALS, plural
from thinkaloud.program.lexicon import identifier
from training.demonstrators.meanings.common import Code, call, said, written
from training.demonstrators.meanings.goals import Goal, calls, facts
from training.demonstrators.meanings.spots import Spots
from training.demonstrators.meanings.talking import Drawn, Rng, Said
from training.words import one, some

MOVE = "[put|place|move|set|bring|shift|lay|get]"
SIDES = {
    "left of": ("to the left of", "left of", "on the left side of", "on the left of", "to the left hand side of"),
    "right of": ("to the right of", "right of", "on the right side of", "on the right of"),
    "in front of": ("in front of", "before", "to the front of"),
    "behind": ("behind", "in back of", "at the back of"),
    "next to": ("next to", "beside", "by", "close to", "alongside", "near"),
}
WAYS = {
    "left": ("to the left", "left", "leftwards"),
    "right": ("to the right", "right", "rightwards"),
    "forward": ("forward", "towards me", "closer to me", "to the front"),
    "back": ("back", "backwards", "away from me", "to the back"),
}
_KEYS = {
    "leftmost": ("min", "x"), "rightmost": ("max", "x"), "frontmost": ("min", "y"), "rearmost": ("max", "y"),
    "highest": ("max", "height"), "lowest": ("min", "height"),
}  # fmt: skip
_MOSTS = {
    "leftmost": (
        "the leftmost {n}",
        "the {n} farthest to the left",
        "the {n} on the far left",
        "the {n} furthest left",
    ),
    "rightmost": ("the rightmost {n}", "the {n} farthest to the right", "the {n} on the far right"),
    "frontmost": ("the {n} nearest to me", "the frontmost {n}", "the {n} at the very front"),
    "rearmost": ("the {n} farthest from me", "the {n} at the very back", "the rearmost {n}"),
    "highest": ("the highest {n}", "the topmost {n}", "the {n} that is highest up"),
    "lowest": ("the lowest {n}",),
}


@dataclass
class Placing:
    """Deeds about where the things of one table are. `put`: the skill that puts one on another."""

    rng: Rng
    spots: Spots
    things: list[str]
    holders: list[str]
    put: str = ""
    ground: tuple[str, ...] = ()
    """What the table itself is called, where that is one of the targets."""

    @property
    def every(self) -> list[str]:
        """All things."""
        return [*self.things, *self.holders]

    def _pick(self, names: list[str], count: int) -> list[str] | None:
        return some(self.rng, names, count) if len(names) >= count else None

    def _say(self, *templates: str, **words: str) -> str:
        return written(self.rng, said(self.rng, templates, **words))

    def _kind(self, fewest: int = 2) -> tuple[str, str, list[str]] | None:
        """A noun, its list, and the things of it."""
        nouns = [name.split()[-1] for name in self.things]
        kinds = [noun for noun in dict.fromkeys(nouns) if nouns.count(noun) >= fewest and not noun.isdigit()]
        if not kinds:
            return None
        noun = one(self.rng, kinds)
        names = [name for name in self.things if name.split()[-1] == noun]
        if any(name.split()[-1] == noun for name in self.holders):
            return None
        return noun, identifier(plural(noun)), names

    # Deeds ------------------------------------------------------------------------------------------------------------

    def beside(self) -> Said | None:
        """On a side of another."""
        if not self.things or len(self.every) < 2:
            return None
        thing = one(self.rng, self.things)
        other = one(self.rng, [name for name in self.every if name != thing])
        side = one(self.rng, [*SIDES])
        where = one(self.rng, SIDES[side])
        text = self._say(
            f"{MOVE} the {{a}} {where} the {{b}}",
            f"[the {{a}}|I want the {{a}}|I need the {{a}}] {where} the {{b}}[|, please]",
            f"the {{a}} [should be|belongs|goes|should stand] {where} the {{b}}",
            f"[take|pick up|grab] the {{a}} and [put|set|place] it [down |]{where} the {{b}}",
            f"[can|could|would] you [put|move|place] the {{a}} {where} the {{b}}",
            a=thing,
            b=other,
        )
        return Said(text, call("put_beside", thing, side, other), self._beside(thing, side, other))

    def _beside(self, thing: str, side: str, other: str) -> Goal:
        near = ("next_to", thing, other)
        return facts(near) if side == "next to" else facts(near, (side.replace(" ", "_"), thing, other))

    def between(self) -> Said | None:
        """Between two others."""
        if not self.things or len(self.every) < 3:
            return None
        thing = one(self.rng, self.things)
        a, b = some(self.rng, [name for name in self.every if name != thing], 2)
        text = self._say(
            f"{MOVE} the {{x}} [between|in between|in the middle between] the {{a}} and the {{b}}",
            "the {x} [goes|belongs|should be] between the {a} and the {b}",
            "between the {a} and the {b} [I want|put|there should be] the {x}",
            x=thing, a=a, b=b,
        )  # fmt: skip
        return Said(text, call("put_between", thing, a, b), facts(("between", thing, a, b)))

    def shift(self) -> Said:
        """A little farther in one direction."""
        thing, way = one(self.rng, self.things), one(self.rng, [*WAYS])
        where, far = one(self.rng, WAYS[way]), int(self.rng.integers(1, 16))
        if self.rng.random() < 0.5:
            text = self._say(
                f"[move|shift|push|nudge] the {{x}} [a bit|a little|slightly|somewhat|a touch] {where}",
                f"the {{x}} [a bit|a little] [more |further |]{where}",
                x=thing,
            )
            return Said(text, call("shift", thing, way), calls(("shift", thing, way, 5)))
        text = self._say(
            f"[move|shift|push] the {{x}} {where} by {far} [cm|centimetres|centimeters]",
            f"[move|shift|push] the {{x}} {far} [cm|centimetres] {where}",
            f"the {{x}} [should go|goes] {far} cm {where}",
            x=thing,
        )
        return Said(text, call("shift", thing, way, far), calls(("shift", thing, way, far)))

    def row(self) -> Said | None:
        """In a row."""
        found = self._kind()
        if found is None:
            return None
        noun, kind, names = found
        side = one(self.rng, ["right of", "right of", "left of", "behind", "in front of"])
        how = {
            "right of": ("from left to right", "in a row", "side by side", "in a line"),
            "left of": ("from right to left",),
            "behind": ("one behind the other", "in a line from front to back"),
            "in front of": ("in a line from back to front",),
        }[side]
        text = self._say(
            f"[line up|arrange|set|put|place|lay out] [all |all the |the ]{{n}} {one(self.rng, how)}",
            f"[make|build|form] a row of [all |]the {{n}} {one(self.rng, how)}".replace(" in a row", ""),
            n=plural(noun),
        )
        program = f'for i in range(1, len({kind})):\n    put_beside({kind}[i], "{side}", {kind}[i - 1])'
        goal = [fact for b, a in itertools.pairwise(names) for fact in self._beside(a, side, b).facts or ()]
        return Said(text, program, facts(*goal))

    def most(self) -> Said | None:
        """The leftmost, the nearest to something, the second from the left."""
        found = self._kind()
        if found is None or not self.holders or not self.put:
            return None
        noun, kind, names = found
        target = one(self.rng, self.holders)
        what, expression, thing = self._described(noun, kind, names)
        text = self._say(
            f"{MOVE} {{w}} [in|into|on|onto] the {{t}}",
            "[take|pick up] {w} and [put|place] it [in|on] the {t}",
            "{w} [goes|belongs|should go] [in|into|on] the {t}",
            w=what,
            t=target,
        )
        return Said(text, call(self.put, Code(expression), target), self._put(thing, target))

    def _put(self, thing: str, target: str) -> Goal:
        return calls((self.put, thing, target)) if not self.spots.on(thing, target) else Goal()

    def _described(self, noun: str, kind: str, names: list[str]) -> tuple[str, str, str]:
        """One of a kind by where it is: the words, the expression, the thing."""
        letter, roll = noun[0], self.rng.random()
        x = {name: self.spots.x(name) for name in names}
        others = [name for name in self.every if name not in names]
        if roll < 0.35 and others:
            other, far = one(self.rng, others), bool(self.rng.random() < 0.4)
            words = (
                (f"the {noun} farthest from the {other}", f"the {noun} furthest away from the {other}")
                if far
                else (f"the {noun} nearest to the {other}", f"the {noun} closest to the {other}")
            )
            how = "max" if far else "min"
            key = f"lambda {letter}: distance({letter}, {quoted(other)})"
            thing = (max if far else min)(names, key=lambda name: self.spots.distance(name, other))
            return one(self.rng, words), f"{how}({kind}, key={key})", thing
        if roll < 0.55 and len(names) > 2:
            at = int(self.rng.integers(1, min(len(names), len(ORDINALS))))  # there may be more than can be counted off
            left = bool(self.rng.random() < 0.6)
            order = sorted(names, key=x.__getitem__, reverse=not left)
            side = "left" if left else "right"
            back = "" if left else ", reverse=True"
            return f"the {ORDINALS[at]} {noun} from the {side}", f"sorted({kind}, key=x{back})[{at}]", order[at]
        word = one(self.rng, [word for word in _KEYS if word not in ("highest", "lowest")])
        how, key = _KEYS[word]
        value = {"x": self.spots.x, "y": self.spots.y}[key]
        thing = (min if how == "min" else max)(names, key=value)
        return one(self.rng, _MOSTS[word]).format(n=noun), f"{how}({kind}, key={key})", thing

    def those(self) -> Said | None:
        """All of a kind of which something is so."""
        found = self._kind()
        if found is None or len(self.holders) < 2 or not self.put:
            return None
        noun, kind, names = found
        other, target = some(self.rng, self.holders, 2)
        words, expression, chosen = self._chosen(noun, kind, names, other)
        text = self._say(
            f"{MOVE} {{w}} [in|into|on] the {{t}}",
            "{w} [go|belong|should go] [in|into] the {t}",
            "[take|collect|gather] {w} and [put|place] them [in|into] the {t}",
            w=words,
            t=target,
        )
        program = call(self.put, Code(expression), target)
        if not chosen:
            return Said(text, program, Goal("answer"))
        return Said(text, program, Goal(facts=None) if self.put == "put_on" else self._all(chosen, target))

    def _all(self, chosen: list[str], target: str) -> Goal:
        return facts(*(("on", name, target) for name in chosen))

    def _chosen(self, noun: str, kind: str, names: list[str], other: str) -> tuple[str, str, list[str]]:
        letter, many = noun[0], plural(noun)
        head = f"[{letter} for {letter} in {kind} if "
        side = one(self.rng, ["left of", "right of", "in front of", "behind"])
        relation = side.replace(" ", "_")
        asked: Callable[[str, str], bool] = getattr(self.spots, relation)
        options = [
            (
                f"all [the |]{many} [that are |]{one(self.rng, SIDES[side])} the {other}",
                f"{head}{relation}({letter}, {quoted(other)})]",
                [name for name in names if asked(name, other)],
            ),
            (
                f"[the|all the] {many} [that are|which are] not [in|on] the {other}",
                f"{head}not on({letter}, {quoted(other)})]",
                [name for name in names if not self.spots.on(name, other)],
            ),
            (
                f"[the|all the|all] {many} [in|on|that are in|from] the {other}",
                f"{head}on({letter}, {quoted(other)})]",
                [name for name in names if self.spots.on(name, other)],
            ),
        ]
        words, expression, chosen = options[int(self.rng.integers(3))]
        return said(self.rng, [words]), expression, chosen

    def depending(self) -> Said | None:
        """If something is so, one thing; otherwise perhaps another."""
        if len(self.things) < 2 or len(self.holders) < 2 or not self.put:
            return None
        a, b = some(self.rng, self.things, 2)
        c, d = some(self.rng, self.holders, 2)
        relation, words = one(
            self.rng, ("left_of|left of", "right_of|right of", "on|in", "on|in", "next_to|next to")
        ).split("|")
        so = bool(getattr(self.spots, relation)(a, c))
        then, other = (b, d), (b, c)
        if self.rng.random() < 0.5:
            text = self._say(
                f"if the {{a}} is {words} the {{c}}, [put|move|place] the {{b}} in the {{d}}",
                f"[put|move|place] the {{b}} in the {{d}} if the {{a}} is {words} the {{c}}",
                a=a, b=b, c=c, d=d,
            )  # fmt: skip
            program = f"if {call(relation, a, c)}:\n    {call(self.put, *then)}"
            return Said(text, program, self._put(*then) if so else Goal("answer"))
        text = self._say(
            f"if the {{a}} is {words} the {{c}}, [put|move] the {{b}} in the {{d}}, [otherwise|else] in the {{c}}",
            f"is the {{a}} {words} the {{c}}? [then|if so,] the {{b}} goes in the {{d}}, [else|if not] in the {{c}}",
            a=a, b=b, c=c, d=d,
        )  # fmt: skip
        program = f"if {call(relation, a, c)}:\n    {call(self.put, *then)}\nelse:\n    {call(self.put, *other)}"
        return Said(text, program, self._put(*(then if so else other)))

    def ways(self, share: float) -> list[tuple[Drawn, float]]:
        """The deeds, with how often."""
        found: list[tuple[Drawn, float]] = [
            (self.beside, 3),
            (self.between, 1.5),
            (self.shift, 1.5),
            (self.row, 1),
            (self.most, 2),
            (self.those, 2),
            (self.depending, 1.5),
        ]
        total = sum(weight for _, weight in found)
        return [(way, weight * share / total) for way, weight in found]


def quoted(name: str) -> str:
    """A name as a program spells it."""
    return f'"{name}"'
