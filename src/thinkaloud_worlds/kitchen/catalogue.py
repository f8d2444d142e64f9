"""What every kitchen has: five locations, drawers, and the items that the robot has learnt to handle.

The locations are SayCan's: two counters, one of them with drawers, a table, a trash can, and where the user is. The
items come from the prompts of Inner Monologue and SayCan. Nothing here states what kind of thing an item is: that a
coke is a soda is common sense.
"""

from __future__ import annotations

from thinkaloud.worlds.geometry import Xy

LOCATIONS: dict[str, Xy] = {
    "counter": (0.8, 0.6),
    "drawer cabinet": (3.2, 0.6),
    "table": (1.6, 3.4),
    "trash": (4.6, 1.8),
    "user": (4.2, 3.6),
}
"""Where the robot stands at each location, in metres."""
SIZE: Xy = (5.2, 4.2)
"""Length and width of the kitchen, in metres."""
CABINET, TRASH, USER = "drawer cabinet", "trash", "user"
"""The location with the drawers, the one for things thrown away, and the one to which things are brought."""
DRAWERS = ("top drawer", "bottom drawer")
ITEMS = (
    "7up",
    "apple",
    "coke",
    "energy bar",
    "grapefruit soda",
    "jalapeno chips",
    "kettle chips",
    "lime soda",
    "multigrain chips",
    "orange",
    "redbull",
    "rice chips",
    "sponge",
    "tea",
    "water",
)
SKILLS = ("bring_it_to_you", "close_drawer", "find", "go_to", "open_drawer", "pick_up", "put_down", "put_in")
"""The robot's skills by name: each may fail, and people may interfere with each."""
