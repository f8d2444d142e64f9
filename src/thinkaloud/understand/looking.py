"""Looking first: what a program asks of a place that the robot has not been to is looked at before it is answered.

Code sees that the place was not looked at, and says so: the meaning is then a look, whose wishes are what has to be so
to see the place. When they are so, the request is read again.
"""

from __future__ import annotations

import ast
from collections.abc import Sequence

from thinkaloud.monologue import Monologue
from thinkaloud.records import Condition, LookFirst, Meaning, Observation
from thinkaloud.understand.conversation import Heard
from thinkaloud.understand.language import ALWAYS, spelled, with_own_verbs
from thinkaloud.understand.lexicon import Lexicon
from thinkaloud.understand.meaning.circumstances import Circumstances
from thinkaloud.understand.meaning.placing import Place, find_asked, places_of
from thinkaloud.understand.meaning.wishes import holds
from thinkaloud.understand.switches import nothing, switchable
from thinkaloud.understand.syntax import call_of, parsed


@switchable(nothing)
def look_first(program: str, heard: Heard, monologue: Monologue, at: Circumstances) -> Meaning | None:
    """The look that has to come first; None where everything that the program asks about was seen."""
    if _lacks_skill(program, at.lexicon):
        return None
    for place in find_asked(program, places_of(at.world, at.scene), at.scene, at.lexicon):
        if _is_unseen(place, heard, monologue, at):
            told = place.tell("what")
            words = f"I do not see {told[:1].lower()}{told[1:]}; I go and look."
            return Meaning(program, words, LookFirst(place.facts(at.world)))
    return None


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
    if any(each.content == LookFirst(facts) for each in monologue.since(heard.at, Meaning)):
        return False
    if _was_seen(facts, monologue.since(heard.at, Observation)):
        return False
    return not _was_seen(facts, monologue.since(None, Observation)) or not place.things(at.world, at.scene)


def _was_seen(facts: Sequence[Condition], looks: Sequence[Observation]) -> bool:
    wanted = {each.words for each in facts}
    return any(look.state is not None and wanted <= {each.words for each in look.state.relations} for look in looks)
