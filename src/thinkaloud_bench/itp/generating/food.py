"""Counters where something to eat or to drink is put together."""

from __future__ import annotations

from thinkaloud_bench.itp.generating.themes import CounterTheme, counter, group

FOOD_THEMES: tuple[CounterTheme, ...] = (
    counter(
        "smoothies", "smoothie", "tumbler", "kitchen",
        "Sunrise, Green Morning, Lagoon, Marathon, Monkey Business",
        group(0, "some", "solid", "fruit and greens", "pineapple, kiwi, banana, papaya, peach slices, kale, "
              "rolled oats, "
              "cucumber, avocado, raspberries, dates, melon"),
        group(1, "always", "liquid", "the liquid", "coconut water, oat drink, orange juice, kefir"),
    ),
    counter(
        "sundaes", "sundae", "coupe", "kitchen",
        "Mountain Top, Black Forest, Crunchy Queen, Beach Day",
        group(0, "always", "solid", "the ice cream", "vanilla ice cream, hazelnut gelato, lemon sorbet"),
        group(1, "some", "solid", "toppings", "crushed almonds, cherries, brownie cubes, marshmallows, "
              "cookie crumbs, "
              "toasted coconut, gummy bears, waffle bits"),
        group(2, "some", "liquid", "sauces", "chocolate sauce, caramel sauce, espresso, maple syrup"),
    ),
    counter(
        "salads", "salad", "bowl", "kitchen",
        "Garden, Athens, Crunch, Picnic, Farmhouse",
        group(0, "always", "solid", "the leaves", "romaine lettuce, rocket, baby spinach, white cabbage"),
        group(1, "some", "solid", "vegetables and the like", "cherry tomatoes, radishes, feta, olives, chickpeas, "
              "sweetcorn, grilled tofu, walnuts, beetroot, red onion, croutons"),
        group(2, "one", "liquid", "dressings", "balsamic dressing, tahini dressing, mustard dressing, "
              "lime vinaigrette"),
    ),
    counter(
        "rice bowls", "rice bowl", "bowl", "kitchen",
        "Samurai, Campfire, Harbour, Lean Machine",
        group(0, "always", "solid", "the rice", "brown rice, sushi rice, basmati rice"),
        group(1, "some", "solid", "toppings", "black beans, edamame, smoked salmon, pulled jackfruit, "
              "guacamole, kimchi, "
              "mushrooms, fried egg, bean sprouts, tofu puffs"),
        group(2, "some", "liquid", "sauces", "teriyaki sauce, chili sauce, peanut sauce, sour cream"),
    ),
    counter(
        "noodle soups", "noodle soup", "bowl", "kitchen",
        "Night Shift, Dragon, Grandmother, Fisherman",
        group(0, "always", "solid", "the noodles", "udon noodles, glass noodles, egg noodles"),
        group(1, "some", "solid", "additions", "pak choi, bamboo shoots, shrimps, nori strips, carrots, leek, "
              "roast pork, shiitake, boiled egg"),
        group(2, "always", "liquid", "the broth", "miso broth, chicken broth, vegetable broth"),
    ),
    counter(
        "flatbreads", "flatbread", "tray", "kitchen",
        "Napoli, Four Seasons, Woodsman, Volcano",
        group(0, "always", "liquid", "the sauce", "tomato sauce, white sauce, pesto"),
        group(1, "some", "solid", "toppings", "artichokes, capers, salami, peppers, sardines, aubergine, ham, "
              "zucchini, jalapenos, caramelised onions"),
        group(2, "always", "solid", "the cheese", "mozzarella, gorgonzola, scamorza"),
    ),
    counter(
        "muesli", "muesli mix", "bowl", "kitchen",
        "Alpine, Early Bird, Orchard, Power",
        group(0, "always", "solid", "the flakes", "spelt flakes, oat flakes, buckwheat flakes"),
        group(1, "some", "solid", "additions", "raisins, sunflower seeds, dried apricots, apple cubes, flaxseed, "
              "hazelnuts, cranberries, cocoa nibs, pumpkin seeds"),
        group(2, "always", "liquid", "the wet part", "yoghurt, almond drink, buttermilk"),
    ),
    counter(
        "trail mix", "trail mix", "bag", "kitchen",
        "Summit, Base Camp, Night Hike, Ranger",
        group(0, "some", "solid", "everything", "cashews, peanuts, pistachios, banana chips, sultanas, pretzels, "
              "chocolate drops, pecans, dried figs, coconut flakes, wasabi peas, macadamias, dried papaya"),
    ),
    counter(
        "bento", "bento", "crate", "kitchen",
        "Commuter, Festival, Sea Breeze, Veggie",
        group(0, "always", "solid", "the rice", "seasoned rice, barley rice"),
        group(1, "some", "solid", "sides", "omelette strips, pickled plum, seaweed salad, fried chicken, fish cakes, "
              "spinach balls, pumpkin cubes, lotus root, cocktail sausages, pickled ginger"),
    ),
    counter(
        "pickles", "pickle mix", "crock", "kitchen",
        "Deli, Polish, Hot Harvest, Cellar",
        group(0, "some", "solid", "vegetables", "gherkins, cauliflower, pearl onions, green beans, celery, turnips, "
              "baby corn"),
        group(1, "some", "powder", "spices", "dill, mustard seeds, peppercorns, bay leaves, chili flakes, juniper"),
        group(2, "always", "liquid", "the brine", "salt brine, cider vinegar, sugar brine"),
    ),
    counter(
        "tea blends", "tea blend", "tin", "kitchen",
        "Evening, Monsoon, Cottage, Clear Head",
        group(0, "always", "solid", "the tea", "assam tea, sencha tea, rooibos tea"),
        group(1, "some", "powder", "herbs and blossoms", "peppermint, chamomile, lemongrass, cardamom, "
              "cinnamon bark, "
              "rose hips, jasmine blossoms, orange peel, liquorice, fennel, hibiscus"),
    ),
    counter(
        "sodas", "soda", "tumbler", "kitchen",
        "Pier, Roller Coaster, Old Town, Firefly",
        group(0, "some", "liquid", "syrups", "elderflower syrup, ginger syrup, rhubarb syrup, cherry syrup, "
              "lime syrup, "
              "lavender syrup, grape syrup, vanilla syrup, pomegranate syrup, cucumber syrup"),
        group(1, "always", "liquid", "the water", "soda water, tonic water, still water"),
    ),
    counter(
        "mocktails", "mocktail", "goblet", "kitchen",
        "Flamingo, Captain, Velvet, Palm Beach",
        group(0, "always", "solid", "the ice", "crushed ice, ice cubes"),
        group(1, "some", "liquid", "juices", "grapefruit juice, guava nectar, tomato juice, passion nectar, "
              "coconut cream, "
              "cranberry juice, ginger beer, iced hibiscus"),
        group(2, "some", "solid", "garnishes", "lime wedges, mint leaves, cocktail olives, candied orange, rosemary"),
    ),
    counter(
        "spice rubs", "spice rub", "tin", "kitchen",
        "Texas, Bazaar, Fireside, Coastal",
        group(0, "some", "powder", "everything", "smoked paprika, cumin, garlic powder, brown sugar, "
              "oregano, coriander, "
              "cayenne, turmeric, sea salt, sumac, thyme, onion powder, allspice"),
    ),
    counter(
        "popcorn", "popcorn mix", "bucket", "kitchen",
        "Matinee, Blockbuster, Drive-in, Late Show",
        group(0, "always", "solid", "the corn", "popped corn, kettle corn"),
        group(1, "some", "powder", "seasonings", "parmesan powder, truffle salt, cinnamon sugar, "
              "curry powder, nacho dust, "
              "ranch powder, icing sugar, barbecue dust"),
        group(2, "one", "liquid", "glazes", "melted butter, toffee glaze, honey"),
    ),
    counter(
        "batters", "batter", "beaker", "kitchen",
        "Sunday, Viennese, Lumberjack, Village",
        group(0, "some", "powder", "dry things", "wheat flour, rye flour, baking soda, cocoa, semolina, "
              "vanilla sugar, "
              "ground almonds, poppy seeds"),
        group(1, "some", "liquid", "wet things", "beaten egg, rapeseed oil, soy drink, sparkling water, "
              "apple puree, cream"),
    ),
    counter(
        "horse feed", "feed ration", "pail", "farm",
        "Racer, Senior, Winter, Pony",
        group(0, "always", "solid", "the roughage", "hay chaff, straw chaff, alfalfa"),
        group(1, "some", "solid", "additions", "carrot slices, oat grain, barley grain, linseed, brewer's yeast, "
              "apple pomace, mineral pellets, beet pulp, corn flakes"),
        group(2, "always", "liquid", "the liquid", "molasses, warm water, soy oil"),
    ),
    counter(
        "baby food", "puree", "ramekin", "kitchen",
        "Little Bear, First Spoonful, Rainbow, Sleepy",
        group(0, "some", "solid", "vegetables and fruit", "mashed potato, parsnip, sweet potato, pear, "
              "peas, broccoli, "
              "courgette, plum, quinoa, millet"),
        group(1, "one", "liquid", "oils", "sunflower oil, olive oil, walnut oil"),
    ),
)  # fmt: skip
"""Menus of kitchens; what goes in first has the lower layer."""
