"""Capabilities: the abilities of Inner Monologue's section 4.4, each in twenty and more people's own words.

They are: a goal that changes in the middle of a task, "finish the previous task", "please stop" in other words, an
impossible goal (the robot proposes another), a hint, requests in Chinese, Spanish and emoji, questions about the scene
after the task, feedback in another order, and typos. The files are written, played and judged like those of
`understanding`: by the final state and the kind of ending. `right` is the matrix of abilities (rows) and presets.
"""

from __future__ import annotations

from thinkaloud_bench.understanding import bench_of
from thinkaloud_bench.understanding.material import ABILITIES

BENCH = bench_of(
    "capabilities",
    "The abilities of Inner Monologue's section 4.4, each in twenty and more people's own words",
    ABILITIES,
)
