"""The promise "at most so many silent errors", held against seven kinds of requests, each by other authors.

None of these authors has seen the code, the prompts or the training text. Each folder is a group with a mean of its
own: the worst of them counts, not the mean of all.
"""

from __future__ import annotations

from thinkaloud_bench.understanding import bench_of
from thinkaloud_bench.understanding.material import PROMISE

BENCH = bench_of("promise", "Seven kinds of requests by strangers: how many are silently wrong in the worst?", *PROMISE)
