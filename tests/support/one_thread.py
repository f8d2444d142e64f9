"""Let numpy's matrix products run in one thread: two processes test at a time, and threads that wait for a core spin.

MuJoCo need not open a window, and has no need to look for a library for that, which it does in another process. All
this has to be imported before numpy and MuJoCo, and the processes that tests start inherit it.
"""

from __future__ import annotations

import os

for _name in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS"):
    os.environ.setdefault(_name, "1")
os.environ.setdefault("MUJOCO_GL", "disable")
