"""An episode that has been put together: the agent, and what belongs to its run."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from thinkaloud.agent import Agent
from thinkaloud.guidelines import Guidelines
from thinkaloud.monologue import Event
from thinkaloud.remember.journal import Session
from thinkaloud.staging.interrupts import Interrupts

if TYPE_CHECKING:
    from thinkaloud.episode.film import Film


class EpisodeViewer(Protocol):
    """Whoever watches an episode: a terminal, a page, a stream of JSON."""

    @property
    def thinking(self) -> Callable[[str, str], None] | None:
        """Hears a role and the model's words while it speaks; None for a view that does not show them."""
        ...

    def __call__(self, event: Event) -> None:
        """Hear an event."""
        ...

    def catch_up(self, events: Sequence[Event]) -> None:
        """Take note of what happened before this view was there."""
        ...


@dataclass
class Episode:
    """A robot with all that its run needs, ready to be spoken to."""

    agent: Agent
    interrupts: Interrupts
    view: EpisodeViewer | None = None
    film: Film | None = None
    film_path: Path = Path("film.gif")
    session: Session | None = None
    guidelines: Guidelines | None = None
    """The guidelines that the robot plans by, if any."""
