"""An episode on the command line: show it as it happens, then save the film and print the result."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable

from thinkaloud.cli.progress import Progress
from thinkaloud.cli.run_summary import Tally
from thinkaloud.cli.terminal import Terminal
from thinkaloud.episode.person_english import PersonEnglish
from thinkaloud.errors import ThinkaloudError
from thinkaloud.models.registry import is_served
from thinkaloud.records import Ask, End, Meaning, ModelCall, Request
from thinkaloud.staging.episode import Episode, EpisodeViewer
from thinkaloud.staging.opening import ModelOpener, open_chosen_model
from thinkaloud.untrusted.output import complain


def progress_of(view: EpisodeViewer | None) -> Progress:
    """What tells the progress of an episode with this view."""
    return Progress(view if isinstance(view, Terminal) and view.console.is_terminal else None)


def opener_of(progress: Progress) -> ModelOpener:
    """What opens models, with their loading told as progress."""
    return ModelOpener(open_chosen_model, begin=progress.begin)


class ShownEpisode:
    """An episode shown on the command line: call `attend`, then `finish`."""

    def __init__(self, episode: Episode, progress: Progress) -> None:
        self.episode, self.agent, self.progress, self.trouble = episode, episode.agent, progress, ""
        self.terminal = episode.view if isinstance(episode.view, Terminal) else None
        """None if standard output is for JSON."""
        if self.terminal is not None:
            self.terminal.speak = PersonEnglish(self.agent.world)
        self.tally = Tally()
        for event in self.agent.monologue:
            self.tally.count(event.record)
        self.agent.monologue.listeners += [lambda event: self.tally.count(event.record), progress.hear]
        self.agent.reading_listeners.append(progress.read)
        progress.begin("")

    async def attend(self, working: Awaitable[object]) -> None:
        """Show what the robot does until it has finished."""
        try:
            await working
        except ThinkaloudError as error:  # a full disk, for example; reported, not raised
            self.trouble = str(error)

    async def finish(self) -> int:
        """Save the film, and print where everything is and how the run ended. Returns the exit status."""
        if self.episode.session is not None and self.agent.monologue.task_start() < 0:  # no request: nothing to replay
            self.episode.session.discard()
            self.episode.session = None
        if self.terminal is not None:
            self.terminal.rest()
        self.progress.begin("Drawing the film" if self.episode.film is not None else "")
        for text in [*await self._filmed(), *self._cost(), *self._remembered(), *self._unanswered()]:
            if self.terminal is not None:
                self.terminal.note(text)
            else:
                complain(text)
        if self.terminal is not None:
            self.terminal.conclude(self.trouble)
        elif self.trouble:
            complain(f"Not met: {self.trouble}")
        return self.episode.interrupts.status or (0 if self.tally.good and not self.trouble else 1)

    def _cost(self) -> list[str]:
        """What the request cost, if its model is asked over the network."""
        call = self.agent.monologue.last(ModelCall)
        served = call is not None and is_served(call.model) and self.tally.cost.calls
        return [self.tally.cost.words("Model")] if served else []

    def _unanswered(self) -> list[str]:
        """How to answer the question that ended an unattended run."""
        said = [event.record for event in self.agent.monologue][-2:]
        asked = len(said) == 2 and isinstance(said[0], Ask) and isinstance(said[1], End) and said[1].result == "failed"
        if not asked:
            return []
        meant = self.agent.monologue.last((Meaning, Request))
        guessed = isinstance(meant, Meaning) and [each.program for each in meant.readings[:1]] == [meant.program]
        otherwise = ", or pass --confirm never to act on the likeliest reading" if guessed else ""
        return [f"To answer, use thinkaloud chat with the same options{otherwise}."]

    async def _filmed(self) -> list[str]:
        if self.episode.film is None or not len(self.episode.film):
            return []
        try:
            saved = await asyncio.to_thread(self.episode.film.save, self.episode.film_path)
        except OSError as error:
            return [f"The film could not be written to {self.episode.film_path}: {error.strerror or error}."]
        drawn = f"{saved.frames} frames, drawn in {saved.seconds:.1f} s"
        return [f"Film: {saved.film} ({drawn}); last frame: {saved.picture.name}"]

    def _remembered(self) -> list[str]:
        if self.episode.session is None:
            return []
        again = f"thinkaloud replay {self.episode.session.id}"
        if self.tally.end is None and self.agent.monologue.task_start() >= 0:
            again += f", or resume it with: thinkaloud resume {self.episode.session.id}"
        return [f"Session {self.episode.session.id}. Replay it with: {again}"]
