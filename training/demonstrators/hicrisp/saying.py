"""How people ask for something to be done in a home: requests, and tales of how they would do it themselves."""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np

from training.noise import noisy

Rng = np.random.Generator

FRAMES = (
    *("{}.",) * 10,
    *("{}",) * 4,
    "Please {l}.", "Could you {l}?", "Can you {l}?", "Would you {l}?", "I want you to {l}.", "I'd like you to {l}.",
    "You should {l}.", "Robot, {l}.", "Your task: {l}.", "{}, please.", "{}, would you?", "It is time to {l}.",
    "Next, {l}.", "I need you to {l}.", "Go and {l}.", "Help me: {l}.", "Somebody has to {l}.", "Hey, {l}!",
    "When you have a moment, {l}.", "We have to {l}.", "Be so kind and {l}.", "{} for me.", "Try to {l}.", "{} now.",
    "Let's {l}.", "Don't forget to {l}.", "Your next job is to {l}.", "I would be glad if you could {l}.",
)  # fmt: skip
"""`{}` is what to do, `{l}` the same without its capital."""
OWN = ("I want to {l}.", "I'd like to {l}.", "I am going to {l}.", "I feel like I should {l}.", "I need to {l}.")
"""People also say what they want to do themselves, and mean that the robot does it."""


_BEING = "is|are|needs|has|must|should|goes?|can go|belongs?|wastes"
_STATED = re.compile(rf"I |we |.*,|.*\b(?:{_BEING}) ")
"""What is no order as it stands."""


def framed(rng: Rng, what: str, *, own: float = 0.08) -> str:
    """An order to do something, as one of many people would put it."""
    frames = FRAMES[:14] if _STATED.match(what) else OWN if rng.random() < own else FRAMES
    frame = str(rng.choice(frames))
    return noisy(
        rng, frame.replace("{l}", what[:1].lower() + what[1:]).replace("{}", what[:1].upper() + what[1:]), 0.25
    )


def a(name: str) -> str:
    """`an orange`, `a cup`."""
    return f"{'an' if name[:1] in 'aeiou' else 'a'} {name}"


def called(rng: Rng, name: str) -> str:
    """A thing, as somebody calls it in passing."""
    roll = rng.random()
    if roll < 0.55:
        return f"the {name}"
    if roll < 0.85:
        return name
    return str(rng.choice([f"my {name}", a(name), f"that {name}", f"our {name}", f"this {name}", f"some {name}"]))


def filled(rng: Rng, template: str, **names: str) -> str:
    """A template with its things called somehow; `{x!}` is the bare name."""
    for key, name in names.items():
        template = template.replace(f"{{{key}!}}", name)
        while f"{{{key}}}" in template:
            template = template.replace(f"{{{key}}}", called(rng, name), 1)
    return template


def chosen(rng: Rng, templates: Sequence[str], **names: str) -> str:
    """One of the templates, framed."""
    return framed(rng, filled(rng, str(rng.choice(list(templates))), **names))


def both(rng: Rng, names: Sequence[str]) -> str:
    """Several things in a list."""
    said = [called(rng, name) for name in names]
    if len(said) == 1:
        return said[0]
    return f"{', '.join(said[:-1])} {rng.choice(['and', 'and', '&', 'as well as', 'and also'])} {said[-1]}"


# Tales ----------------------------------------------------------------------------------------------------------------

_TOLD: tuple[tuple[str, tuple[str, ...]], ...] = (
    (r"Find the (.+)\.", ("walk to {0}", "go to {0}", "find {0}", "look for {0}", "go over to {0}", "get to {0}",
                          "walk over to {0}", "locate {0}", "head for {0}")),
    (r"Walk to the (.+)\.", ("walk to {0}", "go to {0}", "walk into {0}", "go into {0}", "enter {0}", "head to {0}")),
    (r"Grab the (.+)\.",
     ("take {0}", "grab {0}", "pick up {0}", "get {0}", "fetch {0}", "lift {0}", "take hold of {0}")),
    (r"Open the (.+)\.", ("open {0}", "pull {0} open", "open up {0}")),
    (r"Close the (.+)\.", ("close {0}", "shut {0}", "close {0} again", "close the door of {0}")),
    (r"Put the (.+) on the (.+)\.", ("put {0} on {1}", "place {0} on {1}", "set {0} down on {1}", "lay {0} on {1}")),
    (r"Put the (.+) in the (.+)\.",
     ("put {0} in {1}", "place {0} inside {1}", "put {0} into {1}", "load {1} with {0}")),
    (r"Switch on the (.+)\.", ("switch on {0}", "turn on {0}", "switch {0} on", "turn {0} on", "start {0}")),
    (r"Switch off the (.+)\.", ("switch off {0}", "turn off {0}", "switch {0} off", "turn {0} off", "stop {0}")),
    (r"Sit down on the (.+)\.", ("sit down on {0}", "sit on {0}", "take a seat on {0}", "sit down in {0}")),
    (r"Lie down on the (.+)\.", ("lie down on {0}", "lie on {0}", "stretch out on {0}")),
    (r"Turn to the (.+)\.", ("turn to {0}", "face {0}", "turn towards {0}")),
    (r"Watch the (.+)\.", ("watch {0}", "look at {0} for a while", "watch what is on {0}")),
    (r"Look at the (.+)\.", ("look at {0}", "have a look at {0}", "gaze at {0}")),
    (r"Wash the (.+)\.", ("wash {0}", "rinse {0} well", "clean {0} with water")),
    (r"Wipe the (.+)\.", ("wipe {0}", "wipe {0} clean", "wipe down {0}")),
    (r"Scrub the (.+)\.", ("scrub {0}", "brush {0}", "scrub {0} until it is clean")),
    (r"Pour the (.+) into the (.+)\.", ("pour {0} into {1}", "put {0} on {1}", "pour {0} in {1}", "fill {1} with {0}")),
    (r"Eat the (.+)\.", ("eat {0}", "have {0}", "eat {0} up")),
    (r"Drink the (.+)\.", ("drink {0}", "have a sip of {0}", "drink from {0}")),
    (r"Read the (.+)\.", ("read {0}", "start reading {0}", "read in {0}")),
    (r"Type on the (.+)\.", ("type on {0}", "start typing on {0}", "write on {0}", "type something on {0}")),
    (r"Touch the (.+)\.", ("touch {0}", "stroke {0}", "pat {0}")),
    (r"Cut the (.+)\.", ("cut {0}", "slice {0}", "cut {0} up")),
    (r"Put on the (.+)\.", ("put on {0}", "wear {0}", "slip on {0}")),
    (r"Plug in the (.+)\.", ("plug in {0}", "put the plug of {0} in")),
    (r"Unplug the (.+)\.", ("unplug {0}", "pull the plug of {0}")),
    (r"Greet the (.+)\.", ("greet {0}", "say hello to {0}")),
    (r"Fall asleep\.", ("sleep", "fall asleep", "nod off", "take a nap")),
    (r"Stand up\.", ("stand up", "get up")),
    (r"Push the (.+)\.", ("push {0}", "give {0} a push")),
    (r"Pull the (.+)\.", ("pull {0}", "tug at {0}")),
    (r"Point at the (.+)\.", ("point at {0}",)),
    (r"Drop the (.+)\.", ("drop {0}", "let go of {0}")),
)  # fmt: skip
"""What people say for each step; `{0}` is the thing."""


def clause(rng: Rng, step: str, named: set[str]) -> str:
    """A step as a part of a sentence; what has been named already may be `it`."""
    for pattern, ways in _TOLD:
        if match := re.fullmatch(pattern, step):
            names = list(match.groups())
            said = [called(rng, name) if name not in named or rng.random() < 0.7 else "it" for name in names]
            if said.count("it") > 1:
                said = [f"the {name}" for name in names]
            return str(rng.choice(ways)).format(*said)
    return step.rstrip(".").lower()


def tale(rng: Rng, steps: Sequence[str]) -> str:
    """The steps told in sentences, with some of the ways there left out."""
    told, named = list[str](), set[str]()
    last = ""
    for i, step in enumerate(steps):
        thing = re.search(r" the (.+?)(?: (?:on|in|into) the .+)?\.$", step)
        skipped = step.startswith("Find the") and i + 1 < len(steps) and rng.random() < 0.35
        if not skipped:
            told.append(clause(rng, step, {last} if last and rng.random() < 0.6 else set()))
            named.add(thing[1] if thing else "")
        last = thing[1] if thing else ""
    subject = str(rng.choice(["I ", "I ", "I ", "", "", "You ", "we ", "The robot should "]))
    sentences, at = list[str](), 0
    while at < len(told):
        size = int(rng.integers(1, 4))
        part = told[at : at + size]
        joint = str(rng.choice([", then ", " and ", ", ", " and then ", ", after that "]))
        words = part[0] if len(part) == 1 else joint.join([", ".join(part[:-1]), part[-1]])
        opening = str(rng.choice(["", "", "", "Then ", "After that ", "Next "])) if at else ""
        sentence = f"{opening}{subject if not opening or subject == 'I ' else subject.lower()}{words}."
        sentences.append(sentence[0].upper() + sentence[1:])
        at += size
    return " ".join(sentences)
