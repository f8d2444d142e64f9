"""A staged episode: the agent and what belongs to its run."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from thinkaloud.agent import Agent
from thinkaloud.episode.interrupts import Interrupts
from thinkaloud.guidelines import Guidelines
from thinkaloud.monologue import Event
from thinkaloud.remember.journal import Session

if TYPE_CHECKING:
    from thinkaloud.episode.film import Film


class EpisodeViewer(Protocol):
    """Something that shows an episode: a terminal, a page, a stream of JSON."""

    @property
    def thinking(self) -> Callable[[str, str], None] | None:
        """Receives a role and the model's words as they arrive, none of them when a call begins.

        None for a view that does not show them.
        """
        ...

    def __call__(self, event: Event) -> None:
        """Receive an event."""
        ...

    def catch_up(self, events: Sequence[Event]) -> None:
        """Process the events that happened before this view was attached."""
        ...


@dataclass
class Episode:
    """A robot with everything its run needs, ready for requests."""

    agent: Agent
    interrupts: Interrupts
    view: EpisodeViewer | None = None
    film: Film | None = None
    film_path: Path = Path("film.gif")
    session: Session | None = None
    guidelines: Guidelines | None = None
    """The guidelines the robot plans with, if any."""
