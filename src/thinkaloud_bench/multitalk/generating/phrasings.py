"""How people say what they want: for every kind of wish at least eight ways, with room for names and coordinates."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

AT = (
    "Put {a} at {p}.",
    "Move {a} to {p}.",
    "Please bring {a} to {p}.",
    "Could you set {a} down at {p}?",
    "I want {a} at {p}.",
    "{a} should stand at {p}.",
    "Take {a} and place it at {p}.",
    "Can you move {a} over to {p}, please?",
    "Give me {a}; I can take it from {p}.",
    "Hand me {a}: leave it at {p}.",
    "Pick up {a} and put it down at {p}.",
    "Get {a} to {p} for me.",
)
AT_TWO = (
    "Put {a} at {p} and {b} at {q}.",
    "Move {a} to {p}, and {b} to {q}.",
    "I need {a} at {p} and {b} at {q}, please.",
    "Could you place {a} at {p} and {b} at {q}?",
    "{a} goes to {p}, {b} goes to {q}.",
    "First bring {a} to {p}, then bring {b} to {q}.",
    "Two things: {a} to {p} and {b} to {q}.",
    "Please see to it that {a} is at {p} and {b} at {q}.",
)
GIVE = (
    "Give me {a}.",
    "Hand me {a}.",
    "Bring me {a}, please.",
    "Could you get me {a}?",
    "Pass me {a}.",
    "I would like to have {a}.",
    "Can I have {a}?",
    "Fetch {a} for me.",
    "I need {a} over here.",
    "Would you hand {a} over to me?",
)
MOVE_AWAY = (
    "Move {a} to another place.",
    "Put {a} somewhere else.",
    "{a} should not stay where it is; move it.",
    "Please relocate {a}.",
    "Could you put {a} in its new place?",
    "I want {a} to be somewhere else on the table.",
    "Take {a} to where I want it.",
    "{a} is in the wrong place. Please move it.",
)
SWAP = (
    "Interchange {a} and {b}.",
    "Interchange the locations of {a} and {b}.",
    "Swap {a} with {b}.",
    "Let {a} and {b} change places.",
    "Please exchange the positions of {a} and {b}.",
    "Put {a} where {b} is, and {b} where {a} is.",
    "Could {a} and {b} trade places?",
    "I want {a} and {b} the other way round.",
    "Switch the places of {a} and {b}.",
)
SWAP_ALL = (
    "Interchange the object locations in the scene.",
    "Interchange the two objects on the table.",
    "Swap the two things that are on the table.",
    "Let both objects change places.",
    "Please exchange the positions of the two objects.",
    "Put each of the two objects where the other one is.",
    "Could the two things on the table trade places?",
    "Switch the places of both objects.",
)
SWAP_TWO = (
    "Interchange the locations of two objects on the table.",
    "Interchange two of the objects.",
    "Swap two things on the table.",
    "Let two of the objects change places.",
    "Please exchange the positions of two objects.",
    "Could two of the things here trade places?",
    "Pick two objects that I name and switch their places.",
    "I want two of these the other way round.",
)
SWAP_PAIRS = (
    "Interchange the locations of two pairs of objects on the table.",
    "Interchange two pairs of objects.",
    "Swap two pairs of things on the table.",
    "There are two pairs of objects that should change places.",
    "Please exchange positions within two pairs of objects.",
    "Could two pairs of things here trade places, each with its partner?",
    "Switch the places of two pairs of objects.",
    "I want two pairs of the objects swapped.",
)
LINE = (
    "Arrange the objects on the table such that they form a straight line.",
    "Line up the objects.",
    "Put everything on the table in one straight line.",
    "Please form a straight row of all the objects.",
    "Could you line up all the things on the table?",
    "I would like all the objects in a row.",
    "Make a straight line out of the things on the table.",
    "Align all the objects.",
)
LINE_AXIS = (
    "Line up the objects along the {axis}-axis, in any order.",
    "Arrange all the objects in a straight line along the {axis}-axis; any order will do.",
    "Put everything in one row that runs along {axis}. The order does not matter.",
    "Form a straight line of all the things along the {axis}-axis, in whatever order.",
    "Please align all the objects along the {axis}-axis, the order is up to you.",
    "I would like a row of all the objects in {axis} direction, in no special order.",
    "Could you make a straight line along {axis} with everything on the table, in any order?",
    "All the things on the table should have the same {across}, in any order along {axis}.",
)
LINE_ORDER = (
    "Line up the objects along the {axis}-axis in this order, from the lowest {axis} to the highest: {list}.",
    "Arrange all the objects in a straight line along the {axis}-axis, with growing {axis}: {list}.",
    "Put everything in one row along {axis}. From low {axis} to high {axis}: {list}.",
    "Form a straight line along the {axis}-axis. The order by {axis}, lowest first, is {list}.",
    "Please align the objects along the {axis}-axis, sorted by rising {axis} as follows: {list}.",
    "I would like a row in {axis} direction; beginning at the lowest {axis} it goes {list}.",
    "Could you make a straight line along {axis}: {list}, in this order from low {axis} to high {axis}?",
    "All things get the same {across}; by increasing {axis} the order is {list}.",
)
LINE_DIRECTION_OPEN = (
    "Line up the objects in any order.",
    "Put everything in a straight line; the order does not matter.",
    "Form a row of all the things, in whatever order you like.",
    "Arrange all the objects in a straight line. I do not care about the order.",
    "Please align all the objects, the order is up to you.",
    "I would like a straight row of everything on the table, in no special order.",
    "Could you make a straight line out of the objects, ordered as you like?",
    "All the things should stand in one line, in any order.",
)
WITHIN = (
    "Put {a} {in_it} {r}.",
    "Place {a} {in_it} {r}.",
    "{a} belongs {in_it} {r}.",
    "Please move {a} {into} {r}.",
    "Could you put {a} {into} {r}?",
    "I want {a} {in_it} {r}.",
    "Take {a} and set it down {in_it} {r}.",
    "Get {a} {into} {r} for me.",
)
WITHIN_OPEN = (
    "Put {a} into one of the containers.",
    "Clear {a} away into a container.",
    "{a} belongs in one of the containers here.",
    "Please put {a} in a container.",
    "Could you store {a} in one of the containers?",
    "I want {a} in one of those containers.",
    "Take {a} and leave it in a container.",
    "{a} should go into one of the containers.",
)
NEAR = (
    "Put {a} next to {b}.",
    "Move {a} close to {b}.",
    "Place {a} right beside {b}.",
    "I want {a} next to {b}.",
    "Could you set {a} down beside {b}?",
    "{a} should stand right by {b}.",
    "Bring {a} over to {b}, so that they stand side by side.",
    "Take {a} and put it beside {b}.",
)
REGION = (
    "Put {a} somewhere {where}.",
    "Move {a} to any place {where}.",
    "I want {a} {where}; where exactly is up to you.",
    "Please bring {a} to a spot {where}.",
    "Could you set {a} down {where}? The exact place does not matter.",
    "{a} should stand {where}, anywhere there.",
    "Take {a} and leave it {where}, wherever there is room.",
    "Find a place for {a} {where}.",
)
BOTH_PLACES = (
    "Put {a} at {p} and at {q}, both at the same time.",
    "{a} has to stand at {p} and also at {q} when you are done.",
    "Move {a} to {p} and to {q}; in the end I want it in both places.",
    "I want {a} at {p} and, at the same moment, at {q}.",
    "Place {a} at {p}, and make sure that it is at {q} as well.",
    "In the end {a} stands at {p} and it stands at {q}.",
    "Leave {a} exactly where it is, and in the end have it at {p}.",
    "Do not move {a} at all, but it has to be at {p} afterwards.",
)
TAGS = {
    "food": ("something to eat", "some food", "a bite to eat", "something I can eat"),
    "drink": ("something to drink", "a drink", "something I can drink", "something for my thirst"),
    "fruit": ("a piece of fruit", "some fruit", "a fruit"),
    "tool": ("a tool", "some tool to work with", "something to work with"),
    "toy": ("a toy", "something to play with"),
    "cleaning": ("something to clean with", "a thing for cleaning", "something for cleaning up"),
    "kitchenware": ("some kitchenware", "a piece of kitchenware"),
}
UNCLEAR = ("book", "remote control", "candle", "tea box", "coffee can", "stapler", "piece of butter", "tape measure")
"""Kinds about which people may disagree what they are for."""
ANSWER_OBJECT = ("{A}.", "{A}, please.", "I mean {a}.", "I would like {a}.", "{A} is the one I mean.", "I want {a}.")
ANSWER_PLACE = ("At {p}.", "{p}.", "Put it at {p}.", "To {p}, please.", "I want it at {p}.", "{p}, please.")
ANSWER_AXIS = ("Along the {axis}-axis.", "Along {axis}-axis.", "In {axis} direction.", "It should run along {axis}.")
ANSWER_ANY_ORDER = ("Any order works.", "The order does not matter.", "In any order.", "Whatever order you like.")
ANSWER_ORDER = (
    "From the lowest {axis} to the highest: {list}.",
    "By growing {axis}: {list}.",
    "Beginning with the lowest {axis}: {list}.",
)
ANSWER_PAIRS = ("{a} with {b} and {c} with {d}.", "{a} and {b} with each other, and {c} and {d} with each other.")
ANSWER_PAIR = ("{a} and {b}.", "{a} with {b}.", "I mean {a} and {b}.")
POINTS = ("({x:.2f}, {y:.2f})", "({x:.2f}, {y:.2f})", "x = {x:.2f}, y = {y:.2f}", "({x:.2f}, {y:.2f}, 0.00)")


def say(rng: Random, ways: Sequence[str], **words: str) -> str:
    """One of the ways, with the words put in; `{A}` is `{a}` as a sentence begins."""
    text = rng.choice(ways).format_map(words | {name.upper(): capital(word) for name, word in words.items()})
    return capital(text)


def point(rng: Random, x: float, y: float) -> str:
    """A point as people write it."""
    return rng.choice(POINTS).format(x=x + 0.0, y=y + 0.0)


def the(name: str) -> str:
    """A thing as it is spoken of: numbered ones go without an article."""
    return name if name[-1:].isdigit() else f"the {name}"


def listed(names: Sequence[str]) -> str:
    """Several things in a sentence."""
    return ", ".join(map(the, names))


def capital(text: str) -> str:
    """The text as a sentence begins; a coordinate keeps its letter."""
    return text if text.startswith("x =") else text[:1].upper() + text[1:]
