"""Generated episodes: what holds for all of them."""

from __future__ import annotations

import random
import re
from collections.abc import Sequence
from functools import cache

import pytest

from thinkaloud.errors import UnknownName
from thinkaloud.records import WorldState
from thinkaloud.state.contradictions import contradictions
from thinkaloud.state.edits import GROUND, is_container, is_cover, supports
from thinkaloud.state.weights import KnownWeights
from thinkaloud_bench.statler import judging
from thinkaloud_bench.statler.answers import agrees, numbers, yes_or_no
from thinkaloud_bench.statler.episodes import QueryEpisode
from thinkaloud_bench.statler.generating import draw_queries, draw_with_templates
from thinkaloud_bench.statler.reading import read_queries
from thinkaloud_bench.statler.replaying import carried_out, start
from thinkaloud_bench.statler.scoring import EpisodeScore, right
from thinkaloud_bench.statler.vocabulary import DRAWN_COLOURS
from thinkaloud_bench.statler.writing import dump_episodes
from thinkaloud_worlds.tabletop.statler_rules import DOMAINS, after_put, must_go_first

SEEDS = (*range(80), *range(100_000, 100_005))
EACH = pytest.mark.parametrize("domain", DOMAINS)


@cache
def drawn(domain: str) -> tuple[tuple[QueryEpisode, Sequence[str]], ...]:
    """Episodes, each with what its queries were said by."""
    return tuple(draw_with_templates(domain, seed) for seed in SEEDS)


@cache
def episodes(domain: str) -> tuple[QueryEpisode, ...]:
    return tuple(episode for episode, _ in drawn(domain))


def states(episode: QueryEpisode) -> list[WorldState]:
    """The true state before each query, and the one at the end."""
    found = [start(episode)]
    for query in episode.queries:
        found.append(carried_out(DOMAINS[episode.domain], found[-1], query))
    return found


@EACH
def test_the_same_seed_gives_the_same_episode_and_others_give_others(domain: str) -> None:
    assert [draw_queries(domain, seed) for seed in SEEDS[:5]] == [*episodes(domain)[:5]]
    assert len({dump_episodes([episode]) for episode in episodes(domain)}) == len(SEEDS)


def test_a_domain_has_to_be_one() -> None:
    with pytest.raises(UnknownName):
        draw_queries("chess", 0)


@EACH
def test_an_episode_has_the_papers_size(domain: str) -> None:
    for episode in episodes(domain):
        names = episode.initial.objects
        boxes = [name for name in names if (is_container(name) or is_cover(name)) and name != "disinfector"]
        assert 5 <= len(episode.queries) <= 16
        assert any(query.temporal for query in episode.queries)
        assert 2 <= len(boxes) <= 3
        assert 4 <= len([n for n in names if not is_container(n) and not is_cover(n)]) <= 6
        assert ("disinfector" in names) == (domain == "disinfection")
    assert {len(episode.queries) for episode in episodes(domain)} >= set(range(7, 14))


@pytest.mark.sampled(2)
@EACH
def test_gold_can_be_carried_out_and_leaves_no_contradiction(domain: str) -> None:
    rules = DOMAINS[domain]
    for episode in episodes(domain):
        for state, query in zip(states(episode), episode.queries, strict=False):
            for moves in (query.actions, *query.accept):
                now = state
                for thing, target in moves:
                    assert thing in now.objects and not is_container(thing) and thing != target
                    assert target in now.objects or target in GROUND
                    assert not must_go_first(rules, now, thing, target), (episode.id, query)
                    now = after_put(rules, now, thing, target)
                assert not contradictions(now)
            assert not (query.actions and query.say)
        if domain == "cups":
            under = [list(supports(state).values()) for state in states(episode)]
            assert all(len(each) == len(set(each)) for each in under)


@pytest.mark.sampled(2)
@EACH
def test_gold_scores_right_and_something_else_does_not(domain: str) -> None:
    rng = random.Random(domain)
    for episode in episodes(domain):
        weights, rights = judging.weights_of(episode), []
        for state, query in zip(states(episode), episode.queries, strict=False):
            said = [query.say] if query.say else []
            rights.append(right(query, query.actions, said, state, weights))
            assert all(right(query, moves, said, state, weights) for moves in query.accept)
            if query.actions:
                assert not right(query, [], said, state, weights)
                fewer = [*query.actions]
                fewer.pop(rng.randrange(len(fewer)))
                over = query.goal is not None and query.goal.relation == ">"
                assert over or not right(query, fewer, said, state, weights), (episode.id, query)
            if query.say:
                assert not right(query, [], [], state, weights)
        assert all(rights), (episode.id, rights)
        assert EpisodeScore.of(episode, rights).success


def reworded(answer: str) -> str:
    """The same answer in other words."""
    if answer in ("yes", "no"):
        return f"{answer.title()}, that is {'so' if answer == 'yes' else 'not so'}."
    if found := numbers(answer):
        return f"There are {found[0]}." if found[0] else "none"
    parts = re.split(r", | and ", answer)
    return (
        f"It is {answer}."
        if answer.startswith(("in ", "on ", "under "))
        else " and ".join(f"the {p}" for p in parts[::-1])
    )


@EACH
def test_an_answer_is_of_a_kind_that_can_be_judged(domain: str) -> None:
    for episode in episodes(domain):
        things = episode.initial.objects
        for query in episode.queries:
            if query.say is None:
                continue
            named = any(name in query.say for name in things) or query.say in DRAWN_COLOURS or "table" in query.say
            assert yes_or_no(query.say) is not None or named or numbers(query.say), query
            wrong = "no" if query.say == "yes" else "yes"
            assert not agrees(query.say, wrong, query.text, things), query
            assert agrees(query.say, reworded(query.say), query.text, things), query


@EACH
def test_a_file_keeps_everything(domain: str) -> None:
    again = read_queries(dump_episodes(episodes(domain)))
    for one, other in zip(episodes(domain), again, strict=True):
        assert (one.id, one.queries, one.truth) == (other.id, other.queries, other.truth)
        assert (one.initial.objects, supports(one.initial)) == (other.initial.objects, supports(other.initial))


def test_what_is_said_about_dirt_is_all_that_is_asked_about() -> None:
    for episode in episodes("disinfection"):
        told: set[str] = set()
        everything = {name for name in episode.initial.objects if name.endswith(" block")}
        for query in episode.queries:
            text = query.text.lower()
            if not query.actions and query.say is None:
                told |= everything if re.search(r"other|rest|remaining|all |every|none", text) else set()
                told |= {name for name in everything if re.search(rf"\b{name.removesuffix(' block')}\b", text)}
            elif re.search(r"\b(dirty|clean)\b", text):
                assert told == everything, (episode.id, query)


def test_weights_follow_from_the_sentences() -> None:
    """The judge, who reads only the sentences, comes to the same weights; the goal follows from those too."""
    for episode in episodes("weight"):
        assert episode.truth is not None
        read = judging.weights_of(QueryEpisode(episode.id, "weight", episode.initial, episode.queries))
        true = judging.weights_of(episode)
        assert not read.problems
        told = sorted(read.told)
        assert len(told) >= 4
        assert all(read.ratio(name, told[0]) == true.ratio(name, told[0]) for name in told), episode.id
        for state, query in zip(states(episode), episode.queries, strict=False):
            if query.goal is not None:
                assert all(judging.is_met(query.goal, state, m, read) for m in (query.actions, *query.accept))
                assert query is episode.queries[-1]
    assert sum(e.queries[-1].goal is not None for e in episodes("weight")) > 40


def test_goals_are_read_off_the_sentences() -> None:
    for episode in episodes("weight"):
        weights = judging.weights_of(episode)
        for state, query in zip(states(episode), episode.queries, strict=False):
            if query.goal is not None and query.goal.target in query.text:
                bare = type(query)(query.text, query.actions)
                assert judging.goal_of(bare, state, weights) == query.goal, query


def test_what_happens_changes_the_world() -> None:
    happenings = 0
    for episode in episodes("disinfection"):
        found = states(episode)
        for before, after, query in zip(found, found[1:], episode.queries, strict=False):
            if query.happens is not None:
                happenings += 1
                assert before != after
                assert all(after.attributes[thing].get("dirty") is True for thing in query.happens.dirty)
                assert all(after.attributes[thing].get("clean") is True for thing in query.happens.clean)
    assert happenings > 40


@pytest.mark.sampled(2)
@EACH
def test_the_wording_varies(domain: str) -> None:
    queries = [query.text for episode in episodes(domain) for query in episode.queries]
    templates = {template for _, said_by in drawn(domain) for template in said_by}
    assert len(templates) > 90
    assert len(set(queries)) > 0.85 * len(queries)
    assert 0.4 < sum(text.endswith((".", "?")) for text in queries) / len(queries) < 0.8
    assert any(text.isupper() for text in queries) and any(text.islower() for text in queries)
    assert not [text for text in queries if re.search(r"\{|\}|  |\bthe None\b", text)]
    assert len({name.rpartition(" ")[0] for e in episodes(domain) for name in e.initial.objects}) >= 25


def test_known_weights_are_consistent() -> None:
    for episode in episodes("weight"):
        assert not KnownWeights.of(episode.initial).problems
