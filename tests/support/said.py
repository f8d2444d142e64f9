"""A robot to speak with, and two ways to try it: what a program means, and what comes of a conversation.

meaning = meaning_of('water([p for p in plants if not wet(p)])')
talk = Talk(['water("fern")', "undo()"])      # a scripted model: its answers are programs
talk.say("Water the fern.")
assert talk.ends == ["goal met"]
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from typing import Any

from thinkaloud.agent import Agent
from thinkaloud.converse.inbox import Inbox
from thinkaloud.episode.told_rules import kept_of
from thinkaloud.models import Scripted
from thinkaloud.monologue import Event
from thinkaloud.program.lexicon import lexicon_of
from thinkaloud.records import Answer, Ask, End, Meaning, Message, Question, Request, Started, WorldState
from thinkaloud.robots.text_file import TextFileWorld
from thinkaloud.understand.meaning.circumstances import Circumstances, Story
from thinkaloud.understand.meaning.running import run_program
from thinkaloud.worlds import World
from thinkaloud.worlds.full_world import FullWorld

GARDEN = """\
name = "garden"
about = "A robot waters plants, and opens and closes the windows."

[kinds]
plant = ["fern", "rose", "cactus"]
window = ["left window", "right window"]
lamp = ["lamp"]

[skills.water]
says = "Water the {plant}."
doc = "Pour water over a plant."
parameters = { plant = "plant" }
needs = ["filled()"]
makes = ["wet({plant})"]

[skills.fill_can]
says = "Fill the can."
doc = "Fill the can at the tap."
makes = ["filled()"]

[skills.switch]
says = "Switch the {lamp} {state}."
doc = "Switch a lamp on or off."
parameters = { lamp = "lamp", state = ["on", "off"] }
makes = { on = ["shines({lamp})"] }
ends = { off = ["shines({lamp})"] }

[skills.open]
says = "Open the {window}."
doc = "Open a window."
parameters = { window = "window" }
hidden = { needs = ["not stuck({window})"], says = "The handle is stuck." }
makes = ["is_open({window})"]

[skills.close]
says = "Close the {window}."
doc = "Close a window."
parameters = { window = "window" }
ends = ["is_open({window})"]

[skills.oil]
says = "Oil the {window}."
doc = "Oil the handle of a window."
parameters = { window = "window" }
ends = ["stuck({window})"]

[skills.whistle]
says = "Whistle a tune."
doc = "Whistle."

[skills.prune]
says = "Prune the {plant} by {centimetres} centimetres."
doc = "Cut a plant back."
parameters = { plant = "plant", centimetres = "number" }

[relations.wet]
says = "{plant} is wet."
doc = "Whether a plant was watered."
parameters = { plant = "plant" }

[relations.filled]
says = "The can is filled."
doc = "Whether there is water in the can."

[relations.shines]
says = "{lamp} is on."
doc = "Whether a lamp shines."
parameters = { lamp = "lamp" }

[relations.is_open]
says = "{window} is open."
doc = "Whether a window is open."
parameters = { window = "window" }

[relations.stuck]
says = "The handle of the {window} is stuck."
doc = "Whether the handle of a window does not move."
parameters = { window = "window" }

[values.height]
says = "the height of the {plant} in centimetres"
doc = "How high a plant is."
parameters = { plant = "plant" }

[start]
facts = ["wet(cactus)", "filled()"]
values = ["height(fern) = 40", "height(rose) = 70", "height(cactus) = 15"]
"""
"""Plants, of which the cactus is wet; two windows that are closed; a lamp that is off; the can is filled."""


def garden(*facts: str, name: str = "garden", **replaced: str) -> TextFileWorld:
    """The garden with these facts at the start (as it is, where none are given), and texts of its file replaced."""
    text = GARDEN.replace('name = "garden"', f'name = "{name}"')
    if facts:
        listed = ", ".join(f'"{fact}"' for fact in facts if fact)
        text = text.replace('facts = ["wet(cactus)", "filled()"]', f"facts = [{listed}]")
    for old, new in replaced.items():
        assert old in text, old
        text = text.replace(old, new)
    return TextFileWorld(text)


def meaning_of(
    program: str,
    world: World | str | None = None,
    *,
    kept: tuple[str, ...] = (),
    past: Mapping[str, WorldState | None] | None = None,
    story: Story = Story(),  # noqa: B008
) -> Meaning:
    """What a program comes to for a robot as it is; the robot may be the text of its file."""
    opened = garden() if world is None else TextFileWorld(world) if isinstance(world, str) else world
    whole = FullWorld(opened)
    before = whole.snapshot()
    scene = whole.observe()
    at = Circumstances(whole, scene, lexicon_of(whole, scene, kept=kept), past or {}, story)
    try:
        return run_program(program, at)
    finally:
        assert whole.snapshot() == before, "something moved"


def question_of(meaning: Meaning) -> Question:
    """The question that was understood to be necessary."""
    assert isinstance(meaning.content, Question), meaning
    return meaning.content


_HANGS = 100.0
"""Seconds."""


class Talk:
    """A conversation with a robot whose model answers with these programs; a person says what comes at which event.

    `during` is asked at every event what a person says there: a text, a message, or nothing.
    """

    def __init__(
        self,
        programs: list[str] | Callable[[str], str],
        world: World | None = None,
        *,
        preset: str = "thinkaloud:confirm=never",
        answers: tuple[str, ...] = (),
        during: Callable[[Event], str | Message | None] | None = None,
        present: bool | None = None,
        scores: Mapping[str, float] | None = None,
        **more: Any,
    ) -> None:
        self.world: Any = garden() if world is None else world
        self.model = Scripted(programs, scores=scores)
        self._answers, self._during = list(answers), during
        person = Inbox(present=bool(answers) if present is None else present)
        self.agent = Agent(self.world, self.model, preset, person=person, listeners=[self._hear], **more)

    def _hear(self, event: Event) -> None:
        if isinstance(event.record, Ask) and self._answers:
            self.agent.person.say(Answer(self._answers.pop(0)))
        said = self._during(event) if self._during is not None else None
        if said is not None:
            self.agent.person.say(Request(said) if isinstance(said, str) else said)

    def say(self, *requests: str) -> End:
        """Say these, one after another, each when the one before is over; how the last of them ended."""
        end: End | None = None
        for request in requests:
            end = asyncio.run(asyncio.wait_for(self.agent.run(request), _HANGS))  # it asks, and no answer is left
        assert end is not None
        return end

    def all(self, kind: type[Any]) -> list[Any]:
        """The records of a kind."""
        return self.agent.monologue.since(None, kind)

    @property
    def ends(self) -> list[str]:
        """How everything ended."""
        return [end.result for end in self.all(End)]

    @property
    def steps(self) -> list[str]:
        """What was begun, in words."""
        return [started.step.words for started in self.all(Started)]

    @property
    def kept(self) -> list[str]:
        """What is left alone from now on."""
        return kept_of(self.agent.monologue)


def when_begun(words: str, *said: str | Message) -> Callable[[Event], str | Message | None]:
    """Who says these, one after another, each when a step with these words is begun."""
    left = list(said)

    def during(event: Event) -> str | Message | None:
        begun = isinstance(event.record, Started) and event.record.step.words == words
        return left.pop(0) if begun and left else None

    return during


def deeds(program: str, **more: object) -> list[str]:
    """What a program has done, in words."""
    return [step.words for step in meaning_of(program, **more).deeds]  # type: ignore[arg-type]
