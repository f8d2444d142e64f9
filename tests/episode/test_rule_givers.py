"""Who may take back a rule that somebody gave."""

from __future__ import annotations

import asyncio

import pytest

from said import garden
from thinkaloud import Agent, Inbox, Scripted, Speaker
from thinkaloud.episode.told_rules import kept_of, rules_of, standing_of
from thinkaloud.monologue import Event
from thinkaloud.records import Ask, End, Started

DORA, BOB, EVE = Speaker("Dora", "doctor"), Speaker("Bob", "visitor"), Speaker("Eve", "doctor")
NEVER = 'never(water("fern"))'
ALLOW = 'allow(water("fern"))'
SAID = "Never water the fern or the rose, and whistle whenever the fern is wet."
"""The script tells what is meant by it; a rule is kept only where its names were said."""
ONLY = "Only Dora or a doctor may take this back: "


class Ward:
    """Several people speak with a robot, each turn a request and the program that it is read as."""

    def __init__(self, *turns: tuple[Speaker | None, str], answers: tuple[tuple[str, Speaker], ...] = ()) -> None:
        self._answers = list(answers)
        self.agent = Agent(
            garden(),
            Scripted([program for _, program in turns]),
            "thinkaloud:confirm=never",
            person=Inbox(present=bool(answers)),
            listeners=[self._hear],
        )
        self.agent.monologue.goes_on = True
        self.ends = [self._say(by) for by, _ in turns]

    def _say(self, by: Speaker | None) -> End:
        return asyncio.run(asyncio.wait_for(self.agent.run(SAID, by), 20))

    def _hear(self, event: Event) -> None:
        if isinstance(event.record, Ask) and self._answers:
            self.agent.say(*self._answers.pop(0))

    @property
    def forbidden(self) -> int:
        return len([rule for rule in rules_of(self.agent.monologue) if not rule.allowed])

    @property
    def steps(self) -> list[str]:
        return [each.step.words for each in self.agent.monologue.since(None, Started)]


@pytest.mark.parametrize(
    ("giver", "other", "may"),
    [
        (DORA, DORA, True),
        (DORA, EVE, True),
        (DORA, BOB, False),
        (DORA, None, False),
        (None, BOB, True),
        (None, None, True),
        (Speaker("Dora"), Speaker("Bob"), False),
        (Speaker("Dora"), DORA, True),
    ],
)
def test_a_rule_is_taken_back_by_whoever_gave_it_or_has_the_same_role(
    giver: Speaker | None, other: Speaker | None, *, may: bool
) -> None:
    ward = Ward((giver, NEVER), (other, ALLOW), (other, 'water("fern")'))
    assert ward.forbidden == (0 if may else 1)
    assert ward.steps == (["Water the fern."] if may else [])


def test_the_robot_says_who_may() -> None:
    ends = Ward((DORA, NEVER), (BOB, ALLOW)).ends
    assert ends[-1].because == f"{ONLY}I am never to water the fern."
    assert Ward((DORA, NEVER), (None, ALLOW)).ends[-1].because.endswith(" I do not know who you are.")


@pytest.mark.parametrize("program", ["allow(water(plants))", f'{ALLOW}\nwater("fern")', 'forget(water("fern"))'])
def test_no_other_words_take_it_back(program: str) -> None:
    ward = Ward((DORA, NEVER), (BOB, program), (BOB, 'water("fern")'))
    assert ward.forbidden == 1 and ward.steps == []


def test_an_end_for_a_rule_takes_it_back_in_part() -> None:
    ward = Ward((DORA, NEVER), (BOB, 'never(water("fern"), until=wet("cactus"))'), (BOB, 'water("fern")'))
    assert ward.ends[1].because.startswith(ONLY) and ward.steps == []


def test_a_rule_that_is_given_again_is_still_the_first_ones() -> None:
    ward = Ward((DORA, NEVER), (BOB, NEVER), (BOB, ALLOW), (BOB, 'water("fern")'))
    assert ward.ends[1].result == "answered" and ward.steps == []


def test_anybody_may_add_a_rule() -> None:
    ward = Ward((DORA, NEVER), (BOB, 'never(water("rose"))'), (DORA, 'water("rose")'))
    assert ward.forbidden == 2 and ward.steps == []


def test_leave_that_was_refused_takes_nothing_from_another_rule() -> None:
    ward = Ward((BOB, 'never(water("rose"))'), (DORA, NEVER), (BOB, 'allow(water("rose"))'))
    assert [rule.arguments for rule in rules_of(ward.agent.monologue) if not rule.allowed] == [{"plant": "fern"}]


def test_a_thing_left_alone_stays_so() -> None:
    ward = Ward((DORA, 'keep("fern")'), (BOB, 'allow("fern")'))
    assert kept_of(ward.agent.monologue) == ["fern"]
    assert ward.ends[-1].because == f"{ONLY}I leave the fern alone."
    assert kept_of(Ward((DORA, 'keep("fern")'), (EVE, 'allow("fern")')).agent.monologue) == []


def test_what_waits_goes_on_waiting() -> None:
    rule = 'whenever(wet("fern"), whistle())'
    assert len(standing_of(Ward((DORA, rule), (BOB, "forget(whistle())")).agent.monologue)) == 1
    assert standing_of(Ward((DORA, rule), (EVE, "forget(whistle())")).agent.monologue) == ()


def test_somebody_elses_answer_does_not_take_it_back() -> None:
    rose = 'never(water("rose"))'
    ward = Ward((DORA, NEVER), (DORA, rose), (DORA, "forget()"), answers=(("1", BOB),))
    assert ward.forbidden == 2 and ward.ends[-1].because.startswith(ONLY)


def test_once_it_is_taken_back_it_is_nobodys() -> None:
    ward = Ward((DORA, NEVER), (EVE, ALLOW), (BOB, NEVER), (BOB, ALLOW), (BOB, 'water("fern")'))
    assert ward.steps == ["Water the fern."]
