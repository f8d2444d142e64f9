"""Plans that came back: a plan that begins as one that was refused will be refused again, so it is not sent again.

The twin is deterministic: what went wrong at a step goes wrong again after the same steps. A model that decodes
greedily often writes the plan that stands right before it in the dialogue once more. Then it goes on from where it was
least sure, with the piece that was nearly as likely. All of the new plan is still the model's own. If none of its other
answers differs, the answer is refused (`RefusedBefore`), and the model reads why.

The analyzer's objections are not counted: a planner may insist against it, as in the paper.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator, Sequence
from dataclasses import dataclass

from thinkaloud.episode.approval import PERSON
from thinkaloud.errors import RefusedBefore
from thinkaloud.methods.multitalk.dialogue_text import is_ordered_look, render_action
from thinkaloud.models.contract import Completion, Model, complete_weighed
from thinkaloud.models.gbnf import read_grammar
from thinkaloud.models.gbnf_rules import BadGrammar
from thinkaloud.monologue import Monologue
from thinkaloud.records import Answer, Critique, Observation, Outcome, Plan, Rehearsal, Step

MOST_OTHERS = 6
"""How many other answers are tried."""
_LIKELY = 0.02
"""How likely another piece has to have been for it to be followed."""


@dataclass(frozen=True)
class RefusedStart:
    """The first actions of a plan that was refused, and by whom: whatever begins with them is refused again."""

    actions: tuple[str, ...]
    by: str
    why: str

    def begins(self, steps: Sequence[Step]) -> bool:
        """Whether a plan begins with these actions."""
        return tuple(map(render_action, steps[: len(self.actions)])) == self.actions


def refused_starts(monologue: Monologue) -> list[RefusedStart]:
    """Return how plans for the current request began that a simulator or a person refused.

    What was refused before an answer, a new look or a motion may be right now.
    """
    found: list[RefusedStart] = []
    plan: Plan | None = None
    for event in monologue.task():
        match event.record:
            case Plan(steps=steps) if steps:
                plan = event.record
            case Rehearsal(feasible=False, step=step, error=error) if plan is not None:
                found.append(_start(plan, len(plan.steps) if step is None else step + 1, "the simulator", error))
            case Critique(violations, by) if violations and by == PERSON and plan is not None:
                found.append(_start(plan, len(plan.steps), "the person", violations[0].why))
            case Answer() | Outcome():
                found = []
            case Observation() if is_ordered_look(event, monologue):
                found = []
    return found


def _start(plan: Plan, steps: int, by: str, why: str) -> RefusedStart:
    return RefusedStart(tuple(map(render_action, plan.steps[:steps])), by, why)


def require_change(steps: Sequence[Step], refused: Sequence[RefusedStart]) -> None:
    """Raise RefusedBefore if a plan begins as one that was refused."""
    for each in reversed(refused):
        if each.begins(steps):
            many = len(each.actions)
            what = "This action is" if many == 1 else f"These first {many} actions are"
            raise RefusedBefore(f"{what} what {each.by} refused ({each.why.rstrip('.')}). Change one of them.")


async def other_answers(
    model: Model, prompt: str, grammar: str, stop: Sequence[str], most: int, first: Completion
) -> AsyncIterator[str]:
    """Yield other answers that the model might have given, the likeliest first: one for each doubtful piece."""
    for beginning in _forks(first):
        try:
            rest = read_grammar(grammar).residual(beginning)
        except (ValueError, BadGrammar):  # the grammar does not have this
            continue
        said = await complete_weighed(model, prompt + beginning, grammar=rest, stop=stop, most=most)
        yield beginning + said.text


def _forks(said: Completion) -> list[str]:
    return [beginning for beginning, _ in sorted(_odds(said), key=lambda fork: -fork[1])[:MOST_OTHERS]]


def _odds(said: Completion) -> Iterator[tuple[str, float]]:
    """Yield beginnings of other answers, each with its odds beside the one that was given."""
    place = 0
    for token in said.tokens:
        at = said.text.find(token.text, place)
        if at < 0:
            continue
        place = at + len(token.text)
        for text, likelihood in token.others:
            if text != token.text and likelihood >= _LIKELY:
                yield said.text[:at] + text, likelihood / max(token.likelihood, 1e-9)
