"""Homes: what people want done there, as the deeds that matter; what has to come first is for a search to find."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from functools import cache

from thinkaloud.language.name_matching import without_number
from thinkaloud.language.words import stems
from thinkaloud.records import Observation
from thinkaloud.understand.relevant import FEW
from thinkaloud.worlds.full_world import FullWorld
from thinkaloud_worlds.household import Household
from training.demonstrators.hicrisp.catalogue import PORTABLE
from training.demonstrators.hicrisp.heldout import is_held_out
from training.demonstrators.hicrisp.homes import Crowded, Wanted, home_of
from training.demonstrators.hicrisp.household import Wish, drawn_wish
from training.demonstrators.hicrisp.programs import call_of
from training.demonstrators.meanings.common import Common, call, said, written
from training.demonstrators.meanings.goals import Goal, Wrong, calls, says
from training.demonstrators.meanings.knowing_homes import drawn_care, drawn_product, in_other_words, needs_guessing
from training.demonstrators.meanings.sketch import Fact, Sketch, sketch_of
from training.demonstrators.meanings.talking import Drawn, Rng, Said, Talk, converse
from training.samples import Sample
from training.words import OBJECTS, one

Call = tuple[str, ...]
_MOST = 10
"""Calls of a program."""
_WISHES = 8
_LARGE, _OTHERWISE = 0.4, 0.4
"""The share of homes with so many things that not all are shown, and of requests that call a thing otherwise."""
_MADE, _CARED = 0.14, 0.26
"""Below these, a wish is for something that is made, or for something that is cared for."""
_IN_HAND = ("put_in", "put_back", "pour", "read", "drink", "put_on", "eat")
"""What is done with a thing in the hand: that it has to be taken first goes without saying."""
_BETWEEN = ("sit", "lie", "close", "grab")
"""Unless one of these comes between: then it has to be in the hand by then."""
_GOING = ("find", "walk", "turn_to")
_ROOMS = "room"
_FOR_MANY = {
    "dish": (("dishes", "dirty dishes", "crockery", "plates and bowls"), ("dishwasher", "crockery")),
    "vessel": (("cups", "glasses and cups", "things to drink from"), ("dishwasher", "crockery")),
    "drink": (("drinks", "beverages", "things to drink"), ("cooler",)),
    "pan": (("pots and pans", "pans", "cookware"), ("dishwasher", "crockery")),
    "clothes": (("laundry", "dirty laundry", "garments", "things to wear"), ("washer", "wardrobe")),
    "food": (("food", "things to eat", "eatables"), ("cooler",)),
    "reading": (("reading matter", "printed things"), ("cupboard",)),
}
"""Words for all things of a category, and where they are put."""


def shortened(steps: Sequence[str]) -> list[Call]:
    """The calls of a plan without the ways there and what a search finds by itself."""
    every = [(name, *things) for name, things in map(call_of, steps)]
    kept: list[Call] = []
    for at, step in enumerate(every):
        name, thing, later = step[0], step[1] if len(step) > 1 else "", every[at + 1 :]
        if name in _GOING and any(other[0] not in _GOING for other in later):
            continue
        if name == "turn_to" and len(every) > 1:
            continue
        if name == "open" and any(other in (("close", thing), ("put_in", *other[1:2], thing)) for other in later):
            continue
        if name == "grab":
            uses = [n for n, other in enumerate(later) if other[0] in _IN_HAND and other[1] == thing]
            if uses and not any(other[0] in _BETWEEN for other in later[: uses[0]]):
                continue
        kept.append(step)
    if all(step[0] in _GOING for step in kept):
        kept = kept[-1:]
    return [("walk", step[1]) if step[0] == "find" else step for step in kept]


def outcome(done: Sequence[Call]) -> frozenset[Call]:
    """How things are after some calls, as far as these say: where things are, what is on, open, held or was done."""
    state: dict[tuple[str, str], Call] = {}
    for name, *things in done:
        first = things[0] if things else ""
        match name:
            case "put_in" | "put_back":
                state["place", first] = (name, *things)
                state.pop(("held", first), None)
            case "grab":
                state["held", first] = (name, first)
                state.pop(("place", first), None)
            case "switch_on" | "switch_off":
                state["switch", first] = (name, first)
            case "open" | "close":
                state["door", first] = (name, first)
            case "sit" | "lie":
                state["rest", ""] = (name, first)
            case "find" | "walk" | "turn_to":
                pass
            case _:
                state["done", f"{name} {things}"] = (name, *things)
                if name in _IN_HAND:
                    state.pop(("held", first), None)
    return frozenset(state.values())


def program_of(steps: Sequence[Call]) -> str:
    """Calls as a program; what is put in the same place one after another is a list."""
    lines: list[str] = []
    at = 0
    while at < len(steps):
        name, *things = steps[at]
        alike = [things]
        while name in ("put_in", "put_back") and at + len(alike) < len(steps):
            other, *more = steps[at + len(alike)]
            if other != name or more[1] != things[1]:
                break
            alike.append(more)
        if len(alike) > 1:
            lines.append(call(name, [each[0] for each in alike], things[1]))
        else:
            lines.append(call(name, *things))
        at += len(alike)
    return "\n".join(lines)


@cache
def home() -> tuple[Sketch, FullWorld]:
    """The home that all homes are: its skills and relations."""
    sketch, _whole = sketch_of(Household(home_of(Wanted(_rng()))))
    sketch.skills = {
        name: type(each)(each.signature, each.function) for name, each in sketch.skills.items()
    }  # deeds, not wishes, are compared
    return sketch, FullWorld(sketch)


def _rng() -> Rng:
    import numpy as np

    return np.random.default_rng(0)


class Home:
    """What is said in one home."""

    def __init__(self, rng: Rng) -> None:
        self.rng = rng
        wanted = Wanted(rng)
        self.wishes: list[Wish] = []
        plain: list[Wish] = []
        for _ in range(_WISHES):
            with suppress(Crowded):
                roll = rng.random()
                known = drawn_product(wanted) if roll < _MADE else drawn_care(wanted) if roll < _CARED else None
                self.wishes += [known] if known is not None else []
                plain += [drawn_wish(wanted)] if roll >= _CARED else []
        plain = [each for each in plain if not needs_guessing(each, wanted)]
        plain = [in_other_words(each, wanted) if rng.random() < _OTHERWISE else each for each in plain]
        every = [*self.wishes, *plain]
        self.wishes = [every[int(at)] for at in rng.permutation(len(every))]
        many = rng.random() < _LARGE
        others = int(rng.integers(40, 240) if many else rng.integers(4, 26))
        twice = float(rng.uniform(0.1, 0.5)) if many else 0.15
        scene = FullWorld(Household(home_of(wanted, others=others, twice=twice))).observe()
        self.scene: Observation = scene
        sketch, self.world = home()
        told = scene.state.relations if scene.state is not None else ()
        self.facts: set[Fact] = {(c.relation, *map(str, c.arguments.values())) for c in told}
        sketch.scene, sketch.facts = scene, self.facts
        self.known = {name for names in scene.vocabulary.values() for name in names}
        self.things = [name for name in wanted.kinds if name in self.known and wanted.kinds[name] != _ROOMS]
        self.kinds = wanted.kinds
        self.portable = [name for name in self.things if wanted.kinds[name] in PORTABLE]

    def of(self, kind: str) -> list[str]:
        """The things of a kind of parameter."""
        return [name for name in self.scene.vocabulary.get(kind, ()) if name in self.known]

    def wish(self) -> Said | None:
        """Something that is to be done."""
        if not self.wishes:
            return None
        wish = self.wishes.pop()
        if is_held_out(wish.request):
            return None
        every = [(name, *things) for name, things in map(call_of, wish.steps)]
        short = shortened(wish.steps)
        if outcome(short) != outcome(every):
            raise Wrong(f"{wish.request!r}: {short} is not {every}")
        if not short or len(short) > _MOST or any(thing not in self.known for each in short for thing in each[1:]):
            return None
        return Said(wish.request, program_of(short), calls(*short))

    def missing(self) -> Said | None:
        """Something that is not there."""
        name = one(self.rng, OBJECTS)
        if any(stems(name.split()[-1]) & stems(other) for other in self.known):
            return None
        verb, text = self._deed(name)
        return Said(text, call(verb, name), Goal("refusal", about=f"no {name}"))

    def _deed(self, name: str) -> tuple[str, str]:
        ways = {
            "grab": ("[fetch|get|grab|pick up|bring me|take] the {x}", "I need the {x}"),
            "wash": ("[wash|clean] the {x}", "the {x} needs [washing|a wash]"),
            "switch_on": ("[switch|turn] on the {x}", "[switch|turn] the {x} on"),
            "find": ("[find|look for] the {x}",),
        }
        verb = one(self.rng, [*ways])
        return verb, written(self.rng, said(self.rng, ways[verb], x=name))

    def ambiguous(self) -> Said | None:
        """A noun that several things share."""
        nouns = [name.split()[-1] for name in self.portable]
        several = [noun for noun in dict.fromkeys(nouns) if nouns.count(noun) > 1 and noun not in self.known]
        if not several:
            return None
        noun = one(self.rng, several)
        text = written(self.rng, said(self.rng, ("[fetch|get|grab|take|bring me] the {n}",), n=noun))
        return Said(text, call("grab", noun), Goal("question", about=noun))

    def question(self) -> Said | None:
        """Whether something is on, open, held; what is in something; where something is."""
        roll = self.rng.random()
        if not all(map(self.of, ("portable", "surface", "container"))):
            return None
        if roll < 0.5:
            words, relation, kind = self._asked()
            names = self.of(kind)
            if not names:
                return None
            name = one(self.rng, names)
            text = said(
                self.rng, (f"is the {{x}} {words}[| now]", f"[tell me|I wonder] whether the {{x}} is {words}"), x=name
            )
            return Said(written(self.rng, text), f"say({call(relation, name)})", says((relation, name) in self.facts))
        if roll < 0.7 and self.of("container"):
            box = one(self.rng, self.of("container"))
            there = [name for name in self.of("portable") if ("inside", name, box) in self.facts]
            text = said(
                self.rng,
                ("what is [in|inside] the {b}", "[which things|what] do we have in the {b}", "list what is in the {b}"),
                b=box,
            )
            program = f'[p for p in portables if inside(p, "{box}")]'
            if self.rng.random() < 0.3:
                text = said(self.rng, ("how many things are in the {b}",), b=box)
                return Said(written(self.rng, text), f"say(len({program}))", says(len(there)))
            return Said(written(self.rng, text), f"say({program})", says(there))
        if roll < 0.9 and self.portable:
            name = one(self.rng, self.portable)
            on = [s for s in self.of("surface") if ("on_top", name, s) in self.facts]
            within = [c for c in self.of("container") if ("inside", name, c) in self.facts]
            text = said(
                self.rng,
                ("where is the {x}", "where [did you put|can I find|do we keep] the {x}", "have you seen the {x}"),
                x=name,
            )
            program = (
                f'say([s for s in surfaces if on_top("{name}", s)] + [c for c in containers if inside("{name}", c)])'
            )
            return Said(written(self.rng, text), program, says([*on, *within] or "None."))
        held = [name for name in self.of("portable") if ("holding", name) in self.facts]
        text = said(
            self.rng,
            ("what [are you holding|is in your hands|do you have in your hands]", "[which things|what] do you hold"),
        )
        return Said(written(self.rng, text), "say([p for p in portables if holding(p)])", says(held or "None."))

    def _asked(self) -> tuple[str, str, str]:
        options = (
            ("[on|switched on|running]", "switched_on", "device"),
            ("[off|switched off]", "switched_off", "device"),
            ("open", "opened", "openable"),
            ("[closed|shut]", "closed", "openable"),
            ("plugged in", "plugged_in", "pluggable"),
            ("dirty", "dirty", "thing"),
            ("clean", "clean", "thing"),
        )
        return options[int(self.rng.integers(len(options)))]

    def those(self) -> Said | None:
        """All that is on is switched off, all that is open is closed."""
        if not self.of("device") or not self.of("openable"):
            return None
        if self.rng.random() < 0.5:
            so = [d for d in self.of("device") if ("switched_on", d) in self.facts]
            text = said(
                self.rng,
                (
                    "[switch|turn] off [everything|all the devices] that is on",
                    "[switch|turn] everything off",
                    "all devices off",
                ),
            )
            program = "switch_off([d for d in devices if switched_on(d)])"
            return Said(
                written(self.rng, text), program, calls(*(("switch_off", d) for d in so)) if so else Goal("answer")
            )
        so = [o for o in self.of("openable") if ("opened", o) in self.facts]
        text = said(self.rng, ("close [everything|whatever|all] that is open", "[shut|close] all that stands open"))
        program = "close([o for o in openables if opened(o)])"
        return Said(written(self.rng, text), program, calls(*(("close", o) for o in so)) if so else Goal("answer"))

    def several(self) -> Said | None:
        """All that goes by a word for many: `the dishes`. Only where all of it is shown."""
        kind = one(self.rng, [*_FOR_MANY])
        things = [name for name in self.of("portable") if self.kinds.get(without_number(name)) == kind]
        words, places = _FOR_MANY[kind]
        ends = [name for name in self.of("container") if self.kinds.get(without_number(name)) in places]
        if len(self.known) > FEW or not 2 <= len(things) <= 6 or not ends or ends[0] not in self.of("openable"):
            return None
        end, starts = ends[0], ends[0] in self.of("device") and self.rng.random() < 0.6
        text = said(
            self.rng,
            (
                "[put|pack|load|place] [the|all the] {w} [in|into] the {e}",
                "[the|all the] {w} [belong|go] in the {e}",
                "[take|collect|find] [the|all the] {w}, put them in the {e}",
                "[fill|load] the {e} with [the|all the] {w}",
            ),
            w=one(self.rng, words),
            e=end,
        )
        text += one(self.rng, (" and start it", " and switch it on", ", then turn it on")) if starts else ""
        steps = [*(("put_in", name, end) for name in things), ("close", end), *([("switch_on", end)] if starts else [])]
        return Said(written(self.rng, text), program_of(steps), calls(*steps))

    def depending(self) -> Said | None:
        """If it is on, off with it."""
        if not self.of("device"):
            return None
        name, on = one(self.rng, self.of("device")), bool(self.rng.random() < 0.5)
        word, back, relation = ("on", "off", "switched_on") if on else ("off", "on", "switched_off")
        text = said(
            self.rng,
            (f"if the {{x}} is {word}, [switch|turn] it {back}", f"[switch|turn] {back} the {{x}} if it is {word}"),
            x=name,
        )
        program = f"if {call(relation, name)}:\n    {call('switch_' + back, name)}"
        so = (relation, name) in self.facts
        return Said(written(self.rng, text), program, calls(("switch_" + back, name)) if so else Goal("answer"))

    def ways(self) -> list[tuple[Drawn, float]]:
        """All of it, with how often."""
        return [
            (self.wish, 0.6),
            (self.question, 0.16),
            (self.missing, 0.05),
            (self.ambiguous, 0.03),
            (self.those, 0.02),
            (self.several, 0.12),
            (self.depending, 0.03),
        ]


def samples(rng: Rng) -> Iterator[Sample]:
    """Things said in one home, in a few conversations."""
    place = Home(rng)
    common = Common(rng, place.things or ["door"], [*place.world.skills, *place.world.relations])
    ways = [*place.ways(), *common.ways(0.12)]
    for _ in range(2):
        yield from converse(rng, Talk("meaning.homes", place.world), ways, longest=6)
