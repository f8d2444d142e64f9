"""The skills and relations of a machine in the words of its scene: names, sentences and documentation.

A language model picks skills by their documentation, so it contains the words that people use for each action.
"""

from __future__ import annotations

import keyword
import re
from dataclasses import dataclass

from thinkaloud.skills.signatures import Parameter, Signature, capitalised
from thinkaloud_worlds.dishwasher.scene import PREPARE, MachineScene, slug


@dataclass(frozen=True)
class Wording:
    """The name of an action in this scene, and a map from the scene's parameter names to the action's own."""

    deed: str
    signature: Signature
    parameters: dict[str, str]


def _plural(words: str) -> str:
    """The plural: `shelves` for `shelf`."""
    if re.search(r"(s|x|z|ch|sh)$", words):
        return words + "es"
    if re.search(r"[^aeiou]y$", words):
        return words[:-1] + "ies"
    if re.search(r"[^f]f$|[^f]fe$", words) and not re.search(r"(oof|ief|afe|rf)$", words):
        return re.sub(r"fe?$", "ves", words)
    return words + "s"


def item_with_article(words: str) -> str:
    """The word with its article: `an oven`."""
    vowel = re.match(r"[aeiou](?!ten|ni|s[aeu]|u)", words.lower())
    return f"{'an' if vowel else 'a'} {words}"


def _identifier(words: str) -> str:
    """Turn words into the name of a parameter."""
    name = slug(words)
    return f"{name}_" if keyword.iskeyword(name) else name


def wordings(scene: MachineScene) -> list[Wording]:
    """Every action in the words of the scene."""
    machine, compartment, item, additive = scene.machine, scene.compartment, scene.item, scene.additive
    racks, items = _plural(compartment), _plural(item)
    a_kind = Parameter(_identifier(item), str, f"the kind of {item}, such as {scene.kinds[0]}.", item)
    a_rack = Parameter(
        _identifier(compartment), str, f"the {compartment} to put it on, such as {scene.compartments[0]}.", compartment
    )
    some = Parameter(_identifier(additive), str, f"which {additive} to add, such as {scene.additives[0]}.", additive)
    prepare = "remove_particles" if scene.prepare == PREPARE else f"prepare_{slug(item)}"

    def worded(deed: str, name: str, says: str, about: str, **parameters: Parameter) -> Wording:
        signature = Signature(name, about, tuple(parameters.values()), says)
        return Wording(deed, signature, {p.name: own for own, p in parameters.items()})

    return [
        worded(
            "grasp",
            f"grasp_{slug(item)}",
            f"Grasp the next {scene.dirty} {{{a_kind.name}}}.",
            f"Grasp (take, pick up, get) the next {scene.dirty} {item} of a kind from the {scene.start_place}; the "
            "gripper has to be empty.",
            item=a_kind,
        ),
        worded(
            "prepare",
            prepare,
            f"{capitalised(scene.prepare)} what is in the gripper.",
            f"{capitalised(scene.prepare)} the {item} that is in the gripper; to be done before it goes into the "
            f"{machine}.",
        ),
        worded(
            "put_back",
            f"put_back_{slug(item)}",
            f"Put what is in the gripper back to the {scene.start_place}.",
            f"Put the {item} that is in the gripper back to the {scene.start_place}; only for one that is no longer "
            "wanted.",
        ),
        worded("open", f"open_{slug(machine)}", f"Open the {machine}.", f"Open the door of the {machine}."),
        worded(
            "pull",
            f"pull_out_{slug(racks)}",
            f"Pull out the {racks}.",
            f"Pull out the {racks} (slide out every {compartment}) of the open {machine}, so that {items} can be "
            "put on them.",
        ),
        worded(
            "put",
            f"put_on_{slug(compartment)}",
            f"Put the {{{a_kind.name}}} on the {{{a_rack.name}}}.",
            f"Put (place, load) the {item} that is in the gripper on (into) {item_with_article(compartment)} "
            "that is pulled out.",
            item=a_kind,
            compartment=a_rack,
        ),
        worded(
            "additive",
            f"add_{slug(additive)}",
            f"Add {{{some.name}}} to the dispenser.",
            f"Add (pour, fill in) {additive} to the dispenser of the open {machine}.",
            additive=some,
        ),
        worded(
            "close",
            f"close_{slug(machine)}",
            f"Close the {machine}.",
            f"Push in the {racks} and close (shut) the door of the {machine}.",
        ),
        worded(
            "start",
            f"start_{slug(machine)}",
            f"Select the cycle and start the {machine}.",
            f"Select the cycle (program) and start (run, turn on) the closed {machine}.",
        ),
        worded(
            "wait",
            "wait_minutes",
            "When the cycle is over, wait {minutes} minutes.",
            "Wait until the cycle is over, and then a few minutes more, until everything has cooled down.",
            minutes=Parameter("minutes", int, "how many minutes to wait after the end of the cycle.", default=5),
        ),
        worded(
            "check",
            f"check_{slug(scene.ready)}",
            f"Make sure that everything is {scene.ready}.",
            f"Check (make sure) that everything in the {machine} is {scene.ready}; fails and says what is not, then "
            "wait again.",
        ),
        worded(
            "return",
            f"return_{slug(items)}",
            f"Return everything that is {scene.ready} to the {scene.finished}.",
            f"Return (bring, take out, unload, move) all {items} that are {scene.ready} from the {machine} to the "
            f"{scene.finished}.",
        ),
    ]


def relation_signatures(scene: MachineScene) -> list[Signature]:
    """Every relation in the words of the scene; their names and parameters are the same in every scene."""
    machine, racks = scene.machine, _plural(scene.compartment)
    thing = Parameter("object", str, f"a single {scene.item}, such as {scene.names[0]}.", "object")
    kind = Parameter("kind", str, f"the kind of {scene.item}, such as {scene.kinds[0]}.", scene.item)
    rack = Parameter("compartment", str, f"the {scene.compartment}.", scene.compartment)
    place = Parameter("location", str, "where it is.", "location")
    additive = Parameter("additive", str, f"which {scene.additive}.", scene.additive)
    prepare, ready = scene.prepare, scene.ready
    return [
        Signature(
            "at",
            f"Whether {item_with_article(scene.item)} is at a place.",
            (thing, place),
            "{object} is at the {location}.",
        ),
        Signature("loaded", f"Whether it is in the {machine}.", (thing, rack), "{object} is on the {compartment}."),
        Signature("held", "Whether it is in the gripper.", (thing,), "{object} is in the gripper."),
        Signature("prepared", f"Whether this was done to it: {prepare} it.", (thing,), "{object} is prepared."),
        Signature("washed", "Whether a cycle went over it.", (thing,), f"{{object}} has been through the {machine}."),
        Signature("ready", f"Whether it is really {ready}.", (thing,), f"{{object}} is {ready}."),
        Signature("is_open", f"Whether the door of the {machine} is open.", (), f"The {machine} is open."),
        Signature("out", f"Whether the {racks} are pulled out.", (), f"The {racks} are pulled out."),
        Signature("running", "Whether a cycle is running.", (), f"The {machine} is running."),
        Signature(
            "has_additive", "Whether it is in the dispenser.", (additive,), "There is {additive} in the dispenser."
        ),
        Signature("hand_holds", "Whether one of a kind is held.", (kind,), "The gripper holds one {kind}."),
        Signature("hand_empty", "Whether nothing is held.", (), "The gripper is empty."),
        Signature("held_prepared", f"Whether this was done: {prepare} it.", (), "What is in the gripper is prepared."),
        Signature(
            "some_loaded",
            "Whether one of a kind is there.",
            (kind, rack),
            "At least one {kind} is on the {compartment}.",
        ),
        Signature("idle", "Whether no cycle is running.", (), f"The {machine} has stopped."),
        Signature("is_closed", "Whether the door is closed.", (), f"The {machine} is closed."),
        Signature("all_ready", f"Whether all in it is {ready}.", (), f"Everything in the {machine} is {ready}."),
        Signature(
            "all_returned",
            f"Whether nothing that is {ready} is left in the {machine}.",
            (),
            f"Everything that is {ready} is out of the {machine}.",
        ),
    ]


Declared = tuple[tuple[str, dict[str, str]], ...]

EFFECTS: dict[str, Declared] = {
    "grasp": (("hand_holds", {"kind": "item"}),),
    "prepare": (("held_prepared", {}),),
    "put_back": (("hand_empty", {}),),
    "open": (("is_open", {}),),
    "pull": (("out", {}),),
    "put": (("some_loaded", {"kind": "item", "compartment": "compartment"}), ("hand_empty", {})),
    "additive": (("has_additive", {"additive": "additive"}),),
    "close": (("is_closed", {}),),
    "start": (("running", {}),),
    "wait": (("idle", {}),),
    "check": (("all_ready", {}),),
    "return": (("all_returned", {}),),
}
"""What should hold after each action: relations, with a map from the action's arguments to theirs."""
NEEDS: dict[str, Declared] = {
    "grasp": (("hand_empty", {}),),
    "prepare": (("not hand_empty", {}),),
    "put_back": (("not hand_empty", {}),),
    "open": (("not running", {}),),
    "pull": (("is_open", {}),),
    "put": (("hand_holds", {"kind": "item"}), ("out", {})),
    "additive": (("is_open", {}),),
    "start": (("not running", {}), ("is_closed", {})),
    "check": (("not running", {}),),
    "return": (("not running", {}), ("hand_empty", {})),
}
"""What has to hold before each action, in the same form; the machine also gives reasons when it refuses."""
SKILL_ENDS: dict[str, Declared] = {
    "grasp": (("hand_empty", {}),),
    "put_back": (("hand_holds", {}), ("held_prepared", {})),
    "open": (("is_closed", {}),),
    "put": (("hand_holds", {"kind": "item"}), ("held_prepared", {})),
    "close": (("is_open", {}), ("out", {})),
    "start": (("idle", {}), ("has_additive", {})),
    "wait": (("running", {}),),
    "return": (("is_closed", {}), ("some_loaded", {})),
}
"""What no longer holds after each action."""
