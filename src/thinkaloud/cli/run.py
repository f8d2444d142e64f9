"""`thinkaloud run`: one request, carried out to its end."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

import click

from thinkaloud.cli.options import SpokenText, episode_options, output_options
from thinkaloud.staging.options import RunOptions

if TYPE_CHECKING:
    from thinkaloud.models import Model


@click.command()
@click.argument("request", type=SpokenText())
@episode_options
@output_options
def run(request: str, **given: Any) -> int:
    """Carry out a REQUEST and say everything aloud.

    Exits with 0 when the goal was checked in the world and is met (or a question was answered), with 1 when it is not,
    and with 2 for bad input (one line says what to change, and nothing else has happened). Where the robot has to ask,
    nobody is there to answer: it exits with 1, and its question is the last line. Ask for it in `thinkaloud chat`, or
    say --confirm never, and it does what it thinks likeliest. Ctrl-C makes the robot hold still and ends the run
    properly, with 130; a second Ctrl-C leaves at once.

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
    """The same without the command line, and with a model of one's own where one is given; the exit status."""
    from thinkaloud.cli.shown_episode import ShownEpisode, open_view
    from thinkaloud.staging.opening import open_episode, settings_for

    async def carry_out() -> int:
        chosen = settings_for(wanted)
        async with open_episode(wanted, chosen, view=open_view(wanted), request=request, model=model) as episode:
            shown = ShownEpisode(episode)
            await shown.attend(episode.agent.run(request))
            return await shown.finish()

    return asyncio.run(carry_out())
