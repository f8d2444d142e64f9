"""What is so of the things that a program speaks of: now, before, and after something was taken back.

Relations are asked as things are when the request comes: who says "all that are empty" sees them before anything has
been done.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from thinkaloud.errors import Missing
from thinkaloud.program.amounts import Counted
from thinkaloud.program.evaluate import flat, spread
from thinkaloud.program.units import unit_of_measure
from thinkaloud.records import Arguments, Condition, Observation, Value, WorldState
from thinkaloud.skills import Relation
from thinkaloud.skills.signatures import Vocabulary
from thinkaloud.understand.meaning.circumstances import Circumstances, Undone
from thinkaloud.understand.meaning.naming import Names
from thinkaloud.worlds.contract import Measured, World, cannot_tell, find_ability, say_if

MOST_ASKED = 400
"""Where a relation can be of more things than this, nobody asks for them one by one."""
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
        """Whether a relation holds of something, or of each of several; Unfit for a thing it cannot be asked of."""
        return all(self._is_so(name, arguments, when) for arguments in spread(given))

    def _is_so(self, name: str, given: Mapping[str, Any], when: str) -> bool:
        relation = self._at.world.relations[self._at.lexicon.own_names.get(name, name)]
        arguments = self._names.find_sensible(relation.signature, given)
        if arguments is None:
            return False
        condition = relation.condition(arguments)
        if not when and self.undone is None:
            return say_if(self._at.world, condition)
        so = was_so(condition, self._state(when), self._at.world.relations, self._at.scene.vocabulary)
        if so is None and (when or self._is_undone(arguments)):
            raise Missing(UNKNOWN, "not known")
        return say_if(self._at.world, condition) if so is None else so

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
        unit = unit_of_measure(signature) if self._counted else ""
        if signature.unit and not isinstance(value, int | float):
            raise Missing(f"I do not know {said[:1].lower()}{said[1:]}.", "not known")
        return Counted.of(float(value), unit) if unit and isinstance(value, int | float) else value

    def _is_undone(self, arguments: Arguments) -> bool:
        """Whether it is about what was handled by what is taken back."""
        return self.undone is not None and bool({*arguments.values()} & self.undone.handled)

    def _state(self, when: str) -> WorldState | None:
        """How things were then; for no time, before what is taken back."""
        before = None if self.undone is None else self.undone.before
        return self._at.past.get(when) if when else before


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
            raise cannot_tell(f"{said}.", error) from error
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


# Before ---------------------------------------------------------------------------------------------------------------


def was_so(
    condition: Condition, then: WorldState | None, relations: Mapping[str, Relation], vocabulary: Vocabulary
) -> bool | None:
    """Whether it was; None where that cannot be known."""
    if then is None:
        return None
    if any(each.words == condition.words for each in then.relations):
        return True
    if condition.words in then.untold:
        return None
    return False if _is_listed(relations[condition.relation], then, relations, vocabulary) else None


def _is_listed(relation: Relation, then: WorldState, relations: Mapping[str, Relation], vocabulary: Vocabulary) -> bool:
    """Whether a state would have it if it was so.

    What follows from where things are is there only where such things were asked for at all; what there is too much of
    to be asked for one by one, only where the look itself tells of it.
    """
    signature = relation.signature
    asked = not signature.parameters or bool(signature.calls(vocabulary, most=MOST_ASKED))
    told = {each.relation for each in then.relations}
    if relation.derived:
        return asked and any(relations[name].derived for name in told if name in relations)
    return asked or signature.name in told
