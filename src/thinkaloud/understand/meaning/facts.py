"""What is so of the things that a program speaks of: now, before, and after something was taken back.

Relations are asked as things are when the request comes: who says "all that are empty" sees them before anything has
been done.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from thinkaloud.errors import Missing
from thinkaloud.records import Arguments, WorldState
from thinkaloud.understand.amounts import Counted
from thinkaloud.understand.meaning.circumstances import Circumstances, Undone
from thinkaloud.understand.meaning.measuring import Measures
from thinkaloud.understand.meaning.naming import Names
from thinkaloud.understand.meaning.past import was_so
from thinkaloud.understand.meaning.spreading import flat, spread
from thinkaloud.understand.meaning.units import unit_of_measure
from thinkaloud.worlds.effects import holds

UNKNOWN = "I do not know how that was."
"""What is said of the past where nobody has looked."""


class Facts:
    """Relations and measures in some circumstances; `undoes` requests are taken back first."""

    def __init__(self, at: Circumstances, names: Names, *, counted: bool) -> None:
        self._at, self._names, self._counted = at, names, counted
        self._measures = Measures(at.world, at.scene)
        self.undoes = 0

    @property
    def undone(self) -> Undone | None:
        """What is taken back first, if anything is: who says so sees things as they are after that."""
        return self._at.undone[self.undoes - 1] if 0 < self.undoes <= len(self._at.undone) else None

    def is_so(self, name: str, given: Mapping[str, Any], when: str) -> bool:
        """Whether a relation holds of something, or of each of several."""
        return all(self._is_so(name, arguments, when) for arguments in spread(given))

    def _is_so(self, name: str, given: Mapping[str, Any], when: str) -> bool:
        relation = self._at.world.relations[self._at.lexicon.own_names.get(name, name)]
        arguments = self._names.find_sensible(relation.signature, given)
        if arguments is None:
            return False
        condition = relation.condition(arguments)
        if not when and self.undone is None:
            return holds(self._at.world, condition)
        so = was_so(condition, self._state(when), self._at.world.relations, self._at.scene.vocabulary)
        if so is None and (when or self._is_undone(arguments)):
            raise Missing(UNKNOWN, "not known")
        return holds(self._at.world, condition) if so is None else so

    def measure(self, name: str, given: Mapping[str, Any], when: str) -> Any:
        """What a measure tells of something, or of each of several."""
        if any(isinstance(value, list | tuple) for value in given.values()):
            found = [self.measure(name, arguments, when) for arguments in spread(given)]
            return found[0] if len(found) == 1 else flat(found)
        signature, own = self._at.lexicon.measures[name], self._at.lexicon.own_names.get(name, name)
        arguments = self._names.check(signature, given, "tell")
        said = signature.render(arguments).rstrip(".")
        value = self._measures.read_then(own, arguments, self._state(when)) if when or self.undone else None
        if value is None and (when or self._is_undone(arguments)):
            raise Missing(f"I do not know any more what this was: {said}.", "not known")
        value = self._measures.read(own, arguments, said) if value is None else value
        unit = unit_of_measure(signature) if self._counted and isinstance(value, int | float) else ""
        return Counted.of(float(value), unit) if unit else value

    def _is_undone(self, arguments: Arguments) -> bool:
        """Whether it is about what was handled by what is taken back."""
        return self.undone is not None and bool({*arguments.values()} & self.undone.handled)

    def _state(self, when: str) -> WorldState | None:
        """How things were then; for no time, before what is taken back."""
        before = None if self.undone is None else self.undone.before
        return self._at.past.get(when) if when else before
