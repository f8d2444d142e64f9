"""Looking first: who says `the drink on the counter` to a robot that has not been there means what lies there.

Code sees that the place was not looked at, and says so: the meaning is then a look, whose wishes are what has to be so
to see the place. When they are so, the request is read again. What is told apart by its place is then read without the
words for that, as if nothing else were there: `the drink`, among what lies on the counter. Whoever named a thing by its
very name meant that one, wherever it turns out to be; the place only says where to look first.
"""

from __future__ import annotations

import ast
from collections.abc import Sequence

from thinkaloud.language.name_matching import find_named
from thinkaloud.language.words import spaced_words
from thinkaloud.monologue import Monologue
from thinkaloud.records import Condition, Meaning, Observation
from thinkaloud.understand.checking.fitting import WORDS, call_of, parsed
from thinkaloud.understand.checking.said import is_in_other_language
from thinkaloud.understand.conversation import Heard
from thinkaloud.understand.hints import without_things
from thinkaloud.understand.language import ALWAYS, SAY, spelled, with_own_verbs
from thinkaloud.understand.lexicon import Lexicon
from thinkaloud.understand.meaning.circumstances import Circumstances
from thinkaloud.understand.meaning.placing import Place, find_asked, find_located, is_several, places_of
from thinkaloud.understand.meaning.wishes import holds
from thinkaloud.understand.rereading import Narrowed
from thinkaloud.understand.switches import nothing, switchable


@switchable(nothing)
def look_first(program: str, heard: Heard, monologue: Monologue, at: Circumstances) -> Meaning | Narrowed | None:
    """The look that has to come first; or that nothing is there; or the request for what is there; None as it is."""
    places = places_of(at.world, at.scene)
    asks = f"{spelled(SAY, at.lexicon)}(" in program  # of a question, its own relations tell what has to be seen
    if not places or is_in_other_language(heard.text) or _lacks_skill(program, at.lexicon):
        return None
    asked = [*find_asked(program, places, at.scene, at.lexicon)]
    located = None if asks else find_located(heard.text, program, places, at.lexicon)
    if located is not None and is_several(located.noun) and any(each.name == located.place.name for each in asked):
        located = None  # the program says all that was said
    called = None if located is None else find_named(located.noun, at.scene.vocabulary.get(located.place.kind, ()))
    if located is not None and called not in (*at.scene.objects, *at.scene.hidden):
        asked.insert(0, located.place)
    for place in asked:
        if _is_unseen(place, heard, monologue, at):
            noun = located.noun if located is not None and place == located.place else ""
            words = f"I do not see {_tell_unseen(place, noun, called)}; I go and look."
            return Meaning(program, "look", words, wishes=place.facts(at.world))
    if located is None or called is not None:
        return None
    there = located.place.things(at.world, at.scene)
    if not there:
        nothing = f"I have looked: {_lowered(located.place.tell('nothing'))}."
        return Meaning(program, "refusal", nothing, why=nothing)
    spoken = spaced_words(located.rest)
    everything = at.scene.vocabulary.get(located.place.kind, ())
    others = [each for each in everything if each not in there and spaced_words(each) not in spoken]
    noun = "one" if located.noun in WORDS["open"] else located.noun
    return Narrowed(located.rest, without_things(at.scene, others), noun, tuple(there), located.noun)


def is_settled_by_place(program: str, request: str, at: Circumstances) -> bool:
    """Whether a program names what was told apart by its place: what comes to light elsewhere was not meant."""
    located = find_located(request, program, places_of(at.world, at.scene), at.lexicon)
    return located is not None and located.place.name not in program


def _lacks_skill(program: str, lexicon: Lexicon) -> bool:
    """Whether a program does something that this robot has no skill for: then there is nothing to look for."""
    tree = parsed(with_own_verbs(program, lexicon))
    known = {*lexicon.skills, *(spelled(each, lexicon) for each in ALWAYS)}
    called = (call_of(node) for node in ast.walk(tree)) if tree is not None else ()
    return any(each is not None and each[0] not in known for each in called)


def _is_unseen(place: Place, heard: Heard, monologue: Monologue, at: Circumstances) -> bool:
    """Whether nobody has looked at a place yet; or nothing is known to be there, and nobody has since this was said."""
    facts = place.facts(at.world)
    if not facts or all(holds(at.world, each) for each in facts):
        return False
    if any(each.sort == "look" and each.wishes == facts for each in monologue.since(heard.at, Meaning)):
        return False
    if _was_seen(facts, monologue.since(heard.at, Observation)):
        return False
    return not _was_seen(facts, monologue.since(None, Observation)) or not place.things(at.world, at.scene)


def _was_seen(facts: Sequence[Condition], looks: Sequence[Observation]) -> bool:
    wanted = {each.words for each in facts}
    return any(look.state is not None and wanted <= {each.words for each in look.state.relations} for look in looks)


def _tell_unseen(place: Place, noun: str, called: str | None) -> str:
    """What is not seen yet: whether a thing is there that was named, which one is, or what."""
    if noun and called is not None:
        return f"whether the {_lowered(place.tell(called))}"
    return _lowered(place.tell(f"which {noun}" if noun and noun not in WORDS["open"] | WORDS["everything"] else "what"))


def _lowered(sentence: str) -> str:
    return sentence[:1].lower() + sentence[1:]
