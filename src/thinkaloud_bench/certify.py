"""The promise once more, on requests by new authors that nobody who wrote code, training text or thresholds has read.

The worst group counts, not the mean of all.
"""

from __future__ import annotations

from thinkaloud_bench.understanding import bench_of
from thinkaloud_bench.understanding.material import CERTIFY

BENCH = bench_of("certify", "Six kinds of requests by new authors: is the promise kept in the worst?", *CERTIFY)
