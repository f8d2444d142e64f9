"""Let numpy's matrix products run in one thread: two processes test at a time, and threads that wait for a core spin.

It has to be imported before numpy, and the processes that tests start inherit it.
"""

from __future__ import annotations

import os

for _name in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS"):
    os.environ.setdefault(_name, "1")
