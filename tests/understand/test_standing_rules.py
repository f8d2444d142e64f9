"""Standing rules at work: they come due by the clock and by what is seen, and are done as requests of the robot's."""

from __future__ import annotations

import asyncio
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest

from said import Talk, garden
from thinkaloud.agent import Agent, restore_world
from thinkaloud.clock import ManualClock
from thinkaloud.episode.event_text import Narrator, tell_words
from thinkaloud.episode.told_rules import standing_of, tell_all_rules
from thinkaloud.models import Scripted
from thinkaloud.monologue import Event
from thinkaloud.records import (
    Answer,
    Ask,
    DueRequest,
    End,
    Meaning,
    Observation,
    Request,
    Resumed,
    RuleNotice,
    StandingRule,
    Started,
    Stop,
)
from thinkaloud.remember.journal import Journal

HOUR = 3600
LAMP = 'whenever(shines("lamp"), open("left window"))'
SAID = "When the lamp is on, open the left window."


class Day(Talk):
    """A robot that is watched for a day: seconds pass when the test says so."""

    def __init__(self, programs: list[str], world: Any = None, *, hour: float = 12, **more: Any) -> None:
        self.wall = ManualClock(hour * HOUR, datetime(2026, 11, 18))
        super().__init__(programs, world, wall=self.wall, present=True, **more)
        self.agent.monologue.goes_on = True
        watcher = self.agent.loop.mind.rules
        assert watcher is not None
        self.watcher = watcher

    def tick(self, seconds: float = 1) -> list[End]:
        """What the watcher does once a second while the robot is idle, after some seconds without it."""
        self.wall.seconds += seconds
        self.watcher.check(self.agent.monologue, self.agent._idle_look(False), busy=False)
        ends: list[End] = []
        while due := self.watcher.pending(self.agent.monologue):
            ends.append(asyncio.run(self.agent.carry_out(due[0])))
        return ends

    def until(self, hour: float) -> list[End]:
        """The same at an hour of the day, today or another."""
        return self.tick(hour * HOUR - self.wall.seconds)

    def do(self, skill: str, **given: Any) -> None:
        """Somebody else does something."""
        asyncio.run(self.world.skills[skill].run(given))

    @property
    def done(self) -> list[str]:
        return [each.step.words for each in self.all(Started)]

    @property
    def notices(self) -> list[str]:
        return [each.words for each in self.all(RuleNotice) if each.words]


def test_a_condition_that_becomes_true_is_acted_on_once_each_time() -> None:
    day = Day([LAMP])
    assert day.say(SAID).because == "From now on, whenever lamp is on: Open the left window."
    assert not day.tick() and not day.done
    day.do("switch", lamp="lamp", state="on")
    (end,) = day.tick()
    assert end.result == "goal met" and day.done == ["Open the left window."]
    assert [each.text for each in day.all(DueRequest)] == [f'Because you said: "{SAID}"']
    day.do("close", window="left window")
    assert not day.tick() and not day.tick(60), "the lamp has not been off in between"
    day.do("switch", lamp="lamp", state="off")
    assert not day.tick()
    day.do("switch", lamp="lamp", state="on")
    assert day.tick() and day.done == ["Open the left window."] * 2


def test_a_condition_that_is_true_at_once_is_acted_on_at_once() -> None:
    day = Day(['whenever(not wet("fern"), water("fern"))'])
    day.say("Whenever the fern is dry, water it.")
    assert [end.result for end in day.tick()] == ["goal met"]
    assert not day.tick()


def test_what_is_meant_once_is_done_once() -> None:
    day = Day(['once(shines("lamp"), open("left window"))'])
    day.say("The next time that the lamp is on, open the left window.")
    for state in ("on", "off", "on"):
        day.do("switch", lamp="lamp", state=state)
        day.tick()
    assert day.done == ["Open the left window."] and not standing_of(day.agent.monologue)


def test_a_rule_is_not_set_off_by_what_it_does() -> None:
    """It brings about its own condition again and again, and still acts once."""
    day = Day(['whenever(wet("cactus"), water("cactus"), whistle())'])
    day.say("Whenever the cactus is wet, water it.")
    for _ in range(5):
        day.tick()
    assert day.done.count("Whistle a tune.") == 1


def test_rules_that_set_each_other_off_hold_off_after_a_while() -> None:
    day = Day(
        [
            'whenever(is_open("left window"), close("left window"))',
            'whenever(not is_open("left window"), open("left window"))',
        ]
    )
    day.say("Whenever the left window is open, close it.", "Whenever it is closed, open it.")
    for _ in range(30):
        day.tick()
    assert len(day.all(DueRequest)) <= 10
    assert any(each.startswith("I hold off") for each in day.notices)


def test_what_cannot_be_told_is_neither_true_nor_false() -> None:
    day = Day(['whenever(height("fern") > 30, whistle())'])
    day.say("Whenever the fern is over 30 cm high, whistle.")
    assert day.tick()
    known, day.world._values = day.world._values, {}
    assert not day.tick()
    day.world._values = known
    assert not day.tick()
    assert not any(each.what == "cleared" for each in day.all(RuleNotice))


# By the clock ---------------------------------------------------------------------------------------------------------


def test_a_time_of_day_comes_once() -> None:
    day = Day(['once(clock("18:30"), water("fern"))'])
    day.say("At half past six in the evening, water the fern.")
    assert not day.until(18.4)
    assert [end.result for end in day.until(18.5)] == ["goal met"]
    assert not day.until(24 + 18.5) and not standing_of(day.agent.monologue)


def test_a_time_of_day_comes_again_the_next_day() -> None:
    day = Day(['whenever(clock("18:30"), whistle())'])
    day.say("Every day at half past six in the evening, whistle.")
    for midnight in (0, 24, 48):
        assert not day.until(midnight + 18.4)
        assert len(day.until(midnight + 18.5)) == 1
        assert not day.until(midnight + 18.6)


def test_a_time_span_is_counted_from_when_it_was_said_and_does_not_drift() -> None:
    day = Day(['whenever(amount(10, "minute"), whistle())'])
    day.say("Whistle every 10 minutes.")
    came = []
    for tick in range(160):
        if day.tick(20 + tick % 7):  # the watcher is late
            came.append(round((day.wall.seconds / HOUR - 12) * 60) // 10 * 10)
    assert came == [10, 20, 30, 40, 50, 60]


def test_in_ten_minutes_means_in_ten_minutes() -> None:
    day = Day(['once(amount(10, "minute"), whistle())'])
    day.say("Whistle in 10 minutes.")
    assert not day.tick(599)
    assert day.tick(1) and not day.tick(600)


def test_nobody_looks_while_only_times_are_waited_for() -> None:
    day = Day(['once(clock("18:30"), water("fern"))', LAMP])
    day.say("At half past six in the evening, water the fern.")
    looked = 0
    own = day.world.observe

    def counted() -> Any:
        nonlocal looked
        looked += 1
        return own()

    day.world.observe = counted
    day.tick()
    assert looked == 0
    day.say(SAID)
    looked = 0
    day.tick()
    assert looked == 1


def test_a_time_that_nobody_was_there_for_is_told_and_not_made_up_for() -> None:
    """The machine slept: the watcher finds that an hour is missing."""
    day = Day(['once(clock("18:30"), water("fern"))', 'whenever(clock("18:30"), remind("Call Anna."))'])
    day.say("At half past six in the evening, water the fern.", "Every evening at half past six: Anna!")
    assert not day.until(19.5)
    assert day.notices == [
        "I was off today at 18:30, so this was not done: Water the fern. Tell me if I should do it now.",
        "I was off today at 18:30, when I should have reminded you: Call Anna.",
    ]
    day.until(24 + 18.5)
    assert day.notices[2:] == ["You wanted me to remind you: Call Anna."]


# While something is under way -----------------------------------------------------------------------------------------


def test_what_comes_due_while_the_robot_works_waits_and_that_is_said() -> None:
    world = garden()

    def during(event: Event) -> None:
        if isinstance(event.record, Started) and event.record.step.skill == "water":
            world._facts |= {("shines", ("lamp",))}  # somebody switches the lamp on

    day = Day([LAMP, "water(plants)"], world, during=during)
    day.say(SAID, "Water all the plants.")
    assert day.notices == [f'Because you said: "{SAID}" I do that as soon as this is over.']
    assert day.done == ["Water the fern.", "Water the rose."]
    assert len(day.tick()) == 1 and day.done[-1] == "Open the left window."


def test_a_reminder_is_said_at_once_even_while_the_robot_works() -> None:
    day = Day(['once(clock("12:30"), remind("Call Anna."))', "water(plants)"])

    def during(event: Event) -> None:
        if isinstance(event.record, Started):
            day.wall.seconds += HOUR / 2

    day._during = during
    day.say("Remind me at half past twelve to call Anna.", "Water all the plants.")
    kinds = [type(event.record) for event in day.agent.monologue]
    assert day.notices == ["You wanted me to remind you: Call Anna."]
    assert kinds.index(RuleNotice) < len(kinds) - 1 - kinds[::-1].index(End)
    assert not day.tick() and not standing_of(day.agent.monologue)


def test_a_reminder_and_deeds_of_one_rule_both_come() -> None:
    day = Day(['once(clock("12:30"), remind("Tea!"), whistle())'])
    day.say("At half past twelve, whistle and remind me of the tea.")
    assert day.until(12.5) and day.done == ["Whistle a tune."]
    assert day.notices == ["You wanted me to remind you: Tea!"]


def test_who_says_stop_wants_nothing_to_begin_right_after() -> None:
    world = garden()

    def during(event: Event) -> Stop | None:
        if isinstance(event.record, Started) and event.record.step.words == "Water the fern.":
            world._facts |= {("shines", ("lamp",))}
        return Stop() if isinstance(event.record, Started) and event.record.step.words == "Water the rose." else None

    day = Day([LAMP, "water(plants)"], world, during=during)
    assert day.say(SAID, "Water all the plants.").result == "stopped"
    assert not day.tick()
    assert day.notices[-1] == "You stopped me, so this is not done either: Open the left window."
    assert not day.tick() and "Open the left window." not in day.done


# Through the whole loop -----------------------------------------------------------------------------------------------


def test_a_rule_is_done_with_all_that_it_needs_and_with_things_as_they_are_then() -> None:
    day = Day(['once(clock("18:30"), water([p for p in plants if not wet(p)]))'], garden("wet(cactus)"))
    day.say("At half past six in the evening, water what is dry.")
    day.world._facts = frozenset({("wet", ("rose",))})
    (end,) = day.until(18.5)
    assert end.result == "goal met"
    watered = [each for each in day.done if each.startswith("Water")]
    assert sorted(watered) == ["Water the cactus.", "Water the fern."] and len(day.done) > len(watered)


def test_a_rule_against_a_deed_holds_for_what_was_to_be_done_later() -> None:
    day = Day(['once(clock("18:30"), water("fern"))', 'never(water("fern"))'])
    day.say("At half past six in the evening, water the fern.", "Never water the fern.")
    (end,) = day.until(18.5)
    assert end.result == "declined" and not day.done
    assert end.because == "You told me never to water the fern. Tell me if that no longer holds."


def test_what_needs_approval_is_asked_about_then() -> None:
    world = garden()
    object.__setattr__(world.skills["open"], "approval", True)
    day = Day([LAMP], world, answers=("no",))
    day.say(SAID)
    day.do("switch", lamp="lamp", state="on")
    (end,) = day.tick()
    assert end.result != "goal met" and not day.done


def test_a_rule_that_is_taken_back_is_over() -> None:
    day = Day([LAMP, 'forget(open("left window"))', "say(rules())"])
    end = day.say(SAID, "You need not open the window any more.")
    assert end.because == "I no longer do this: Whenever lamp is on: Open the left window."
    day.do("switch", lamp="lamp", state="on")
    assert not day.tick()
    assert day.say("Which rules are there?").because == "There are no rules."


def test_the_same_rule_again_stands_once() -> None:
    day = Day([LAMP, LAMP])
    day.say(SAID, SAID)
    assert len(standing_of(day.agent.monologue)) == 1


def test_a_rule_that_is_only_asked_about_does_not_stand() -> None:
    day = Day([LAMP], preset="thinkaloud:confirm=always", answers=("yes",))
    asked: list[int] = []

    def during(event: Event) -> None:
        if isinstance(event.record, Answer):
            asked.append(len(standing_of(day.agent.monologue)))

    day._during = during
    day.say(SAID)
    assert asked == [0]
    (rule,) = standing_of(day.agent.monologue)
    assert rule.said == SAID, "the yes is no part of it"


def test_where_the_session_ends_with_the_request_it_is_declined() -> None:
    talk = Talk([LAMP])
    end = talk.say(SAID)
    assert end.result == "declined" and "I can't wait for that here" in end.because
    assert not standing_of(talk.agent.monologue)


def test_the_watcher_begins_what_is_due_by_itself() -> None:
    """The real watcher, with a clock that jumps a second ahead whenever it waits."""
    wall = ManualClock(12 * HOUR, datetime(2026, 11, 18))
    begun: list[StandingRule] = []
    agent = Agent(garden(), Scripted(['once(amount(5, "second"), whistle())']), "thinkaloud:confirm=never", wall=wall)
    agent.person.present = True

    async def live() -> End:
        busy: list[asyncio.Task[End]] = []
        come = asyncio.Event()

        def begin(rule: StandingRule) -> None:
            begun.append(rule)
            busy.append(asyncio.ensure_future(agent.carry_out(rule)))
            come.set()

        watching = asyncio.ensure_future(agent.watch(lambda: any(not each.done() for each in busy), begin))
        await asyncio.sleep(0)
        busy.append(asyncio.ensure_future(agent.run("Whistle in 5 seconds.")))
        await come.wait()
        end = await busy[-1]
        watching.cancel()
        return end

    assert asyncio.run(asyncio.wait_for(live(), 60)).result == "unconfirmed"
    assert len(begun) == 1


def test_a_robot_that_cannot_look_just_now_is_watched_on() -> None:
    wall = ManualClock(12 * HOUR, datetime(2026, 11, 18))
    agent = Agent(garden(), Scripted([LAMP]), "thinkaloud:confirm=never", wall=wall)
    world: Any = agent.world
    own, failures = world.observe, 0

    def blinded() -> Observation:
        nonlocal failures
        failures += 1
        raise OSError("the camera is gone")

    async def live() -> None:
        begun = asyncio.Event()
        watching = asyncio.ensure_future(agent.watch(lambda: False, lambda rule: begun.set()))
        await asyncio.sleep(0)
        await agent.run(SAID)
        world.observe = blinded
        while failures < 3:  # noqa: ASYNC110
            await asyncio.sleep(0)
        world.observe = own
        world._facts |= {("shines", ("lamp",))}
        await begun.wait()
        watching.cancel()

    asyncio.run(asyncio.wait_for(live(), 60))


def test_what_the_robot_says_on_its_own_is_shown_as_its_words() -> None:
    rule = StandingRule(LAMP, "whenever lamp is on", "Open the left window.", SAID)
    because = f'Because you said: "{SAID}"'
    assert tell_words(DueRequest(because, True, None, rule)) == ("says", because)
    assert tell_words(RuleNotice(rule, "reminds", "Call Anna.")) == ("says", "Call Anna.")
    assert tell_words(RuleNotice(rule, "cleared")) is None
    rows = Narrator().hear(Event(3, 0.0, RuleNotice(rule, "reminds", "Call Anna.")))
    assert [(row.who, row.text) for row in rows] == [("Robot", "Call Anna.")]
    assert Narrator().hear(Event(3, 0.0, RuleNotice(rule, "cleared"))) == []


# In the journal -------------------------------------------------------------------------------------------------------


def journalled(path: Path, hour: float, programs: list[str], id: str = "") -> tuple[Journal, Day]:
    journal = Journal(path)
    session = journal.resume(id) if id else journal.begin()
    world = garden()
    if id:
        restore_world(world, session, 0)
    return journal, Day(programs, world, hour=hour, session=session)


def test_rules_are_kept_in_the_journal_and_what_was_missed_is_told_and_not_done(tmp_path: Path) -> None:
    journal, day = journalled(
        tmp_path / "journal.db",
        12,
        [LAMP, 'once(clock("18:00"), water("fern"))', 'whenever(clock("7:00"), remind("Get up."))'],
    )
    day.say(SAID, "At six water the fern.", "Remind me every morning at seven to get up.")
    session = day.agent.session
    assert session is not None
    before, id = tell_all_rules(day.agent.monologue), session.id
    journal.close()
    journal, later = journalled(tmp_path / "journal.db", 20, [], id)
    with journal:
        assert tell_all_rules(later.agent.monologue) == before
        later.watcher.tell_missed(later.agent.monologue)
        assert not later.tick() and not later.done
        assert later.notices == [
            "I was off today at 18:00, so this was not done: Water the fern. Tell me if I should do it now."
        ]
        assert [each.deeds for each in standing_of(later.agent.monologue)] == [
            "Open the left window.",
            "I remind you: Get up.",
        ]
        later.do("switch", lamp="lamp", state="on")
        assert len(later.tick()) == 1
        later.until(24 + 7)
        assert later.notices[-1] == "You wanted me to remind you: Get up."


def test_what_was_due_when_the_program_ended_is_told(tmp_path: Path) -> None:
    journal, day = journalled(tmp_path / "journal.db", 12, ['once(clock("12:30"), water("fern"))'])
    day.say("Water the fern at half past twelve.")
    day.wall.seconds += HOUR / 2
    day.watcher.check(day.agent.monologue, None, busy=False)
    assert len(day.watcher.pending(day.agent.monologue)) == 1
    session = day.agent.session
    assert session is not None
    journal.close()
    journal, later = journalled(tmp_path / "journal.db", 14, [], session.id)
    with journal:
        later.watcher.tell_missed(later.agent.monologue)
        assert not later.tick() and not later.done
        assert later.notices == ["I was off before I came to it: Water the fern. Tell me if I should still do it."]


def test_a_rule_that_was_cut_short_is_gone_on_with(tmp_path: Path) -> None:
    with Journal(tmp_path / "journal.db") as journal, journal.begin() as session:
        day = Day(['once(clock("12:30"), water("fern"))'], session=session)
        day.say("Water the fern at half past twelve.")
        rule = standing_of(day.agent.monologue)[0]
        day.agent.monologue.append(DueRequest("Because you said so.", True, None, rule))
        assert journal.sessions()[0].result == "unfinished"
        assert asyncio.run(day.agent.resume()).result == "goal met"
        assert journal.sessions()[0].result == "goal met"


def test_a_session_that_is_resumed_tells_what_was_missed(tmp_path: Path) -> None:
    with Journal(tmp_path / "journal.db") as journal, journal.begin() as session:
        day = Day(['once(clock("12:30"), whistle())', 'water("fern")'], session=session)
        day.say("Whistle at half past twelve.")
        day.agent.monologue.append(Request("Water the fern."))
        day.wall.seconds += 2 * HOUR
        end = asyncio.run(day.agent.resume())
        assert end.result == "goal met"
        assert day.notices[0].startswith("I was off today at 12:30, so this was not done: Whistle a tune.")
        assert day.all(Resumed)


@pytest.mark.parametrize("what", ["due", "reminds", "missed", "cleared"])
def test_every_record_of_a_rule_can_be_read_again(what: Any) -> None:
    from thinkaloud.serialization import from_data, record_kind, to_data

    rule = StandingRule(LAMP, "whenever lamp is on", "Open the left window.", SAID, "2026-11-18T12:00:00")
    for record in (RuleNotice(rule, what, "Words.", "2026-11-18T12:00:00"), DueRequest("Because.", True, None, rule)):
        assert from_data(record_kind(record), to_data(record)) == record


def test_a_request_of_the_robots_own_is_understood_without_a_model() -> None:
    day = Day([LAMP])
    day.say(SAID)
    day.do("switch", lamp="lamp", state="on")
    day.tick()  # the model has no second answer: it would complain
    assert [each.sure for each in day.all(Meaning)][-1] == 1.0


@pytest.mark.parametrize(
    ("reminder", "asked"),
    [
        ("The left window is stuck.", True),
        ("The fern is wet.", True),
        ("Open the left window.", False),
        ("Call Bert.", False),
        ("Buy a fern.", False),
    ],
)
def test_a_reminder_that_names_a_fact_is_asked_about(reminder: str, *, asked: bool) -> None:
    day = Day([f'once(amount(1, "hour"), remind("{reminder}"))'], answers=("yes",))
    day.say(f"In an hour, tell me: {reminder}")
    assert [ask.questions[0].endswith("do not look whether it is so. Is that right?") for ask in day.all(Ask)] == (
        [True] if asked else []
    )
    assert len(day.all(Meaning)[-1].standing) == 1


def test_a_rule_that_waits_is_taken_back_where_the_robot_asks() -> None:
    day = Day(['whenever(wet("fern"), whistle())', "stop()", "say(rules())"], answers=("yes",))
    day.say("Whenever the fern is wet, whistle.", "Forget that rule.")
    assert day.all(Ask)[0].questions == ("Shall I forget this: Whenever fern is wet: Whistle a tune?",)
    assert day.say("Which rules do you have?").because == "There are no rules."
