"""What can be done before anybody says anything: a model reads what there is to speak of while there is time."""

from __future__ import annotations

from contextlib import suppress
from typing import Protocol, runtime_checkable

from thinkaloud.errors import ModelError


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
