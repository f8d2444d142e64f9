"""Whether something was so in a state that was kept: told only where whoever kept it would have written it down."""

from __future__ import annotations

from collections.abc import Mapping

from thinkaloud.records import Condition, WorldState
from thinkaloud.skills import Relation
from thinkaloud.skills.signatures import Vocabulary

MOST_ASKED = 400
"""Where a relation can be of more things than this, nobody asks for them one by one."""


def was_so(
    condition: Condition, then: WorldState | None, relations: Mapping[str, Relation], vocabulary: Vocabulary
) -> bool | None:
    """Whether it was; None where that cannot be known."""
    if then is None:
        return None
    if any(each.words == condition.words for each in then.relations):
        return True
    return False if _is_listed(relations[condition.relation], then, relations, vocabulary) else None


def _is_listed(relation: Relation, then: WorldState, relations: Mapping[str, Relation], vocabulary: Vocabulary) -> bool:
    """Whether a state would have it if it was so.

    What follows from where things are is there only where such things were asked for at all; what there is too much of
    to be asked for one by one, only where the look itself tells of it.
    """
    signature = relation.signature
    asked = not signature.parameters or bool(signature.calls(vocabulary, most=MOST_ASKED))
    told = {each.relation for each in then.relations}
    if relation.derived:
        return asked and any(relations[name].derived for name in told if name in relations)
    return asked or signature.name in told
