"""Looking first: what a program asks of a place that the robot has not been to is looked at before it is answered.

Code sees that the place was not looked at, and says so: the meaning is then a look, whose wishes are what has to be so
to see the place. When they are so, the request is read again.
"""

from __future__ import annotations

from collections.abc import Sequence

from thinkaloud.monologue import Monologue
from thinkaloud.records import Condition, LookFirst, Meaning, Observation
from thinkaloud.understand.conversation import Heard
from thinkaloud.understand.meaning.circumstances import Circumstances
from thinkaloud.understand.meaning.placing import Place, find_asked, places_of
from thinkaloud.understand.meaning.wishes import holds
from thinkaloud.understand.program import read_program
from thinkaloud.understand.switches import nothing, switchable
from thinkaloud.understand.tree import Do


@switchable(nothing)
def look_first(program: str, heard: Heard, monologue: Monologue, at: Circumstances) -> Meaning | None:
    """The look that has to come first; None where everything that the program asks about was seen."""
    read = read_program(program, at.lexicon)
    if read is None or any(isinstance(node, Do) and node.call.role != "skill" for node in read.nodes):
        return None  # there is nothing to look for, if the robot has no skill for it
    for place in find_asked(read, places_of(at.world, at.scene), at.scene, at.lexicon):
        if _is_unseen(place, heard, monologue, at):
            told = place.tell("what")
            words = f"I do not see {told[:1].lower()}{told[1:]}; I go and look."
            return Meaning(program, words, LookFirst(place.facts(at.world)))
    return None


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
