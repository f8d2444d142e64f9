"""FrankaKitchen as Gymnasium-Robotics has it, and somebody who holds the arm for a while.

The kitchen, the arm, the noise and what counts as done are Gymnasium-Robotics'. Ours are the hand that holds the arm,
and what MuJoCo 4 needs: `gymnasium-robotics` 1.4.2 compares joint types the wrong way round for it.
"""

from __future__ import annotations

import contextlib
import io
from types import SimpleNamespace
from typing import Any

import gymnasium
import mujoco
import numpy as np

from thinkaloud.errors import MissingExtra

try:
    with contextlib.redirect_stderr(io.StringIO()):  # it prints about other environments when it is imported
        import gymnasium_robotics
        from gymnasium_robotics.utils import mujoco_utils
except ModuleNotFoundError as error:
    raise MissingExtra("FrankaKitchen", "frankakitchen") from error

ELEMENTS = {
    "bottom burner": "bottom burner",
    "top burner": "top burner",
    "light": "light switch",
    "sliding cabinet": "slide cabinet",
    "hinged cabinet": "hinge cabinet",
    "kettle": "kettle",
}
"""What people call it, and FrankaKitchen's task. The microwave is left out: our controller cannot open it."""
HELD_FROM, HELD_FOR = 20, 180
_ENDLESS = 10**6


def make_kitchen(*, held: bool) -> Any:
    """Make the kitchen with all tasks; nothing ends the episode."""
    _mend_joint_types()
    gymnasium.register_envs(gymnasium_robotics)
    made: Any = gymnasium.make(
        "FrankaKitchen-v1",
        tasks_to_complete=list(ELEMENTS.values()),
        terminate_on_tasks_completed=False,
        remove_task_when_completed=False,
        max_episode_steps=_ENDLESS,
        disable_env_checker=True,
    )
    return Held(made, held)


def _mend_joint_types() -> None:
    """Let joint types be numbers: MuJoCo 4's own names are not equal to numpy's numbers."""
    kinds = mujoco.mjtJoint
    if kinds.mjJNT_HINGE == np.int32(kinds.mjJNT_HINGE):
        return
    mended = SimpleNamespace(**{name: getattr(mujoco, name) for name in dir(mujoco) if not name.startswith("__")})
    names = [name for name in dir(kinds) if name.startswith("mjJNT_")]
    mended.mjtJoint = SimpleNamespace(**{name: int(getattr(kinds, name)) for name in names})
    mujoco_utils.mujoco = mended


class Held(gymnasium.Wrapper[Any, Any, Any, Any]):
    """Somebody holds the arm for a while: its joints get no velocity. Of the information, only what is done stays."""

    def __init__(self, env: Any, held: bool) -> None:
        super().__init__(env)
        self.held, self.taken = held, 0
        self.order: list[str] = []

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Any, dict[str, Any]]:
        """Begin a new episode."""
        self.taken, self.order = 0, []
        seen, _ = self.env.reset(seed=seed)
        return seen, {"done": []}

    def step(self, action: Any) -> tuple[Any, Any, bool, bool, dict[str, Any]]:
        """Take a step; nothing of it reaches the arm while it is held."""
        if self.held and HELD_FROM <= self.taken < HELD_FROM + HELD_FOR:
            action = np.zeros_like(action)
        self.taken += 1
        seen, reward, terminated, truncated, info = self.env.step(action)
        done = sorted(info["step_task_completions"])
        self.order += [task for task in done if task not in self.order]
        return seen, reward, terminated, truncated, {"done": done}
