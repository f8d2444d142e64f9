"""Several critics: the next is asked only if those before found nothing."""

from __future__ import annotations

import asyncio

from minds import Criticised
from thinkaloud.clock import ManualClock
from thinkaloud.critique.several_critics import SeveralCritics
from thinkaloud.monologue import Monologue
from thinkaloud.records import Critique, Plan, Violation

PLAN = Plan("Tidy up.", (), ())
WRONG = (Violation(0, "No."), Violation(None, "Not at all."))


def asked(*critics: Criticised) -> Critique:
    return asyncio.run(SeveralCritics(*critics).critique(PLAN, Monologue(ManualClock())))


def test_the_next_is_asked_when_nothing_was_found() -> None:
    quick, slow = Criticised([Critique(by="rules")]), Criticised([Critique(WRONG, "analyzer")])
    assert asked(quick, slow) == Critique(WRONG, "rules, analyzer")


def test_nobody_else_is_asked_once_something_was_found() -> None:
    quick, slow = Criticised([Critique(WRONG, "rules")]), Criticised([Critique(by="analyzer")])
    assert asked(quick, slow) == Critique(WRONG, "rules")
    assert len(slow.findings) == 1


def test_all_content_is_content() -> None:
    content = [Criticised([Critique(by=name)]) for name in ("rules", "", "analyzer")]
    assert asked(*content) == Critique((), "rules, analyzer")


def test_without_critics_there_is_nothing_to_object_to() -> None:
    assert asked() == Critique()
