"""What people ask about where things are on a table; goals are computed from the points, not from the programs."""

from __future__ import annotations

from dataclasses import dataclass

from thinkaloud.language.words import plural
from thinkaloud.program.lexicon import identifier
from training.demonstrators.meanings.common import Code, call
from training.demonstrators.meanings.goals import says
from training.demonstrators.meanings.placing import SIDES, Placing, quoted
from training.demonstrators.meanings.talking import Drawn, Said
from training.words import one, some


@dataclass
class Relating(Placing):
    """Deeds and questions about where the things of one table are."""

    def where(self) -> Said:
        """Where something is."""
        thing = one(self.rng, self.things)
        if not self.holders or self.put == "put_on":
            return self.is_so()
        listed = [
            name
            for name in (*self.every, *self.spots.places, *self.ground)
            if name != thing and self.spots.on(thing, name)
        ]
        text = self._say(
            "where is the {x}[| now| at the moment]",
            "[what|which thing] is the {x} [on|in]",
            "[tell me|do you know] where the {x} is",
            x=thing,
        )
        return Said(text, f"say([t for t in targets if on({quoted(thing)}, t)])", says(listed or "None."))

    def is_so(self) -> Said:
        """Whether something is so."""
        thing = one(self.rng, self.things)
        others = [name for name in self.every if name != thing]
        if not others:
            return Said(self._say("how wide is the {x}", x=thing), call("say", Code(call("size", thing))), says(...))
        other = one(self.rng, others)
        relation = one(self.rng, ["on", "on", "left_of", "right_of", "in_front_of", "behind", "next_to"])
        where = "[on|in|on top of]" if relation == "on" else one(self.rng, SIDES[relation.replace("_", " ")])
        text = self._say(
            f"is the {{a}} {where} the {{b}}[| now]",
            f"[tell me whether|I wonder if|is it true that] the {{a}} is {where} the {{b}}",
            a=thing,
            b=other,
        )
        so = bool(getattr(self.spots, relation)(thing, other))
        return Said(text, f"say({call(relation, thing, other)})", says(so))

    def which(self) -> Said | None:
        """Which ones, or how many, or what is leftmost."""
        found = self._kind()
        if found is None or not self.holders:
            return None
        noun, kind, names = found
        many, roll = plural(noun), self.rng.random()
        if roll < 0.35:
            what, expression, thing = self._described(noun, kind, names)
            text = self._say("[which|what] is {w}", "[name|tell me] {w}", "which one is {w}", w=what)
            return Said(text, f"say({expression})", says(thing))
        other = one(self.rng, self.holders)
        words, expression, chosen = self._chosen(noun, kind, names, other)
        tail = words.split(f"{many} ", 1)[1].removeprefix("that are ").removeprefix("which are ")
        tail = tail.replace("from the", "in the") if tail.startswith("from") else tail
        if roll < 0.7:
            text = self._say("which {m} are {w}", "[name|list|tell me] the {m} [that are |]{w}", m=many, w=tail)
            return Said(text, f"say({expression})", says(chosen))
        text = self._say("how many {m} are {w}", "[count|tell me the number of] the {m} {w}", m=many, w=tail)
        return Said(text, f"say(len({expression}))", says(len(chosen)))

    def empty(self) -> Said | None:
        """Which containers are empty."""
        nouns = {name.split()[-1] for name in self.holders}
        if len(self.holders) < 2 or len(nouns) > 1 or self.put == "put_on":
            return None
        noun = nouns.pop()
        letter, kind = noun[0], identifier(plural(noun))
        inner = "o" if letter != "o" else "b"
        expression = f"[{letter} for {letter} in {kind} if not any([on({inner}, {letter}) for {inner} in objects])]"
        chosen = [name for name in self.holders if not any(self.spots.on(thing, name) for thing in self.things)]
        if self.rng.random() < 0.5:
            text = self._say(
                "which {n} [is|are] empty", "[which of the {n}|which {n}] [have|has] nothing in them", n=plural(noun)
            )
            return Said(text, f"say({expression})", says(chosen))
        text = self._say("how many [of the |]{n} are [still |]empty", n=plural(noun))
        return Said(text, f"say(len({expression}))", says(len(chosen)))

    def far(self) -> Said | None:
        """How far, how many there are."""
        if len(self.every) < 2:
            return None
        a, b = some(self.rng, self.every, 2)
        if self.rng.random() < 0.6:
            text = self._say("how far [is the {a} from|apart are the {a} and] the {b}", a=a, b=b)
            return Said(text, f"say({call('distance', a, b)})", says(self.spots.distance(a, b)))
        found = self._kind()
        if found is None:
            return None
        noun, kind, names = found
        text = self._say(
            "how many {m} are there[| on the table]", "[count|what is the number of] the {m}", m=plural(noun)
        )
        return Said(text, f"say(len({kind}))", says(len(names)))

    def questions(self, share: float) -> list[tuple[Drawn, float]]:
        """The questions, with how often."""
        found: list[tuple[Drawn, float]] = [
            (self.where, 2),
            (self.is_so, 3),
            (self.which, 3),
            (self.empty, 1),
            (self.far, 1.5),
        ]
        total = sum(weight for _, weight in found)
        return [(way, weight * share / total) for way, weight in found]
