"""Episode files: a list of episodes in JSON. What is wrong with one is said with its file, episode and step.

[{"id": "1", "domain": "pick_and_place", "initial_state": {"objects": ["red block", "blue bowl"], "relations": []},
  "steps": [{"query": "put the red block in the bowl", "actions": [["red block", "blue bowl"]]},
            {"query": "is the bowl empty", "say": "no", "temporal": true}]}]

A step may also have `accept` (a list of other lists of moves) and `unsure`. `temporal` says whether it needs memory;
where it is missing or null, a rule decides (`judging.needs_memory`), so that every step counts in Table II. What the
world cannot show is said by `happens` and `goal` of a step and `truth` of an episode; only the world and the judge read
those.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

from thinkaloud.errors import BadInput
from thinkaloud.records import WorldState
from thinkaloud.state.json_text import read_initial_state
from thinkaloud_bench.episode_files import (
    Fail,
    failing_at,
    name_kind,
    read_episode_list,
    read_fields,
    read_text,
    render_hint,
    shorten,
)
from thinkaloud_bench.statler.episodes import Happening, PutMove, Query, QueryEpisode, QueryGoal, StartTruth
from thinkaloud_bench.statler.judging import needs_memory
from thinkaloud_bench.statler.spelling import find_place, plain_name
from thinkaloud_worlds.tabletop.statler_rules import DOMAINS

EPISODE_FIELDS = ("id", "domain", "initial_state", "steps", "truth")
STEP_FIELDS = ("query", "actions", "say", "temporal", "accept", "unsure", "happens", "goal")
_HAPPENING = ("dirty", "clean", "moves")
TRUTH_FIELDS = ("dirty", "clean", "weights")
GOAL_FIELDS = ("target", "relation", "like", "times")


def load_queries(path: Path) -> list[QueryEpisode]:
    """Read an episode file; BadInput with the file, the episode and the step of the first mistake."""
    try:
        text = path.read_text(encoding="utf-8-sig")
    except OSError as error:
        raise BadInput(f"{path}: cannot be read: {error.strerror or error}.") from None
    except UnicodeDecodeError:
        raise BadInput(f"{path}: is not a text file; episodes are written in JSON.") from None
    return read_queries(text, str(path))


def read_queries(text: str, source: str = "episodes") -> list[QueryEpisode]:
    """Read the text of an episode file; `source` is what errors call it."""
    episodes, numbers = [], dict[str, int]()
    for number, each in enumerate(read_episode_list(text, source), 1):
        episode = _episode(each, number, source)
        if episode.id in numbers:
            raise BadInput(
                f"{source}: episode {number}: the id {episode.id!r} is that of episode {numbers[episode.id]} already."
            )
        numbers[episode.id] = number
        episodes.append(episode)
    return episodes


def _episode(data: Any, number: int, source: str) -> QueryEpisode:
    named = data.get("id") if isinstance(data, dict) else None
    known = isinstance(named, str | int) and not isinstance(named, bool) and str(named).strip()
    label = f"{source}: episode {str(named).strip()!r}" if known else f"{source}: episode {number}"
    fail = failing_at(label)
    data = read_fields(data, EPISODE_FIELDS, "an episode", fail, needed=("id", "domain", "initial_state", "steps"))
    if not known:
        fail(f"'id' has to be a text, not {name_kind(named)}")
    domain = data["domain"]
    if not isinstance(domain, str) or domain not in DOMAINS:
        hint = render_hint(str(domain), tuple(DOMAINS))
        fail(f"there is no domain {domain!r}{hint}; it has to be one of {_list(DOMAINS)}")
    if not isinstance(data["initial_state"], dict):
        fail(f"'initial_state' has to be an object, not {name_kind(data['initial_state'])}")
    try:
        initial = read_initial_state(data["initial_state"])
    except ValueError as error:
        fail(f"initial_state: {str(error).rstrip('.')}")
    if not isinstance(data["steps"], list):
        fail(f"'steps' has to be a list, not {name_kind(data['steps'])}")
    if not data["steps"]:
        fail("it has no steps")
    steps = [_query(each, initial, failing_at(f"{label}, step {step}")) for step, each in enumerate(data["steps"], 1)]
    truth = None if data.get("truth") is None else _truth(data["truth"], initial, fail)
    return QueryEpisode(str(named).strip(), domain, initial, tuple(steps), truth)


def _query(data: Any, state: WorldState, fail: Fail) -> Query:
    data = read_fields(data, STEP_FIELDS, "a step", fail, needed=("query",))
    text = read_text(data["query"], "query", fail)
    accept = data.get("accept")
    if accept is not None and not isinstance(accept, list):
        fail(f"'accept' has to be a list of lists of moves, not {name_kind(accept)}")
    happens, goal = data.get("happens"), data.get("goal")
    query = Query(
        text,
        _moves(data.get("actions"), "actions", state, fail),
        _say(data.get("say"), fail),
        _flag(data, "temporal", fail),
        tuple(_moves(each, "accept", state, fail) for each in accept or ()),
        bool(_flag(data, "unsure", fail)),
        None if happens is None else _happening(happens, state, fail),
        None if goal is None else _goal(goal, state, fail),
    )
    return query if query.temporal is not None else replace(query, temporal=needs_memory(query, state))


def _moves(data: Any, field: str, state: WorldState, fail: Fail) -> tuple[PutMove, ...]:
    if data is None:
        return ()
    if not isinstance(data, list):
        fail(f'\'{field}\' has to be a list of moves such as ["red block", "table"], not {name_kind(data)}')
    return tuple(_move(each, field, state, fail) for each in data)


def _move(data: Any, field: str, state: WorldState, fail: Fail) -> PutMove:
    if not isinstance(data, list) or len(data) != 2 or not all(isinstance(part, str) for part in data):
        fail(f"'{field}' has {shorten(data)} where a move, [what, where to], has to be")
    thing, target = (_thing(part, field, state, fail) for part in data)
    if find_place(thing) is not None and thing not in state.objects:
        fail(f"'{field}' moves the {thing}, which is a place")
    if thing == target:
        fail(f"'{field}' puts the {thing} onto itself")
    return thing, target


def _thing(name: str, field: str, state: WorldState, fail: Fail) -> str:
    for thing in state.objects:
        if plain_name(thing) == plain_name(name):
            return thing
    if find_place(name) is None:
        hint = render_hint(plain_name(name), state.objects)
        fail(f"'{field}' names {name!r}, which is not among the objects of the initial state{hint}")
    return name.strip()


def _say(data: Any, fail: Fail) -> str | None:
    if data is None:
        return None
    if isinstance(data, str):
        return data.strip() or None
    if isinstance(data, bool):
        return "yes" if data else "no"
    if not isinstance(data, int | float):
        fail(f"'say' has to be a text, a number, true or false, or null, not {name_kind(data)}")
    return f"{data:g}" if abs(data) < 1e6 else str(data)


def _flag(data: Mapping[str, Any], field: str, fail: Fail) -> bool | None:
    value = data.get(field)
    if value is not None and not isinstance(value, bool):
        fail(f"'{field}' has to be true, false or null, not {name_kind(value)}")
    return value


def _happening(data: Any, state: WorldState, fail: Fail) -> Happening:
    data = read_fields(data, _HAPPENING, "'happens'", fail)
    dirty, clean = (_things(data.get(field), field, state, fail) for field in ("dirty", "clean"))
    return Happening(dirty, clean, _moves(data.get("moves"), "moves", state, fail))


def _truth(data: Any, state: WorldState, fail: Fail) -> StartTruth:
    data = read_fields(data, TRUTH_FIELDS, "'truth'", fail)
    dirty, clean = (_things(data.get(field), field, state, fail) for field in ("dirty", "clean"))
    if set(dirty) & set(clean):
        fail(f"the {min(set(dirty) & set(clean))} is both dirty and clean in 'truth'")
    weights = data.get("weights") or {}
    if not isinstance(weights, dict):
        fail(f"'weights' has to be an object, not {name_kind(weights)}")
    if not all(isinstance(weight, int) and not isinstance(weight, bool) and weight > 0 for weight in weights.values()):
        fail("'weights' have to be whole numbers above 0")
    return StartTruth(dirty, clean, {_thing(name, "weights", state, fail): weight for name, weight in weights.items()})


def _goal(data: Any, state: WorldState, fail: Fail) -> QueryGoal:
    data = read_fields(data, GOAL_FIELDS, "'goal'", fail, needed=("target", "relation", "like"))
    if not isinstance(data["target"], str) or not isinstance(data["like"], str):
        fail("'target' and 'like' of 'goal' have to be names of things")
    target, like = (_thing(data[field], field, state, fail) for field in ("target", "like"))
    if data["relation"] not in ("==", ">", "<"):
        fail(f'\'relation\' has to be "==", ">" or "<", not {shorten(data["relation"])}')
    try:
        times = Fraction(str(data.get("times", 1)))
    except (ValueError, ZeroDivisionError):
        fail(f"'times' has to be a number such as 2 or \"1/2\", not {shorten(data.get('times'))}")
    return QueryGoal(target, data["relation"], like, times)


def _things(data: Any, field: str, state: WorldState, fail: Fail) -> tuple[str, ...]:
    if data is None:
        return ()
    if not isinstance(data, list) or not all(isinstance(name, str) for name in data):
        fail(f"'{field}' has to be a list of names, not {name_kind(data)}")
    return tuple(_thing(name, field, state, fail) for name in data)


def _list(names: Mapping[str, Any]) -> str:
    return ", ".join(names)
