"""The list of benchmarks, by name."""

from __future__ import annotations

from thinkaloud.plugins import Registry, check_named
from thinkaloud_bench.contract import Bench

BENCHES: Registry[Bench] = Registry(
    "benchmark",
    {
        name: f"thinkaloud_bench.{name.replace('-', '_')}:BENCH"
        for name in (
            "inner-monologue-tabletop",
            "inner-monologue-kitchen",
            "inner-monologue-real",
            "detectors",
            "random-tables",
            "single-steps",
            "success-senses",
            "statler",
            "shell-game",
            "itp",
            "multitalk",
            "hicrisp",
            "virtualhome",
            "robustness",
            "understanding",
            "promise",
            "certify",
            "disturbances",
            "erring-senses",
            "capabilities",
            "metaworld",
            "frankakitchen",
            "speed",
        )
    },
    check_named(Bench),
)
"""Benchmarks by name, loaded on first use; other packages register theirs under `thinkaloud.benchmarks`."""
