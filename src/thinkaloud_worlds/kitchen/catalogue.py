"""What every kitchen has: its five locations, its drawers, and the items that the robot has learnt to handle.

The locations are SayCan's (two counters, one of them with drawers, a table, a trash can, and where the user is), the
items those of the prompts of Inner Monologue and SayCan. What kind of thing an item is stands nowhere: that a coke is a
soda is common sense.
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
"""Where the robot stands at each of them, in metres."""
SIZE: Xy = (5.2, 4.2)
"""Length and width of the kitchen, in metres."""
CABINET, TRASH, USER = "drawer cabinet", "trash", "user"
"""The location that has the drawers, the one for what is thrown away, and the one to which things are brought."""
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
"""What the robot does, by name: what may fail, and what people get in the way of."""
