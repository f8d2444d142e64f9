"""How people ask for a machine to be loaded: how many of what, and with which additive."""

from __future__ import annotations

FRAMES = (
    "{Verb} {x}.",
    "Please {verb} {x}.",
    "Can you {verb} {x}?",
    "Could you please {verb} {x}?",
    "May you {verb} {x}?",
    "I need you to {verb} {x}.",
    "Would you {verb} {x} for me?",
    "I'd like you to {verb} {x}.",
    "We have {x} here to {verb}.",
    "A job for you: {verb} {x}.",
    "{verb} {x}",
    "Hello, {verb} {x} please.",
    "Use the {m} to {verb} {x}.",
    "For tomorrow: {verb} {x}.",
    "Next load: {x}.",
    "{x} in the {m}, please.",
    "The {m} is free, so {verb} {x}.",
    "Kindly {verb} {x} today.",
)
ALL = (
    "{Verb} all the {ks}, there are {n}.",
    "Please {verb} the {ks}, {n} in number.",
    "Can you {verb} the {n} {ks}?",
    "The {n} {ks} have to go into the {m}.",
)
"""For several of one kind."""
TITLE = (
    "{x}.",
    "{x}, please.",
    "{x}",
    "Please do this: {x}.",
    "From the list: {x}.",
    "I choose this one: {x}.",
)
"""An option by its name."""
WITH = (" with {a}", ", using {a}", " and take {a} for that", " - with {a}")
AFTER = (
    "{request} Use {a}.",
    "{request} Take {a} for it.",
    "{request} I want {a} with that.",
    "{request} With {a}, please.",
)
"""Naming the additive within the sentence, or after it."""

NEW_ADD = (
    "Please also {verb} {x}.",
    "Can you put {x} in as well?",
    "I found {x} that you should {verb} along with the rest.",
    "And {x} too, please.",
    "Sorry, there is also {x} for this load.",
)
NEW_MORE = (
    "Can you {verb} another {k}?",
    "One more {k}, please.",
    "There is another {k} for the same load.",
    "Add one more {k} to it.",
)
NEW_LESS = (
    "Sorry, only {n} {ks}, not {before}.",
    "{N} {ks} will do; leave the rest.",
    "I miscounted: it is just {n} {ks}.",
    "Make that {n} {ks} instead of {before}.",
)
NEW_ADDITIVE = (
    "Please use {a} instead.",
    "Can I have it with {a} after all?",
    "Actually, take {a} for this.",
    "I changed my mind, do it with {a}.",
    "Another wish: {a} for this load, please.",
)
"""What people say when the work has begun."""
