"""What sleeps in a MuJoCo model, set back as it was: part of a complete state, which MuJoCo's own leaves out."""

from __future__ import annotations

from typing import Any

import numpy as np


def restore_sleep(model: Any, data: Any, asleep: Any) -> None:
    """Have things sleep as `tree_asleep` had it, with all that follows.

    MuJoCo itself works that out only when one more thing wakes or falls asleep.
    """
    data.tree_asleep[:] = asleep
    data.tree_awake[:] = awake = data.tree_asleep < 0
    moves = model.body_treeid >= 0
    data.body_awake[moves] = awake[model.body_treeid[moves]]
    bodies = np.flatnonzero(data.body_awake)  # what never moves has a state of its own, which is not 0
    parents = np.flatnonzero(data.body_awake[model.body_parentid[1:]]) + 1
    freedoms = np.flatnonzero(awake[model.dof_treeid])
    data.body_awake_ind[: bodies.size] = bodies
    data.parent_awake_ind[: parents.size] = parents
    data.dof_awake_ind[: freedoms.size] = freedoms
    data.ntree_awake, data.nbody_awake = int(awake.sum()), bodies.size
    data.nparent_awake, data.nv_awake = parents.size, freedoms.size
