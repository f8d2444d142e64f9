"""Exec by effects: whether each attempted step did what its skill declares, in the true state right after it.

A skill's own report does not count: a grasp that missed without noticing was not carried out. A step whose skill
declares no effect (to eat, to watch) leaves no trace to check; there, the report is all there is.
"""

from __future__ import annotations

from dataclasses import dataclass

from thinkaloud.errors import ThinkaloudError
from thinkaloud.monologue import Event
from thinkaloud.records import Outcome
from thinkaloud.worlds import World


@dataclass
class EffectsSeen:
    """Checks every step in the true world: pass it to the agent as a listener. `checked` are all attempts."""

    world: World
    checked: int = 0
    achieved: int = 0

    def __call__(self, event: Event) -> None:
        """Take an event of the monologue; after each step, see whether it had its effects."""
        if isinstance(event.record, Outcome):
            self.checked += 1
            self.achieved += self._did(event.record)

    def _did(self, outcome: Outcome) -> bool:
        step, skill = outcome.step, self.world.skills.get(outcome.step.skill)
        if skill is None or outcome.ending == "interrupted":
            return outcome.ending == "completed"
        try:
            promised = skill.promises(step.arguments, self.world.relations)
            return all(map(self.world.holds, promised)) if promised else outcome.ending == "completed"
        except ThinkaloudError:  # it speaks of something that is not there
            return False

    @property
    def scores(self) -> dict[str, float]:
        """The numbers of an episode."""
        return {"checked": self.checked, "achieved": self.achieved}
