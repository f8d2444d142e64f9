"""Search: from deeds and wishes to steps, by what skills declare that they need, bring about and end."""

from thinkaloud.plan.search.find_steps import find_steps, find_steps_meanwhile
from thinkaloud.plan.search.search_results import Found, NotFound, Sought

__all__ = ["Found", "NotFound", "Sought", "find_steps", "find_steps_meanwhile"]
