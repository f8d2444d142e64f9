"""What is asked for in a home without the things that it takes: what is made of what and in what, what is cared for
with what, and things by other words than those that they are called by here."""

from __future__ import annotations

import re
from contextlib import suppress

from training.demonstrators.hicrisp.homes import Crowded, Wanted
from training.demonstrators.hicrisp.household import Wish
from training.demonstrators.hicrisp.saying import framed, tale
from training.demonstrators.hicrisp.shorthand import steps_of
from training.demonstrators.meanings.talking import Rng
from training.words import one

_MADE = """
orange juice, fresh juice, a glass of juice | orange | juicer popper
carrot juice, vegetable juice | carrot | juicer popper
a smoothie, a banana shake, a milkshake | banana | blender popper
waffles, a waffle, waffles for everyone | waffle batter | waffle iron popper
boiled eggs, a soft egg, an egg for breakfast | egg | egg boiler popper
yogurt, fresh yogurt | fresh milk | yogurt maker popper
fondue, cheese fondue | cheese | fondue set popper
a hot sandwich, a grilled sandwich | ham sandwich | sandwich maker popper
a crisp panini, panini | panini roll | contact grill popper
ground pepper, pepper powder | peppercorns | grinder popper
whipped cream, cream for the cake | cream | mixer popper
a cup of tea, tea, hot tea | tea bag | kettle popper
steamed rice, rice, some rice for dinner | bag of rice | rice cooker oven
steamed vegetables, vegetables | vegetables | steamer oven
fries, french fries, a portion of fries | potato | air fryer oven
stew, a beef stew | beef | slow cooker oven
fresh bread, a loaf of bread | bread dough | bread machine oven
a cake, cake, a birthday cake | cake batter | baking oven oven
pizza, a hot pizza, pizza for two | frozen pizza | pizza oven oven
a roast, roast meat | joint of meat | roasting oven oven
jam, strawberry jam | strawberry | jam pot popper
pasta, fresh noodles | pasta dough | pasta machine popper
candy floss, something sweet at the fair | sugar bag | candy floss machine popper
soy milk | soybean | soy milk maker popper
ice cream, a little ice cream | vanilla cream | ice cream machine popper
"""
"""What is made, of what, and in which machine, with its category."""
_CARED = """
polish shoes, brush shoes, shine my shoes, do my shoes, clean the shoes | shoe polish | shoe brush | shoes clothes
brush dog, wash the dog, groom the dog, give the dog a bath | dog shampoo | dog brush | dog animal
scrub back, wash your back, do my back | bath gel | back brush | back body
brush fingernails, clean your nails, do the nails | nail cleaner | nail brush | fingernails body
brush hair, do your hair, comb hair, fix my hair | hair tonic | hairbrush | hair body
shave, shave beard, have a shave, trim your beard | shaving foam | razor | beard body
scour pan, clean the pan, get the pan clean | dish soap | scouring pad | pan pan
clean grill, get the grill ready for the party, scrape the grill | grill cleaner | grill brush | grill fixture
wax car, wash the car, give the car a shine | car wax | car sponge | car fixture
scrub bathtub, clean the tub, clean bath | scouring powder | scrubbing brush | bathtub fixture
clean carpet, shampoo the carpet, freshen the carpet | carpet foam | carpet brush | carpet fixture
clean spectacles, wipe my spectacles, clean my spectacles | lens cleaner | lens cloth | spectacles misc
clean aquarium, scrape the aquarium | glass vinegar | algae scraper | aquarium sight
brush pony, groom the pony | mane oil | pony brush | pony animal
polish boots, shine the boots | boot wax | boot brush | boots clothes
clean piano, dust the piano keys | ivory cleaner | soft brush | piano fixture
"""
"""What is cared for, in which words, with what, by which tool, and what it is, with its category."""
_MAKING = (
    *("make {p}", "make {p}", "make me {p}", "prepare {p}", "fix me {p}", "I would like {p}", "we need {p}"),
    *("get {p} ready", "could I have {p}", "I fancy {p}", "see to {p}", "do {p}", "make {p} for us"),
)
_OTHER_WORDS = """
novel: thriller, crime story, paperback | storybook: bedtime story, fairy tales | newspaper: news, daily paper
magazine: glossy | letter: mail, post | postcard: mail | recipe: cooking instructions | dictionary: reference work
crisps: snack, bag of snacks | nachos: snack | cheesecake: dessert | tangerine: fruit | grapefruit: fruit
fruit salad: dessert | ramen: noodle soup, meal | goulash: stew, meal | curry: meal | paella: rice dish, meal
cocoa: hot drink | hot chocolate: hot drink | lemonade: cold drink, soft drink | soda: soft drink, fizzy drink
mineral water: water bottle | iced tea: cold drink | cider: drink
boots: footwear | sandals: footwear | slippers: footwear | hat: headgear | beanie: headgear | cardigan: woollen jacket
raincoat: rainwear | hoodie: sweatshirt | trousers: pair of pants | bathrobe: dressing gown
armchair: easy chair, comfortable seat | couch: settee | sofa: settee | recliner: lounge chair | stool: seat
bench: seat | television: telly, TV set | monitor: screen | big screen: telly | flat screen: telly
record player: music, hi-fi system | stereo: music, sound system | jukebox: music | radio: music, news program
cassette player: music, tape deck | gramophone: music | boombox: music
fridge: refrigerator, icebox | refrigerator: fridge | freezer: deep freeze | dustbin: trash, rubbish bin
wastebasket: trash, bin | garbage can: trash, rubbish bin | washing machine: washer | tumble dryer: dryer
gas stove: cooker, hob | hotplate: cooker, stove
saucepan: cooking pot | wok: frying pan | stockpot: big pot | tap: faucet, water | faucet: tap, water
sink: washbasin | basin: sink | rag: cleaning cloth | dishcloth: cleaning cloth | tea towel: drying cloth
telephone: phone line | cell phone: mobile | smartphone: mobile | handset: telephone | computer: PC
workstation: PC | laptop computer: PC, notebook | kitten: little cat | puppy: little dog | dog: pet | rabbit: pet
hamster: pet | parrot: bird, pet | canary: bird | goldfish: fish | wardrobe: closet | closet: wardrobe
sideboard: buffet | nightstand: bedside table | coffee table: low table | worktop: work surface
knife: blade | bread knife: knife | carving knife: knife | saucer: small plate | platter: large plate
soup plate: deep plate | tumbler: drinking glass | goblet: wine glass | mug: coffee cup | teacup: cup
"""
"""What else things are called: each name with words that people may have for it."""


def _rows(text: str) -> list[list[str]]:
    return [[part.strip() for part in line.split("|")] for line in text.strip().splitlines()]


MADE, CARED = _rows(_MADE), _rows(_CARED)
OTHER_WORDS = {
    name.strip(): tuple(word.strip() for word in words.split(","))
    for line in _OTHER_WORDS.strip().splitlines()
    for name, _, words in (each.partition(":") for each in line.split("|"))
}


def drawn_product(wanted: Wanted) -> Wish | None:
    """Something is to be made: of what and in what goes without saying, and there are other machines, too."""
    rng = wanted.rng
    made, of, machine = MADE[int(rng.integers(len(MADE)))]
    inside, _, kind = machine.rpartition(" ")
    if not (wanted.take(of, "food") and wanted.take(inside, kind)):
        return None
    _besides(wanted, "popper", "oven", "food")
    if kind == "oven":
        wanted.states[inside] = "CLOSED"
    done = ("get x", "into x m", "Switch on the {m}.")
    steps = steps_of(wanted, done, {"x": of, "m": inside})
    said = one(rng, _MAKING).format(p=one(rng, made.split(", ")))
    return _told(rng, said, steps)


def drawn_care(wanted: Wanted) -> Wish | None:
    """Something is to be cared for: with what goes without saying, and there is more that would do for other things."""
    rng = wanted.rng
    said, agent, tool, cared = CARED[int(rng.integers(len(CARED)))]
    thing, _, kind = cared.rpartition(" ")
    if not (wanted.take(agent, "agent") and wanted.take(tool, "brush") and wanted.take(thing, kind)):
        return None
    wanted.states[thing] = "DIRTY"
    _besides(wanted, "agent", "brush", "cloth")
    done = ("get a", "go y", "Pour the {a} into the {y}.", "Grab the {y}.", "go x", "Scrub the {x}.")
    steps = steps_of(wanted, done, {"a": agent, "y": tool, "x": thing})
    return _told(rng, one(rng, said.split(", ")), steps)


def _besides(wanted: Wanted, *kinds: str) -> None:
    for kind in kinds:
        for _ in range(int(wanted.rng.integers(0, 3))):
            with suppress(Crowded):
                wanted.draw(kind)


def _told(rng: Rng, said: str, steps: list[str]) -> Wish:
    """As an order, or as a title with the tale of how it is done."""
    if rng.random() < 0.3:
        return Wish(f"{said[:1].upper()}{said[1:]}. {tale(rng, steps)}", tuple(steps))
    return Wish(framed(rng, said, own=0.05), tuple(steps))


def needs_guessing(wish: Wish, wanted: Wanted) -> bool:
    """Whether a request leaves out a thing of which there are several that would do."""
    kinds = [*wanted.kinds.values()]
    for name, kind in wanted.kinds.items():
        left_out = name not in wish.request.lower() and any(f" the {name}" in step for step in wish.steps)
        if left_out and kind in ("popper", "oven", "agent", "brush", "cloth") and kinds.count(kind) > 1:
            return True
    return False


def in_other_words(wish: Wish, wanted: Wanted) -> Wish:
    """The request with another word for one of its things, which nothing else here is called by."""
    spoken = [name for name in OTHER_WORDS if name in wanted.kinds and re.search(rf"\b{name}\b", wish.request)]
    if not spoken:
        return wish
    name = one(wanted.rng, spoken)
    word = one(wanted.rng, OTHER_WORDS[name])
    shared = [each for each in wanted.kinds if each != name and word in OTHER_WORDS.get(each, ())]
    alike = [each for each in wanted.kinds if each != name and {*word.lower().split()} & {*each.split()}]
    if shared or alike:
        return wish
    return Wish(re.sub(rf"\b{name}\b", word, wish.request), wish.steps)
