"""The views of the command line: a person's terminal, or one event a line for programs."""

from __future__ import annotations

from collections.abc import Sequence

from thinkaloud.cli.first_sign import end_first_sign
from thinkaloud.cli.terminal import Terminal, console
from thinkaloud.monologue import Event
from thinkaloud.remember.journal import render_event
from thinkaloud.staging.options import RunOptions
from thinkaloud.untrusted.output import write_json


class JsonLines:
    """Writes every event as a line of JSON and nothing else."""

    thinking = None

    def __init__(self, *, timings: bool) -> None:
        self._timings = timings

    def __call__(self, event: Event) -> None:
        """Write it down."""
        write_json(render_event(event.index, event.at, event.record, measurements=self._timings))

    def catch_up(self, events: Sequence[Event]) -> None:
        """Do nothing: earlier events were written when they happened."""


def open_view(wanted: RunOptions, *, starting: bool = False) -> Terminal | JsonLines:
    """The view on standard output; while the program is `starting`, a terminal alone shows more than that."""
    view = JsonLines(timings=wanted.timings) if wanted.as_json else Terminal(console(), costs=wanted.timings)
    if not starting or (isinstance(view, Terminal) and view.console.is_terminal):
        end_first_sign()
    return view
