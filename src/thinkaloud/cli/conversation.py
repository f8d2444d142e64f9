"""A conversation with a robot: every line a person types reaches it as its own message, in order."""

from __future__ import annotations

import asyncio
import signal
from collections import deque
from collections.abc import Coroutine, Sequence
from typing import Any

from thinkaloud.cli.progress import GETTING_TO_KNOW
from thinkaloud.cli.shown_episode import ShownEpisode
from thinkaloud.cli.typed_lines import QUIT, WAIT, InputLine, InputLines
from thinkaloud.converse.inbox import understand
from thinkaloud.episode.told_rules import because, standing_of, tell_all_rules, tell_rule
from thinkaloud.errors import BadInput
from thinkaloud.monologue import Event
from thinkaloud.records import DECISIONS, Answer, Ask, End, Meaning, Request, Speaker, StandingRule, Stop
from thinkaloud.robots.example_requests import example_requests
from thinkaloud.staging.episode import Episode
from thinkaloud.state.json_text import render_state
from thinkaloud.state.state_history import latest_state, state_of_scene
from thinkaloud.untrusted.output import complain
from thinkaloud.worlds import World
from thinkaloud.worlds.contract import briefing_of

HELP = (
    "Say what the robot should do, answer what it asks, or say stop, at any time. /state, /rules, /wait, /help, /quit."
)
_SUGGESTED = 6
"""How many requests `/help` suggests."""
_MORE = """\
A new request while it works replaces or changes the old one; stop makes it hold still at once.
Lines that arrive together (pasted, or from a pipe or a file) while it is idle are done one after another.
/state what the robot remembers of the world (with a preset that keeps a state, such as statler)
/rules what it does when a time or a condition comes, and what it must never do
/wait  read the next line only when the robot has finished or asks (for pipes and files)
/as    somebody else speaks: /as Anna (introduce people with --speaker Anna:nurse)
/quit  hold still and leave; Ctrl-C does the same when the robot is idle
/help  this"""


def _greeting(episode: Episode) -> list[str]:
    """What is in view, and what the guidelines offer, if there are any."""
    world, lines = episode.agent.world, []
    if episode.guidelines is not None:
        lines.append(f"The guidelines cover: {', '.join(episode.guidelines.options)}; and similar tasks.")
    if objects := world.observe().objects:
        lines.append(f"In view: {', '.join(objects)}.")
    return lines


_Line = tuple[str, Speaker | None]
"""What was said, and who said it."""


def _suggest(world: World) -> list[str]:
    """What people could say to this robot now."""
    try:
        tried = briefing_of(world).examples
        requests = [*tried, *(each for each in example_requests(world, _SUGGESTED) if each not in tried)][:_SUGGESTED]
    except Exception:  # the robot's own code: `thinkaloud check` tells what is wrong with it
        requests = []
    such_as = ", such as:" if requests else "."
    return [f"Say what the robot should do{such_as}", *(f"  {each}" for each in requests)]


class Conversation:
    """Passes on what a person says, and ends when they have nothing more to say.

    Requests that arrive together while the robot is idle are carried out one after another. What is said while it works
    reaches it at once. Waiting lines are passed on first, so that it hears everything in order; the last word counts.
    """

    def __init__(self, shown: ShownEpisode, lines: InputLines, people: Sequence[Speaker] = ()) -> None:
        """`people` talk to the robot; the first one speaks until another does."""
        self._people, self._speaker = people, next(iter(people), None)
        self._shown, self._episode, self._lines = shown, shown.episode, lines
        self._agent = shown.agent
        self._working: asyncio.Future[None] | None = None
        self._still_to_come: deque[_Line] = deque()
        self._latest = ""
        """The latest request."""
        self._one_by_one = False
        """Whether the lines that are arriving together began while the robot was idle."""
        self._leaving = self._over = False
        self._interrupted, self._asked = asyncio.Event(), asyncio.Event()
        self._episode.interrupts.on_signal = self._on_signal
        self._agent.person.speaking = lines.are_coming
        self._agent.monologue.listeners.append(self._on_event)

    async def run(self) -> int:
        """Talk until the person leaves. Returns the exit status."""
        self._tell_scene()
        getting_ready = asyncio.ensure_future(self._get_ready())
        watching = asyncio.ensure_future(self._agent.watch(self._busy, self._carry_out))
        try:
            await self._listen()
        finally:
            getting_ready.cancel()
            watching.cancel()
        self._tell_rules_that_end()
        status = await self._shown.finish()
        return 0 if self._agent.monologue.task_start() < 0 and self._episode.interrupts.status is None else status

    async def _get_ready(self) -> None:
        self._shown.progress.begin(GETTING_TO_KNOW)
        await self._agent.get_ready()
        if not self._busy():
            self._shown.progress.begin("")

    async def _listen(self) -> None:
        """Handle one line after another, then let the robot finish."""
        while not self._leaving:
            line = await self._next_line()
            if line is None:
                self._nobody_there()
                break
            if not line.in_one_go:
                self._one_by_one = not self._busy()
            await self._heed(line.text.strip())
        while self._busy():
            await self._pause()

    def _tell_scene(self) -> None:
        terminal = self._shown.terminal
        if terminal is not None:
            for told in _greeting(self._episode):
                terminal.note(told)
            terminal.note(HELP)

    async def _next_line(self) -> InputLine | None:
        hearing = asyncio.ensure_future(self._lines.get())
        leaving = asyncio.ensure_future(self._interrupted.wait())
        try:
            await asyncio.wait({hearing, leaving}, return_when=asyncio.FIRST_COMPLETED)
            if hearing.done():
                return hearing.result()
            self._leaving = True
            return InputLine("")
        finally:
            hearing.cancel()
            leaving.cancel()

    async def _heed(self, text: str) -> None:
        match text.lower():
            case "":
                return
            case word if word in QUIT:
                self._leaving = True
                self._stop("you left")
            case word if word == WAIT:
                await self._wait()
            case "/state":
                for remembered in self._state():
                    self._note(remembered)
            case "/rules":
                for rule in tell_all_rules(self._agent.monologue):
                    self._note(self._spoken(rule))
            case "/help":
                for explained in [*_suggest(self._agent.world), *_MORE.splitlines()]:
                    self._note(explained)
            case word if word.split()[0] == "/as":
                self._change_speaker(text[len("/as") :].strip())
            case word if word.startswith("/"):
                self._note(
                    f"Unknown command {text.split()[0]}; the commands are /state, /rules, /wait, /as, /help and /quit."
                )
            case _:
                self._hear(text)

    def _change_speaker(self, name: str) -> None:
        """From now on, somebody else speaks; only those who were introduced have a role."""
        found = next((each for each in self._people if each.name.casefold() == name.casefold()), None)
        if found is None:
            there = ", ".join(map(str, self._people)) or "nobody; begin the chat with --speaker NAME:ROLE"
            self._note(f"I do not know {name or 'who that is'}. The people here: {there}.", "yellow")
            return
        self._speaker = found
        self._note(f"{found} speaks now.")

    # what is said to the robot ----------------------------------------------------------------------------------------

    def _hear(self, text: str) -> None:
        """Pass a line on, now or in its turn; a stop never waits."""
        message = understand(text, asked=self._busy() and self._agent.asks())
        if isinstance(message, Stop):
            if self._busy():
                self._stop(message.because)
            else:
                self._note("The robot is idle.")
        elif isinstance(message, Request) and self._busy() and self._one_by_one:
            self._still_to_come.append((text, self._speaker))
        else:
            if isinstance(message, Request):
                self._tell_overtaken()
                self._say_what_was_to_come()
            self._say((text, self._speaker))

    def _say(self, line: _Line) -> None:
        """Send an answer or a change to the working robot, or else a new request."""
        busy, (text, by) = self._busy(), line
        try:
            if isinstance(understand(text, asked=busy and self._agent.asks()), Request):
                text = self._latest = self._agent.check(text)
            if busy:
                self._agent.say(text, by)
        except BadInput as error:
            self._note(str(error), "yellow")
            return
        if not busy:
            self._begin(self._agent.run(text, by))

    def _begin(self, work: Coroutine[Any, Any, End]) -> None:
        self._episode.interrupts.forget()
        self._working = asyncio.ensure_future(self._shown.attend(work))
        self._working.add_done_callback(self._ended)

    def _begin_rule(self) -> bool:
        """Begin what has come due meanwhile; it was said before anything that still waits for its turn."""
        due = [] if self._busy() else self._agent.due_rules()
        if due:
            self._carry_out(due[0])
        return self._busy()

    def _carry_out(self, rule: StandingRule) -> None:
        """Begin what a standing rule says; unless the chat is ending."""
        if not self._leaving and (not self._over or self._still_to_come):
            self._latest = because(rule)
            self._begin(self._agent.carry_out(rule))

    def _tell_rules_that_end(self) -> None:
        """Nobody watches the rules after the chat: say so, where some are left."""
        for rule in standing_of(self._agent.monologue):
            told = self._spoken(tell_rule(rule, self._agent.wall.date()))
            self._note(f"I am off now, so this will not be done: {told}", "yellow")

    def _tell_overtaken(self) -> None:
        """The last word counts. If a person speaks faster than the robot reads, say which lines it skipped."""
        if not self._busy():
            return
        said, unread = self._agent.monologue, self._unread()
        latest = said.last(Request)
        known = latest is not None and latest.text == self._latest
        if not known or said.where((Meaning, *DECISIONS, End), after=said.where(Request) or 0) is None:
            unread.insert(0, self._latest)
        if unread:
            self._note(f"I had not read {'; '.join(map(repr, unread))} yet; only your last line counts.")

    def _unread(self) -> list[str]:
        """The lines that wait for their turn."""
        return [text for text, _ in self._still_to_come]

    def _say_what_was_to_come(self) -> None:
        """Say which lines are dropped, so that none is lost silently."""
        while self._still_to_come:
            self._say(self._still_to_come.popleft())

    def _stop(self, because: str) -> None:
        if self._busy():
            if self._still_to_come:
                self._note(f"Not started, and dropped: {'; '.join(map(repr, self._unread()))}.", "yellow")
            self._say_what_was_to_come()
            self._agent.stop(because)

    def _state(self) -> list[str]:
        if self._agent.loop.mind.remember is None:
            return ["This preset keeps no state of the world; --preset statler does."]
        state = latest_state(self._agent.monologue)
        state = state if state.objects else state_of_scene(self._agent.world.observe())
        return render_state(state, prefix="").splitlines()

    def _busy(self) -> bool:
        return self._working is not None and not self._working.done()

    def _ended(self, _: object) -> None:
        """Print how the request ended, and continue with the waiting lines."""
        late = [message for message in self._agent.person.heard() if isinstance(message, Request | Answer)]
        self._still_to_come.extendleft((each.text, each.by) for each in reversed(late))
        if self._leaving or (self._over and not self._still_to_come):
            return  # the chat itself prints how it ended
        if self._episode.interrupts.caught not in (
            None,
            signal.SIGINT,
        ):  # somebody who ends the program does not want the next line read
            self._leaving = True
            self._interrupted.set()
            return
        self._episode.interrupts.forget()
        if self._shown.terminal is not None:
            self._shown.terminal.conclude()
        self._begin_rule()
        while self._still_to_come and not self._busy():
            self._say(self._still_to_come.popleft())

    def _on_event(self, event: Event) -> None:
        if isinstance(event.record, Ask):
            self._asked.set()
            if self._over:
                self._answer_from_the_rest()

    def _answer_from_the_rest(self) -> None:
        """Nobody is typing: the next waiting line is the answer."""
        if self._still_to_come:
            self._agent.say(*self._still_to_come.popleft())
        self._agent.person.present = not self._over or bool(self._still_to_come)

    def _nobody_there(self) -> None:
        """No more input will come."""
        self._over = True
        self._agent.person.present = bool(self._still_to_come)
        if self._busy() and self._agent.asks():
            if self._still_to_come:
                self._answer_from_the_rest()
            else:
                self._agent.stop("nobody is left to answer")

    async def _wait(self) -> None:
        """Wait until everything is done, also what has come due, or the robot asks what no waiting line answers."""
        while self._busy() or self._begin_rule():
            if self._agent.asks():
                if not self._still_to_come:
                    return
                self._answer_from_the_rest()
            await self._pause()

    async def _pause(self) -> None:
        """Wait until the robot has finished or asks something."""
        assert self._working is not None
        self._lines.heeded()
        self._asked.clear()
        asked: asyncio.Future[Any] = asyncio.ensure_future(self._asked.wait())
        try:
            await asyncio.wait([self._working, asked], return_when=asyncio.FIRST_COMPLETED)
        finally:
            asked.cancel()

    def _on_signal(self, name: str) -> None:
        if self._busy():
            self._stop(name)
        else:
            self._interrupted.set()

    def _spoken(self, text: str) -> str:
        """What the robot says, in a person's English."""
        speak = None if self._shown.terminal is None else self._shown.terminal.speak
        return text if speak is None else speak(text)

    def _note(self, text: str, style: str = "dim") -> None:
        if self._shown.terminal is not None:
            self._shown.terminal.note(text, style)
        else:
            complain(text)
