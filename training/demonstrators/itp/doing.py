"""Steps in words, robots whose functions have all kinds of names, and the calls that carry the steps out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from thinkaloud.guidelines import Guidelines
from thinkaloud.methods.itp.executor import PUT_DOWN, render_heads, scene_of_relations
from thinkaloud.methods.itp.possible_calls import CALLS_END
from thinkaloud.records import Condition
from thinkaloud.signatures import Parameter, Signature
from thinkaloud.state.edit import HELD
from thinkaloud.state.scene import render_scene
from training.demonstrators.itp.drawing import Rng, between, chance, one, some
from training.demonstrators.itp.menus import draw_shop, plural
from training.demonstrators.itp.ruling import BINS, WORKPLACES


@dataclass
class Robot:
    """What can be called, and where things are."""

    functions: list[Signature]
    places: tuple[str, ...] = ()
    steps: list[tuple[str, str]] = field(default_factory=list)
    """What was asked, and the calls, one after the other."""

    def asks(self, step: str, *calls: str, now: Sequence[str] = (), trouble: str = "") -> None:
        """Note a step, with the calls that carry it out."""
        lines = render_heads(self.functions, Guidelines("practice", "", (), (), locations=self.places))
        relations = [Condition(HELD, {"object": words.split(" is ")[0]}, f"{words}.") for words in now]
        lines += [f"Now: {render_scene(scene_of_relations(relations))}"] if relations else []
        lines += [f"Step: {step}", *([f"# {trouble}"] if trouble else [])]
        self.steps.append(("\n".join(lines) + "\n", "\n".join(calls) + CALLS_END))


def signature(name: str, *parameters: str) -> Signature:
    """A function, by the names of its parameters."""
    return Signature(name, "", tuple(Parameter(each, str, "", each) for each in parameters), "")


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
_WHICH = (
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
_PLACE_FOR = (
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
_STACKS = (
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


def counter(rng: Rng) -> Robot:
    """A robot that carries vessels and fills them."""
    shop = draw_shop(rng)
    v = shop.vessel
    stack = one(rng, _STACKS).format(v=v)
    words = {
        "v": v,
        "vs": plural(v),
        "stack": stack,
        "work": one(rng, WORKPLACES),
        "done": one(rng, DONE),
        "bin": one(rng, BINS),
    }
    if len({*words.values()}) < len(words):
        return counter(rng)
    work, done, waste = words["work"], words["done"], words["bin"]
    take = f"{one(rng, ('grasp', 'grab', 'take', 'pick_up', 'lift', 'hold', 'fetch'))}_{slug(v)}"
    put = f"{one(rng, ('place', 'put', 'set', 'put_down', 'release', 'deposit', 'drop'))}_{slug(v)}"
    fill = one(rng, ("pour", "add", "fill", "scoop_to_location", "dispense", "put_in", "add_to", "give", "insert"))
    first = chance(rng, 0.75)  # which of the two arguments comes first
    place, stuff = one(
        rng, (("location", "ingredient"), ("place", "material"), ("where", "what"), ("location", "item"))
    )
    only = chance(rng, 0.15)  # there is just one place to fill anything
    filling = signature(fill, *((stuff,) if only else (place, stuff) if first else (stuff, place)))
    special = one(rng, shop.free) if chance(rng, 0.35) else ""
    scoop = f"{one(rng, ('scoop', 'spoon', 'drop', 'add'))}_{slug(special)}_{one(rng, ('to_location', 'into', 'at'))}"
    functions = [signature(take, place), signature(put, place), filling]
    functions += [signature(scoop, place)] if special else []
    functions += [signature(one(rng, ("stir", "shake", "wipe")), place)] if chance(rng, 0.7) else []
    lines = tuple(line.format(**words) for line in one(rng, _PLACE_FOR))
    robot = Robot(some(rng, functions, len(functions)) if chance(rng, 0.2) else functions, tuple(some(rng, lines, 4)))

    def add(name: str) -> str:
        if name == special:
            return call(scoop, work)
        return call(fill, *((name,) if only else (work, name) if first else (name, work)))

    def said(templates: Sequence[str], **more: str) -> str:
        """One of the templates; now and then it is said which vessel is meant."""
        template = one(rng, templates)
        if chance(rng, 0.5) and "the {v}" in template:
            template = template.replace("the {v}", f"the {one(rng, _WHICH)}", 1)
        return template.format(**{**words, **more})

    number = between(rng, 1, 4)
    here = [f"{v} {number} is at the {work}"]
    before = [f"{v} {number - 1} is at the {one(rng, (done, waste))}"] if number > 1 else []
    robot.asks(one(rng, GET).format(**words), call(take, stack), call(put, work), now=before)
    inside: list[str] = []
    for name in some(rng, shop.guidelines.available, between(rng, 1, 4)):
        step = said(ADD, m=name)
        if chance(rng, 0.06):
            robot.asks(step, call(put, work), add(name), now=[*before, f"{v} {number} is in the gripper"])
        else:
            told_ = [f"There is {each} in {v} {number}" for each in inside] if chance(rng, 0.6) else []
            trouble = f"{add(name)} failed: {one(rng, _REASONS).format(m=name, v=v)}" if chance(rng, 0.05) else ""
            robot.asks(step, add(name), now=[*before, *here, *told_], trouble=trouble)
        inside.append(name)
    held = [f"{v} {number} is in the gripper"]
    for templates, target in ((FINISH, done), (DISCARD, waste)):
        step = said(templates)
        if chance(rng, 0.1):
            robot.asks(step, call(put, target), now=[*before, *held])
        else:
            full = [f"There is {each} in {v} {number}" for each in inside] if chance(rng, 0.5) else []
            robot.asks(step, call(take, work), call(put, target), now=[*before, *here, *full])
    if chance(rng, 0.3):
        robot.asks(PUT_DOWN, call(put, work), now=[*before, *held])
    if chance(rng, 0.3):
        step = said(DISCARD, work=done)
        robot.asks(step, call(take, done), call(put, waste), now=[f"{v} {number} is at the {done}"])
    return robot


_REASONS = (
    "The {m} slipped.",
    "There is too little {m} in the {v}.",
    "Nothing came out.",
    "The gripper missed it.",
    "It got stuck half-way.",
)
