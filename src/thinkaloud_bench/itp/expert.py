"""The expert: it knows the order and the true state, and makes the right calls in the same loop as any other planner.

It says the remaining steps first, in the guidelines' own sentences, and then carries them out one after another. A step
that did not work is tried again from the state as it is then. It does not know that a new request will come.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from thinkaloud.agent import check_request
from thinkaloud.episode.outline import completed_lines
from thinkaloud.monologue import Monologue
from thinkaloud.records import Decision, Decline, Done, Observation, Outline, Plan, Request
from thinkaloud_bench.itp.domains import OrderDomain
from thinkaloud_bench.itp.episodes import OrderEpisode
from thinkaloud_bench.itp.step_lists import StepList

_PATIENCE = 6
"""So often a step is tried."""


@dataclass
class OrderExpert:
    """Decides for the robot of an episode."""

    episode: OrderEpisode
    domain: OrderDomain
    _asked: int = -1
    _keys: tuple[str, ...] = ()
    _done: int = 0
    _tries: dict[tuple[int, int], int] = field(default_factory=dict)

    def __call__(self, monologue: Monologue) -> Decision:
        """All steps first; then the calls for the next one; in the end what has to be true."""
        asked = monologue.task_start()
        if asked != self._asked:
            self._asked = asked
            return self._outline(monologue)
        at = len(completed_lines(monologue)) - self._done
        if at >= len(self._keys):
            return self._over(monologue)
        self._tries[asked, at] = self._tries.get((asked, at), 0) + 1
        if self._tries[asked, at] > _PATIENCE:
            return Decline(f"this does not work: {self.domain.sentence(self._keys[at])}")
        steps = tuple(self.domain.how(self._keys[at]))
        return Plan(self._goal(monologue), (), steps, outline=Outline(self._lines(), at))

    def _outline(self, monologue: Monologue) -> Decision:
        new = self._changed(monologue)
        if self.episode.new_request is not None and not new and isinstance(self.domain, StepList):
            self._keys = self.domain.beginning()
        elif self.episode.declined and (new or self.episode.new_request is None):
            return Decline("what is needed for that is not available")
        else:
            first = self.episode.new_request is not None and not new
            self._keys = self.domain.expected(self.episode.first if first else self.episode.wanted).keys
        self._done = len(completed_lines(monologue))
        if not self._keys:
            return Done("it is there already")
        return Plan(self._goal(monologue), (), (), outline=Outline(self._lines()))

    def _over(self, monologue: Monologue) -> Decision:
        first = self.episode.new_request is not None and not self._changed(monologue)
        conditions = self.domain.goal(self.episode.first if first else self.episode.wanted)
        if not conditions or monologue.goal() == conditions:
            return Done("every step was carried out")
        return Plan(self._goal(monologue), conditions, ())

    def _changed(self, monologue: Monologue) -> bool:
        """Whether the new request has come."""
        new = self.episode.new_request
        return new is not None and self._goal(monologue) == check_request(new, Observation((), {}))

    def _lines(self) -> tuple[str, ...]:
        return tuple(self.domain.sentence(key) for key in self._keys)

    def _goal(self, monologue: Monologue) -> str:
        request = monologue.last(Request)
        return "" if request is None else request.text
