"""Explain in plain words why no steps were found."""

from __future__ import annotations

import itertools
import logging
import math
import time
from collections.abc import Sequence
from dataclasses import replace

from thinkaloud.plan.search import fast_downward as downward
from thinkaloud.plan.search.best_first import Budget, Numbered
from thinkaloud.plan.search.facts import Literal
from thinkaloud.plan.search.search_results import NotFound
from thinkaloud.plan.search.situations import Act
from thinkaloud.plan.search.step_search import StepSearch, apart
from thinkaloud.plan.search.useful_steps import Library
from thinkaloud.worlds.contract import CANNOT_TELL

_LOG = logging.getLogger("thinkaloud")
_SHARE = 1500
"""Situations that may be examined for each question about what went wrong."""
_PAIRS = 15
_SECONDS = 5.0
"""Minimum time to look for the reason, however long the search has taken."""


def explain_failure(search: StepSearch) -> NotFound:
    """Return what prevents the plan."""
    gave_up, tried = search.gave_up, search.budget.spent
    search.asks_planner = False
    search.budget.until = max(search.budget.until, time.monotonic() + _SECONDS)
    found = _opposites(search) or _forbidden(search) or _deeds_alone(search) or _wishes_alone(search) or _pairs(search)
    if found is not None:
        return replace(found, gave_up=False, tried=tried)
    if gave_up:
        why = "I found no way to that, though there may be one."
        if not downward.is_installed():  # for who runs the robot, not for who speaks to it
            _LOG.warning('Long ways need the planning library: pip install "thinkaloud[%s]"', downward.EXTRA)
        return NotFound(why, gave_up=True, tried=tried)
    return NotFound("There is no order in which all of this can be done.", tried=tried)


def _opposites(search: StepSearch) -> NotFound | None:
    """Find two goals that contradict each other by what they say."""
    if search.sought.in_order:
        return None
    found = apart(search.setting, search.wishes)
    return None if found is None else _apart(search, *found)


def _apart(search: StepSearch, i: int, j: int) -> NotFound:
    first, second = search.sought.wishes[i], search.sought.wishes[j]
    return NotFound(f"These cannot both be so in the end: {first.words} {second.words}", apart=(first, second))


def _forbidden(search: StepSearch) -> NotFound | None:
    """Find what the robot's builder forbids and all of it would bring about."""
    if not search.library.is_guarded:
        return None
    found = _without_keeping(search, search.deeds, search.final)
    return found if found is not None and found.forbidden else None


def _deeds_alone(search: StepSearch) -> NotFound | None:
    """Find an action that cannot be done even alone."""
    for deed in search.deeds:
        part = Budget(_SHARE, search.budget.until)
        trail = search.seek(search.start, (deed,), (), part)
        if trail.acts is None and (trail.exhausted or len(search.deeds) == 1):
            return _against(search, deed, trail.refused, gave_up=not trail.exhausted)
    return None


def _against(search: StepSearch, deed: Act, refused: dict[str, Act], *, gave_up: bool) -> NotFound | None:
    if (touched := _without_keeping(search, (deed,), ())) is not None:
        return replace(touched, deed=deed.step)
    root = _root(search, deed.needs)
    if root is not None:
        return NotFound(_nothing_helps(search, root), deed=deed.step, missing=(search.setting.condition(root),))
    own = [why for why, act in refused.items() if act is deed] or list(refused)
    if own:
        return NotFound(f"{_sentence(own[0])} I found nothing to do about that.", deed=deed.step)
    unmet = search.start.unmet(deed.needs)
    if unmet and not gave_up:
        said = " ".join(_tell_unmet(search, need) for need in unmet)
        missing = tuple(search.setting.condition(need) for need in unmet)
        return NotFound(f"{said} I found no way to change that.", deed=deed.step, missing=missing)
    return None


def _without_keeping(search: StepSearch, deeds: Sequence[Act], wishes: Sequence[Literal]) -> NotFound | None:
    """Find what stands in the way by somebody's word: a thing to leave alone, a rule, a person, what must never be."""
    kept, library, before = search.sought.kept, search.library, search.sought_before
    if not (kept or search.sought.rules or library.is_guarded):
        return None
    search.sought_before = {}
    search.library = Library(search.setting, kept=(), avoid=search.avoid, spoken_of=(), guarded=False)
    try:
        part = Budget(_SHARE, search.budget.until)
        trail = search.seek(search.start, deeds, wishes, part)
    finally:
        search.library, search.sought_before = library, before
    if trail.acts is None:
        return None
    situation = search.start
    for act in trail.acts:
        after = situation.after(act)
        if (broken := library.broken_by(act.skill.name, act.step.arguments)) is not None:
            return NotFound(f"For that I would have to do this, and you told me {broken.words}: {act.step.words}")
        touched = sorted(act.things & kept) or sorted(kept) * library.touches_kept(act, situation, after)
        if touched:
            told = f"I am to leave the {touched[0]} alone"
            return NotFound(f"For that I would have to do this, and {told}: {act.step.words}")
        if broken_then := library.find_new_break(situation, after):
            return NotFound(f"I must not do this: {act.step.words} {broken_then}", forbidden=True)
        if not act.marks and (strangers := library.strangers_in(act.things)):
            told = f"nobody mentioned {strangers[0]}"
            return NotFound(f"For that I would have to do this, and {told}: {act.step.words}", forbidden=True)
        situation = after
    return None


def _root(search: StepSearch, needs: Sequence[Literal]) -> Literal | None:
    """Find the need that nothing can satisfy, behind everything that would have to come first."""
    acts = search.library.relevant(needs, search.start)
    numbered = Numbered(acts, needs)
    _, costs = numbered.estimate(numbered.look(search.start), everything=True)
    todo, passed = [need for need in needs if math.isinf(costs[numbered.number[need]])], set[Literal]()
    found: Literal | None = todo[0] if todo else None
    while todo:
        need = todo.pop(0)
        passed.add(need)
        found = need
        ways = search.library.achievers(need)
        lacking = [[each for each in act.needs if math.isinf(costs[numbered.number[each]])] for act in ways]
        nearest = min(lacking, key=len, default=[])
        todo = [each for each in nearest if each not in passed][:1]
    return found


def _tell_unmet(search: StepSearch, literal: Literal) -> str:
    """Say that something does not hold, or that the robot cannot tell whether it does."""
    if search.start.is_so(literal.atom) is None:
        return CANNOT_TELL + search.setting.condition(literal).words
    return search.setting.denial(literal)


def _nothing_helps(search: StepSearch, literal: Literal) -> str:
    so = _tell_unmet(search, literal).rstrip(".")
    if untold := search.library.find_untold(literal):
        return f"{so}. I can change that if you tell me the rest of this first: {untold}"
    return f"{so}, and nothing that I can do changes that."


def _wishes_alone(search: StepSearch) -> NotFound | None:
    """Find a goal that cannot be reached even alone."""
    for wish, literal in zip(search.sought.wishes, search.wishes, strict=True):
        if any(literal.atom in deed.adds for deed in search.deeds) or search.start.holds(literal):
            continue
        part = Budget(_SHARE, search.budget.until)
        trail = search.seek(search.start, (), (literal,), part)
        if trail.acts is not None or not trail.exhausted:
            continue
        if (touched := _without_keeping(search, (), (literal,))) is not None:
            return replace(touched, missing=(wish,))
        root = _root(search, (literal,))
        if root is not None:
            return NotFound(_nothing_helps(search, root), missing=(search.setting.condition(root),))
        why = next(iter(trail.refused), "")
        said = f"{_sentence(why)} " if why else ""
        return NotFound(f"{said}I found no way to this: {wish.words}", missing=(wish,))
    return None


def _pairs(search: StepSearch) -> NotFound | None:
    """Find two goals that can each be reached, but not both."""
    if search.sought.in_order:
        return None
    for i, j in itertools.islice(itertools.combinations(range(len(search.wishes)), 2), _PAIRS):
        wishes = (search.wishes[i], search.wishes[j])
        deeds = [deed for deed in search.deeds if {*deed.adds} & {wish.atom for wish in wishes}]
        part = Budget(_SHARE, search.budget.until)
        trail = search.seek(search.start, deeds, wishes, part)
        if trail.acts is None and trail.exhausted:
            return _apart(search, i, j)
    return None


def _sentence(words: str) -> str:
    return words if words.rstrip().endswith((".", "!", "?")) else f"{words.rstrip()}."
