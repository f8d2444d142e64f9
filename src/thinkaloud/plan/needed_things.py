"""Which things a task takes: those that it names, and those that the model adds."""

from __future__ import annotations

from collections.abc import Sequence

from thinkaloud.errors import SkillError, Unparseable
from thinkaloud.models import Model, is_trained
from thinkaloud.models import grammar as gbnf
from thinkaloud.names import all_names, one_of_each_kind, things_in
from thinkaloud.records import Observation
from thinkaloud.state.facts import facts_about
from thinkaloud.worlds import World

MOST_ADDED, MOST_ADDED_TRAINED = 3, 6
"""So many things a plan takes beyond those that the task names."""
_SHOWN, _FEW = 60, 24
"""So many of the things in view are listed in a prompt; a few are described to a trained model, too."""


def reason_to_decline(request: str, world: World, scene: Observation) -> str:
    """Why a request cannot be carried out: it has the form of one of the skills, and names nothing that is here.

    Empty where that cannot be told: people say things in many ways.
    """
    if things_in(request, all_names(scene.vocabulary)):
        return ""
    for skill in world.skills.values():
        try:
            skill.signature.parse(request, scene.vocabulary)
        except Unparseable:
            continue
        except SkillError as error:
            return str(error)
    return ""


async def choose_things(model: Model, prompt: str, request: str, scene: Observation) -> list[str]:
    """What a plan may be about. The prompt ends where a list of names separated by commas and ended by a full stop goes
    on; what the request names is there already. A trained model is offered one thing of each kind."""
    names, trained = all_names(scene.vocabulary), is_trained(model)
    things = things_in(request, names)
    if trained:
        nearest = one_of_each_kind(names, {*scene.objects})
        things = list(dict.fromkeys(nearest.get(thing, thing) for thing in things))
        names = list(nearest.values())
    others = [name for name in names if name not in things]
    if not others:
        return things
    more = gbnf.separated("thing", ", ", most=MOST_ADDED_TRAINED if trained else MOST_ADDED)
    root = f"({gbnf.literal(', ')} {more})?" if things else gbnf.sequence(gbnf.literal(" "), more)
    grammar = gbnf.grammar(gbnf.sequence(root, gbnf.literal(".\n")), {"thing": gbnf.branching(others)})
    begun = f"{prompt} {', '.join(things)}" if things else prompt
    said = await model.complete(begun, stop=["\n"], grammar=grammar, most=60)
    return [*things, *things_in(said.text, others)]


def _is_small(scene: Observation) -> bool:
    """Whether a scene is small enough for a trained model to be shown all of it."""
    return len(all_names(scene.vocabulary)) <= _FEW


def render_view(model: Model, world: World, scene: Observation, start: str = "") -> str:
    """The lines that tell what is in view. A trained model is told how it is, too, where there are few things; where
    there are many, it is told which kinds of things there are anywhere. `start`: what every line begins with."""
    seen = f"{start}Seen: {', '.join(scene.objects[:_SHOWN]) or 'nothing'}.\n"
    if not is_trained(model):
        return seen
    if _is_small(scene):
        return seen + _render_facts(scene.objects, world, scene, start)
    return f"{start}Here: {', '.join(one_of_each_kind(all_names(scene.vocabulary), {*scene.objects}))}.\n"


def render_things(model: Model, things: Sequence[str], world: World, scene: Observation, start: str = "") -> str:
    """The line that tells a trained model how the things of its plan are, where that has not been said."""
    return _render_facts(things, world, scene, start) if is_trained(model) and not _is_small(scene) else ""


def _render_facts(things: Sequence[str], world: World, scene: Observation, start: str = "") -> str:
    """How things are, in a line; nothing where there is nothing to tell."""
    facts = facts_about(things, world, scene)
    return f"{start}Now: {' '.join(facts)}\n" if facts else ""
