"""A model for the toy world that has the ball put on the shelf, in whatever form it is asked."""

from __future__ import annotations

import json


def answer(prompt: str) -> str:
    """Something that fits whatever is asked: a program, a state, a goal, a thought and an action, or an action."""
    if "\n# what can be ordered:" in prompt:
        return 'order("Tidy up")\n'
    if prompt.endswith('\n# "Put the ball on the shelf."\n'):
        return 'move("ball", "shelf")\n'
    if prompt.endswith("\n# Next: "):
        return "give_up()\n"
    if prompt.endswith("Violations:\nThought:"):
        return " So it should be.\nFeasible Plan!\n\n"
    if prompt.endswith("Output:\nThought:"):
        return talked()
    if prompt.endswith("Request: Put the ball on the shelf.\n"):
        return "Material: ball\nSteps:\n0) move the ball to the shelf\n\n"
    if "Step: move the ball to the shelf" in prompt:
        call = {"name": "move", "arguments": {"thing": "ball", "place": "shelf"}}
        return json.dumps([call]) if prompt.startswith("system:") else 'move("ball", "shelf")\n#'
    if prompt.startswith(("A robot does", "# A robot can do")):
        return planned(prompt)
    if "# functions: " in prompt and prompt.endswith("shelf.\n"):
        return 'move(thing="ball", place="shelf")'
    now = prompt.rsplit("\n\n", 1)[-1]
    if now.endswith("Robot thought:") and "Goal state is" not in now:
        return ' Goal state is ["Ball is on the shelf."].'
    if now.endswith('["Ball is on the shelf."].\nRobot thought:') and "You have completed" in now:
        return " None."
    return (
        " Move the ball to the shelf."
        if now.endswith("action:")
        else " Well.\nRobot action: Move the ball to the shelf."
    )


def likes(prompt: str, option: str) -> float:
    """How likely an option is to such a model: moving the ball, and then nothing more."""
    again = "move the ball to the shelf" in prompt.rpartition("Human:")[2] and "[success: no]" not in prompt[-60:]
    wanted = ("done",) if again else ("move the ball to the shelf",)
    return -1.0 if option.strip() in (*wanted, "and continue") else -9.0


def talked() -> str:
    """The same as a plan, all at once."""
    plan = 'Step-by-step Instructions:\n1: It belongs there: move("ball", "shelf")'
    return f" What: the ball. Where: on the shelf.\n{plan}\n\n"


def planned(prompt: str) -> str:
    """The same as a whole plan or a program, line by line: the things it takes, the move, the end; or a correction."""
    asked = prompt.rsplit("\n", 1)[-1].strip()
    if asked.startswith(("Things:", "# takes:")):
        return " ball, shelf."
    if prompt.startswith("#"):
        return " # done\n" if prompt.count("move('ball', 'shelf')") else " move('ball', 'shelf')\n"
    if asked == "Needed:":
        return " Ball is on the shelf."
    move = " Move the ball to the shelf."
    return {"2.": " Done.", "Do first:": move}.get(asked, f"{move} -> Ball is on the shelf.")
