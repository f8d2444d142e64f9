"""Search: from deeds and wishes to steps, by what skills declare that they need, bring about and end."""

from thinkaloud.plan.search.finding import find_steps, find_steps_meanwhile
from thinkaloud.plan.search.results import Found, NotFound, Sought

__all__ = ["Found", "NotFound", "Sought", "find_steps", "find_steps_meanwhile"]
