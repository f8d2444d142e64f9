"""What the planner says in place of a first step: the answer to a question, or that the task cannot be done.

    1. Tell whether: The fridge is open.      the robot looks, and answers yes or no
    1. Tell how many: plate.                  it counts what it sees
    1. Cannot: Nobody can repair a clock here.

The model says what is asked; what is so, code reads off what is seen. What is out of sight is not answered.
"""

from __future__ import annotations

import re

from thinkaloud.errors import Unparseable
from thinkaloud.language.name_matching import all_names, without_number
from thinkaloud.language.sentences import read_condition
from thinkaloud.methods.hicrisp.expected_states import expected_state_grammar
from thinkaloud.models import grammar as gbnf
from thinkaloud.records import Decline, Done, Observation
from thinkaloud.skills.signatures import Vocabulary
from thinkaloud.worlds import World

WHETHER, HOW_MANY, CANNOT = "Tell whether:", "Tell how many:", "Cannot:"
_SAID = re.compile(rf"({WHETHER}|{HOW_MANY}|{CANNOT})\s*(.+)")
_WHY = r"[^\n]{3,90}"


def answer_grammar(world: World, vocabulary: Vocabulary) -> list[str]:
    """Return the grammars of these lines, about the things in a vocabulary."""
    options = [gbnf.sequence(gbnf.literal(f"{CANNOT} "), _WHY)]
    if world.relations:
        told = expected_state_grammar(world.relations, vocabulary)
        options.append(gbnf.sequence(gbnf.literal(f"{WHETHER} "), told))
    kinds = [*dict.fromkeys(map(without_number, all_names(vocabulary)))]
    if kinds:
        named = gbnf.one_of(kinds)
        options.append(gbnf.sequence(gbnf.literal(f"{HOW_MANY} "), named, gbnf.literal(".")))
    return options


def read_answer(line: str, world: World, scene: Observation) -> Done | Decline | None:
    """Return what a line answers or declines; None if it is a step."""
    found = _SAID.fullmatch(line.strip())
    if found is None:
        return None
    if found[1] == CANNOT:
        return Decline(found[2])
    if found[1] == HOW_MANY:
        return _count(found[2].rstrip(". "), scene)
    condition = read_condition(found[2], world.relations, scene.vocabulary)
    unseen = [name for name in map(str, condition.arguments.values()) if not _is_seen(name, scene)]
    if unseen:
        return Decline(f"I do not see the {unseen[0]} from here, so I cannot tell.")
    return Done(f"{'Yes' if world.holds(condition) else 'No'} ({condition.words})", "answered")


def _is_seen(name: str, scene: Observation) -> bool:
    """Whether something can be told about it from here; a room or a side of a table is no object."""
    state = scene.state
    known = (*scene.objects, *(() if state is None else state.attributes))
    return name in known or name not in {*scene.vocabulary.get("thing", ()), *scene.hidden}


def _count(kind: str, scene: Observation) -> Done:
    if kind not in map(without_number, all_names(scene.vocabulary)):
        raise Unparseable(f"There is no {kind!r} here to count.", f"{HOW_MANY} {kind}.")
    seen = [name for name in scene.objects if without_number(name) == kind]
    return Done(f"I see {len(seen) or 'none'}{': ' + ', '.join(seen) if seen else ''}.", "answered")
