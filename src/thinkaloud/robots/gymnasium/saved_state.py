"""Everything that an environment goes on from, as bytes: MuJoCo's state, and its plain attributes.

Of an environment, its wrappers and the environments inside it, this saves the attributes that are numbers, texts,
arrays, generators of random numbers, and lists, tuples, sets and dicts of these. MuJoCo's state is saved to the bit,
with the parts of the model that environments move when they are reset. Other objects (renderers, spaces, an object
with a state of its own) are left as they are: `find_unsaved` names them.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

import msgspec
import numpy as np
from gymnasium import Env

_SKIPPED = ("_ezpickle_args", "_ezpickle_kwargs", "_saved_kwargs", "spec", "_cached_spec", "model", "data")
_MOVED = (
    *(f"{part}_{what}" for part in ("body", "geom", "site") for what in ("pos", "quat", "size", "rgba", "mass")),
    *("eq_data", "eq_active0", "qpos0", "dof_damping", "dof_frictionloss", "jnt_range", "geom_friction"),
    "body_inertia",
)
"""What environments change in a model: where goals and things are, sometimes how heavy or slippery they are."""
_NOT_A_STATE = "this is not a snapshot of this environment"
Plain = Any
"""What msgpack can write."""
Baseline = list[dict[str, Any]]
"""The parts of each model as they are in a first episode; a snapshot has only what differs."""


class Unsavable(Exception):
    """A value that is not plain."""


class EnvState(msgspec.Struct, array_like=True, frozen=True, forbid_unknown_fields=True):
    """The state of an environment with everything inside it."""

    attributes: list[tuple[str, Plain]]
    physics: list[tuple[bytes, dict[str, Plain]]]


# Values ---------------------------------------------------------------------------------------------------------------


def to_plain(value: Any) -> Plain:
    """A value in a form that msgpack can write; raises Unsavable."""
    if value is None or type(value) in (bool, float, str):
        return value
    if type(value) is int:  # a random generator has larger ones than msgpack
        return {"int": str(value)}
    if isinstance(value, np.ndarray | np.generic) and value.dtype.kind in "biufSU":
        array = np.asarray(value)
        kind = "array" if isinstance(value, np.ndarray) else "number"
        return {kind: [array.dtype.str, list(array.shape), array.tobytes()]}
    if isinstance(value, np.random.Generator):
        return {"generator": json.dumps(value.bit_generator.state, default=_listed)}
    if isinstance(value, list | tuple):
        return {type(value).__name__ if type(value) in (list, tuple) else "tuple": [to_plain(each) for each in value]}
    if isinstance(value, set | frozenset):
        return {"set": sorted((to_plain(each) for each in value), key=repr)}
    if isinstance(value, Mapping):
        return {"dict": [[to_plain(key), to_plain(each)] for key, each in value.items()]}
    raise Unsavable(type(value).__name__)


def from_plain(plain: Plain) -> Any:
    """The value again; raises ValueError for anything else."""
    if plain is None or isinstance(plain, bool | float | str):
        return plain
    if not isinstance(plain, dict) or len(plain) != 1:
        raise ValueError(_NOT_A_STATE)
    ((kind, inside),) = plain.items()
    try:
        return _read(kind, inside)
    except (TypeError, KeyError, ValueError, AttributeError) as error:
        raise ValueError(_NOT_A_STATE) from error


def _read(kind: str, inside: Any) -> Any:
    if kind == "int":
        return int(inside)
    if kind in ("array", "number"):
        array = np.frombuffer(inside[2], dtype=np.dtype(inside[0])).reshape(inside[1]).copy()
        return array if kind == "array" else array[()]
    if kind == "generator":
        return _generator(inside)
    if kind in ("list", "tuple", "set"):
        return {"list": list, "tuple": tuple, "set": set}[kind](from_plain(each) for each in inside)
    if kind == "dict":
        return {from_plain(key): from_plain(each) for key, each in inside}
    raise ValueError(_NOT_A_STATE)


def _listed(value: Any) -> Any:
    return value.tolist()


def _generator(text: str) -> np.random.Generator:
    state = json.loads(text)
    made = {"PCG64": np.random.PCG64, "PCG64DXSM": np.random.PCG64DXSM, "MT19937": np.random.MT19937}
    bits = made[state["bit_generator"]]()
    bits.state = state
    return np.random.Generator(bits)


# Attributes -----------------------------------------------------------------------------------------------------------


def environments_in(env: Any) -> Iterator[tuple[str, Any]]:
    """The environment, its wrappers, and the environments in their attributes, each once, with where it is."""
    yield from _walk("", env, set())


def _walk(place: str, found: Any, known: set[int]) -> Iterator[tuple[str, Any]]:
    if id(found) in known:
        return
    if isinstance(found, Env):
        known.add(id(found))
        yield place, found
        inside: Any = vars(found).items()
    elif isinstance(found, dict):
        inside = found.items()
    elif isinstance(found, list | tuple):
        inside = enumerate(found)
    else:
        return
    for name, each in inside:
        if isinstance(each, Env | dict | list | tuple):
            yield from _walk(f"{place}.{name}", each, known)


def _attributes(env: Any) -> Iterator[tuple[str, Any, str, Any]]:
    """Each attribute: the environment it belongs to, where it is, its name and value."""
    for place, each in environments_in(env):
        for name, value in sorted(vars(each).items()):
            if name not in _SKIPPED:
                yield place, each, name, value


def find_unsaved(env: Any) -> list[str]:
    """The attributes that no snapshot has, with their types: `.renderer (OffScreenViewer)`."""
    found = []
    for place, _, name, value in _attributes(env):
        try:
            to_plain(value)
        except Unsavable as error:
            if not isinstance(value, Env) and str(error) not in ("Box", "Dict", "Discrete"):
                found.append(f"{place}.{name} ({error})")
    return found


def _put(owner: Any, name: str, value: Any) -> None:
    """Set an attribute; an array that is a view of something else (of MuJoCo's data) stays one."""
    old = vars(owner).get(name)
    arrays = isinstance(old, np.ndarray) and isinstance(value, np.ndarray) and old.shape == value.shape
    if arrays and old.flags.writeable and not old.flags.owndata:
        old[...] = value
    else:
        vars(owner)[name] = value


# MuJoCo ---------------------------------------------------------------------------------------------------------------


def physics_in(env: Any) -> list[tuple[Any, Any]]:
    """MuJoCo's models and data inside, each once."""
    found: dict[int, tuple[Any, Any]] = {}
    for _, each in environments_in(env):
        model, data = vars(each).get("model"), vars(each).get("data")
        if type(model).__name__ == "MjModel" and type(data).__name__ == "MjData":
            found.setdefault(id(data), (model, data))
    return list(found.values())


def settle(model: Any, data: Any) -> None:
    """Bring up to date what follows from the state; what the solver begins with next time stays as it is.

    A restored state is then the same to the bit, although environments leave positions one step behind.
    """
    import mujoco

    before = data.qacc_warmstart.copy()
    mujoco.mj_forward(model, data)
    data.qacc_warmstart[:] = before


def baseline_of(env: Any) -> Baseline:
    """The parts of the models that episodes move, as they are now."""
    return [
        {name: getattr(model, name).copy() for name in _MOVED if hasattr(model, name)} for model, _ in physics_in(env)
    ]


def _integration() -> int:
    import mujoco

    return int(mujoco.mjtState.mjSTATE_INTEGRATION)


def _size(model: Any) -> int:
    import mujoco

    return int(mujoco.mj_stateSize(model, _integration()))


def save_state(env: Any, baseline: Baseline) -> EnvState:
    """The state of an environment; what is not plain is left out."""
    attributes = []
    for place, _, name, value in _attributes(env):
        try:
            attributes.append((f"{place}.{name}", to_plain(value)))
        except Unsavable:
            continue
    physics = []
    for (model, data), usual in zip(physics_in(env), baseline, strict=True):
        moved = {name: now for name, was in usual.items() if not np.array_equal(now := getattr(model, name), was)}
        physics.append((_get_physics(model, data), {name: to_plain(now) for name, now in moved.items()}))
    return EnvState(attributes, physics)


def restore_state(env: Any, saved: EnvState, baseline: Baseline) -> None:
    """Put an environment into a state; raises ValueError, and changes nothing, if it is none of this environment."""
    values = {place: from_plain(plain) for place, plain in saved.attributes}
    owners = {f"{place}.{name}": (each, name) for place, each, name, _ in _attributes(env)}
    found = physics_in(env)
    if len(found) != len(saved.physics):
        raise ValueError(_NOT_A_STATE)
    states = [_checked(model, each[0]) for (model, _), each in zip(found, saved.physics, strict=True)]
    moved = [_parts(each[1], usual) for each, usual in zip(saved.physics, baseline, strict=True)]
    for place, value in values.items():
        if place in owners:
            _put(*owners[place], value)
    for (model, data), state, parts in zip(found, states, moved, strict=True):
        for name, value in parts.items():
            getattr(model, name)[...] = value
        _set_physics(model, data, state)


def _get_physics(model: Any, data: Any) -> bytes:
    import mujoco  # here, so that environments without physics do not need it

    state = np.empty(_size(model))
    mujoco.mj_getState(model, data, state, _integration())
    return state.tobytes()


def _set_physics(model: Any, data: Any, state: Any) -> None:
    import mujoco

    mujoco.mj_setState(model, data, state, _integration())
    settle(model, data)


def _checked(model: Any, state: bytes) -> Any:
    if len(state) != 8 * _size(model):
        raise ValueError(_NOT_A_STATE)
    return np.frombuffer(state, dtype=np.float64).copy()


def _parts(moved: Mapping[str, Plain], usual: Mapping[str, Any]) -> dict[str, Any]:
    """The parts of a model: as usual, or as they were moved."""
    found = dict(usual)
    for name, plain in moved.items():
        value = from_plain(plain)
        if name not in usual or not isinstance(value, np.ndarray) or value.shape != usual[name].shape:
            raise ValueError(_NOT_A_STATE)
        found[name] = value
    return found
