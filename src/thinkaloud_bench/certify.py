"""The promise once more, on requests that were written after code, training text and thresholds were done.

Nobody who worked on these had seen the requests. The worst group counts, not the mean of all.
"""

from __future__ import annotations

from thinkaloud_bench.understanding import bench_of
from thinkaloud_bench.understanding.material import FRESH

BENCH = bench_of("certify", "Six kinds of requests by new authors: is the promise kept in the worst?", *FRESH)
