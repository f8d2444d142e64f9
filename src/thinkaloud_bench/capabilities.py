"""Capabilities: the abilities of Inner Monologue's section 4.4, each in twenty and more people's own words.

A goal that changes in the middle of a task, "finish the previous task", "please stop" in other words, a goal that
cannot be (the robot proposes another), a hint, requests in Chinese, Spanish and emoji, questions about the scene after
the task, feedback in another order, typos. The files are written, played and judged as those of `understanding`: by the
state in the end and the kind of ending. `right` is the matrix: abilities down, presets across.
"""

from __future__ import annotations

from thinkaloud_bench.understanding import bench_of
from thinkaloud_bench.understanding.material import ABILITIES

BENCH = bench_of(
    "capabilities",
    "The abilities of Inner Monologue's section 4.4, each in twenty and more people's own words",
    ABILITIES,
)
