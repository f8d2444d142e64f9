"""Playing an episode: a request, a new one when so many steps are finished, and then the judge.

The plan is judged by its first version after the latest request, as in the paper; the world by how it is in the end.
"""

from __future__ import annotations

import re
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import zip_longest
from typing import Any

from thinkaloud.agent import Agent, check_request
from thinkaloud.errors import BadInput
from thinkaloud.guidelines import read_guidelines
from thinkaloud.models import Scripted
from thinkaloud.monologue import Event, Monologue
from thinkaloud.outline import completed, outlined
from thinkaloud.own_steps import SAY, STEPS
from thinkaloud.presets import PRESETS
from thinkaloud.records import End, ModelCall, Observation, Outcome, Plan, Request, Started, Step, Verdict
from thinkaloud_bench.contract import CEILING, Item, OpenedModel, Played
from thinkaloud_bench.itp.domains import Domain, open_domain
from thinkaloud_bench.itp.episodes import Episode
from thinkaloud_bench.itp.expert import Expert
from thinkaloud_bench.itp.golds import Gold
from thinkaloud_bench.itp.scoring import StepScore, score_steps
from thinkaloud_bench.itp.tables import PUBLISHED
from thinkaloud_bench.itp.written import Written
from thinkaloud_bench.playing import played_as, with_expert

LIMITS = PRESETS["itp"].limits
"""The same for every preset: what the paper's own needs."""
SAME_LOOP = "inner_monologue"
"""What carries out the expert's calls: it looks, acts and checks; only the planner is another."""
EXECUTOR = "executor"
_REFUSING = re.compile(
    r"\b(no|not|none|nor|cannot|can't|don't|doesn't|isn't|aren't|won't|unable|unavailable|impossible|sorry|without|lack)\b",
    re.IGNORECASE,
)


async def play(item: Item, model: OpenedModel) -> Played:
    """The episode of a file, of a table, or of the seed."""
    began = time.perf_counter()
    episode = item.episode or episode_of(item.task, item.seed)
    gold = item.preset == CEILING
    domain = open_domain(episode, item.seed, by_hand=gold)
    thinks = Scripted(name=CEILING) if gold else model()
    preset = with_expert(SAME_LOOP, Expert(episode, domain)) if gold else item.preset
    guidelines = read_guidelines(episode.guidelines, episode.id)
    agent = Agent(domain.world, thinks, preset, seed=item.seed, limits=LIMITS, guidelines=guidelines)
    talk = Talk(agent, episode, domain)
    await talk.go()
    judged = talk.judge()
    said = agent.monologue
    return played_as(
        item,
        said.since(None, ModelCall),
        request=episode.request,
        success=not judged.wrong,
        result=talk.result,
        because=judged.wrong or talk.because,
        steps=len(moves_of(said.since(None, Started))),
        seconds=time.perf_counter() - began,
        model=agent.model.name,
        scores={"right": judged.score.right, "steps": judged.score.total, "extra": judged.score.extra, **costs(said)},
        details=[judged.details],
    )


def episode_of(task: str, seed: int) -> Episode:
    """A row of a table, or one that the seed draws."""
    if task in PUBLISHED:
        return PUBLISHED[task].episode
    from thinkaloud_bench.itp.generating import generate

    return generate(seed)


@dataclass(frozen=True, slots=True)
class Judged:
    """What came of an episode; `wrong` says what failed, nothing if it succeeded."""

    score: StepScore
    wrong: str
    details: dict[str, Any]


@dataclass
class Talk:
    """A person who orders, and changes their mind when so many steps are finished."""

    agent: Agent
    episode: Episode
    domain: Domain
    result: str = ""
    because: str = ""
    _gold: Gold = field(default_factory=lambda: Gold(()))
    _changed: int | None = None
    """Where the new request was said, if it was."""

    async def go(self) -> None:
        """From the first request to the end; an order that ended too early is changed afterwards."""
        episode = self.episode
        self._gold = self._expected()
        if episode.new_request is None:
            await self._ask(episode.request)
            return
        self.agent.monologue.listeners.append(self._hear)
        await self._ask(episode.request)
        if self._changed is None:
            self._change()
            await self._ask(episode.new_request)

    async def _ask(self, request: str) -> None:
        try:
            end = await self.agent.run(request)
        except BadInput as error:  # refused before anything moved
            end = End("declined", str(error))
        self.result, self.because = end.result, end.because

    def _hear(self, event: Event) -> None:
        """Say the new request as soon as it is time."""
        if self._changed is not None or not isinstance(event.record, Plan | Outcome | Verdict):
            return
        if self._finished() >= (self.episode.before_step or 0):
            self._change()
            request = check_request(str(self.episode.new_request), Observation((), {}))
            self.agent.person.say(Request(request))

    def _change(self) -> None:
        self._changed = len(self.agent.monologue)
        self._gold = self._expected()

    def _finished(self) -> int:
        """How many steps are finished: lines of the outline, or what the calls amount to."""
        said = self.agent.monologue
        if outlined(said) is not None:
            return len(completed(said))
        judged = said.since(None, Verdict)
        worked = [v.step for v in judged if v.ok] if judged else [o.step for o in said.since(None, Outcome)]
        return len(self.domain.calls(moves_of(worked)))

    def _expected(self) -> Gold:
        """What is left to do now, of what is wanted in the end."""
        known = self.episode.wanted is not None or (self.episode.steps and not self.episode.declined)
        return self.domain.gold(self.episode.wanted) if known else Gold(())

    # Judging ----------------------------------------------------------------------------------------------------------

    def judge(self) -> Judged:
        """The plan by its words, the world by its state."""
        said = self.agent.monologue
        lines, calls = plan_of(said)
        found = self.domain.lines(lines) if lines else self.domain.calls(calls)
        score = StepScore(0, 0, 0) if self.episode.declined else score_steps(found, self._gold)
        wrong = self._wrong(lines or [call.words for call in calls], score)
        details = {
            "plan": list(lines) or [call.words for call in calls],
            "means": found,
            "expected": [] if self.episode.declined else [self.domain.sentence(key) for key in self._gold.keys],
            "new_request": self.episode.new_request or "",
            "end": f"{self.result}: {self.because}",
        }
        return Judged(score, wrong, details)

    def _wrong(self, lines: Sequence[str], score: StepScore) -> str:
        if self.episode.declined:
            return self._not_declined()
        if isinstance(self.domain, Written):
            return self.domain.wrong(lines, score)
        return self.domain.missing(self.episode.wanted)

    def _not_declined(self) -> str:
        """Why what cannot be had was not declined as it should be."""
        said, start = self.agent.monologue, self._changed
        moved = moves_of(said.since(start, Started))
        refused = self.result == "declined" or any(
            step.skill == SAY and _REFUSING.search(str(step.arguments["text"]))
            for step in (started.step for started in said.since(start, Started))
        )
        if not refused:
            return "it was not said that this cannot be done"
        if self.episode.new_request is None:
            return f"although it cannot be done: {moved[0].words}" if moved else ""
        first = self.episode.first
        return "" if first is None or not self.domain.missing(first) else self.domain.spoiled(first)


def moves_of(steps: Sequence[Started] | Sequence[Step]) -> list[Step]:
    """The steps that move something, without those that correct one before."""
    plain = [
        each.step if isinstance(each, Started) else each for each in steps if not getattr(each, "correcting", False)
    ]
    return [step for step in plain if step.skill not in STEPS]


def plan_of(said: Monologue) -> tuple[tuple[str, ...], list[Step]]:
    """The first plan for the latest request: its lines, or else its calls.

    A planner that thinks one step ahead has as many plans as steps; they count up to the first that did not work out.
    """
    start = said.task_start()
    plans = [event for event in list(said)[start + 1 :] if isinstance(event.record, Plan)]
    lines = next(
        (each.record.outline.lines for each in plans if isinstance(each.record, Plan) and each.record.outline), ()
    )
    calls = list[Step]()
    for event, after in zip_longest(plans, plans[1:]):
        assert isinstance(event.record, Plan)
        calls += event.record.steps
        events = list(said)[event.index : None if after is None else after.index]
        good = [e for e in events if isinstance(e.record, Outcome) and e.record.ending == "completed"]
        bad = [e for e in events if isinstance(e.record, Verdict) and not e.record.ok]
        if bad or len(good) < len(event.record.steps):
            break
    return lines, moves_of(calls)


def costs(said: Monologue) -> dict[str, float]:
    """What planning and carrying out cost: a plan is an answer to a request, a step is a line of it that was begun."""
    calls = said.since(None, ModelCall)
    planning = [call for call in calls if call.role != EXECUTOR]
    executing = [call for call in calls if call.role == EXECUTOR]
    plans = said.since(None, Plan)
    levels = any(plan.outline for plan in plans)
    begun = {plan.outline for plan in plans if plan.outline is not None and plan.outline.line is not None}
    made = [plan for plan in plans if (plan.outline is not None and plan.outline.at is None if levels else plan.steps)]
    return {
        "plans": max(len(made), len(said.since(None, Request))),
        "plan_seconds": round(sum(call.seconds for call in planning), 3),
        "plan_tokens": sum(_tokens(call) for call in planning),
        "begun": len(begun),
        "step_seconds": round(sum(call.seconds for call in executing), 3),
        "step_tokens": sum(_tokens(call) for call in executing),
    }


def _tokens(call: ModelCall) -> int:
    return call.evaluated + call.cached + call.generated
