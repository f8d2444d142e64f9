"""Success by pictures: whether a step worked, judged by the table before and after it and by the step's sentence.

    world = SensedSuccess(Tabletop(), open_senses("learned:FILE.onnx"))

As in appendix A.3 of Inner Monologue, there are two judges. Foresight says how likely it is that the sentence came true
between the pictures. Hindsight says how well each of the sentences that could have been said fits them. A step worked
if foresight is sure enough and hindsight agrees: no other sentence fits much better (a step can make several true).

The judge replaces the truth about what steps should bring about, in `verify`, in the progress towards a goal, and in
the state. What no step was meant to bring about is still read off the world. The picture before a step is not part of a
snapshot: after `restore`, the last judgement of a step stands until it is tried again.
"""

from __future__ import annotations

import functools
import itertools
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any, Protocol

from numpy.typing import NDArray

from thinkaloud.errors import BadSettings, SkillError
from thinkaloud.plugins import Registry
from thinkaloud.skills import Skill
from thinkaloud.worlds.contract import SeenFromAbove, World, find_ability
from thinkaloud.worlds.disturbance import Disturbance
from thinkaloud.worlds.faulty_detectors import FaultyDetectors, Tried

_MOST_SENTENCES = 160
TablePicture = tuple[NDArray[Any], NDArray[Any]]
"""Colours (0 to 255), and metres above the table (NaN where unknown)."""


@dataclass(frozen=True)
class Judgement:
    """How likely a sentence came true, how much of the likelihood hindsight gives it, and what each makes of that.

    `foreseen`: foresight is sure enough. `agrees`: hindsight finds no sentence that fits much better.
    """

    foresight: float
    hindsight: float
    foreseen: bool
    agrees: bool

    @property
    def worked(self) -> bool:
        """Whether the step worked."""
        return self.foreseen and self.agrees


class SuccessSenses(Protocol):
    """Judges steps by pictures. `error_rates` is how often it was wrong on other scenes."""

    error_rates: Disturbance

    def judge(self, before: TablePicture, after: TablePicture, sentence: str, others: Sequence[str]) -> Judgement:
        """Whether a sentence came true between two pictures; SkillError if it has a word that it does not know."""
        ...


class SensedSuccess(FaultyDetectors):
    """A world where such senses say whether a step worked."""

    def __init__(self, world: World, senses: SuccessSenses) -> None:
        above = find_ability(world, SeenFromAbove)
        if above is None:
            raise BadSettings(f"The world {world.name!r} has no picture to judge steps by; leave --senses out.")
        self._above, self._senses = above, senses
        self._before = dict[str, tuple[TablePicture, tuple[str, ...]]]()
        self._said = dict[tuple[str, int], bool]()
        super().__init__(world, senses.error_rates)

    def _counted(self, skill: Skill) -> Skill:
        counted = super()._counted(skill)

        @functools.wraps(skill.function)
        async def call(**arguments: Any) -> Any:
            self._before[str(Tried(skill.name, dict(arguments)))] = self._above.from_above(), self._sentences(skill)
            return await counted.run(arguments)

        return replace(counted, function=call)

    def _sentences(self, skill: Skill) -> tuple[str, ...]:
        """What could be said of this skill now."""
        vocabulary = self.world.observe().vocabulary
        options = [parameter.options(vocabulary) or () for parameter in skill.signature.parameters]
        names = [parameter.name for parameter in skill.signature.parameters]
        calls = (dict(zip(names, values, strict=True)) for values in itertools.product(*options))
        distinct = (each for each in calls if len({*each.values()}) == len(each))
        return tuple(skill.signature.render(each) for each in itertools.islice(distinct, _MOST_SENTENCES))

    def _judges(self) -> bool:
        """There is, even if it was never wrong on the scenes that it was measured on."""
        return True

    def _judged(self, tried: Tried, skill: Skill) -> bool:
        """What the judge says of a step: of the picture before it, and of the table as it is now."""
        known = self._before.get(str(tried))
        if known is None or self._is_covered(tried):  # restored, or hidden by a step that worked: what it said last
            return tried.said
        if (at := (str(tried), self._record.looks)) not in self._said:
            before, sentences = known
            sentence = skill.signature.render(tried.arguments)
            others = [each for each in sentences if each != sentence] if self._is_latest(tried) else []
            try:
                self._said[at] = self._senses.judge(before, self._above.from_above(), sentence, others).worked
            except SkillError:  # it never learned a word of this: it cannot say that it worked
                self._said[at] = False
            tried.said = self._said[at]
        return self._said[at]

    def _is_covered(self, tried: Tried) -> bool:
        """Whether a later step that worked had the moved thing as its place: it is no longer seen as it was."""
        name, moved = next(iter(tried.arguments.items()), ("", None))
        later = self._record.tried[self._record.tried.index(tried) + 1 :]
        return any(
            each.said and any(other != name and value == moved for other, value in each.arguments.items())
            for each in later
        )

    def _is_latest(self, tried: Tried) -> bool:
        """Whether nothing else was done since; hindsight looks for one step between the pictures."""
        return self._record.tried[-1] == tried

    def reset(self, seed: int) -> None:
        """Begin a new episode."""
        self._before.clear()
        self._said.clear()
        super().reset(seed)

    def restore(self, snapshot: bytes) -> None:
        """Restore a state."""
        super().restore(snapshot)
        self._before.clear()
        self._said.clear()


OpenSenses = Callable[[str], SuccessSenses]


def _checked(name: str, found: Any) -> OpenSenses:
    if not callable(found):
        raise ValueError(f"expected a function that returns senses, not a {type(found).__name__}")
    opener: OpenSenses = found
    return opener


SENSES: Registry[OpenSenses] = Registry("sense", {"learned": "thinkaloud.verify.learned_senses:open_learned"}, _checked)
"""Senses by name; other packages announce theirs under `thinkaloud.senses`."""


def open_senses(text: str) -> SuccessSenses:
    """Open the senses that a text names, with their weights: `learned:FILE.onnx`."""
    name, _, rest = text.partition(":")
    return SENSES.find(name)(rest)
