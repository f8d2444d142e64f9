"""A table of a domain without physics: what is true, what a program does to it, and how a conversation goes on."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from thinkaloud.errors import SkillError, ThinkaloudError
from thinkaloud.records import Observation, Step, WorldState
from thinkaloud.skills import relations_of, skills_of
from thinkaloud.skills.built_in_steps import SAY, STEPS, note, say
from thinkaloud.state.edits import is_container, is_cover, supports, with_fact, with_marked, with_placed
from thinkaloud.state.weights import weight_fact
from thinkaloud_worlds.tabletop.statler_rules import DOMAINS, spread_dirt
from thinkaloud_worlds.tabletop.statler_worlds import OPEN_TARGETS, DomainWorld
from training.demonstrators.statler.expert import ExpertProgram
from training.demonstrators.statler.references import Reference, read_reference
from training.demonstrators.statler.scenes import Scene
from training.demonstrators.statler.talk import Turn


class Table(DomainWorld):
    """The rules and skills of a domain, and nothing that could be seen or touched."""

    def __init__(self, domain: str) -> None:
        self.domain = DOMAINS[domain]
        self.name = domain
        self.skills, self.relations = skills_of(self), relations_of(self)


TABLES = {domain: Table(domain) for domain in DOMAINS}


def scene_of(state: WorldState) -> Observation:
    """What the camera would show of a state."""
    movable = tuple(name for name in state.objects if not is_container(name))
    vocabulary = {"object": movable, "target": (*state.objects, *OPEN_TARGETS)}
    return Observation(state.objects, vocabulary, (), state=state)


@dataclass(frozen=True)
class Done:
    """A turn that was carried out: the state before and after it, the steps that it took, what people told with it, and
    what had to be thought of."""

    turn: Turn
    before: WorldState
    after: WorldState
    steps: tuple[Step, ...]
    told: tuple[str, ...] = ()
    thoughts: tuple[str, ...] = ()

    @property
    def moves(self) -> list[tuple[str, str]]:
        """What was put where."""
        puts = [step for step in self.steps if step.skill not in STEPS]
        return [(str(step.arguments["object"]), str(step.arguments["target"])) for step in puts]

    @property
    def answer(self) -> str:
        """What was said."""
        return "; ".join(str(step.arguments["text"]) for step in self.steps if step.skill == SAY)


class Conversation:
    """Turns at one table, each carried out in the state that those before it led to."""

    def __init__(self, domain: str, state: WorldState) -> None:
        self.world, self.state = TABLES[domain], state
        self.start = state
        self.history: list[WorldState] = [state]
        self.spoken = Reference()
        self.turns: list[Done] = []

    def take(self, turn: Turn) -> Done | None:
        """Carry a turn out; None where it makes no sense as things are."""
        before = self.state
        program = ExpertProgram(self.world, scene_of(before), before, self.history, self.spoken)
        functions: dict[str, Any] = {**program.functions(), "__builtins__": {"len": len, "any": any}}
        try:
            exec(turn.program, functions)  # our own program, not a model's
        except SkillError as error:
            if not turn.program.startswith("say(") or "not known" not in str(error):
                return None
            program.steps = [say(str(error))]  # that is an answer, too
        except (ThinkaloudError, TypeError, IndexError):
            return None
        after = replace(program.state, changes=())
        done = Done(turn, before, after, tuple(program.steps), tuple(program.told), tuple(program.thoughts.lines))
        if not (done.steps or done.told) and turn.program != "noop()":
            return None
        self.history += program.history[len(self.history) :]
        self.state = program.state
        spoken = [*program.steps, *([note("\n".join(done.told))] if done.told else [])]
        self.spoken = read_reference(turn.program, spoken, before.objects)
        self.turns.append(done)
        return done


def begun(scene: Scene, busy: float = 0.5) -> WorldState:
    """How a table may look when somebody begins to talk: empty bowls, or stacks and full ones, and some known facts."""
    rng, state = scene.rng, scene.state
    for thing in scene.objects:
        if is_container(thing) or rng.random() > busy:
            continue
        if is_cover(thing):
            bases = [each for each in scene.loose if each not in supports(state).values()]
        else:
            free = [each for each in scene.loose if each != thing and each not in supports(state).values()]
            free = [each for each in free if thing not in _below(state, each)]
            bases = [*scene.boxes, *scene.boxes, *free]
        if bases and thing not in supports(state).values():
            state = with_placed(state, thing, rng.choice(bases))
    if scene.domain == "disinfection" and rng.random() < 0.45:  # else nothing is known, or only of some
        known = scene.loose if rng.random() < 0.6 else [each for each in scene.loose if rng.random() < 0.5]
        dirty = [each for each in known if rng.random() < 0.4]
        state = with_marked(with_marked(state, [t for t in known if t not in dirty], "clean"), dirty, "dirty")
        state = spread_dirt(state)
    if scene.domain == "weight" and rng.random() < 0.65:
        state = _weighed(rng, state, scene.loose)
    return replace(state, changes=())


def _below(state: WorldState, thing: str) -> Sequence[str]:
    on, found = supports(state), []
    while (thing := on.get(thing, "")) and thing not in found:
        found.append(thing)
    return found


_TIMES = (*map(Fraction, (1, 2, 2, 3, 4)), Fraction(1, 2), Fraction(1, 2), Fraction(1, 3))
"""How weights are told in terms of others."""


_LIGHT, _HEAVY = 1, 12
"""Between these weights stay, so that some things together weigh as much as others."""


def _weighed(rng: random.Random, state: WorldState, things: Sequence[str]) -> WorldState:
    order = rng.sample(list(things), len(things))
    weights = {order[0]: Fraction(rng.choice((1, 2, 2, 3, 4, 4, 6)))}
    for at, thing in enumerate(order[1:], 1):
        if rng.random() < 0.9:
            others = rng.sample(order[:at], 2) if at > 1 and rng.random() < 0.12 else [rng.choice(order[:at])]
            known = sum((weights.get(each, Fraction(2)) for each in others), Fraction(0))
            usual = [each for each in _TIMES if _LIGHT <= known * each <= _HEAVY and (known * each).denominator == 1]
            factor = rng.choice(usual or _TIMES) if len(others) == 1 else Fraction(1)
            weights[thing] = known * factor
            state = with_fact(state, weight_fact(thing, factor, others))
    return state
