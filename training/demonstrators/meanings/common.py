"""What is said to any robot: stop, undo, what did you do, leave that alone, by the way; and what it cannot do."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence

from training.demonstrators.meanings.goals import Goal, says
from training.demonstrators.meanings.talking import Drawn, Rng, Said
from training.noise import noisy
from training.words import NAMES, one

_CHOICE = re.compile(r"\[([^\[\]]*)\]")

STOP = (
    "[stop|stop!|STOP|stop it|halt|hold it|freeze|abort|cancel that|enough|that's enough|quit it|cut it out]",
    "[never mind|nevermind|forget it|forget about it|drop it|leave it|oh, forget it|scrap that|let it be][|.|, thanks]",
    "[please |ok |wait, |no no, |hey, |][stop|stop that|leave off|stop moving|do not move][| now| right now| at once]",
    "[I changed my mind|I've changed my mind|not now|no longer needed|it is not needed any more], [leave it|stop]",
    "[halt sofort|hör auf|lass es sein|stopp]",
    "[arrête|laisse tomber|stop, s'il te plaît]",
    "[para|déjalo|detente]",
    "[停下|算了|别动了]",
)
AFTER_THIS = (
    "[finish|do] this [one|step|bit][, then| and then| and] [stop|quit|leave it|that's it|call it a day]",
    "[stop|quit|you can stop|leave off|no more] after this[| one| step]",
    "[when|once|as soon as] [this one is done|you are done with this|that is finished][,|] [stop|leave it|quit]",
    "[one more|just this one|only this one], then [stop|that's enough|no more]",
)
UNDO = (
    "[undo|undo that|undo it|undo your last step|take that back|revert that|reverse that|roll that back]",
    "[put|set] [it|everything|that] back [as it was|how it was|the way it was|like before|where it was]",
    "[make it|I want it|have it] [as it was|like|how it was] before",
    "[no|hmm, no|oh no|oops], [undo that|take that back|put it back|that was wrong, undo it]",
    "[I did not want that|that was a mistake|that is not what I wanted], [undo it|take it back|put it back]",
    "[mach das rückgängig|stell es wieder so hin wie vorher|nimm das zurück]",
    "[annule ça|remets tout comme avant]",
    "[deshaz eso|déjalo como estaba]",
    "[撤销|恢复原样]",
)
PREVIOUS = (
    "[go on|carry on|continue|proceed|keep going][| please|, please| now]",
    "[go on|carry on|continue] with [what you were doing|the thing before|what you were at|your work|the earlier job]",
    "[back to|now back to|resume] [what you were doing|the job before|your earlier task|what you did before]",
    "[ok|right|fine], [you can go on|as you were|resume|back to work]",
    "[mach weiter|weiter so wie vorher]",
    "[continue ce que tu faisais]",
    "[sigue con lo de antes]",
)
DONE = (
    "what [did you do|have you done|did you just do|have you done so far|was that you just did]",
    "[tell me|say] what you [did|have done][| just now| so far]",
    "[which steps have you done|what was done|what did you get done|what have you been up to]",
    "[was hast du gemacht|qu'as-tu fait|qué has hecho|你做了什么]",
)
TODO = (
    "what [will you do next|comes next|are you going to do|is next|is left to do|is still to be done|is your plan]",
    "[tell me|say] what you will do [next|now]",
    "[what remains|what's left on your list|what else will you do|what's the next step|what are you about to do]",
    "[was kommt als nächstes|que vas-tu faire ensuite|qué vas a hacer ahora|接下来做什么]",
)
WHY = (
    "why[|?| did you do that| that| did you do this| are you doing that| on earth did you do that]",
    "[how come|for what reason did you do that|what is the reason|what made you do that|explain yourself]",
    "why did [that not work|it fail|you stop|you not do it]",
    "[warum|pourquoi as-tu fait ça|por qué|为什么]",
)
UNCLEAR = (
    ("the {n} uh the you know the", "What should I do?"),
    ("could you [please |]put the", "The sentence was cut off."),
    ("[and then|so|well|um|uh], [the|you|it]", "The sentence was cut off."),
    ("[blorg|fnord|snarf|wibble|zorp] the [the|a|of] [um|uh|hm]", "I did not understand that."),
    ("[asdf|qwert jkl|hjkl|ggggg|....|???]", "I did not understand that."),
    ("[it|that thing] with the, [hm|no|never]", "What should I do?"),
    ("[purple sleeps|Tuesday is louder than|between of or the seven]", "I did not understand that."),
    ("[can you|would you|please|I want you to]", "The sentence was cut off."),
    ("[move|take|bring|do] [um|uh|the|a]...", "The sentence was cut off."),
)
NOTES = (
    "{p} [is coming at|will be here by|wants to see this at|leaves at] [four|noon|half past six|ten]",
    "[I had|we had|{p} had] [too much coffee|a bad night|soup for lunch|a long day|no breakfast]",
    "[my|{p}'s] [sister|dog|boss|car|phone|daughter] [is ill|is late|broke down|is called Sunny|was here yesterday]",
    "it [rained all night|is cold outside|is {p}'s birthday|is my last day here|smells of paint in here]",
    "the {n} [was a present from|belongs to|was made by|is a favourite of] {p}",
    "the {n} [is brand new|cost a fortune|is older than me|has a scratch|is a bit sticky|was on sale]",
    "{p} [likes|hates|gave me|has asked about] the {n}",
    "[we|they] [painted|washed|checked|repaired] the {n} [yesterday|on Monday|last week|this morning]",
    "the [heating|printer|lift|window] is [broken|being repaired|noisy] [again|today|]",
    "[nothing to do|all is well|just so you know], {p} [said hello|is watching|is on the phone]",
)
ASIDES = (
    "by the way, ",
    "by the way, ",
    "just so you know, ",
    "fyi ",
    "FYI: ",
    "oh, ",
    "btw ",
    "for your information, ",
)
KEEP = (
    "[leave|keep] {x} [alone|where it is|in place|as it is|be]",
    "[do not|don't|never|please don't|you must not] [touch|move|take|use] {x}[| any more| from now on| today]",
    "[hands off|stay away from|keep away from|keep your hands off] {x}",
    "{x} [must stay where it is|stays|is not to be touched|is off limits|must not be moved]",
    "[nobody touches|not] {x}[, please|!|, it's mine]",
    "[lass|finger weg von] {x}[ in ruhe|]",
)
ALLOW = (
    "[you may|you can|you are allowed to] [touch|move|take|use] {x} again",
    "{x} [may be touched again|is free again|is fine now|can be used again|is no longer off limits]",
    "[ok, |]{x} [is okay again|may move again|is not off limits any more]",
)
NO_SKILL: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("polish", ("[polish|please polish] {x}", "{x} [needs polishing|should be polished]")),
    ("paint", ("paint {x}[| for me]", "[can you|could you] paint {x}")),
    ("weigh", ("weigh {x}", "[put {x} on the scales and weigh it|could you weigh {x}]")),
    ("photograph", ("[photograph|take a photograph of|photograph for me] {x}",)),
    ("throw", ("throw {x}[| at the wall| out of the window| across the room]",)),
    ("break", ("[break|smash] {x}",)),
    ("wrap", ("wrap {x}[| up| in paper| as a gift]",)),
    ("repair", ("[repair|mend] {x}", "{x} is broken, [repair|mend] it")),
    ("sell", ("sell {x}[| online| for a good price]",)),
    ("buy", ("buy [another|a second|one more] {n}",)),
    ("heat", ("[heat|heat up|warm up] {x}",)),
    ("freeze", ("freeze {x}",)),
    ("rename", ("rename {x}",)),
    ("spin", ("[spin|twirl] {x}[| round| around]",)),
    ("shake", ("shake {x}[| well| a bit]",)),
    ("hide", ("hide {x}[| from {p}]",)),
    ("count_money", ("count [the|my] money",)),
    ("sing", ("sing [something|a song|for us|us a song]",)),
    ("dance", ("dance[| for us| a little| with me]",)),
    ("call", ("[call|phone|ring] {p}",)),
    ("email", ("[email|e-mail] {p}[| that I am late]",)),
)
"""Deeds that none of these robots has: the verb, and how it is asked for."""
VERBS = {"break": "break_"}
CANNOT = (
    ("what is the capital of [Peru|Norway|Chad|Mongolia]", "I know nothing about that."),
    ("who won [the match|the cup|the election][| last night]", "I know nothing about that."),
    ("[what will the weather be like|is it going to rain][| tomorrow]", "I know nothing about that."),
    ("how much is [seventeen times nine|the rent|a ticket to Rome]", "I know nothing about that."),
    ("tell me [a joke|a story|something funny]", "I tell no stories."),
    ("[hit|hurt|slap|push|trip] [{p}|my brother|the cat|whoever comes in]", "I must not hurt anybody."),
    ("set [the table|the house|{p}'s hair|everything] on fire", "Fire is dangerous."),
    ("[steal|pinch] {p}'s [wallet|phone|keys]", "I must not steal."),
)


def said(rng: Rng, templates: Sequence[str], **words: str) -> str:
    """One of the templates, with one of each alternatives and the words filled in."""
    text = one(rng, tuple(templates))
    while match := _CHOICE.search(text):
        text = text[: match.start()] + one(rng, tuple(match[1].split("|"))) + text[match.end() :]
    return text.format_map({"p": one(rng, NAMES), **words})


def written(rng: Rng, text: str, rate: float = 0.3) -> str:
    """With a capital and a stop or without, and with what somebody in a hurry makes of it."""
    question = bool(
        re.match(r"(what|who|where|which|is|are|does|do (?:you|we)|did|how|can|could|would|why|will|has|have)\b", text)
    )
    roll = rng.random()
    if roll < 0.6:
        text = text[:1].upper() + text[1:]
    if roll < 0.5 or roll > 0.9:
        text = text if text[-1:] in ".!?…" else text + ("?" if question else ".")
    return noisy(rng, text, rate)


def quote(*names: object) -> str:
    """Names as a program spells them, one after another."""
    return ", ".join(json.dumps(name, ensure_ascii=False) for name in names)


def call(skill: str, *given: object) -> str:
    """A call as a program spells it; lists are spelled as lists, and what is code already is `Code`."""
    return f"{skill}({', '.join(_spelled(each) for each in given)})"


class Code(str):
    """An expression, not a name."""


def _spelled(value: object) -> str:
    if isinstance(value, Code):
        return str(value)
    if isinstance(value, list | tuple):
        return f"[{', '.join(map(_spelled, value))}]"
    return json.dumps(value, ensure_ascii=False)


class Common:
    """What is said to any robot, about things that it may touch. `own`: the names of its own functions."""

    def __init__(self, rng: Rng, things: Sequence[str], own: Sequence[str] = ()) -> None:
        self.rng, self.things, self.own = rng, list(things), frozenset(own)

    def thing(self) -> str:
        """One of the things."""
        return one(self.rng, self.things)

    def ways(self, share: float = 1.0) -> list[tuple[Drawn, float]]:
        """All of it, with how often; `share` is what all of them have together."""
        done = "done_" if "done" in self.own else "done"  # a robot's own function goes before ours
        found: list[tuple[Drawn, float]] = [
            (self._fixed(STOP, "stop()", Goal("stop")), 2),
            (self._fixed(AFTER_THIS, 'stop("after this")', Goal("stop")), 1),
            (self._fixed(UNDO, "undo()", Goal("undo")), 2.5),
            (self._fixed(PREVIOUS, "previous()", Goal("previous")), 1.5),
            (self._fixed(DONE, f"say({done}())", says("I did what you asked.")), 1),
            (self._fixed(TODO, "say(todo())", says("Then I do the rest.")), 1),
            (self._fixed(WHY, "say(why())", says("You asked for it.")), 1),
            (self.unclear, 1.5),
            (self.note, 3),
            (self.keep, 3),
            (self.no_skill, 4),
            (self.cannot, 1.5),
        ]
        total = sum(weight for _, weight in found)
        return [(way, weight * share / total) for way, weight in found]

    def _fixed(self, templates: Sequence[str], program: str, goal: Goal) -> Callable[[], Said]:
        return lambda: Said(written(self.rng, said(self.rng, templates), 0.0), program, goal, amid=self._amid())

    def _amid(self) -> bool:
        return bool(self.rng.random() < 0.5)

    def unclear(self) -> Said:
        """Nonsense, or a sentence that breaks off."""
        template, why = UNCLEAR[int(self.rng.integers(len(UNCLEAR)))]
        return Said(said(self.rng, [template], n=self.thing()), call("unclear", why), Goal("unclear", about=why[:8]))

    def note(self) -> Said:
        """Something in passing; what is written down are the person's own words."""
        text = said(self.rng, NOTES, n=self.thing()).strip()
        text = text[:1].upper() + text[1:]
        aside = one(self.rng, ASIDES) if self.rng.random() < 0.5 else ""
        told = aside + (text[:1].lower() + text[1:] if aside and not text.startswith("I ") else text) + "."
        told = told[:1].upper() + told[1:] if self.rng.random() < 0.7 else told
        return Said(told, call("note", f"{text}."), Goal("note", notes=(f"{text}.",)), amid=self._amid())

    def keep(self) -> tuple[Said, ...]:
        """Something is to be left alone; later it may be touched again."""
        name = self.thing()
        goal = Goal("note", kept=(name,))
        first = Said(written(self.rng, said(self.rng, KEEP, x=f"the {name}")), call("keep", name), goal, self._amid())
        free = Said(
            written(self.rng, said(self.rng, ALLOW, x=f"the {name}")), call("allow", name), Goal("note", freed=(name,))
        )
        return first, free

    def no_skill(self) -> Said | None:
        """A deed that the robot does not have: the verb is called all the same."""
        verb, templates = NO_SKILL[int(self.rng.integers(len(NO_SKILL)))]
        if verb in self.own:
            return None
        name, person = self.thing(), one(self.rng, NAMES)
        text = said(self.rng, templates, x=f"the {name}", n=name, p=person)
        given = [person] if verb in ("call", "email") else [] if "{" not in templates[0] else [name]
        program = call(VERBS.get(verb, verb), *given)
        return Said(written(self.rng, text), program, Goal("refusal", about=verb.replace("_", " ")))

    def cannot(self) -> Said:
        """What no robot could or should do."""
        template, why = CANNOT[int(self.rng.integers(len(CANNOT)))]
        return Said(written(self.rng, said(self.rng, [template])), call("cannot", why), Goal("refusal", about=why))
