"""What the judge knows about weights: the truth where an episode has it, else what its sentences say.

The reader here is for judging alone; it passes over what it does not understand.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction

from thinkaloud.records import WorldState
from thinkaloud.state.edits import TABLE, is_container, with_fact
from thinkaloud.state.weights import KnownWeights, comparison_fact, weight_fact
from thinkaloud_bench.statler.episodes import PutMove, Query, QueryEpisode, QueryGoal, StatedRelation
from thinkaloud_bench.statler.spelling import canonical, plain_name
from thinkaloud_bench.statler.vocabulary import NUMBER_VALUES
from thinkaloud_worlds.tabletop.statler_rules import DOMAINS, above, after_put

_COUNT = r"(\d+(?:\.\d+|/\d+)?|[a-z]+)"
_TIMES = re.compile(rf"\b{_COUNT}(?: |-)times\b")
_WORDS = {"twice": 2, "double": 2, "thrice": 3, "triple": 3}
_PARTS = {"half": 2, "third": 3, "quarter": 4, "fourth": 4, "fifth": 5}
_SAME = re.compile(r"\b(same|equal|equally|identical|as much as|as heavy as|sum of|exactly as|match|equals?)\b")
_MORE = re.compile(r"\b(more|heavier|greater|surpass\w*|exceed\w*|larger|bigger|outweigh\w*)\b")
_LESS = re.compile(r"\b(less|lighter|smaller|below|lower)\b")
_ABOUT = re.compile(r"\b(weigh\w*|heav\w*|light(er|est)|mass|balance\w*)\b")
_BETWEEN = {"and", "or", "the", "both", ",", "&"}
_ASKED = re.compile(r"\?\s*$|^(is|are|does|do|which|what|how|who|where|tell|name)\b")


def weights_of(episode: QueryEpisode) -> KnownWeights:
    """The weights of the things of an episode."""
    state = replace(episode.initial, attributes={}) if episode.truth and episode.truth.weights else episode.initial
    if episode.truth is not None and episode.truth.weights:
        for thing, weight in episode.truth.weights.items():
            state = with_fact(state, weight_fact(thing, weight))
        return KnownWeights.of(state)
    for query in episode.queries:
        for known in [] if query.actions or query.say is not None else facts_in(query.text, episode.initial.objects):
            state = with_fact(state, known)
    return KnownWeights.of(state)


def facts_in(text: str, things: Sequence[str]) -> list[str]:
    """The facts about weights that a sentence states."""
    words = plain_name(text)
    names = [name for name in _named(words, things) if not is_container(name)]
    if len(names) < 2 or not _ABOUT.search(words) or _ASKED.search(text.strip().lower()):
        return []
    first, *others = names
    times = _factor(words)
    if re.search(r"\b(together|combined|sum of|in total)\b", words) and len(names) > 2:
        gap = re.search(r"\b(together|combined)\b.*\b(as much as|as heavy as|same|equal\w*)\b", words)
        return [weight_fact(names[-1], 1 / times, names[:-1])] if gap else [weight_fact(first, times, others)]
    if times != 1:
        return [weight_fact(first, times, others[0])]
    if _SAME.search(words):
        return [weight_fact(first, 1, other) for other in others]
    if _MORE.search(words):
        return [comparison_fact(first, "more", others[0])]
    return [comparison_fact(first, "less", others[0])] if _LESS.search(words) else []


def needs_memory(query: Query, state: WorldState) -> bool:
    """Whether a query is temporal, where nobody said so: it asks for an answer, or its right moves are of things or to
    places that it does not name. What it names, on the other hand, can be done without knowing what came before."""
    if query.say is not None:
        return True
    named = {canonical(name) for name in _named(plain_name(query.text), state.objects)}
    spoken = [name for move in query.actions for name in move]
    places = {canonical(name, state.objects) for name in spoken} - {canonical(name) for name in state.objects}
    return any(canonical(name, state.objects) not in named | places for name in spoken)


def _named(words: str, things: Sequence[str]) -> list[str]:
    """The things that a text names, in the order in which it does; `the red and the blue block` names two."""
    names = {plain_name(thing): thing for thing in things}
    pattern = "|".join(re.escape(name) for name in sorted(names, key=len, reverse=True))
    found = {match.start(): names[match[0]] for match in re.finditer(rf"\b(?:{pattern})\b", words)} if names else {}
    kinds = {name.rpartition(" ")[2] for name in names}
    tokens = list(re.finditer(r"[a-z]+|[,&]", words))
    for index, token in enumerate(tokens):
        kind = token[0].removesuffix("s") if token[0] not in kinds else token[0]
        before = reversed(tokens[:index]) if kind in kinds else iter(())
        for hue in before:
            if name := names.get(f"{hue[0]} {kind}"):
                found.setdefault(hue.start(), name)
            elif hue[0] not in _BETWEEN:
                break
    return [found[at] for at in sorted(found)]


def _factor(words: str) -> Fraction:
    for word, times in _WORDS.items():
        if re.search(rf"\b{word}\b", words):
            return Fraction(times)
    for word, parts in _PARTS.items():
        if re.search(rf"\b{word}\b", words):
            return Fraction(1, parts)
    match = _TIMES.search(words)
    if match:
        return (
            NUMBER_VALUES.get(match[1]) or (Fraction(match[1]) if match[1][0].isdigit() else Fraction(1)) or Fraction(1)
        )
    return Fraction(1)


def is_about_weight(query: Query) -> bool:
    """Whether a command says how much something is to weigh, and not just what goes where."""
    return bool(query.actions) and (query.goal is not None or bool(_ABOUT.search(query.text.lower())))


def goal_of(query: Query, before: WorldState, weights: KnownWeights) -> QueryGoal | None:
    """What a command wants a bowl to weigh, if that can be told; the right moves have to meet it."""
    if query.goal is not None:
        return query.goal
    if not is_about_weight(query):
        return None
    targets = {target for _, target in query.actions}
    bowls = [name for name in _named(plain_name(query.text), before.objects) if is_container(name)]
    if len(targets) != 1 or not is_container(*targets):
        return None
    (target,) = targets
    like = next((bowl for bowl in bowls if bowl != target), None)
    words = plain_name(query.text)
    times = _factor(words)
    relation: StatedRelation = ">" if _MORE.search(words) and times == 1 else "<" if _LESS.search(words) else "=="
    if like is None or (relation == "==" and times == 1 and not _SAME.search(words)):
        return None
    goal = QueryGoal(target, relation, like, times)
    return goal if is_met(goal, before, query.actions, weights) else None


def is_met(goal: QueryGoal, before: WorldState, moves: Sequence[PutMove], weights: KnownWeights) -> bool:
    """Whether moves reach a goal; that which is to be matched has to be there still."""
    state = _after(before, moves)
    have, like = above(state, goal.target), above(state, goal.like)
    if not weights.equal(like, above(before, goal.like)):
        return False
    if goal.relation == "==":
        return weights.equal(have, like, goal.times)
    heavier = weights.compare(have, [thing for _ in range(int(goal.times) or 1) for thing in like])
    return heavier == (1 if goal.relation == ">" else -1)


def _after(state: WorldState, moves: Sequence[PutMove]) -> WorldState:
    """The state after moves, in the domain of weights."""
    names = {canonical(thing): thing for thing in state.objects}
    for thing, target in moves:
        thing, target = (names.get(canonical(each, state.objects), TABLE) for each in (thing, target))
        state = after_put(DOMAINS["weight"], state, thing, target) if thing != TABLE else state
    return state


def as_heavy(state: WorldState, moves: Sequence[PutMove], gold: Sequence[PutMove], weights: KnownWeights) -> bool:
    """Whether moves leave in each bowl as much weight as the right ones would, and move nothing but such things."""
    kinds = {canonical(thing).rpartition(" ")[2] for thing, _ in gold}
    if not moves or any(canonical(thing).rpartition(" ")[2] not in kinds for thing, _ in moves):
        return False
    one, other = _after(state, moves), _after(state, gold)
    bowls = [name for name in state.objects if is_container(name)]
    return all(weights.equal(above(one, bowl), above(other, bowl)) for bowl in bowls)
