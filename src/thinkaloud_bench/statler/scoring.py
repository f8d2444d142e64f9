"""Whether a query was carried out rightly, and what an episode counts for.

A query is right when the moves are the right ones, in any order, and the answer agrees. What is already where it should
be need not be moved again. Where a weight is to be matched, it is right when that is reached. An episode is over at its
first failure.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from thinkaloud.records import WorldState
from thinkaloud.state.edits import TABLE, is_cover, supports
from thinkaloud.state.weights import KnownWeights
from thinkaloud_bench.statler import judging
from thinkaloud_bench.statler.answers import agrees, numbers, yes_or_no
from thinkaloud_bench.statler.episodes import PutMove, Query, QueryEpisode
from thinkaloud_bench.statler.spelling import canonical
from thinkaloud_worlds.tabletop.statler_rules import DOMAINS, after_put


def right(
    query: Query, moves: Sequence[PutMove], said: Sequence[str], before: WorldState, weights: KnownWeights | None = None
) -> bool:
    """Whether moves and answer are right for a query; `before` is the true state when it came.

    `weights` (see `judging.weights_of`) are needed where a command may be carried out in several ways.
    """
    return not why_wrong(query, moves, said, before, weights)


def why_wrong(
    query: Query, moves: Sequence[PutMove], said: Sequence[str], before: WorldState, weights: KnownWeights | None = None
) -> str:
    """What is wrong with moves or answer, in words; empty if they are right."""
    if not _right_moves(query, moves, before, weights):
        return f"moved {_listed(moves)}, right was {_listed(query.actions)}"
    if query.say is not None and not _right_answer(query, said, before.objects):
        return (
            f"said {' / '.join(said)!r}, right was {query.say!r}" if said else f"said nothing, right was {query.say!r}"
        )
    return ""


def _right_moves(
    query: Query, moves: Sequence[PutMove], before: WorldState, weights: KnownWeights | None = None
) -> bool:
    """Whether the moves are those of the query or others that do as well."""
    made = _multiset(moves, before)
    for gold in (query.actions, *query.accept):
        wanted = _multiset(gold, before)
        if made <= wanted and wanted - made <= _multiset(_idle(gold, before), before):
            return True
    if weights is None or not moves or not judging.is_about_weight(query):
        return False
    goal = judging.goal_of(query, before, weights)
    if goal is None:
        return judging.as_heavy(before, moves, query.actions, weights)
    blocks = {canonical(thing).rpartition(" ")[2] for thing, _ in query.actions}
    allowed = all(canonical(thing).rpartition(" ")[2] in blocks for thing, _ in moves)
    return allowed and judging.is_met(goal, before, moves, weights)


def _right_answer(query: Query, said: Sequence[str], things: Sequence[str] = ()) -> bool:
    """Whether the last thing said is the right answer, or all that was said together is."""
    if query.say is None:
        return True
    texts = [text for text in said if text.strip()]
    if not texts:
        return False
    if agrees(query.say, texts[-1], query.text, things):
        return True
    listed = yes_or_no(query.say) is None and not numbers(query.say)
    return listed and agrees(query.say, " and ".join(texts), query.text, things)


def _multiset(moves: Sequence[PutMove], state: WorldState) -> Counter[PutMove]:
    return Counter((canonical(thing, state.objects), canonical(target, state.objects)) for thing, target in moves)


def _idle(moves: Sequence[PutMove], state: WorldState) -> list[PutMove]:
    """Those of some moves, carried out in order, that put a thing where it is already."""
    found: list[PutMove] = []
    names = {canonical(thing): thing for thing in state.objects}
    domain = DOMAINS["cups" if any(map(is_cover, state.objects)) else "pick_and_place"]
    for move in moves:
        thing, target = (names.get(canonical(each, state.objects), TABLE) for each in move)
        if supports(state).get(thing, TABLE) == target:
            found.append(move)
        elif thing != TABLE:
            state = after_put(domain, state, thing, target)
    return found


def _listed(moves: Sequence[PutMove]) -> str:
    return ", ".join(f"{thing} to {target}" for thing, target in moves) or "nothing"


@dataclass(frozen=True, slots=True)
class EpisodeScore:
    """What an episode counts for; `right` are the steps before the first failure, of `steps` that are scored at all.

    What was tried, temporal or not, is counted up to and including the first failure.
    """

    right: int
    steps: int
    temporal_right: int = 0
    temporal_tried: int = 0
    other_right: int = 0
    other_tried: int = 0

    @property
    def success(self) -> bool:
        """Whether all steps were right."""
        return self.right == self.steps

    @classmethod
    def of(cls, episode: QueryEpisode, rights: Sequence[bool]) -> EpisodeScore:
        """The score of what came of the queries, in order; those that are missing at the end were not reached."""
        done, tried, good = 0, Counter[bool | None](), Counter[bool | None]()
        for query, was_right in zip(episode.queries, rights, strict=False):
            if query.unsure:
                continue
            tried[query.temporal] += 1
            if not was_right:
                break
            good[query.temporal] += 1
            done += 1
        steps = sum(not query.unsure for query in episode.queries)
        return cls(done, steps, good[True], tried[True], good[False], tried[False])
