"""What the meanings of the corpus come to: each program is run against its robot, as the stage would run it."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from thinkaloud.agent import own_guidelines
from thinkaloud.episode.told_rules import add_standing
from thinkaloud.errors import Unparseable
from thinkaloud.guidelines.summary import tell_guidelines
from thinkaloud.perceive.when_to_look import relations_in
from thinkaloud.program.lexicon import Lexicon, lexicon_of
from thinkaloud.records import Meaning, Noted, Observation, Rule, StandingRule, WorldState
from thinkaloud.skills.rules import add_rules
from thinkaloud.understand.meaning.circumstances import Circumstances, Story
from thinkaloud.understand.meaning.referents import mentioned_in
from thinkaloud.understand.meaning.running import run_program
from thinkaloud.understand.prompting.prompt import ASKED, PastTurn
from thinkaloud.understand.relevant import find_relevant
from thinkaloud.understand.replies import option_named
from thinkaloud.worlds.contract import World
from training.robots.reading import Conversation, Robot, Said

_STORY = Story(("I did what you asked.",), ("Then I do the rest.",), ("Because you asked for it.",))
"""What a robot of the corpus would tell about itself: nothing is done here, only understood."""

NOON = datetime(2026, 11, 18, 12)
"""When everything in the corpus is said: a Wednesday."""


class Speaking:
    """What there is to speak of with a robot when something was said; made once for what comes to the same."""

    def __init__(self, world: World, scene: Observation) -> None:
        self.world, self.scene = world, scene
        self._guidelines = own_guidelines(world)
        self._made: dict[Hashable, Lexicon] = {}

    def lexicon(self, said: Sequence[str], notes: Sequence[str], kept: Sequence[str], *, shown: bool) -> Lexicon:
        """All of it when this was said, the latest last, or what a model would be shown of it."""
        about = find_relevant(self.world, self.scene, said[-3:]) if shown else None
        guidelines = tell_guidelines(self._guidelines, said[-1] if said else "")
        key = (None if about is None else tuple(about), guidelines, tuple(notes), tuple(kept))
        if key not in self._made:
            self._made[key] = lexicon_of(
                self.world, self.scene, notes=notes, kept=kept, about=about, guidelines=guidelines
            )
        return self._made[key]


@dataclass(frozen=True)
class Understood:
    """Something that was said, all that the stage would show with it, and what its program comes to."""

    said: Said
    at: Circumstances
    earlier: tuple[PastTurn, ...]
    meaning: Meaning
    shown: Lexicon
    """What of it a model would be shown."""
    others: tuple[Meaning, ...] = ()
    """What else was offered, where it was asked about and nothing was done."""

    @property
    def lexicon(self) -> Lexicon:
        """What there is to speak of."""
        return self.at.lexicon


def play(robot: Robot, conversation: Conversation, speaking: Speaking | None = None) -> Iterator[Understood]:
    """What each turn of a conversation comes to; Unparseable with its line where that cannot be run.

    `speaking` is the robot if it is open already.
    """
    speaking = speaking or Speaking(world := robot.open(), world.observe())
    world, scene = speaking.world, speaking.scene
    state = scene.state or WorldState()
    if any(f"{when}(" in said.program for said in conversation.turns for when in ("before", "at_start")):
        state = relations_in(world, scene)  # as the preset keeps it
    past = {"before": state, "at_start": state}
    notes, kept, rules = list(robot.told), list(robot.kept), tuple[Rule, ...]()
    standing: tuple[StandingRule, ...] = ()
    earlier: list[PastTurn] = []
    mentioned: tuple[tuple[str, ...], ...] = ()
    asked: Meaning | None = None
    for said in conversation.turns:
        if asked is not None:
            said = replace(said, words=option_named(said.words, asked))
        words = [*(turn.request for turn in earlier), said.words]
        lexicon = speaking.lexicon(words, notes, kept, shown=False)
        at = Circumstances(
            *(world, scene, lexicon, past, _STORY),
            mentioned=mentioned,
            known=robot.sorts,
            rules=rules,
            standing=standing,
            now=NOON,
        )
        where = f"{robot.name}.txt:{said.line}: {said.words!r}"
        if earlier and earlier[-1].came == ASKED and said.program.startswith("undo("):
            raise Unparseable(f"{where}: nothing was done yet that could be taken back: it was asked about")
        try:
            meaning, *others = (run_program(each, at) for each in said.offered or (said.program,))
        except Unparseable as error:
            raise Unparseable(f"{where}: {error}", said.program) from error
        shown = speaking.lexicon(words, notes, kept, shown=True)
        yield Understood(said, at, tuple(earlier), meaning, shown, tuple(others))
        came = ASKED if said.offered or meaning.sort == "question" else ""
        asked = meaning if came and not said.offered else None
        earlier.append(PastTurn(said.words, said.program, came, said.offered, meaning.meant))
        if found := mentioned_in(meaning, lexicon):
            mentioned = (found, *mentioned)
        if said.offered:
            continue
        notes += [each for each in meaning.notes if each not in notes]
        kept = [each for each in kept if each not in meaning.freed]
        lasting = isinstance(meaning.content, Noted)
        rules = add_rules(rules, [rule for rule in meaning.rules if lasting or rule.allowed])
        standing = add_standing([each for each in standing if each not in meaning.forgotten], meaning.standing)
        if lasting:
            kept += [each for each in meaning.kept if each not in kept]
