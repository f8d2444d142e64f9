"""Meta-World's tasks as the stations of one workshop: an environment that holds several of Meta-World's.

The environments, their scenes, their random starts, their scripted policies and their criteria for success are
Meta-World's. Ours are the workshop, the names of things, and somebody who pushes the arm about.
"""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import gymnasium
import numpy as np
from numpy.typing import NDArray

from thinkaloud.errors import MissingExtra

try:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        from metaworld import policies
        from metaworld.env_dict import ALL_V3_ENVIRONMENTS
        from metaworld.sawyer_xyz_env import SawyerMocapBase
except ModuleNotFoundError as error:
    raise MissingExtra("Meta-World", "metaworld") from error

_WELD = (0.0, 0.0, 0.0, 0.0, 0.0, 0.0, -1.0, 0.0, 0.0, 0.0, 5.0)
_WELDED = 1
"""MuJoCo's number for an equality that welds two bodies."""
PUSHED_FROM, PUSHED_FOR = 20, 150


@dataclass(frozen=True)
class Station:
    """What stands at a station: what is done with it, and Meta-World's task and policy for that."""

    thing: str
    deed: str
    task: str
    policy: str
    place: str = ""
    """For things that are put somewhere: where."""


def _station(thing: str, deed: str, task: str, place: str = "", policy: str = "") -> Station:
    name = policy or "".join(part.capitalize() for part in task.split("-"))
    return Station(thing, deed, f"{task}-v3", f"Sawyer{name}V3Policy", place)


STATIONS = {
    each.thing: each
    for each in (
        _station("drawer", "open", "drawer-open"),
        _station("door", "open", "door-open"),
        _station("window", "open", "window-open"),
        _station("lower drawer", "close", "drawer-close"),
        _station("cupboard door", "close", "door-close"),
        _station("side window", "close", "window-close"),
        _station("table button", "press", "button-press-topdown"),
        _station("wall button", "press", "button-press-wall"),
        _station("coffee button", "press", "coffee-button"),
        _station("tap", "turn_on", "faucet-open"),
        _station("garden tap", "turn_off", "faucet-close"),
        _station("front door", "lock", "door-lock"),
        _station("back door", "unlock", "door-unlock"),
        _station("dial", "turn", "dial-turn"),
        _station("lever", "pull", "lever-pull"),
        _station("nail", "hammer_in", "hammer"),
        _station("ball", "put", "soccer", "goal"),
        _station("basketball", "put", "basketball", "basket"),
        _station("plate", "put", "plate-slide", "rack"),
        _station("cube", "put", "sweep-into", "hole"),
        _station("mug", "put", "coffee-push", "coffee machine"),
        _station("ring", "put", "assembly", "peg"),
    )
}


def _weld(self: Any) -> None:
    """What Meta-World's `reset_mocap_welds` does, for a MuJoCo whose welds have more numbers than 3.3's."""
    for number in range(self.model.neq if self.model.nmocap else 0):
        if int(self.model.eq_type[number]) == _WELDED:
            self.model.eq_data[number, : len(_WELD)] = _WELD


def make_task(name: str) -> Any:
    """One of Meta-World's environments, with its goal in the observation, and random starts drawn from seeds."""
    base: Any = SawyerMocapBase
    base.reset_mocap_welds = _weld  # 3.1.1 breaks on MuJoCo 4 without it
    made = ALL_V3_ENVIRONMENTS[name]()
    made._partially_observable = False
    vars(made).pop("sawyer_observation_space", None)  # it was computed without the goal
    made._freeze_rand_vec, made.seeded_rand_vec, made._set_task_called = False, True, True
    return made


class Stations(gymnasium.Env[dict[str, Any], dict[str, Any]]):
    """Several of Meta-World's environments; each action moves the arm at one of them, and the others stand still."""

    metadata = {"render_fps": 80}  # noqa: RUF012  # as Gymnasium declares it

    def __init__(self, things: Sequence[str], pushed: str = "") -> None:
        """`pushed`: the station at which somebody pushes the arm about for a while, once."""
        self.things, self.pushed = tuple(things), pushed
        self.envs = {thing: make_task(STATIONS[thing].task) for thing in things}
        motion = gymnasium.spaces.Box(-1.0, 1.0, (4,), np.float32)
        self.action_space = gymnasium.spaces.Dict(
            {"station": gymnasium.spaces.Discrete(len(self.things)), "motion": motion}
        )
        self.observation_space = gymnasium.spaces.Dict(
            {thing: env.observation_space for thing, env in self.envs.items()}
        )

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Any], dict[str, Any]]:
        """Begin a new episode at every station."""
        super().reset(seed=seed)
        self._seen: dict[str, Any] = {}
        self._success = dict.fromkeys(self.things, False)
        self.began: dict[str, list[str]] = {}
        for thing, env in self.envs.items():
            env.seed(int(self.np_random.integers(2**31)))
            self._seen[thing], _ = env.reset()
        return dict(self._seen), {"success": dict(self._success)}

    def step(self, action: dict[str, Any]) -> tuple[dict[str, Any], float, bool, bool, dict[str, Any]]:
        """Move the arm at one station."""
        thing = self.things[int(action["station"])]
        env, motion = self.envs[thing], np.asarray(action["motion"], dtype=float)
        if thing == self.pushed and PUSHED_FROM <= env.curr_path_length < PUSHED_FROM + PUSHED_FOR:
            motion = self.np_random.uniform(-1.0, 1.0, 4)
        self.began.setdefault(thing, [each for each, so in self._success.items() if so])
        self._seen[thing], _, _, truncated, info = env.step(motion)
        self._success[thing] = bool(info["success"])
        return dict(self._seen), 0.0, False, truncated, {"success": dict(self._success)}

    def touched(self) -> set[str]:
        """At which stations the arm has moved."""
        return {*self.began}


def motion_for(thing: str) -> Any:
    """Meta-World's scripted policy for a station: from its observation to the arm's motion."""
    chosen = getattr(policies, STATIONS[thing].policy)()

    def act(seen: NDArray[np.float64]) -> NDArray[np.float32]:
        with warnings.catch_warnings():  # it may ask for more than the arm gives, and warns each time
            warnings.simplefilter("ignore")
            return np.asarray(np.clip(chosen.get_action(seen), -1.0, 1.0), dtype=np.float32)

    return act
