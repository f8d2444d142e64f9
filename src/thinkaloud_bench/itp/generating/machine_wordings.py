"""How people write guidelines for a machine: one author uses one wording for each kind of step throughout a file."""

from __future__ import annotations

GRASP = (
    "grasp the {dirty} {k}",
    "take the {dirty} {k} from the {place}",
    "grasp the {dirty} {k} from the {place}",
    "take hold of the {dirty} {k}",
)
PREPARE = (
    "{prepare} the {k}",
    "{prepare} the {k} before it goes in",
    "carefully {prepare} the {k}",
    "now {prepare} the {k}",
)
OPEN = ("open the {m}", "open the door of the {m}", "open up the {m}")
PULL = ("pull out the {cs}", "pull all the {cs} out", "pull the {cs} out of the {m}")
PUT = (
    "put the {k} on the {c}",
    "put the {k} onto the {c}",
    "put the {k} into place on the {c}",
    "put the {k} down on the {c}",
)
ADDITIVE = (
    "add {a} to the {m}",
    "add {a}",
    "add the {a} to the {m}",
    "add a dose of {a}",
    "add one measure of {a} to the {m}",
)
CLOSE = ("close the {m}", "push everything in and close the {m}", "close the door of the {m}")
START = (
    "select the programme and start the {m}",
    "start the {m}",
    "start the {m} with the usual programme",
    "choose a cycle and start the {m}",
)
WAIT = (
    "when it has run, wait a few minutes",
    "wait until the {m} has stopped, and some minutes more",
    "wait a while after the end of the cycle",
    "wait some minutes until things have settled",
)
CHECK = (
    "check that everything is {ready}, otherwise wait again",
    "make sure that everything is {ready}; if not, wait again",
    "check whether all of it is {ready}, and wait longer if it is not",
    "check each {item}: it has to be {ready}, else wait some more",
)
RETURN = (
    "return everything to the {finished}",
    "return all of the {items} to the {finished}",
    "return what is {ready} to the {finished}",
    "return the {items} to the {finished}",
)
FINISHED = (
    "finished location",
    "pick-up shelf",
    "outgoing table",
    "storage cabinet",
    "delivery trolley",
    "customer counter",
)
DEFAULT = (
    "Use {a} unless the customer asks for another {additive}.",
    "If nothing is said about the {additive}, it is {a}.",
    "{A} is what we use when the customer does not name a {additive}.",
    "Without a special wish, take {a}.",
)
ONE_HAND = (
    "Only one {item} can be held: put it in before the next one is taken.",
    "Handle one {item} at a time, from the {place} to its {compartment}.",
    "Take the next {item} only when the one before is in its {compartment}.",
    "Never carry two {items} at once.",
)
SEVERAL = (
    "Several of a kind are handled one after the other, the first, the second and so on.",
    "Each {item} gets its own three steps, also when there are several of a kind.",
    "Do for every further {item} what is done for the first one.",
)
ONLY = (
    "If a {additive} is asked for that is not available, say so and do not begin.",
    "Other {additive} than what is listed cannot be had; tell the customer and leave the {m} alone.",
    "Do not replace a missing {additive} by another one.",
)
CHATTER = (
    "The {m} runs once per order.",
    "Open and pull out only once per order.",
    "Nothing stays in the {m} overnight.",
    "Do not open the {m} while it runs.",
    "Close the {m} only when everything of the order is in.",
)
LOCATION = ("{c} for {ks}", "{c}: {ks}", "{c} (for {ks})", "{c}, only for {ks}")
"""One wording for each kind of line."""

FURTHER = ("first", "second", "third", "fourth", "fifth")
"""How several of a kind are told apart."""
