"""How people ask for things to be put through a machine, and change their minds about it."""

from __future__ import annotations

import re

WORK = """\
{verb} {list}.|Please {verb} {list}.|Can you {verb} {list}?|Could you {verb} {list}?|Would you {verb} {list} for me?
I need {list} to be put through the {machine}.|Put {list} into the {machine}.|{list} for the {machine}, please.
Next, {verb} {list}.|I want you to {verb} {list}.|We have to {verb} {list}.|Time to {verb} {list}.|{list}, please.
Will you {verb} {list}?|Please {verb} these: {list}.|Here are {list}; {verb} them.|I'd like you to {verb} {list}.
It is time to {verb} {list}.
You should {verb} {list} now.|Let's {verb} {list}.|Start the {machine} with {list}.|Run the {machine} for {list}.
{verb} {list} for us.|I brought {list}. Can you {verb} them?|Would it be possible to {verb} {list}?
My boss wants you to {verb} {list}.|Take care of {list}.|Load {list} and run the {machine}."""
WITH = (
    " with {m}",
    " with {m}",
    " using {m}",
    ", {m}",
    ", and use {m}",
    ", with {m} please",
    " in {m}",
    " and take {m}",
    ", {m} this time",
    ". Use {m}",
    ", on {m}",
    " but with {m}",
    ": {m}",
)
MORE = """\
One more {k}.|Another {k}, please.|Can you do one more {k}?|And one more {k}.|Add another {k}.
Oh, here is one more {k}.|I found another {k}.|Please include another {k}.|There's one more {k}.
Take one more {k} as well.|And a further {k}."""
MORE_MANY = """\
And {list} as well.|Please add {list}.|Also {list}.|Can you do {list}, too?|I forgot {list}.|Put {list} in with it.
{list} should go in, too.|Oh, and {list}.|Could you include {list}?|Together with {list}, please.
There are {list} to add.|Take {list} as well."""
ANY_MORE = """\
One more.|Another one, please.|Can you do another one?|And another.|One more of those.
Could you do one more of them?|Make that one more.|One extra, please."""
EXACT = """\
Only {c}.|Make it {c}.|I meant {c}.|Sorry, it is {c}.|No, {c} only.|Wait, that should be {c}.|There are really {c}.
I counted wrong: {c}.|Change that to {c}.|Let it be {c}.|Correction: {c}.|Just {c} in the end.|Not so many: {c}.
{c}, no more and no less.|{c} will do."""
LESS = """\
Leave out the {ks}.|No {ks} after all.|Forget the {ks}.|Without the {ks}, please.|Drop the {ks}.|Skip the {ks}.
I don't need the {ks} done.|The {ks} can wait.|Take the {ks} off the list."""
RATHER = """\
Use {m} instead.|With {m}, please.|Please take {m}.|I'd rather have {m}.|Make it {m}.|Change to {m}.|Sorry, {m}.
Can you use {m}?|Switch to {m}, please.|{m} would be better.|No, {m}!|Take {m} for it.|It should be {m}.
I forgot to say: {m}.|On second thoughts, {m}."""
WORK_, MORE_, MORE_MANY_, ANY_MORE_, EXACT_, LESS_, RATHER_ = (
    tuple(re.split(r"[|\n]", text)) for text in (WORK, MORE, MORE_MANY, ANY_MORE, EXACT, LESS, RATHER)
)
