"""The titles of the programs, and how many instances of each have a goal; known without the package."""

from __future__ import annotations

from thinkaloud_bench.contract import Task

COUNTS = {
    "Wash clothes": 4,
    "Turn on light": 31,
    "Brush teeth": 2,
    "Write an email": 11,
    "Put groceries in Fridge": 7,
    "Go to toilet": 6,
    "Change TV channel": 3,
    "Work": 31,
    "Wash dishes with dishwasher": 13,
    "Go to sleep": 6,
    "Wash hands": 21,
    "Pet cat": 22,
    "Browse internet": 5,
    "Wash teeth": 4,
    "Listen to music": 19,
    "Watch TV": 22,
    "Drink": 23,
    "Read book": 23,
    "Cook some food": 3,
    "Relax on sofa": 35,
    "Pick up phone": 26,
    "Make coffee": 5,
    "Set up table": 3,
    "Get some water": 1,
    "Take shower": 2,
    "Wash dishes by hand": 10,
}


def title_slug(title: str) -> str:
    """A title as the name of a task: `put_groceries_in_fridge`."""
    return "_".join(title.lower().split())


TITLES = {
    title_slug(title): Task(title_slug(title), title, episodes=count, most=count) for title, count in COUNTS.items()
}
"""All of each are played unless somebody says how many."""
