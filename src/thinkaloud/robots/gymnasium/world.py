"""The world of a Gymnasium environment. Time passes in it only while a skill takes steps; between them it stands still.

    class Shelf(GymnasiumWorld):
        name = "shelf"
        environment = "FetchPickAndPlace-v4"         # an id for gymnasium.make, or a function that makes it
        kinds = {"thing": ("block",)}                # what there is, by kind

and policies as skills, predicates as relations (`policies.py`, docs/gymnasium.md).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, ClassVar, Self

import msgspec
import numpy as np

from thinkaloud.clock import Clock, ManualClock
from thinkaloud.episode.ticks import safe_point, tick
from thinkaloud.errors import BadInput, DidNotWork, MissingExtra, SkillError, describe_fault
from thinkaloud.records import Arguments, Condition, Observation, WorldState
from thinkaloud.skills import Relation, Skill, condition_holds, measures_of, relations_of, skills_of
from thinkaloud.worlds.contract import Briefing

try:
    import gymnasium
except ModuleNotFoundError as error:
    raise MissingExtra("A Gymnasium environment as a robot", "gymnasium") from error

from thinkaloud.robots.gymnasium.policies import Policy
from thinkaloud.robots.gymnasium.saved_state import (
    EnvState,
    Plain,
    Unsavable,
    baseline_of,
    from_plain,
    physics_in,
    restore_state,
    save_state,
    settle,
    to_plain,
)

_LARGEST = 2**63 - 1
_USUAL_PERIOD = 0.05
_MOST_FACTS = 2000
_ENDINGS = {
    "terminated": "it reached a final state",
    "truncated": "its own limit of steps was reached",
}


class _Saved(msgspec.Struct, array_like=True, frozen=True, forbid_unknown_fields=True):
    world: str
    seed: str
    now: float
    steps: int
    ended: str
    seen: Plain
    info: list[tuple[str, Plain]]
    own: list[Plain]
    env: EnvState


class GymnasiumWorld:
    """An environment with policies as skills and predicates as relations.

    Skills and relations read `env`, `seen` (the latest observation of the environment), `info` and `steps`.
    """

    name: str = "gymnasium"
    environment: ClassVar[str | Callable[[], Any]] = ""
    options: ClassVar[Mapping[str, Any]] = {}
    """What `gymnasium.make` gets besides the id."""
    kinds: Mapping[str, Sequence[str]] = {}
    """The things there are, by kind. A property may compute them, if they come and go."""
    about: str = ""
    """A sentence or two for people and models: what the robot is, and where."""
    plain_state: ClassVar[bool] = False
    """Say True if everything that an environment without MuJoCo goes on from is in its plain attributes."""
    kept: ClassVar[Sequence[str]] = ()
    """The attributes of your class that belong into a snapshot, if it has any that change."""

    def __init__(self) -> None:
        self.env = self.make()
        self._time = ManualClock()
        self.clock: Clock = self._time
        self.skills: Mapping[str, Skill] = skills_of(self)
        self.relations: Mapping[str, Relation] = relations_of(self)
        self.measures = measures_of(self) or None
        self.briefing = Briefing(about=self.about)
        self.period = find_period(self.env)
        self.reset(0)
        self._baseline = baseline_of(self.env)
        if not self._can_be_saved:
            self.twin = None  # type: ignore[method-assign,assignment]  # then plans are not rehearsed

    @property
    def _can_be_saved(self) -> bool:
        return self.plain_state or bool(self._physics)

    # Override these if you need to ------------------------------------------------------------------------------------

    def make(self) -> Any:
        """Make the environment."""
        made = type(self).environment
        if not made:
            raise BadInput(f"{type(self).__name__} does not say which environment; write environment = …")
        if not isinstance(made, str):
            return made()
        try:
            return gymnasium.make(made, **self.options)
        except gymnasium.error.Error as error:
            raise BadInput(f"The environment {made!r} cannot be made: {describe_fault(error)}") from error

    def another(self) -> Self:
        """Another world like this one, for a twin. Override it if your constructor takes arguments."""
        return type(self)()

    def begin(self, seed: int) -> tuple[Any, Mapping[str, Any]]:
        """Reset the environment; override it if yours takes its seed in another way."""
        seen, info = self.env.reset(seed=seed)
        return seen, info

    # The contract of a world ------------------------------------------------------------------------------------------

    def reset(self, seed: int) -> None:
        """Begin a new episode."""
        self._seed, self._time.seconds = seed, 0.0
        self.steps, self.ended = 0, ""
        seen, info = self.begin(seed & _LARGEST)
        self._physics = physics_in(self.env)
        self._settle()
        self.seen, self.info = seen, dict(info)

    def observe(self) -> Observation:
        """The things of all kinds, and which relations hold of them now."""
        vocabulary = {kind: tuple(things) for kind, things in self.kinds.items()}
        things = tuple(dict.fromkeys(thing for each in vocabulary.values() for thing in each))
        facts = [
            relation.condition(call)
            for relation in self.relations.values()
            if not relation.derived
            for call in relation.signature.calls(vocabulary, most=_MOST_FACTS)
            if relation.holds(**call)
        ]
        return Observation(things, vocabulary, state=WorldState(things, tuple(facts)))

    def holds(self, condition: Condition) -> bool:
        """Whether a condition is true now."""
        return condition_holds(condition, self.relations)

    def snapshot(self) -> bytes:
        """Everything that this episode goes on from. NotImplementedError where that cannot be had."""
        if not self._can_be_saved:
            raise NotImplementedError(
                f"{self.name}: only MuJoCo's state can be saved; say plain_state = True if plain attributes are all"
            )
        try:
            seen, own = to_plain(self.seen), [to_plain(getattr(self, name)) for name in self.kept]
        except Unsavable as error:
            raise NotImplementedError(f"{self.name}: a {error} cannot be saved") from None
        env = save_state(self.env, self._baseline)
        saved = _Saved(
            self.name, str(self._seed), self._time.seconds, self.steps, self.ended, seen, self._plain_info(), own, env
        )
        return msgspec.msgpack.encode(saved)

    def restore(self, snapshot: bytes) -> None:
        """Go on from a snapshot. Raises ValueError if it is none of this world."""
        try:
            saved = msgspec.msgpack.decode(snapshot, type=_Saved)
        except (msgspec.DecodeError, ValueError) as error:
            raise ValueError(f"not a snapshot of {self.name}") from error
        if saved.world != self.name or len(saved.own) != len(self.kept) or saved.ended not in ("", *_ENDINGS):
            raise ValueError(f"not a snapshot of {self.name}, but of {saved.world[:80]!r}")
        seen, info = from_plain(saved.seen), {name: from_plain(plain) for name, plain in saved.info}
        own, seed = [from_plain(each) for each in saved.own], int(saved.seed)
        restore_state(self.env, saved.env, self._baseline)
        for name, value in zip(self.kept, own, strict=True):
            setattr(self, name, value)
        self.seen, self.info, self._seed = seen, info, seed
        self._time.seconds, self.steps, self.ended = saved.now, saved.steps, saved.ended

    def twin(self) -> Self:
        """A copy in the same state, to try plans in. It is None where the state cannot be had."""
        state = self.snapshot()
        other = self.another()
        other.restore(state)
        return other

    def _plain_info(self) -> list[tuple[str, Plain]]:
        found = []
        for name, value in self.info.items():
            try:
                found.append((name, to_plain(value)))
            except Unsavable:
                continue
        return found

    # Acting -----------------------------------------------------------------------------------------------------------

    def step(self, action: Any) -> None:
        """Take one step; SkillError for an action that does not fit, and after the end of the episode."""
        if ended := self.tell_end():
            raise SkillError(ended)
        self._refuse_unfit(action)
        self.seen, _, terminated, truncated, info = self.env.step(action)
        self._settle()
        self.info = dict(info)
        self.steps += 1
        self._time.seconds += self.period
        self.ended = "terminated" if terminated else "truncated" if truncated else ""

    def _settle(self) -> None:
        for model, data in self._physics:
            settle(model, data)

    def tell_end(self) -> str:
        """Why no more step can be taken, in words; empty if one can."""
        if not self.ended:
            return ""
        why = f"{_ENDINGS[self.ended]} ({self.ended})"
        return f"The environment has ended the episode after {self.steps} steps: {why}. It has to be reset first."

    async def follow(
        self,
        chosen: Policy,
        skill: str,
        given: Arguments,
        until: Callable[[], bool] | None = None,
        *,
        most: int,
        steady: int = 1,
    ) -> str:
        """Let a policy act until it is so, step by step; a stop is heard after each. DidNotWork after `most`."""
        wanted, ended = self._declared(skill, given)
        safe_point()
        so = 0
        for taken in range(most + 1):
            reached = until() if until is not None else self._are_so(wanted, ended)
            so = so + 1 if reached else 0
            if so >= steady or (so and self.ended):
                return f"Done in {taken} steps."
            if self.ended:
                raise SkillError(f"{self.tell_end()} {self._tell_missing(wanted, ended)}".strip())
            if taken == most:
                break
            action = chosen(self.seen)
            if action is None:
                raise DidNotWork(f"The policy gave up after {taken} steps. {self._tell_missing(wanted, ended)}".strip())
            self.step(action)
            await tick()
        raise DidNotWork(f"{most} steps were not enough. {self._tell_missing(wanted, ended)}".strip())

    def _declared(self, skill: str, given: Arguments) -> tuple[list[Condition], list[Condition]]:
        own = self.skills[skill]
        return own.promises(given, self.relations), own.revokes(given, self.relations)

    def _are_so(self, wanted: Sequence[Condition], ended: Sequence[Condition]) -> bool:
        return all(self.holds(each) for each in wanted) and not any(self.holds(each) for each in ended)

    def _tell_missing(self, wanted: Sequence[Condition], ended: Sequence[Condition]) -> str:
        missing = " ".join(each.words for each in wanted if not self.holds(each))
        still = " ".join(each.words for each in ended if self.holds(each))
        return " ".join((f"Not so: {missing}" if missing else "", f"Still so: {still}" if still else "")).strip()

    def _refuse_unfit(self, action: Any) -> None:
        """Refuse what is no action here. Numbers beyond the limits are left to the environment, which clips them."""
        space = self.env.action_space
        if isinstance(space, gymnasium.spaces.Box):
            told = np.asarray(action)
            if told.shape != space.shape or told.dtype.kind not in "biuf":
                raise SkillError(f"The policy's action has the shape {told.shape}; here it is {space.shape}.")
            if not np.isfinite(told).all():
                raise SkillError("The policy's action is not a finite number.")
        elif not space.contains(action):
            raise SkillError(f"The policy's action {str(action)[:80]!r} is none of {space}.")


def find_period(env: Any) -> float:
    """How many seconds a step lasts, as far as an environment says."""
    dt = getattr(env.unwrapped, "dt", None)
    if isinstance(dt, float) and dt > 0:
        return float(dt)
    rate = (env.unwrapped.metadata or {}).get("render_fps")
    return 1 / rate if isinstance(rate, int | float) and rate > 0 else _USUAL_PERIOD
