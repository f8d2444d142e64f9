"""How long an episode may take, and the loop in which experts with fixes run."""

from __future__ import annotations

from thinkaloud.loop import Limits

HOME_LIMITS = Limits(steps=40, plans=50)
LIMITS = Limits(steps=40, plans=80)
FIXING = "hicrisp:high=off"
"""The loop of experts with low-level fixes; the expert itself handles what those cannot fix."""
