"""Success by pictures: whether a step worked, judged by the table before and after it and by the step's sentence.

    world = SensedSuccess(Tabletop(), open_senses("learned:FILE.onnx"))

    world = SensedSuccess(Kitchen(), open_senses("learned", in_place=True))

A table is seen from straight above. A robot that drives about takes a picture where it stands (`SeenInPlace`): only
what it does there is judged by pictures, and only as long as it stays there; what was said last stands when it is gone.

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
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, replace
from typing import Any, Protocol

from numpy.typing import NDArray

from thinkaloud.errors import BadSettings, SkillError
from thinkaloud.plugins import Registry
from thinkaloud.skills import Skill
from thinkaloud.worlds.contract import SeenFromAbove, SeenInPlace, World, find_ability
from thinkaloud.worlds.disturbance import Disturbance
from thinkaloud.worlds.faulty_detectors import FaultyDetectors, Tried

_MOST_SENTENCES = 160
TablePicture = tuple[NDArray[Any], NDArray[Any]]
"""Colours (0 to 255), and metres above the table or the surface in front of the robot (NaN where unknown)."""


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
        self._look, self._in_place = _pictures_of(world)
        self._senses = senses
        self._before = dict[str, tuple[str, TablePicture, tuple[str, ...]]]()
        self._said = dict[tuple[str, int], bool]()
        super().__init__(world, senses.error_rates)

    def _counted(self, skill: Skill) -> Skill:
        counted = super()._counted(skill)
        if not self._is_judged(skill):
            return counted

        @functools.wraps(skill.function)
        async def call(**arguments: Any) -> Any:
            self._before[str(Tried(skill.name, dict(arguments)))] = *self._look(), self._sentences(skill)
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

    def _is_judged(self, skill: Skill) -> bool:
        return self._in_place is None or skill.name in self._in_place

    def _judges(self) -> bool:
        """There is, even if it was never wrong on the scenes that it was measured on."""
        return True

    def _judged(self, tried: Tried, skill: Skill) -> bool:
        """What the judge says of a step: of the picture before it, and of the table as it is now."""
        if not self._is_judged(skill):
            return self._worked(tried, skill)
        known = self._before.get(str(tried))
        if known is None or self._is_covered(tried):  # restored, or hidden by a step that worked: what it said last
            return tried.said
        if (at := (str(tried), self._record.looks)) not in self._said:
            (place, before, sentences), (here, now) = known, self._look()
            if place != here:
                return tried.said
            sentence = skill.signature.render(tried.arguments)
            others = [each for each in sentences if each != sentence] if self._is_latest(tried) else []
            try:
                self._said[at] = self._senses.judge(before, now, sentence, others).worked
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


def _pictures_of(world: World) -> tuple[Callable[[], tuple[str, TablePicture]], Collection[str] | None]:
    """How a world's steps are seen, with the place from where, and the skills that are judged so (None: all)."""
    above = find_ability(world, SeenFromAbove)
    if above is not None:
        return lambda: ("", above.from_above()), None
    place = find_ability(world, SeenInPlace)
    if place is None:
        raise BadSettings(f"The world {world.name!r} has no picture to judge steps by; leave --senses out.")

    def look() -> tuple[str, TablePicture]:
        here, rgb, heights = place.seen_here()
        return here, (rgb, heights)

    return look, place.in_place


OpenSenses = Callable[[str], SuccessSenses]


def _checked(name: str, found: Any) -> OpenSenses:
    if not callable(found):
        raise ValueError(f"expected a function that returns senses, not a {type(found).__name__}")
    opener: OpenSenses = found
    return opener


SENSES: Registry[OpenSenses] = Registry("sense", {"learned": "thinkaloud.verify.learned_senses:open_learned"}, _checked)
"""Senses by name; other packages announce theirs under `thinkaloud.senses`."""
PLACE_SENSES: Registry[OpenSenses] = Registry(
    "place_sense", {"learned": "thinkaloud.verify.learned_senses:open_learned_in_place"}, _checked
)
"""Senses for what a robot does where it stands; other packages announce theirs under `thinkaloud.place_senses`."""


def open_senses(text: str, *, in_place: bool = False) -> SuccessSenses:
    """Open the senses that a text names, with their weights (`learned:FILE.onnx`): for tables, or for a place."""
    name, _, rest = text.partition(":")
    return (PLACE_SENSES if in_place else SENSES).find(name)(rest)
