"""Active scene description: after each step the model chooses to continue or to ask, and what to ask (Listing 4).

Questions are free text. The planner does not care who answers: a person, or a model that looks. Once the budget for a
request is used up, the robot continues without asking.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from thinkaloud.errors import Unparseable
from thinkaloud.methods.saycan.dialogue import ASK_PREFIX, CONTINUE_PREFIX
from thinkaloud.models import Model
from thinkaloud.monologue import Monologue
from thinkaloud.records import Ask

_QUESTION = 'root ::= " " [A-Z] [^?\\n]{3,160} "?"'
_LONGEST = 60  # tokens


@dataclass
class QuestionChooser:
    """Chooses between continuing and asking."""

    model: Model
    budget: int = 3

    async def choose(self, prompt: str, monologue: Monologue) -> Ask | None:
        """Return the question to ask now, or None to continue. Unparseable if the model's text is not a question."""
        asked = [ask.questions for ask in monologue.since(monologue.order_start(), Ask) if not ask.approval]
        if len(asked) >= self.budget:
            return None
        scores = await self.model.score(prompt, [CONTINUE_PREFIX, ASK_PREFIX])
        if not scores.values[1] > scores.values[0]:
            return None
        said = await self.model.complete(prompt + ASK_PREFIX, stop=["\n", " Human:"], grammar=_QUESTION, most=_LONGEST)
        question = _read_question(said.text)
        return None if (question,) in asked else Ask((question,))


def _read_question(text: str) -> str:
    """Return the first question in what the model said."""
    found = re.match(r"[^?]{3,400}\?", " ".join(text.split()))
    if found is None:
        raise Unparseable(
            f"{text.strip()[:80]!r} is no question; end it with a question mark.", ASK_PREFIX.strip() + text
        )
    return found[0].strip()
