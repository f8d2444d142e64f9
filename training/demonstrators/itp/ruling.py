"""How people write rules: about the order of things, about mistakes, about what is done besides; and about nothing."""

from __future__ import annotations

import re

from training.demonstrators.itp.drawing import Rng, one

LAST = """\
{x} goes in at the very end.|Finish with {x}.|{x} is the last thing to go in.|{x} last.|Nothing is added after {x}.
Only when all the rest is in, add {x}.|{x} has to wait until everything else is done.
The final addition is {x}.|{x} at the end, the rest in whatever order you like.|Close every {noun} with {x}.
{x} goes on top of everything.|We never add {x} before the other things.|Keep {x} for the end.
After everything else: {x}.
All the others come before {x}.|{x} must be the last one; otherwise do as you like.
Once {x} is in, nothing more can be added.|The last position belongs to {x}."""
FIRST = """\
{x} goes in before anything else.|Begin with {x}.|{x} first.|{x} is the first thing to go in.
Start every {noun} with {x}.|Nothing goes in before {x}.|Put {x} at the bottom, the rest on top of it.
The first thing in the {vessel} is {x}.
{x} at the beginning, the remainder in any order.|Everything else follows after {x}.
Without {x} in place you can't add anything.|The base is {x}; whatever else is wanted comes afterwards.
All other material is added after {x}.|{x} makes the start.|You can only go on once {x} is in."""
BEFORE = """\
{a} before {b}.|{a} must be in before {b}.|{b} only after {a}.|First {a}, then {b}.|Add {a} and after that {b}.
{b} comes on top of {a}.|{a} go first and {b} second.|Never put {b} in ahead of {a}.|{b} has to wait for {a}.
Start with {a}; continue with {b}.|{a} precede {b}.|{b} follow {a}.|When both are wanted, {a} is earlier than {b}.
Take care of {a} before you turn to {b}.|{a} lie below {b}."""
TURNS = """\
First {a}, then {b}, finally {c}.|{a}, then {b}, then {c}.|Order: {a}; {b}; {c}.
Start with {a}, go on with {b} and end with {c}.|Sequence of work: 1. {a} 2. {b} 3. {c}.
{c} come after {b}, and {b} after {a}.|{a} first, {b} next, {c} last.|From first to last: {a} | {b} | {c}.
Begin by adding {a}. Then come {b}. {c} is for the end.
The turn is {a} => {b} => {c}; within a group it makes no difference.
We build it up like this: {a}, followed by {b}, followed by {c}.|{b} sit between {a} (earlier) and {c} (later)."""
EVERY = """\
Every {noun} has {x}.|{x} is part of every {noun}.|All of our products come with {x}.|{x} is always included.
We put {x} in each one.|No {noun} leaves the house without {x}.|Never forget {x}, whatever is ordered.
{x} belongs to all of them.|{x} goes in regardless of the order.
Whatever the customer wants, {x} is used.|Each {noun} needs {x}.|A {noun} without {x} is no {noun}.
You always need {x}."""
DEFAULT = """\
Take {x} if nobody asks for something else.|{x} is the normal choice.|Without a special wish, {x} is used.
Unless told otherwise, use {x}.|If the customer does not choose, choose {x}.|{x} is what we use as a rule.
When in doubt: {x}.|The standard is {x}.
By default {x}.|No preference means {x}.|Whoever says nothing gets {x}.|We use {x} if no other is requested.
As long as nobody says anything else it is {x}."""
UNDO = """\
When the {vessel} holds what the {noun} must not have, or {x} while other things are missing, {d}, and then begin again.
If {x} went in too early, or anything that nobody ordered: {d}, then start again with a new {vessel}.
If something is in that should not be there, {d} and begin anew.
When an order changes and what is done no longer fits: {d}, then start again.|In case of a mistake, {d}.
Should the wrong thing have gone in, {d}, and make a new one.|What cannot be saved is given up: {d} and start over.
Nothing can be removed. So if it went wrong, {d}; then make it again.
Made in the wrong order? {d}, start from scratch.
If the customer does not want what has been used already, then {d}, and do it all again.
A spoiled {noun} cannot be repaired: {d} and start again with a new {vessel}.
For a {noun} that went wrong the next step is to {d}, then to begin again.
Once there is something in the {vessel} that is not ordered, first {d}, then take a fresh one.
Errors: {d}. Then another try.
If there is no way to get from what is there to what is ordered: {d}; begin with an empty {vessel}."""
DISCARD = """\
throw the {vessel} away|empty the {vessel} into the {bin}|put the spoiled {vessel} into the {bin}
toss the {vessel} into the {bin}|move the {vessel} to the {bin}|take the {vessel} at the {work} to the {bin}
get rid of the {vessel} in the {bin}
discard the {vessel} in the {bin}|carry the failed {vessel} to the {bin}|drop the {vessel} into the {bin}
dump what is in the {vessel}|bring the ruined {vessel} to the {bin}|clear the {work}
tip the {vessel} out over the {bin}|return the {vessel} to the {bin}"""
TAKE_BACK = """\
When {y} is no longer wanted: unscrew {y}, and go on.
Something that was fitted by mistake comes off again: take off {y}.
A part that nobody wants is removed: detach {y} from the {vessel}."""
HARMLESS = """\
Wear gloves.|Customers are always right.|Keep the {work} clean.|Smile.|We close at seven.
Count the money twice.|If there is none left, tell the customer.|Guests may watch.|We do not deliver.|No dogs.
Do not hurry.|Never mix up two orders.|Only one {noun} at a time.|Write every order down.
Somebody else does the cleaning.|Ask before you replace anything.|Lids are put on by the cashier.
What is not in stock cannot be ordered.|Handle one after the other.|The {bin} is emptied at night.
If two are wanted, make the second like the first.|Things that are not on the list are refused politely.
Check the date on {x} now and then.|{x} is expensive.|People love {x}.|{x} stands on the upper shelf.
Treat every item in the same way.|The robot rests on Sundays."""
FINALLY = """\
Always {deed} {it} before the last step.|Before anything leaves the house: {deed} {it}.
Do not hand over a {noun} without having it done: {deed} {it}.|Remember to {deed} {it} just before it goes out.
The last but one step is always to {deed} {it}.|Last thing before the end: {deed} {it}.
Whatever was ordered, {deed} {it} when all is in."""
AFTER = """\
After {x} has gone in, {deed} {it}.|When {x} is in, {deed} {it} before you go on.|With {x}: {deed} {it} right after it.
As soon as {x} has been added, {deed} {it}.|{x} needs care: once it is in, {deed} {it}."""
PAIR = """\
Whoever orders {x} gets {y} with it.|{x} never comes alone: add {y} too.|Where there is {x}, there is also {y}.
If {x} is wanted, {y} goes in as well, even if nobody says so.|With {x} always use {y}, too."""
SOLD_OUT = """\
{x} is sold out today, whatever the list says.|No more {x} today.|We have run out of {x}.
{x} has gone bad and cannot be used.|Do not use {x} this week: it was recalled.|The last {x} was used an hour ago."""
APART = """\
Never put {x} and {y} together; say no to that.|{x} and {y} must not be in the same {noun}: decline such an order.
We refuse to combine {x} with {y}.|Anybody who wants both {x} and {y} is told that we do not do that."""
TWICE = """\
Of {x} two portions are used, one after the other.|Add {x} twice.|{x} is weak: it is added two times.
One portion of {x} is not enough; do that step twice."""
IN_THE_END = """\
When all is back, {deed} the {m}.|Always {deed} the {m} in the end.|The very last step is to {deed} the {m}.
After every job, {deed} the {m}.|Leave nothing behind: when everything is out, {deed} the {m}."""
BINS = (
    "bin",
    "rubbish chute",
    "scrap box",
    "return tray",
    "sink",
    "skip",
    "reject crate",
    "pit",
    "grey bin",
    "refuse sack",
)
WORKPLACES = ("bench", "worktop", "table", "station", "filling place", "desk", "mat", "work zone", "stand")
SORTS: dict[str, tuple[str, ...]] = {
    line.partition(":")[0]: tuple(word.strip() for word in line.partition(":")[2].split(","))
    for line in """
cutlery: teaspoon, ladle, butter knife, cake fork, spoon, steak knife, fork
small hand tools: pliers, tweezers, screwdriver, file, awl, wire cutter
large tools: sledgehammer, shovel, axe, pickaxe, crowbar, long saw
winter clothes: mitten, scarf, wool hat, parka, ski sock, thick jumper
summer clothes: sun hat, swim suit, sandal, shorts, light shirt, bikini
citrus fruit: lime, grapefruit, mandarin, lemon, pomelo, kumquat
root vegetables: carrot, turnip, beetroot, parsnip, radish, celeriac
leafy vegetables: lettuce, spinach, kale, chard, endive, rocket
dairy products: butter, cheese, cream, curd, yoghurt pot
string instruments: violin, cello, harp, banjo, lute, viola
wind instruments: flute, oboe, trumpet, clarinet, bassoon, horn
drums: snare drum, bongo, tambourine, timpani, kettle drum
office supplies: stapler, hole punch, paper clip, pencil, rubber band
books and papers: novel, dictionary, brochure, ledger, newspaper, diary
electronics: phone, tablet, charger, radio, game console, laptop
toys: doll, teddy bear, spinning top, toy train, kite, yo-yo
board games: chess set, ludo, draughts, backgammon, mill game
garden plants: rose bush, tulip bulb, fern, hydrangea, ivy pot
big furniture: wardrobe, sofa, bookcase, dining table, bed
small furniture: stool, footrest, bedside table, magazine rack
jewellery: ring, necklace, brooch, earring, bracelet, cufflink
fragile glass: wine glass, vase, glass bowl, light bulb, mirror
heavy metal parts: anvil, gear wheel, engine block, flywheel, crankshaft
light plastic parts: bottle cap, plastic clip, foam peg, straw
cleaning things: broom, mop, duster, scrubbing brush, sponge
sports gear: racket, football, hockey stick, golf club, helmet
footwear: boot, sneaker, slipper, clog, moccasin
bed linen: pillowcase, duvet cover, sheet, bolster case
fish: trout, herring, cod, mackerel, salmon
poultry: duck, goose, chicken, turkey, quail
baked goods: bread roll, croissant, bagel, cake, muffin
sweets: lollipop, chocolate bar, toffee, liquorice stick, candy
medicines: aspirin pack, cough syrup, ointment, bandage roll
vehicles: car, lorry, bus, tractor, van
birds: parrot, canary, finch, budgie, owl
reptiles: gecko, iguana, tortoise, snake, chameleon
small pots and pans: saucepan, milk pot, egg pan, butter pan
big pots and pans: stock pot, roasting tin, wok, paella pan
drinking vessels: tumbler glass, mug, teacup, goblet, beaker
serving dishes: tureen, platter, gravy boat, salad bowl
round things: marble, ball, globe, orange, wheel
flat things: postcard, tile, sheet of paper, plate, coin
long things: rod, pole, ruler, broomstick, curtain rail
tiny things: bead, pin, screw, seed, button
""".strip().splitlines()
}
"""Sorts of things, with things of that sort."""
PARTS = ("shelf", "rack", "drawer", "tray", "box", "level", "crate", "bay", "compartment", "basket", "hook", "bin")
WHICH = (
    ("first", "second", "third", "fourth"),
    ("upper", "middle", "lower", "bottom"),
    ("left", "right", "central", "rear"),
    ("red", "blue", "green", "white"),
    ("north", "south", "east", "west"),
    ("front", "back", "side", "inner"),
)


def split(text: str) -> tuple[str, ...]:
    """The templates of a text."""
    return tuple(re.split(r"[|\n]", text))


def whole_templates(text: str) -> list[str]:
    """The same for templates that may have a bar with spaces around it in them."""
    return [each for line in text.split("\n") for each in re.split(r"(?<! )\|(?! )", line) if each]


def joined(rng: Rng, names: list[str]) -> str:
    """Names as a rule lists them."""
    last = one(rng, (" and ", " or ", ", ", " and ", " / "))
    return names[0] if len(names) == 1 else ", ".join(names[:-1]) + last + names[-1]
