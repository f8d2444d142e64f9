"""Permission: who may ask for a skill, and who may approve a step.

A skill may name roles or people (`asked_by=["nurse"]`, `approval="nurse"`). Everybody whose words count for a request
has to be one of them: who answers "How many mg?" decides as much as who asked for the dose. Somebody whose name is not
known is none of them. Anybody may stop the robot, and anybody may say no. `rule_givers` tells who may take back a rule.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass

from thinkaloud.language.words import in_a_row, with_article
from thinkaloud.monologue import Monologue
from thinkaloud.records import Answer, Ask, Meaning, Request, Speaker, Step

MAY_ASK = "Only {} may ask for this: "
MAY_APPROVE = "Only {} may approve this."
_NOBODY = Speaker("")


def refuse_asker(steps: Iterable[Step], asked_by: Callable[[Step], Collection[str]], monologue: Monologue) -> str:
    """Why the first of these steps is not done for those who asked, with those who may; empty if all are done."""
    for step in steps:
        may = asked_by(step)
        tasks = _tasks(monologue) if may else []
        if any(step in task.deeds and task.find_stranger(may) is _NOBODY for task in tasks):
            continue  # somebody who may asked for it, and somebody else only added something
        for task in tasks[-1:]:
            if (stranger := task.find_stranger(may)) is not _NOBODY:
                return f"{MAY_ASK.format(name_people(may))}{step.words}{tell_stranger(stranger)}"
    return ""


def refuse_approver(answer: Answer, approvers: Collection[str]) -> str:
    """Why a person's yes does not count, with those whose yes does; empty if it counts."""
    if not approvers or (answer.by is not None and answer.by.is_one_of(approvers)):
        return ""
    return f"{MAY_APPROVE.format(name_people(approvers))}{tell_stranger(answer.by)}"


def name_people(people: Collection[str]) -> str:
    """Roles and names as a sentence says them: `a nurse or Anna`."""
    return in_a_row([each if each[:1].isupper() else with_article(each) for each in people], "or")


def find_speakers(monologue: Monologue) -> list[Speaker | None]:
    """Those whose words count for what was said last.

    Who says something else in place of a yes or a no speaks for themselves alone.
    """
    latest = monologue.last((Request, Answer))
    asked = monologue.last(Ask)
    if isinstance(latest, Answer) and asked is not None and asked.approval:
        return [latest.by]
    tasks = _tasks(monologue)
    return tasks[-1].speakers if tasks else []


def tell_stranger(speaker: Speaker | None) -> str:
    """That somebody without a name has no rights, beside what only others may do."""
    return " I do not know who you are." if speaker is None else ""


@dataclass
class _Task:
    """Those who said something about one request, without a yes or no to a single step, and what was understood."""

    speakers: list[Speaker | None]
    deeds: tuple[Step, ...] = ()

    def find_stranger(self, may: Collection[str]) -> Speaker | None:
        """The first who is none of these; `_NOBODY` if all are."""
        return next((each for each in self.speakers if each is None or not each.is_one_of(may)), _NOBODY)


def _tasks(monologue: Monologue) -> list[_Task]:
    """The requests since the latest end, the oldest first.

    Who says something else in place of a yes or a no makes a request of their own.
    """
    tasks: list[_Task] = []
    asked: Ask | None = None
    instead: Answer | None = None
    for event in monologue.order():
        match event.record:
            case Request(by=by):
                tasks.append(_Task([by]))
                instead = None
            case Ask(approval=approval):
                if instead is not None and not approval:  # asked about what was said instead
                    tasks.append(_Task([instead.by]))
                asked, instead = event.record, None
            case Answer(by=by) if tasks:
                if asked is not None and asked.approval:
                    instead = event.record
                else:
                    tasks[-1].speakers.append(by)
            case Meaning(deeds=deeds) if tasks:
                if instead is not None and deeds:
                    tasks.append(_Task([instead.by]))
                    instead = None
                tasks[-1].deeds = deeds
            case _:
                pass
    return tasks
