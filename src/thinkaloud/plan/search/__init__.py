"""Search: from deeds and wishes to steps, by what skills declare that they need, bring about and end."""

from thinkaloud.plan.search.finding import find_steps
from thinkaloud.plan.search.results import Found, NotFound, Sought

__all__ = ["Found", "NotFound", "Sought", "find_steps"]
