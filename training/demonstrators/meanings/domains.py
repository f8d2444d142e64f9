"""Statler's tables: what people say there in the words of `statler`, with programs of the language of meanings.

The words and their short programs come from `training/demonstrators/statler/language`. `statler`'s own expert carries
the short program out, over a state that goes on from one thing said to the next; `shortly` says it in our language,
which is held against what the expert did, answered or took down.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import cache
from typing import Any

from thinkaloud.errors import CodeRefused, SkillError, ThinkaloudError
from thinkaloud.program.lexicon import lexicon_of
from thinkaloud.records import Observation, WorldState
from thinkaloud.robots import open_world
from thinkaloud.skills.built_in_steps import STEPS
from thinkaloud.state.edits import is_container, supports, with_fact, with_marked, with_placed
from thinkaloud.state.weights import KnownWeights, weight_fact
from thinkaloud.understand.meaning.circumstances import Circumstances
from thinkaloud.understand.meaning.running import run_program
from thinkaloud.worlds.full_world import FullWorld
from thinkaloud_worlds.tabletop.statler_rules import DOMAINS, EMPTY, spread_dirt
from training.demonstrators.meanings.common import Common
from training.demonstrators.meanings.goals import Goal, Wrong, check
from training.demonstrators.meanings.knowing import Known
from training.demonstrators.meanings.relating import Relating
from training.demonstrators.meanings.shortly import Ours, Unsaid
from training.demonstrators.meanings.sketch import Fact, Sketch, sketch_of
from training.demonstrators.meanings.spots import GROUND, Spots, scatter
from training.demonstrators.meanings.tabletop import PUT, leaves
from training.demonstrators.meanings.talking import Drawn, Rng, Said, Talk, converse
from training.demonstrators.statler.expert import ExpertProgram
from training.demonstrators.statler.frames import framed
from training.demonstrators.statler.phrases import Filler
from training.demonstrators.statler.phrases import Said as Words
from training.demonstrators.statler.references import Reference, read_reference
from training.demonstrators.statler.scenes import CLEANER, Scene
from training.demonstrators.statler.scenes import drawn as drawn_scene
from training.demonstrators.statler.table import TABLES, begun, scene_of
from training.demonstrators.statler.talk import SECTIONS, Turn, sayable
from training.demonstrators.statler.templates import Family, sections
from training.demonstrators.statler.templates import drawn as drawn_family
from training.samples import Sample
from training.words import one

_TRIES, _FILLS = 30, 5
_BACK = 0.15
"""How often somebody speaks of what was spoken of just before."""
_SHARES = {"asking past": 10, "commands state": 8}
"""What is said more and less often than `statler` shows it: here nothing else tells what was done."""
_LONGEST_TALK = 9
"""Things said at one table: people ask more there than elsewhere, and each rests on those before."""


@cache
def table(domain: str) -> tuple[Sketch, FullWorld]:
    """The table of a domain that all its scenes are laid on."""
    sketch, whole = sketch_of(open_world(domain), ends=dict.fromkeys((PUT, "put_beside", "put_between"), leaves))
    if DOMAINS[domain].dirt or DOMAINS[domain].weighs:  # what is told is taken in, as the world itself does it
        sketch.believe, sketch.take_in = _nothing, lambda state, words: sketch.model.take_in(state, words)
    return sketch, whole


def _nothing(state: WorldState) -> None:
    """What is believed goes on from one thing said to the next by itself."""


@cache
def _going_back() -> list[Family]:
    """Orders about what was spoken of just before: it, them, the others, there."""
    orders = [*sections()["commands commands"], *sections()["commands state"]]
    return [each for each in orders if re.search(r"\b(it|them|others|there)\(\)", each.program)]


class Described(Filler):
    """Fills in as `statler` does, and marks what stands for a single thing by what is so of it: `the(…)`."""

    def described(self) -> Words:
        """A thing by what is true of it."""
        text, program = super().described()
        return text, f"the({program})"

    def box(self) -> Words:
        """A container by its name, or by what is true of it."""
        text, program = super().box()
        return text, program if program.startswith('"') else f"the({program})"


class Domain:
    """What is said at one table of a domain, one thing after another."""

    def __init__(self, rng: Rng, scene: Scene) -> None:
        self.rng, self.scene = rng, scene
        self.state = begun(scene, float(rng.choice([0.0, 0.4, 0.7])))
        sketch, self.world = table(scene.domain)
        self.movable = tuple(name for name in scene.objects if not is_container(name))
        self.holders = tuple(name for name in scene.objects if is_container(name))
        on = {thing: below for thing, below in supports(self.state).items() if below not in GROUND}
        self.spots = Spots(scatter(rng, scene.objects), dict.fromkeys(self.holders, 0.12), on)
        targets = (*self.movable, *self.holders, *GROUND)
        vocabulary = {
            "object": self.movable,
            "target": targets,
            "object in view": self.movable,
            "target in view": targets,
            "thing": scene.objects,
        }
        names = (*self.movable, *self.holders)
        self.known = Known(DOMAINS[scene.domain], self.spots, self.state)
        if rng.random() < 0.5:  # as if more had been said before what is shown
            self.known.steps = [one(rng, self.movable) for _ in range(int(rng.integers(1, 4)))]
        sketch.scene = Observation(names, vocabulary, state=WorldState(self.state.objects, self.state.relations))
        sketch.model = self.known
        self.history: list[WorldState] = [self.state]
        self.reference = Reference()
        self.talk = Talk("meaning.statler", self.world)
        self._after: Callable[[], None] = lambda: None
        self._latest = ""
        self.agreed, self.apart = 0, list[str]()
        """How often our programs came to the same as the expert's, and where they did not."""

    def turn(self) -> Said | None:
        """Something of what people say in this domain, as often as they say it."""
        self._go_on()
        shares = {**SECTIONS[self.scene.domain], **_SHARES}
        for _ in range(_TRIES):
            section = self.scene.rng.choices(list(shares), list(shares.values()))[0]
            family = drawn_family(self.scene.rng, section)
            if self.reference.things and self.scene.rng.random() < _BACK:
                section, family = "commands", self.scene.rng.choice(_going_back())
            for at in range(_FILLS):
                drawn = self._drawn(section, family)
                found = drawn and (
                    self._done(*drawn) or (self._done(*drawn, self._laid_anew(drawn[0])) if at else None)
                )
                if found:
                    return found
        return None

    def _laid_anew(self, turn: Turn) -> WorldState:
        """Another state of this table, for what makes no sense as things are: of states, a prompt shows nothing."""
        state, rng = begun(self.scene, float(self.rng.choice([0.3, 0.6, 0.9]))), self.scene.rng
        bare = WorldState(state.objects, state.relations)
        if turn.program.startswith(("mark(", "weighs(", "placed(")):
            return bare
        if self.scene.domain == "weight" and self.scene.boxes and rng.random() < 0.8:
            state, named = self.scene.state, [box for box in self.scene.boxes if f'"{box}"' in turn.program]
            boxes = [max(named, key=turn.program.rfind)] if named else self.scene.boxes
            for thing in rng.sample(self.scene.loose, min(len(self.scene.loose), rng.choice((1, 1, 2)))):
                state = with_placed(state, thing, rng.choice(boxes))
            first, *others = rng.sample(self.scene.loose, len(self.scene.loose))
            ranked = "est(" in turn.program  # the heaviest is one
            factors = [*range(2, len(others) + 2)] if ranked else rng.choices((1, 1, 2, 2, 3, 4), k=len(others))
            for thing, factor in zip(others, factors, strict=True):
                state = with_fact(state, weight_fact(thing, factor, first))
            return replace(state, changes=())
        if self.scene.domain == "disinfection" and not state.attributes:
            dirty = [each for each in self.scene.loose if rng.random() < 0.4]
            clean = [each for each in self.scene.loose if each not in dirty]
            return replace(spread_dirt(with_marked(with_marked(bare, clean, "clean"), dirty, "dirty")), changes=())
        return state

    def _go_on(self) -> None:
        """What was drawn before was said, or something else was: then nobody speaks of what was drawn."""
        if self.talk.turns and self.talk.turns[-1].program == self._latest:
            self._after()
        elif self.talk.turns:
            self.reference = Reference()
        self._after, self._latest = lambda: None, ""

    def _drawn(self, section: str, family: Family) -> tuple[Turn, str] | None:
        """One of the ways to say something, with our program for it."""
        fill = Described(self.scene, vague=0.35)
        try:
            text, short = fill.filled(family)
        except IndexError:
            return None
        turn = Turn(framed(self.scene.rng, text, section.split()[0]), short, fill.past)
        if not sayable(turn, self.scene.objects):
            return None
        named = [each for each in self.reference.things if f'"{each}"' in self._said_before]
        things = named if len(named) == len(self.reference.things) else []
        place = self.reference.place if f'"{self.reference.place}"' in self._said_before else ""
        latest = bool(self.reference.things) and self.reference.things == (*self.known.moved()[-1:],)
        try:
            return turn, Ours(self.scene, PUT, tuple(things), place, latest).program(short)
        except Unsaid:
            return None

    @property
    def _said_before(self) -> str:
        return self.talk.turns[-1].program if self.talk.turns else ""

    def _done(self, turn: Turn, program: str, state: WorldState | None = None) -> Said | None:
        """The turn with what comes of it, in this state or another; None where it makes no sense as things are."""
        if state is not None:
            self.state, self.history = state, [*self.history, state]
            self.known.becomes(state, [])
        before = self.state
        expert = ExpertProgram(TABLES[self.scene.domain], scene_of(before), before, self.history, self.reference)
        said: list[Any] = []
        given = {**expert.functions(), **self._own(expert.functions()), "say": said.append}
        try:
            exec(turn.program, {**given, "__builtins__": {"len": len, "any": any}})  # our own program, not a model's
        except (ThinkaloudError, TypeError, IndexError, KeyError):
            return None
        moves = [_move(step.arguments) for step in expert.steps if step.skill not in STEPS]
        goal = self._goal(program, said, moves, expert.state)
        if goal is None or not self._agrees(turn.text, program, goal):
            return None
        spoken = read_reference(turn.program, expert.steps, before.objects)
        if said:
            spoken = replace(spoken, moved=self.reference.moved)

        def go_on() -> None:
            self.history += expert.history[len(self.history) :]
            self.state = replace(expert.state, changes=())
            self.known.becomes(self.state, [thing for thing, _ in moves])
            self.reference = spoken

        self._latest, self._after = program, go_on
        return Said(turn.text, program, goal)

    def _agrees(self, text: str, program: str, goal: Goal) -> bool:
        """Whether our program comes to what the expert's does; where it is only known what is more, ours refuses."""
        scene = self.world.observe()
        at = Circumstances(self.world, scene, lexicon_of(self.world, scene))
        try:
            check(run_program(program, at), goal, text)
        except (Wrong, CodeRefused) as error:
            self.apart.append(str(error))
            return False
        self.agreed += 1
        return True

    def _own(self, given: dict[str, Callable[..., Any]]) -> dict[str, Callable[..., Any]]:
        """What our language says in another way than the short one: names for colours, one list of all moves."""
        known = self.known

        def only(name: str) -> Callable[..., Any]:
            return lambda *asked: _single(given[name](*asked))

        def every(names: Any, word: str) -> bool:
            if not names:
                raise SkillError("There are none.")
            return bool(given["every"](names, word))

        ranking = ("heaviest", "lightest", "lowest", "most", "fewest")
        return {
            **{name: only(name) for name in ranking},
            "the": _single,
            "colour": lambda value: value,
            "colours": lambda value: value,
            "where": given["under"],
            "every": every,
            "attribute": lambda thing: known.dirty(thing) if given["attribute"](thing) else None,
            "highest": lambda *asked: _single(self._highest(*asked)),
            "higher": lambda x, y: self.spots.height(_name(x)) > self.spots.height(_name(y)),
            "moved": lambda: [name for name in self.movable if name in known.moved()],
            "all_moves": lambda: len(known.moved()),
            "moves": lambda thing: known.moved().count(thing),
            "never_moved": lambda: [name for name in self.scene.loose if name not in known.moved()],
            "last_moved": lambda nth=1: known.moved()[-nth],
            "first_moved": lambda nth=1: known.moved()[nth - 1],
        }

    def _highest(self, names: Sequence[str] = ()) -> list[str]:
        among = names or self.scene.loose
        top = max(self.spots.height(name) for name in among)
        return [name for name in among if self.spots.height(name) == top]

    def _goal(self, program: str, said: list[Any], moves: list[tuple[str, str]], after: WorldState) -> Goal | None:
        if program.startswith("note("):
            notes = tuple(re.findall(r'note\("(.+)"\)', program))
            return Goal("note", notes=notes) if self._tells(notes, after) else None
        if program.startswith("say("):
            return _answer(said[0]) if said else None
        if program.startswith("undo("):
            return Goal("undo")
        if CLEANER in program and program.count(PUT) > 1:
            return None  # what is clean is asked before anything is done, not in between
        ends = {thing: where for thing, where in moves if where != EMPTY}
        wanted = frozenset(("on", thing, "table" if where in GROUND else where) for thing, where in ends.items())
        if not wanted:
            return None
        table = {("on", name, "table") for name in self.movable if name not in self.spots.under}
        so = table | {("on", name, below) for name in self.movable for below in self.spots.below(name)}
        weights = KnownWeights.of(self.state) if "blocks_to_add(" in program else None

        def fits(found: frozenset[Fact]) -> bool:
            if weights is not None:  # others that weigh as much will do
                added, others = ([each[1] for each in facts] for facts in (found, wanted))
                return len(added) == len(others) and (" than" in program or weights.equal(added, others))
            return wanted <= found | so and found - wanted <= so

        return Goal(fits=fits)

    def _tells(self, notes: Sequence[str], after: WorldState) -> bool:
        """Whether code takes from our notes what the expert took from what was said."""
        state = self.state
        for note in notes:
            state = self.known.take_in(state, note)
        return (state.attributes, {*state.facts}) == (after.attributes, {*after.facts})

    def ways(self, share: float) -> list[tuple[Drawn, float]]:
        """All of it, with how often."""
        return [(self.turn, share)]


def _name(value: Any) -> str:
    return str(value[0]) if isinstance(value, list) else str(value)


def _single(value: Any) -> Any:
    """What a single thing is told by has to fit one."""
    if isinstance(value, list) and len(value) != 1:
        raise SkillError("One thing is needed here.")
    return value


def _move(arguments: Any) -> tuple[str, str]:
    thing, target = map(str, arguments.values())
    return thing, target


def _answer(value: Any) -> Goal | None:
    """The goal that this is answered; a list of one is that one."""
    if value is None or (isinstance(value, list) and any(each is None for each in value)):
        return None
    if isinstance(value, Fraction):
        value = float(value)
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    return Goal("answer", said=(value,))


def samples(rng: Rng) -> Iterator[Sample]:
    """One conversation at a table of a domain."""
    scene = drawn_scene(random.Random(int(rng.integers(2**62))))
    domain = Domain(rng, scene)
    common = Common(rng, [*domain.movable], [*domain.world.skills])
    relating = Relating(rng, domain.spots, list(scene.loose), list(scene.boxes), PUT, GROUND)
    asked: list[tuple[Drawn, float]] = [(relating.is_so, 0.015), (relating.which, 0.015), (relating.far, 0.01)]
    ways = [*domain.ways(1.0), *relating.ways(0.1), *asked, *common.ways(0.1)]
    yield from converse(rng, domain.talk, ways, _LONGEST_TALK)
