"""The same request in twenty phrasings, for each kind of request. Test data: none of it may be in anybody's training.

Where something in braces stands, the scene decides what it is. The first phrasing of a kind is the one that is said
where it is not the phrasing that varies.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache

PHRASINGS = 20

BOWL = (
    "Put every block into the {bowl}.",
    "Could you please gather all of the blocks in the {bowl}?",
    "all blocks into the {bowl}",
    "The {bowl} should end up holding every single block.",
    "I want each block to be in the {bowl}.",
    "Into the {bowl} with all the blocks, please.",
    "Would you mind moving all the blocks to the {bowl}?",
    "Take the blocks one after another and drop them in the {bowl} until none is left outside.",
    "Um, so, the blocks, can you, like, put all of them in the {bowl}?",
    "hey robot, collect all the blocks in the {bowl}",
    "Fill the {bowl} with all the blocks on the table.",
    "No block should be left outside the {bowl}.",
    "I'd like you to place all of the blocks inside the {bowl}.",
    "Plese put al the blocks in the {bowl}.",
    "All the blocks belong in the {bowl}; make it so.",
    "Since we are tidying up, it would be great if you could see to it that every block on this table finds its way "
    "into the {bowl}.",
    "Can all the blocks go in the {bowl}?",
    "{bowl}: all the blocks go in there.",
    "Move all blocks, whatever their colour, to the {bowl}.",
    "When you have a moment, stow every block away in the {bowl}, thanks.",
)
"""All the blocks of the scene into one bowl."""

ONTO = (
    "Put the {thing} on top of the {target}.",
    "Could you stack the {thing} on the {target}, please?",
    "{thing} onto the {target}",
    "On top of the {target} is where I want the {thing}.",
    "I'd like the {thing} to sit on the {target}.",
    "Take the {thing} and set it down on the {target}.",
    "Would you mind placing the {thing} on the {target}?",
    "Please lay the {thing} on the {target}.",
    "Uh, the {thing}, could you, you know, get it onto the {target}?",
    "robot put the {thing} on the {target} please",
    "The {target} needs the {thing} on top of it.",
    "Move the {thing} so that it rests on the {target}.",
    "Grab the {thing} and stack it on the {target}.",
    "plaese put teh {thing} on the {target}",
    "Could the {thing} go on the {target}?",
    "For the photo I am about to take it would be lovely if the {thing} were standing on top of the {target}.",
    "Onto the {target} with the {thing}!",
    "I need the {thing} on the {target}, nothing else.",
    "Use the {target} as a base and put the {thing} on it.",
    "Have a look for the {thing} and, once you have it, place it on the {target}.",
)
"""One block onto another."""

FROM_BOWL = (
    "Put the block that is in the {source} into the {target}.",
    "Could you move whatever block lies in the {source} over to the {target}, please?",
    "block in the {source} goes to the {target}",
    "From the {source} into the {target}: move the block.",
    "Take the block out of the {source} and drop it in the {target}.",
    "I want the block from the {source} to be in the {target}.",
    "Would you transfer the block in the {source} to the {target}?",
    "Please shift the {source}'s block to the {target}.",
    "Hmm, that block in the {source}, well, put it in the {target}.",
    "move the block thats in the {source} to the {target}",
    "The {target} should get the block that the {source} has in it.",
    "There is a block in the {source}. Place it in the {target}.",
    "Into the {target}, please, with the block from the {source}.",
    "Can the block in the {source} go into the {target}?",
    "Pick the block out of the {source}, then put it inside the {target}.",
    "Empty the {source} by putting its block into the {target}.",
    "I have changed my mind about where things go, so kindly bring the block that is sitting in the {source} to the "
    "{target} instead.",
    "Pleas relocate the block in teh {source} to the {target}.",
    "The block that lies in the {source} belongs in the {target}; take it there.",
    "{source} to {target}, just the block.",
)
"""The block that is in one bowl, which has to be remembered, into another."""

IS_IN = (
    "Is the {thing} inside the {bowl} right now?",
    "Would you say that the {thing} is in the {bowl}?",
    "{thing} in the {bowl}?",
    "Tell me, does the {bowl} have the {thing} in it?",
    "Does the {bowl} currently contain the {thing}?",
    "I wonder whether the {thing} is in the {bowl}. Is it?",
    "The {thing} is in the {bowl}, isn't it?",
    "Can you check whether the {thing} lies in the {bowl}?",
    "so, um, is the {thing} in the {bowl} or not",
    "Yes or no: the {thing} is in the {bowl}.",
    "If I looked into the {bowl}, would I find the {thing} there?",
    "Please tell me if the {thing} is in the {bowl}.",
    "Is it in the {bowl} that the {thing} lies?",
    "is teh {thing} insde the {bowl}?",
    "Has the {thing} ended up in the {bowl}?",
    "Is it true that the {bowl} holds the {thing}?",
    "Before we go on I would like to be sure about one thing: is the {thing} in the {bowl} at the moment?",
    "In the {bowl}, is the {thing} there?",
    "Do you know if the {thing} is lying in the {bowl}?",
    "Would it be right to say that the {thing} is inside the {bowl}?",
)
"""Whether a block is in a bowl: yes or no."""

WHICH = (
    "Which of the blocks is in the {bowl}?",
    "Name the block that lies in the {bowl}.",
    "Could you tell me which block the {bowl} has in it?",
    "what block is in the {bowl}",
    "In the {bowl} there is a block; which one is it?",
    "I'd like to know which block is inside the {bowl}.",
    "The block in the {bowl} is which one?",
    "Tell me what there is in the {bowl}.",
    "Er, the {bowl}, which block was it that is in there?",
    "Say which block is in the {bowl}, please.",
    "Do you know which block lies in the {bowl}?",
    "which blokc is in the {bowl}?",
    "What does the {bowl} contain?",
    "Looking into the {bowl}, which block would I see?",
    "Contents of the {bowl}?",
    "Would you be so kind as to name the block that is in the {bowl}?",
    "What have we got in the {bowl}?",
    "I have lost track of everything that was moved around here, so please let me know which block the {bowl} is "
    "holding now.",
    "If I reached into the {bowl}, which block would I pull out?",
    "The {bowl} holds which block?",
)
"""Which block is in a bowl."""

PUT_AWAY = (
    "Put the {thing} inside the {box}.",
    "Could you please put the {thing} in the {box}?",
    "{thing} into the {box}",
    "The {thing} belongs in the {box}, so bring it there.",
    "I'd like to have the {thing} in the {box}.",
    "Go and find the {thing}, then place it in the {box}.",
    "Would you mind taking the {thing} to the {box} and putting it in?",
    "In the {box}, that's where the {thing} should be.",
    "Oh, and the {thing}, um, just put it in the {box}.",
    "place the {thing} in the {box} please",
    "Fetch the {thing} and leave it inside the {box}.",
    "The {box} is where I want the {thing} to go.",
    "Get the {thing} into the {box}.",
    "Please putt the {thing} in the {box}, thank yuo.",
    "Can the {thing} go in the {box}?",
    "I have to leave in a minute and have no hand free, so it would help me a lot if you put the {thing} in the {box}.",
    "Into the {box} with the {thing}, if you please.",
    "Make sure that the {thing} ends up in the {box}.",
    "Open the {box} and put the {thing} in it.",
    "I need you to move the {thing} from wherever it is to the inside of the {box}.",
)
"""Something in a home into a container that is closed."""

DRINK = (
    "A milk with {one} and {two}, please.",
    "Could I get milk with {one} and {two} in it?",
    "{one} milk with {two}",
    "I'd love a {one} and {two} milk.",
    "I'll take one milk, and put {one} and {two} into it.",
    "Make me a {one} milk that also has {two} in it.",
    "Would you prepare a milk with both {two} and {one}?",
    "Milk for me, flavoured with {one} plus {two}.",
    "Erm, I think I'll have, hmm, a {one} milk, with {two} too.",
    "one {one} {two} milk",
    "One cup of milk, {one} and {two} added.",
    "Both {one} and {two} should be in my milk.",
    "My order is a milk drink with {two} and {one}.",
    "cna i have a {one} milk wiht {two}?",
    "Could you make a {one} milk for me and add {two} to it?",
    "It's a hot day and I am thirsty after that long walk, so please mix me a cup of milk with {one} and {two}.",
    "With {one} and with {two}: that is how I want my milk.",
    "Get a cup of {one} milk with {two} ready for me.",
    "I fancy some {two} in a {one} milk.",
    "May I order milk, {one} as well as {two}?",
)
"""A drink by the shipped guidelines that is on no list of them: milk with two things in it."""

KINDS: Mapping[str, tuple[str, ...]] = {
    "bowl": BOWL,
    "onto": ONTO,
    "from_bowl": FROM_BOWL,
    "is_in": IS_IN,
    "which": WHICH,
    "put_away": PUT_AWAY,
    "drink": DRINK,
}
FRAMES: tuple[str, ...] = tuple(frame for frames in KINDS.values() for frame in frames)
"""All of them: what must not be learnt from."""
SLOT = "zzz"  # what stands for a name while a phrasing is made into a form


def frame_of(sentence: str) -> str | None:
    """The phrasing that a whole sentence is; None if it is none of these.

    What is in braces may be anything of up to three words; case and punctuation make no difference.
    """
    said = _bare(sentence)
    return next((frame for frame, form in _forms() if form.fullmatch(said)), None)


@cache
def _forms() -> tuple[tuple[str, re.Pattern[str]], ...]:
    name = r"[\w-]+(?: [\w-]+){0,2}"
    return tuple(
        (frame, re.compile(name.join(map(re.escape, _bare(re.sub(r"\{\w+\}", SLOT, frame)).split(SLOT)))))
        for frame in FRAMES
    )


def _bare(sentence: str) -> str:
    return " ".join(re.sub(r"[^\w' ]", " ", sentence.lower()).split())
