"""How people order: openings, endings, and ways to say with, without, instead and as well."""

from __future__ import annotations

import re

ASK = tuple(
    line
    for line in """
I want {x}.
I want {x}, please.
I'd like {x}.
I would like {x}.
I'd love {x}.
I'd really like {x} today.
I feel like {x}.
I'll have {x}.
I'll take {x}.
I think I'll go for {x}.
I am going to have {x}.
I was hoping for {x}.
I could use {x}.
I need {x}.
I need {x} by five.
We need {x}.
We'd like {x}.
We'll take {x}.
Can I have {x}?
Can I get {x}?
Can I order {x}?
Can we have {x}, please?
Could I have {x}?
Could I have {x} please?
Could we get {x}?
May I have {x}?
May I order {x}?
May I ask for {x}?
Might I get {x}?
Can you make {x}?
Can you make me {x}?
Can you put together {x}?
Can you do {x}?
Could you make {x} for us?
Could you prepare {x}?
Could you fix me {x}?
Would you mind making {x}?
Would you please get me {x}?
Will you make me {x}?
Is it possible to get {x}?
Any chance of {x}?
Do you have {x}?
How about {x}?
What about {x}?
Make {x}.
Make me {x}.
Make us {x}, please.
Please make {x}.
Please prepare {x}.
Please get me {x}.
Please bring {x}.
Give me {x}.
Give us {x}.
Get me {x}.
Get started on {x}.
Fix me {x}.
Put together {x}.
Start {x}.
Prepare {x}.
Prepare {x} for the gentleman at the window.
Bring me {x}.
Hand me {x}.
Order: {x}.
New order, {x}.
Next: {x}.
For me {x}.
For me, {x}, please.
For my wife {x}.
{x}.
{x}
{x}, please.
{x} please
{x} to go.
{x}, thanks.
{x} for table four.
Just {x}.
Just {x} for me.
One moment ... yes, {x}.
Hello, {x}, please.
Hi there, can I have {x}?
Good morning! {x}, please.
Good evening, I'd like {x}.
Hey, make me {x}.
Hmm, let me think. {x}.
My son wants {x}.
My colleague ordered {x}.
Somebody wants {x}.
A lady just asked for {x}.
The guest at the bar would like {x}.
They want {x}.
He'd like {x}.
It's {x} that I want.
Let's do {x}.
Let me get {x}.
Let us have {x}.
So, {x}, if you don't mind.
Time for {x}!
""".strip().splitlines()
)
LIST = (
    "{a} with {list}",
    "{a} with {list}",
    "{a} with {list}",
    "{a} with just {list}",
    "{a} with {list} in it",
    "{a}, with {list}",
    "{a} including {list}",
    "{a} made with {list}",
    "{a} made from {list}",
    "{a} of {list}",
    "{a} featuring {list}",
    "{a} that comes with {list}",
    "{a}: {list}",
    "{a}, {list}",
    "{a} with only {list}",
    "{a} using {list}",
    "{a} out of {list}",
    "{a}, and I want {list} in it",
    "{a}, put {list} in",
    "{a} where {list} go in",
    "{a} ... {list}",
    "my own {noun} with {list}",
    "a special {noun} with {list}",
    "some {noun} with {list}",
    "{list} in {a}",
    "{a} with {list}, nothing else",
    "{a} holding {list}",
    "{a} for which you use {list}",
    "a {vessel} of {noun} with {list}",
    "a {vessel} with {list}",
    "{a} that includes {list}",
    "{list}, as {a}",
    "{a} with the following: {list}",
    "one {noun} with {list}",
)
COMPOUND = (
    "{words} {noun}",
    "a {words} {noun}",
    "a {words} {noun}",
    "some {words} {noun}",
    "the {words} {noun}",
    "one {words} {noun}",
    "a {vessel} of {words} {noun}",
    "a nice {words} {noun}",
    "a large {words} {noun}",
)
OPTION = (
    "{o}",
    "{o}",
    "the {o}",
    "{a_o}",
    "{a_o}",
    "one {o}",
    "one of the {o}",
    "your {o}",
    "the {o} as usual",
    "the {o} from your list",
    "{a_o}, unchanged",
    "the regular {o}",
    "that {o} thing",
    "the {o} option",
    "{o}, exactly as described",
    "{o}, the normal way",
)
PLUS = (
    "{o} with {list}",
    "{o} with extra {list}",
    "{o} plus {list}",
    "{o} with {list} as well",
    "{o} with {list} on top",
    "{o} and {list} with it",
    "{o}, and put {list} in too",
    "{o} with additional {list}",
    "{o}, also {list}",
    "{o} but add {list}",
    "{o} and also {list}",
    "{o} including {list}",
    "{o}, plus {list}",
    "{o}, with {list} added on",
    "{o} to which you add {list}",
    "{o} extended by {list}",
    "{o}, and throw in {list}",
    "{o} & {list}",
    "{o} along with {list}",
    "{o}, {list} extra",
    "{o} in which there is {list} too",
    "{o}. Put {list} in, too",
    "{o}, and I'd also like {list} in there",
)
MINUS = (
    "{o} without {z}",
    "{o} without the {z}",
    "{o} without any {z}",
    "{o}, no {z}",
    "{o} with no {z}",
    "{o} minus {z}",
    "{o} minus the {z}",
    "{o} but leave out the {z}",
    "{o}, hold the {z}",
    "{o} but skip the {z}",
    "{o} and omit {z}",
    "{o}, but leave the {z} off",
    "{o}. No {z}",
    "{o}, just no {z}",
    "{o} but I can't have {z}",
    "{o}, {z} left out",
    "{o} free of {z}",
    "{o}, all of it but the {z}",
    "{o} but not the {z}",
    "{o} less the {z}",
    "{o}, and please drop the {z}",
    "{o}. I am allergic to {z}, so leave that out",
)
SWAP = (
    "{o} with {new} instead of {z}",
    "{o}, but {new} instead of {z}",
    "{o} but with {new} instead of the {z}",
    "{o} with {new}, not {z}",
    "{o} but replace {z} with {new}",
    "{o} but replace the {z} by {new}",
    "{o} where {z} is swapped for {new}",
    "{o}, {z} out, {new} in",
    "{o} but use {new} rather than {z}",
    "{o} and exchange {z} for {new}",
    "{o} with {new} in the place of {z}",
    "{o}, substitute {new} for {z}",
    "{o} but change {z} to {new}",
    "{o} without {z}, with {new} instead",
    "{o}, and take {new} where it says {z}",
    "{o}, except make the {z} {new}",
    "{o}. I don't like {z}, use {new}",
    "{o} but trade {z} for {new}",
    "{o} minus {z} plus {new}",
    "{o} with {z} switched to {new}",
    "{o}, no {z} but {new}",
    "{o} and swap {z} with {new}",
    "{o}, put {new} in it and leave {z} out",
)
UNION = (
    "{o} and {p} in one",
    "{o} combined with {p}",
    "{o} mixed with {p}",
    "{o} and {p} together in one {vessel}",
    "a mix of {o} and {p}",
    "a cross between {o} and {p}",
    "everything from {o} and {p} in a single {noun}",
    "{o} merged with {p}",
    "{o} with all that is in {p}",
    "half {o}, half {p}, in one",
    "one {noun} that is {o} as well as {p}",
    "what is in {o} and what is in {p}, all in one {vessel}",
)
NOT = (
    ", no {z}",
    " without {z}",
    ", hold the {z}",
    ", but no {z}",
    " and leave out {z}",
    ", definitely no {z}",
    ", skip the {z}",
    ", not {z}",
    ". No {z} for me",
    " but without any {z}",
    " (no {z})",
    ", {z} not wanted",
    " - without {z}",
)
BARE = (
    "{a}",
    "a {vessel} of {noun}",
    "just {noun}",
    "plain {noun}",
    "{a} with nothing in it",
    "{a} with nothing else",
    "a simple {noun}",
    "a {vessel} of {noun}, nothing more",
    "some {noun}",
)
SKIP = (
    "{o}, but don't {deed} {it}",
    "{o}. You need not {deed} {it}",
    "{o}, and there is no need to {deed} {it}",
    "{o}; please do not {deed} {it}",
    "{o}, only don't {deed} {it} this time",
    "{o}, you can skip the part where you {deed} {it}",
    "{o} but nobody has to {deed} {it}",
    "{o}, I'll {deed} {it} myself",
)
SEVERAL = (
    "{x} and {y}",
    "{x}, and {y}",
    "{x} plus {y}",
    "{x}; {y} too",
    "{x}, then {y}",
    "first {x}, then {y}",
    "both {x} and {y}",
)

ADD = """\
Can you add {x}?|Add {x}.|Please add {x}.|Also {x}, please.|And {x} as well.|Could you put {x} in too?
I also want {x}.|Oh, and {x}.|With {x}, please.
Throw in {x}.|Put {x} in as well.|I'd like {x} in there, too.|Can I get {x} with that?|Wait, I forgot {x}.
{x} too, please.|Make that with {x}.|Let's add {x} to it.
Could it have {x} as well?|Sorry, I need {x} added.|Actually, add {x} to that.|One thing more: {x}.
Extra {x}, please.|Would you add {x} to mine?|There should be {x} in it, too.
Plus {x}.|Mix {x} in.|Hang on, can it come with {x}?|Include {x} as well.|I want it with {x}.|More stuff: {x}.
Is it too late to add {x}? If not, do.|And don't forget {x}."""
DROP = """\
No {z} after all.|Leave out the {z}.|Without {z}, please.|Please skip the {z}.|Sorry, no {z}.
Actually I don't want {z}.|Can you leave {z} out?|Hold the {z}.|Drop the {z}.|Take the {z} off.
I changed my mind about the {z}, leave it out.|Remove {z}.|Could it be without {z}?|Not with {z}, please.
Forget about the {z}.|I'd rather not have {z} in it.|Make it without {z}.|Scratch the {z}.
Oh no, I am allergic to {z}.|{z} should not be in it.|Can I have it without the {z}?|The {z} can go.|No {z}, sorry.
Omit the {z}.|Lose the {z}.|On second thoughts, no {z}.|Please cancel the {z}."""
CHANGE = """\
{new} instead of {z}, please.|Can you use {new} instead of {z}?|Replace {z} with {new}.
Please replace the {z} by {new}.|Swap the {z} for {new}.|No {z}. {new} instead.|Not {z}, {new}!|Make the {z} {new}.
Sorry, {new} rather than {z}.|Could you change {z} to {new}?|I meant {new}, not {z}.|Take {new} in place of {z}.
Exchange {z} for {new}, please.|Oops, {new} and not {z}.|Without {z} but with {new}.|Change of plan: {new} for {z}.
Actually {new} would be better than {z}.|Leave out {z} and put in {new}.|Switch {z} to {new}.
Instead of {z} I want {new}.|Would you take {new} where you have {z}?|I said {z} but I want {new}.
Trade the {z} for {new}.|Less {z}, more {new}: swap them.
Substitute {new} for the {z}.|Forget {z}, use {new}.|Could I have {new} instead of the {z}?
Hmm, {new} in the place of {z}."""
ANOTHER = """\
Sorry, I want {x} instead.|Forget that, make {x}.|Actually, {x}.|Changed my mind: {x}.
No, wait. I'd rather have {x}.|Can I get {x} instead?|Could I have {x} instead?|Scrap that. {x}, please.
On second thoughts, {x}.
Let me change my order to {x}.|Cancel that and make {x}.|I want something else: {x}.
Oh, {x} sounds better. Make me that.|New plan: {x}.|Never mind that one, {x}.|Can we change it to {x}?|Make it {x}.
Instead of that, {x}.
I meant {x}.|Oh no, it should be {x}.|Sorry, I ordered the wrong thing. I want {x}.|Stop. {x} instead.
May I switch to {x}?|Rather {x}, please.|I have reconsidered: {x}.|Not that. {x}.|Please start again with {x}.
Could you turn it into {x}?
I take that back. {x}, please.|Correction: {x}.|Let's go with {x} instead."""
ADD_, DROP_, CHANGE_, ANOTHER_ = (tuple(re.split(r"[|\n]", text)) for text in (ADD, DROP, CHANGE, ANOTHER))

FOREIGN = {
    "list": (
        "Ich möchte {noun} mit {list}.",
        "Bitte {noun} mit {list}.",
        "Je voudrais {noun} avec {list}.",
        "{noun} avec {list}, s'il vous plaît.",
        "Quiero {noun} con {list}.",
        "Por favor, {noun} con {list}.",
    ),
    "option": (
        "Einmal {o}, bitte.",
        "Ich nehme {o}.",
        "Je prends {o}.",
        "Un {o}, s'il vous plaît.",
        "Quisiera {o}.",
        "Un {o}, por favor.",
    ),
    "plus": ("{o} mit {list}, bitte.", "{o} avec {list}.", "{o} con {list}, por favor."),
    "minus": ("{o} ohne {z}, bitte.", "{o} sans {z}.", "{o} sin {z}, por favor."),
}
