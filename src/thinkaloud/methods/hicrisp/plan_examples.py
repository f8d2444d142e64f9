"""What the planner of whole plans is shown: tasks with the things they take and the steps that do them."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Example:
    """A task with its plan. `skills`: what a robot has to be able to do for it."""

    task: str
    seen: tuple[str, ...]
    things: tuple[str, ...]
    steps: tuple[str, ...]
    skills: frozenset[str] = frozenset()

    def text(self) -> str:
        """The lines of a prompt."""
        numbered = [f"{number}. {step}" for number, step in enumerate((*self.steps, "Done."), 1)]
        seen, things = ", ".join(self.seen), ", ".join(self.things)
        return "\n".join([f"Seen: {seen}.", f"Task: {self.task}", f"Things: {things}.", *numbered])


_HOME = frozenset({"find", "grab", "open", "close", "switch_on", "put_back", "put_in", "sit"})
_TABLE = frozenset({"pick_and_place"})
_HALL = frozenset({"drive_to"})
_AROUND = frozenset({"locate", "pick_up", "place_around"})

EXAMPLES = (
    Example(
        task="Listen to the radio in the armchair",
        seen=("armchair", "lamp", "rug", "shelf"),
        things=("radio", "armchair"),
        steps=(
            "Find the radio.",
            "Switch on the radio.",
            "Find the armchair.",
            "Sit down on the armchair.",
        ),
        skills=_HOME,
    ),
    Example(
        task="Put the scarf in the wardrobe",
        seen=("bed", "mirror", "rug", "scarf"),
        things=("scarf", "wardrobe"),
        steps=(
            "Find the scarf.",
            "Grab the scarf.",
            "Find the wardrobe.",
            "Open the wardrobe.",
            "Put the scarf in the wardrobe.",
            "Close the wardrobe.",
        ),
        skills=_HOME,
    ),
    Example(
        task="Scrub the boots",
        seen=("bench", "boots", "window"),
        things=("boots", "brush", "tub", "tap"),
        steps=(
            "Find the boots.",
            "Grab the boots.",
            "Find the tub.",
            "Put the boots on the tub.",
            "Find the tap.",
            "Switch on the tap.",
            "Find the brush.",
            "Grab the brush.",
            "Scrub the boots.",
            "Switch off the tap.",
        ),
        skills=_HOME,
    ),
    Example(
        task="Take the vase and the candle to the windowsill",
        seen=("cabinet", "vase", "rug"),
        things=("vase", "candle", "windowsill"),
        steps=(
            "Find the vase.",
            "Grab the vase.",
            "Find the candle.",
            "Grab the candle.",
            "Find the windowsill.",
            "Put the vase on the windowsill.",
            "Put the candle on the windowsill.",
        ),
        skills=_HOME,
    ),
    Example(
        task="Put the brown block on the white block.",
        seen=("brown block", "white block", "gray block", "black bowl"),
        things=("brown block", "white block"),
        steps=("Pick the brown block and place it on the white block.",),
        skills=_TABLE,
    ),
    Example(
        task="Get the gray blocks off the table.",
        seen=("gray block", "gray block 2", "brown block", "black bowl"),
        things=("gray block", "gray block 2", "black bowl"),
        steps=(
            "Pick the gray block and place it on the black bowl.",
            "Pick the gray block 2 and place it on the black bowl.",
        ),
        skills=_TABLE,
    ),
    Example(
        task="A different bowl for every block.",
        seen=("white block", "gray block", "brown bowl", "black bowl"),
        things=("white block", "gray block", "brown bowl", "black bowl"),
        steps=(
            "Pick the white block and place it on the brown bowl.",
            "Pick the gray block and place it on the black bowl.",
        ),
        skills=_TABLE,
    ),
    Example(
        task="Go to the kiosk, and from there to the fountain.",
        seen=("bridge", "fountain", "kiosk"),
        things=("fountain", "kiosk"),
        steps=("Drive to the kiosk.", "Drive to the fountain."),
        skills=_HALL,
    ),
    Example(
        task="First the bridge, then the fountain, and the kiosk last.",
        seen=("bridge", "fountain", "kiosk", "bench"),
        things=("bridge", "fountain", "kiosk"),
        steps=("Drive to the bridge.", "Drive to the fountain.", "Drive to the kiosk."),
        skills=_HALL,
    ),
    Example(
        task="Set the crate next to the pillar.",
        seen=("crate", "pillar"),
        things=("crate", "pillar"),
        steps=(
            "Locate the crate.",
            "Pick up the crate.",
            "Locate the pillar.",
            "Place the crate around the pillar.",
        ),
        skills=_AROUND,
    ),
)
