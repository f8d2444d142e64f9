"""Several critics, one after another."""

from __future__ import annotations

from thinkaloud.critique import Critic
from thinkaloud.monologue import Monologue
from thinkaloud.records import Critique, Plan


class SeveralCritics:
    """Asks a critic only when those before it found nothing: the quick ones first, a language model last."""

    def __init__(self, *critics: Critic) -> None:
        self._critics = critics

    async def critique(self, plan: Plan, monologue: Monologue) -> Critique:
        """What the first critic with objections found, signed by all that were asked."""
        asked: list[str] = []
        found = Critique()
        for critic in self._critics:
            found = await critic.critique(plan, monologue)
            asked += [found.by] if found.by else []
            if found.violations:
                break
        return Critique(found.violations, ", ".join(asked))
