"""Requests to put things somewhere, each with the goal that it means."""

from __future__ import annotations

from training.demonstrators.inner_monologue.asking import PUT, Asked, Words
from training.demonstrators.inner_monologue.scenes import plural
from training.words import FOODS, OBJECTS, some


class Placing(Words):
    """Draws requests; None where the scene has nothing for such a request."""

    def single(self) -> Asked:
        """One thing to one target."""
        thing = self.pick(self.scene.things)
        target = self._other(thing)
        text = self.say(self.the(thing, short=False), self.spot(target))
        return Asked(text, (self.fact(thing, target),), again=(thing, target))

    def _other(self, thing: str) -> str:
        while (target := self.target()) == thing:
            pass
        return target

    def several(self) -> Asked | None:
        """Two or three things, each to its own target."""
        if len(self.scene.things) < 2:
            return None
        things = some(self.rng, self.scene.things, int(self.rng.integers(2, 4)))
        pairs = [(thing, self._other(thing)) for thing in things]
        if any(target in things for _, target in pairs):
            return None
        parts = [f"{self.the(thing, short=False)} {self.spot(target)}" for thing, target in pairs]
        joiner = self.pick((" and ", ", and ", ", then ", " and then ", ", "))
        text = f"{self.pick(PUT)} {joiner.join(parts)}."
        if self.rng.random() < 0.3:
            text = " ".join(f"{self.pick(PUT)} {part}.".capitalize() for part in parts)
        elif self.rng.random() < 0.3:
            text = joiner.join(f"{self.pick(PUT)} {part}" for part in parts) + "."
        return Asked(text[0].upper() + text[1:], tuple(self.fact(*pair) for pair in pairs))

    def all_to_one(self) -> Asked:
        """Everything of a kind to one target."""
        noun = self._noun()
        target = self.target(of=noun)
        text, every = self.say(self.every(noun), self.spot(target)), f"every {noun}"
        return Asked(text, (self.fact(every, target),), again=(every, target))

    def some_to_one(self) -> Asked | None:
        """A few things, by name, to one target."""
        if len(self.scene.things) < 3:
            return None
        things = some(self.rng, self.scene.things, int(self.rng.integers(2, len(self.scene.things))))
        target = self.target()
        if target in things:
            return None
        return Asked(self.say(self.listing(things), self.spot(target)), tuple(self.fact(t, target) for t in things))

    def all_but(self) -> Asked | None:
        """All of a kind but one or two."""
        noun = self._noun()
        names = self.scene.of(noun)
        if len(names) < 3:
            return None
        kept = some(self.rng, names, 1 if self.rng.random() < 0.8 else 2)
        if len(kept) == len(names):
            return None
        target = self.target(of=noun)
        apart = self.pick(
            ("except", "except for", "but", "but not", "apart from", "other than", "excluding", "besides")
        )
        what = f"{self.every(noun)} {apart} {self.listing(kept)}"
        text = self.say(what, self.spot(target))
        if self.rng.random() < 0.3:
            alone = self.pick(
                (
                    "Leave {k} alone",
                    "Do not touch {k}",
                    "{k} stays where it is",
                    "{k} should not move",
                    "Keep {k} in place",
                )
            )
            alone = alone.format(k=self.listing(kept))
            rest = self.pick(
                (f"the other {plural(noun)}", "the others", f"every other {noun}", f"the rest of the {plural(noun)}")
            )
            text = f"{alone[0].upper() + alone[1:]}. {self.say(rest, self.spot(target))}"
        return Asked(text, (*map(self.stays, kept), self.fact(f"every other {noun}", target)))

    def one_and_the_rest(self) -> Asked | None:
        """One thing here and the others there."""
        noun = self._noun()
        names = self.scene.of(noun)
        if len(names) < 2:
            return None
        first, here, there = self.pick(names), self.target(of=noun), self.target(of=noun)
        if here == there:
            return None
        rest = self.pick(
            (f"the other {plural(noun)}", "the others", "the rest", f"all other {plural(noun)}", f"every other {noun}")
        )
        verb = self.pick(PUT)
        text = f"{verb} {self.the(first, short=False)} {self.spot(here)} and {rest} {self.spot(there)}."
        return Asked(text.capitalize(), (self.fact(first, here), self.fact(f"every other {noun}", there)))

    def everything(self) -> Asked | None:
        """All things, of whatever kind."""
        if not self.scene.other and self.rng.random() < 0.7:
            return None
        what = self.pick(
            (
                "everything",
                "all the things",
                "all things",
                "all of it",
                "every object",
                "all objects",
                "the lot",
                "every item",
            )
        )
        target = self.pick((*self.scene.containers, *self.scene.places))
        return Asked(self.say(what, self.spot(target)), (self.fact("every thing", target),))

    def by_kind(self) -> Asked | None:
        """One kind here, the other kind there."""
        scene = self.scene
        if not scene.other:
            return None
        targets = (*scene.containers, *scene.places)
        here, there = some(self.rng, targets, 2)
        verb, first, second = self.pick(PUT), self.every(scene.kind), self.every(scene.other)
        text = f"{verb} {first} {self.spot(here)} and {second} {self.spot(there)}."
        goal = (self.fact(f"every {scene.kind}", here), self.fact(f"every {scene.other}", there))
        return Asked(text.capitalize(), goal)

    def so_many(self) -> Asked | None:
        """Some of a kind, whichever: the first will do."""
        noun = self._noun()
        names = self.scene.of(noun)
        if len(names) < 3:
            return None
        count, target = int(self.rng.integers(2, len(names))), self.target(of=noun)
        number = ("", "one", "two", "three", "four", "five", "six")[count]
        what = self.pick(
            (f"{number} {plural(noun)}", f"{number} of the {plural(noun)}", f"any {number} {plural(noun)}")
        )
        return Asked(self.say(what, self.spot(target)), tuple(self.fact(name, target) for name in names[:count]))

    def by_look(self) -> Asked | None:
        """Everything of one colour."""
        looks = [name.rpartition(" ")[0] for name in self.scene.things]
        double = [look for look in dict.fromkeys(looks) if looks.count(look) > 1]
        if not double:
            return None
        look, target = self.pick(tuple(double)), self.pick(self.scene.places)
        what = self.pick((f"everything {look}", f"all the {look} things", f"every {look} thing", f"whatever is {look}"))
        things = [name for name in self.scene.things if name.rpartition(" ")[0] == look]
        return Asked(self.say(what, self.spot(target)), tuple(self.fact(t, target) for t in things))

    def different(self) -> Asked | None:
        """Each to another one of a kind of target; of the corners of the table nobody speaks so."""
        scene, noun = self.scene, self._noun()
        kinds = [scene.holder] if len(scene.containers) > 1 else []
        last = [place.rpartition(" ")[2] for place in scene.places]
        kinds += [kind for kind in dict.fromkeys(last) if last.count(kind) > 1 and kind != "corner"]
        if not kinds:
            return None
        kind = self.pick(tuple(kinds))
        available = len(scene.containers) if kind == scene.holder else last.count(kind)
        if len(scene.of(noun)) > available:
            return None
        many, prep = plural(kind), self.pick(("in", "on", "into", "onto", "at", "to"))
        where = self.pick(
            (
                *(f"{prep} different {many}", f"{prep} different {many}", f"{prep} a different {kind} each"),
                *(
                    f"{prep} separate {many}",
                    f"{prep} a {kind} of its own",
                    f"{prep} distinct {many}",
                    f"{prep} various {many}",
                ),
                *(f"{prep} different {many}, one each", f"{prep} different {many}", f"{prep} its own {kind}"),
                *(f"{prep} {many}, no two {prep} the same one", f"{prep} {many}, but never two {prep} one {kind}"),
            )
        )
        text = self.say(self.every(noun), where)
        names = self.scene.of(noun)
        if self.rng.random() < 0.15 and len(names) > 2:
            few = some(self.rng, names, 2)
            goal = tuple(self.fact(name, f"a different {kind}") for name in few)
            return Asked(self.say(self.listing(few), f"{prep} different {many}"), goal)
        if self.rng.random() < 0.15:
            text = self.pick(
                (
                    f"Spread the {plural(noun)} over the {many}.",
                    f"Distribute the {plural(noun)} among the {many}, one for each.",
                    f"One {noun} per {kind}, please.",
                    f"No {kind} should have more than one {noun}; use all the {plural(noun)}.",
                    f"Give every {noun} another {kind}.",
                )
            )
        return Asked(text, (self.fact(f"every {noun}", f"a different {kind}"),))

    def any_of(self) -> Asked | None:
        """To any of a kind of target."""
        scene = self.scene
        last = [place.rpartition(" ")[2] for place in scene.places]
        kinds = [kind for kind in dict.fromkeys(last) if last.count(kind) > 1]
        kinds += [scene.holder] * 2 if len(scene.containers) > 1 else []
        if not kinds:
            return None
        kind, prep = self.pick(tuple(kinds)), self.pick(("in", "on", "into", "onto", "at"))
        how = self.pick(
            (f"{prep} a {kind}", f"{prep} any {kind}", f"{prep} some {kind}", f"{prep} one of the {plural(kind)}")
        )
        if self.rng.random() < 0.5:
            thing = self.pick(scene.things)
            return Asked(self.say(self.the(thing, short=False), how), (self.fact(thing, f"a {kind}"),))
        noun = self._noun()
        loose = self.pick((how, f"{prep} {plural(kind)}, whichever you like", f"{prep} any of the {plural(kind)}"))
        return Asked(self.say(self.every(noun), loose), (self.fact(f"every {noun}", f"a {kind}"),))

    def _noun(self) -> str:
        scene = self.scene
        return scene.other if scene.other and len(scene.of(scene.other)) > 1 and self.rng.random() < 0.4 else scene.kind

    def missing(self) -> Asked:
        """Something that is not there."""
        known = " ".join((*self.scene.things, *self.scene.containers, *self.scene.places)).split()
        while (thing := self.pick((*OBJECTS, *FOODS))).split()[-1] in known or plural(thing).split()[-1] in known:
            pass
        if self.rng.random() < 0.5:
            return Asked(self.say(f"the {thing}", self.spot(self.target())), missing=thing)
        where = f"{self.pick(('in', 'on', 'into', 'onto', 'next to'))} the {thing}"
        what = (
            self.the(self.pick(self.scene.things), short=False) if self.rng.random() < 0.6 else self.every(self._noun())
        )
        return Asked(self.say(what, where), missing=thing)

    def after(self, before: Asked) -> Asked | None:
        """Somebody comes back to what was asked before: elsewhere, or the same with another thing."""
        what, where = before.again
        if not what:
            return None
        noun = what.rpartition(" ")[2]
        if self.rng.random() < 0.6 or what.startswith("every "):
            target = self.target(of=noun)
            if target in (where, what):
                return None
            spot, it = self.spot(target), "them" if what.startswith("every ") else "it"
            text = self.pick(
                (
                    *(
                        f"No, {spot}.",
                        f"No, {spot} instead.",
                        f"Actually, put {it} {spot}.",
                        f"I meant {spot}.",
                        f"Wait, {spot}.",
                    ),
                    *(
                        f"Sorry, {it} should go {spot}.",
                        f"Better put {it} {spot}.",
                        f"Now move {it} {spot}.",
                        f"And now {spot}.",
                    ),
                    *(
                        f"On second thought, {spot}.",
                        f"Not there. {self.pick(PUT).capitalize()} {it} {spot}.",
                        f"Then {spot}.",
                    ),
                )
            )
            return Asked(text, (self.fact(what, target),), again=(what, target))
        others = [name for name in self.scene.things if name not in (what, where)]
        if not others:
            return None
        other = self.pick(tuple(others))
        name = self.the(other)
        text = self.pick(
            (
                *(
                    f"And {name}, too.",
                    f"Now the same with {name}.",
                    f"Do that with {name} as well.",
                    f"{name} also.",
                    f"{name} too, please.",
                ),
                *(
                    f"No, I meant {name}.",
                    f"Not that one, {name}.",
                    f"Do the same with {name}.",
                    f"Sorry, {name}, not that one.",
                ),
            )
        )
        return Asked(text[0].upper() + text[1:], (self.fact(other, where),), again=(other, where))
