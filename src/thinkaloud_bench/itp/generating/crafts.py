"""Counters where something is mixed, planted, packed or tied that nobody eats."""

from __future__ import annotations

from thinkaloud_bench.itp.generating.themes import CounterTheme, counter, group

CRAFT_THEMES: tuple[CounterTheme, ...] = (
    counter(
        "wall paints", "wall paint", "pail", "workshop",
        "Dusk, Meadow, Adobe, Nordic Sky",
        group(0, "always", "liquid", "the base", "white base, clear base, chalk base"),
        group(1, "some", "liquid", "tints", "ochre tint, cobalt tint, crimson tint, umber tint, "
              "viridian tint, magenta tint, "
              "lemon tint, charcoal tint, turquoise tint"),
        group(2, "one", "powder", "effects", "pearl dust, quartz sand, anti-mould powder"),
    ),
    counter(
        "potions", "potion", "flask", "laboratory",
        "Invisibility, Giant, Whisper, Moonwalker, Luck",
        group(0, "some", "powder", "powders", "dragon scale, ground unicorn horn, bat dust, phoenix ash, "
              "toadstool powder, "
              "stardust, crushed amber"),
        group(1, "some", "liquid", "essences", "nightshade essence, mermaid tears, thunder essence, shadow essence, "
              "honeydew essence"),
        group(2, "always", "liquid", "the water", "moon water, spring water, holy water"),
    ),
    counter(
        "planters", "planter", "pot", "garden",
        "Balcony, Provence, Shade, Kitchen Window",
        group(0, "always", "solid", "the drainage", "gravel, clay pebbles, broken tiles"),
        group(1, "always", "solid", "the soil", "potting soil, cactus soil, peat-free soil"),
        group(2, "some", "thing", "plants", "lavender, basil, pansies, ivy, geraniums, strawflowers, "
              "chives, sage, marigolds, "
              "begonias, parsley"),
        group(3, "one", "solid", "covers", "bark mulch, cocoa shells, pine needles"),
    ),
    counter(
        "terrariums", "terrarium", "globe", "garden",
        "Rainforest, Desert, Fairy Glade, Rock Garden",
        group(0, "always", "solid", "the ground", "black sand, red sand, horticultural charcoal"),
        group(1, "some", "thing", "plants", "cushion moss, fern, air plant, haworthia, echeveria, fittonia, "
              "pilea, sedum"),
        group(2, "some", "thing", "decorations", "slate pieces, driftwood, tiny figurines, glass beads, sea shells"),
    ),
    counter(
        "bouquets", "bouquet", "vase", "shop",
        "Sweetheart, Country Lane, Sunshine, Midnight",
        group(0, "some", "thing", "greens", "eucalyptus, fern leaves, salal, ruscus, olive branches"),
        group(1, "some", "thing", "flowers", "tulips, peonies, lilies, gerberas, asters, freesias, "
              "snapdragons, daisies, "
              "cornflowers, dahlias, carnations"),
    ),
    counter(
        "first-aid kits", "first-aid kit", "basket", "shop",
        "Hiker, Family, Cyclist, Workshop",
        group(0, "some", "thing", "everything", "sticking plasters, gauze pads, bandages, tape roll, wound wipes, "
              "tourniquet, rescue blanket, burn gel, gloves, cold pack, safety pins, eye patch, tweezers"),
    ),
    counter(
        "candles", "candle", "tin", "workshop",
        "Library, Snowfall, Spa, Bonfire",
        group(0, "some", "liquid", "scents", "cedar oil, bergamot oil, sandalwood oil, vanilla oil, "
              "fig oil, clove oil, "
              "linen scent"),
        group(1, "some", "powder", "dyes", "indigo dye, rust dye, moss dye, plum dye, ivory dye"),
        group(2, "always", "liquid", "the wax", "soy wax, beeswax, coconut wax"),
    ),
    counter(
        "soaps", "soap", "mold", "workshop",
        "Gardener, Hammam, Surfer, Nursery",
        group(0, "some", "powder", "grains and clays", "poppy grains, pink clay, coffee grounds, activated charcoal, "
              "oat bran, dried petals, ground apricot stones"),
        group(1, "some", "liquid", "oils", "tea tree oil, argan oil, citronella oil, jojoba oil, neroli oil"),
        group(2, "always", "liquid", "the soap", "glycerine soap, shea soap, goat soap"),
    ),
    counter(
        "bath salts", "bath salt mix", "sachet", "workshop",
        "Deep Sleep, Cold Season, Aurora, Muscle",
        group(0, "always", "solid", "the salt", "epsom salt, dead sea salt, himalaya salt"),
        group(1, "some", "powder", "blossoms and powders", "calendula, cornflower petals, spirulina, "
              "oat powder, mica, "
              "dried heather"),
        group(2, "some", "liquid", "oils", "pine oil, ylang oil, menthol, orange oil, camphor"),
    ),
    counter(
        "slime", "slime ball", "beaker", "workshop",
        "Galaxy, Swamp, Unicorn, Lava",
        group(0, "always", "liquid", "the glue", "white glue, clear glue"),
        group(1, "some", "powder", "extras", "silver glitter, neon pigment, foam beads, glow powder, "
              "fake snow, sequins, "
              "clay dust, holographic flakes, rainbow confetti"),
        group(2, "always", "liquid", "the activator", "borax solution, contact lens fluid, liquid starch"),
    ),
    counter(
        "concrete", "concrete mix", "bucket", "workshop",
        "Patio, Footing, Designer, Quick Fix",
        group(0, "always", "powder", "the binder", "portland cement, white cement"),
        group(1, "some", "solid", "aggregates and additives", "river sand, basalt chips, marble chips, steel fibres, "
              "fly ash, perlite, glass granules, iron oxide, expanded clay"),
        group(2, "always", "liquid", "the water", "mixing water, lime water"),
    ),
    counter(
        "soil mixes", "soil mix", "sack", "garden",
        "Tomato, Rooftop, Bonsai, Raised Bed",
        group(0, "some", "solid", "everything", "leaf mould, worm castings, vermiculite, coconut coir, "
              "pumice, bone meal, "
              "horn shavings, biochar, garden loam, lava grit, rock flour, orchid bark"),
    ),
    counter(
        "fish tanks", "fish tank", "tank", "shop",
        "Amazon, Reef, Nano, Zen",
        group(0, "always", "solid", "the bottom", "quartz gravel, coral sand, aquarium soil"),
        group(1, "some", "thing", "decorations and plants", "java fern, lava rock, mangrove root, "
              "clay cave, anubias, "
              "moss balls, slate arch, sunken ship, hornwort"),
        group(2, "always", "liquid", "the water", "filtered water, salt water, rain water"),
    ),
    counter(
        "bird food", "bird mix", "feeder", "garden",
        "Robin, Winter Guest, Finch, Woodpecker",
        group(0, "some", "solid", "seeds and the like", "black sunflower, hemp seed, niger seed, "
              "millet grain, mealworms, "
              "peanut bits, cracked corn, elderberries, safflower"),
        group(1, "one", "liquid", "fats", "melted suet, coconut fat, palm-free lard"),
    ),
    counter(
        "care packages", "care package", "carton", "shop",
        "Get Well, Exam Week, New Parents, Homesick",
        group(0, "always", "solid", "the padding", "paper shreds, wood wool, bubble wrap"),
        group(1, "some", "thing", "gifts", "wool socks, herbal tea bags, crossword book, hand cream, honey sticks, "
              "bath bomb, photo frame, shortbread, hot-water bottle, card game, lip balm"),
        group(2, "one", "thing", "greetings", "greeting card, handwritten note, postcard"),
    ),
    counter(
        "travel kits", "travel kit", "bag", "shop",
        "Overnight, Beach, Business, Backpacker",
        group(0, "some", "thing", "everything", "toothbrush, sleep mask, ear plugs, sunscreen, sewing set, "
              "shampoo bar, "
              "plug adapter, lint roller, comb, razor, mouthwash, insect spray, neck pillow"),
    ),
    counter(
        "potpourri", "potpourri", "bowl", "workshop",
        "Winter Hall, Linen Closet, Orangery, Harvest",
        group(0, "some", "solid", "dried things", "dried rosebuds, pine cones, star anise, orange slices, "
              "lavender heads, "
              "cedar shavings, cinnamon sticks, bay twigs, acorns"),
        group(1, "one", "liquid", "fixing oils", "orris oil, patchouli oil, vetiver oil"),
    ),
    counter(
        "buffer solutions", "buffer", "beaker", "laboratory",
        "Standard, Cold Room, Protein, Teaching",
        group(0, "always", "liquid", "the solvent", "distilled water, deionised water"),
        group(1, "some", "powder", "salts", "sodium chloride, potassium phosphate, magnesium sulfate, "
              "tris powder, urea, "
              "glycine, calcium chloride, edta"),
        group(2, "some", "liquid", "acids and stabilisers", "hydrochloric acid, acetic acid, glycerol, citric acid"),
    ),
    counter(
        "resin coasters", "coaster", "mold", "workshop",
        "Ocean, Meadow, Nebula, Marble",
        group(0, "some", "powder", "inlays", "gold leaf, pressed violets, copper flakes, pebbles, blue pigment, "
              "fern tips, shell grit, watch gears, ink crystals"),
        group(1, "always", "liquid", "the resin", "epoxy resin, bio resin"),
    ),
    counter(
        "party bags", "party bag", "bag", "shop",
        "Pirate, Space, Jungle, Circus",
        group(0, "some", "thing", "everything", "balloons, bouncy ball, sticker sheet, whistle, glow stick, "
              "lollipop, "
              "toy ring, chalk, paper crown, bubble wand, jelly worms, yo-yo, marbles"),
    ),
)  # fmt: skip
"""Menus of workshops, gardens, laboratories and shops; what goes in first has the lower layer."""
