"""What understanding does besides when something is said: before, it reads what there is to speak of while there is
time; when a person changes the plan, it reads that; when all is done, it counts in what has come to light since; and it
knows when standing rules have come due."""

from __future__ import annotations

from contextlib import suppress
from typing import Protocol, runtime_checkable

from thinkaloud.errors import ModelError
from thinkaloud.monologue import Monologue
from thinkaloud.records import Meaning, Observation, PlanEdit, StandingRule


@runtime_checkable
class Prepares(Protocol):
    """A part that can do some of its work beforehand."""

    async def prepare(self) -> None:
        """Do what every request will need."""
        ...


async def prepare(part: object) -> None:
    """Let a part prepare if it can; what goes wrong with its model will go wrong again when it is needed."""
    if isinstance(part, Prepares):
        with suppress(ModelError):
            await part.prepare()


@runtime_checkable
class Reconsiders(Protocol):
    """A part that can count in what has come to light since something was said."""

    async def reconsider(self, monologue: Monologue) -> Meaning | None:
        """What was said last comes to now; None where that is the same as before."""
        ...


async def reconsider(part: object, monologue: Monologue) -> bool:
    """Let a part say what the request comes to with what has come to light, if it can; whether that is more."""
    meaning = await part.reconsider(monologue) if isinstance(part, Reconsiders) else None
    if meaning is not None:
        monologue.append(meaning)
    return meaning is not None


@runtime_checkable
class ReadsEdits(Protocol):
    """A part that can say what is meant where a person has changed the plan."""

    def read_edit(self, edit: PlanEdit, monologue: Monologue) -> Meaning | None:
        """These steps, as what the request means; None if that cannot be said."""
        ...


def read_edit(part: object, edit: PlanEdit, monologue: Monologue) -> Meaning | None:
    """What is meant where a person has changed the plan; None if nothing here reads what people mean."""
    return part.read_edit(edit, monologue) if isinstance(part, ReadsEdits) else None


class WatchesRules(Protocol):
    """A part that knows when standing rules have come due; what it says about them it appends to the monologue."""

    def need_to_look(self, monologue: Monologue) -> bool:
        """Whether any rule waits for something that has to be seen."""
        ...

    def check(self, monologue: Monologue, scene: Observation | None, *, busy: bool) -> None:
        """Say which have come due: by the clock, and by what was just seen, if anything was."""
        ...

    def pending(self, monologue: Monologue) -> list[StandingRule]:
        """Those that have come due and were not begun yet, the oldest first."""
        ...

    def tell_missed(self, monologue: Monologue) -> None:
        """Say what came due while the program was off."""
        ...
