"""False success: ended as met, and was not; counted from what an episode records, and again without playing."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from thinkaloud.errors import BadInput
from thinkaloud_bench import BENCHES, Played, recount
from thinkaloud_bench.episode_log import EpisodeLog, LogHeading, write_log
from thinkaloud_bench.rows import false_success

_HEADING = LogHeading("inner-monologue-tabletop", "scripted", 1000, {"context": 0})


def ended(result: str, success: bool, index: int = 0, **scores: float) -> Played:
    costs = dict.fromkeys(("steps", "calls", "evaluated", "cached", "generated", "later_evaluated", "later_cached"), 0)
    kept = {**costs, "seconds": 1.0, "thinking": 0.0, "model": "scripted", "scores": scores}
    return Played("open_loop", "stack", index, 7, "Stack.", success, result, "", **kept)  # type: ignore[arg-type]


def test_only_an_ending_as_met_that_is_not_so_counts() -> None:
    others = [ended("goal met", True), ended("unconfirmed", False), ended("failed", False), ended("declined", True)]
    found = false_success([ended("goal met", False), *others])
    assert found is not None and (found.value, found.n) == (0.2, 5)


def test_where_the_result_is_the_judges_word_the_claim_has_to_be_recorded() -> None:
    assert false_success([ended("wrong", False)]) is None
    found = false_success([ended("wrong", False, claimed=1.0), ended("wrong", False, claimed=0.0)])
    assert found is not None and found.value == 0.5


def test_recounting_plays_nothing_and_says_what_is_missing(tmp_path: Path) -> None:
    write_log(tmp_path, _HEADING, [ended("goal met", False, 0), ended("goal met", True, 2)])
    report = recount(tmp_path)
    rows = {
        (row["task"], row["metric"]): row["value"]
        for row in json.loads((tmp_path / "results.json").read_text())["rows"]
    }
    assert rows["stack", "false_success"] == rows["stack", "success"] == 0.5
    assert "false success" in (tmp_path / "table.md").read_text()
    assert not report.complete and report.remarks() == ["Only 2 of 3 episodes were played"]
    with pytest.raises(BadInput, match="has no episodes of a benchmark"):
        recount(tmp_path / "nowhere")


def test_a_folder_takes_no_episodes_of_other_weights(tmp_path: Path) -> None:
    first = LogHeading("itp", "embedded", 0, {}, weights="one")
    EpisodeLog(tmp_path, first).close()
    EpisodeLog(tmp_path, first).close()
    with pytest.raises(BadInput, match="weights: one, now two"):
        EpisodeLog(tmp_path, LogHeading("itp", "embedded", 0, {}, weights="two"))


def test_every_papers_table_is_of_the_papers_size_by_default() -> None:
    sizes = {name: BENCHES[name].episodes for name in ("inner-monologue-tabletop", "statler", "shell-game")}
    assert sizes == {"inner-monologue-tabletop": 50, "statler": 20, "shell-game": 100}
