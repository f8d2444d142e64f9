"""`thinkaloud chat`: talk to the robot at any time, even in the middle of a motion."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from thinkaloud.cli.options import episode_options, output_options, speaker_option
from thinkaloud.staging.options import RunOptions

MICROPHONE = "microphone"

if TYPE_CHECKING:
    from contextlib import AbstractContextManager

    from thinkaloud.cli.terminal import Terminal
    from thinkaloud.cli.typed_lines import InputLines
    from thinkaloud.cli.views import JsonLines
    from thinkaloud.models import Model
    from thinkaloud.settings import Settings


@click.command()
@episode_options
@output_options
@speaker_option
@click.option(
    "--ears",
    is_flag=False,
    flag_value=MICROPHONE,
    metavar="[FILE.wav]",
    help="Listen to a microphone, or to a file; needs the extra speech.",
)
def chat(ears: str | None, **given: Any) -> int:
    """Talk to the robot: type at any time, even while it moves.

    A line is a request, an answer to the robot's question, or `stop`. Requests that arrive together (pasted, or from a
    pipe or a file) are carried out one after another. A request typed while the robot works replaces or changes the
    current one. At the end of the input, the robot finishes its request and the command ends. Exits with 0 if the last
    request was met (or there was none), with 1 if not.

    \b
    Examples:
      thinkaloud chat --seed 7
      thinkaloud chat --guidelines drinks
      thinkaloud chat --ears
      printf '%s\\n' "Stack all the blocks." "Put all the blocks on the left side." | thinkaloud chat
    """
    return chat_with(RunOptions(**given), ears=ears)


def chat_with(
    wanted: RunOptions, *, model: Model | None = None, lines: InputLines | None = None, ears: str | None = None
) -> int:
    """Chat without the command line; `lines` replaces standard input, and so does a sound file for the `ears`."""
    from contextlib import nullcontext

    from thinkaloud.cli.terminal import Terminal
    from thinkaloud.cli.typed_lines import InputLines, leaving_at_once, reading_input
    from thinkaloud.cli.views import open_view

    async def talk() -> int:
        view = open_view(wanted, starting=True)
        typed = view.typed if isinstance(view, Terminal) and view.console.is_terminal else None
        said = InputLines() if lines is None else lines
        typing = lines is None and ears in (None, MICROPHONE)
        with (
            reading_input(said, typed) if typing else nullcontext(),  # from now on, even while things are loading
            _listening(said, ears) if ears else nullcontext(),
        ):
            with leaving_at_once(said) if typing else nullcontext():
                import thinkaloud.cli.conversation
                import thinkaloud.staging.opening  # noqa: F401 - takes most of the time
            # A person can only interrupt a motion that takes time.
            paced = replace(wanted, speed=1.0) if typed is not None and wanted.speed is None else wanted
            return await _converse(paced, view, said, model)

    return asyncio.run(talk())


async def _converse(wanted: RunOptions, view: Terminal | JsonLines, said: InputLines, model: Model | None) -> int:
    from contextlib import AsyncExitStack

    from thinkaloud.cli.conversation import Conversation
    from thinkaloud.cli.first_sign import end_first_sign
    from thinkaloud.cli.shown_episode import ShownEpisode, opener_of, progress_of
    from thinkaloud.cli.typed_lines import QUIT, WAIT, name_unread
    from thinkaloud.converse.inbox import Inbox
    from thinkaloud.models.pace import LARGER
    from thinkaloud.staging.opening import open_episode, settings_for

    end_first_sign()
    chosen = settings_for(wanted)
    first = not chosen.journal.exists()
    async with progress_of(view) as told, AsyncExitStack() as stack:
        episode = open_episode(
            wanted, chosen, view=view, person=Inbox(present=True), model=model, opener=opener_of(told)
        )
        opening = asyncio.ensure_future(stack.enter_async_context(episode))
        leaving = asyncio.ensure_future(said.wait_for(QUIT, unless=WAIT))
        await asyncio.wait({opening, leaving}, return_when=asyncio.FIRST_COMPLETED)
        leaving.cancel()
        if not opening.done():
            opening.cancel()
            await asyncio.gather(opening, return_exceptions=True)
            return name_unread(said)
        shown = ShownEpisode(await opening, told)
        if first and shown.terminal is not None and lacks_large(chosen):
            shown.terminal.note(LARGER)
        return await Conversation(shown, said, wanted.speakers).run()


def lacks_large(chosen: Settings) -> bool:
    """Whether a person uses the small model and has not fetched the large one."""
    from thinkaloud.models.large_weights import LARGE

    return chosen.model == "embedded" and not LARGE.path(chosen.home).exists()


def _listening(lines: InputLines, source: str) -> AbstractContextManager[object]:
    from thinkaloud.cli.ears import Ears
    from thinkaloud.errors import MissingExtra
    from thinkaloud.speech import missing_packages
    from thinkaloud.untrusted.output import complain

    if missing_packages():
        raise MissingExtra("--ears", "speech")
    return Ears(lines, None if source == MICROPHONE else Path(source), complain)
