"""The values that steps have changed, as they can be read off now, in words."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from thinkaloud.language.units import several
from thinkaloud.records import Arguments, Condition, Step
from thinkaloud.skills import Measure
from thinkaloud.skills.signatures import capitalised, spell_number
from thinkaloud.worlds.contract import Measured, World, find_ability


def read_changed_values(world: World, steps: Iterable[Step]) -> tuple[Condition, ...]:
    """Each value that these steps declare to change: `The level of the mug is 60 ml.` It reads them off now."""
    able = find_ability(world, Measured)
    if able is None:
        return ()
    places = ((able.measures.get(name), about) for step in steps for name, about in _places(world, step))
    found = (_read(measure, about) for measure, about in places if measure is not None)
    return tuple({each.words: each for each in found if each is not None}.values())


def _places(world: World, step: Step) -> Iterator[tuple[str, Arguments]]:
    skill = world.skills.get(step.skill)
    try:
        changed = () if skill is None or skill.changes is None else skill.changes(**step.arguments)
    except Exception:  # a robot builder's own code
        return
    yield from ((name, about) for name, about, _ in changed)


def _read(measure: Measure, about: Arguments) -> Condition | None:
    try:
        value = measure.read(**about)
    except Exception:  # a robot builder's own code
        return None
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        return None
    spelled = value if isinstance(value, str) else spell_number(float(value))
    unit = measure.signature.unit if value == 1 else several(measure.signature.unit)
    words = f"{capitalised(measure.signature.render(about)).rstrip('.')} is {f'{spelled} {unit}'.strip()}."
    return Condition(measure.signature.name, about, words)
