"""Benchmarks of learned hands and senses, with files that are written by hand: columns, counts, and what is refused."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from thinkaloud.errors import BadInput
from thinkaloud.models import Scripted
from thinkaloud.worlds.success_senses import Judgement
from thinkaloud_bench import BENCHES, Played, inner_monologue_tabletop
from thinkaloud_bench.contract import CEILING, Item
from thinkaloud_bench.playing import Judged, Setup
from thinkaloud_bench.policy_alone import play_policy
from thinkaloud_bench.running import items_of
from thinkaloud_bench.single_steps import draw_step
from thinkaloud_worlds.tabletop import Scene, Tabletop, Thing
from written_judge import write_judge
from written_policy import write_policy

STEPS, SENSES, TABLE_1 = BENCHES["single-steps"], BENCHES["success-senses"], BENCHES["inner-monologue-tabletop"]
TWO = Scene((Thing("blue bowl", "bowl", 0.12, -0.4, "#2030e0"), Thing("red block", "block", -0.1, -0.5, "#f01010")))


@pytest.fixture(scope="module")
def policy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    pytest.importorskip("onnxruntime", reason="the extra 'vision' is not installed")
    return write_policy(tmp_path_factory.mktemp("hands") / "policy.onnx")


def play(bench: str, preset: str, task: str, seed: int) -> Played:
    return asyncio.run(BENCHES[bench].play(Item(preset, task, 0, seed), Scripted))


def test_the_expert_carries_out_the_drawn_step_and_the_same_one_for_every_column(policy: Path) -> None:
    played = {seed: play("single-steps", "expert", "seen", seed) for seed in range(3)}
    assert any(each.success for each in played.values())
    other = play("single-steps", f"learned:{policy}", "seen", 1)  # it does not know the words of other tables
    assert other.request == played[1].request and not other.success and "never learned the word" in other.because
    table, step, sentence = draw_step(1, "wording")
    assert sentence and draw_step(1, "seen")[1] == step and draw_step(1, "seen")[2] == ""
    assert all(name in sentence for name in step.values()) and not table.on(**step)
    assert play("single-steps", "expert", "wording", 1).success is played[1].success


def test_all_tasks_of_single_steps_have_the_same_seeds() -> None:
    seeds = {task: [each.seed for each in items_of(STEPS, ["expert"], [task], 3, 0, None)] for task in STEPS.tasks}
    assert len({tuple(each) for each in seeds.values()}) == 1


@pytest.mark.parametrize(("column", "steps", "result"), [("policy", 3, "limit"), ("policy_until_done", 1, "done")])
def test_a_policy_alone_goes_on_until_its_steps_are_over_or_it_is_told(
    policy: Path, column: str, steps: int, result: str
) -> None:
    table = Tabletop(TWO)
    request = "Pick the red block and place it on the blue bowl."
    setup = Setup(table, request, lambda *_: Judged(table.on("red block", "blue bowl")), CEILING)
    played = asyncio.run(play_policy(Item(f"{column}:{policy}", "pick-and-place", 0, 0), setup, 3))
    assert played.success and played.steps == steps and played.result == result


def test_table_1_takes_presets_and_policies_and_nothing_else(policy: Path) -> None:
    check = inner_monologue_tabletop.BENCH.column
    assert check is not None
    for name in (*TABLE_1.presets, "hicrisp", f"policy:{policy}", f"policy_until_done:{policy}"):
        check(name)
    for name in ("policy:nowhere.onnx", "cliport", "inner_monologue:feedback=none"):
        with pytest.raises(BadInput):
            check(name)


def test_success_senses_counts_a_step_and_a_sentence_that_did_not_come_true(tmp_path: Path) -> None:
    pytest.importorskip("onnxruntime", reason="the extra 'vision' is not installed")
    file = write_judge(tmp_path / "judge.onnx", threshold=1.1)
    always = play("success-senses", "always", "seen", 0)
    assert always.scores["said"] == always.scores["asked"] == 2
    assert always.scores["right"] == always.scores["worked"] == float(play("single-steps", "expert", "seen", 0).success)
    assert SENSES.column is not None
    for column in (f"both:{file}", f"foresight:{file}", f"hindsight:{file}", "always"):
        SENSES.column(column)
    for column in ("learned", "nose:judge.onnx"):
        with pytest.raises(BadInput, match="no column"):
            SENSES.column(column)


@pytest.mark.parametrize("task", ["kitchen", "kitchen_unseen"])
def test_success_senses_counts_steps_in_a_kitchen_which_fail_half_of_the_time(task: str) -> None:
    played = [play("success-senses", "always", task, seed) for seed in range(12)]
    assert all(each.scores["asked"] == 2 and each.scores["said"] == 2 for each in played)
    worked = [each.scores["worked"] for each in played]
    assert {*worked} == {0.0, 1.0} and all(each.scores["right"] == each.scores["worked"] for each in played)
    assert len({each.request.split()[0] for each in played}) >= 2


def test_a_judge_of_the_kitchen_sees_what_its_robot_sees(monkeypatch: pytest.MonkeyPatch) -> None:
    seen = []

    class Looks:
        def judge(self, before: Any, after: Any, sentence: str, others: Any) -> Judgement:
            seen.append((before, after, sentence, others))
            return Judgement(1.0, 1.0, foreseen=True, agrees=True)

    monkeypatch.setattr("thinkaloud_bench.success_senses.open_senses", lambda text, in_place: Looks())
    played = [play("success-senses", "both", "kitchen", seed) for seed in range(6)]
    assert len(seen) == 12
    for each, (before, after, sentence, others) in zip(played, seen[::2], strict=True):
        changed = np.abs(before[0].astype(int) - after[0]).max() > 60
        assert before[0].shape == (240, 320, 3) and changed == bool(each.scores["worked"])
        assert sentence == each.request and sentence not in others
        assert all(other.split()[0] == sentence.split()[0] for other in others)
