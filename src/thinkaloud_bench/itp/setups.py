"""An order, ready to begin: a request, a new one when so many steps are finished, and then the judge.

The plan is judged by its first version after the latest request, as in the paper; the world by how it is in the end.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import zip_longest

from thinkaloud.agent import Agent, check_request
from thinkaloud.episode.outline import completed_lines, find_outlined
from thinkaloud.guidelines import read_guidelines
from thinkaloud.monologue import Event, Monologue
from thinkaloud.presets import PRESETS
from thinkaloud.records import End, ModelCall, Observation, Outcome, Plan, Request, Started, Step, Verdict
from thinkaloud.skills.built_in_steps import SAY, STEPS
from thinkaloud_bench.contract import CEILING, Item
from thinkaloud_bench.itp.domains import OrderDomain, open_domain
from thinkaloud_bench.itp.episodes import OrderEpisode
from thinkaloud_bench.itp.expected_steps import ExpectedSteps
from thinkaloud_bench.itp.expert import OrderExpert
from thinkaloud_bench.itp.scoring import StepScore, score_steps
from thinkaloud_bench.itp.step_lists import StepList
from thinkaloud_bench.itp.tables import PUBLISHED
from thinkaloud_bench.playing import Judged, Robot, Setup, expert_in

_LIMITS = PRESETS["itp"].limits
"""The same for every preset: what the paper's own needs."""
_LOOP = "inner_monologue"
"""What carries out the expert's calls: it looks, acts and checks; only the planner is another."""
_EXECUTOR = "executor"
_REFUSING = re.compile(
    r"\b(no|not|none|nor|cannot|can't|don't|doesn't|isn't|aren't|won't|unable|unavailable|impossible|sorry|without|lack)\b",
    re.IGNORECASE,
)


def set_up_order(item: Item) -> Setup:
    """The episode of a file, of a table, or of the seed."""
    episode = item.episode or _episode_of(item.task, item.seed)
    domain = open_domain(episode, item.seed, by_hand=item.preset == CEILING)
    customer = Customer(episode, domain)
    return Setup(
        domain.world,
        episode.request,
        customer.judge,
        expert_in(_LOOP, OrderExpert(episode, domain)),
        _LIMITS,
        talk=customer.talk,
        guidelines=read_guidelines(episode.guidelines, episode.id),
    )


def _episode_of(task: str, seed: int) -> OrderEpisode:
    """A row of a table, or one that the seed draws."""
    if task in PUBLISHED:
        return PUBLISHED[task].episode
    from thinkaloud_bench.itp.generating import draw_order

    return draw_order(seed)


@dataclass
class Customer:
    """A person who orders, changes their mind when so many steps are finished, and judges what they get."""

    episode: OrderEpisode
    domain: OrderDomain
    _gold: ExpectedSteps = field(default_factory=lambda: ExpectedSteps(()))
    _changed: int | None = None
    """Where the new request was said, if it was."""

    async def talk(self, robot: Robot) -> End:
        """From the first request to the end; an order that ended too early is changed afterwards."""
        self._gold = self._expected()
        new = self.episode.new_request
        if new is None:
            return await robot.ask(self.episode.request)
        agent = robot.agent
        agent.monologue.listeners.append(lambda event: self._hear(event, agent))
        end = await robot.ask(self.episode.request)
        if self._changed is not None:
            return end
        self._change(agent.monologue)
        return await robot.ask(new)

    def _hear(self, event: Event, agent: Agent) -> None:
        """Say the new request as soon as it is time."""
        if self._changed is not None or not isinstance(event.record, Plan | Outcome | Verdict):
            return
        if self._finished(agent.monologue) >= (self.episode.before_step or 0):
            self._change(agent.monologue)
            request = check_request(str(self.episode.new_request), Observation((), {}))
            agent.person.say(Request(request))

    def _change(self, said: Monologue) -> None:
        self._changed = len(said)
        self._gold = self._expected()

    def _finished(self, said: Monologue) -> int:
        """How many steps are finished: lines of the outline, or what the calls amount to."""
        if find_outlined(said) is not None:
            return len(completed_lines(said))
        judged = said.since(None, Verdict)
        worked = [v.step for v in judged if v.ok] if judged else [o.step for o in said.since(None, Outcome)]
        return len(self.domain.calls(_moves_of(worked)))

    def _expected(self) -> ExpectedSteps:
        """What is left to do now, of what is wanted in the end."""
        known = self.episode.wanted is not None or (self.episode.steps and not self.episode.declined)
        return self.domain.expected(self.episode.wanted) if known else ExpectedSteps(())

    # Judging ----------------------------------------------------------------------------------------------------------

    def judge(self, said: Monologue, end: End) -> Judged:
        """The plan by its words, the world by its state."""
        lines, calls = _plan_of(said)
        found = self.domain.lines(lines) if lines else self.domain.calls(calls)
        score = StepScore(0, 0, 0) if self.episode.declined else score_steps(found, self._gold)
        wrong = self._wrong(said, end, lines or [call.words for call in calls], score)
        details = {
            "plan": list(lines) or [call.words for call in calls],
            "means": found,
            "expected": [] if self.episode.declined else [self.domain.sentence(key) for key in self._gold.keys],
            "new_request": self.episode.new_request or "",
            "end": f"{end.result}: {end.because}",
        }
        return Judged(
            not wrong,
            wrong or None,
            steps=len(_moves_of(said.since(None, Started))),
            scores={"right": score.right, "steps": score.total, "extra": score.extra, **_costs(said)},
            details=[details],
        )

    def _wrong(self, said: Monologue, end: End, lines: Sequence[str], score: StepScore) -> str:
        if self.episode.declined:
            return self._not_declined(said, end)
        if isinstance(self.domain, StepList):
            return self.domain.wrong(lines, score)
        return self.domain.missing(self.episode.wanted)

    def _not_declined(self, said: Monologue, end: End) -> str:
        """Why what cannot be had was not declined as it should be."""
        start = self._changed
        moved = _moves_of(said.since(start, Started))
        refused = end.result == "declined" or any(
            step.skill == SAY and _REFUSING.search(str(step.arguments["text"]))
            for step in (started.step for started in said.since(start, Started))
        )
        if not refused:
            return "it was not said that this cannot be done"
        if self.episode.new_request is None:
            return f"although it cannot be done: {moved[0].words}" if moved else ""
        first = self.episode.first
        return "" if first is None or not self.domain.missing(first) else self.domain.spoiled(first)


def _moves_of(steps: Sequence[Started] | Sequence[Step]) -> list[Step]:
    """The steps that move something, without those that correct one before."""
    plain = [
        each.step if isinstance(each, Started) else each for each in steps if not getattr(each, "correcting", False)
    ]
    return [step for step in plain if step.skill not in STEPS]


def _plan_of(said: Monologue) -> tuple[tuple[str, ...], list[Step]]:
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
    return lines, _moves_of(calls)


def _costs(said: Monologue) -> dict[str, float]:
    """What planning and carrying out cost: a plan is an answer to a request, a step is a line of it that was begun."""
    calls = said.since(None, ModelCall)
    planning = [call for call in calls if call.role != _EXECUTOR]
    executing = [call for call in calls if call.role == _EXECUTOR]
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
