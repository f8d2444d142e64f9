"""Benchmarks: a paper's own tasks, its own scoring, and its published table beside ours.

report = run_bench("inner-monologue-tabletop", presets=["ceiling"], model="embedded", episodes=5, seed=1000, jobs=1,
                   episodes_file=None, out=None, settings=load(), progress=lambda done, total, what: None)
"""

from __future__ import annotations

from thinkaloud_bench.benches import BENCHES
from thinkaloud_bench.contract import Bench, Item, Played, Row
from thinkaloud_bench.report import Report
from thinkaloud_bench.running import merge_shards, recount, run_bench

__all__ = ["BENCHES", "Bench", "Item", "Played", "Report", "Row", "merge_shards", "recount", "run_bench"]
