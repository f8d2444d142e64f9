"""Whether a reading does what the words say, as far as code can tell: if not, it is asked about and never just done.

Signs of doubt (`doubts`) lower how sure a reading is, each a little, and a model that is very sure outweighs them.
These checks are others: each finds what cannot be right, whatever a model holds of it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from thinkaloud.understand.checking.alone import find_not_alone
from thinkaloud.understand.checking.alternatives import find_both
from thinkaloud.understand.checking.amounts import find_other_amount, find_part, find_several
from thinkaloud.understand.checking.conditions import find_branch_lost, find_condition_added, find_stray, find_turned
from thinkaloud.understand.checking.exceptions import find_excepted
from thinkaloud.understand.checking.exchanges import find_not_exchanged
from thinkaloud.understand.checking.fitting import Misfit
from thinkaloud.understand.checking.forbidding import find_forbidden
from thinkaloud.understand.checking.opposites import find_opposite
from thinkaloud.understand.checking.questions import find_beside, find_hollow
from thinkaloud.understand.checking.said import Said, is_foreign
from thinkaloud.understand.checking.unprompted import find_content, find_none_so, find_told, find_unprompted
from thinkaloud.understand.meaning.circumstances import Circumstances
from thinkaloud.understand.orders.amending import find_left_out
from thinkaloud.understand.switches import SWITCHES, is_off, report

CHECKS: Mapping[str, Callable[[Said, Circumstances], Misfit | None]] = {
    "find_both": lambda said, _: find_both(said),
    "find_excepted": lambda said, _: find_excepted(said),
    "find_part": lambda said, _: find_part(said),
    "find_several": lambda said, _: find_several(said),
    "find_other_amount": lambda said, _: find_other_amount(said),
    "find_not_exchanged": find_not_exchanged,
    "find_unprompted": lambda said, _: find_unprompted(said),
    "find_content": lambda said, _: find_content(said),
    "find_told": lambda said, _: find_told(said),
    "find_none_so": lambda said, _: find_none_so(said),
    "find_not_alone": find_not_alone,
    "find_forbidden": find_forbidden,
    "find_turned": find_turned,
    "find_branch_lost": lambda said, _: find_branch_lost(said),
    "find_stray": lambda said, _: find_stray(said),
    "find_condition_added": lambda said, _: find_condition_added(said),
    "find_opposite": find_opposite,
    "find_hollow": lambda said, _: find_hollow(said),
    "find_beside": find_beside,
    "find_left_out": find_left_out,
}
SWITCHES += CHECKS


def find_misfit(said: Said, at: Circumstances) -> Misfit | None:
    """What speaks against a reading, the first that is found; None where it fits, and for other languages."""
    if is_foreign(said):
        return None
    for name, check in CHECKS.items():
        if not is_off(name) and (found := check(said, at)) is not None:
            report(name)
            return found
    return None
