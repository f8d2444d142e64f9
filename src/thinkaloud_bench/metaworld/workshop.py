"""The workshop as a robot: Meta-World's scripted policies as skills, and its criteria for success as relations."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Annotated, Any, Self

from thinkaloud import Kind, relation
from thinkaloud.records import Arguments, Value
from thinkaloud.robots.gymnasium import GymnasiumWorld, Policy, policy
from thinkaloud.skills.signatures import Signature
from thinkaloud_bench.metaworld.stations import STATIONS, Stations, motion_for

MOST = 150
"""Steps that a policy gets for one attempt; three attempts fit into Meta-World's 500."""
Openable = Annotated[str, Kind("shut thing")]
Closable = Annotated[str, Kind("open thing")]
Button = Annotated[str, Kind("button")]
Tap = Annotated[str, Kind("tap")]
RunningTap = Annotated[str, Kind("running tap")]
Lock = Annotated[str, Kind("unlocked door")]
Locked = Annotated[str, Kind("locked door")]
Dial = Annotated[str, Kind("dial")]
Lever = Annotated[str, Kind("lever")]
Nail = Annotated[str, Kind("nail")]
Loose = Annotated[str, Kind("loose thing")]
Place = Annotated[str, Kind("place")]
_KINDS = {
    "open": "shut thing",
    "close": "open thing",
    "press": "button",
    "turn_on": "tap",
    "turn_off": "running tap",
    "lock": "unlocked door",
    "unlock": "locked door",
    "turn": "dial",
    "pull": "lever",
    "hammer_in": "nail",
    "put": "loose thing",
}


def _makes(relation: str) -> Callable[..., tuple[tuple[str, Arguments], ...]]:
    return lambda **given: ((relation, given),)


def _refuse_other_places(observation: Any, thing: Value, place: Value) -> str | None:
    """Each thing has its own place here."""
    own = STATIONS[str(thing)].place
    return None if place == own else f"The {thing} can only be put at the {own}."


class Workshop(GymnasiumWorld):
    """An arm that goes from station to station."""

    name = "workshop"
    about = "An arm in a workshop opens, closes, presses, turns, pulls and moves things."

    def __init__(self, things: Sequence[str], pushed: str = "") -> None:
        self.things, self.pushed = tuple(things), pushed
        self.kinds = self._kinds()
        super().__init__()
        self.skills = {name: each for name, each in self.skills.items() if self._has_use(each.signature)}
        self.relations = {name: each for name, each in self.relations.items() if self._has_use(each.signature)}

    def _has_use(self, signature: Signature) -> bool:
        """Whether something is here with which this can be done."""
        return all(self.kinds[str(parameter.kind)] for parameter in signature.parameters)

    def _kinds(self) -> Mapping[str, Sequence[str]]:
        found: dict[str, list[str]] = {kind: [] for kind in (*_KINDS.values(), "place")}
        for thing in self.things:
            found[_KINDS[STATIONS[thing].deed]].append(thing)
            found["place"] += [STATIONS[thing].place] if STATIONS[thing].place else []
        return found

    def make(self) -> Stations:
        """Make the environment."""
        return Stations(self.things, self.pushed)

    def another(self) -> Self:
        """Another workshop with the same stations; nobody pushes the arm in a rehearsal."""
        return type(self)(self.things)

    def _work(self, thing: str) -> Policy:
        act, station = motion_for(thing), self.things.index(thing)
        return lambda seen: {"station": station, "motion": act(seen[thing])}

    def succeeded(self, thing: str) -> bool:
        """What Meta-World says of a station."""
        return bool(self.info["success"].get(thing))

    # Skills -----------------------------------------------------------------------------------------------------------

    @policy("Open the {thing}.", effects=_makes("is_open"), most=MOST)
    def open(self, thing: Openable) -> Policy:
        """Open something that is shut.

        Args:
            thing: what to open.
        """
        return self._work(thing)

    @policy("Close the {thing}.", effects=_makes("is_closed"), most=MOST)
    def close(self, thing: Closable) -> Policy:
        """Close something that is open.

        Args:
            thing: what to close.
        """
        return self._work(thing)

    @policy("Press the {button}.", effects=_makes("is_pressed"), most=MOST)
    def press(self, button: Button) -> Policy:
        """Press a button.

        Args:
            button: which button.
        """
        return self._work(button)

    @policy("Turn on the {tap}.", effects=_makes("is_running"), most=MOST)
    def turn_on(self, tap: Tap) -> Policy:
        """Turn a tap on.

        Args:
            tap: which tap.
        """
        return self._work(tap)

    @policy("Turn off the {tap}.", effects=_makes("is_off"), most=MOST)
    def turn_off(self, tap: RunningTap) -> Policy:
        """Turn a running tap off.

        Args:
            tap: which tap.
        """
        return self._work(tap)

    @policy("Lock the {door}.", effects=_makes("is_locked"), most=MOST)
    def lock(self, door: Lock) -> Policy:
        """Lock a door.

        Args:
            door: which door.
        """
        return self._work(door)

    @policy("Unlock the {door}.", effects=_makes("is_unlocked"), most=MOST)
    def unlock(self, door: Locked) -> Policy:
        """Unlock a door.

        Args:
            door: which door.
        """
        return self._work(door)

    @policy("Turn the {dial}.", effects=_makes("is_turned"), most=MOST)
    def turn(self, dial: Dial) -> Policy:
        """Turn a dial.

        Args:
            dial: which dial.
        """
        return self._work(dial)

    @policy("Pull the {lever}.", effects=_makes("is_pulled"), most=MOST)
    def pull(self, lever: Lever) -> Policy:
        """Pull a lever.

        Args:
            lever: which lever.
        """
        return self._work(lever)

    @policy("Hammer in the {nail}.", effects=_makes("is_in"), most=MOST)
    def hammer_in(self, nail: Nail) -> Policy:
        """Drive a nail in with the hammer.

        Args:
            nail: which nail.
        """
        return self._work(nail)

    @policy(
        "Put the {thing} at the {place}.", effects=_makes("is_at"), preconditions=(_refuse_other_places,), most=MOST
    )
    def put(self, thing: Loose, place: Place) -> Policy:
        """Put something where it belongs: into the goal, on the rack, under the machine.

        Args:
            thing: what to put there.
            place: where to put it.
        """
        return self._work(thing)

    # Relations --------------------------------------------------------------------------------------------------------

    @relation("{thing} is open.")
    def is_open(self, thing: Openable) -> bool:
        """Whether something is open."""
        return self.succeeded(thing)

    @relation("{thing} is closed.")
    def is_closed(self, thing: Closable) -> bool:
        """Whether something is closed."""
        return self.succeeded(thing)

    @relation("{button} is pressed.")
    def is_pressed(self, button: Button) -> bool:
        """Whether a button is pressed."""
        return self.succeeded(button)

    @relation("{tap} is running.")
    def is_running(self, tap: Tap) -> bool:
        """Whether a tap is turned on."""
        return self.succeeded(tap)

    @relation("{tap} is off.")
    def is_off(self, tap: RunningTap) -> bool:
        """Whether a tap is turned off."""
        return self.succeeded(tap)

    @relation("{door} is locked.")
    def is_locked(self, door: Lock) -> bool:
        """Whether a door is locked."""
        return self.succeeded(door)

    @relation("{door} is unlocked.")
    def is_unlocked(self, door: Locked) -> bool:
        """Whether a door is unlocked."""
        return self.succeeded(door)

    @relation("{dial} is turned.")
    def is_turned(self, dial: Dial) -> bool:
        """Whether a dial is turned."""
        return self.succeeded(dial)

    @relation("{lever} is pulled.")
    def is_pulled(self, lever: Lever) -> bool:
        """Whether a lever is pulled."""
        return self.succeeded(lever)

    @relation("{nail} is in.")
    def is_in(self, nail: Nail) -> bool:
        """Whether a nail is driven in."""
        return self.succeeded(nail)

    @relation("{thing} is at the {place}.")
    def is_at(self, thing: Loose, place: Place) -> bool:
        """Whether something is where it belongs."""
        return place == STATIONS[thing].place and self.succeeded(thing)
