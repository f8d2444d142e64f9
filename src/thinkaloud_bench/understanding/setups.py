"""A request, ready to be made: its world as the file has it, the person who says it, and the judge."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import Any

from thinkaloud.converse.inbox import Inbox, understand
from thinkaloud.errors import BadInput
from thinkaloud.loop import Mind
from thinkaloud.monologue import Event, Monologue
from thinkaloud.records import DECISIONS, WEIGHED, Answer, Ask, End, Meaning, ModelCall, Outcome, Request, Started
from thinkaloud.robots import open_world
from thinkaloud.robots.text_file import TextFileWorld
from thinkaloud.skills.built_in_steps import STEPS
from thinkaloud.worlds import World
from thinkaloud_bench.contract import Item, OpenedModel, Played
from thinkaloud_bench.playing import Judged, Robot, Setup, play_episode, played_as
from thinkaloud_bench.robustness.shuffling import Shuffled, ShuffledProgress
from thinkaloud_bench.understanding.endings import has_asked
from thinkaloud_bench.understanding.immovable import Immovable
from thinkaloud_bench.understanding.judging import Found, Judge
from thinkaloud_bench.understanding.material import Episode, Material, Spoken, find_material
from thinkaloud_bench.understanding.true_state import take_state

_EXPERT = "inner_monologue"  # nobody plays the ceiling here
_Kinds = (Meaning, *DECISIONS)


async def play_request(item: Item, model: OpenedModel) -> Played:
    """One request, to its end. A preset that cannot be put together for this robot has failed."""
    setup = set_up_request(item)
    try:
        return await play_episode(item, model, setup)
    except BadInput as error:
        spoken = _episode(item).spoken
        detail = {"outcome": "failed", "expect": spoken.expect, "tags": list(spoken.tags), "why": str(error)}
        return played_as(
            item,
            [],
            success=False,
            seconds=0.0,
            model=model().name,
            request=spoken.text,
            result="failed",
            because=str(error),
            scores={"failed": 1.0},
            details=[detail],
        )


def _episode(item: Item) -> Episode:
    return item.episode or Episode(find_material(item.task), item.index)


def set_up_request(item: Item) -> Setup:
    """The request of a file of one's own, or of one that is shipped."""
    episode = _episode(item)
    spoken, world = episode.spoken, open_material(episode.material, episode.spoken)
    immovable = Immovable(world) if spoken.hint else None
    seen = immovable or (Shuffled(world, spoken.shuffle) if spoken.shuffle else world)
    person = Speaker(spoken, Judge(world, spoken, take_state(world)), immovable)
    return Setup(
        seen,
        spoken.text,
        person.judge,
        _EXPERT,
        talk=person.talk,
        person=person.inbox,
        listeners=[person.hear],
        change=_in_another_order(spoken.shuffle) if spoken.shuffle else None,
    )


def _in_another_order(number: int) -> Callable[[Mind], Mind]:
    return lambda mind: replace(mind, perceive=ShuffledProgress(mind.perceive, number))


def open_material(material: Material, spoken: Spoken | None = None) -> World:
    """The robot, or the world, as it is before a request."""
    if not material.world:
        return TextFileWorld(material.text)
    scene, seed = material.scene, material.seed
    if spoken is not None:
        scene = spoken.scene or scene
        seed = seed if spoken.seed is None else spoken.seed
    world = open_world(material.world, scene=scene)
    world.reset(seed)
    return world


@dataclass
class Speaker:
    """Who says the turns, each when the one before is over; a question gets the next turn as its answer, if any.

    What is to be said amid the work is said when a step has begun; a hint, when what cannot be moved was tried.
    """

    spoken: Spoken
    judges: Judge
    immovable: Immovable | None = None
    inbox: Inbox = field(default_factory=Inbox)
    _left: list[str] = field(default_factory=list)
    _amid: list[str] = field(default_factory=list)
    _after: int = -1
    _robot: Robot | None = None
    _hinted: bool = False

    async def talk(self, robot: Robot) -> End:
        """All the turns."""
        self._robot, self._left, self._amid = robot, list(self.spoken.turns), list(self.spoken.amid)
        end = End("answered", "")
        while self._left:
            turn = self._next()
            self._begin(len(robot.agent.monologue) - 1)
            end = await robot.ask(turn)
        return end

    def _begin(self, after: int) -> None:
        """A turn begins; what was so before the last of them is remembered."""
        self._after = after
        if len(self.spoken.turns) > 1 and len(self._left) <= 1:
            self.judges.between = take_state(self.judges.world)

    def _next(self) -> str:
        turn = self._left.pop(0)
        self.inbox.present = bool(self._left)  # nobody answers when all has been said
        return turn

    def hear(self, event: Event) -> None:
        """Answer a question, if there is something left to say; speak amid a step, if that is wanted."""
        match event.record:
            case Ask(approval=approval) if self._left:
                self._begin(event.index)
                self.inbox.say(Answer("yes") if approval else understand(self._next(), asked=True))
            case Started(step) if self._amid and step.skill not in STEPS:
                self._interject(self._amid.pop(0), event.index)
            case Outcome(step, "failed") if self.immovable is not None and not self._hinted:
                self._hinted = True
                self._interject(self.spoken.hint.format(thing=self.immovable.thing), event.index)

    def _interject(self, text: str, at: int) -> None:
        """Say something in the middle of the work; what cannot even be heard as a request changes nothing."""
        assert self._robot is not None
        self._begin(at)
        with suppress(BadInput):
            self._robot.agent.say(text)

    def judge(self, said: Monologue, end: End) -> Judged:
        """What came of it."""
        found = self.judges.find(said, self._after, end)
        return Judged(
            found.outcome == "right",
            f"{found.outcome}: {found.why}",
            scores=_scores(self.spoken, said, found),
            details=[_details(self.spoken, said, found, end)],
        )


def _scores(spoken: Spoken, said: Monologue, found: Found) -> Mapping[str, float]:
    scores = {
        found.outcome: 1.0,
        "helped": float(has_asked(said)),
        "understood_in": _seconds_to_decide(said),
        "may_ask": float("ask" in spoken.accepted),
        "acted": float(found.ending.kind == "done" and any(map(_passes, said.since(None, Meaning)))),
    }
    sure = [meaning.sure for meaning in said.since(None, Meaning) if meaning.sure is not None]
    return {**scores, "sure": min(sure)} if sure else scores


def _passes(meaning: Meaning) -> bool:
    """Whether it would be taken for granted: only then is it worth asking whether that was meant."""
    return meaning.sort in WEIGHED


def _details(spoken: Spoken, said: Monologue, found: Found, end: End) -> dict[str, Any]:
    meanings = said.since(None, Meaning)
    return {
        "outcome": found.outcome,
        "expect": spoken.expect,
        "tags": list(spoken.tags),
        "why": found.why,
        "said": found.ending.words,
        "ended": found.ending.kind,
        "end": end.because,
        "sorts": [meaning.sort for meaning in meanings],
        "programs": [meaning.program for meaning in meanings],
        "words": [meaning.words for meaning in meanings],
        "sure": [meaning.sure for meaning in meanings],
        "asked": [question for ask in said.since(None, Ask) for question in ask.questions],
    }


def _seconds_to_decide(said: Monologue) -> float:
    """Thinking time from a request to the first decision about it, on average over the turns."""
    spent, thinking, turns = 0.0, False, 0
    for event in said:
        match event.record:
            case Request():
                thinking, turns = True, turns + 1
            case ModelCall(seconds=seconds) if thinking:
                spent += seconds
            case record if isinstance(record, _Kinds):
                thinking = False
    return round(spent / max(turns, 1), 3)
