"""What a plan is made of: what there is, which of it a task takes, and how that is; the same for every model."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from thinkaloud.errors import SkillError, Unparseable
from thinkaloud.language.name_matching import all_names, things_in, without_number
from thinkaloud.models import Model
from thinkaloud.models import grammar as gbnf
from thinkaloud.records import Observation
from thinkaloud.state.fact_sentences import facts_about
from thinkaloud.worlds import World

MOST_THINGS = 10
"""So many things a plan is about at most, where a grammar holds the model to it."""
_SHOWN, _BESIDES, _FEW = 60, 240, 24
"""So many of the things in view are listed, and so many kinds of others; a scene of a few things is told entirely."""


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


def is_small(scene: Observation) -> bool:
    """Whether there are so few things that all of them may be spoken of, and how they are is told at once."""
    return len(all_names(scene.vocabulary)) <= _FEW


async def choose_things(model: Model, prompt: str, scene: Observation) -> list[str]:
    """What the model says that a plan is about; all there is where that is one thing or none.

    The prompt ends where a list of names separated by commas and ended by a full stop begins.
    """
    names = all_names(scene.vocabulary)
    if len(names) < 2:
        return names
    listed = gbnf.separated("thing", ", ", most=MOST_THINGS)
    root = gbnf.sequence(gbnf.literal(" "), listed, gbnf.literal(".\n"))
    grammar = gbnf.grammar(root, {"thing": gbnf.branching(names)})
    said = await model.complete(prompt, stop=["\n"], grammar=grammar, most=80)
    return things_in(said.text, names)


def names_for(things: Sequence[str], scene: Observation) -> list[str]:
    """What the steps of a plan about these things may name; everything in a small scene, and where none is listed."""
    return all_names(scene.vocabulary) if is_small(scene) or not things else list(things)


def render_view(scene: Observation, start: str = "") -> str:
    """The lines that tell what there is: each thing in view, and the kinds of all else that has a name.

    `plate (3)` are plate, plate 2 and plate 3. `start`: what every line begins with.
    """
    seen = ", ".join(scene.objects[:_SHOWN]) or "nothing"
    others = [*_kinds(scene)][:_BESIDES]
    return f"{start}Seen: {seen}.\n" + (f"{start}Also: {', '.join(others)}.\n" if others else "")


def _kinds(scene: Observation) -> Iterable[str]:
    """The kinds of which nothing is in view, each with how many there are."""
    in_view = {without_number(name) for name in scene.objects}
    kinds = Counter(map(without_number, all_names(scene.vocabulary)))
    return (kind if count == 1 else f"{kind} ({count})" for kind, count in kinds.items() if kind not in in_view)


def render_needed_state(things: Sequence[str], world: World, scene: Observation) -> str:
    """The line that tells how things are, as far as it is seen; nothing where there is nothing to tell."""
    facts = facts_about(things, world, scene)
    return f"Now: {' '.join(facts)}\n" if facts else ""
