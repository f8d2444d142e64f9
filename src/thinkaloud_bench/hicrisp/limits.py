"""How long an episode may take, and the loop that experts with fixes are put into."""

from __future__ import annotations

from thinkaloud.loop import Limits

HOME_LIMITS = Limits(steps=40, plans=50)
LIMITS = Limits(steps=40, plans=80)
FIXING = "hicrisp:high=off"
"""The loop of experts that have the low-level fixes: what those leave undone, the expert sees to itself."""
