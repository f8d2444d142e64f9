"""What the page makes of a monologue, and what a browser may ask for; no browser needed."""

from __future__ import annotations

import asyncio
import gc
from typing import Any

import pytest

from page_robots import SORT, write_program
from thinkaloud import Agent, Scripted
from thinkaloud.episode.event_text import Narrator, Row
from thinkaloud.errors import BadInput
from thinkaloud.monologue import Event
from thinkaloud.records import Ask, ModelCall, Outcome, Plan, Record, Refusal, Request, Started, Step, Stop
from thinkaloud.serialization import record_kind, to_data
from thinkaloud.web.page import browser_requests as acts
from thinkaloud.web.page.routes import read_session_request
from thinkaloud.web.page.session_page import find_moved_poses, read_event
from thinkaloud_worlds.tabletop import Tabletop, load_scene

RED, BLUE, GREEN = (Step("put", {"thing": name}, f"Put the {name} block away.") for name in ("red", "blue", "green"))


def told(*records: Record) -> list[Row]:
    talk = Narrator()
    return [row for index, record in enumerate(records) for row in talk.hear(Event(index, float(index), record))]


def signs(row: Row) -> list[tuple[str, str]]:
    return [(line.sign, line.text) for line in row.lines]


def test_a_whole_run_is_told_in_the_order_in_which_it_happened() -> None:
    agent = Agent(
        Tabletop(load_scene("examples/scenes/two_colours.toml")),
        Scripted(write_program),
        "thinkaloud:confirm=never;rehearse=off",
    )
    asyncio.run(agent.run(SORT))
    rows = told(*(event.record for event in agent.monologue))
    manners = [row.manner for row in rows]
    assert manners[:2] == ["aside", "person"]
    assert manners.index("understood") < manners.index("plan") < manners.index("action") < manners.index("end")
    assert rows[-1].ok and rows[-1].who == "Goal met"
    assert [row.index for row in rows] == sorted(row.index for row in rows)
    [understood] = [row for row in rows if row.manner == "understood"]
    assert understood.costs[0].role == "listener" and understood.calls


def test_a_new_plan_is_a_difference_from_what_was_left_of_the_old_one() -> None:
    rows = told(Plan("", (), (RED, BLUE)), Started(RED), Outcome(RED, "completed"), Plan("", (), (GREEN, BLUE)))
    first, second = (row for row in rows if row.manner == "plan")
    assert signs(first) == [("", RED.words), ("", BLUE.words)]
    assert signs(second) == [("+", GREEN.words), ("=", BLUE.words)]


def test_a_step_that_was_cut_short_and_is_not_wanted_any_more_is_dropped() -> None:
    cut = (Started(RED), Stop(), Outcome(RED, "interrupted"))
    rows = told(Plan("", (), (RED, BLUE)), *cut, Request("Only the blue one."), Plan("", (), (BLUE,)))
    assert signs(next(row for row in reversed(rows) if row.manner == "plan")) == [("-", RED.words), ("=", BLUE.words)]


def test_a_plan_that_is_the_same_again_is_no_news() -> None:
    failed = (Started(RED), Outcome(RED, "failed", "it slipped"))
    rows = told(Plan("", (), (RED, BLUE)), *failed, Plan("", (), (RED, BLUE)))
    assert [row.manner for row in rows].count("plan") == 1


def test_what_thinking_cost_stands_beside_what_came_of_it() -> None:
    calls = [ModelCall("planner", "m", 30, 5, 20, 10, 0.5), ModelCall("planner", "m", 40, 5, 10, 30, 0.25)]
    [row] = told(*calls, Ask(("Which one?",)))
    [cost] = row.costs
    assert (cost.calls, cost.read, cost.cached, cost.said, cost.seconds) == (2, 30, 40, 10, 0.75)
    assert row.calls == (0, 1)


def test_what_a_model_said_in_vain_is_told_too() -> None:
    [row] = told(Refusal("planner", "<b>nonsense</b>", "That is no step."))
    assert row.manner == "trouble" and "<b>nonsense</b>" in row.text


def test_an_event_survives_the_way_to_the_page() -> None:
    record = Started(RED)
    data = {"index": 3, "at": 1.5, "kind": record_kind(record), **to_data(record)}
    assert read_event(data) == Event(3, 1.5, record)


def test_only_what_has_moved_is_sent() -> None:
    still, before, after = (0.0, 0.0), (1.0, 2.0), (1.0, 3.0)
    assert find_moved_poses([still, before], [still, after]) == [[1, 1.0, 3.0]]
    assert find_moved_poses([still], [still, after]) == [[0, *still], [1, *after]]


@pytest.mark.parametrize(
    "said",
    [
        None,
        [],
        {"do": "explode"},
        {"do": ["say"]},
        {"do": "say", "text": "x"},
        {"do": "say", "text": 3, "message": "x"},
        {"do": "say", "text": "x" * 5000, "message": "x"},
        {"do": "hello", "viewer": "short"},
        {"do": "look", "at": -1},
        {"do": "disturb", "thing": "x", "to": {"x": 1}},
    ],
)
def test_what_makes_no_sense_is_refused_in_one_line(said: Any) -> None:
    with pytest.raises(BadInput) as refused:
        acts.read_browser_request(said)
    assert "\n" not in str(refused.value)


def test_acts_are_read_as_often_as_one_likes() -> None:
    for _ in range(300):
        assert acts.read_browser_request({"do": "disturb", "thing": "cup", "to": [0.1, 0.2]}) == acts.Disturb(
            "cup", [0.1, 0.2]
        )
        assert acts.read_browser_request({"do": "look", "at": None}) == acts.ShowEvent(None)
        assert read_session_request(["me", {"world": "tabletop", "seed": 3}, "mark"])[1].seed == 3
    gc.collect()


def test_a_form_that_is_no_form_is_refused() -> None:
    with pytest.raises(BadInput):
        read_session_request({"world": "tabletop"})
