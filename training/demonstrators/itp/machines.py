"""Orders at a machine from the first call to the last, in the state that the dishwasher world would be in.

The state is kept by that world's own rules, which also say why a call is refused. Half of the robots have its
functions, with all the verbs in their documentation; the others are called and described otherwise. One thing is in
hand at a time.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from thinkaloud.errors import BadScene
from thinkaloud.guidelines.order_form import places
from thinkaloud.records import Observation
from thinkaloud.skills import Relation
from thinkaloud.state.scene_text import render_scene
from thinkaloud_worlds.dishwasher.known_state import Known, LoadingRules, write_state
from thinkaloud_worlds.dishwasher.scene import ItemKind, MachineScene
from thinkaloud_worlds.dishwasher.skill_texts import relation_signatures, wordings
from training.demonstrators.itp.coding import machine_deed
from training.demonstrators.itp.doing import Robot
from training.demonstrators.itp.drawing import Rng, between, chance, one, some
from training.demonstrators.itp.machine_plans import Hall, draw_hall
from training.demonstrators.itp.machining import Operator, draw_operator

_SHOWN = {"put": 1.0, "wait": 1.0, "check": 1.0, "grasp": 0.5, "prepare": 0.4}
"""How many of these steps are shown."""
_OTHERS_SHOWN = 0.5
_DEEDS = {"back": "put_back"}


def _never() -> bool:
    return False


@dataclass
class Machine:
    """What is where, and how the machine stands."""

    scene: MachineScene

    def __post_init__(self) -> None:
        self.scene.check()
        self.rules = LoadingRules(self.scene)
        self.known = Known(dict.fromkeys(self.scene.names, self.scene.start_place))
        self.relations = {each.name: Relation(each, _never) for each in relation_signatures(self.scene)}

    def told(self) -> str:
        """As the world would be described."""
        shut = () if self.known.open else tuple(self.rules.inside(self.known))
        seen = tuple(name for name in self.scene.names if name not in shut)
        state = write_state(self.scene, self.known, self.relations)
        return render_scene(Observation((*seen, self.scene.machine), {}, shut, state=state))


def machine_order(rng: Rng) -> Robot:
    """All the steps for some things at one machine, and what goes wrong."""
    hall, machine, operator = _drawn(rng)
    work = _Work(rng, hall, machine, operator)
    kinds = some(rng, hall.works.kinds, between(rng, 1, min(3, len(hall.works.kinds))))
    things = [(kind, between(rng, 1, 3 if len(kinds) < 3 else 2)) for kind in kinds]
    for line in hall.whole(things, one(rng, hall.works.additives)):
        work.do(line)
    return operator.robot


def _drawn(rng: Rng) -> tuple[Hall, Machine, Operator]:
    """A machine that the dishwasher world could be."""
    while True:
        hall = draw_hall(rng)
        plant, words = hall.works.plant, hall.words
        if hall.extra[0] or hall.special[0] or hall.finally_:
            continue
        compartments = tuple(dict.fromkeys([*places(hall.works.guidelines), *plant.compartments]))
        scene = MachineScene(
            tuple(ItemKind(kind, hall.homes[kind], between(rng, 3, 5)) for kind in hall.works.kinds),
            compartments,
            hall.works.additives,
            plant.machine,
            plant.compartment,
            plant.additive,
            plant.item,
            words["prep"],
            words["start"],
            words["end"],
            words["rw"],
            words["d"],
        )
        try:
            machine = Machine(scene)
        except BadScene:
            continue
        operator = _operator(machine, hall) if chance(rng, 0.5) else draw_operator(rng, hall.works, words)
        return hall, machine, operator


def _operator(machine: Machine, hall: Hall) -> Operator:
    """The robot of the world itself, by other words."""
    worded, scene = wordings(machine.scene), machine.scene
    names: Mapping[str, Sequence[str]] = {
        scene.item: scene.kinds,
        scene.compartment: scene.compartments,
        scene.additive: scene.additives,
    }
    called = {each.deed: each.signature.name for each in worded}
    robot = Robot([each.signature for each in worded], names)
    return Operator(hall.works, robot, called | {"back": called["put_back"]}, dict(hall.words), timed=True)


@dataclass
class _Work:
    """Steps, one after another, and what becomes of them."""

    rng: Rng
    hall: Hall
    machine: Machine
    operator: Operator

    def do(self, line: str) -> None:
        """Carry out a line, and note how it is asked and what is right."""
        deed, given = machine_deed(self.hall, line)
        operator, rules, known, rng = self.operator, self.machine.rules, self.machine.known, self.rng
        made, failed, before = operator.calls(deed, **given), list[tuple[str, str]](), list[str]()
        self._mend(deed)
        if deed == "check" and chance(rng, 0.4):
            still = "; ".join(f"{name} is still {one(rng, _STILL)}" for name in rules.inside(known)[:2])
            failed = [(made, f"Not everything is {self.machine.scene.ready}: {still}. Wait a few minutes.")]
            before = [operator.calls("wait")]
        elif deed == "grasp" and chance(rng, 0.08) and (waiting := self._another(given["kind"])):
            known.places[waiting] = ""
            why = rules.refuses("grasp", known, {"item": given["kind"]}) or ""
            failed = [(made, why)] if chance(rng, 0.6) else []
            before = [operator.calls("back")]
        elif deed == "put" and chance(rng, 0.15):  # what is held was put back, and the step is still open
            held, known.places[known.held] = known.held, self.machine.scene.start_place
            why = rules.refuses("put", known, {"item": given["kind"], "compartment": given["place"]}) or ""
            failed = [(made, why)] if chance(rng, 0.7) else []
            before = [operator.calls("grasp", kind=re.sub(r" \d+$", "", held))]
        elif deed in ("put", "prepare", "additive") and chance(rng, 0.06):
            failed = [(made, one(rng, ("It slipped.", "The gripper missed it.", "It got stuck half-way.")))]
        shown = bool(failed or before) or chance(rng, _SHOWN.get(deed, _OTHERS_SHOWN))
        self._asks(line, [*before, made], failed, shown)
        if before and deed == "grasp":
            rules.becomes("put_back", known, {})
        elif before and deed == "put":
            rules.becomes("grasp", known, {"item": given["kind"]})
        own = {"grasp": {"item": given["kind"]}, "additive": {"additive": given["additive"]}}
        own["put"] = {"item": given["kind"], "compartment": given["place"]}
        rules.becomes(_DEEDS.get(deed, deed), known, own.get(deed, {"minutes": 5} if deed == "wait" else {}))

    def _asks(self, line: str, calls: Sequence[str], failed: Sequence[tuple[str, str]], shown: bool) -> None:
        robot = self.operator.robot
        robot.scene = self.machine.told()
        robot.asks(line, *calls, failed=failed)
        if not shown:
            robot.steps.pop()

    def _another(self, kind: str) -> str:
        """A thing of another kind that could be in hand."""
        waiting = [name for name, place in self.machine.known.places.items() if place == self.machine.scene.start_place]
        others = [name for name in waiting if not name.startswith(f"{kind} ")]
        return one(self.rng, others) if others and not self.machine.known.held else ""

    def _mend(self, deed: str) -> None:
        """What the guidelines do not say, and goes without saying: it is pulled out, or open, or over."""
        known = self.machine.known
        if deed in ("put", "additive"):
            known.open = True
            known.out = known.out or deed == "put"
        if deed in ("check", "return") and known.running:
            self.machine.rules.becomes("wait", known, {"minutes": 5})


_STILL = ("hot", "wet", "hot and wet", "rough", "soft", "damp")
