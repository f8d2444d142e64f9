"""Guidelines on the command line: which apply, which world and preset they select, and what to tell the user."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from thinkaloud.agent import own_guidelines
from thinkaloud.errors import BadInput
from thinkaloud.guidelines import Guidelines, load_guidelines, read_guidelines, shipped, shipped_text
from thinkaloud.presets import GUIDED, PRESETS, preset_name, read_preset
from thinkaloud.records import Begin, Observation
from thinkaloud.worlds import WORLDS, World
from thinkaloud.worlds.contract import briefing_of

_READERS = tuple(name for name, preset in PRESETS.available().items() if preset.guided)
"""The presets that read guidelines."""
_BY_HAND = "by_hand"
"""The world for guidelines without a robot: a person carries out each step."""
GUIDELINES_OPTION = "guidelines"
"""The option that stores a run's guidelines."""
_MOST_NAMED = 3


def choose_by_guidelines(flags: Mapping[str, str | None], source: str | None) -> dict[str, str | None]:
    """The flags, completed with the preset and the world that the guidelines call for."""
    if source is None:
        return dict(flags)
    given = load_guidelines(source)
    preset = flags.get("preset")
    if preset is not None and preset_name(preset) not in _READERS:
        raise BadInput(
            f"--guidelines: the preset {preset!r} does not read guidelines; leave --preset out, or use {GUIDED}."
        )
    return {**flags, "preset": preset or GUIDED, "world": flags.get("world") or _world_for(given)}


def _world_for(given: Guidelines) -> str:
    """The world that comes with these guidelines, or else the one in which a person does every step."""
    words = given.text.split()
    if any(shipped_text(name).split() == words for name in shipped()):  # only built-in guidelines belong to a world
        for name, text in _worlds_own():
            if text.split() == words:
                return name
    return _BY_HAND


def _worlds_own() -> Iterator[tuple[str, str]]:
    """The worlds that come with guidelines, and their guidelines."""
    for name, opened in WORLDS.available().items():
        try:
            text = briefing_of(opened(None)).guidelines
        except BadInput:  # a plugin's world that needs a scene
            continue
        if text:
            yield name, text


def given_guidelines(begin: Begin) -> Guidelines | None:
    """The guidelines that a run was started with, from its record."""
    text = begin.options.get(GUIDELINES_OPTION)
    return None if text is None else read_guidelines(text)


def current_guidelines(begin: Begin, world: World) -> Guidelines | None:
    """The guidelines a run uses: those it was given, or else those of its world."""
    if preset_name(begin.preset) not in _READERS:
        return None
    return given_guidelines(begin) or own_guidelines(world)


def require_guidelines(begin: Begin, world: World) -> None:
    """Raise BadInput if a run's preset needs guidelines and there are none."""
    if preset_name(begin.preset) == GUIDED and current_guidelines(begin, world) is None:
        own = [name for name, _ in _worlds_own()]
        raise BadInput(
            f"The preset {GUIDED} needs guidelines, and the world {world.name!r} has none of its own: "
            f"give --guidelines FILE, or choose another --world ({', '.join(own)})."
        )


def scene_to_name(begin: Begin, world: World) -> Observation:
    """What a request may name, checked before the run is built."""
    return read_preset(begin.preset)[0].scene_to_name(world.observe(), current_guidelines(begin, world))


def notice_undocumented(given: Guidelines, world: World) -> str:
    """A notice about steps without a documented skill; empty if every step has one."""
    steps = given.undocumented(world.skills)
    if not steps:
        return ""
    told = "; ".join(repr(step) for step in steps[:_MOST_NAMED])
    more = f" and {len(steps) - _MOST_NAMED} more" if len(steps) > _MOST_NAMED else ""
    return (
        f"Notice: {world.name} documents no skill for {told}{more}. "
        "A plan with such a step cannot be carried out: document a skill in its words, or change the guidelines."
    )
