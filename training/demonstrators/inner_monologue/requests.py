"""Requests of every kind: those to put things somewhere, and towers, and what does or does not look alike."""

from __future__ import annotations

from training.demonstrators.inner_monologue.asking import Asked
from training.demonstrators.inner_monologue.placing import Placing
from training.demonstrators.inner_monologue.scenes import TABLE, plural
from training.words import some

STACKING = (
    *("stack {o}", "pile {o} up", "pile up {o}", "build a tower out of {o}", "make a tower of {o}", "stack up {o}"),
    *("put {o} on top of each other", "pile {o} one on top of another", "make one pile of {o}", "tower {o} up"),
    *("stack {o} into a single tower", "put {o} on top of one another", "heap {o} into one column", "build one stack"),
    *("make a column of {o}", "arrange {o} in one stack", "assemble {o} into a tower", "I want one tower of {o}"),
)


class Requests(Placing):
    """Draws requests; None where the scene has nothing for such a request."""

    # Towers -----------------------------------------------------------------------------------------------------------

    def tower(self) -> Asked | None:
        """All of a kind one on another, perhaps at a target; at a corner or a side of the table nobody wants that."""
        noun = self._noun()
        if len(self.scene.of(noun)) < 2:
            return None
        text, base = self.pick(STACKING).replace("build one stack", "build one stack of {o}"), ""
        text = text.format(o=self.every(noun))
        if self.rng.random() < 0.5:
            own = self.scene.places == TABLE
            targets = (*(("middle",) * 3 if own else self.scene.places), *self.scene.containers)
            base = self.pick(targets)
            text = f"{text} {self.spot(base)}"
        return Asked(self._polite(text), (self.fact(f"every {noun}", self.stack(base)),))

    def part_tower(self) -> Asked | None:
        """Some things, by name, one on another."""
        if len(self.scene.things) < 3:
            return None
        things = some(self.rng, self.scene.things, int(self.rng.integers(2, min(4, len(self.scene.things)) + 1)))
        text, base = self.pick(STACKING).replace("build one stack", "build one stack of {o}"), ""
        text = text.format(o=self.listing(things))
        if self.rng.random() < 0.35:
            places = ("middle",) if self.scene.places == TABLE else self.scene.places
            base = self.pick((*places, *self.scene.containers))
            text = f"{text} {self.spot(base)}"
        return Asked(self._polite(text), tuple(self.fact(thing, self.stack(base)) for thing in things))

    def ordered_tower(self) -> Asked | None:
        """A tower in a given order, lowest first or last."""
        if len(self.scene.things) < 2:
            return None
        things = some(self.rng, self.scene.things, int(self.rng.integers(2, 4)))
        goal = tuple(self.fact(things[i], things[i - 1]) for i in range(1, len(things)))
        names = [self.the(thing, short=False) for thing in things]
        if len(things) == 2:
            text = self.pick(
                ("stack {1} on {0}", "put {1} on top of {0}", "{1} goes on {0}", "set {1} upon {0}")
            ).format(*names)
        else:
            text = self.pick(
                (
                    "stack {2} on {1} and {1} on {0}",
                    "put {1} on {0} and {2} on {1}",
                    "build a tower with {0} at the bottom, {1} in between and {2} on top",
                    "build a tower, from bottom to top: {0}, {1}, {2}",
                    "put {1} on {0}, then {2} on {1}",
                    "stack them like this: {0} lowest, then {1}, then {2} on top",
                )
            ).format(*names)
        return Asked(self._polite(text), goal)

    def _polite(self, text: str) -> str:
        frame = self.pick(
            ("{}.", "{}.", "{}.", "Please {}.", "Can you {}?", "I want you to {}.", "Now {}.", "{}", "Let us {}.")
        )
        if text.startswith("I want"):
            frame = "{}."
        said = frame.format(text)
        return said[0].upper() + said[1:]

    # Colours ----------------------------------------------------------------------------------------------------------

    def matching(self) -> Asked | None:
        """Each to the one that looks like it; of blocks and bowls nobody says so."""
        scene = self.scene
        if scene.holder in ("", "bowl"):
            return None
        noun, kind, every = scene.kind, scene.holder, self.every(scene.kind)
        many, prep = plural(kind), self.pick(("in", "on", "into", "onto", "to", "in"))
        look = self.pick(("colour", "color", "kind", "look"))
        where = self.pick(
            (
                *(
                    f"{prep} the matching {kind}",
                    f"{prep} matching {many}",
                    f"{prep} the {kind} that matches",
                    f"{prep} its matching {kind}",
                ),
                *(
                    f"{prep} the {kind} of the same {look}",
                    f"{prep} {many} of the same {look}",
                    f"{prep} the {kind} of its {look}",
                ),
                *(
                    f"{prep} the same {look} {kind}",
                    f"{prep} the corresponding {kind}",
                    f"{prep} the {many} they match",
                ),
                *(
                    f"{prep} the {kind} with the same {look}",
                    f"{prep} its own {look} of {kind}",
                    f"{prep} the fitting {kind}",
                ),
                *(
                    f"{prep} the {kind} that has its {look}",
                    f"{prep} {many} matching in {look}",
                    f"{prep} the like-coloured {kind}",
                ),
            )
        )
        text = self.say(every, where)
        if self.rng.random() < 0.12:
            thing = self.pick(self.scene.of(noun))
            how = self.pick(
                (
                    f"{prep} its matching {kind}",
                    f"{prep} the {kind} of its {look}",
                    f"{prep} the {kind} that matches it",
                )
            )
            return Asked(self.say(self.the(thing, short=False), how), (self.fact(thing, f"a matching {kind}"),))
        if self.rng.random() < 0.3:
            text = self.pick(
                (
                    f"Sort the {plural(noun)} into the {many} by {look}.",
                    f"Match the {plural(noun)} with the {many}.",
                    f"Match each {noun} to a {kind}.",
                    f"Pair every {noun} with the {kind} of its {look}.",
                    f"The {look} of each {noun} should match its {kind}.",
                    f"Same {look} together: {plural(noun)} {prep} {many}.",
                    f"Each {noun} belongs {prep} the {kind} that looks like it.",
                    f"Group the {plural(noun)} by {look}, using the {many}.",
                )
            )
        return Asked(text, (self.fact(f"every {noun}", f"a matching {kind}"),))

    def mismatched(self) -> Asked | None:
        """Each to one that does not look like it; of blocks and bowls nobody says so."""
        scene = self.scene
        if scene.holder in ("", "bowl") or len(scene.containers) < 2:
            return None
        noun, kind, every = scene.kind, scene.holder, self.every(scene.kind)
        many, prep = plural(kind), self.pick(("in", "on", "into", "onto", "to", "on"))
        look = self.pick(("colour", "color", "look"))
        where = self.pick(
            (
                *(
                    f"{prep} a mismatched {kind}",
                    f"{prep} mismatched {many}",
                    f"{prep} mismatching {many}",
                    f"{prep} a mismatching {kind}",
                ),
                *(
                    f"{prep} non-matching {many}",
                    f"{prep} {many} that do not match",
                    f"{prep} a {kind} that does not match it",
                ),
                *(
                    f"{prep} a {kind} of another {look}",
                    f"{prep} {many} of a different {look}",
                    f"{prep} the wrong {look} of {kind}",
                ),
                *(
                    f"{prep} {many} of other {look}s",
                    f"{prep} a {kind} with a different {look}",
                    f"{prep} unmatched {many}",
                ),
                *(f"{prep} any {kind} but the one of its own {look}", f"{prep} a {kind} that is not of its {look}"),
            )
        )
        text = self.say(every, where)
        if self.rng.random() < 0.2:
            text = self.pick(
                (
                    f"Mix up the {look}s: no {noun} {prep} the {kind} of its own {look}.",
                    f"Mismatch the {plural(noun)} and the {many}.",
                    f"No {noun} may be {prep} a {kind} of the same {look}, but all of them should be {prep} {many}.",
                    f"Every {noun} {prep} a {kind}, just never the same {look}.",
                )
            )
        return Asked(text, (self.fact(f"every {noun}", f"a mismatched {kind}"),))
