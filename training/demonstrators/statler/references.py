"""What a conversation is about: what words such as "it", "them" and "there" stand for in the next query."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from thinkaloud.monologue import Monologue
from thinkaloud.records import Plan, Step
from thinkaloud.skills.built_in_steps import NOTE, SAY, STEPS
from thinkaloud.state.edits import TABLE, is_container
from thinkaloud.state.names import NameFinder
from thinkaloud.state.state_history import latest_state

_QUOTED = re.compile(r'"([^"\\]+)"')


@dataclass(frozen=True)
class Reference:
    """What the latest query was about: the things and the place; and what was moved by the latest that moved any."""

    things: tuple[str, ...] = ()
    place: str = ""
    moved: tuple[str, ...] = ()


def find_reference(monologue: Monologue) -> Reference:
    """By the latest program before the query at hand; its answer counts where it named things.

    A question in between moves nothing, and `put it back` still means what was moved before it.
    """
    start, objects = monologue.task_start(), latest_state(monologue).objects
    plans = [event.record for event in monologue if event.index < start and isinstance(event.record, Plan)]
    found = [read_reference(plan.verbatim, plan.steps, objects) for plan in reversed(plans) if plan.verbatim]
    moved = next((each.moved for each in found if each.moved), ())
    return replace(found[0], moved=moved) if found else Reference()


def read_reference(code: str, steps: Sequence[Step], objects: Sequence[str]) -> Reference:
    """What a program and the steps that came of it speak of."""
    names = NameFinder(objects)
    puts = [step for step in steps if step.skill not in STEPS and len(step.arguments) > 1]
    written = [name for text in _QUOTED.findall(code) if (name := names.find(text))]
    told = [text for step in steps for text in map(str, step.arguments.values()) if step.skill in (SAY, NOTE)]
    said = [name for name in objects if any(re.search(rf"\b{re.escape(name)}\b", text) for text in told)]
    moved = tuple(dict.fromkeys(str(next(iter(step.arguments.values()))) for step in puts))
    places = [str(list(step.arguments.values())[1]) for step in puts[-1:]]
    places += [name for name in (*written, *said) if is_container(name)]
    loose = [name for name in (*(said if not puts else ()), *written) if not is_container(name)]
    things = moved or tuple(dict.fromkeys(said if said and told and not written else loose or written))
    return Reference(things, places[0] if places else TABLE, moved)
