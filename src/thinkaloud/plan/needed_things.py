"""The material of a plan: what there is, what a task needs of it, and its state; the same for every model."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from thinkaloud.errors import Missing, SkillError, Unparseable
from thinkaloud.language.name_matching import all_names, find_named, things_in, without_number
from thinkaloud.language.words import stems
from thinkaloud.models import Model
from thinkaloud.models import grammar as gbnf
from thinkaloud.records import Observation
from thinkaloud.state.fact_sentences import facts_about
from thinkaloud.worlds import World

MOST_THINGS = 10
"""A plan may name at most this many things, if a grammar constrains the model."""
NO_THINGS = "none"
"""What is listed if a plan needs none of the things."""
_IN_WORDS = r"[^\n,.]{1,40}"
"""A thing in a model's own words."""
_SHOWN, _BESIDES, _FEW = 60, 240, 24
"""At most this many things in view are listed, and this many kinds of others; a small scene is described completely."""


def reason_to_decline(request: str, world: World, scene: Observation) -> str:
    """Return why a request cannot be carried out: it has the form of a skill's sentence but names nothing here.

    Empty if that is not certain, because people say things in many ways.
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
    """Whether there are so few things that all of them may be named, with their state told at once."""
    return len(all_names(scene.vocabulary)) <= _FEW


async def choose_things(model: Model, prompt: str, scene: Observation, request: str) -> list[str]:
    """Return the things that the model says a plan needs; everything, if there is only one thing or none.

    The prompt must end where a list of names begins; the names are separated by commas and the list ends with a full
    stop. The model first lists them in words of its own. Raises Missing if it lists something that the request speaks
    of and that is not here, or more of a kind than there are. Held to the names from the start, it would take
    something else instead. Anything else that is not here is its own idea; then it is asked again, for names.
    """
    names = all_names(scene.vocabulary)
    if len(names) < 2:
        return names
    said = await _listed(model, prompt, _IN_WORDS)
    told = [item.strip() for item in said.strip().rstrip(".").split(",")]
    found = [find_named(item, names) for item in told]
    for item, name in zip(told, found, strict=True):
        if name is None and (why := _why_missing(item, request, names)):
            raise Missing(why)
    if None in found and told not in ([NO_THINGS], [""]):
        return things_in(await _listed(model, prompt, gbnf.branching(names)), names)
    return things_in(said, names)


async def _listed(model: Model, prompt: str, thing: str) -> str:
    listed = gbnf.separated("thing", ", ", most=MOST_THINGS)
    grammar = gbnf.grammar(gbnf.sequence(gbnf.literal(" "), listed, gbnf.literal(".\n")), {"thing": thing})
    return (await model.complete(prompt, stop=["\n"], grammar=grammar, most=80)).text


def _why_missing(item: str, request: str, names: Sequence[str]) -> str:
    """Return why a thing that was listed cannot be had, if that is certain."""
    kind = without_number(item)
    there = [name for name in names if without_number(name).lower() == kind.lower()]
    if kind != item and there:
        return f"There are not so many here: I would need {item}, and there is only {', '.join(there)}."
    meant, spaceless = stems(kind), kind.replace(" ", "").lower()
    known = {stem for name in names for stem in stems(name)} | {name.replace(" ", "").lower() for name in names}
    if not meant or not meant <= stems(request) or meant & known or spaceless in known:
        return ""
    return f"There is no {kind} here."


def names_for(things: Sequence[str], scene: Observation) -> list[str]:
    """Return what the steps of a plan about these things may name: all, in a small scene or if none is listed."""
    return all_names(scene.vocabulary) if is_small(scene) or not things else list(things)


def render_view(scene: Observation, start: str = "") -> str:
    """Return the lines that list each thing in view, and the kinds of all other things that have a name.

    `plate (3)` stands for plate, plate 2 and plate 3. Every line begins with `start`.
    """
    seen = ", ".join(scene.objects[:_SHOWN]) or "nothing"
    others = [*_kinds(scene)][:_BESIDES]
    return f"{start}Seen: {seen}.\n" + (f"{start}Also: {', '.join(others)}.\n" if others else "")


def _kinds(scene: Observation) -> Iterable[str]:
    """Return the kinds with nothing in view, each with how many there are."""
    in_view = {without_number(name) for name in scene.objects}
    kinds = Counter(map(without_number, all_names(scene.vocabulary)))
    return (kind if count == 1 else f"{kind} ({count})" for kind, count in kinds.items() if kind not in in_view)


def render_needed_state(things: Sequence[str], world: World, scene: Observation) -> str:
    """Return the line that describes the state of things, as far as it is seen; empty if there is nothing to say."""
    facts = facts_about(things, world, scene)
    return f"Now: {' '.join(facts)}\n" if facts else ""
