"""An expert for Inner Monologue: states goals, thinks and acts, by what the prompt tells and what is in view."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from thinkaloud.language.sentences import MISSING
from thinkaloud.plan.transcript import DONE_LINE, NOTHING_LEFT, render_goal, render_open
from thinkaloud.records import Condition
from training import teacher
from training.demonstrators.inner_monologue.asking import Asked
from training.demonstrators.inner_monologue.scenes import TABLE
from training.demonstrators.inner_monologue.subgoals import choose_conditions, read_subgoals, target_of, thing_of
from training.demonstrators.inner_monologue.table import WordTable

ASIDE = "middle"
"""Where on the table a thing is put that is in the way."""
_MOST = 15


def aims(table: WordTable, asked: Asked) -> tuple[Condition, ...]:
    """What is to be true in the end, of everything by its name."""
    if asked.missing:
        return ()
    vocabulary = table.observe().vocabulary
    listed = ", ".join(f'"{sentence}"' for sentence in asked.goal)
    return choose_conditions(read_subgoals(listed, table.relations, vocabulary), table.relations)


def can_be_named(table: WordTable, asked: Asked) -> bool:
    """Whether the places of the goal can be known: from the request, or because every table has them."""
    places = {target_of(condition) for condition in aims(table, asked)} & {*table.places}
    simple = len(places) == 1 and asked.again != ("", "")  # somebody comes back to a place
    return table.places == TABLE or simple or all(place in asked.request.lower() for place in places)


class Expert:
    """Knows what is meant. What came of it, the prompt tells."""

    def __init__(self, table: WordTable) -> None:
        self.table = table
        self.wanted = Asked("")

    def answer(self, asked: teacher.Asked) -> str:
        """What the planner should say."""
        lines = asked.prompt.rpartition("Human:")[2].splitlines()
        goal = aims(self.table, self.wanted)
        if not asked.prompt.endswith("Robot thought:"):
            stated = any("Goal state is" in line for line in lines)
            return f" {self._act(goal, _achieved(lines) if stated else self._acted(lines, goal))[1]}"
        if self.wanted.missing:
            return f" {MISSING}{self.wanted.missing} here."
        if not any("Goal state is" in line for line in lines):
            return f" {render_goal([condition.words for condition in goal])}"
        achieved = _achieved(lines)
        open_ = [condition for condition in goal if condition.words not in achieved]
        if not open_:
            return f" {NOTHING_LEFT}"
        remark, action = self._act(goal, achieved)
        return f" {render_open(open_)}{remark}\nRobot action: {action}"

    def plan(self, asked: teacher.Asked) -> str:
        """All the steps at once, as if each of them worked."""
        goal, done, said = aims(self.table, self.wanted), set[str](), list[str]()
        steps = {self._pick(condition): condition.words for condition in goal}
        while (action := self._act(goal, done, sees=False)[1]) != DONE_LINE and len(said) < _MOST:
            done.add(steps[action])
            said.append(action)
        return "\nRobot action:".join(f" {action}" for action in (*said, DONE_LINE))

    def _act(self, goal: Sequence[Condition], done: set[str], *, sees: bool = True) -> tuple[str, str]:
        """The next action, and what there is to remark about it where that is not what is open first."""
        open_ = [condition for condition in goal if condition.words not in done]
        if not open_:
            return "", DONE_LINE
        seen = {*self.table.observe().objects} if sees else {*self.table.things, *self.table.containers}
        seen |= {*self.table.places}
        doable = [condition for condition in open_ if {thing_of(condition), target_of(condition)} <= seen]
        to_move = {thing_of(condition) for condition in open_}
        for condition in [c for c in doable if target_of(c) not in to_move] or doable:
            remark = "" if condition is open_[0] else f" First the {thing_of(condition)}."
            return remark, self._pick(condition)
        for condition in open_:  # what is to be on the same thing as another comes on top of that
            same = {thing_of(other) for other in goal if target_of(other) == target_of(condition)}
            for above in self._on_top_of([target_of(condition)]):
                if above in same - {thing_of(condition)} and thing_of(condition) in seen:
                    return f" The {above} is on it already.", self._words(thing_of(condition), above)
        needed = [name for c in open_ for name in (thing_of(c), target_of(c)) if name not in seen]
        for above in self._on_top_of(needed):
            if self.table.places == TABLE:
                return f" The {above} is in the way.", self._words(above, ASIDE)
        return f" I do not see the {needed[0]}.", DONE_LINE

    def _on_top_of(self, needed: Sequence[str]) -> Iterator[str]:
        """What lies on something that is needed and can be taken away."""
        seen = self.table.observe().objects
        yield from (name for name in seen if {*self.table.below(name)} & {*needed})

    def _acted(self, lines: Sequence[str], goal: Sequence[Condition]) -> set[str]:
        """What is done as far as the actions so far were not said to have failed."""
        steps = {self._pick(condition): condition.words for condition in goal}
        for one in goal:  # or on top of what is to be there, too
            beside = [each for each in goal if each is not one and target_of(each) == target_of(one)]
            steps |= {self._words(thing_of(one), thing_of(each)): one.words for each in beside}
        done, latest = set[str](), ""
        for line in lines:
            if line.startswith("Robot action: "):
                latest = steps.get(line.removeprefix("Robot action: "), "")
                done.add(latest)
            elif line.startswith("Success: no"):
                done.discard(latest)
        return done

    def _pick(self, condition: Condition) -> str:
        return self._words(thing_of(condition), target_of(condition))

    def _words(self, thing: str, target: str) -> str:
        [skill] = self.table.skills.values()
        return skill.step({"object": thing, "target": target}).words


def _achieved(lines: Sequence[str]) -> set[str]:
    """What the latest line about progress lists."""
    told = [line for line in lines if line.startswith("Scene: You have completed")]
    return {*re.findall(r'"([^"]+)"', told[-1])} if told else set()
