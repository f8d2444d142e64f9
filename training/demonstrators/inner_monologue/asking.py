"""What people ask of a robot at a table, with what they mean by it: requests put together from many parts."""

from __future__ import annotations

import re
from dataclasses import dataclass

import numpy as np

from training.demonstrators.inner_monologue.scenes import Scene, plural
from training.demonstrators.inner_monologue.table import Says
from training.words import one

PUT = (
    *(
        "put",
        "put",
        "put",
        "place",
        "move",
        "bring",
        "set",
        "lay",
        "get",
        "transfer",
        "shift",
        "carry",
        "drop",
        "stick",
    ),
    *("pop", "position", "deposit", "stow", "take", "arrange", "leave"),
)
TAKE = ("pick up", "pick", "take", "grab", "lift", "fetch", "get hold of", "pick up")
FRAMES = (
    *("{v} {o} {t}.", "{v} {o} {t}.", "{v} {o} {t}.", "{v} {o} {t}", "Please {v} {o} {t}.", "Could you {v} {o} {t}?"),
    *(
        "Can you {v} {o} {t}, please?",
        "I want you to {v} {o} {t}.",
        "I would like you to {v} {o} {t}.",
        "Go and {v} {o} {t}.",
    ),
    *("I need you to {v} {o} {t}.", "Would you {v} {o} {t}?", "You should {v} {o} {t}.", "Time to {v} {o} {t}."),
    *("Your task is to {v} {o} {t}.", "Now {v} {o} {t}.", "Let us {v} {o} {t}.", "Try to {v} {o} {t}."),
)
WISHING = (
    *("{o} should be {t}.", "{o} should go {t}.", "I want {o} {t}.", "I want to see {o} {t}.", "I'd like {o} {t}."),
    *("{o} must end up {t}.", "{o} has to be {t}.", "I need {o} {t}.", "{o}: {t}.", "Make sure that {o} is {t}."),
    *(
        "In the end {o} should be {t}.",
        "Have {o} {t}.",
        "{o} belongs {t}.",
        "It would be nice to have {o} {t}.",
        "{o} {t}, please.",
    ),
)
ALIASES = {
    "middle": ("middle", "middle", "center", "centre", "middle of the table", "center of the table"),
    "top side": ("top side", "top side", "upper side", "top edge", "side at the top", "top"),
    "bottom side": ("bottom side", "bottom side", "lower side", "bottom edge", "side at the bottom", "bottom"),
    "left side": ("left side", "left side", "left-hand side", "left edge", "side on the left", "left"),
    "right side": ("right side", "right side", "right-hand side", "right edge", "side on the right", "right"),
    "top left corner": (
        "top left corner",
        "top left corner",
        "upper left corner",
        "top left",
        "corner at the top left",
    ),
    "top right corner": (
        "top right corner",
        "top right corner",
        "upper right corner",
        "top right",
        "corner at the top right",
    ),
    "bottom left corner": (
        "bottom left corner",
        "bottom left corner",
        "lower left corner",
        "bottom left",
        "left bottom corner",
    ),
    "bottom right corner": (
        "bottom right corner",
        "bottom right corner",
        "lower right corner",
        "bottom right",
        "right bottom corner",
    ),
}


@dataclass(frozen=True)
class Asked:
    """A request and the goal that it means, as sentences; or what is missing for it."""

    request: str
    goal: tuple[str, ...] = ()
    missing: str = ""
    again: tuple[str, str] = ("", "")
    """What was to be put, and where, if it is as simple as that: somebody may come back to it."""


class Words:
    """How people speak about a scene, and how a robot that says things so states what they want."""

    def __init__(self, rng: np.random.Generator, scene: Scene, says: Says) -> None:
        self.rng, self.scene = rng, scene
        self._fact, self._alone = says[1], says[2]

    # Goals ------------------------------------------------------------------------------------------------------------

    def fact(self, thing: str, target: str) -> str:
        """The sentence of a goal; a target that begins with `a` or `one` is a phrase of its own."""
        says = self._fact
        if target.split()[0] in ("a", "one"):
            says = says.replace("the {target}", "{target}")
        text = says.format(object=thing, target=target)
        return text[0].upper() + text[1:]

    def stays(self, thing: str) -> str:
        """That a thing is left alone."""
        text = self._alone.format(object=thing)
        return text[0].upper() + text[1:]

    def stack(self, base: str = "") -> str:
        """The target that is a stack somewhere."""
        preposition = self._fact.partition(" the {target}")[0].split()[-1]
        return f"one stack {preposition} the {base}" if base else "one stack"

    # Words ------------------------------------------------------------------------------------------------------------

    def pick(self, options: tuple[str, ...]) -> str:
        """Any of them."""
        return one(self.rng, options)

    def the(self, name: str, *, short: bool = True) -> str:
        """A thing, as people speak of it."""
        look, _, noun = name.rpartition(" ")
        chance = self.rng.random()
        alike = [n for n in (*self.scene.things, *self.scene.containers) if n.startswith(f"{look} ")]
        if short and look and chance < 0.08 and len(alike) == 1:
            return f"the {look} one"
        if look and 0.08 < chance < 0.11:
            return f"the {noun} that is {look}"
        return name if chance > 0.93 else f"the {name}"

    def listing(self, names: list[str]) -> str:
        """Several things, by name."""
        nouns = {name.rpartition(" ")[2] for name in names}
        looks = [name.rpartition(" ")[0] for name in names]
        chance = self.rng.random()
        if len(names) > 1 and len(nouns) == 1 and all(looks) and chance < 0.4:
            noun = nouns.pop()
            joined = ", ".join(looks[:-1]) + f" and {looks[-1]}"
            if chance < 0.2:
                return f"the {joined} {plural(noun)}"
            return "the " + ", the ".join(looks[:-1]) + f" and the {looks[-1]} {noun}"
        said = [self.the(name, short=False) for name in names]
        return (
            said[0]
            if len(said) == 1
            else ", ".join(said[:-1]) + f"{' and' if chance < 0.9 else ' as well as'} {said[-1]}"
        )

    def every(self, noun: str) -> str:
        """All things of a kind."""
        many, count = plural(noun), len(self.scene.of(noun))
        numbers = ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
        options = (
            *(
                f"all the {many}",
                f"all the {many}",
                f"all {many}",
                f"every {noun}",
                f"each {noun}",
                f"all of the {many}",
            ),
            *(
                f"the {many}",
                f"the {many}",
                f"every single {noun}",
                f"each of the {many}",
                f"all my {many}",
                f"all these {many}",
            ),
            *(
                f"every one of the {many}",
                f"all {numbers[count]} {many}",
                f"the {numbers[count]} {many}",
                f"each and every {noun}",
            ),
        )
        return self.pick(options)

    def spot(self, target: str) -> str:
        """A place or thing to put something, as people speak of it, with the preposition."""
        if target in self.scene.places:
            name = self.pick(ALIASES[target]) if target in ALIASES else target
            return f"{self.pick(('on', 'in', 'at', 'to', 'onto', 'on', 'in', 'over to', 'into'))} the {name}"
        if target in self.scene.containers:
            return f"{self.pick(('in', 'into', 'inside', 'on', 'onto', 'in', 'in'))} {self.the(target)}"
        return f"{self.pick(('on', 'onto', 'on top of', 'on'))} {self.the(target)}"

    def say(self, what: str, where: str) -> str:
        """A whole sentence that asks for it."""
        frame = self.pick(FRAMES) if self.rng.random() < 0.75 else self.pick(WISHING)
        verb = self.pick(PUT)
        if "{v} {o} {t}" in frame and self.rng.random() < 0.18:
            it = "them" if what.startswith("all") or re.search(r"s\b|, | and ", what) else "it"
            what, verb = f"{what} and {verb} {it}", self.pick(TAKE)
        text = frame.format(v=verb, o=what, t=where)
        return text[0].upper() + text[1:]

    def target(self, *, of: str = "") -> str:
        """Any target that a kind of thing can be put on, other than one of its own kind."""
        chance, scene = self.rng.random(), self.scene
        others = tuple(name for name in scene.things if not name.endswith(f" {of}")) if of else scene.things
        if chance < 0.45 and scene.containers:
            return self.pick(scene.containers)
        if chance < 0.6 and others:
            return self.pick(others)
        return self.pick(scene.places)
