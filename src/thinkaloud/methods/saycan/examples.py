"""Examples for the planner: requests with the steps that do them, the result of each, and any questions."""

from __future__ import annotations

import tomllib
from importlib import resources

import msgspec


class ExampleStep(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A step, its result, and a question about it, if there was one. `vain` means it worked, but led nowhere."""

    says: str
    worked: bool = True
    vain: bool = False
    scene: tuple[str, ...] = ()
    asks: str = ""
    answer: str = ""


class SayCanExample(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A request and its steps."""

    request: str
    steps: tuple[ExampleStep, ...]

    def taken(self, *, failures: bool) -> tuple[ExampleStep, ...]:
        """Return the steps; for a robot that cannot notice failures, only those that worked."""
        return self.steps if failures else tuple(step for step in self.steps if step.worked and not step.vain)


class _File(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    example: tuple[SayCanExample, ...]
    asked: tuple[SayCanExample, ...]


_READ = msgspec.convert(
    tomllib.loads(resources.files(__package__).joinpath("examples.toml").read_text(encoding="utf-8")), _File
)
SAYCAN_EXAMPLES, ASKING_EXAMPLES = _READ.example, _READ.asked
"""Examples for a robot that is told the results of its steps, and for one that may ask."""
