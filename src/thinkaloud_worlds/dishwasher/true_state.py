"""The true, unseen state of a machine and its things: what came out clean, and how wet it still is."""

from __future__ import annotations

import math

import msgspec

from thinkaloud_worlds.dishwasher.known_state import Known, LoadingRules
from thinkaloud_worlds.dishwasher.scene import MachineScene
from thinkaloud_worlds.seeds import generator

_WAIT = 5.0  # minutes of one wait; everything is dry after one to three waits
_COOL = 3.2  # minutes until things can be touched
_DAMP = 0.1  # a thing with less moisture than this counts as dry
MachineAction = tuple[str, str, str]
"""An action, the thing it acted on, and where: ("put", "plate 1", "third rack")."""


class SavedMachine(msgspec.Struct, array_like=True, frozen=True, forbid_unknown_fields=True):
    """The complete state, for a snapshot."""

    world: str
    scene: str
    seed: int
    now: float
    ends_at: float
    used: tuple[str, ...]
    places: dict[str, str]
    prepared: tuple[str, ...]
    washed: tuple[str, ...]
    checked: tuple[str, ...]
    clean: tuple[str, ...]
    faults: dict[str, str]
    dries_at: dict[str, tuple[float, float]]
    machine: tuple[bool, bool, bool, str]
    history: tuple[MachineAction, ...]


class Process:
    """The machine and its things over time. A second of the clock is a minute of the machine: a time lapse."""

    def __init__(self, scene: MachineScene, seed: int) -> None:
        self.scene, self.seed, self.rules = scene, seed, LoadingRules(scene)
        self.known = Known(dict.fromkeys(scene.names, scene.start_place))
        self.now, self.ends_at = 0.0, 0.0
        self.used: list[str] = []
        """The additive of each cycle so far; empty if there was none."""
        self.clean: set[str] = set()
        self.faults: dict[str, str] = {}
        self.dries_at: dict[str, tuple[float, float]] = {}
        """When a thing's cycle ended, and when it will be dry."""
        self.history: list[MachineAction] = []

    def go_on(self, minutes: float) -> None:
        """Let time pass; a cycle ends after its minutes."""
        self.now += minutes
        if self.known.running and self.now >= self.ends_at - 1e-9:
            self._end()

    def start(self) -> None:
        """Start a cycle with what is in the dispenser."""
        self.used.append(self.known.additive)
        self.rules.becomes("start", self.known, {})
        self.ends_at = self.now + self.scene.cycle_minutes

    def _end(self) -> None:
        inside = self.rules.inside(self.known)
        self.rules.becomes("wait", self.known, {"minutes": 1})
        rng = generator(self.seed, len(self.used), 0xD15)
        slowest = _WAIT * int(rng.integers(1, 4)) - float(rng.uniform(1.0, 3.0))
        shares = rng.uniform(0.6, 1.0, len(inside))
        shares[rng.integers(len(inside))] = 1.0
        for name, share in zip(inside, shares, strict=True):
            self.dries_at[name] = self.ends_at, self.ends_at + max(slowest * float(share), _COOL)
            self.faults[name] = self._fault(name)
            if not self.faults[name]:
                self.clean.add(name)

    def _fault(self, name: str) -> str:
        """Why a thing comes out as it went in; a clean thing stays clean."""
        place, right = self.known.places[name], self.scene.belongs(name)
        if name in self.clean:
            return ""
        if place != right:
            return f"it was on the {place} and belongs on the {right}"
        if name not in self.known.prepared:
            return f"it went in before this was done: {self.scene.prepare} it"
        return "" if self.used[-1] else f"there was no {self.scene.additive} in the dispenser"

    def moisture(self, name: str) -> float:
        """How wet a thing still is, 0 to 1: it dries exponentially after the cycle."""
        if name not in self.dries_at or name not in self.known.washed:
            return 0.0
        end, dry = self.dries_at[name]
        return math.exp(math.log(_DAMP) * max(self.now - end, 0.0) / (dry - end))

    def needs_time(self, name: str) -> str:
        """The problem that only waiting solves: `hot`, `wet`, or empty."""
        if name not in self.known.washed or self.moisture(name) <= _DAMP + 1e-9:
            return ""
        wet = "wet" if "dry" in self.scene.ready.lower() else "hot"
        return wet if self.now - self.dries_at[name][0] >= _COOL else "hot"

    def is_ready(self, name: str) -> bool:
        """Whether a thing is truly as it should be."""
        return name in self.clean and name in self.known.washed and not self.needs_time(name)

    def wrong_with(self, name: str) -> str:
        """What is wrong with a thing in the machine, in words; empty if nothing."""
        if name not in self.known.washed:
            return f"{name} has not been through a cycle"
        if self.faults[name]:
            return f"{name} is still {self.scene.dirty}: {self.faults[name]}"
        state = self.needs_time(name)
        return f"{name} is still {state}" if state else ""

    # Snapshots --------------------------------------------------------------------------------------------------------

    def saved(self, world: str) -> SavedMachine:
        """The complete state as data."""
        known = self.known
        return SavedMachine(
            world,
            self.scene.to_json(),
            self.seed,
            self.now,
            self.ends_at,
            tuple(self.used),
            known.places,
            tuple(sorted(known.prepared)),
            tuple(sorted(known.washed)),
            tuple(sorted(known.ready)),
            tuple(sorted(self.clean)),
            self.faults,
            self.dries_at,
            (known.open, known.out, known.running, known.additive),
            tuple(self.history),
        )

    @classmethod
    def from_saved(cls, scene: MachineScene, saved: SavedMachine) -> Process:
        """Restore the process."""
        process = cls(scene, saved.seed)
        process.now, process.ends_at, process.used = saved.now, saved.ends_at, list(saved.used)
        process.known = Known(dict(saved.places), {*saved.prepared}, {*saved.washed}, {*saved.checked}, *saved.machine)
        process.clean, process.faults = {*saved.clean}, dict(saved.faults)
        process.dries_at, process.history = dict(saved.dries_at), list(saved.history)
        return process
