"""Search: from actions and goals to steps, using the preconditions and effects that skills declare."""

from thinkaloud.plan.search.find_steps import find_steps, find_steps_meanwhile
from thinkaloud.plan.search.search_results import Found, NotFound, Sought

__all__ = ["Found", "NotFound", "Sought", "find_steps", "find_steps_meanwhile"]
