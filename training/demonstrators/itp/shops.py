"""Small businesses that exist only for practice: what they make, in what, and of what; and machines with what goes in.

None of them is a business of the benchmark.
"""

from __future__ import annotations

import re
from dataclasses import dataclass


@dataclass(frozen=True)
class Trade:
    """Something that is put together: what it is called (by two names), in what, and the sorts of material in turn."""

    noun: str
    other: str
    vessel: str
    sorts: tuple[tuple[str, ...], ...]


@dataclass(frozen=True)
class Plant:
    """A machine, or a bench, that things are put through."""

    machine: str
    verb: str
    item: str
    kinds: tuple[str, ...]
    additive: str
    additives: tuple[str, ...]
    compartment: str
    compartments: tuple[str, ...]


def _listed(words: str) -> tuple[str, ...]:
    return tuple(word.strip() for word in words.split(",") if word.strip())


def _lines(text: str) -> list[str]:
    """One for each; what is indented goes on from the line before."""
    return re.sub(r"\n +", " ", text).strip().splitlines()


def _trade(line: str) -> Trade:
    noun, other, vessel, *sorts = (part.strip() for part in line.split("|"))
    return Trade(noun, other, vessel, tuple(_listed(sort) for sort in sorts))


def _plant(line: str) -> Plant:
    machine, verb, item, kinds, additive, additives, compartment, places = (part.strip() for part in line.split("|"))
    return Plant(machine, verb, item, _listed(kinds), additive, _listed(additives), compartment, _listed(places))


_TRADES = """
sandwich | sub | board | rye bread, ciabatta | cheddar, gouda, turkey slices, egg slices, rocket leaves, sweet
    peppers | mustard, horseradish cream, garlic spread
pizza | pie | pan | tomato passata | anchovies, pepperoni, artichoke hearts, black olives | dried thyme
burrito | wrap | foil | wheat tortilla | roasted corn, shredded beef, spiced rice, grilled peppers | salsa verde,
    lime crema
taco | taco shell | plate | corn tortilla | pulled pork, refried beans, pickled cabbage, queso | hot sauce, pico de
    gallo
burger | bun | wrapper | sesame bun, brioche bun | beef patty, lentil patty, fried onions, lettuce leaf, tomato
    slice, cheese slice | ketchup, relish, aioli
bagel | bagel sandwich | napkin | poppy bagel, plain bagel | cream cheese, cucumber slices, dill sprigs
omelette | egg dish | skillet | whisked eggs | spinach leaves, diced ham, feta crumbs, spring onions | black pepper,
    snipped chervil
waffle | waffle plate | plate | buckwheat waffle | banana slices, fudge drops, whipped cream, roasted almonds |
    agave
porridge | oatmeal | dish | oat porridge | cinnamon, stewed apples, raisin mix, plum compote | maple drops
curry | curry dish | pot | coconut base, tomato base | paneer, okra | garam masala, curry leaves
stew | casserole | pot | diced beef, diced turnip, pearl barley, parsnips, shallots | pepper corns | vegetable stock
drinking chocolate | hot chocolate | beaker | nutmeg, chili pinch, orange zest, hazelnut paste, peppermint drops |
    drinking chocolate
lemonade | lemonade | jug | basil leaves, elder cordial, raspberry puree, ginger root | lemonade
iced tea | cooler | jug | peach cubes, lemon wheels, mint sprigs | iced tea
coffee | brew | mug | caramel drops, vanilla shot, cardamom pods, chicory | coffee
cider punch | punch | ladle glass | apple rings, clove heads, orange wheels | apple cider
ice pop | lolly | mould | pear juice, currant juice, peach juice | lychee bits, pomegranate seeds, mint shreds |
    wooden stick
jam jar | preserve | jar | gooseberries, rhubarb, damsons, quince | gelling sugar, pectin | vanilla pod, rum drops
chutney | relish | jar | green tomatoes, onions, aubergines | malt vinegar | chili
fondue | cheese pot | pot | gruyere, emmental, comte, appenzeller | white grape juice, cornflour | nutmeg, garlic
cheese board | platter | board | brie, stilton, manchego, goat roll | fig paste, grapes, chestnut paste, oat
    crackers
sushi roll | maki | mat | nori sheet | vinegar rice | tuna strips, cucumber sticks, radish sticks, avocado cream |
    sesame
fruit basket | fruit box | basket | pears, plums, kiwis, clementines, apricots, nectarines, grapes, melons
picnic hamper | hamper | hamper | cutlery roll | egg pie, potato crisps, cold chicken, grape bunch | lemonade flask,
    napkins
school bag | satchel | satchel | notebook, atlas, ruler, compass, lunch box, gym shoes, glue stick, calculator
pencil case | pencil pouch | pouch | fountain pen, eraser, sharpener, felt tips, crayons, set square, highlighter
letter | mailing | envelope | invoice, leaflet, price list, coupon, return form, sample card | address label, stamp
welcome folder | folder | folder | house rules, city map, parking permit, wifi card, tram tickets, museum guide
gift box | present | box | tissue paper | scented pouch, chocolate bar, puzzle, woollen socks | ribbon
sewing kit | mending kit | tin box | needles, pins, black thread, white thread, buttons, seam ripper, zippers,
    elastic band
tool box | tool set | box | hammer, pliers, spirit level, hex keys, wrench, screwdriver, tape measure, saw
fishing box | tackle box | box | hooks, sinkers, floats, swivels, spinners, rubber worms, line spool
bead bracelet | bracelet | tray | elastic cord, leather cord | amber bead, jade bead, coral bead, onyx bead, pearl
    bead, wooden bead | silver clasp, brass clasp
bicycle | bike | stand | bell, basket, dynamo lamp, mudguards, luggage rack, bottle cage, kickstand | tyre sealant
skateboard | board | bench | maple deck, bamboo deck | grip tape | trucks, soft wheels, hard wheels, bearings,
    risers
kite | flyer | frame | carbon rods, bamboo rods | ripstop sail, paper sail | bridle line, tail ribbon, spinner
lamp | light | bench | brass base, marble base | bulb, linen shade, glass shade, dimmer, fabric cable
desktop computer | computer | case | mainboard | graphics card, memory module, solid drive, cooling fan, sound card
    | power supply
drone | copter | stand | frame | motor set, camera pod, spare battery, propeller guards, flight board
circuit kit | kit | tray | breadboard | resistors, capacitors, led strip, buzzer, light sensor, potentiometer |
    battery pack
camera bag | photo bag | bag | zoom lens, flash unit, tripod plate, spare card, lens cloth, grey card, filter set
climbing rack | rack | sling | carabiners, nuts set, quickdraws, cams, chalk pouch, belay plate, slings
beach bag | beach tote | tote | sun hat, paddle set, sun cream, inflatable ring, picnic mat, frisbee
golf bag | golf set | bag | driver, putter, wedge, tees, ball marker, rain hood
ski wax | wax mix | pan | hard wax, base wax | graphite flakes, fluorine flakes, green wax, violet wax
guitar | instrument | cradle | nylon strings, steel strings | capo, strap, pickup, tuner clip, bridge pins
drum kit | drum set | rug | bass drum, snare, floor tom, ride cymbal, hi-hat, cowbell
perfume | fragrance | vial | violet absolute, cedar note, amber note, musk note, iris note, leather note | alcohol
    base
ink | writing ink | inkwell | prussian pigment, soot pigment, sepia pigment, malachite pigment | gum arabic, shellac
    | distillate
varnish | lacquer | can | linseed oil, tung oil | gloss agent, matting agent, uv filter, hardener | turpentine
wood stain | stain | can | rosewood stain, teak stain, ebony stain, cherry stain | thinner
mosaic | tile panel | panel | tile adhesive | blue glass, gold glass, mirror shards, slate chips, terracotta chips |
    grout
plaster cast | cast | mould | plaster powder | gauze strip, marble dust | water
paper sheet | handmade paper | deckle | cotton pulp, hemp pulp | flower petals, gold threads, grass blades, confetti
book | notebook | press | linen cover, leather cover | lined pages, blank pages, dotted pages | bookmark ribbon,
    elastic strap
cushion | pillow | cover | feather fill, wool fill, foam flakes | lavender sachet, cooling gel pad | zip, button row
quilt | patchwork | frame | cotton backing | wool batting | striped squares, floral squares, denim squares, plain
    squares
hat | headpiece | form | felt body, straw body | silk band, ostrich feather, pearl pin, veil, flower clip
costume | outfit | hanger | pirate coat, wizard robe | eye patch band, paper sword, pointed hat, fake beard
magic wand | wand | case | willow rod, yew rod | griffin hair, raven quill, comet shard, salt crystal | varnish coat
treasure chest | chest | chest | gold coins, rubies, map scroll, skull key, pearls, compass rose
snow globe | glass ball | dome | little church, reindeer, fir tree, snowman, skater | glitter flakes, white flakes |
    glycerin water
insect hotel | bug house | frame | bamboo tubes, fir cones, straw bundle, clay bricks, bark pieces, drilled logs
hamster cage | rodent home | cage | wood shavings | running wheel, tunnel, ladder, sand bath, hay nest | seed mix
reptile tank | reptile home | tank | coco fibre, calcium sand | heat stone, branch, cork cave, water dish | moss mat
dog dinner | dog bowl meal | dish | chicken chunks, lamb chunks | rice, pumpkin mash, green peas | salmon oil, kelp
    meal
rabbit meal | rabbit dish | dish | timothy hay, meadow hay | dandelion, carrot tops, chicory leaf, apple twig
fertiliser | plant food | sack | blood meal, potash, seaweed meal, rock phosphate, horn chips
seed packet | seed mix | packet | poppy seed, clover seed, radish seed, cosmos seed, borage seed, sunflower seed
compost bin | compost batch | bin | dry leaves, wood chips | grass cuttings, peelings, tea leaves, egg shells | worm
    starter
cleaning solution | cleaner | spray bottle | vinegar, washing soda, alcohol, castile soap | lemon oil | tap water
glue | adhesive | pot | bone glue, fish glue, casein | chalk powder, sawdust, fibre powder | lukewarm water
fabric dye kit | craft kit | kit box | indigo pouch, madder pouch, weld pouch | alum, iron salt | gloves pair, stir
    stick
model railway | layout | board | straight track, curved track | station, tunnel piece, signal, level crossing |
    locomotive, tank wagon
doll house | toy house | house | tiny sofa, tiny stove, tiny bed, bath tub, dining set, roof lamp
puzzle box | game box | box | dice, pawns, card deck, score pad, hourglass, rule book
library pack | reading pack | bag | picture book, comic, audio disc, atlas volume, quiz cards, poem book
exam kit | exam set | folder | question sheet, answer sheet, scrap paper, formula card, id sticker
museum crate | shipping crate | crate | foam liner | bronze vase, oil portrait, marble head, ivory comb | humidity
    card, seal
dental tray | tray | tray | paper liner | mouth mirror, probe hook, cotton rolls, suction tip, polishing cup
pill box | day box | box | vitamin tablet, iron tablet, calcium tablet, zinc tablet, fish oil capsule, magnesium
    tablet
sample rack | rack | rack | blood sample, soil sample, swab sample, water sample, yeast sample | barcode label
gel plate | agar plate | dish | agar | glucose, peptone, lactose, bile salts | red indicator, crystal violet
rocket payload | payload | bay | star tracker, radio beacon, weather probe, ion sensor, seed capsule | heat blanket
space ration | ration | pouch | dried lentils, freeze-dried peas, beef cubes | vitamin powder | hot water
emergency bag | go bag | backpack | torch, water filter, wind-up radio, fire steel, space blanket, rope
baby bag | nappy bag | bag | nappies, wet wipes, spare body, feeding bottle, rattle, muslin cloth
spa tray | wellness tray | tray | hot stone, eye mask, foot cream, clay mask, body brush, bath pillow
shoe order | shoe pair | last | leather sole, rubber sole | suede upper, canvas upper | laces, insole, heel cap
watch | wristwatch | bench | quartz movement, spring movement | white dial, blue dial | steel hands, date window |
    leather band, mesh band
pen | fountain pen | tray | steel nib, gold nib | ebonite feed | resin barrel, wooden barrel | clip, converter
stamp album | album | album | alpine stamp, bird stamp, ship stamp, jubilee stamp, airmail stamp | hinge sheet
cocktail stick platter | finger food | tray | olive stick, cheese cube, melon ball, ham roll, pickled onion, grape
popsicle cake | cake | tin | sponge layer, nut layer | apricot jam, butter cream, cherry filling | marzipan, sugar
    pearls
soup | broth bowl | bowl | barley, tortellini, leek rings, celery cubes | lentil broth
dip | spread | bowl | chickpea mash, bean mash | sesame paste, garlic oil, paprika powder, lemon zest | chervil
skyr | skyr cup | beaker | peach bits, oat crunch, honeycomb, cherry swirl | skyr
granola bar | bar | mould | puffed rice, coconut chips, oats | date syrup, rice syrup
"""
_PLANTS = """
greenhouse chamber | sprout | tray crop | bean tray, cress tray, pea tray, lentil tray, clover tray | nutrient |
    seaweed nutrient, plain nutrient, potash nutrient, orchid nutrient | level | bottom level, centre level, top
    level
laser cutter | engrave | blank | medallion, key tag, phone case, name sign, bookmark | profile | deep profile, fine
    profile, photo profile | bay | left bay, right bay, rear bay
freeze dryer | freeze | sample | berry tray, leaf sample, cell vial, coffee cake | gas | argon gas, nitrogen gas,
    dry air gas | deck | deck A, deck B, deck C
incubator | incubate | dish | petri dish, flask culture, egg, tube culture | medium | nutrient medium, minimal
    medium, blood medium | shelf | warm shelf, cool shelf, middle shelf
photo lab | develop | film | roll film, sheet film, slide film, glass plate | developer | fine developer, push
    developer, stand developer | tank | small tank, big tank, sheet tank
book scanner | digitise | volume | atlas, diary, ledger, score, pamphlet | setting | colour setting, grey setting,
    text setting | cradle | flat cradle, angled cradle, wide cradle
sand blaster | blast | part | wheel rim, engine block, garden gate, fender, radiator | abrasive | glass abrasive,
    corn abrasive, steel abrasive | table | low table, turning table, high table
laundry press | press | garment | blouse, uniform, napkin, pleated skirt | starch | soft starch, stiff starch, lilac
    starch | board | narrow board, broad board, sleeve board
wine cooler | chill | bottle | sherry bottle, riesling bottle, cider bottle, juice bottle | coolant | brine coolant,
    glycol coolant | drawer | upper drawer, lower drawer
bread proofer | proof | loaf | rye loaf, bun, plaited loaf, poppy braid | humidity | dry humidity, moist humidity,
    rainy humidity | slot | slot one, slot two, slot three
egg cooker | cook | egg | hen egg, quail egg, duck egg, goose egg | program | soft program, medium program, firm
    program | ring | inner ring, outer ring, middle ring
car wash | wash | vehicle | van, scooter, estate car, pickup, minibus | foam wax | gloss wax, snow wax, plain wax |
    lane | lane north, lane south
bike wash | rinse | bike | road bike, tandem, cargo bike, scooter | agent | chain agent, frame agent, gentle agent |
    hook | first hook, second hook, long hook
embroidery frame | stitch | cloth | cap, badge, polo shirt | thread | gold thread, navy thread, ruby thread | hoop |
    oval hoop, round hoop, square hoop
screen printer | print | textile | hoodie, tote, banner, t-shirt, flag | ink | neon ink, plastisol ink, water ink,
    metallic ink | platen | youth platen, adult platen, wide platen
label machine | label | package | parcel, tube, sack, keg, carton | label stock | matte stock, gloss stock, kraft
    stock | belt | slow belt, fast belt, heavy belt
ripening room | ripen | fruit | banana crate, avocado crate, mango crate, pear crate | gas mix | mild mix, strong
    mix, humid mix | rack | north rack, south rack, east rack
honey extractor | spin | frame | brood frame, shallow frame, deep frame, comb frame | filter | coarse filter, fine
    filter, double filter | basket | tilted basket, fixed basket, swing basket
glass furnace | melt | batch | flask blank, tube blank, rod blank, bead batch | flux | soda flux, borax flux, potash
    flux | chamber | front chamber, back chamber, side chamber
magnet bench | demagnetise | tool | chisel, file, caliper, drill bit, tap | mode | pulse mode, slow mode, sweep mode
    | cradle | soft cradle, steel cradle
herb press | press | herb | sage bundle, fern frond, rose head, clover head | blotter | cotton blotter, felt
    blotter, paper blotter | plate | lower plate, upper plate, spare plate
seed sorter | sort | seed lot | wheat lot, pea lot, flax lot, maize lot | sieve | round sieve, slot sieve, mesh
    sieve | chute | left chute, right chute
key cutter | copy | key | house key, padlock key, car key, safe key | blank | brass blank, nickel blank, alloy blank
    | vice | small vice, large vice, angled vice
sterile hood | disinfect | tool | pipette, forceps, loop, spreader | mist | alcohol mist, peroxide mist, iodine mist
    | mat | left mat, right mat
tennis stringer | restring | racket | junior racket, badminton racket, squash racket, club racket | string | gut
    string, nylon string, hybrid string | clamp | high clamp, low clamp
ceramic printer | fire-print | piece | mug blank, tealight dish, house number | transfer | floral transfer, letter
    transfer, photo transfer | shelf | quartz shelf, steel shelf, mesh shelf
battery charger | charge | battery | drone battery, phone battery, tool battery, bike battery | rate | trickle rate,
    normal rate, quick rate | dock | dock one, dock two, dock three
coffee roaster | roast | lot | arabica lot, robusta lot, decaf lot, peaberry lot | profile | light profile, dark
    profile, city profile | drum | east drum, west drum
knife grinder | sharpen | blade | cleaver, scissors blade, paring blade, axe head, plane iron | wheel | leather
    wheel, diamond wheel, stone wheel | rest | flat rest, steep rest
aquarium quarantine | treat | fish | guppy, goldfish, tetra, molly, cichlid | remedy | salt remedy, herbal remedy,
    copper remedy | basin | basin left, basin right, basin rear
wool carder | card | fleece | alpaca fleece, merino fleece, mohair fleece, llama fleece | oil | spinning oil,
    lanolin oil, mineral oil | roller | swift roller, doffer roller
film dryer | air | print | poster, postcard set, portrait print, contact sheet | airflow | still airflow, brisk
    airflow, warm airflow | line | line one, line two, line three
"""
TRADES = tuple(_trade(line) for line in _lines(_TRADES))
PLANTS = tuple(_plant(line) for line in _lines(_PLANTS))
FANCY = _listed(
    "Harvest Moon, Old Harbour, Blue Lantern, Sunday Best, Grandfather, Silver Birch, Red Baron, Night Owl, "
    "Windmill, Lighthouse, Pilgrim, Sailor, Big City, Little Prince, Queen Anne, Sahara, Fjord, "
    "Highlander, Carnival, Opera, Backstage, Professor, Gold Rush, Copper Fox, Black Swan, Tiger Lily, Snow Leopard, "
    "Waterfall, Tornado, Avalanche, Summer Camp, Winter Sun, Spring Clean, Autumn Leaf, Morning Star, Comet, "
    "Orbit, Jupiter, North Pole, Deluxe, Classic, Basic, Premium, Number Seven, Royal, House Special, Express, "
    "Traveller, Student, Grandma, Uncle Bob, Signature, Twilight, Zigzag, Checkers, Domino, Sprinter, "
    "Champion, Rookie, Veteran, Butterfly, Hedgehog, Penguin, Otter, Falcon, Wild West, Far East, Deep South, "
    "Castle, Bridge, Station, Gallery, Meadow Lark, Riverside, Hilltop, Valley, Cliffhanger, Echo, "
    "Thunderbolt, Whirlwind, Feather, Pebble Beach, Tundra, Jungle Drum, Island Hopper, Nomad, Scholar, Poet, Jester"
)
TREATS = _listed(
    "dragon fruit, truffle oil, blue cheese, squid ink, maple sap, chia seeds, rocket fuel, caviar, saffron, "
    "star dust, wasabi, peanut butter, goji berries, licorice, oyster sauce, silk ribbon, rubber duck, "
    "copper wire, pocket knife, candied ginger, snail shell, cactus juice, birch sap, lemon curd, "
    "cotton candy, ostrich egg, buffalo mozzarella, pine resin, tin foil, velvet cord, moonstone, peacock feather, "
    "coriander seed, beetroot cubes, rye flakes, blackcurrant, dried mango, celeriac, quark, "
    "smoked tofu, watercress, turnip greens, bell chime, carbon fork, titanium screw, laser pointer, spare key"
)
"""What is asked for and not there."""
ASIDE = (
    "What is the capital of Peru?",
    "How late is it?",
    "Tell me a joke.",
    "Please vacuum the hall.",
    "Drive me to the airport.",
    "Who won the match last night?",
    "Sing something.",
    "Is it going to rain tomorrow?",
    "Water the plants on the balcony.",
    "Call my sister.",
    "Switch off the lights upstairs.",
    "Translate this into Latin.",
    "Book a flight to Oslo.",
    "Walk the dog.",
    "Take out the rubbish.",
    "How do I get to the station?",
    "Write my essay.",
    "Feed the goldfish.",
    "Charge my phone.",
    "Mow the lawn.",
    "Find my glasses.",
    "What is your name?",
    "Repair the roof.",
    "Play chess with me.",
    "Add two and two.",
    "Open the window in the bedroom.",
    "Read me the news.",
    "Turn left at the corner.",
    "Deliver this parcel to Mr Jones.",
    "Iron my shirts.",
)
