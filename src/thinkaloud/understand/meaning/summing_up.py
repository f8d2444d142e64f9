"""What all that a program says comes to, taken together: the meaning, and the words for it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from thinkaloud.episode.told_rules import tell_rule
from thinkaloud.language.words import stems
from thinkaloud.program.parsing import Program
from thinkaloud.program.unsaid import unit_of_answer
from thinkaloud.records import (
    Act,
    Answered,
    Content,
    Emergency,
    GoBack,
    Meaning,
    NotClear,
    Noted,
    Question,
    Reading,
    Refused,
    Rule,
    StandingRule,
    StopWhen,
    UndoWork,
    Value,
)
from thinkaloud.saying.phrasing import excepted_by
from thinkaloud.saying.telling import Besides, tell, tell_amounts, tell_value
from thinkaloud.skills import Skill, touched_by
from thinkaloud.skills.rules import add_rules, find_broken
from thinkaloud.understand.meaning.circumstances import Circumstances
from thinkaloud.understand.meaning.rules import BROKEN, active
from thinkaloud.understand.meaning.standing import tell_given
from thinkaloud.worlds.effects import sort_out

NOTHING = "As things are, there is nothing to be done."
"""What is said where a condition does not hold, or none of the things that were spoken of is there."""
ENDS_HERE = "I can't wait for that here: I do one request, and then I am off. In a chat I can."
"""What is said where something is to wait, and nobody would be there to do it."""
Deed = tuple[Skill, dict[str, Value], set[str]]
"""A skill, its arguments, and the names of those that came from a list."""


@dataclass
class Collected:
    """All that a program said, in its order."""

    deeds: list[Deed] = field(default_factory=list)
    values: list[Any] = field(default_factory=list)
    those: list[str] = field(default_factory=list)
    """The things that an answer rests on, where it is a yes or a no about several."""
    notes: list[str] = field(default_factory=list)
    kept: list[str] = field(default_factory=list)
    freed: list[str] = field(default_factory=list)
    rules: list[Rule] = field(default_factory=list)
    standing: list[StandingRule] = field(default_factory=list)
    foreseen: list[Deed] = field(default_factory=list)
    """What the standing rules would do, were it done now."""
    forgotten: list[StandingRule] = field(default_factory=list)
    emergency: str | None = None
    is_over: Callable[[str], bool] = lambda until: False
    """Whether what ends a rule is so."""
    question: Question | None = None
    readings: tuple[Reading, ...] = ()
    """What there is to choose from, if the question is which of several programs was meant."""
    refusals: list[Refused] = field(default_factory=list)
    unclear: str | None = None
    stop: StopWhen | None = None
    undoes: int = 0
    goes_on: bool = False


def sum_up(program: Program, collected: Collected, at: Circumstances) -> Meaning:
    """The meaning of a program that said all this."""
    return _Sum(program, collected, at).meaning()


class _Sum:
    def __init__(self, program: Program, said: Collected, at: Circumstances) -> None:
        self._program, self._said, self._at = program, said, at
        self._never = {*at.lexicon.kept} - {*said.freed}

    def meaning(self) -> Meaning:
        deeds, obeyed = self._obey(self._allowed_deeds())
        act, said = self._act(deeds), self._said
        calls = any(node.call.role == "skill" for node in self._program.deeds)
        content = self._content(act, bool(deeds), calls and not deeds)
        besides = Besides(
            notes=tuple(said.notes),
            freed=tuple(dict.fromkeys(said.freed)),
            kept=act.kept,
            left_out=act.left_out,
            altogether=bool(stems(self._at.request) & self._verbs()),
            rules=act.rules,
            obeyed=obeyed,
            standing=tuple(tell_given(each, self._at.now) for each in said.standing),
            forgotten=tuple(tell_rule(each, self._at.now) for each in said.forgotten),
        )
        words, told = tell(content, besides, self._at.world), ""
        if isinstance(content, Answered) and said.values:
            amounts = tuple(tell_amounts(value) for value in said.values)
            counted = replace(content, said=self._whole_answer() or amounts)
            told = tell(counted, besides, self._at.world)
            if not self._at.phrases.is_plain(self._program):
                content = Answered(self._told())  # other ways to ask: the same answer
        told = "" if told == words else told
        words = content.text if isinstance(content, Question) and said.readings else words
        heard = isinstance(content, Act | Answered | Noted | UndoWork | GoBack)
        standing, forgotten = (tuple(each) if heard else () for each in (said.standing, said.forgotten))
        return Meaning(
            self._program.text,
            words,
            content,
            besides.notes,
            besides.freed,
            readings=said.readings if content == said.question else (),
            standing=standing,
            forgotten=forgotten,
            told=told,
        )

    def _allowed_deeds(self) -> list[Deed]:
        """The deeds without those with something from a list that is to be left alone; another of these is refused."""
        kept = self._never | {*self._said.kept}
        deeds = [each for each in self._said.deeds if not any(each[1][name] in kept for name in each[2])]
        for skill, given, _ in deeds:
            touched = touched_by(skill, given, self._at.world.relations) & kept
            if touched:
                thing = next(value for value in given.values() if value in touched)
                done = f"I am to leave the {thing} alone, and to do this: {skill.step(given).words}"
                why = f"I was told to leave the {thing} alone." if thing in self._never else done
                self._said.refusals.append(Refused("not allowed", why))
                break
        return deeds

    def _obey(self, deeds: Sequence[Deed]) -> tuple[list[Deed], tuple[Rule, ...]]:
        """The deeds without those of a list that a rule forbids, and these rules; one that was named is refused."""
        own = self._said.rules
        rules, found, obeyed = active(add_rules(self._at.rules, own), self._said.is_over), [], dict[str, Rule]()
        for skill, given, listed in deeds:
            broken = find_broken(rules, skill.name, given)
            if broken is None:
                found.append((skill, given, listed))
            elif listed & broken.arguments.keys():
                obeyed |= {} if broken in own else {broken.words: broken}
            else:
                self._said.refusals.append(Refused("not allowed", BROKEN.format(broken.words)))
                break
        waiting = ((find_broken(rules, skill.name, given), listed) for skill, given, listed in self._said.foreseen)
        for broken in (rule for rule, listed in waiting if rule is not None and not listed & rule.arguments.keys()):
            self._said.refusals.append(Refused("not allowed", BROKEN.format(broken.words)))
            break
        return found, tuple(obeyed.values())

    def _left_out(self) -> tuple[str, ...]:
        """What was to be left alone before, and is left out here."""
        never, deeds = self._never, self._said.deeds
        found = {given[name]: None for _, given, listed in deeds for name in listed if given[name] in never}
        excepted = {text for node in self._program.nodes for text in excepted_by(node)}
        found |= dict.fromkeys(each for each in self._at.lexicon.kept if each in excepted & never)
        return tuple(str(each) for each in found if each not in self._said.kept)

    def _act(self, deeds: Sequence[Deed]) -> Act:
        steps, wishes, already = sort_out(self._at.world, [(skill, given) for skill, given, _ in deeds])
        kept, rules = tuple(dict.fromkeys(self._said.kept)), tuple(self._said.rules)
        said = self._answer() or self._told()
        return Act(tuple(steps), wishes, already, kept, rules, self._left_out(), said, self._said.goes_on)

    def _content(self, act: Act, deeds: bool, nothing: bool) -> Content:
        said = self._said
        if said.emergency is not None:
            return Emergency(said.emergency)
        if said.standing and not self._at.goes_on:
            said.refusals.append(Refused("not possible", ENDS_HERE))
        if said.refusals:
            first = said.refusals[0]
            return Refused(first.kind, " ".join(each.why for each in said.refusals), first.missing)
        if said.unclear is not None:
            return NotClear(said.unclear)
        if said.question is not None:
            return said.question
        if said.stop is not None:
            return said.stop
        if said.undoes:
            return UndoWork(said.undoes, act if act != Act() else None)
        if deeds:
            return act
        return GoBack(act.kept) if said.goes_on else self._without_deeds(act, nothing)

    def _without_deeds(self, act: Act, nothing: bool) -> Content:
        said = self._said
        if said.values:
            return Answered(act.said)
        if said.notes or (not nothing and (said.kept or said.freed or said.rules or said.standing or said.forgotten)):
            return Noted() if nothing else Noted(act.kept, act.rules)
        return Answered((NOTHING,), idle=True) if nothing else NotClear()

    def _told(self) -> tuple[str, ...]:
        return tuple(tell_value(value) for value in self._said.values)

    def _answer(self) -> tuple[str, ...]:
        """The answer with what was asked said again, where it is one, and there are words for that."""
        if len(self._said.values) != 1:
            return ()
        (value,), program = self._said.values, self._program
        told = self._at.phrases.tell_answer(program, value, self._said.those)
        number = isinstance(value, int | float) and not isinstance(value, bool)
        if told is None and number and (unit := unit_of_answer(program)):
            return (f"{tell_value(value)} {unit}",)
        return () if told is None else (told,)

    def _whole_answer(self) -> tuple[str, ...]:
        """The answer as a person hears it, which no model reads."""
        if len(self._said.values) != 1:
            return ()
        told = self._at.phrases.tell_whole(self._program, self._said.values[0], self._said.those)
        return () if told is None else (told,)

    def _verbs(self) -> set[str]:
        """The words with which people speak of what the robot does."""
        return {root for each in self._at.lexicon.skills.values() for root in stems(each.says.split(" ")[0])}
