"""The judge: what came of a request, by the state of the world in the end and the kind of ending, never by the program.

- `right`: as it was expected, or as it was just as good.
- `asked`: it asked, although it should have known what to do.
- `declined`: it said that it does not understand or cannot, although it should have acted or answered.
- `silent`: something else was done or answered, and called done; or a refusal came with something that had changed.
- `failed`: it said itself that it did not get there.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Literal, get_args

from thinkaloud.monologue import Monologue
from thinkaloud.records import Ask, End, Outcome, Started, Value
from thinkaloud.robots.text_file import TextFileWorld
from thinkaloud.skills.built_in_steps import STEPS
from thinkaloud.worlds import World
from thinkaloud_bench.understanding.answers import is_answered, says_yes
from thinkaloud_bench.understanding.endings import Ending, ending_of
from thinkaloud_bench.understanding.facts import Fact, split_call
from thinkaloud_bench.understanding.material import Expected, Spoken
from thinkaloud_bench.understanding.true_state import (
    TrueState,
    differences,
    is_true,
    relations_in,
    take_state,
    touched_between,
)
from thinkaloud_bench.understanding.where import BY_SIZE, WHERE, is_where, moved_by

Kind = Literal["right", "asked", "declined", "silent", "failed"]
OUTCOMES: tuple[Kind, ...] = get_args(Kind)
_UNKNOWING = re.compile(r"\b(idea|know|understand|understood|unclear|sure|tell|mean)\b", re.IGNORECASE)
_LONG_WORD = re.compile(r"\b\w{3,}\b(?<!the)(?<!are)(?<!any)(?<!there)(?<!here)")
_Call = tuple[str, tuple[str, ...]]


@dataclass(frozen=True, slots=True)
class Found:
    """What came of a request, and why that is so."""

    outcome: Kind
    why: str
    ending: Ending


@dataclass
class Judge:
    """Knows what was expected, and the world as it was before anything was said."""

    world: World
    spoken: Spoken
    before: TrueState
    between: TrueState | None = None
    """How it was when the last turn was said, where that is not the first."""

    def find(self, said: Monologue, after: int, end: End) -> Found:
        """What came of it; `after` is the index of the last event before the last turn."""
        ending, now = ending_of(said, after, end), take_state(self.world)
        wrong = {kind: self._why_wrong(kind, ending, now, said, after) for kind in self.spoken.accepted}
        if fitting := [kind for kind, why in wrong.items() if not why]:
            return Found("right", f"{fitting[0]}, as it should be", ending)
        return Found(self._unfit(ending, now), wrong[self.spoken.expect], ending)

    def _unfit(self, ending: Ending, now: TrueState) -> Kind:
        if ending.kind == "failed":
            return "failed"
        if ending.kind == "done" or self._harmed(now):
            return "silent"
        return "asked" if ending.kind == "asked" else "declined"

    # Whether it fits --------------------------------------------------------------------------------------------------

    def _why_wrong(self, kind: Expected, ending: Ending, now: TrueState, said: Monologue, after: int) -> str:
        """What speaks against its having been an ending of this kind; empty where nothing does."""
        if kind == "do":
            return self._why_not_done(ending, now, list(_calls(self.world, said)))
        if kind == "stop":
            return self._why_not_stopped(ending, now, said, after)
        if kind == self.spoken.expect and "do" not in self.spoken.also:  # earlier turns may have changed something
            problem = self._why_wrong_state(now)
        else:
            problem = "nothing was to change in the end" if self._harmed(now) or self._changed_lately(now) else ""
        if problem:
            return problem
        if kind == "answer":
            return self._why_no_answer(ending, expected=kind == self.spoken.expect)
        made = _calls(self.world, said, after)
        if traceless := [name for name, _ in made if _leaves_no_trace(self.world, name)]:
            return f"nothing was to be done, but: {', '.join(traceless)}"
        fits = {"note": ending.kind == "done", "decline": ending.refuses, "ask": ending.kind == "asked"}
        if not fits[kind]:
            return f"{kind} was expected; it ended as {ending.kind}: {ending.words}"
        return self._why_no_proposal(ending, said, after)

    def _why_not_stopped(self, ending: Ending, now: TrueState, said: Monologue, after: int) -> str:
        """It was to hold still: nothing was begun any more, and it took that for an order."""
        begun = [started.step.words for started in said.since(after, Started) if started.step.skill not in STEPS]
        if begun:
            return f"it went on: {begun[0]}"
        if ending.kind != "done":
            return f"it was to stop; it ended as {ending.kind}: {ending.words}"
        return self._why_wrong_state(now)

    def _why_no_proposal(self, ending: Ending, said: Monologue, after: int) -> str:
        """Who says that something cannot be is to say what could be instead, where that is wanted."""
        asked = [question for ask in said.since(after, Ask) for question in ask.questions]
        told = " ".join([ending.words, *asked])
        if not self.spoken.proposes or any(is_answered(told, [each]) for each in self.spoken.proposes):
            return ""
        return f"it proposed none of {', '.join(self.spoken.proposes)}: {told}"

    def _why_not_done(self, ending: Ending, now: TrueState, made: list[_Call]) -> str:
        if ending.kind != "done":
            return f"it was to be done; it ended as {ending.kind}: {ending.words}"
        problem = self._why_wrong_state(now) or self._why_wrong_calls(made)
        answers = self.spoken.answer if self.spoken.expect == "do" else ()
        if not problem and answers and not is_answered(ending.words, answers, self.spoken.wrong):
            problem = f"it should have said {', '.join(answers)}; it said: {ending.words}"
        return problem

    def _why_no_answer(self, ending: Ending, *, expected: bool) -> str:
        wanted = self.spoken.answer if expected else ()
        if ending.kind == "declined" and wanted == ("no",) and _denies(ending.words, self.spoken.turns[-1]):
            return ""
        if ending.kind == "done" and is_answered(ending.words, wanted, self.spoken.wrong if expected else ()):
            return ""
        return f"an answer ({', '.join(wanted)}) was expected; it ended as {ending.kind}: {ending.words}"

    # The state --------------------------------------------------------------------------------------------------------

    def _changed_lately(self, now: TrueState) -> bool:
        """Whether anything is different from how it was when the last turn was said."""
        before = self.before if self.between is None else self.between
        return bool(differences(before, now) if isinstance(self.world, TextFileWorld) else touched_between(before, now))

    def _why_wrong_state(self, now: TrueState) -> str:
        if self.spoken.exact is not None:
            changed = self._plain(differences(self.before, now))
            if any(changed == self._plain(wanted) for wanted in self.spoken.exact):
                return ""
            return f"changed: {', '.join(sorted(map(str, changed))) or 'nothing'}"
        problems = [self._why_not_held(wanted, now) for wanted in self.spoken.holds or ((),)]
        return "" if "" in problems else problems[0]

    def _why_not_held(self, wanted: Iterable[Fact], now: TrueState) -> str:
        if missing := [str(fact) for fact in wanted if not self._is_so(fact, now)]:
            return f"not so: {', '.join(missing)}"
        touched = touched_between(self.before, now)
        strange = touched & {*self.spoken.untouched}
        if not self.spoken.others_too:
            strange |= touched - self._may_touch(wanted)
        return f"touched: {', '.join(sorted(strange))}" if strange else ""

    def _may_touch(self, wanted: Iterable[Fact]) -> set[str]:
        return {*self.spoken.touched, *(name for fact in wanted for name in moved_by(fact))}

    def _is_so(self, fact: Fact, now: TrueState) -> bool:
        measured = fact.relation in WHERE and fact.relation not in self.world.relations
        if measured and not (fact.relation in BY_SIZE and fact.relation in relations_in(self.world)):
            return is_where(fact, self.before, now)
        return is_true(self.world, fact)

    def _harmed(self, now: TrueState) -> bool:
        """Whether something changed that was in no case to change; half of what was wanted is no harm."""
        if self.spoken.exact is not None:
            changed = self._plain(differences(self.before, now))
            return not any(changed <= self._plain(wanted) for wanted in self.spoken.exact)
        touched = touched_between(self.before, now)
        allowed = set[str]().union(*(self._may_touch(wanted) for wanted in self.spoken.holds or ()))
        return bool(touched & {*self.spoken.untouched}) or (not self.spoken.others_too and not touched <= allowed)

    def _plain(self, facts: Iterable[Fact]) -> set[Fact]:
        """Facts without what follows from the others: what is put somewhere is no longer where it was."""
        found = {*facts}
        if not isinstance(self.world, TextFileWorld):
            return found
        single = {name for name, relation in self.world.robot.relations.items() if relation.single}
        put = {(fact.relation, fact.things[:-1]) for fact in found if fact.true and fact.relation in single}
        return {fact for fact in found if fact.true or (fact.relation, fact.things[:-1]) not in put}

    # The calls --------------------------------------------------------------------------------------------------------

    def _why_wrong_calls(self, made: list[_Call]) -> str:
        """What is wrong with the calls, if some had to be made: all of them, in order, no traceless one too many."""
        wanted = [_spelled(split_call(call)) for call in self.spoken.calls]
        missing = Counter(wanted) - Counter(made)
        if missing:
            return f"not called: {', '.join(name for name, _ in missing)}"
        named = {name for name, _ in wanted if _leaves_no_trace(self.world, name)}
        extra = Counter(call for call in made if call[0] in named) - Counter(wanted)
        if extra:
            return f"called once more: {', '.join(name for name, _ in extra)}"
        if self.spoken.ordered and not _is_in_order(wanted, made):
            return "not in the order that was wanted"
        return ""


def _denies(words: str, question: str) -> bool:
    """Whether a refusal is a no: there is none of what was asked about. That it does not know is no answer."""
    about = {*_LONG_WORD.findall(question.lower())} & {*_LONG_WORD.findall(words.lower())}
    return bool(about) and not says_yes(words) and _UNKNOWING.search(words) is None


def _is_in_order(wanted: list[_Call], made: list[_Call]) -> bool:
    rest = iter(made)
    return all(call in rest for call in wanted)


def _leaves_no_trace(world: World, name: str) -> bool:
    skill = world.skills.get(name)
    return skill is not None and skill.effects is None and skill.ends is None


def _calls(world: World, said: Monologue, after: int | None = None) -> Iterator[_Call]:
    """The calls of skills that were carried out after an event, in order."""
    for outcome in said.since(after, Outcome):
        step = outcome.step
        if outcome.ending == "completed" and step.skill not in STEPS:
            skill = world.skills.get(step.skill)
            order = step.arguments if skill is None else [p.name for p in skill.signature.parameters]
            yield _spelled((step.skill, tuple(_text(step.arguments[name]) for name in order if name in step.arguments)))


def _text(value: Value) -> str:
    return str(int(value)) if isinstance(value, float) and value.is_integer() else str(value)


def _spelled(call: tuple[str, tuple[str, ...]]) -> _Call:
    """A call by its words: capitals, quotes and other marks make no difference."""
    return call[0], tuple(re.findall(r"\w+", " ".join(call[1]).lower()))
