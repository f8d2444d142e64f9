"""An episode, ready to begin: one query after another to one robot, each judged at once, up to the first error."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import Any

from thinkaloud.loop import Limits
from thinkaloud.monologue import Monologue
from thinkaloud.records import End, Meaning, Started, Step, WorldState
from thinkaloud.skills.built_in_steps import SAY, STEPS
from thinkaloud.state.edits import supports
from thinkaloud.worlds import World
from thinkaloud_bench.contract import Item
from thinkaloud_bench.playing import Judged, Robot, Setup
from thinkaloud_bench.rows import CLAIMED
from thinkaloud_bench.statler.episodes import PutMove, Query, QueryEpisode
from thinkaloud_bench.statler.generating import draw_queries
from thinkaloud_bench.statler.judging import weights_of
from thinkaloud_bench.statler.replaying import happened, start
from thinkaloud_bench.statler.scoring import EpisodeScore, why_wrong
from thinkaloud_worlds.tabletop.statler_rules import DOMAINS, after_put
from thinkaloud_worlds.tabletop.statler_worlds import DomainWorld, scene_of

_LIMITS = Limits(steps=60)
_EXPERT = "code_as_policies"
"""What carries out the gold programs: the same loop, arm and checks as any other preset."""


def set_up_queries(item: Item) -> Setup:
    """The episode of a file, or else of the seed."""
    episode: QueryEpisode = item.episode or draw_queries(item.task, item.seed)
    world = open_episode_world(episode, item.seed)
    return asked_in(world, world, episode)


def asked_in(world: DomainWorld, known: World, episode: QueryEpisode) -> Setup:
    """An episode in its world, which the robot knows as `known`: the world itself, or what it is seen through."""
    person = Questioner(episode, world, known)
    answers = [gold_program(query) for query in episode.queries]
    return Setup(known, episode.id, person.judge, _EXPERT, _LIMITS, answers=answers, talk=person.talk)


@dataclass
class Questioner:
    """A person who asks one query after another, and knows what the right reaction is."""

    episode: QueryEpisode
    world: DomainWorld
    known: World
    _rights: list[bool] = field(default_factory=list)
    _details: list[dict[str, Any]] = field(default_factory=list)
    _because: str = ""
    _truth: WorldState = field(init=False)

    def __post_init__(self) -> None:
        self._truth = start(self.episode)

    async def talk(self, robot: Robot) -> End:
        """All the queries, or those up to the first whose reaction is wrong."""
        episode, said = self.episode, robot.agent.monologue
        if (told := _told(episode, self.known)) is not None:
            said.append(told)
        domain, weights, end = DOMAINS[episode.domain], weights_of(episode), End("answered", "")
        for query in episode.queries:
            if query.happens is not None:
                self.world.happens(**asdict(query.happens))
                self._truth = happened(domain, self._truth, query.happens)
            before = len(said)
            end = await robot.ask(query.text)
            refused = end.because if len(said) == before else ""  # it did not even begin
            moves, spoken = _reaction(said)
            self._because = refused or why_wrong(query, moves, spoken, self._truth, weights)
            self._details.append({"query": query.text, "moves": moves, "said": spoken, "wrong": self._because})
            self._rights.append(not self._because)
            for thing, target in moves:
                self._truth = after_put(domain, self._truth, thing, target)
            if self._because and not query.unsure:
                break
        return end

    def judge(self, said: Monologue, end: End) -> Judged:
        """What came of the queries; and whether things ended elsewhere than they were put."""
        score = EpisodeScore.of(self.episode, self._rights)
        slipped = supports(self.world.truth()) != supports(self._truth)
        return Judged(
            score.success,
            "" if score.success else self._because,
            "right" if score.success else "wrong",
            steps=sum(len(each["moves"]) for each in self._details),
            scores={**asdict(score), "queries": len(self._details), "slipped": float(slipped)}
            | {CLAIMED: float(end.result == "goal met")},
            details=self._details,
        )


def _told(episode: QueryEpisode, world: World) -> WorldState | None:
    """What the robot is told of the beginning besides what it sees; None where that is nothing."""
    initial, seen = episode.initial, world.observe().state
    if seen is None or not (initial.attributes or initial.facts):
        return None
    return replace(seen, attributes=initial.attributes, facts=initial.facts)


def _reaction(said: Monologue) -> tuple[list[PutMove], list[str]]:
    """What the robot moved, and what it said, for the latest query."""
    steps = [started.step for started in said.since(said.task_start(), Started) if not started.correcting]
    moves = [_move(step) for step in steps if step.skill not in STEPS]
    spoken = [str(step.arguments["text"]) for step in steps if step.skill == SAY]
    meaning = said.last(Meaning, after=said.task_start())
    if meaning is not None and meaning.sort == "answer":  # it is the answer to a question, and ends with that
        spoken += meaning.said
    return moves, spoken


def _move(step: Step) -> PutMove:
    """What a step put where; of a skill that puts something elsewhere than on a target, where it says."""
    thing, *where = map(str, step.arguments.values())
    return thing, str(step.arguments["target"]) if {*step.arguments} == {"object", "target"} else " ".join(where)


def gold_program(query: Query) -> str:
    """The right reaction as a program."""
    lines = [f"put_first_on_second({thing!r}, {target!r})" for thing, target in query.actions]
    return "\n".join([*lines, *([f"say({query.say!r})"] if query.say is not None else [])]) or "noop()"


def open_episode_world(episode: QueryEpisode, seed: int) -> DomainWorld:
    """The episode's world, as it is before the first query."""
    truth = episode.truth
    scene = scene_of(episode.initial, seed, episode.domain, truth.weights if truth else {})
    world = DomainWorld(episode.domain, scene)
    world.reset(seed)
    if truth is not None:
        world.set_truth(truth.dirty, truth.clean)
    return world


def by_task(episodes: Sequence[QueryEpisode]) -> dict[str, list[QueryEpisode]]:
    """Episodes by their domain."""
    found: dict[str, list[QueryEpisode]] = {}
    for episode in episodes:
        found.setdefault(episode.domain, []).append(episode)
    return found
