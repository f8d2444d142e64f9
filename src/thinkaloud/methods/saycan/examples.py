"""What the planner is shown: requests with the steps that do them, what came of each, and questions where one asks."""

from __future__ import annotations

import tomllib
from importlib import resources

import msgspec


class ExampleStep(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A step, what came of it, and a question about it, if there was one. `vain`: it worked, and led nowhere."""

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
        """The steps; of a robot that could not notice failures, only those that worked."""
        return self.steps if failures else tuple(step for step in self.steps if step.worked and not step.vain)


class _File(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    example: tuple[SayCanExample, ...]
    asked: tuple[SayCanExample, ...]


_READ = msgspec.convert(
    tomllib.loads(resources.files(__package__).joinpath("examples.toml").read_text(encoding="utf-8")), _File
)
SAYCAN_EXAMPLES, ASKING_EXAMPLES = _READ.example, _READ.asked
"""For a robot that is told what came of its steps, and for one that may ask."""
