"""Which things a task takes: those that it names, and those that the model adds."""

from __future__ import annotations

from thinkaloud.errors import SkillError, Unparseable
from thinkaloud.models import Model
from thinkaloud.models import grammar as gbnf
from thinkaloud.records import Observation
from thinkaloud.sentences import all_names, named
from thinkaloud.worlds import World

MOST = 3
"""So many things a plan takes beyond those that the task names."""
SHOWN = 60
"""So many of the things in view are listed in a prompt."""


def nothing_known(request: str, world: World, scene: Observation) -> str:
    """Why a request cannot be carried out: it has the form of one of the skills, and names nothing that is here.

    Empty where that cannot be told: people say things in many ways.
    """
    if named(request, all_names(scene.vocabulary)):
        return ""
    for skill in world.skills.values():
        try:
            skill.signature.parse(request, scene.vocabulary)
        except Unparseable:
            continue
        except SkillError as error:
            return str(error)
    return ""


async def things_for(model: Model, prompt: str, request: str, scene: Observation) -> list[str]:
    """What a plan may be about. The prompt ends where a list of names separated by commas and ended by a full stop goes
    on; what the request names is there already."""
    names = all_names(scene.vocabulary)
    things = named(request, names)
    others = [name for name in names if name not in things]
    if not others:
        return things
    more = gbnf.separated("thing", ", ", most=MOST)
    root = f"({gbnf.literal(', ')} {more})?" if things else gbnf.sequence(gbnf.literal(" "), more)
    grammar = gbnf.grammar(gbnf.sequence(root, gbnf.literal(".\n")), {"thing": gbnf.branching(others)})
    begun = f"{prompt} {', '.join(things)}" if things else prompt
    said = await model.complete(begun, stop=["\n"], grammar=grammar, most=60)
    return [*things, *named(said.text, others)]
