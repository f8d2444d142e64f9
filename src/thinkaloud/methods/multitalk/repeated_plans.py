"""Plans that came back: a plan that begins as one that was refused will be refused again, so it is not sent again.

The twin is deterministic: what went wrong at a step goes wrong again after the same steps. A model that decodes
greedily often writes the plan that stands right before it in the dialogue once more. Then it goes on with another
argument that was nearly as likely, of the refused step or of one before it. All of the new plan is still the model's
own. If none of its other answers differs, the answer is refused (`RefusedBefore`), and the model reads why.

The analyzer's objections are not counted: a planner may insist against it, as in the paper.
"""

from __future__ import annotations

import re
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field

from thinkaloud.episode.approval import PERSON
from thinkaloud.errors import RefusedBefore, Unparseable
from thinkaloud.methods.multitalk.dialogue_text import HEADING, is_ordered_look, render_action
from thinkaloud.methods.multitalk.planner_answers import ANSWER_END
from thinkaloud.models.contract import Completion, Model, complete_weighed
from thinkaloud.models.gbnf import read_grammar
from thinkaloud.models.gbnf_rules import BadGrammar
from thinkaloud.monologue import Monologue
from thinkaloud.records import Answer, Critique, Observation, Outcome, Plan, Rehearsal, Step

MOST_OTHERS = 6
"""How many other answers are tried."""
_LIKELY = 0.02
"""How likely another piece has to have been for it to be followed."""
_CALL = re.compile(r"^\s*\d+: (?:[^\n#:]*: )?(\w+)\(([^\n#]*)", re.MULTILINE)
"""A line of a plan: its action, and the arguments."""


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


@dataclass(frozen=True)
class Question:
    """What a model was asked, and how its answers are read: their steps, or Unparseable if there are none."""

    prompt: str
    grammar: str
    stop: Sequence[str]
    most: int
    read: Callable[[str], Sequence[Step]]

    def repeats(self, answer: str, refused: Sequence[RefusedStart]) -> list[RefusedStart]:
        """Return how an answer, or the beginning of one, begins of what was refused; the shortest first."""
        try:
            steps = self.read(answer)
        except Unparseable:
            return []
        return sorted((each for each in refused if each.begins(steps)), key=lambda each: len(each.actions))

    async def go_on(self, model: Model, text: str, *stop: str) -> str:
        """Return an answer that begins with this text. Raises ValueError or BadGrammar if none does."""
        if text.endswith(ANSWER_END):
            return text
        rest = read_grammar(self.grammar).residual(text)
        more = await complete_weighed(model, self.prompt + text, grammar=rest, stop=[*self.stop, *stop], most=self.most)
        return text + more.text


@dataclass
class OtherAnswers:
    """Answers that a model might have given instead of one that begins as a refused plan; none is tried twice."""

    model: Model
    _tried: set[tuple[RefusedStart, str]] = field(default_factory=set, repr=False)

    async def to(self, asked: Question, said: Completion, refused: Sequence[RefusedStart]) -> AsyncIterator[str]:
        """Yield other answers that begin as no refused plan: one for each doubtful piece, the best place first."""
        start, *_ = asked.repeats(said.text, refused)
        forks = [each for each in _forks(said, start) if (start, each) not in self._tried]
        for beginning in forks[:MOST_OTHERS]:
            self._tried.add((start, beginning))
            with suppress(ValueError, BadGrammar):  # the grammar does not have this
                as_far = await asked.go_on(self.model, beginning, f"\n{len(start.actions) + 1}:")
                if not asked.repeats(as_far, refused):  # what follows would not change that
                    yield await asked.go_on(self.model, as_far)


def _forks(said: Completion, start: RefusedStart) -> list[str]:
    """Return how other answers may begin: with another argument of an action that was refused, or of one before it.

    First come those of the refused step, then those of the steps before it that do the same, the nearest first: what is
    put down where something stands may go elsewhere, or what stands there may. Then all others, the likeliest first.
    """
    spans = _arguments(said.text)[: len(start.actions)]
    if not spans:
        return []
    same = [number for number, (name, _, _) in enumerate(spans) if name == spans[-1][0]][::-1]
    found = []
    for at, text, odds in _alternatives(said):
        step = next((number for number, (_, begins, ends) in enumerate(spans) if begins <= at < ends), None)
        if step is not None:
            found.append((same.index(step) if step in same else len(same), -odds, said.text[:at] + text))
    return [beginning for _, _, beginning in sorted(found)]


def _arguments(text: str) -> list[tuple[str, int, int]]:
    """Return, for each line of a plan, the name of its action, and where its arguments begin and end."""
    plan = text.partition(HEADING)[2]
    shift = len(text) - len(plan)
    return [(found[1], found.start(2) + shift, found.end(2) + shift) for found in _CALL.finditer(plan)]


def _alternatives(said: Completion) -> Iterator[tuple[int, str, float]]:
    """Yield what else was likely: where, which piece, and its odds beside the one that was taken."""
    place = 0
    for token in said.tokens:
        at = said.text.find(token.text, place)
        if at < 0:
            continue
        place = at + len(token.text)
        for text, likelihood in token.others:
            if text != token.text and likelihood >= _LIKELY:
                yield at, text, likelihood / max(token.likelihood, 1e-9)
