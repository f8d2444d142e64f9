"""The last step before a person hears or reads a sentence: articles, singular and plural, short forms, full stops.

    speak = PersonEnglish(world)
    speak.see(observation)
    speak("Ice skates is in tall cupboard.. I do not see rice.")
    # "The ice skates are in the tall cupboard. I don't see the rice."

Records keep the words as they are: models read them, and code compares them. Only front ends call this. It changes what
stands around the names of the robot's things, never a name, and nothing that a person said.

Not covered: other languages, and tenses ("Done: Close the door.").
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from thinkaloud.errors import ThinkaloudError
from thinkaloud.language.words import plural, singular, takes_an
from thinkaloud.records import Observation
from thinkaloud.skills.signatures import Signature, Vocabulary, capitalised
from thinkaloud.worlds.contract import World
from thinkaloud.worlds.full_world import negated

_ARTICLE = re.compile(r"\b(?:the|an?|your|my|this|that|each|every|all) \{", re.IGNORECASE)
"""Where a robot's own sentence puts an article before a parameter."""
_NO_ARTICLE_AFTER = re.compile(
    r"(?:\b(?:the|an?|my|your|his|her|its|their|our|this|that|these|those|no|any|every|each|which|some|one|two|both|all"
    r"|other|another|much|many|more|less|as"
    r"|called|named|will|then|i|cannot|can't|not|never|say|said)\s+|['’]s\s+|\d\s+|[\"“'(/-]\s*|: ?"
    r"|\b(?:an?|the|another) (?:new|old|clean|fresh|full|empty|next|second|third|last)\s+"
    r"|\b(?:an?|\d[\d.,]*|half)\s(?:[\w°%]+\s){1,2}of\s+)$",
    re.IGNORECASE,
)
_VERB = r"(?:is|are|was|were|has|have|isn't|aren't|can|cannot|can't|will|must|does|do|needs?|stays?|lies|stands)\b"
_SHORT = {
    "is not": "isn't",
    "are not": "aren't",
    "was not": "wasn't",
    "were not": "weren't",
    "has not": "hasn't",
    "have not": "haven't",
    "does not": "doesn't",
    "do not": "don't",
    "did not": "didn't",
    "could not": "couldn't",
    "cannot": "can't",
}
_ONE_OF = re.compile(
    r"(?<![\w.,])(?<!of )1 ((?:[a-z]+ )?)([a-z]{4,}s)\b(?= (?:of|to|in|into|on|onto|for|from|at|with)\b|[.,]|$)"
)
"""`1 pieces`, `1 smoke holes`."""
_SHORTENED = re.compile(rf"\b(?:{'|'.join(_SHORT)})\b", re.IGNORECASE)
_OF_SEVERAL = {
    "is": "are",
    "was": "were",
    "has": "have",
    "does": "do",
    "needs": "need",
    "stays": "stay",
    "lies": "lie",
    "stands": "stand",
    "isn't": "aren't",
    "wasn't": "weren't",
    "hasn't": "haven't",
    "doesn't": "don't",
}
_CLAUSE_ENDS = re.compile(rf"[.!?:;,]\s|\b{_VERB}[^.!?:;,]*?\band ")
_BEHIND_NOUN = re.compile(r"\b(?:of|in|into|on|onto|at|to|from|with|for|by|under|over|near)\b", re.IGNORECASE)
"""What makes a name a part of what is spoken of: `the weight of the cups is 3 kg`."""
_LISTED = re.compile(r"\s*/|\s*\((?!checked|not checked)")
"""What follows a name that only stands in a list of choices."""
_NEVER = re.compile(r"(?!)()")
_CLAUSE = re.compile(r"\b(?:whenever|as soon as|until|that) $", re.IGNORECASE)
"""What begins a clause within a sentence, whose subject has an article as one at its beginning has."""
_INSTEAD = (
    (re.compile(r"\bFrom now on I am never to\b"), "From now on, I will never"),
    (re.compile(r"\bFrom now on I am not to\b"), "From now on, I won't"),
    (re.compile(r"\bFrom now on I leave\b"), "From now on, I will leave"),
    (re.compile(r"\ba number of of\b"), "a number of"),
    (re.compile(r"\bat at least\b"), "at least"),
)
_SUBJECT_VERB = re.compile(r"[^{]*\{\w+\} ([a-z]+)(.*?)(?=\{|$)")
"""The verb of a relation that is said of its first parameter, and what follows it: `{coral} grows on the {rack}.`"""
_OWN_SUBJECT = re.compile(
    r"(?!(?:No|Nobody|Nothing|None|Neither|There)\b)(I(?= [a-z])|(?:(?:The|An?) )?[A-Za-z][a-z ]*?[a-rt-z])"
    r" ((?<=I )(?!am\b|have\b|can\b|will\b|do\b)[a-z]+|(?!is\b|was\b|has\b|does\b|this\b)[a-z]{2,}[a-rt-z]s)"
    r"((?: (?:in|into|on|onto|at|to|from|through|over|under|with|by|for|the|an?)\b| \{|\.|$).*)"
)
"""What a relation says of something that is no parameter: `Water runs in the {sink}.`, `I hold the {cup}.`"""
_PARTICIPLE = re.compile(r"\s+(?:\w+ed|\w+en|had|been|set|done|gone|left|run|put|cut|shut|come|met)\b")
_ROBOT_NOT = re.compile(r"\b([Ii])t is not so that the robot (\w+s)\b")
"""How conditions deny what the robot does: `It is not so that the robot holds the cup.`"""
_NOT_SO = re.compile(r"\bNot so: (.+)", re.DOTALL)
"""How records deny what should be: `Not so: Lid is open. Tray is clean.`"""


class PersonEnglish:
    """Sentences about one robot, as a person would say them.

    Without its world, as when a session is replayed, only the names of what is seen are known.
    """

    def __init__(self, world: World | None) -> None:
        self._skills = [] if world is None else [each.signature for each in world.skills.values()]
        self._relations = [] if world is None else [each.signature for each in world.relations.values()]
        self._signatures = [*self._skills, *self._relations]
        self._knows_robot = world is not None
        self._bare = self._knows_robot and not any(_ARTICLE.search(each.says) for each in self._signatures)
        """Whether the robot's own sentences never have an article: `Bake {loaf} in {oven}.`"""
        bare = [each.says for each in self._signatures if not _ARTICLE.search(each.says)]
        self._before = tuple(
            {piece.lower() for says in bare for piece in re.split(r"\{\w+\}", says)[:-1] if len(piece) > 2}
        )
        """What stands before a name in sentences without articles: `slide `, ` into `."""
        called = [each.name for each in self._signatures if each.says.startswith(f"{each.name}(")]
        self._call = re.compile(rf"\b({_any(called)})\(([^()]*)\)\.?", re.IGNORECASE) if called else None
        self._denials = [found for each in self._relations if (found := _find_denial(each.says)) is not None]
        self._seen: Vocabulary = {}
        self._numbered = _NEVER
        self._name: re.Pattern[str] | None = None
        self._an = self._subject = _NEVER

    def see(self, scene: Observation) -> None:
        """Learn the names of what is in view."""
        if scene.vocabulary == self._seen:
            return
        self._seen = scene.vocabulary
        taken = {p.kind for each in self._signatures for p in each.parameters if p.kind is not None}
        taken = taken if self._knows_robot else {*scene.vocabulary}
        names = {name for kind in taken for name in scene.vocabulary.get(kind, ())}
        common = sorted((name for name in names if _takes_article(name)), key=len, reverse=True)
        self._name = re.compile(rf"(?<![\w-])(?:{_any(common)})(?![\w-])", re.IGNORECASE) if common else None
        numbered = sorted(filter(_is_numbered, names), key=len, reverse=True)
        self._numbered = re.compile(rf"\b([Tt])he ({_any(numbered)})(?![\w-])") if numbered else _NEVER
        vowels = [each for each in (*taken, *common) if takes_an(each)]
        self._an = re.compile(rf"\b([Aa]) (?=(?:{_any(vowels)})\b)") if vowels else _NEVER
        first = {each.parameters[0].kind or "" for each in self._skills if each.says.startswith("{")}
        actors = [name for kind in first for name in scene.vocabulary.get(kind, ())]
        self._subject = re.compile(rf"\bI will (the |an? |(?:{_any(actors) or '(?!)'})\b)", re.IGNORECASE)

    def __call__(self, text: str) -> str:
        """The text in a person's English."""
        text = self._without_calls(_NOT_SO.sub(self._denied, text))
        text = re.sub(r"(?<!\.)\.(?:\s?\.)(?!\.)", ".", text)
        text = re.sub(r"([?!:])\.(?=\s|$)", r"\1", text)
        for words, instead in _INSTEAD:
            text = words.sub(instead, text)
        for pattern, denied in self._denials:
            text = pattern.sub(lambda found, no=denied: _like(found[0], f"{found[1]} {no}"), text)  # type: ignore[misc]
        text = self._numbered.sub(lambda found: capitalised(found[2]) if found[1] == "T" else found[2], text)
        text = self._with_articles(text)
        text = re.sub(r"\bThere is no ([^.]+?) here\b", _tell_missing, text)
        text = _ONE_OF.sub(lambda found: f"1 {found[1]}{_one(found[2])}", text)
        text = _ROBOT_NOT.sub(lambda found: _like(found[1], f"the robot does not {_base_form(found[2])}"), text)
        text = _SHORTENED.sub(lambda found: _like(found[0], _SHORT[found[0].lower()]), text)
        text = self._subject.sub(lambda found: f"This will happen: {found[1]}", text)
        return self._an.sub(r"\1n ", text)

    def _denied(self, found: re.Match[str]) -> str:
        """`Not so: Lid is open.` as `Lid is not open.`: the first sentence, and those after it that it checks."""
        first, *others = re.split(r"(?<=[.])\s+", found[1])
        told = [negated(first)]
        while others and any(self._fits(each, others[0]) for each in self._relations):
            told.append(negated(others.pop(0)))
        return " ".join([*told, *others])

    def _fits(self, signature: Signature, sentence: str) -> bool:
        try:
            signature.parse(sentence, self._seen)
        except ThinkaloudError:
            return False
        return True

    def _without_calls(self, text: str) -> str:
        """`top_up(developer and stop bath)` as `top up developer and stop bath`."""
        if self._call is None:
            return text
        ended = self._call.sub(lambda found: f"{found[1].replace('_', ' ')} {found[2]}".strip() + ".", text)
        return re.sub(r"\.(?=\.|,| then\b| and\b|$(?<!\.))", "", ended)

    def _with_articles(self, text: str) -> str:
        if self._name is None:
            return text
        parts, last = list[str](), 0
        for found in self._name.finditer(text):
            before, behind = text[: found.start()], text[found.end() :]
            stop = before.rstrip()[-1:]
            begins = stop in ("", *".!?") or (stop == ":" and found[0][:1].isupper())
            verb = re.match(rf"\s+({_VERB})", behind)
            parts.append(text[last : found.start()])
            name, last = found[0], found.end()
            if begins:
                name = f"The {name[:1].lower()}{name[1:]}" if verb else name
            elif _CLAUSE.search(before) or self._takes_one(before, behind):
                name = f"the {name}"
            parts.append(name)
            if verb and verb[1] in _OF_SEVERAL and _is_plural(found[0]) and _is_subject(before):
                parts.append(f" {_OF_SEVERAL[verb[1]]}")
                last = found.end() + verb.end()
        return "".join(parts) + text[last:]

    def _takes_one(self, before: str, behind: str) -> bool:
        """Whether a name in the middle of a sentence lacks its article."""
        verb = before.endswith("to ") and re.match(r" (?:the|an?)\b", behind)
        if not self._is_bare(before) or verb or _NO_ARTICLE_AFTER.search(before) or _LISTED.match(behind):
            return False
        sentence = re.split(r"[.!?:]\s", before)[-1].strip()
        return bool(sentence) and not self._is_list(sentence, behind)

    def _is_bare(self, before: str) -> bool:
        """Whether the robot's own sentence has no article in this place: in none, or not behind these words."""
        if self._bare or re.sub(r" not(?= )", "", before.lower()).endswith(self._before):
            return True
        listed = re.search(r"(?:, | and )$", before) is not None
        names = [] if self._name is None else [*self._name.finditer(before)]
        return listed and bool(names) and self._is_bare(before[: names[-1].start()])

    def _is_list(self, sentence: str, behind: str) -> bool:
        """Whether a name stands in an answer that only lists names: `Egg and pork.`"""
        verb = re.search(rf"\b{_VERB}", f"{sentence} {re.split(r'[.!?]', behind)[0]}")
        return verb is None and self._name is not None and self._name.match(sentence) is not None


def _is_subject(before: str) -> bool:
    """Whether what comes behind these words is what its clause is about: `the cup is dry and the plates` does."""
    return _BEHIND_NOUN.search(_CLAUSE_ENDS.split(before)[-1]) is None


def _base_form(verb: str) -> str:
    """`hold` for holds, `watch` for watches, `carry` for carries."""
    if verb == "has":
        return "have"
    if verb.endswith("ies"):
        return f"{verb[:-3]}y"
    return verb[:-2] if re.search(r"(?:ch|sh|ss|x|z|o)es$", verb) else verb[:-1]


def _any(names: Iterable[str]) -> str:
    return "|".join(map(re.escape, names))


def _takes_article(name: str) -> bool:
    """Whether a name is a noun: not a name of its own (`Rex`), and not numbered (`washer 3`, `hutch two`)."""
    numbered = re.search(r"\d|\b(?:one|two|three|four|five|six|[a-zA-Z])$", name) is not None
    proper = name.split()[-1][:1].isupper()  # little Nina
    return name[:1].islower() and not proper and not numbered and not name.startswith(("the ", "a ", "an "))


def _is_numbered(name: str) -> bool:
    """Whether a name tells things of a kind apart by a number: `room 12`."""
    return re.fullmatch(r"[a-z][\w -]* \d+", name) is not None


def _find_denial(says: str) -> tuple[re.Pattern[str], str] | None:
    """How to deny what a relation says, if its own verb follows its subject: `has not set`, `does not grow`."""
    found = _SUBJECT_VERB.match(says)
    if (own := _OWN_SUBJECT.match(says)) is not None:
        subject, verb, behind = own[1].lower(), own[2], re.split(r"[{.]", own[3])[0]
        does = "do" if own[1] == "I" else "does"
        no = f"{does} not {verb if own[1] == 'I' else _infinitive(verb)}"
        return re.compile(
            rf"\bIt is not so that ({re.escape(subject)}) {verb}(?={re.escape(behind)})", re.IGNORECASE
        ), no
    if found is None:
        return None
    verb, behind = found[1], found[2]
    if verb in ("has", "have"):
        does = "does" if verb == "has" else "do"
        perfect = _PARTICIPLE.match(behind) is not None
        denied = f"{verb} not" if perfect else f"{does} not have"
        behind = behind if perfect else behind.rstrip()
        verb = verb if perfect else f"{verb}(?!{_PARTICIPLE.pattern})"
    elif len(verb) > 3 and verb.endswith("s") and not verb.endswith("ss") and verb != "does":
        denied = f"does not {_infinitive(verb)}"
    else:
        return None
    return re.compile(rf"\bIt is not so that ([^.:]+?) {verb}(?={re.escape(behind)})"), denied


def _infinitive(verb: str) -> str:
    """The verb of which this is the third person: `grows`, `carries`, `touches`."""
    if verb.endswith("ies") and len(verb) > len("lies"):
        return f"{verb[:-3]}y"
    return verb[:-2] if verb.endswith(("ches", "shes", "sses", "xes", "zzes", "oes")) else verb[:-1]


def _is_plural(name: str) -> bool:
    noun = name.split(" of ")[0].lower()
    return noun.endswith("s") and not noun.endswith(("ss", "us", "is", "ics", "lens")) and plural(noun) == noun


def _one(several: str) -> str:
    """The singular of a plural."""
    one = singular(several)
    return one if plural(one) == several else several


def _tell_missing(found: re.Match[str]) -> str:
    return f"There are no {found[1]} here" if _is_plural(found[1]) else found[0]


def _like(was: str, now: str) -> str:
    return capitalised(now) if was[:1].isupper() else now
