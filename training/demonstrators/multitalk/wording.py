"""How people ask for things on a table: templates in which `[one|another]` is a choice and `{a}` is filled in."""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np

from training.noise import noisy
from training.words import one

_CHOICE = re.compile(r"\[([^\[\]]*)\]")

AT = (
    "[put|place|set|move|bring|carry|shift|take|transfer|position|get|deliver|push|send|lay] {a} [at|to|over to] {p}",
    "[put|place|set|drop|lay|stand] {a} [down |]at {p}",
    "[grab|take|fetch|pick up|grasp|find|get hold of] {a} and [drop|put|place|set|deposit] it [at|on] [point |]{p}",
    "{A} [belongs|goes|has to go|must go|needs to be|ought to be|should end up|is supposed to be|should go|should be] "
    "[at|to] {p}",
    "{A} should [stand|be standing|sit|rest|lie] at {p} [in the end|afterwards|when you are finished|]",
    "I [want|need|would like|'d like|wish to have|would love] {a} [at|on|moved to|placed at|standing at] {p}",
    "[can|could|would|will] you [put|place|move|set|bring|carry|shift] {a} [to|at] {p}?",
    "[can|could|may] {a} [go to|be moved to|stand at|be put at] {p}?",
    "[make sure|see to it|take care] that {a} [is|stands|ends up|gets put] at {p}",
    "[let|have] {a} [stand|be] at {p}",
    "{a} [to|at|->|=>] {p}",
    "at {p} I [want|need|would like] {a}",
    "{p} is [the place|the spot|where I want the robot to put it] for {a}",
    "[target|destination|new place] of {a}: {p}",
    "[move|relocate|reposition] {a} so that [it is at|its centre is at|it stands on] {p}",
    "[give|hand|pass|bring] me {a}, [I am at|I will be at|put it down at|my hand is at|drop it at] {p}",
    "[your task|next job|the task]: [bring|move] {a} to {p}",
    "please [have|get] {a} [moved|brought|carried] to {p}",
    "would you mind [moving|putting|bringing] {a} to {p}?",
    "I [am waiting|wait] at {p} for {a}",
)
TWO = (
    "[put|move|bring|place|set|carry] {a} [to|at] {p} and {b} [to|at] {q}",
    "{a} [to|at] {p}, {b} [to|at] {q}",
    "[put|move] {a} to {p}. [Then|After that|And also|Next] [put|move|take] {b} to {q}",
    "I [want|need|would like] {a} at {p} and {b} at {q}",
    "[first|to begin with] {a} goes to {p}, [then|and then|next] {b} to {q}",
    "{A} belongs at {p} and {b} [belongs |]at {q}",
    "[can|could] you [bring|move] {a} to {p} and [bring |move |]{b} to {q}?",
    "two [jobs|tasks|moves]: {a} [to|->] {p}; {b} [to|->] {q}",
    "{A} should [be|stand|end up] at {p}, and {b} at {q}",
    "at {p} [I want|comes|goes] {a} and at {q} {b}",
)
GIVE = (
    "[give|hand|pass|bring|fetch|get|grab|reach] me {a}",
    "I [need|want|would like|'d like|could use|wish for|am looking for] {a}",
    "[may|can|could] I [get|have|see|borrow] {a}?",
    "[can|could|would|will] you [give|hand|pass|bring|fetch|get|grab|find] me {a}?",
    "let me have {a}",
    "{a}, [please|if you would|if you can|quickly]",
    "[hand|give] {a} [to me|here|over]",
    "[come on|hey|robot], [give|pass|get] me {a}",
    "[fetch|bring|get] {a}",
    "I would [be glad to get|be happy about|really like to get] {a}",
    "would you [bring|get|pass] me {a}?",
    "my [friend|wife|guest|daughter|colleague] [needs|wants|asks for] {a}",
    "[it is time for|how about] {a}",
    "bring {a} [here|over here|to me]",
    "[someone|somebody] [wants|needs] {a} [now|]",
)
ELSEWHERE = (
    "[move|shift|displace|transfer|relocate|reposition] {a}",
    "{a} [cannot stay there|has to move|must be moved|stands badly|needs another spot|is at a bad spot]",
    "[put|place|set] {a} [elsewhere|in another place|at a different spot|at its proper place]",
    "I do not like where {a} [is|stands]",
    "{a} [is not where it belongs|is misplaced|should get a different place]",
    "[can|could] you [move|shift|reposition] {a}?",
    "change the [place|position|location] of {a}",
    "I want {a} [in a different position|moved|at another spot]",
    "[pick up|take|lift] {a} and [put|set] it down again [elsewhere|somewhere]",
    "{a} has to [leave its place|be elsewhere]",
)
OUT_OF_THE_WAY = (
    "[put|move|shift|get|take] {a} [out of the way|aside|to the side|to any free place|wherever there is room]",
    "{a} is in my way, put it [anywhere|wherever you like|on any free spot]",
    "[put|move] {a} somewhere else, [I do not care where|anywhere will do|you choose where|any place is fine]",
    "[clear|push] {a} aside",
)
NEAR = (
    "[put|place|set|move|bring|shift|stand] {a} [next to|beside|near|close to|by|right beside|alongside] {b}",
    "{A} [belongs|goes|should go|should be|should stand|has to be] [next to|beside|near|close to|by] {b}",
    "I [want|need|would like] {a} [next to|beside|near|close to|by|right by] {b}",
    "[can|could] you [put|move|place] {a} [next to|beside|near] {b}?",
    "[bring|move|get] {a} [close|near] to {b}",
    "{a} and {b} should [stand side by side|be neighbours], leave {b} where it is",
    "[grab|take|pick up] {a} and [put|set|place] it [down |][next to|beside|by] {b}",
    "{a} [next to|beside|near] {b}",
    "let {a} [stand|be] [near|beside] {b}",
    "beside {b} [comes|goes|I want] {a}",
)
INTO = (
    "[put|place|set|drop|move|lay|throw|pack] {a} {in_to} {r}",
    "{A} [belongs|goes|should go|should be|has to go|needs to be] {in_to} {r}",
    "I [want|need|would like] {a} {in_it} {r}",
    "[can|could] you [put|place|drop|move] {a} {in_to} {r}?",
    "[grab|take|pick up] {a} and [put|drop|lay|place] it {in_to} {r}",
    "{a} {in_to} {r}",
    "use {r} for {a}",
    "[see that|make sure] {a} [is|ends up|gets] {in_it} {r}",
    "{R} is the [place|right place] for {a}",
)
INTO_OPEN = (
    "[put|place|drop|pack] {a} into [a container|some container|one of the receptacles|something]",
    "{A} [belongs|goes] [in one of the vessels|on or in something|into a container]",
    "[store|stow|put away] {a} [in a container|in one of them|]",
    "[can|could] you put {a} [in a receptacle|into some container]?",
    "I want {a} [in a container|in or on one of the containers]",
)
SWAP = (
    "[swap|exchange|switch|interchange] {a} [and|with] {b}",
    "[swap|exchange|switch|interchange] the [places|positions|locations|spots] of {a} and {b}",
    "[put|move] {a} where {b} is and [vice versa|the other way about|{b} where {a} is|the reverse]",
    "{a} and {b} should [swap|switch|change|exchange] [places|positions|spots]",
    "I want {a} and {b} [swapped|exchanged|to change places|in each other's place|switched]",
    "let {a} and {b} [swap|switch] [places|positions]",
    "[can|could] you [swap|exchange|switch] {a} [and|with|for] {b}?",
    "[have|make] {a} and {b} [take each other's place|change positions]",
    "{A} goes where {b} stands now, and {b} goes where {a} stands now",
    "reverse the [positions|places] of {a} and {b}",
)
SWAP_BOTH = (
    "[swap|exchange|switch|reverse] [the two|both|the two things|both things|them both]",
    "[swap|exchange|switch] the [places|positions|locations|spots] of [the two|both|the things|both objects]",
    "[each|every] of the [two|things] should go where the other [is|stands]",
    "both things should [swap|switch|exchange] [places|positions]",
    "I want the two [items|things|objects] [exchanged|swapped|switched]",
    "exchange what is on the table",
    "let the two [items|things] swap [places|positions]",
    "reverse the positions of the things here",
)
SWAP_OPEN = (
    "[swap|exchange|switch|interchange] [two|some two|a couple of] [things|items|objects|of them|of these things]",
    "[two|a pair] of the [things|items] should [swap|exchange|switch] [places|positions]",
    "I want two [things|items] [exchanged|switched|swapped]",
    "let [two|a pair] of [them|the items|these] swap positions",
    "exchange the [spots|places|positions] of two [items|things]",
    "I will tell you two things, swap them",
)
PAIRS_OPEN = (
    "[swap|exchange|switch|interchange] two pairs of [things|items|objects]",
    "two pairs of [things|items] should [swap|exchange] [places|positions|spots]",
    "I want two [couples|pairs] of things exchanged",
    "exchange the [spots|positions|places] of two pairs",
    "in two pairs the [things|items] should [switch|change] positions",
    "do two swaps on this table",
)
LINE = (
    "[put|arrange|place|set|bring] {every} [in|into] [a|one] [line|row|straight line|straight row]",
    "[line up|align] {every}",
    "{Every} should [stand|be] in a [line|row|straight line]",
    "I [want|would like|need] {every} in a [line|row|straight line]",
    "[build|form|make|create] a [line|row|queue|straight row] of {every}",
    "[can|could] you [arrange|line up|align] {every} [in a row|]?",
    "{every} in a [row|line]",
)
ALONG = (
    "along [the |]{x}[-axis|-direction|]",
    "in [the |]{x}[-direction| direction]",
    "parallel to [the |]{x}[ axis|-axis|]",
    "[running|that runs|going] along {x}",
    "in the direction of [the |]{x}[ axis|-axis|]",
)
ANY_ORDER = (
    "[in any order|any order will do|the order does not matter|in whatever order|no matter in which order]",
    "[the order is free|I do not mind the order|you choose the order|order them as you please|whichever order]",
    "[any order|whatever order|the order is unimportant|sequence does not matter|in an order of your choice]",
)
ORDERED = (
    "[in the order|in this order|ordered|order] [{list}|: {list}]",
    "[first|beginning with|starting with] {then}",
    "[from low to high|with growing|with increasing|by rising] {x}[ values|]: {list}",
    "[lowest|smallest] {x} first: {list}",
    "from the [smallest|lowest] {x} to the [largest|highest]: {list}",
    "the order is {list}",
)
REVERSED = (
    "[from high to low|with falling|with decreasing|by sinking] {x}[ values|]: {list}",
    "[highest|largest|greatest] {x} first: {list}",
    "from the [largest|highest] {x} to the [smallest|lowest]: {list}",
)
REGION = (
    "[put|place|set|move|bring] {a} [anywhere|somewhere|to any place|to a free spot] {where}",
    "{A} [belongs|should be|should go|has to be] [somewhere|anywhere|] {where}",
    "I [want|need|would like] {a} {where}, [exactly where is up to you|anywhere there|the rest is up to you]",
    "[can|could] you [put|move|place] {a} {where}?",
    "[move|take] {a} to the part [of the table |]{where}",
    "{where} is where {a} should [be|stand]",
)
BOUND = (
    "[where|with] {x} [is |][{more}]",
    "[in the part with|in the area with|on the side with] {x} [{more}]",
)
TWO_PLACES = (
    "[put|place|set] {a} at {p} and [also at|at the same time at|at] {q}",
    "{A} [should|must|has to] be at {p} and [also at |at ]{q} [together|simultaneously|in the end|]",
    "I want {a} [both at|at both] {p} and {q}",
    "[make sure|see] that {a} is at {p} and that it is at {q}, too",
    "{a} [at|to] {p} [as well as|plus also] {q}",
)
WHERE_OTHER = (
    "[put|place|move|set] {a} [where {b} is|where {b} stands|in the place of {b}|where {b} is now]",
    "{A} should [take the place of|replace|stand in place of] {b}",
    "I want {a} [where {b} stands|where {b} is]",
)
PURPOSE = {
    "food": (
        "[something|anything] [to eat|eatable|edible|I could eat|for my hunger|to nibble]",
        "[some food|a snack|a meal|food|a bit of food|something I can eat]",
    ),
    "fruit": ("[a|some|a piece of|any] fruit", "a fruit of some kind", "something fruity"),
    "vegetable": ("[a|some] vegetable", "one of the vegetables"),
    "drink": (
        "[something|anything] [to drink|drinkable|I could drink|to quench my thirst]",
        "[a drink|a beverage|some drink|something I can drink]",
    ),
    "toy": (
        "[a|some|any] toy",
        "one of the toys",
        "[something|anything] [to play with|for the kids|for playing|a child would like]",
    ),
    "tool": (
        "[a|some|any] tool",
        "one of the tools",
        "[something|anything] [to work with|for a repair|for the workshop|to fix things with|for handicraft]",
    ),
    "cleaning": (
        "[something|anything] [to clean with|for cleaning|to wash with|to wipe with|to scrub with]",
        "[a cleaning thing|some cleaning stuff|a cleaning item|a thing to clean with]",
    ),
    "kitchen": (
        "[some|a piece of] [kitchenware|tableware]",
        "[something|a thing] [from the kitchen|for the kitchen|one uses in a kitchen]",
        "[a kitchen item|a kitchen utensil]",
    ),
}
ALL_OF = {
    "food": ("all the food", "everything edible", "all that can be eaten"),
    "fruit": ("all the fruit", "every piece of fruit", "the fruits"),
    "vegetable": ("all the vegetables", "the vegetables"),
    "drink": ("all the drinks", "everything drinkable", "the drinks"),
    "toy": ("all the toys", "every toy", "the toys"),
    "tool": ("all the tools", "every tool", "the tools"),
    "cleaning": ("all the cleaning things", "everything for cleaning", "the cleaning stuff"),
    "kitchen": ("all the kitchenware", "everything from the kitchen", "the kitchen things"),
}
ANSWER_OBJECT = (
    "[the |]{n}",
    "[the |]{n}[, please|, I think|, thanks| of course]",
    "I [meant|mean|want|would prefer|was thinking of] [the |]{n}",
    "[take|use|give me|bring] [the |]{n}",
    "[the |]{n} [would be nice|will do|is fine|please]",
    "it is [the |]{n}",
    "[the |]{n} is what I [mean|want|meant]",
)
ANSWER_AT = (
    "the one at {p}",
    "the one [that stands|standing] at {p}",
    "[that|the thing] at {p}",
    "I mean the one at {p}",
)
ANSWER_PLACE = (
    "[at |to |]{p}[| please|, please]",
    "[put it|place it|set it down|bring it|leave it there:] [at|to] {p}",
    "I [want|need|would like] it [at|on] {p}",
    "{p} [is fine|would be good|will do]",
    "[let us say|how about|say] {p}",
)
ANSWER_WORDS = (
    "[put it |]{there}[| please|, please]",
    "{there}, [I think|of course|anywhere there]",
    "I want it {there}",
)
DO_NOT_MIND = (
    "[I do not mind|I don't mind|I don't care|you decide|whatever you like|it does not matter|up to you]",
    "[no preference|anything is fine|I have no wish there|as you like]",
)
ANSWER_PAIR = (
    "[the |]{a} [and|with] [the |]{b}",
    "[swap|take|I mean|I mean|exchange] [the |]{a} [and|with] [the |]{b}",
    "[the |]{a} and [the |]{b}[, please| please]",
    "[the |]{a} should go where [the |]{b} is and the reverse",
)
ANSWER_PAIRS = (
    "[the |]{a} [and|with] [the |]{b}, [the |]{c} [and|with] [the |]{d}",
    "[the |]{a} with [the |]{b} and [the |]{c} with [the |]{d}",
    "[swap|exchange] [the |]{a} and [the |]{b}, [then|and also|and] [swap |][the |]{c} and [the |]{d}",
    "one pair is [the |]{a} and [the |]{b}, the other [is |][the |]{c} and [the |]{d}",
    "[the |]{a} and [the |]{b} change with each other, and so do [the |]{c} and [the |]{d}",
    "[the |]{a} for [the |]{b}; [the |]{c} for [the |]{d}",
    "[the |]{a} and [the |]{b} with one another, [and |][the |]{c} and [the |]{d} [likewise|with one another|too]",
)
ANSWER_KINDS = (
    "[the |]{k}s [among themselves|with one another], [and |]the {m}s [likewise|too|also]",
    "the two {k}s [and the two|with one another, and the two] {m}s",
    "each {k} with the other {k}, and each {m} with the other {m}",
)
ANSWER_FIRST = (
    "[put|move|get] [the |]{o} [aside|out of the way|away] [first|before]",
    "[the |]{o} [may|can] be [moved|put aside|moved away]",
    "then [move|shift] [the |]{o} first, [anywhere|I do not care where]",
)
ANSWER_ROUND = (
    "[go|carry it|take it|take a way|find a path] [round|around] [the |]{o}",
    "[there must be a way|try to get it] [round|around|past] [the |]{o}",
    "do it anyway, but [round|past] [the |]{o}",
)
NOT_THAT = (
    "no[:|,|.] [put it|to|place it|bring it] [at |to |]{p}[ instead|]",
    "[wait|stop|oh], [put it|I want it|it should go] [at|to] {p} [instead|]",
    "I changed my mind: [to|at] {p}",
    "[rather|better] put it at {p}",
)
LEAVE_IT = (
    "[no|no, thanks|never mind|forget it|nothing|then nothing|leave it|then leave it|then don't]",
    "[leave everything|leave it all] as it is",
    "[in that case|then] [do nothing|let it be|stop|I do not want it any more]",
    "no, [I changed my mind|that is all right|do not move anything]",
)
FOREIGN_AT = (
    "[Stell|Leg|Bring|Setz|Schieb] {a} [auf|nach|zu] {p}",
    "{a} [soll|muss|gehört] [nach|auf|zu] {p}",
    "[Mets|Place|Pose|Apporte|Déplace] {a} [à|en|au point] {p}",
    "[Pon|Coloca|Mueve|Lleva|Deja] {a} [en|a|al punto] {p}",
)
FOREIGN_GIVE = (
    "[Gib|Reich|Bring|Hol] mir {a}",
    "Ich [brauche|möchte|hätte gern] {a}",
    "[Donne|Passe|Apporte]-moi {a}",
    "[Dame|Pásame|Tráeme] {a}",
)
FOREIGN_SWAP = (
    "[Tausche|Vertausche|Wechsle] {a} [und|mit] {b}",
    "[Échange|Intervertis] {a} et {b}",
    "[Intercambia|Cambia] {a} [y|con|por] {b}",
)


def said(rng: np.random.Generator, templates: Sequence[str], **words: str) -> str:
    """One of the templates, with these words in it."""
    text = one(rng, tuple(templates))
    while match := _CHOICE.search(text):
        options = match[1].split("|")
        text = text[: match.start()] + options[int(rng.integers(len(options)))] + text[match.end() :]
    for key, value in words.items():
        text = text.replace("{" + key + "}", value).replace("{" + key.capitalize() + "}", value)
    return re.sub(r"\s+([.,;?])", r"\1", " ".join(text.split()))


CHATTER = (
    "[I am|we are] [cooking|cleaning up|in a hurry|having guests|hungry|packing|about to leave|working].",
    "[the kids|my guests|the others] [are coming|will be here soon|are waiting].",
    "[good morning|hello|hi there|thank you|great|well done|nice].",
    "[it is late|there is not much time|the table is a mess|take your time|be careful].",
)


def sentence(rng: np.random.Generator, text: str) -> str:
    """As it is typed: with a capital and a stop, or not; sometimes politely, sometimes with a slip."""
    text = text[0].upper() + text[1:] if rng.random() < 0.85 else text
    if not text.endswith("?") and rng.random() < 0.85:
        text += one(rng, (".", ".", ".", ".", "!", ""))
    text = noisy(rng, text, 0.25)
    if rng.random() < 0.06:
        aside = said(rng, CHATTER)
        aside = aside[0].upper() + aside[1:]
        return f"{aside} {text}" if rng.random() < 0.6 else f"{text} {aside}"
    return text
