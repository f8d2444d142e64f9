"""`thinkaloud run`: carry out one request."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

import click

from thinkaloud.cli.options import SpokenText, episode_options, output_options, speaker_option
from thinkaloud.staging.options import RunOptions

if TYPE_CHECKING:
    from thinkaloud.models import Model


@click.command()
@click.argument("request", type=SpokenText())
@episode_options
@output_options
@speaker_option
def run(request: str, **given: Any) -> int:
    """Carry out a REQUEST and say everything aloud.

    Exits with 0 if a check confirmed the goal (or a question was answered), with 1 if not, and with 2 for bad input
    (one line says what to change, and nothing has happened). If the robot has to ask, nobody can answer here: it exits
    with 1 and its question is the last line. Use `thinkaloud chat` to answer, or pass --confirm never to have it act on
    the likeliest reading. Ctrl-C makes the robot hold still and ends the run properly, with 130; a second Ctrl-C exits
    at once.

    \b
    Examples:
      thinkaloud run "Put all the blocks on the left side."
      thinkaloud run --seed 7 --disturb paper "Stack all the blocks."
      thinkaloud run --eyes camera "Put each block in the bowl of its colour."
      thinkaloud run --guidelines drinks "May I have a cup of milk with taro?"
      thinkaloud run --json --no-film "Put all the blocks on the left side." | jq .kind
    """
    return run_request(request, RunOptions(**given))


def run_request(request: str, wanted: RunOptions, *, model: Model | None = None) -> int:
    """Run without the command line, optionally with your own model; returns the exit status."""
    from thinkaloud.cli.shown_episode import ShownEpisode, opener_of, progress_of
    from thinkaloud.cli.views import open_view
    from thinkaloud.staging.opening import open_episode, settings_for

    async def carry_out() -> int:
        chosen, view = settings_for(wanted), open_view(wanted)
        async with (
            progress_of(view) as told,
            open_episode(wanted, chosen, view=view, request=request, model=model, opener=opener_of(told)) as episode,
        ):
            shown = ShownEpisode(episode, told)
            await shown.attend(episode.agent.run(request, *wanted.speakers[:1]))
            return await shown.finish()

    return asyncio.run(carry_out())
