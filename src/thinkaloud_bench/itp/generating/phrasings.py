"""How people order at a counter: frames around what they want, and ways of saying what that is."""

from __future__ import annotations

FRAMES = (
    "I would like {x}.",
    "Can I have {x}?",
    "Could I get {x}, please?",
    "{X}, please.",
    "May I have {x}?",
    "I'd like to order {x}.",
    "Please make me {x}.",
    "One order for you: {x}.",
    "Give me {x}.",
    "Hi! {X} please.",
    "Hello, could you prepare {x} for me?",
    "I'll take {x}.",
    "We need {x}.",
    "Make {x}.",
    "Let me have {x}, thanks.",
    "My daughter wants {x}.",
    "The next customer asked for {x}.",
    "Good morning, I was hoping for {x}.",
    "Is it possible to get {x}?",
    "{x}",
    "Would you make {x} for me, please?",
    "What I want today is {x}.",
    "How about {x}?",
    "Prepare {x} as soon as you can.",
    "Could you put together {x}?",
    "order: {x}",
    "Please do {x} next.",
    "My order is {x}.",
    "I want {x}.",
    "Would you mind making {x}?",
    "I need {x} before noon.",
    "{X}. Thank you!",
    "Somebody on the phone wants {x}.",
    "If it is no trouble, {x}.",
    "Get me {x}",
)
OPTION = (
    "{a_opt}",
    "the {opt}",
    "one {opt}",
    "your {opt}",
    "{a_opt} just as it is on the menu",
    "the {opt}, nothing changed",
    "the {opt} from your list",
    "your {opt}, unchanged",
)
AGAIN_OPTION = ("{a_opt}", "the {opt}", "one {opt}", "your {opt}")
AGAIN_LIST = (
    "{a_noun} with {list}",
    "{a_noun} that has {list} in it",
    "one {noun} with {list}",
    "{a_noun} containing {list}",
)
"""Short ways, for somebody who orders a second time."""
LIST = (
    "{a_noun} with {list}",
    "{a_noun} that has {list} in it",
    "one {noun} with {list}",
    "{a_noun} containing {list}",
    "{a_noun} - {list}",
    "{a_noun} ({list})",
    "a custom {noun} with {list}",
    "{a_noun}, and in it {list}",
    "{a_noun} for which you take {list}",
    "one {noun}: {list}",
)
FULL = (
    "{a_noun} with {list} and nothing else",
    "{a_noun} with just {list}",
    "{a_noun} out of {list}",
    "{a_noun} made only of {list}",
)
COMPOUND = ("{a_words} {noun}", "one {words} {noun}", "{a_words} {noun} of my own invention")
PLUS = (
    "the {opt} with {list} added",
    "{a_opt} plus {list}",
    "the {opt}, but with {list} as well",
    "{a_opt} that also has {list}",
    "the {opt} together with {list}",
    "{opt} + {list}",
    "the {opt} and {list} in it too",
    "{a_opt}, and add {list} to that",
)
MINUS = (
    "the {opt} without {old}",
    "{a_opt}, no {old}",
    "{a_opt} minus {old}",
    "the {opt} but leave out {old}",
    "the {opt}, hold the {old}",
    "{a_opt} with everything in it except {old}",
    "the {opt}, only that I don't want {old}",
)
SWAP = (
    "the {opt} with {new} instead of {old}",
    "{a_opt}, but {new} in place of {old}",
    "the {opt} with {old} replaced by {new}",
    "{a_opt} with {new} rather than {old}",
    "the {opt} without {old} but with {new}",
    "the {opt}, just take {new} where you would take {old}",
    "{a_opt}, no {old}, {new} instead",
)
UNION = (
    "everything of the {opt} and of the {other} together in one {v}",
    "a cross between the {opt} and the {other}, with all that is in either",
    "one {noun} that combines all of the {opt} with all of the {other}",
    "one {v} with all that belongs into the {opt} and all that belongs into the {other}",
)
NOT = (", no {z}", ", but without {z}", ", and please no {z}", ", only no {z}", ", without any {z}")
"""What is said about something that was never meant to be in."""

NEW_ADD = (
    "I want to add {x}.",
    "Could you also put {x} in?",
    "Oh, and {x} too, please.",
    "Sorry, can I get {x} with that as well?",
    "Please add {x} to my order.",
    "Actually, {x} should be in it too.",
    "One more thing: {x} as well.",
    "Wait, I'd like {x} added.",
    "and {x}",
)
NEW_DROP = (
    "Sorry, no {x} after all.",
    "Could you leave out {x}?",
    "Please make it without {x}.",
    "Actually I don't want {x} in it.",
    "Hold on, skip {x}.",
    "I changed my mind about {x}: leave that out.",
    "Can I have it with no {x}?",
    "everything as ordered but drop {x}",
)
NEW_SWAP = (
    "Can I replace {old} with {new}?",
    "Sorry, {new} instead of {old}, please.",
    "Could you take {new} in place of {old}?",
    "Actually, use {new} rather than {old}.",
    "I'd prefer {new} to {old} after all, so change that.",
    "No {old} please, {new} instead.",
)
NEW_ORDER = (
    "Sorry, I want {x} instead.",
    "Forget that. Can I have {x} instead?",
    "I changed my mind: {x}, please, and not what I said before.",
    "Can I reorder? I'd rather have {x}.",
    "Actually, make it {x} instead.",
    "Please cancel that and make {x}.",
    "Wrong order, sorry! It should be {x}.",
)
"""What people say when the work has begun."""
