"""A plan on the terminal: its steps, or why there is none."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from thinkaloud.monologue import Monologue


def print_steps(said: Monologue) -> None:
    """Print the steps of the plan, or why there is none."""
    from thinkaloud.cli.terminal import BAD, GOOD, console
    from thinkaloud.records import End, Plan
    from thinkaloud.untrusted.output import printable

    plan, end = said.last(Plan), said.last(End)
    if end is not None:
        met = end.result == "goal met"
        words = "Nothing to do: the goal is met already." if met else f"No plan ({end.result}): {end.because}"
        console().print(printable(words), style=f"bold {GOOD if met else BAD}", soft_wrap=True)
    elif plan is not None:
        for number, words in enumerate(plan.outline.lines if plan.outline else [step.words for step in plan.steps], 1):
            console().print(f"{number}. {printable(words)}", style="bold", soft_wrap=True)
