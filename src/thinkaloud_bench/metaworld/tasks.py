"""Twenty requests over Meta-World's stations, each in several people's words."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Wanted:
    """A task: what has to be done, in order, and how people ask for it."""

    title: str
    things: tuple[str, ...]
    wordings: tuple[str, ...]
    ordered: bool = False


WANTED = {
    "drawer": Wanted(
        "open the drawer",
        ("drawer",),
        (
            "Open the drawer.",
            "Could you pull the drawer open for me?",
            "I need something from the drawer, please open it.",
            "The drawer should be open.",
        ),
    ),
    "window": Wanted(
        "open the window",
        ("window",),
        (
            "Open the window, please.",
            "It's stuffy in here. Open the window.",
            "I'd like the window open.",
            "Can you get the window open?",
        ),
    ),
    "door": Wanted(
        "open the door",
        ("door",),
        ("Please open the door.", "Get the door, would you?", "I want the door to be open.", "Open that door."),
    ),
    "cupboard": Wanted(
        "close the cupboard door",
        ("cupboard door",),
        (
            "Close the cupboard door.",
            "Somebody left the cupboard door open. Shut it.",
            "Can you shut the cupboard door?",
            "Cupboard door closed, please.",
        ),
    ),
    "lower_drawer": Wanted(
        "close the lower drawer",
        ("lower drawer",),
        (
            "Close the lower drawer.",
            "Push the lower drawer shut.",
            "I keep bumping into the lower drawer, close it please.",
            "Please shut the lower drawer.",
        ),
    ),
    "wall_button": Wanted(
        "press the wall button",
        ("wall button",),
        (
            "Press the wall button.",
            "Push the button on the wall.",
            "Hit the wall button, please.",
            "Would you press the wall button for me?",
        ),
    ),
    "coffee": Wanted(
        "press the coffee button",
        ("coffee button",),
        (
            "Press the coffee button.",
            "Start the coffee: press the coffee button.",
            "Can you push the coffee button?",
            "Please hit the coffee button.",
        ),
    ),
    "tap": Wanted(
        "turn on the tap",
        ("tap",),
        ("Turn on the tap.", "Turn the tap on, please.", "I need the tap running.", "Could you switch the tap on?"),
    ),
    "garden_tap": Wanted(
        "turn off the garden tap",
        ("garden tap",),
        (
            "Turn off the garden tap.",
            "The garden tap is still running, turn it off.",
            "Shut off the garden tap please.",
            "Turn the garden tap off.",
        ),
    ),
    "lock": Wanted(
        "lock the front door",
        ("front door",),
        (
            "Lock the front door.",
            "Make sure the front door is locked.",
            "Can you lock up the front door?",
            "Please lock the front door for the night.",
        ),
    ),
    "unlock": Wanted(
        "unlock the back door",
        ("back door",),
        (
            "Unlock the back door.",
            "I forgot my key, unlock the back door please.",
            "The back door needs to be unlocked.",
            "Could you unlock the back door?",
        ),
    ),
    "dial": Wanted(
        "turn the dial",
        ("dial",),
        ("Turn the dial.", "Give the dial a turn.", "Please turn that dial.", "Can you turn the dial round?"),
    ),
    "lever": Wanted(
        "pull the lever",
        ("lever",),
        ("Pull the lever.", "Pull that lever up, please.", "Give the lever a pull.", "Would you pull the lever?"),
    ),
    "nail": Wanted(
        "hammer in the nail",
        ("nail",),
        (
            "Hammer in the nail.",
            "Hit the nail with the hammer.",
            "Drive the nail in, please.",
            "Can you hammer that nail in?",
        ),
    ),
    "goal": Wanted(
        "put the ball in the goal",
        ("ball",),
        (
            "Put the ball in the goal.",
            "Score a goal with the ball.",
            "Get the ball into the goal.",
            "Ball into the goal!",
        ),
    ),
    "make_coffee": Wanted(
        "put the mug at the coffee machine, then press the button",
        ("mug", "coffee button"),
        (
            "Put the mug under the coffee machine and then press the coffee button.",
            "First the mug goes to the coffee machine, then press the coffee button.",
            "Push the mug to the coffee machine, and after that hit the coffee button.",
            "Press the coffee button, but first put the mug at the coffee machine.",
        ),
        ordered=True,
    ),
    "leaving": Wanted(
        "close the side window and lock the front door",
        ("side window", "front door"),
        (
            "Close the side window and lock the front door.",
            "I'm leaving: side window shut, front door locked.",
            "Please lock the front door and shut the side window.",
            "Before you go, close the side window and lock the front door.",
        ),
    ),
    "all_open": Wanted(
        "open everything that opens",
        ("drawer", "door", "window"),
        (
            "Open the drawer, the door and the window.",
            "Open everything that is shut.",
            "I want the window, the door and the drawer open.",
            "Open all of the shut things.",
        ),
    ),
    "washing_up": Wanted(
        "turn on the tap, then put the plate on the rack",
        ("tap", "plate"),
        (
            "Turn on the tap, then put the plate in the rack.",
            "Get the tap running and after that put the plate on the rack.",
            "First turn the tap on. Then the plate goes into the rack.",
            "Once the tap is on, move the plate to the rack. So turn it on first.",
        ),
        ordered=True,
    ),
    "games": Wanted(
        "put the ball in the goal and the basketball in the basket",
        ("ball", "basketball"),
        (
            "Put the ball in the goal and the basketball in the basket.",
            "The basketball belongs in the basket and the ball in the goal. Please do that.",
            "Get the ball into the goal, and the basketball into the basket.",
            "Put the basketball in the basket and score a goal with the ball.",
        ),
    ),
}
"""The requests were written before anything was played."""
