"""How people write guidelines for a counter: one author uses one wording for each kind of step throughout a file."""

from __future__ import annotations

PLACES: dict[str, dict[str, tuple[str, ...]]] = {
    "kitchen": {
        "stack": ("{v} stack", "{v} shelf", "clean {v} rack", "{v} cupboard"),
        "work": ("working area", "prep area", "chopping counter", "preparation spot", "assembly station"),
        "finished": ("finished location", "pick-up counter", "serving hatch", "pass", "collection tray"),
        "waste": ("waste bin", "compost bin", "scrap container", "slop sink"),
    },
    "farm": {
        "stack": ("{v} stack", "{v} corner", "{v} hook"),
        "work": ("feed table", "mixing place", "working area"),
        "finished": ("stable door", "delivery cart", "finished location"),
        "waste": ("dung heap", "waste bin", "compost heap"),
    },
    "workshop": {
        "stack": ("{v} stack", "{v} shelf", "{v} store", "{v} cabinet"),
        "work": ("workbench", "mixing table", "working area", "casting table", "work mat"),
        "finished": ("finished location", "curing shelf", "drying shelf", "customer shelf", "packing table"),
        "waste": ("waste bin", "scrap bin", "disposal drum", "reject crate"),
    },
    "laboratory": {
        "stack": ("{v} stack", "{v} rack", "{v} cabinet", "clean {v} tray"),
        "work": ("fume hood", "balance table", "working area", "stirring table"),
        "finished": ("finished location", "sample shelf", "cold storage", "release hatch"),
        "waste": ("waste bin", "disposal drum", "neutralisation tank", "hazard bin"),
    },
    "garden": {
        "stack": ("{v} stack", "{v} pile", "{v} shelf", "{v} shed"),
        "work": ("potting table", "working area", "garden bench", "planting spot"),
        "finished": ("finished location", "sales table", "greenhouse shelf", "garden gate"),
        "waste": ("waste bin", "compost heap", "green bin", "rubbish sack"),
    },
    "shop": {
        "stack": ("{v} stack", "{v} shelf", "{v} store", "{v} display"),
        "work": ("packing table", "working area", "arranging table", "counter"),
        "finished": ("finished location", "pick-up shelf", "checkout", "dispatch desk"),
        "waste": ("waste bin", "recycling bin", "returns crate", "trash can"),
    },
}
"""Names of places by setting, where {v} is the vessel."""

VESSEL = ("the working {v}", "the {v} at the {work}", "the {v} in progress", "the working {v}")
"""How authors call the vessel that is being filled."""

GET = (
    "take an empty {v} to the {work}",
    "get an empty {v} from the {stack} and bring it to the {work}",
    "bring a fresh {v} to the {work}",
    "take a {v} from the {stack} and put it on the {work}",
    "get one empty {v} and place it at the {work}",
    "grasp an empty {v} at the {stack} and move it to the {work}",
    "bring one {v} over from the {stack} to the {work}",
    "place an empty {v} at the {work}",
    "take a new {v} and place it at the {work}",
)
FINISH = (
    "move {it} to the {finished}",
    "put {it} at the {finished}",
    "bring {it} to the {finished}",
    "take {it} over to the {finished}",
    "place {it} at the {finished}",
    "move {it}, now complete, to the {finished}",
    "take the finished {v} to the {finished}",
    "put the filled {v} down at the {finished}",
)
DISCARD = (
    "throw {it} into the {waste}",
    "throw {it} away into the {waste}",
    "put {it} with everything in it into the {waste}",
    "move the spoiled {v} to the {waste}",
    "throw the spoiled {v} into the {waste}",
    "place the failed {v} in the {waste} to discard it",
    "take {it} to the {waste} and throw it away",
)
ADD = {
    "solid": (
        "add {x} to {it}",
        "put {x} into {it}",
        "scoop {x} into {it}",
        "add a scoop of {x} to {it}",
        "put a portion of {x} in {it}",
        "scoop some {x} into {it}",
    ),
    "powder": (
        "add {x} to {it}",
        "pour a little {x} into {it}",
        "put {x} into {it}",
        "add a measure of {x} to {it}",
        "add some {x} to {it}",
        "put a pinch of {x} into {it}",
    ),
    "liquid": (
        "pour {x} into {it}",
        "pour the {x} into {it}",
        "add {x} to {it} by pouring",
        "pour in {x} until {it} has enough",
        "pour some {x} into {it}",
        "pour one measure of {x} into {it}",
    ),
    "thing": (
        "put {x} into {it}",
        "add {x} to {it}",
        "put the {x} in {it}",
        "place {x} in {it}",
        "add the {x} to {it}",
    ),
}
"""Wordings by how a material is handled."""

FREE = (
    "The order in which things go into the {v} does not matter.",
    "Put things in in any order you like.",
    "Any order of adding is fine.",
    "It makes no difference what goes into the {v} first.",
)
LAST = (
    "{C} always comes last; everything else may go in in any order before it.",
    "Add {c} at the very end, after all the rest. The rest has no fixed order.",
    "Nothing goes in after {c}. What comes before it may be in any order.",
    "{C} is the last thing that goes into the {v}; the order of the others does not matter.",
)
FIRST = (
    "{A} goes in first, the rest in any order after that.",
    "Always begin with {a}. After it the order is free.",
    "Nothing goes into the {v} before {a}; what follows may be in any order.",
    "{A} comes first in every {noun}; the order of the others does not matter.",
)
BEFORE = (
    "{A} must be in before {b} go in; otherwise the order is free.",
    "Everything from the one sort ({a}) goes in before anything from the other ({b}).",
    "First whatever is needed of {a}, only then what is needed of {b}; among themselves in any order.",
    "Never add one of {a} after one of {b}. Apart from that any order will do.",
)
LAYERS = (
    "What is needed goes in in this order: {layers}. Within one of these groups any order is fine.",
    "Keep to the sequence {layers}; things of the same group may change places.",
    "Layers from the bottom up: {layers}. Inside a layer the order does not matter.",
    "Always fill the {v} in this sequence: {layers}. Things of one group are free among themselves.",
)
"""Rules about order by the shape of the layers; {layers} is something like "a > b, c > d"."""

EVERY = (
    "Every {noun} has {base}, even if the customer does not mention it.",
    "{Base} belongs into every {noun}.",
    "No {noun} leaves the house without {base}; customers need not ask for it.",
    "There is {base} in every {noun} we make.",
)
AGAIN = (
    "If {it} holds something that the order must not have, or something that came too early, the first step is to "
    "{discard}; then begin again with an empty {v}.",
    "Nothing can be taken out again: when something wrong is in already, or something that belongs in later went in "
    "before what is still missing, {discard} and start over with an empty {v}.",
    "When the customer no longer wants something that is already in, or the order of filling can no longer be kept: "
    "{discard}, and start from an empty {v}.",
    "Something wrong in it, or something in too early? Then {discard} and make the {noun} anew from an empty {v}.",
    "Once something is in that was not ordered, or in the wrong order, it cannot be saved: {discard} and start again "
    "with a new {v}.",
)
ONLY = (
    "We only use what is listed as available; if something else is asked for, say so and do not begin.",
    "If a customer wants something that we do not have now, tell them and make nothing.",
    "Do not replace a missing material by another one; say that it is missing.",
    "What is not on the list of available material cannot be ordered today.",
)
CHATTER = (
    "Be friendly, but do not talk about prices.",
    "One {v} per order.",
    "One portion of each material is enough.",
    "Only one {v} is worked on at a time.",
    "Wipe nothing, stir nothing: that is done by the evening shift.",
    "The {finished} has room for several.",
    "Customers may combine whatever they like from the available material.",
    "Do not fill anything at the {stack}.",
)
"""Further rules that do not change what is right."""

LOCATIONS = (
    (
        "{stack} for empty {v}s",
        "{work} for the {v} that is being filled",
        "{finished} for what is ready",
        "{waste} for what went wrong",
    ),
    (
        "{stack} with empty {v}s",
        "{work} where each {noun} is made",
        "{finished} where customers fetch their orders",
        "{waste}",
    ),
    ("{stack}: clean and empty {v}s", "{work}: one {v} at a time", "{finished}: finished orders", "{waste}: mistakes"),
    (
        "{work} for the working {v}",
        "{stack} for unused {v}s",
        "{waste} for anything spoiled",
        "{finished} for finished orders",
    ),
    ("{stack} (empty {v}s)", "{work} (filling)", "{finished} (done)", "{waste} (spoiled ones)"),
)
"""The lines about locations, as different authors write them."""

PLAIN = ("Plain {noun}", "Pure {noun}", "Simple {noun}", "Basic {noun}")
"""Names of the option that has nothing but what all of them have."""
NAMED = ("{Fancy} {noun}", "{Fancy} {noun}", "{Fancy}", "The {Fancy}")
"""Names of options that do not tell what is in them."""
