"""`Only the king on the stage`: of whoever else is there somebody has spoken, too.

Where a thing is to be alone in a place, to bring it there is half of what was said as long as others are there.
"""

from __future__ import annotations

import re

from thinkaloud.understand.checking.fitting import Misfit
from thinkaloud.understand.checking.said import Said, roots_of
from thinkaloud.understand.meaning.circumstances import Circumstances

_ALONE = re.compile(
    r"\b(?:(?:want|like|have|see|need|be|is|are|leave) (?:to see |to have )?(?:just|only)"
    r"|(?:nobody|nothing|no ?one|none) (?:else )?(?:but|except)|nothing else|nobody else)\b",
    re.IGNORECASE,
)


def find_not_alone(said: Said, at: Circumstances) -> Misfit | None:
    """A reading that brings something to where it is to be alone, and lets others be there."""
    state = at.scene.state
    if not said.acts or state is None or not _ALONE.search(said.request):
        return None
    wished = [(each.relation, *each.arguments.values()) for each in said.meaning.act.wishes if len(each.arguments) == 2]
    wished += [
        (each.relation, *each.arguments.values()) for each in said.meaning.act.already if len(each.arguments) == 2
    ]
    things = {thing for _, thing, _ in wished}
    places = {(relation, place) for relation, _, place in wished if roots_of(str(place)) & said.roots}
    for each in state.relations:
        if len(each.arguments) == 2:
            thing, place = each.arguments.values()
            if (each.relation, place) in places and thing not in things:
                return Misfit()
    return None
