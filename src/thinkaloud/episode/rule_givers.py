"""Who gave the rules that hold, and who may take them back: whoever gave one, or somebody of the same role.

Anybody may give a rule, and anybody may take back one whose giver is not known by name. Giving a rule again takes
nothing back, but one with an end in place of one without does.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from thinkaloud.episode.permission import find_speakers, name_people, tell_stranger
from thinkaloud.episode.told_rules import tell_held
from thinkaloud.monologue import Monologue
from thinkaloud.program.held_rules import Held
from thinkaloud.records import (
    DueRequest,
    Meaning,
    NotClear,
    Noted,
    Question,
    Refused,
    Request,
    Rule,
    Speaker,
    StandingRule,
)

MAY_TAKE_BACK = "Only {} may take this back: {}"
_NOT_YET = (Question, NotClear, Refused)


@dataclass(frozen=True, slots=True)
class Given:
    """A rule, and who gave it; a thing that is left alone is its name."""

    held: Held
    by: Speaker | None


def refuse_to_take_back(meaning: Meaning, monologue: Monologue) -> Refused | None:
    """Why a rule is not taken back by those who speak now, with those who may; None if nothing speaks against it."""
    if not (meaning.freed or meaning.forgotten or meaning.rules) or isinstance(meaning.content, _NOT_YET):
        return None
    speakers = _speakers(monologue)
    for each in _all_given(monologue):
        if each.by is None or not _takes_back(meaning, each.held):
            continue
        may = [each.by.name, *filter(None, [each.by.role])]
        for speaker in speakers:
            if speaker is None or not speaker.is_one_of(may):
                told = tell_held(each.held, monologue.date())
                why = f"{MAY_TAKE_BACK.format(name_people(may), told)}{tell_stranger(speaker)}"
                return Refused("not allowed", why)
    return None


def find_giver(held: Held, monologue: Monologue) -> Speaker | None:
    """Who gave a rule; None where nobody knows their name."""
    return next((each.by for each in _all_given(monologue) if each.held == held), None)


def _speakers(monologue: Monologue) -> list[Speaker | None]:
    """Those who say what is understood now; for a rule that has come due, who gave it."""
    match monologue.last(Request):
        case DueRequest(rule=rule):
            return [each.by for each in _all_given(monologue) if each.held == rule]
    return find_speakers(monologue)


def _all_given(monologue: Monologue) -> list[Given]:
    """All rules that were given and not taken back, also those that a later one covers."""
    found: list[Given] = []
    by: Speaker | None = None
    for record in monologue.since(None, (Request, Meaning)):
        if isinstance(record, Request):
            by = record.by
        elif isinstance(record, Meaning) and not isinstance(record.content, _NOT_YET):
            found = [each for each in found if not _takes_back(record, each.held)]
            found += [Given(each, by) for each in _given_in(record)]
    return found


def _given_in(meaning: Meaning) -> Iterable[Held]:
    yield from meaning.standing
    if isinstance(meaning.content, Noted):
        yield from meaning.kept
        yield from (rule for rule in meaning.rules if not rule.allowed)


def _takes_back(meaning: Meaning, held: Held) -> bool:
    """Whether less is forbidden, or waits, than a rule says."""
    match held:
        case StandingRule():
            return held in meaning.forgotten
        case Rule():
            noted = isinstance(meaning.content, Noted)
            return any((rule.allowed or noted) and _weakens(rule, held) for rule in meaning.rules)
    return held in meaning.freed


def _weakens(new: Rule, held: Rule) -> bool:
    """Whether a rule allows something that another forbids, or ends it earlier."""
    if new.skill != held.skill:
        return False
    if new.allowed:
        return all(held.arguments.get(name, value) == value for name, value in new.arguments.items())
    covers = new.above is None and new.arguments.items() <= held.arguments.items()
    return covers and bool(new.until) and new.until != held.until
