"""Whatever the world does and whatever the model says: the stack follows Algorithm 1, is bounded, and ends.

Worlds of knots are drawn: what needs what (cycles too), what ties up what again, which pulls slip. The model picks any
of what it may say, and now and then says something else. The run is read event by event, and held against the paper.
"""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from knotworld import NAMES, Chooser, Given, Knots, algorithm_1
from minds import Trial
from thinkaloud.agent import Agent, restore_world
from thinkaloud.loop import Limits
from thinkaloud.methods.hicrisp.correction_stack import CorrectionStack
from thinkaloud.methods.hicrisp.failure_history import cases
from thinkaloud.models import Scripted
from thinkaloud.models.contract import Verbatim
from thinkaloud.monologue import Event, Monologue
from thinkaloud.records import End, Record, Resumed, Started, Verdict
from thinkaloud.remember.journal import Journal, Session
from thinkaloud.verify.failure_levels import TwoLevels
from toyworld import ToyWorld

ASKED = f"Undo {', '.join(NAMES)}."
names = st.sampled_from(NAMES)


@dataclass(frozen=True)
class Drawn:
    """All that a run depends on."""

    needs: dict[str, list[str]]
    ties: dict[str, str]
    slips: list[int]
    plan: list[str]
    picks: list[int]
    threshold: int

    def trial(self, *, world: Knots | None = None) -> Trial:
        world = world or Knots(self.needs, self.ties, self.slips)
        model = Chooser(self.choose)
        parts: dict[str, Any] = {
            "plan": Given(world, tuple(map(world.step, self.plan))),
            "verify": TwoLevels(world),
            "correct": CorrectionStack(model, world, self.threshold),
        }
        return Trial(world=world, request=ASKED, limits=Limits(steps=300, refusals=5), **parts)

    def choose(self, prompt: str, options: list[str]) -> str:
        """Depends on nothing but the prompt: it is the same again after a crash."""
        at = self.picks[len(prompt) % len(self.picks)]
        return "Kumquat." if at % 11 == 10 else options[at % len(options)]


@st.composite
def drawn(draw: st.DrawFn) -> Drawn:
    return Drawn(
        draw(st.dictionaries(names, st.lists(names, max_size=2, unique=True), max_size=5)),
        draw(st.dictionaries(names, names, max_size=2)),
        draw(st.lists(st.integers(1, 20), max_size=6)),
        draw(st.lists(names, min_size=1, max_size=3, unique=True)),
        draw(st.lists(st.integers(0, 100), min_size=1, max_size=7)),
        draw(st.integers(1, 5)),
    )


@dataclass
class Attempt:
    """A step that was taken, and how it was judged."""

    started: Started
    verdict: Verdict | None = None

    @property
    def why(self) -> str:
        assert self.verdict is not None
        return " ".join(filter(None, [self.verdict.why, self.verdict.observed]))

    @property
    def ok(self) -> bool:
        assert self.verdict is not None
        return self.verdict.ok


def attempts(monologue: Monologue) -> list[list[Attempt]]:
    """Every step of a plan, each with all the corrections that followed it."""
    groups: list[list[Attempt]] = []
    for event in monologue:
        match event.record:
            case Started() as started:
                groups += [] if started.correcting else [[]]
                groups[-1].append(Attempt(started))
            case Verdict() as verdict:
                groups[-1][-1].verdict = verdict
            case _:
                pass
    return groups


def follows_algorithm_1(monologue: Monologue, threshold: int) -> None:
    """Each case, held against the paper."""
    for first, *corrections in attempts(monologue):
        assert not first.started.correcting
        if first.ok:
            assert corrections == [], "nothing was wrong"
            continue
        paper = algorithm_1(first.started.step, first.why, threshold)
        wanted, over = next(paper), False
        for attempt in corrections:
            step = attempt.started.step
            assert attempt.started.correcting and not over
            assert wanted.step in (step, None)
            try:
                wanted = paper.send((step, attempt.ok, attempt.why))
            except StopIteration:
                over = True
        assert over or wanted.step is None, "it left off before all was tried again"


def bounded(monologue: Monologue, threshold: int) -> None:
    for case in cases(monologue):
        assert len(case.tries) <= threshold
        assert len(case.stack) <= threshold + 1
    for group in attempts(monologue):
        assert len(group) <= 1 + threshold + (threshold + 1) + threshold


@settings(max_examples=60)
@given(drawn())
def test_every_run_follows_the_paper_is_bounded_and_ends(chosen: Drawn) -> None:
    run = chosen.trial()
    end = run.run()
    assert isinstance(run.records[-1], End) and run.records[-1] == end
    follows_algorithm_1(run.monologue, chosen.threshold)
    bounded(run.monologue, chosen.threshold)
    given_up = {case.first.step.words for case in cases(run.monologue) if not case.fixed}
    worked = {verdict.step.words: verdict.ok for verdict in run.monologue.since(None, Verdict)}
    left = {words for words in given_up if not worked[words]}
    if end.result in ("failed", "goal met"):
        assert bool(left) == (end.result == "failed")
        assert all(words in end.because for words in left)
    if end.result == "limit":
        assert "no usable answer" in end.because
    assert end.result in ("goal met", "failed", "unconfirmed", "limit")


@settings(max_examples=30)
@given(drawn())
def test_the_same_run_is_the_same_again(chosen: Drawn) -> None:
    one, other = chosen.trial(), chosen.trial()
    one.run()
    other.run()
    assert one.records == other.records


class Died(BaseException):
    """The process ended."""


def cut_short(run: Trial, at: int) -> bool:
    """Run until that event is about to be written down; whether it came to that."""

    def commit(event: Event) -> None:
        if event.index == at:
            raise Died

    run.monologue._commit = commit
    try:
        run.run()
    except Died:
        return True
    return False


@settings(max_examples=50)
@given(chosen=drawn(), share=st.floats(0, 1))
def test_after_a_crash_at_any_event_the_same_stack_goes_on(chosen: Drawn, share: float) -> None:
    whole = chosen.trial()
    whole.run()
    first = chosen.trial()
    if not cut_short(first, at := 1 + int(share * (len(whole.records) - 2))):
        return
    assert first.records == whole.records[:at]
    assert isinstance(first.world, Knots)
    then = chosen.trial(world=first.world)
    then.person.heard()
    then.monologue = Monologue(first.world.clock, first.monologue)
    then.loop.monologue = then.monologue
    then.monologue.append(Resumed("the process had ended"))
    end = then.run()
    assert isinstance(end, End)
    follows_algorithm_1(then.monologue, chosen.threshold)
    bounded(then.monologue, chosen.threshold)
    if not isinstance(first.records[-1], Started):  # nothing was under way: it is as if nothing had happened
        assert then.started == whole.started
        assert end == whole.monologue[-1].record


# From the journal -----------------------------------------------------------------------------------------------------


REQUEST = "Put the ball on the shelf and the cup in the bin."


def answer(prompt: str) -> str:
    """A plan of one move; a correction that is another move."""
    asked = prompt.rsplit("\n", 1)[-1].strip()
    if asked == "Things:":
        return " ball, shelf."
    if asked == "Needed:":
        return " Nothing of that."
    if asked == "Do first:":
        return " Move the cup to the bin."
    return " Done." if asked == "2." else " Move the ball to the shelf. -> Ball is on the shelf."


class DoomedSession(Session):
    """Ends the process before an event is written down."""

    doomed_at = -1

    def commit(
        self, index: int, at: float, record: Record, snapshot: bytes | None = None, said: Verbatim | None = None
    ) -> None:
        if index == self.doomed_at:
            raise Died
        super().commit(index, at, record, snapshot, said)


def slippery(session: Session) -> Agent:
    """An agent in a world where the first three moves come to nothing."""
    world = ToyWorld()
    world.slips = 3
    return Agent(world, Scripted(answer), "hicrisp", session=session)


def test_a_session_of_the_preset_is_resumed_from_its_journal_after_any_event(tmp_path: Path) -> None:
    with Journal(tmp_path / "journal.db") as journal, journal.begin() as session:
        whole = slippery(session)
        assert asyncio.run(whole.run(REQUEST)).result == "goal met"
        assert max(len(case.tries) for case in cases(whole.monologue)) == 2
    for at in range(2, len(whole.monologue)):
        with Journal(tmp_path / f"{at}.db") as journal:
            with journal.begin() as session:
                session.__class__ = DoomedSession
                session.doomed_at = at  # type: ignore[attr-defined]
                with pytest.raises(Died):
                    asyncio.run(slippery(session).run(REQUEST))
            with journal.resume(journal.sessions()[0].id) as session:
                world = ToyWorld()
                restore_world(world, session, 0)
                agent = Agent(world, Scripted(answer), "hicrisp", session=session)
                end = asyncio.run(agent.resume())
        assert end.result == "goal met", at
        assert world.where["ball"] == "shelf"
        follows_algorithm_1(agent.monologue, 5)
