"""Kitchens in the form of the paper's Listings 3 and 4: a dialogue in which each step is chosen by its likelihood.

Everything is drawn: what lies where, what fails, who takes things away, when the detector of success is wrong; the
prompts are `saycan`'s own. Who is told what is in view notices from that what the detector did not.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np

from thinkaloud.clock import ManualClock
from thinkaloud.methods.saycan.dialogue import ASK_PREFIX, CONTINUE_PREFIX, DONE_PHRASES, Dialogue, SayCanFeedback
from thinkaloud.monologue import Monologue
from thinkaloud.records import Answer, Ask, Observation, Plan, Request, Started, Step, Verdict
from training.demonstrators.inner_monologue.categories import CATEGORIES, FETCHED
from training.noise import noisy
from training.samples import Sample
from training.words import FURNITURE, OBJECTS, one, some

HAND, USER, GONE = "hand", "user", "gone"
CABINETS = (("drawer cabinet", ("top drawer", "bottom drawer")), ("chest", ("left drawer", "right drawer")))
_MOST = 16

HOLD = (
    *("pick up {a}", "hold {a}", "take {a}", "grab {a}", "get hold of {a}", "please pick {a} up"),
    *("can you pick up {a}?", "take {a} in your hand", "lift {a}"),
)
BRING = ("bring me {a}", "I would like {a}", "can you get me {a}?", "fetch me {a}", "hand me {a}", "I need {a}, please")
TRASH = ("throw {a} away", "get rid of {a}", "put {a} in the trash", "{a} can go into the trash", "toss {a} out")
FROM = ("on the {s}", "from the {s}", "that is on the {s}", "over there on the {s}")
CARRY = ("put {a} on the {p}", "move {a} to the {p}", "take {a} over to the {p}", "{a} belongs on the {p}")
STOW = ("store {a} in the {d}", "{a} goes into the {d}", "put {a} away into the {d}", "place {a} inside the {d}")
OPEN = ("open the {d}", "pull the {d} open", "the {d} should be open", "I want the {d} open")
CLOSE = ("close the {d}", "shut the {d}", "push the {d} closed", "the {d} should be closed")
DROP = ("put {a} down here", "let go of {a}", "drop {a}")
ASKED = (
    *("What is there to choose from?", "Which one would you like?", "Which of them do you mean?"),
    *("What do you see here?", "Is there anything that you prefer?"),
)


@dataclass
class Kitchen:
    """Where things are, and how likely steps are to come to nothing."""

    rng: np.random.Generator
    places: tuple[str, ...]
    cabinet: str
    drawers: tuple[str, ...]
    at: dict[str, str]
    here: str
    fails: float = 0.0
    takes: float = 0.0
    """How likely somebody is to take a thing away that is about to be picked up."""
    shifts: float = 0.0
    """How likely somebody is to put it somewhere else, or to close a drawer."""
    open: set[str] = field(default_factory=set)

    def view(self) -> tuple[str, ...]:
        """What can be seen from here."""
        seen = (HAND, self.here, *(self.open if self.here == self.cabinet else ()))
        drawers = self.drawers if self.here == self.cabinet else ()
        return (*(name for name, where in self.at.items() if where in seen), *drawers)

    def held(self) -> str:
        """What is in the hand."""
        return next((name for name, where in self.at.items() if where == HAND), "")

    def do(self, words: str) -> bool:
        """Carry out a step; whether it came to what it says."""
        verb, _, what = words.partition(" the ")
        lucky = self.rng.random() >= self.fails
        match verb:
            case "find":
                self.here = self.at.get(what, GONE) if lucky and self.at.get(what) in self.places else self.here
                return what in self.view()
            case "go to":
                self.here = what if lucky else self.here
                return lucky
            case "bring it to you":
                self.here = USER if lucky else self.here
                return lucky
            case "pick up":
                near = what in self.view()
                if self.at.get(what) != HAND and self.rng.random() < self.takes:
                    self.at[what] = GONE
                elif self.at.get(what) != HAND and self.rng.random() < self.shifts:
                    self.at[what] = one(self.rng, [each for each in self.places[:3] if each != self.here])
                elif lucky and near and self.held() in ("", what):
                    self.at[what] = HAND
                return self.at.get(what) == HAND
            case "put down":
                if lucky and self.at.get(what) == HAND:
                    self.at[what] = self.here
                return self.at.get(what) == self.here
            case "put":
                what, drawer = what.split(" in the ")
                if self.rng.random() < self.shifts:
                    self.open.discard(drawer)
                if lucky and self.at.get(what) == HAND and drawer in self.open and self.here == self.cabinet:
                    self.at[what] = drawer
                return self.at.get(what) == drawer
            case _:
                (self.open.add if verb == "open" else self.open.discard)(what) if lucky else None
                return lucky


@dataclass
class Errand:
    """What is wanted: one of some things somewhere, or a drawer open or closed."""

    request: str
    kind: str
    items: tuple[str, ...] = ()
    where: str = ""
    source: str = ""
    """Where the thing lies, if that was said: one of its kind that lies elsewhere will not do."""


def _draw(rng: np.random.Generator) -> tuple[Kitchen, Errand]:
    cabinet, drawers = CABINETS[0] if rng.random() < 0.7 else CABINETS[1]
    places = ("counter", "table") if rng.random() < 0.6 else tuple(some(rng, FURNITURE[:40], 2))
    category = one(rng, FETCHED)
    kind = str(rng.choice(["hold", "bring", "trash", "carry", "stow", "open", "close", "drop"], p=_SHARES))
    here = one(rng, places)
    some_will_do = some(rng, CATEGORIES[category], int(rng.integers(1, 4)))
    others = [name for name in some(rng, OBJECTS, 5) if not any(name in each for each in some_will_do)]
    spots = (*places, cabinet)
    at = {name: here if kind == "hold" and rng.random() < 0.8 else one(rng, spots) for name in some_will_do}
    at |= {name: one(rng, spots) for name in others}
    kitchen = Kitchen(rng, (*spots, "trash", USER), cabinet, drawers, at, here)
    kitchen.at = {name: at[name] for name in some(rng, [*at], len(at))}
    wanted, items = _named(rng, kind, category, some_will_do)
    drawer, place = one(rng, drawers), one(rng, [each for each in spots if each != cabinet])
    source = ""
    if kind in ("bring", "trash", "carry", "stow") and rng.random() < 0.35:
        source = one(rng, [each for each in places if each != place])
        kitchen.at[some_will_do[0]] = source
        wanted = f"{_definite(wanted)} {one(rng, FROM).format(s=source)}"
        items = tuple(name for name in items if kitchen.at.get(name) == source) or (some_will_do[0],)
    if kind == "close":
        kitchen.open.add(drawer)
    if kind == "drop":
        kitchen.at[items[0]], items = HAND, items[:1]
        wanted = f"the {items[0]}"
    text = one(rng, _FORMS[kind]).format(a=wanted, p=place, d=drawer)
    text = one(rng, TOLD).format(text) if rng.random() < 0.15 else text
    return kitchen, Errand(text, kind, items, {"carry": place, "trash": "trash"}.get(kind, drawer), source)


def _definite(wanted: str) -> str:
    """`the soda` for `a soda`: there it is one that both know of."""
    first, _, rest = wanted.partition(" ")
    return f"the {rest}" if first in ("a", "some") else wanted


TOLD = (
    *("I am just back from a long walk, {0}", "there are guests coming, {0}", "my hands are full, so {0}"),
    *("it is a mess in here: {0}", "I forgot something. {0}", "while you are at it, {0}", "{0}, would you?"),
)


_FORMS = {
    "hold": HOLD,
    "bring": BRING,
    "trash": TRASH,
    "carry": CARRY,
    "stow": STOW,
    "open": OPEN,
    "close": CLOSE,
    "drop": DROP,
}
_SHARES = [0.24, 0.2, 0.14, 0.12, 0.12, 0.08, 0.06, 0.04]


def _named(rng: np.random.Generator, kind: str, category: str, will_do: Sequence[str]) -> tuple[str, tuple[str, ...]]:
    """How the thing is spoken of, and what that may be."""
    chance = rng.random()
    if chance < 0.35 or kind == "drop":
        return f"the {will_do[0]}", (will_do[0],)
    if chance < 0.45 and len(will_do) > 1:
        return f"the {will_do[0]} or the {will_do[1]}", tuple(will_do[:2])
    if chance < 0.8 or category not in _PURPOSES:
        if category.startswith("thing "):
            return category.replace("thing", "something", 1), CATEGORIES[category]
        return f"{'some' if category == 'chips' else 'a'} {category}", CATEGORIES[category]
    return one(rng, _PURPOSES[category]), CATEGORIES[category]


_PURPOSES = {
    "drink": ("something to drink", "anything to drink"),
    "soda": ("something fizzy to drink",),
    "drink with caffeine": ("something that keeps me awake", "a drink that wakes me up"),
    "drink without sugar": ("something to drink that has no sugar",),
    "hot drink": ("something warm to drink",),
    "snack": ("something to nibble", "something to eat between meals"),
    "sweet": ("something sweet",),
    "thing to wipe with": ("something to wipe the floor with", "something to dry my hands with"),
    "thing to write with": ("something to write with",),
    "breakfast food": ("something for breakfast",),
    "fruit": ("something healthy to eat",),
    "tool": ("something to repair the chair with",),
}


@dataclass
class Housekeeper:
    """Knows what will do, and decides from what was told so far."""

    errand: Errand
    kitchen: Kitchen
    tells_success: bool
    tells_scene: bool
    item: str = ""
    step: int = 0
    """How much of the errand is done, as far as the robot has been told."""
    gone: set[str] = field(default_factory=set)
    missed: int = 0
    """How often the thing was not there."""
    failed: int = 0
    """How often the latest step is said to have come to nothing."""
    first: list[str] = field(default_factory=list)
    """What has to be done before it goes on."""

    def steps(self) -> list[str]:
        """All of it, as it would go if nothing went wrong."""
        item, errand = self.item, self.errand
        to_cabinet = f"go to the {self.kitchen.cabinet}"
        there = f"go to the {errand.source}" if errand.source else f"find the {item}"
        taken = [there, f"pick up the {item}"]
        match errand.kind:
            case "open" | "close":
                return [to_cabinet, f"{errand.kind} the {errand.where}"]
            case "drop":
                return [f"put down the {item}"]
            case "hold":
                return [f"pick up the {item}"]
            case "bring":
                return [*taken, "bring it to you", f"put down the {item}"]
            case "stow":
                return [
                    to_cabinet,
                    f"open the {errand.where}",
                    *taken,
                    to_cabinet,
                    f"put the {item} in the {errand.where}",
                ]
            case _:
                return [*taken, f"go to the {errand.where}", f"put down the {item}"]

    def choose(self) -> None:
        """What to go for: what will do and can be had; with a view of things, one that is seen."""
        left = [name for name in self.errand.items if name not in self.gone and name in self.kitchen.at]
        left = [name for name in left if self.kitchen.at[name] != GONE or not self.tells_scene]
        seen = [name for name in left if name in self.kitchen.view()]
        self.item = next(iter((*seen, *left)), "")

    def next(self) -> str:
        """The next step, or that it is done."""
        if not self.item and self.errand.items:
            self.choose()
            if not self.item:
                return DONE_PHRASES[0]
        steps = self.steps()
        if self.first:
            return self.first[0]
        if self.step >= len(steps):
            return DONE_PHRASES[0]
        words = steps[self.step]
        if words.startswith("pick up") and self.tells_scene and self.item not in self.kitchen.view():
            return f"find the {self.item}"
        return words

    def hear(self, words: str, worked: bool, view: Sequence[str]) -> None:
        """What came of a step, as far as it is told."""
        steps = self.steps()
        good = worked or not self.tells_success
        self.failed = 0 if good else self.failed + 1
        pick = next((at for at, each in enumerate(steps) if each.startswith("pick up")), 0)
        away = self.tells_scene and bool(self.item) and self.item not in view
        if away and words.startswith(("find", "pick up")):
            self._lost(view, pick)
        elif away and self.step > pick and words.startswith(("go to", "bring")):
            self.step, self.first = pick, []  # it was never in the hand, whatever was said
        elif self.first:
            self.first = self.first[1:] if good and words == self.first[0] else self.first
        elif words.startswith("put the") and self.failed > 1:  # the drawer may be closed; a full hand cannot open it
            drawer = self.errand.where
            self.first = [f"put down the {self.item}", f"open the {drawer}", f"pick up the {self.item}"]
        elif self.step < len(steps) and words == steps[self.step] and good:
            self.step += 1

    def _lost(self, view: Sequence[str], pick: int) -> None:
        """It is not there: another one will do that is, or it is looked for again."""
        others = [name for name in self.errand.items if name not in self.gone and name != self.item]
        self.missed += 1
        self.step, self.first = pick, []
        if {*others} & {*view} or self.missed > 1:
            self.gone.add(self.item)
            self.item, self.missed = "", 0


def kitchen_episode(rng: np.random.Generator, feedback: SayCanFeedback) -> Iterator[Sample]:
    """The dialogue about one errand; sometimes with questions in it."""
    kitchen, errand = _draw(rng)
    told = feedback != "none"
    seen = feedback == "object+success"
    kitchen.fails, kitchen.takes = 0.25 * told * (rng.random() < 0.6), 0.12 * seen
    kitchen.shifts, lies = 0.1 * seen, 0.1 * (told and rng.random() < 0.7)
    asks = seen and rng.random() < 0.25
    if errand.items and not {*errand.items} & {*kitchen.at}:
        return
    mind = Housekeeper(errand, kitchen, told, seen)
    dialogue, said = Dialogue(feedback, asks), Monologue(ManualClock())
    said.append(Request(noisy(rng, errand.request, 0.2)))
    said.append(Observation(kitchen.view(), {}))
    parts, before = list[tuple[str, str]](), ""
    for number in range(_MOST):
        prompt = dialogue.lines(said)
        if asks and number:
            question = one(rng, ASKED) if number == 1 and len(errand.items) > 1 else ""
            parts.append((prompt[len(before) :], f"{ASK_PREFIX} {question}" if question else CONTINUE_PREFIX))
            before = prompt + parts[-1][1]
            if question:
                said.append(Ask((question,)))
                said.append(Answer(f"There is {', '.join(kitchen.view()) or 'nothing'}"))
                prompt = dialogue.lines(said)
            else:
                prompt = f"{before}\n{number + 1}."
        words = mind.next()
        parts.append((prompt[len(before) :], f" {words}"))
        before = f"{prompt} {words}"
        if words == DONE_PHRASES[0]:
            break
        step = Step("", {}, f"{words[0].upper()}{words[1:]}.")
        said.append(Plan(errand.request, (), (step,)))
        said.append(Started(step))
        worked = kitchen.do(words) ^ bool(rng.random() < lies)  # as the detector has it
        said.append(Verdict(step, worked, "action"))
        said.append(Observation(kitchen.view(), {}))
        mind.hear(words, worked, kitchen.view())
    yield Sample(f"saycan.{feedback}", tuple(parts))
