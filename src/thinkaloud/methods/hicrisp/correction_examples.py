"""What the corrector is shown: failures of everyday life, each with the one thing that had to be done first."""

from __future__ import annotations

from dataclasses import dataclass

NEEDED, FIRST = "Needed:", "Do first:"
NOTHING = "Nothing of that."
"""What is needed where no fact that the robot can state is missing."""
HOPELESS = "Nothing helps."
"""What a trained model may say of a failure that nothing puts right: the step is given up at once."""


@dataclass(frozen=True)
class Example:
    """A failure as the corrector reads it; without `first` it is the one at hand, and ends where the answer begins.

    `skills`: what a robot has to be able to do for the example to make sense to it.
    """

    failed: str
    why: str
    needed: str = ""
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
        lines += [f"Failed: {self.failed}", f"Why: {self.why}", NEEDED]
        return "\n".join(lines) + (f" {self.needed}\n{FIRST} {self.first}" if self.first else "")


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
        needed="The robot is close to the armchair.",
        first="Find the armchair.",
        skills=_HOME,
    ),
    Example(
        task="Water the fern.",
        done=("Sit down on the stool.",),
        seen=("The robot sits on the stool.",),
        failed="Walk to the fern.",
        why="The robot is sitting.",
        needed="The robot stands.",
        first="Stand up.",
        skills=_HOME,
    ),
    Example(
        task="Carry the parcel to the bench.",
        done=("Grab the umbrella.", "Grab the hat.", "Find the bench."),
        seen=("The robot holds the umbrella.", "The robot holds the hat."),
        failed="Grab the parcel.",
        why="The robot does not have a free hand: it holds the umbrella and the hat.",
        needed="The hat is on the bench.",
        first="Put the hat on the bench.",
        skills=_HOME,
    ),
    Example(
        task="Bring me the scissors.",
        done=("Find the scissors.",),
        seen=("The scissors is in the drawer.",),
        failed="Grab the scissors.",
        why="The scissors is in the drawer, which is closed.",
        needed="The drawer is open.",
        first="Open the drawer.",
        skills=_HOME,
    ),
    Example(
        task="Iron the blouse.",
        done=("Find the iron.",),
        failed="Grab the blouse.",
        why="The robot is not close to the blouse.",
        needed="The robot is close to the blouse.",
        first="Find the blouse.",
        skills=_HOME,
    ),
    Example(
        task="Look out of the window.",
        done=("Find the window.",),
        seen=("The robot is close to the window.",),
        failed="Look at the window.",
        why="The robot does not face the window.",
        needed="The robot faces the window.",
        first="Turn to the window.",
        skills=_HOME,
    ),
    Example(
        task="Hang the coat over the armchair.",
        done=("Find the coat.",),
        seen=("The robot is close to the coat.",),
        failed="Put the coat on the armchair.",
        why="The robot does not hold the coat.",
        needed="The robot holds the coat.",
        first="Grab the coat.",
        skills=_HOME,
    ),
    Example(
        task="Put the brown block on the white block.",
        failed="Pick the brown block and place it on the white block.",
        why="Picked up nothing: the cup did not get hold of the brown block.",
        needed="Brown block is on the white block.",
        first="Pick the brown block and place it on the white block.",
        skills=_TABLE,
    ),
    Example(
        task="Put the brown block in the black bowl.",
        seen=("Gray block is on the brown block.",),
        failed="Pick the brown block and place it on the black bowl.",
        why="The brown block cannot be seen: something covers it.",
        needed="Gray block is on the middle.",
        first="Pick the gray block and place it on the middle.",
        skills=_TABLE,
    ),
    Example(
        task="Put the white block in the brown bowl.",
        failed="Pick the white block and place it on the brown bowl.",
        why="Picked up the white block and put it down at (0.10, -0.31) for the brown bowl. "
        "Not so: White block is on the brown bowl.",
        needed="White block is on the brown bowl.",
        first="Pick the white block and place it on the brown bowl.",
        skills=_TABLE,
    ),
    Example(
        task="Visit the fountain, then the kiosk.",
        failed="Drive to the fountain.",
        why="A barrel stands in the way at (1.4, 2.0), 0.7 m ahead.",
        needed=NOTHING,
        first="Look around.",
        skills=_HALL,
    ),
    Example(
        task="Visit the kiosk, then the fountain.",
        done=("Drive to the kiosk.",),
        failed="Drive to the fountain.",
        why="The robot arrived. Not so: The robot is at the fountain. The robot is at the bridge.",
        needed="The robot is at the fountain.",
        first="Drive to the fountain.",
        skills=_HALL,
    ),
    Example(
        task="Visit the bridge.",
        failed="Drive to the bridge.",
        why="The robot is too close to a wall to turn.",
        needed=NOTHING,
        first="Back up a little.",
        skills=_HALL,
    ),
    Example(
        task="Place the crate around the pillar.",
        done=("Locate the crate.", "Pick up the crate.", "Locate the pillar."),
        failed="Place the crate around the pillar.",
        why="The crate was put down. Not so: The crate is close to the pillar.",
        needed="The robot holds the crate.",
        first="Pick up the crate.",
        skills=_AROUND,
    ),
    Example(
        task="Place the crate around the pillar.",
        done=("Locate the crate.",),
        failed="Pick up the crate.",
        why="The cup did not get hold of the crate.",
        needed="The robot knows where the crate is.",
        first="Locate the crate.",
        skills=_AROUND,
    ),
)
