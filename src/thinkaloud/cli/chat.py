"""`thinkaloud chat`: talk to the robot at any time; what you say reaches it in the middle of a motion."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import click

from thinkaloud.cli.options import episode_options, output_options
from thinkaloud.staging.options import RunOptions

if TYPE_CHECKING:
    from thinkaloud.cli.typed_lines import InputLines
    from thinkaloud.models import Model


@click.command()
@episode_options
@output_options
def chat(**given: Any) -> int:
    """Talk to the robot: type at any time, also while it moves.

    A line is a request, an answer to what the robot asked, or `stop`. Requests that come in one go (pasted, or from a
    pipe or a file) are carried out one after another; one that is typed while the robot works replaces the one at hand,
    or changes it. At the end of the input the robot finishes what it was asked, and leaves. Exits with 0 if the last
    request was met (or nothing was asked for), with 1 if not.

    \b
    Examples:
      thinkaloud chat --seed 7
      thinkaloud chat --guidelines drinks
      printf '%s\\n' "Stack all the blocks." "Put all the blocks on the left side." | thinkaloud chat
    """
    return chat_with(RunOptions(**given))


def chat_with(wanted: RunOptions, *, model: Model | None = None, lines: InputLines | None = None) -> int:
    """The same without the command line; `lines` to say something else than standard input does."""
    from contextlib import nullcontext

    from thinkaloud.cli.conversation import Conversation
    from thinkaloud.cli.shown_episode import ShownEpisode, open_view
    from thinkaloud.cli.terminal import Terminal
    from thinkaloud.cli.typed_lines import InputLines, reading_input
    from thinkaloud.converse.inbox import Inbox
    from thinkaloud.staging.opening import open_episode, settings_for

    async def talk() -> int:
        view = open_view(wanted)
        typed = view.typed if isinstance(view, Terminal) and view.console.is_terminal else None
        chosen = settings_for(wanted)
        # Only a motion that takes its time can be interrupted by somebody who types.
        paced = replace(wanted, speed=1.0) if typed is not None and wanted.speed is None else wanted
        said = InputLines() if lines is None else lines
        with reading_input(said, typed) if lines is None else nullcontext():  # from now on, whatever is still to load
            async with open_episode(paced, chosen, view=view, person=Inbox(present=True), model=model) as episode:
                return await Conversation(ShownEpisode(episode), said).run()

    return asyncio.run(talk())
