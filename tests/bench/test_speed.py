from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest

from thinkaloud.models import Completion, Scripted, Usage, is_trained
from thinkaloud.records import Started
from thinkaloud.remember.journal import Journal
from thinkaloud_bench import BENCHES
from thinkaloud_bench.contract import Item, Played
from thinkaloud_bench.costs.frameworks import run_thinkaloud
from thinkaloud_bench.costs.learned_parts import measure_learned
from thinkaloud_bench.costs.request_parts import PARTS, share_added
from thinkaloud_bench.report import Report
from thinkaloud_bench.speed import (
    BENCH,
    EXAMPLES,
    LEARNED,
    MOST_DECISIONS,
    PARTS_OF,
    SHORT,
    SPEED_TASKS,
    STEPS,
    Enough,
    Timed,
    speeds,
)


class Even(Scripted):
    """A model that reads 100 tokens and writes 20 in a second, by its own account."""

    async def complete(self, prompt: str, **more: Any) -> Completion:
        return Completion(" yes", Usage(evaluated=20, generated=min(13, more.get("most", 5))))


def played(task: str, preset: str, *details: tuple[str, float, int, int]) -> Played:
    lines = [{"kind": kind, "seconds": s, "read": read, "written": written} for kind, s, read, written in details]
    costs = (len(lines), 0, 0, 0, 0, 0, 1.0, 1.0, "m")
    return Played(preset, task, 0, 1, "", True, "", "", 0, *costs, details=lines)


BARE = (("bare", 0.2, 20, 1), ("bare", 0.8, 20, 13))  # 100 read and 20 written in a second


def test_the_ratio_is_the_time_over_what_the_engine_needs() -> None:
    cell = played("itp", SHORT, *BARE, ("made", 0.33, 20, 3), ("made", 0.0, 0, 0))
    assert speeds([cell]) == pytest.approx((100, 20))
    found = {row.metric: row.value for row in BENCH.rows(BENCH, [SHORT], [cell]) if row.task == "itp"}
    assert found["ratio"] == pytest.approx(0.33 / (0.2 + 0.1))  # the answer that took no call has none
    assert found["median_seconds"] == pytest.approx(0.165)
    assert found["read_per_second"] == pytest.approx(100)


def test_an_episode_without_decisions_has_no_numbers() -> None:
    assert BENCH.rows(BENCH, [SHORT], [played("itp", SHORT)]) == []


def test_every_fourth_decision_is_followed_by_bare_continuations_and_there_is_an_end() -> None:
    timed = Timed(Even(["x"]), trained=True)

    async def ask() -> None:
        for _ in range(MOST_DECISIONS):
            await timed.complete("Go on.", most=5)
        with pytest.raises(Enough):
            await timed.complete("Go on.", most=5)

    asyncio.run(ask())
    assert (len(timed.decisions), len(timed.bare)) == (MOST_DECISIONS, 2 * (MOST_DECISIONS // 4))
    assert is_trained(timed)


@pytest.mark.parametrize("preset", [EXAMPLES, SHORT])
def test_an_episode_is_begun_and_its_decisions_are_kept(preset: str) -> None:
    assert BENCHES["speed"] is BENCH
    found = asyncio.run(BENCH.play(Item(preset, "hicrisp", 0, 1000), lambda: Even(["x"])))
    assert 1 <= found.calls <= MOST_DECISIONS
    assert found.model == "scripted"


def test_every_preset_is_there_with_a_task_of_its_benchmark() -> None:
    for task in SPEED_TASKS.values():
        assert (task.bench is None) is (task.presets in ((PARTS_OF,), (STEPS,), (LEARNED,)))
        assert task.bench is None or task.of in task.bench.tasks


def test_a_step_is_measured_by_the_steps_that_were_taken(tmp_path: Path) -> None:
    with Journal(tmp_path / "journal.db") as journal:
        assert [run_thinkaloud(4, None), run_thinkaloud(4, journal)] == [4, 4]
        assert sum(isinstance(record, Started) for _, _, record in journal.open(journal.sessions()[0].id).events()) == 4


def test_where_a_request_goes_and_what_a_step_costs_beside_others_are_tables_of_their_own() -> None:
    parts = {"kind": "request", **dict.fromkeys(PARTS, 0.25), "whole": 2.0, "calls": 2, "read": 60, "written": 9}
    steps = [("thinkaloud", 1.0), ("thinkaloud, journal", 2.0), ("another", 5.0)]
    made = [played("request", PARTS_OF), played("step", STEPS)]
    made[0].details.append(parts)
    made[1].details.extend({"kind": "step", "name": name, "milliseconds": cost} for name, cost in steps)
    rows = BENCH.rows(BENCH, [PARTS_OF, STEPS], made)
    request, step = BENCH.lists(rows).values()
    assert request[1] == ["reading", "250.0", "12%"] and request[-2:] == [
        ["tokens read", "60", ""],
        ["tokens written", "9", ""],
    ]
    assert step[1:] == [
        ["thinkaloud", "1.00", "0.50"],
        ["thinkaloud, journal", "2.00", "1.00"],
        ["another", "5.00", "2.50"],
    ]
    report = Report(BENCH, "scripted", 0, 1.0, tuple(rows), 2, 2, BENCH.notes(made))
    assert "| doubt | 250.0 | 12% |" in report._markdown() and "median seconds" not in report._text()
    assert BENCH.lists([]) == {}


def test_what_learned_parts_take_is_measured_and_is_a_table_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("onnxruntime", reason="the extra 'vision' is not installed")
    monkeypatch.setattr("thinkaloud_bench.speed.measure_learned", lambda: measure_learned(2))
    found = asyncio.run(BENCH.play(Item(LEARNED, "learned", 0, 1000), lambda: Even(["x"])))
    assert found.model == "no model" and len(found.details) == 6
    assert all(0 < each["processor"] < 5000 and each["clock"] > 0 for each in found.details)
    (table,) = BENCH.lists(BENCH.rows(BENCH, [LEARNED], [found])).values()
    assert [line[0] for line in table[1:]] == [each["name"] for each in found.details]
    assert table[-1][1:] == [f"{found.details[-1][by]:.1f}" for by in ("clock", "processor")]


def test_what_the_judge_and_the_words_add_is_told_beside_a_request_without_them() -> None:
    parts = {**dict.fromkeys(PARTS, 0.0), "judge": 0.5, "knowledge": 0.5, "whole": 3.0}
    plain = {**parts, "judge": 0.0, "knowledge": 0.0, "whole": 2.0}
    assert (share_added([parts]), share_added([plain]), share_added([plain, plain, parts])) == (0.5, 0.0, 0.0)
