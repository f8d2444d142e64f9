"""Whether a file of requests makes sense: its robot can be read, and its facts and calls are about what is there."""

from __future__ import annotations

from thinkaloud.errors import BadInput, ThinkaloudError
from thinkaloud.robots.text_file import TextFileWorld
from thinkaloud.skills import condition_holds
from thinkaloud.worlds import World
from thinkaloud_bench.understanding.facts import Fact, condition_of, split_call
from thinkaloud_bench.understanding.material import Material, Spoken
from thinkaloud_bench.understanding.setups import open_material
from thinkaloud_bench.understanding.true_state import TrueState, relations_in, take_state
from thinkaloud_bench.understanding.where import WHERE, is_where


def check_material(material: Material) -> None:
    """BadInput, with the number of the request, where something could not be judged."""
    world = open_material(material)
    state = take_state(world)
    for number, spoken in enumerate(material.requests, 1):
        if spoken.scene is not None or spoken.seed is not None:
            here = open_material(material, spoken)
            there = take_state(here)
        else:
            here, there = world, state
        try:
            _check_request(here, there, spoken)
        except ThinkaloudError as error:
            raise BadInput(f"request {number}: {error}") from None


def _check_request(world: World, state: TrueState, spoken: Spoken) -> None:
    for wanted in (*(spoken.exact or ()), *(spoken.holds or ())):
        for fact in wanted:
            _check_fact(world, state, fact)
    for call in spoken.calls:
        name, values = split_call(call)
        if name not in world.skills:
            raise BadInput(f"there is no skill {name!r}")
        most = len(world.skills[name].signature.parameters)
        if len(values) > most:
            raise BadInput(f"{name} takes {most} things, not {len(values)}")
    if spoken.exact is not None:
        for wanted in spoken.exact:
            for fact in wanted:
                if (Fact(fact.relation, fact.things) in state.facts) is fact.true:
                    raise BadInput(f"{fact}: is so at the start already")
    known = {*state.positions, *(name for names in world.observe().vocabulary.values() for name in names)}
    known |= {*world.relations, *world.observe().hidden}
    if strange := [name for name in (*spoken.touched, *spoken.untouched) if name not in known]:
        raise BadInput(f"there is no {strange[0]!r} here")


def _check_fact(world: World, state: TrueState, fact: Fact) -> None:
    if fact.relation in WHERE and fact.relation not in world.relations:
        is_where(fact, state, state)
        return
    relations = relations_in(world)
    condition = condition_of(fact, relations)
    if isinstance(world, TextFileWorld):
        relations[fact.relation].signature.check(condition.arguments, world.observe().vocabulary)
    condition_holds(condition, relations)
