"""Writing episodes down in the format that `reading` reads."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import asdict
from typing import Any

from thinkaloud.state.json_text import state_entries
from thinkaloud_bench.statler.episodes import Query, QueryEpisode, QueryGoal


def dump_episodes(episodes: Iterable[QueryEpisode]) -> str:
    """Episodes as the text of an episode file."""
    return json.dumps([_episode(each) for each in episodes], indent=1, ensure_ascii=False) + "\n"


def _episode(episode: QueryEpisode) -> dict[str, Any]:
    data: dict[str, Any] = {
        "id": episode.id,
        "domain": episode.domain,
        "initial_state": dict(state_entries(episode.initial)),
        "steps": [_step(query) for query in episode.queries],
    }
    if episode.truth is not None:
        data["truth"] = _given(asdict(episode.truth))
    return data


def _step(query: Query) -> dict[str, Any]:
    data: dict[str, Any] = {
        "query": query.text,
        "actions": [list(move) for move in query.actions] or None,
        "say": query.say,
        "temporal": query.temporal,
    }
    if query.accept:
        data["accept"] = [[list(move) for move in moves] for moves in query.accept]
    if query.unsure:
        data["unsure"] = True
    if query.happens is not None:
        data["happens"] = _given(asdict(query.happens))
    if query.goal is not None:
        data["goal"] = _goal(query.goal)
    return data


def _goal(goal: QueryGoal) -> dict[str, Any]:
    times = int(goal.times) if goal.times.denominator == 1 else str(goal.times)
    return {"target": goal.target, "relation": goal.relation, "like": goal.like, "times": times}


def _given(data: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in data.items() if value}
