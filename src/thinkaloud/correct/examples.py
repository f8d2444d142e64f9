"""What the corrector is shown: failures of everyday life, each with the one thing that had to be done first."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Example:
    """A failure as the corrector reads it; without `first` it is the one at hand, and ends where the answer begins.

    `skills`: what a robot has to be able to do for the example to make sense to it.
    """

    failed: str
    why: str
    first: str = ""
    task: str = ""
    seen: tuple[str, ...] = ()
    done: tuple[str, ...] = ()
    skills: frozenset[str] = frozenset()

    def text(self) -> str:
        """The lines of a prompt."""
        lines = [f"Task: {self.task}"]
        if self.done:
            lines.append(f"Done: {' '.join(self.done)}")
        if self.seen:
            lines.append(f"Seen: {' '.join(self.seen)}")
        lines += [f"Failed: {self.failed}", f"Why: {self.why}", f"Do first:{' ' if self.first else ''}{self.first}"]
        return "\n".join(lines)


_HOME = frozenset({"find", "grab", "open", "stand_up", "switch_on", "put_back"})
_TABLE = frozenset({"pick_and_place"})
_HALL = frozenset({"drive_to", "look_around", "back_up"})
_AROUND = frozenset({"locate", "pick_up", "place_around"})

EXAMPLES = (
    Example(
        task="Hang the coat over the armchair.",
        done=("Find the coat.", "Grab the coat."),
        seen=("The robot holds the coat.",),
        failed="Put the coat on the armchair.",
        why="The robot is not close to the armchair.",
        first="Find the armchair.",
        skills=_HOME,
    ),
    Example(
        task="Bring me the scissors.",
        done=("Find the drawer.",),
        seen=("The drawer is closed.",),
        failed="Grab the scissors.",
        why="The scissors are inside the drawer, and the drawer is closed.",
        first="Open the drawer.",
        skills=_HOME,
    ),
    Example(
        task="Water the fern.",
        done=("Sit down on the stool.",),
        seen=("The robot sits on the stool.",),
        failed="Walk to the fern.",
        why="The robot is sitting.",
        first="Stand up.",
        skills=_HOME,
    ),
    Example(
        task="Iron the blouse.",
        done=("Find the iron.",),
        seen=("The iron is switched off.",),
        failed="Grab the blouse.",
        why="The robot is not close to the blouse.",
        first="Find the blouse.",
        skills=_HOME,
    ),
    Example(
        task="Take the parcel upstairs.",
        done=("Grab the umbrella.", "Grab the hat."),
        seen=("The robot holds the umbrella.", "The robot holds the hat."),
        failed="Grab the parcel.",
        why="The robot has no free hand.",
        first="Put the hat on the bench.",
        skills=_HOME,
    ),
    Example(
        task="Put the brown block on the white block.",
        failed="Pick the brown block and place it on the white block.",
        why="Picked up nothing: the cup did not get hold of the brown block.",
        first="Pick the brown block and place it on the white block.",
        skills=_TABLE,
    ),
    Example(
        task="Put the brown block in the black bowl.",
        seen=("Gray block is on the brown block.",),
        failed="Pick the brown block and place it on the black bowl.",
        why="The brown block cannot be seen: something covers it.",
        first="Pick the gray block and place it on the middle.",
        skills=_TABLE,
    ),
    Example(
        task="Put the white block in the brown bowl.",
        failed="Pick the white block and place it on the brown bowl.",
        why="Picked up the white block and put it down at (0.10, -0.31) for the brown bowl. "
        "Not so: White block is on the brown bowl.",
        first="Pick the white block and place it on the brown bowl.",
        skills=_TABLE,
    ),
    Example(
        task="Visit the fountain, then the kiosk.",
        failed="Drive to the fountain.",
        why="A barrel stands in the way at (1.4, 2.0), 0.7 m ahead.",
        first="Look around.",
        skills=_HALL,
    ),
    Example(
        task="Visit the kiosk, then the fountain.",
        done=("Drive to the kiosk.",),
        failed="Drive to the fountain.",
        why="The robot arrived. Not so: The robot is at the fountain. The robot is at the bridge.",
        first="Drive to the fountain.",
        skills=_HALL,
    ),
    Example(
        task="Visit the bridge.",
        failed="Drive to the bridge.",
        why="The robot is too close to a wall to turn.",
        first="Back up a little.",
        skills=_HALL,
    ),
    Example(
        task="Place the crate around the pillar.",
        done=("Locate the crate.", "Pick up the crate.", "Locate the pillar."),
        failed="Place the crate around the pillar.",
        why="The crate was put down. Not so: The crate is close to the pillar.",
        first="Pick up the crate.",
        skills=_AROUND,
    ),
    Example(
        task="Place the crate around the pillar.",
        done=("Locate the crate.",),
        failed="Pick up the crate.",
        why="The cup did not get hold of the crate.",
        first="Locate the crate.",
        skills=_AROUND,
    ),
)
