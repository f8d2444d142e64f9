"""What the robot's measures tell of things: now, and before, where states have kept it."""

from __future__ import annotations

from typing import Any

from thinkaloud.errors import Missing
from thinkaloud.records import Arguments, Observation, Value, WorldState
from thinkaloud.worlds.contract import Measured, World, find_ability


class Measures:
    """The measures of a world, as it is seen."""

    def __init__(self, world: World, scene: Observation) -> None:
        able = find_ability(world, Measured)
        self._measures, self._now = ({} if able is None else able.measures), scene.state

    def read(self, name: str, arguments: Arguments, said: str) -> Any:
        """A number, a word, or the names of things; Missing, with what was `said`, where it cannot be told."""
        try:
            value = self._measures[name].read(**arguments)
        except Exception as error:  # a robot builder's own code
            raise Missing(f"I cannot tell just now: {said}. {error}", "not known") from error
        if isinstance(value, list | tuple):
            return [str(each) for each in value]
        return value if isinstance(value, str | int | float) else str(value)

    def read_then(self, name: str, arguments: Arguments, then: WorldState | None) -> Value | None:
        """What a measure was, if it is what states keep by that name: `x` may be metres there, centimetres here."""
        if then is None or self._now is None or len(arguments) != 1:
            return None
        thing = str(next(iter(arguments.values())))
        kept = self._now.attributes.get(thing, {}).get(name)
        same = kept is not None and kept == self.read(name, arguments, name)
        return then.attributes.get(thing, {}).get(name) if same else None
