"""The actions of VirtualHome's scripts as skills: the sentence, the arguments and the effect of each."""

from __future__ import annotations

from dataclasses import dataclass

from thinkaloud.skills.signatures import Parameter, Signature

ACTION_TICK = 0.5  # seconds
_USUAL, _WALKING, TO_ANOTHER_ROOM = 2, 4, 8  # ticks of an action, of a walk, and of one to another room


_KINDS = {
    "place": "a room or a thing, by its name.",
    "thing": "the name of a thing.",
    "portable": "a thing that can be carried.",
    "openable": "a thing that can be opened and closed.",
    "device": "a thing with a switch.",
    "pluggable": "a thing with a plug.",
    "seat": "a thing to sit on.",
    "lieable": "a thing to lie on.",
    "surface": "what it is put on.",
    "container": "what it is put into.",
    "drinkable": "a drink, or a cup or glass of it.",
    "eatable": "food, or a plate with food on it.",
    "pourable": "what is poured.",
    "vessel": "what it is poured into.",
    "readable": "a thing that can be read.",
    "watchable": "a thing that can be watched.",
    "typable": "a thing with keys.",
    "movable": "a thing that can be moved.",
    "squeezable": "clothes, a cloth, a sponge or a tube.",
    "cuttable": "food that can be cut.",
    "garment": "a piece of clothing.",
    "person": "somebody.",
}
"""A description of each kind of argument, for people and models."""


@dataclass(frozen=True)
class Action:
    """One action: its name in scripts, and the relation that it creates between its arguments."""

    signature: Signature
    verb: str
    effect: str = ""
    ticks: int = _USUAL

    @property
    def walks(self) -> bool:
        """Whether the robot may end up somewhere else."""
        return self.verb in ("WALK", "RUN", "FIND")


def _action(name: str, says: str, about: str, *kinds: str, effect: str = "", ticks: int = _USUAL) -> Action:
    """Build an action; its first argument is `thing`, the second is `target`."""
    named = zip(("thing", "target"), kinds, strict=False)
    parameters = tuple(Parameter(parameter, str, _KINDS[kind], kind) for parameter, kind in named)
    distinct = ("thing", "target") if len(kinds) == 2 else ()
    return Action(Signature(name, about, parameters, says, distinct), name.replace("_", "").upper(), effect, ticks)


_ALL = (
    _action(
        "walk", "Walk to the {thing}.", "Walk to a room or to a thing.", "place", effect="close_to", ticks=_WALKING
    ),
    _action("run", "Run to the {thing}.", "Run to a room or to a thing.", "place", effect="close_to", ticks=_USUAL),
    _action(
        "find",
        "Find the {thing}.",
        "Find a thing, wherever it is, and come close to it.",
        "thing",
        effect="close_to",
        ticks=_WALKING,
    ),
    _action("grab", "Grab the {thing}.", "Take a thing that is close into a free hand.", "portable", effect="holding"),
    _action("open", "Open the {thing}.", "Open a thing that is close; takes a free hand.", "openable", effect="opened"),
    _action("close", "Close the {thing}.", "Close a thing that is close.", "openable", effect="closed"),
    _action(
        "put_back",
        "Put the {thing} on the {target}.",
        "Put what is in a hand on something that is close.",
        "portable",
        "surface",
        effect="on_top",
    ),
    _action(
        "put_in",
        "Put the {thing} in the {target}.",
        "Put what is in a hand into something that is close, and open if it can be opened.",
        "portable",
        "container",
        effect="inside",
    ),
    _action("put_obj_back", "Put the {thing} back.", "Put what is in a hand back to where it was taken.", "portable"),
    _action("switch_on", "Switch on the {thing}.", "Switch on a device that is close.", "device", effect="switched_on"),
    _action(
        "switch_off", "Switch off the {thing}.", "Switch off a device that is close.", "device", effect="switched_off"
    ),
    _action("sit", "Sit down on the {thing}.", "Sit down on something that is close.", "seat", effect="sitting_on"),
    _action("stand_up", "Stand up.", "Stand up from sitting or lying.", effect="standing"),
    _action("lie", "Lie down on the {thing}.", "Lie down on something that is close.", "lieable", effect="lying_on"),
    _action("sleep", "Fall asleep.", "Sleep where the robot sits or lies.", ticks=TO_ANOTHER_ROOM),
    _action("wake_up", "Wake up.", "Wake up where the robot sits or lies."),
    _action("drink", "Drink the {thing}.", "Drink what is in a hand.", "drinkable"),
    _action("eat", "Eat the {thing}.", "Eat something that is close, or what is on it.", "eatable"),
    _action("wash", "Wash the {thing}.", "Wash a thing that is close.", "thing", ticks=_WALKING),
    _action("rinse", "Rinse the {thing}.", "Rinse a thing that is close.", "thing"),
    _action("scrub", "Scrub the {thing}.", "Scrub a thing that is close.", "thing", ticks=_WALKING),
    _action("wipe", "Wipe the {thing}.", "Wipe a thing that is close with what is in a hand.", "thing"),
    _action(
        "pour",
        "Pour the {thing} into the {target}.",
        "Pour what is in a hand into something that is close.",
        "pourable",
        "vessel",
        effect="inside",
    ),
    _action(
        "plug_in",
        "Plug in the {thing}.",
        "Plug in a device that is close; takes a free hand.",
        "pluggable",
        effect="plugged_in",
    ),
    _action(
        "plug_out",
        "Unplug the {thing}.",
        "Unplug a device that is close; takes a free hand.",
        "pluggable",
        effect="plugged_out",
    ),
    _action("turn_to", "Turn to the {thing}.", "Turn so that the robot faces a thing.", "thing", effect="facing"),
    _action("look_at", "Look at the {thing}.", "Look at a thing that the robot faces.", "thing"),
    _action(
        "watch", "Watch the {thing}.", "Watch something in the same room that the robot faces.", "watchable", ticks=6
    ),
    _action("read", "Read the {thing}.", "Read what is in a hand.", "readable", ticks=6),
    _action("type", "Type on the {thing}.", "Type on a keyboard or a device that is close.", "typable"),
    _action("touch", "Touch the {thing}.", "Touch a thing that is close.", "thing"),
    _action("point_at", "Point at the {thing}.", "Point at a thing that the robot faces.", "thing"),
    _action("push", "Push the {thing}.", "Push a thing that is close; takes a free hand.", "thing"),
    _action("pull", "Pull the {thing}.", "Pull a thing that is close; takes a free hand.", "movable"),
    _action("move", "Move the {thing}.", "Move a thing that is close a little; takes a free hand.", "movable"),
    _action("squeeze", "Squeeze the {thing}.", "Squeeze a thing that is close; takes a free hand.", "squeezable"),
    _action("cut", "Cut the {thing}.", "Cut food that is close, with a knife in one hand.", "cuttable"),
    _action("drop", "Drop the {thing}.", "Let go of what is in a hand; it is on the floor then.", "portable"),
    _action("put_on", "Put on the {thing}.", "Put on clothes that are in a hand.", "garment", effect="wearing"),
    _action("put_off", "Take off the {thing}.", "Take off clothes that the robot wears.", "garment"),
    _action("greet", "Greet the {thing}.", "Greet somebody.", "person"),
)
ACTIONS = {each.signature.name: each for each in _ALL}
BY_VERB = {each.verb: each for each in _ALL}
"""The actions by their names in scripts: GRAB, PUTBACK, …"""
