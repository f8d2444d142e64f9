"""`thinkaloud chat`: talk to the robot at any time; what you say reaches it in the middle of a motion."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import click

from thinkaloud.cli.options import Wanted, choosing, keeping

if TYPE_CHECKING:
    from thinkaloud.cli.ears import Lines
    from thinkaloud.cli.episode import Episode
    from thinkaloud.models import Model
    from thinkaloud.settings import Settings

HELP = "Say what the robot should do, answer what it asks, or say stop, at any time. /state, /wait, /help, /quit."
MORE = """\
Say what the robot should do, such as: Stack all the blocks.
A new request while it works replaces the old one, or changes it; stop makes it hold still at once.
/state what the robot remembers of the world (with a preset that keeps a state, such as statler)
/wait  read the next line only when the robot has finished (for pipes and files)
/quit  hold still and leave; so does Ctrl-C when nothing is under way
/help  this"""


@click.command()
@choosing
@keeping
def chat(**given: Any) -> int:
    """Talk to the robot: type at any time, also while it moves.

    A line is a request, an answer to what the robot asked, or `stop`. At the end of the input the robot finishes what
    it is doing, and leaves. Exits with 0 if the last request was met (or nothing was asked for), with 1 if not.

    \b
    Examples:
      thinkaloud chat --seed 7
      thinkaloud chat --guidelines drinks
      printf '%s\\n' "Stack all the blocks." "/wait" "Put all the blocks on the left side." | thinkaloud chat
    """
    return chat_with(Wanted(**given))


def chat_with(
    wanted: Wanted, *, settings: Settings | None = None, model: Model | None = None, lines: Lines | None = None
) -> int:
    """The same without the command line; `lines` to say something else than standard input does."""
    from contextlib import nullcontext

    from thinkaloud.cli.ears import listening
    from thinkaloud.cli.staging import on_stage, settings_for, view_of
    from thinkaloud.cli.terminal import Terminal
    from thinkaloud.converse.inbox import Inbox

    async def talk() -> int:
        view = view_of(wanted)
        typed = view.typed if isinstance(view, Terminal) and view.console.is_terminal else None
        chosen = settings or settings_for(wanted)
        # Only a motion that takes its time can be interrupted by somebody who types.
        paced = replace(wanted, speed=1.0) if typed is not None and wanted.speed is None else wanted
        async with on_stage(paced, chosen, view=view, person=Inbox(present=True), model=model) as episode:
            said: Lines = asyncio.Queue() if lines is None else lines
            with listening(said, typed) if lines is None else nullcontext():
                return await Chat(episode, said).run()

    return asyncio.run(talk())


def greeting(episode: Episode) -> list[str]:
    """What there is, in a world with a table or without, and what is on offer where there are guidelines."""
    from thinkaloud.worlds import TABLES

    world, lines = episode.agent.world, []
    if episode.guidelines is not None:
        lines.append(f"By the guidelines: {', '.join(episode.guidelines.options)}; and what can be done like it.")
    if objects := world.observe().objects:
        lines.append(f"{'On the table' if world.name in TABLES else 'In view'}: {', '.join(objects)}.")
    return lines


class Chat:
    """Passes on what a person says, and comes to an end when they have no more to say."""

    def __init__(self, episode: Episode, lines: Lines) -> None:
        self._episode, self._lines = episode, lines
        self._agent = episode.agent
        self._working: asyncio.Future[None] | None = None
        self._leaving = self._over = False
        self._interrupted = asyncio.Event()
        episode.interrupts.on_signal = self._on_signal

    async def run(self) -> int:
        """Until the person leaves; the exit status."""
        self._tell_scene()
        while not self._leaving:
            line = await self._next_line()
            if line is None:
                self._nobody_there()
                break
            await self._heed(line)
        await self._wait()
        status = await self._episode.finish()
        return 0 if self._agent.monologue.task_start() < 0 and self._episode.interrupts.status is None else status

    def _tell_scene(self) -> None:
        from thinkaloud.cli.terminal import Terminal

        terminal: Terminal | None = self._episode.terminal
        if terminal is not None:
            for told in greeting(self._episode):
                terminal.note(told)
            terminal.note(HELP)

    async def _next_line(self) -> str | None:
        hearing = asyncio.ensure_future(self._lines.get())
        leaving = asyncio.ensure_future(self._interrupted.wait())
        try:
            await asyncio.wait({hearing, leaving}, return_when=asyncio.FIRST_COMPLETED)
            if hearing.done():
                return hearing.result()
            self._leaving = True
            return ""
        finally:
            hearing.cancel()
            leaving.cancel()

    async def _heed(self, line: str) -> None:
        text = line.strip()
        match text.lower():
            case "":
                return
            case "/quit" | "/exit" | "/q":
                self._leaving = True
                if self._busy():
                    self._agent.stop("you left")
            case "/wait":
                await self._wait()
            case "/state":
                for remembered in self._state():
                    self._note(remembered)
            case "/help":
                for explained in MORE.splitlines():
                    self._note(explained)
            case word if word.startswith("/"):
                self._note(f"There is no {text.split()[0]}; there are /state, /wait, /help and /quit.")
            case _:
                self._say(text)

    def _say(self, text: str) -> None:
        """Pass a line on: to the robot at work, or as a new request."""
        from thinkaloud.agent import check_request
        from thinkaloud.converse.inbox import understand
        from thinkaloud.errors import BadInput
        from thinkaloud.records import Observation, Request, Stop

        busy = self._busy()
        message = understand(text, asked=busy and self._agent.asks())
        if isinstance(message, Stop) and not busy:
            self._note("Nothing is under way.")
            return
        try:
            if isinstance(message, Request):
                guided = self._episode.guidelines is not None
                text = check_request(text, Observation((), {}) if guided else self._agent.world.observe())
            if busy:
                self._agent.say(text)
        except BadInput as error:
            self._note(str(error), "yellow")
            return
        if not busy:
            self._episode.interrupts.forget()
            self._working = asyncio.ensure_future(self._episode.attend(self._agent.run(text)))
            self._working.add_done_callback(self._ended)

    def _state(self) -> list[str]:
        from thinkaloud.state.json_text import render_state
        from thinkaloud.state.memory import latest_state, state_of_scene

        if self._agent.loop.mind.remember is None:
            return ["This preset keeps no state of the world; statler does."]
        state = latest_state(self._agent.monologue)
        state = state if state.objects else state_of_scene(self._agent.world.observe())
        return render_state(state, prefix="").splitlines()

    def _busy(self) -> bool:
        return self._working is not None and not self._working.done()

    def _ended(self, _: object) -> None:
        """Tell at once how it ended, and be ready for the next request."""
        if not self._leaving and not self._over:
            self._episode.interrupts.forget()
            if self._episode.terminal is not None:
                self._episode.terminal.conclude()

    def _nobody_there(self) -> None:
        """Nobody will say anything any more."""
        self._over = True
        self._agent.person.present = False
        if self._busy() and self._agent.asks():
            self._agent.stop("nobody is there to answer any more")

    async def _wait(self) -> None:
        if self._working is not None:
            await asyncio.wait({self._working})

    def _on_signal(self, name: str) -> None:
        if self._busy():
            self._agent.stop(name)
        else:
            self._interrupted.set()

    def _note(self, text: str, style: str = "dim") -> None:
        from thinkaloud.cli.episode import complain

        if self._episode.terminal is not None:
            self._episode.terminal.note(text, style)
        else:
            complain(text)
