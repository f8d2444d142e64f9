"""Halls with landmarks, and a hand that puts one thing close to another: tours and boxes."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

from thinkaloud.language.words import plural
from thinkaloud.program.lexicon import identifier
from thinkaloud.records import Observation
from thinkaloud.robots import open_world
from thinkaloud.worlds.full_world import FullWorld
from training.demonstrators.hicrisp.course import landmarks, tour
from training.demonstrators.hicrisp.heldout import is_held_out
from training.demonstrators.hicrisp.saying import framed
from training.demonstrators.meanings.common import Code, Common, call, said, written
from training.demonstrators.meanings.goals import Goal, calls, says
from training.demonstrators.meanings.relating import Relating
from training.demonstrators.meanings.sketch import Sketch, sketch_of
from training.demonstrators.meanings.spots import Spots, scatter
from training.demonstrators.meanings.talking import Drawn, Rng, Said, Talk, converse
from training.samples import Sample
from training.words import PLACES, PLAIN_COLOURS, one, some


def _plain(sketch: Sketch) -> tuple[Sketch, FullWorld]:
    sketch.skills = {name: type(each)(each.signature, each.function) for name, each in sketch.skills.items()}
    return sketch, FullWorld(sketch)


@cache
def hall() -> tuple[Sketch, FullWorld]:
    """The hall that all tours are in."""
    return _plain(sketch_of(open_world("warehouse"))[0])


@cache
def stage() -> tuple[Sketch, FullWorld]:
    """The table with the hand."""
    return _plain(sketch_of(open_world("around"))[0])


class Tours:
    """What is said to a vehicle in a hall."""

    def __init__(self, rng: Rng) -> None:
        self.rng, self.known = rng, landmarks(rng, int(rng.integers(3, 13)))
        sketch, self.world = hall()
        self.been = some(rng, self.known, int(rng.integers(0, len(self.known))))
        self.here = self.been[-1] if self.been and rng.random() < 0.8 else ""
        sketch.scene = Observation(tuple(self.known), {"landmark": tuple(self.known)})
        sketch.facts = {("visited", name) for name in self.been} | ({("at", self.here)} if self.here else set())

    def tour(self) -> Said:
        """To these places, in this order."""
        stops = some(self.rng, self.known, int(self.rng.integers(1, 7)))
        text = framed(self.rng, tour(self.rng, stops), own=0)
        return Said(text, "\n".join(call("drive_to", name) for name in stops), calls(*(("drive_to", s) for s in stops)))

    def every(self) -> Said:
        """To all, to all but one, to those that have not been visited."""
        roll, the_rest = self.rng.random(), [name for name in self.known if name not in self.been]
        if roll < 0.35:
            text = said(
                self.rng,
                (
                    "[visit|go to|see|drive to] [all the|all|every one of the] [landmarks|places|stops]",
                    "[visit|drive to] every [landmark|place]",
                    "do the whole round",
                ),
            )
            return Said(written(self.rng, text), "drive_to(landmarks)", calls(*(("drive_to", n) for n in self.known)))
        if roll < 0.7:
            name = one(self.rng, self.known)
            text = said(
                self.rng,
                ("[visit|go to|drive to] [all|every] [landmark|place] [but|except] the {x}", "everywhere but the {x}"),
                x=name,
            )
            left = [n for n in self.known if n != name]
            return Said(
                written(self.rng, text),
                f'drive_to([l for l in landmarks if l != "{name}"])',
                calls(*(("drive_to", n) for n in left)),
            )
        text = said(
            self.rng,
            (
                "[visit|go to|drive to] [all|the places] [that |]you have not [been to|visited|seen] yet",
                "[see|visit] the [remaining|other] [landmarks|places] you have not visited",
            ),
        )
        goal = calls(*(("drive_to", n) for n in the_rest)) if the_rest else Goal("answer")
        return Said(written(self.rng, text), "drive_to([l for l in landmarks if not visited(l)])", goal)

    def question(self) -> Said:
        """Where it is, where it has been."""
        name, roll = one(self.rng, self.known), self.rng.random()
        if roll < 0.3:
            text = said(
                self.rng,
                (
                    "where are you[| now| right now]",
                    "[at|near] which [landmark|place] are you",
                    "what is your position",
                ),
            )
            return Said(
                written(self.rng, text),
                "say([l for l in landmarks if at(l)])",
                says([self.here] if self.here else "None."),
            )
        if roll < 0.55:
            text = said(
                self.rng,
                ("are you at the {x}[| now| already]", "have you arrived at the {x}", "did you reach the {x}"),
                x=name,
            )
            return Said(written(self.rng, text), f"say({call('at', name)})", says(name == self.here))
        if roll < 0.8:
            text = said(
                self.rng,
                ("have you [been to|been at|visited|seen] the {x}[| yet]", "did you [visit|go to] the {x}"),
                x=name,
            )
            return Said(written(self.rng, text), f"say({call('visited', name)})", says(name in self.been))
        text = said(
            self.rng,
            (
                "where have you been",
                "which [landmarks|places] have you visited",
                "how many [landmarks|places] have you [visited|been to]",
            ),
        )
        been = [n for n in self.known if n in self.been]
        if text.startswith("how"):
            return Said(written(self.rng, text), "say(len([l for l in landmarks if visited(l)]))", says(len(been)))
        return Said(written(self.rng, text), "say([l for l in landmarks if visited(l)])", says(been or "None."))

    def missing(self) -> Said | None:
        """To a place that is not there."""
        name = one(self.rng, PLACES)
        if any({*name.split()} & {*other.split()} for other in self.known):
            return None
        return Said(
            framed(self.rng, tour(self.rng, [name]), own=0), call("drive_to", name), Goal("refusal", about=f"no {name}")
        )

    def small(self) -> Said:
        """Look around, back up, wait."""
        ways = {
            "look_around": (
                "look [around|round]",
                "turn once on the spot",
                "[scan|have a look at] the surroundings",
                "see what is around you",
            ),
            "back_up": ("back up[| a little| a bit]", "[reverse|drive back|go back] a [little|bit]", "move back a bit"),
            "wait": (
                "wait[| a moment| a second]",
                "[stand still|hold on] [for a moment|a second]",
                "pause [briefly|for a moment]",
            ),
        }
        skill = one(self.rng, [*ways])
        return Said(written(self.rng, said(self.rng, ways[skill])), f"{skill}()", calls((skill,)))

    def ways(self) -> list[tuple[Drawn, float]]:
        """All of it, with how often."""
        return [(self.tour, 0.5), (self.every, 0.12), (self.question, 0.2), (self.missing, 0.06), (self.small, 0.07)]


class Boxes:
    """What is said to a hand that puts one thing close to another."""

    def __init__(self, rng: Rng) -> None:
        self.rng = rng
        nouns = (
            ("box", "cylinder")
            if rng.random() < 0.6
            else tuple(some(rng, ("crate", "pillar", "can", "cube", "tin", "post", "jar"), 2))
        )
        self.things = [f"{c} {noun}" for noun in nouns for c in some(rng, PLAIN_COLOURS, int(rng.integers(1, 4)))]
        self.spots = Spots(scatter(rng, self.things))
        sketch, self.world = stage()
        names = tuple(self.things)
        sketch.scene = Observation(names, {"object": names, "thing": names, "thing in view": names})
        sketch.model = self.spots

    def _said(self, name: str) -> tuple[str, Code | str]:
        """A thing as it is called: by its name, or any one of its kind."""
        noun = name.split()[-1]
        alike = [each for each in self.things if each.endswith(f" {noun}")]
        if len(alike) == 1 and self.rng.random() < 0.4:
            return one(self.rng, (f"the {noun}", f"a {noun}")), name
        if name == alike[0] and len(alike) > 1 and self.rng.random() < 0.5:
            many = plural(noun)
            return one(self.rng, (f"a {noun}", f"any {noun}", f"one of the {many}")), Code(f"{identifier(many)}[0]")
        return f"the {name}", name

    def around(self) -> Said | None:
        """One thing around, that is close to, another."""
        first, other = some(self.rng, self.things, 2)
        (a, x), (b, y) = self._said(first), self._said(other)
        if a.split()[-1] == b.split()[-1] and (a, b) != (f"the {first}", f"the {other}"):
            return None
        verb = one(self.rng, ("put", "set", "place", "bring", "move", "stand", "park"))
        text = framed(
            self.rng, f"{verb} {a} {one(self.rng, ('around', 'close around', 'around', 'close to'))} {b}", own=0
        )
        if is_held_out(text):
            return None
        return Said(text, call("place_around", x, y), calls(("place_around", first, other)))

    def small(self) -> Said:
        """Look for it, take it, put it down."""
        name = one(self.rng, self.things)
        ways = {
            "locate": ("[locate|find|look for] the {x}", "find out where the {x} is"),
            "pick_up": ("[pick up|take|grab|lift] the {x}", "take the {x} in your hand"),
        }
        if self.rng.random() < 0.2:
            text = said(self.rng, ("put [it|that] down", "put down what you hold", "empty your hand"))
            return Said(written(self.rng, text), "put_down()", calls(("put_down",)))
        skill = one(self.rng, [*ways])
        return Said(written(self.rng, said(self.rng, ways[skill], x=name)), call(skill, name), calls((skill, name)))

    def ways(self) -> list[tuple[Drawn, float]]:
        """All of it, with how often."""
        return [(self.around, 0.45), (self.small, 0.15)]


def samples(rng: Rng) -> Iterator[Sample]:
    """One conversation in a hall, or at the table with the hand."""
    if rng.random() < 0.7:
        tours = Tours(rng)
        asides = Common(rng, tours.known, [*tours.world.skills]).ways(0.22)
        yield from converse(rng, Talk("meaning.halls", tours.world), [*tours.ways(), *asides])
        return
    boxes = Boxes(rng)
    looking = Relating(rng, boxes.spots, boxes.things, [], "")
    near = [(looking.shift, 0.08), (looking.far, 0.06)]
    asides = Common(rng, boxes.things, [*boxes.world.skills]).ways(0.2)
    yield from converse(rng, Talk("meaning.halls", boxes.world), [*boxes.ways(), *near, *asides])
