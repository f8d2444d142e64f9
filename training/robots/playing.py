"""What the meanings of the corpus come to: each program is run against its robot, as the stage would run it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from thinkaloud.errors import Unparseable
from thinkaloud.execute.sandbox import Sandbox
from thinkaloud.records import Meaning, WorldState
from thinkaloud.understand.lexicon import Lexicon, lexicon_of
from thinkaloud.understand.prompt import PastTurn
from thinkaloud.understand.running import Circumstances, Story, run_program
from thinkaloud.worlds.described import Described
from training.robots.reading import Conversation, Robot, Said

_STORY = Story(("I did what you asked.",), ("Then I do the rest.",), ("Because you asked for it.",))
"""What a robot of the corpus would tell about itself: nothing is done here, only understood."""


@dataclass(frozen=True)
class Understood:
    """Something that was said, all that the stage would show with it, and what its program comes to."""

    said: Said
    at: Circumstances
    earlier: tuple[PastTurn, ...]
    meaning: Meaning

    @property
    def lexicon(self) -> Lexicon:
        """What there is to speak of."""
        return self.at.lexicon


def play(robot: Robot, conversation: Conversation, sandbox: Sandbox) -> Iterator[Understood]:
    """What each turn of a conversation comes to; Unparseable with its line where that cannot be run."""
    world = Described(robot.described)
    scene = world.observe()
    state = scene.state or WorldState()
    past = {"before": state, "at_start": state}
    notes, kept = list(robot.told), list(robot.kept)
    earlier: list[PastTurn] = []
    for said in conversation.turns:
        at = Circumstances(world, scene, lexicon_of(world, scene, notes=notes, kept=kept), past, _STORY)
        try:
            meaning = run_program(said.program, at, sandbox)
        except Unparseable as error:
            raise Unparseable(f"{robot.name}.txt:{said.line}: {said.words!r}: {error}", said.program) from error
        yield Understood(said, at, tuple(earlier), meaning)
        earlier.append(PastTurn(said.words, said.program))
        notes += [each for each in meaning.notes if each not in notes]
        kept = [each for each in kept if each not in meaning.freed]
        if meaning.lasting:
            kept += [each for each in meaning.kept if each not in kept]
