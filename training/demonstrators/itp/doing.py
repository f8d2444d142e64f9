"""Steps in words, robots whose functions have all kinds of names, and the calls that carry the steps out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from thinkaloud.methods.itp.executor import CALLS_END, CANNOT_PREFIX, render_documented_functions, render_situation
from thinkaloud.skills.signatures import Parameter, Signature
from training.demonstrators.itp.drawing import Rng, between, chance, one, some
from training.demonstrators.itp.menus import DEEDS, draw_shop, plural
from training.demonstrators.itp.ruling import BINS, WORKPLACES


@dataclass
class Robot:
    """What can be called, with which names, and what is seen besides what changes."""

    functions: list[Signature]
    names: Mapping[str, Sequence[str]] = field(default_factory=dict)
    scene: str = "nothing is seen"
    steps: list[tuple[str, str]] = field(default_factory=list)
    """What was asked, and the calls, one after the other."""
    completed: list[str] = field(default_factory=list)

    def asks(
        self,
        step: str,
        *calls: str,
        now: Sequence[str] = (),
        failed: Sequence[tuple[str, str]] = (),
        refused: Sequence[str] = (),
        finished: bool = True,
    ) -> None:
        """Note a step, with the calls that carry it out."""
        functions = render_documented_functions(
            self.functions, {kind: tuple(names) for kind, names in self.names.items()}
        )
        scene = ". ".join([self.scene, *now])
        prompt = functions + render_situation(self.completed, scene, step, failed, refused)
        self.steps.append((prompt, "\n".join(calls) + CALLS_END))
        if finished:
            self.completed.append(step)


def signature(name: str, about: str, *parameters: str | tuple[str, str]) -> Signature:
    """A function, by the names of its parameters; each may have a kind of another name."""
    given = [each if isinstance(each, tuple) else (each, each) for each in parameters]
    return Signature(name, about, tuple(Parameter(called, str, "", kind) for called, kind in given), "")


def call(name: str, *arguments: str) -> str:
    """A call as it is written."""
    return f"{name}({', '.join(f'{chr(34)}{each}{chr(34)}' for each in arguments)})"


def slug(words: str) -> str:
    """Words as a part of a function's name."""
    return "".join(letter if letter.isalnum() else "_" for letter in words.lower())


GET = (
    "take a clean {v} to the {work}",
    "fetch a {v} from the {stack} and set it on the {work}",
    "bring a new {v} to the {work}",
    "put an unused {v} at the {work}",
    "get a {v} out of the {stack} and carry it to the {work}",
    "set up a fresh {v} at the {work}",
    "pick a {v} from the {stack} and place it on the {work}",
    "start with an empty {v} at the {work}",
    "move a {v} from the {stack} to the {work}",
    "place a new {v} on the {work}",
    "take an empty {v} to the {work}",
    "get one {v} ready at the {work}",
    "bring an empty {v} to the {work}",
    "hold a {v} from the {stack} and put it down at the {work}",
)
FINISH = (
    "bring the {v} to the {done}",
    "carry the {v} from the {work} to the {done}",
    "move the full {v} to the {done}",
    "serve the {v} at the {done}",
    "set the {v} down at the {done}",
    "hand the {v} over at the {done}",
    "take the {v} to the {done}",
    "deliver the {v} to the {done}",
    "put the {v} that is on the {work} at the {done}",
    "place the ready {v} at the {done}",
    "transfer the {v} at the {work} to the {done}",
    "pass the {v} on to the {done}",
    "move the {v} in use to the {done}",
    "leave the completed {v} at the {done}",
)
DISCARD = (
    "throw the {v} into the {bin}",
    "put the {v} from the {work} into the {bin}",
    "discard the {v} in the {bin}",
    "dump the spoiled {v} in the {bin}",
    "take the failed {v} to the {bin}",
    "toss the {v} at the {work} into the {bin}",
    "drop the wrong {v} into the {bin}",
    "carry the {v} to the {bin}",
    "move the {v} that nobody wants to the {bin}",
    "dispose of the {v} in use in the {bin}",
    "get rid of the {v}: it goes into the {bin}",
    "throw away the {v}",
    "throw away the {v}",
    "discard the {v}",
    "dispose of the {v}",
)
ADD = (
    "add {m} to the {v}",
    "pour {m} into the {v}",
    "put {m} into the {v}",
    "add {m} to the {v} at the {work}",
    "put a portion of {m} in the {v} at the {work}",
    "scoop {m} into the {v}",
    "tip {m} into the {v}",
    "fill {m} into the {v} on the {work}",
    "place {m} in the {v}",
    "drop {m} into the {v} at the {work}",
    "sprinkle {m} over what is in the {v}",
    "give {m} to the {v}",
    "add some {m}",
    "mix {m} into the {v}",
    "let {m} run into the {v} at the {work}",
    "add a spoon of {m} to the {v} in use",
    "insert {m} into the {v}",
    "pour the {m} into the {v} at the {work}",
)
WHICH = (
    "current {v}",
    "present {v}",
    "same {v}",
    "half-full {v}",
    "prepared {v}",
    "filled {v}",
    "customer's {v}",
    "{v} in the making",
    "{v} being filled",
    "{v} you are working on",
    "{v} under way",
    "{v} at hand",
    "{v} that is being made",
    "{v} with all that is in it",
    "{v} we are busy with",
)
"""How the vessel is spoken of that is being filled."""
PLACE_FOR = (
    ("{stack} for clean {vs}", "{work} for the {v} in use", "{done} for what is ready", "{bin} for what nobody wants"),
    ("{stack}: unused {vs}", "{work}: filling", "{done}: finished {vs}", "{bin}: failed {vs}"),
    ("{stack} (new {vs})", "{work} (work in progress)", "{done} (pick-up)", "{bin} (waste)"),
    (
        "{stack} where the {vs} are",
        "{work} where things are made",
        "{done} where customers get them",
        "{bin} for mistakes",
    ),
    ("{stack}", "{work}", "{done}", "{bin}"),
)
STACKS = (
    "pile",
    "{v} pile",
    "{v} shelf",
    "cupboard",
    "{v} dispenser",
    "rack",
    "{v} box",
    "store",
    "stock shelf",
    "{v} holder",
)
DONE = (
    "hatch",
    "window",
    "ready shelf",
    "outlet",
    "collection point",
    "service desk",
    "handover place",
    "display",
    "waiting tray",
    "exit belt",
)


_TAKE = (
    "Take hold of a {v}: an empty one from the {stack}, or the one at a place.",
    "Grip the {v} that is at a place, to carry it. New ones are at the {stack}.",
    "Pick a {v} up. The hand has to be empty.",
    "Close the gripper around the {v} at a place ({stack}: unused {vs}).",
    "Get a {v} into the gripper; {put} comes next.",
    "Take (grab, seize, lift) the {v} at a place, so that it can be moved, carried off or thrown away; {put} follows.",
    "Hold a {v}: a fresh one from the {stack}, or one that is to be moved, served or discarded. The hand must be free.",
    "To move, bring, carry or throw away a {v}, it has to be taken first: at the {stack}, the {work} or the {done}.",
)
_PUT = (
    "Put down the {v} in the gripper: at the {work}, at the {done}, or into the {bin} to throw it away.",
    "Set the {v} in hand down somewhere; in the {bin} it is gone for good.",
    "Let go of the {v} at a place. {take} comes first. What goes to the {bin} is discarded.",
    "Bring the {v} in the gripper to a place: {work}, {done} or, as waste, {bin}.",
    "Put (place, set, move, bring) the {v} that is held at the {work} or the {done}, or throw it into the {bin}.",
    "Release the {v}: move it to the {done}, take it to the {work}, or dump and discard it in the {bin}; {take} first.",
    "Serve, deliver or set down the {v} in hand at the {done}, get it to the {work}, or throw it away into the {bin}.",
)
_FILL = (
    "Add a portion of something to the {v} at a place.",
    "Pour, scoop or put something into the {v} that stands at a place. The hand has to be empty.",
    "Put some of it in the {v}.",
    "Fill one of the materials into the {v}; the gripper must be free.",
    "Add (pour, tip, sprinkle, put in, mix in) a portion of a material to the {v} at a place, with an empty gripper.",
    "Fetch some of a material, pour or drop it into the {v} that stands there, and put the rest back.",
)
_OTHER = {
    "stir": "Stir what is in the {v}.",
    "shake": "Shake the {v}.",
    "wipe": "Wipe the {v} with a cloth.",
    "seal": "Seal the {v}.",
    "label": "Stick a label on the {v}.",
    "press": "Press down what is in the {v}.",
}
REASONS = (
    "The {m} slipped.",
    "There is too little {m} in the {v}.",
    "Nothing came out.",
    "The gripper missed it.",
    "It got stuck half-way.",
)


@dataclass
class Bar:
    """A robot that carries vessels and fills them, and how its steps are made into calls."""

    words: dict[str, str]
    robot: Robot
    material: tuple[str, ...]
    take: str
    put: str
    fill: str
    special: str = ""
    scoop: str = ""
    only: bool = False
    first: bool = True
    """Whether a place is given before what is filled in."""
    other: str = ""
    scooped: frozenset[str] = frozenset()
    """What is added by `scoop`, where that has to be told what."""

    def carry(self, start: str, end: str) -> list[str]:
        """From one place to another."""
        return [call(self.take, self.words[start]), call(self.put, self.words[end])]

    def add(self, name: str) -> str:
        """Something goes in."""
        work = self.words["work"]
        if name == self.special:
            return call(self.scoop, work)
        if name in self.scooped:
            return call(self.scoop, work, name)
        return call(self.fill, *((name,) if self.only else (work, name) if self.first else (name, work)))


def draw_bar(rng: Rng, material: Sequence[str] = (), vessel: str = "", words: Mapping[str, str] | None = None) -> Bar:
    """Any such robot; or one for a counter that is known."""
    if not material:
        shop = draw_shop(rng)
        material, vessel = shop.guidelines.available, shop.vessel
    while words is None:
        drawn = {"v": vessel, "vs": plural(vessel), "stack": one(rng, STACKS).format(v=vessel)}
        drawn |= {"work": one(rng, WORKPLACES), "done": one(rng, DONE), "bin": one(rng, BINS)}
        words = drawn if len({*drawn.values()}) == len(drawn) else None
    take = f"{one(rng, ('grasp', 'grab', 'take', 'pick_up', 'lift', 'hold', 'fetch'))}_{slug(vessel)}"
    put = f"{one(rng, ('place', 'put', 'set', 'put_down', 'release', 'deposit', 'drop'))}_{slug(vessel)}"
    fill = one(rng, ("pour", "add", "fill", "scoop_to_location", "dispense", "put_in", "add_to", "give", "insert"))
    place, stuff = one(
        rng, (("location", "ingredient"), ("place", "material"), ("where", "what"), ("location", "item"))
    )
    first, only = chance(rng, 0.75), chance(rng, 0.15)
    special = one(rng, material) if chance(rng, 0.35) else ""
    scoop = f"{one(rng, ('scoop', 'spoon', 'drop', 'add'))}_{slug(special)}_{one(rng, ('to_location', 'into', 'at'))}"
    said = {**words, "take": take, "put": put}
    into, what = (place, "to"), (stuff, "stuff")
    functions = [
        signature(take, one(rng, _TAKE).format(**said), (place, "from")),
        signature(put, one(rng, _PUT).format(**said), into),
        signature(
            fill, one(rng, _FILL).format(**said), *((what,) if only else (into, what) if first else (what, into))
        ),
    ]
    functions += [signature(scoop, f"Add {special} to the {vessel} at a place.", into)] if special else []
    other = one(rng, list(_OTHER)) if chance(rng, 0.7) else ""
    functions += [signature(other, _OTHER[other].format(v=vessel), into)] if other else []
    names = {
        "from": (words["stack"], words["work"], words["done"]),
        "to": (words["work"], words["done"], words["bin"]),
        "stuff": tuple(name for name in material if name != special),
    }
    scene = f"there is {', '.join([words['stack'], *material])}"
    robot = Robot(some(rng, functions, len(functions)) if chance(rng, 0.2) else functions, names, scene)
    return Bar(dict(words), robot, tuple(material), take, put, fill, special, scoop, only, first, other)


def counter(rng: Rng) -> Robot:
    """Steps of a robot that carries vessels and fills them."""
    bar = draw_bar(rng)
    words, robot, v = bar.words, bar.robot, bar.words["v"]
    work, done, waste = words["work"], words["done"], words["bin"]

    def said(templates: Sequence[str], **more: str) -> str:
        """One of the templates; now and then it is said which vessel is meant."""
        template = one(rng, templates)
        if chance(rng, 0.5) and "the {v}" in template:
            template = template.replace("the {v}", f"the {one(rng, WHICH)}", 1)
        return template.format(**{**words, **more})

    number = between(rng, 1, 4)
    here, held = f"{v} {number} is at the {work}", f"{v} {number} is in the gripper"
    before = [f"{v} {number - 1} is at the {one(rng, (done, waste))}"] if number > 1 else []
    get = one(rng, GET).format(**words)
    if chance(rng, 0.1):
        robot.asks(get, call(bar.put, work), now=[*before, held])
    else:
        robot.asks(get, *bar.carry("stack", "work"), now=before)
    inside: list[str] = []
    for name in some(rng, bar.material, between(rng, 1, 3)):
        full = [f"There is {each} in {v} {number}" for each in inside]
        step, failed = said(ADD, m=name), list[tuple[str, str]]()
        if chance(rng, 0.06):
            failed = [(bar.add(name), f"The gripper holds {v} {number}. Put that down first.")] * chance(rng, 0.5)
            robot.asks(step, call(bar.put, work), bar.add(name), now=[*before, held, *full], failed=failed)
        else:
            if chance(rng, 0.07):
                failed = [(bar.add(name), one(rng, REASONS).format(m=name, v=v))] * between(rng, 1, 2)
            refused = ["There is no function 'brew'; known: pour."] if chance(rng, 0.02) else []
            robot.asks(step, bar.add(name), now=[*before, here, *full], failed=failed, refused=refused)
        inside.append(name)
    full = [f"There is {each} in {v} {number}" for each in inside]
    drawn = rng.random()
    if drawn < 0.12:
        deed = one(rng, [each for each in DEEDS if each != bar.other])
        robot.asks(
            f"{deed} the {v}",
            f"{CANNOT_PREFIX}there is no function to {deed} it",
            now=[*before, here, *full],
            finished=False,
        )
    elif drawn < 0.2:
        lacking = one(rng, [name for sort in draw_shop(rng).layers for name in sort])
        if lacking not in bar.material:
            robot.asks(
                said(ADD, m=lacking), f"{CANNOT_PREFIX}there is no {lacking} here", now=[*before, here], finished=False
            )
    elif drawn < 0.4 and bar.other:
        robot.asks(f"{bar.other} the {v}", call(bar.other, work), now=[*before, here, *full])
    templates, target = one(rng, ((FINISH, "done"), (DISCARD, "bin")))
    if chance(rng, 0.1):
        robot.asks(said(templates), call(bar.put, words[target]), now=[*before, held, *full])
    elif target == "bin" and chance(rng, 0.25):
        there = f"{v} {number} is at the {done}"
        robot.asks(said(templates, work=done), *bar.carry("done", target), now=[there, *full])
    else:
        robot.asks(said(templates), *bar.carry("work", target), now=[*before, here, *full])
    return robot
