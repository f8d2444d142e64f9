"""Restores which bodies of a MuJoCo model sleep: MuJoCo's own state leaves that out."""

from __future__ import annotations

from typing import Any

import numpy as np


def restore_sleep(model: Any, data: Any, asleep: Any) -> None:
    """Put bodies to sleep as recorded in `tree_asleep`, and update everything that depends on it.

    MuJoCo itself updates it only when another body wakes or falls asleep.
    """
    data.tree_asleep[:] = asleep
    data.tree_awake[:] = awake = data.tree_asleep < 0
    moves = model.body_treeid >= 0
    data.body_awake[moves] = awake[model.body_treeid[moves]]
    bodies = np.flatnonzero(data.body_awake)  # bodies that never move have a state of their own, which is not 0
    parents = np.flatnonzero(data.body_awake[model.body_parentid[1:]]) + 1
    freedoms = np.flatnonzero(awake[model.dof_treeid])
    data.body_awake_ind[: bodies.size] = bodies
    data.parent_awake_ind[: parents.size] = parents
    data.dof_awake_ind[: freedoms.size] = freedoms
    data.ntree_awake, data.nbody_awake = int(awake.sum()), bodies.size
    data.nparent_awake, data.nv_awake = parents.size, freedoms.size
