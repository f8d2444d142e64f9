"""Twenty requests over FrankaKitchen, each in several people's words. They were written before anything was played."""

from __future__ import annotations

from dataclasses import dataclass

from thinkaloud.records import Arguments


@dataclass(frozen=True)
class Wanted:
    """A task: what has to be done, and how people ask for it. Nothing at all where the robot has no skill for it."""

    title: str
    elements: tuple[str, ...]
    wordings: tuple[str, ...]
    ordered: bool = False


DEEDS: dict[str, tuple[str, Arguments]] = {
    "bottom burner": ("turn_on", {"burner": "bottom burner"}),
    "top burner": ("turn_on", {"burner": "top burner"}),
    "light": ("switch_on_light", {}),
    "sliding cabinet": ("open", {"cabinet": "sliding cabinet"}),
    "hinged cabinet": ("open", {"cabinet": "hinged cabinet"}),
    "kettle": ("move_kettle", {}),
}
"""The skill that does it, for the ceiling."""


def _one(element: str, *wordings: str) -> Wanted:
    return Wanted(element, (element,), wordings)


WANTED = {
    "bottom_burner": _one(
        "bottom burner", "Turn on the bottom burner.", "Could you switch on the bottom burner for me?"
    ),
    "top_burner": _one("top burner", "Turn the top burner on, please.", "I want to fry eggs. Light the top burner."),
    "light": _one("light", "Switch on the light.", "It's too dark over the stove, put the light on."),
    "dark": _one("light", "Turn the light on, please.", "I can't see what I'm cooking. Light, please."),
    "sliding": _one("sliding cabinet", "Open the sliding cabinet.", "Slide the sliding cabinet open."),
    "hinged": _one("hinged cabinet", "Open the hinged cabinet.", "I need a plate from the hinged cabinet, open it."),
    "kettle": _one("kettle", "Move the kettle to the back.", "Push the kettle to the back burner, please."),
    "kettle_away": _one("kettle", "The kettle is in my way, move it to the back.", "Get the kettle to the back."),
    "burners": Wanted(
        "both burners",
        ("bottom burner", "top burner"),
        ("Turn on both burners.", "I need the top burner and the bottom burner on."),
    ),
    "cabinets": Wanted(
        "both cabinets",
        ("sliding cabinet", "hinged cabinet"),
        ("Open both cabinets.", "Open the hinged cabinet and the sliding one."),
    ),
    "light_and_burner": Wanted(
        "light and bottom burner",
        ("light", "bottom burner"),
        ("Switch on the light and the bottom burner.", "Put the light on and turn on the bottom burner."),
    ),
    "light_then_cabinet": Wanted(
        "light, then the sliding cabinet",
        ("light", "sliding cabinet"),
        (
            "Switch on the light, then open the sliding cabinet.",
            "Open the sliding cabinet, but put the light on first.",
        ),
        ordered=True,
    ),
    "kettle_then_burner": Wanted(
        "kettle, then the top burner",
        ("kettle", "top burner"),
        (
            "Move the kettle to the back and then turn on the top burner.",
            "First push the kettle to the back. After that, turn the top burner on.",
        ),
        ordered=True,
    ),
    "kettle_and_light": Wanted(
        "kettle and light",
        ("kettle", "light"),
        ("Move the kettle to the back and switch the light on.", "Light on, and the kettle to the back."),
    ),
    "hinged_and_burner": Wanted(
        "hinged cabinet and bottom burner",
        ("hinged cabinet", "bottom burner"),
        (
            "Open the hinged cabinet and turn on the bottom burner.",
            "Please turn the bottom burner on and open the hinged cabinet.",
        ),
    ),
    "cook": Wanted(
        "light, bottom burner and hinged cabinet",
        ("light", "bottom burner", "hinged cabinet"),
        (
            "Light on, bottom burner on, and open the hinged cabinet.",
            "I'm going to cook: switch on the light, open the hinged cabinet and turn on the bottom burner.",
        ),
    ),
    "tea": Wanted(
        "kettle, top burner and sliding cabinet",
        ("kettle", "top burner", "sliding cabinet"),
        (
            "For tea, move the kettle to the back, turn on the top burner and open the sliding cabinet.",
            "Kettle to the back, top burner on, sliding cabinet open, please.",
        ),
    ),
    "four": Wanted(
        "all burners and cabinets",
        ("bottom burner", "top burner", "sliding cabinet", "hinged cabinet"),
        ("Turn on all the burners and open all the cabinets.", "Open every cabinet and turn on every burner."),
    ),
    "not_there": Wanted(
        "the microwave, for which it has no skill", (), ("Open the microwave.", "Warm my soup in the microwave.")
    ),
    "but_one": Wanted(
        "the burners but the top one",
        ("bottom burner",),
        ("Turn on the burner that is not the top one.", "Turn on every burner except the top burner."),
    ),
}
