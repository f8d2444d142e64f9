"""Programs that ProgPrompt's planner is shown."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from thinkaloud.language.calls import render_call
from thinkaloud.plan.example_files import read_examples


def render_program_call(name: str, values: Iterable[object]) -> str:
    """Return a call as it appears in a program: values in single quotes, unchanged."""
    return render_call(name, values, lambda value: f"'{value}'")


@dataclass(frozen=True)
class ExampleProgram:
    """A task and its program. `skills` are the functions and relations that it needs."""

    task: str
    seen: tuple[str, ...]
    name: str
    takes: tuple[str, ...]
    lines: tuple[str, ...]
    skills: frozenset[str] = frozenset()

    def text(self) -> str:
        """Return the lines of a prompt."""
        head = [f"# Seen: {', '.join(self.seen)}.", f"# Task: {self.task}", f"def {self.name}():"]
        body = [f"    # takes: {', '.join(self.takes)}.", *(f"    {line}" for line in self.lines), "    # done"]
        return "\n".join([*head, *body])


EXAMPLE_PROGRAMS = read_examples(__package__, "examples.toml", ExampleProgram)
