"""Which standing rules there are, which of them have come due, and what the robot says about them on its own.

All of it is read off the monologue, so that a run that is taken up again knows its rules, too. A condition counts when
it becomes true, and again only after it was false in between: a rule never sets itself off by what it does. A time that
passed while the program was off is told, and not made up for.
"""

from __future__ import annotations

from datetime import datetime, timedelta

from thinkaloud.episode.told_rules import because, standing_of
from thinkaloud.language.times import tell_moment
from thinkaloud.monologue import Monologue
from thinkaloud.program import tree
from thinkaloud.program.held_rules import read_rule, reminders_in
from thinkaloud.program.lexicon import Lexicon, lexicon_of
from thinkaloud.records import DueRequest, Observation, RuleNotice, StandingRule, Stop
from thinkaloud.understand.meaning.circumstances import Circumstances
from thinkaloud.understand.meaning.running import find_truth
from thinkaloud.understand.meaning.standing import find_due
from thinkaloud.worlds.contract import World

_LATE = timedelta(minutes=1)
"""How much later than at its time something is still done in time."""
_MOST_A_MINUTE = 5
"""How often a condition may come true within a minute before its rule holds off."""


class StandingRules:
    """The standing rules of one robot; see the module's description."""

    def __init__(self, world: World) -> None:
        self._world = world
        self._words: tuple[Observation, Lexicon] | None = None

    def need_to_look(self, monologue: Monologue) -> bool:
        """Whether any of them waits for a condition."""
        return any(not rule.timed for rule in standing_of(monologue))

    def check(self, monologue: Monologue, scene: Observation | None, *, busy: bool) -> None:
        """Say which have come due: by the clock, and, where the robot has just looked, by their conditions.

        A reminder is said at once; what is to be done while the robot is `busy` has to wait, and that is said.
        """
        self._drop_stopped(monologue)
        pending = self.pending(monologue)
        for rule in standing_of(monologue):
            if rule in pending or (scene is None and not rule.timed):
                continue
            lexicon = self._lexicon(monologue, scene)
            statement = read_rule(rule, lexicon)
            if statement is None:  # the robot no longer has what it is about
                continue
            if not rule.timed and scene is not None:
                at = Circumstances(self._world, scene, lexicon, now=monologue.date())
                self._see(monologue, rule, find_truth(statement.when, at), statement, busy=busy)
            elif rule.timed and (due := self._due(monologue, rule, statement)) is not None:
                self._keep_time(monologue, rule, statement, due, busy=busy)

    def _lexicon(self, monologue: Monologue, scene: Observation | None) -> Lexicon:
        """The words for what is here; made anew only after a look."""
        scene = scene or monologue.last(Observation) or self._world.observe()
        if self._words is None or self._words[0] is not scene:
            self._words = (scene, lexicon_of(self._world, scene))
        return self._words[1]

    def _keep_time(
        self, monologue: Monologue, rule: StandingRule, statement: tree.Standing, due: datetime, *, busy: bool
    ) -> None:
        """Let a rule come at its time; where that has passed, say so: nothing is done late without a word."""
        now = monologue.date()
        if due > now:
            return
        if now - due <= _LATE:
            self._come(monologue, rule, statement, busy=busy)
            return
        reminders, off = reminders_in(statement), f"I was off {tell_moment(due, now)}"
        told = f"{off}, so this was not done: {rule.deeds} Tell me if I should do it now."
        if len(reminders) == len(statement.deeds):
            told = f"{off}, when I should have reminded you: {' '.join(reminders)}"
        monologue.append(RuleNotice(rule, "missed", told))

    def _due(self, monologue: Monologue, rule: StandingRule, statement: tree.Standing) -> datetime | None:
        """When a time comes next that was not heeded yet."""
        latest = [each.time for each in self._heeded(monologue, rule) if each.time]
        return find_due(rule, statement, datetime.fromisoformat(latest[-1]) if latest else None)

    def _heeded(self, monologue: Monologue, rule: StandingRule) -> list[DueRequest | RuleNotice]:
        found: list[DueRequest | RuleNotice] = monologue.since(None, (DueRequest, RuleNotice))
        return [each for each in found if each.rule == rule]

    def _see(
        self, monologue: Monologue, rule: StandingRule, so: bool | None, statement: tree.Standing, *, busy: bool
    ) -> None:
        heeded = self._heeded(monologue, rule)
        was_so = bool(heeded) and not (isinstance(heeded[-1], RuleNotice) and heeded[-1].what == "cleared")
        if so and not was_so:
            self._come(monologue, rule, statement, busy=busy)
        elif so is False and was_so:
            monologue.append(RuleNotice(rule, "cleared"))

    def _come(self, monologue: Monologue, rule: StandingRule, statement: tree.Standing, *, busy: bool) -> None:
        words = [f"You wanted me to remind you: {text}" for text in reminders_in(statement)]
        acts = any(isinstance(each, tree.Do) for each in statement.deeds)
        if not rule.timed and self._comes_too_often(monologue, rule):
            told = f"I hold off, as this has come up again and again within a minute: {rule.deeds}"
            monologue.append(RuleNotice(rule, "missed", told))
            return
        if acts and busy:
            words.append(f"{because(rule)} I do that as soon as this is over.")
        monologue.append(RuleNotice(rule, "due" if acts else "reminds", " ".join(words)))

    def _comes_too_often(self, monologue: Monologue, rule: StandingRule) -> bool:
        """Whether it has come so often within a minute that rules may set each other off."""
        notices, now = monologue.since(None, RuleNotice), monologue.date()
        times = [each.time for each in notices if each.rule == rule and each.what in ("due", "reminds")]
        return sum(now - datetime.fromisoformat(time) < timedelta(minutes=1) for time in times) >= _MOST_A_MINUTE

    def pending(self, monologue: Monologue) -> list[StandingRule]:
        """Those that have come due and were not begun yet, the oldest first; none after a stop."""
        return self._not_begun(monologue)[0]

    def _not_begun(self, monologue: Monologue) -> tuple[list[StandingRule], list[StandingRule]]:
        """Those that have come due and were not begun: the ones that still wait, and those that a stop kept back."""
        waiting, stopped = list[StandingRule](), list[StandingRule]()
        for each in monologue.since(None, (DueRequest, RuleNotice, Stop)):
            match each:
                case Stop():
                    stopped, waiting = [*stopped, *waiting], []
                case RuleNotice(rule, "due"):
                    waiting.append(rule)
                case DueRequest(rule=rule) | RuleNotice(rule, "missed"):
                    waiting, stopped = ([one for one in some if one != rule] for some in (waiting, stopped))
                case _:
                    pass
        standing = standing_of(monologue)
        waiting, stopped = ([each for each in some if each in standing] for some in (waiting, stopped))
        return waiting, stopped

    def _drop_stopped(self, monologue: Monologue) -> None:
        """Who says stop wants nothing to begin by itself right after."""
        for rule in self._not_begun(monologue)[1]:
            told = f"You stopped me, so this is not done either: {rule.deeds}"
            monologue.append(RuleNotice(rule, "missed", told))

    def tell_missed(self, monologue: Monologue) -> None:
        """Say what came due while the program was off, or before it could be begun."""
        for rule in self.pending(monologue):
            told = f"I was off before I came to it: {rule.deeds} Tell me if I should still do it."
            monologue.append(RuleNotice(rule, "missed", told))
        self.check(monologue, None, busy=False)
