"""What taking something back would destroy besides: the robot says so, and asks first.

Undoing is to leave everything as it was before. If the only way to get the dye out of a tank is to empty it, the water
that was in it before is lost, too. That is worth a question, even if no step of it needs approval.
"""

from __future__ import annotations

from collections.abc import Sequence

from thinkaloud.episode.approval_answers import MAY_I
from thinkaloud.language.words import says_no, says_yes
from thinkaloud.methods.thinkaloud.current_requests import Work, promises_of_step
from thinkaloud.methods.thinkaloud.undo import UndoGoals
from thinkaloud.methods.thinkaloud.value_undo import declared_values, same_value, spell_value, value_in
from thinkaloud.monologue import Monologue
from thinkaloud.plan.search import Found, NotFound
from thinkaloud.records import Answer, Ask, Decline, Step
from thinkaloud.skills.signatures import capitalised
from thinkaloud.worlds.contract import Measured, World, find_ability, tell
from thinkaloud.worlds.effects import does_pass
from thinkaloud.worlds.full_world import is_opposite

_BESIDES = "Taking that back would also do this: "
_NOT_AGREED = "You did not agree, so I leave it as it is."
_MOST_ASKED = 2


def ask_for_price(
    found: Found | NotFound, back: UndoGoals | None, work: Work, monologue: Monologue, world: World
) -> Ask | Decline | None:
    """The question whether something may be taken back in spite of what that destroys; None if it may."""
    if back is None or not isinstance(found, Found):
        return None
    steps = [step for step in found.steps if step not in work.actions]
    price, agreed, asked = tell_price(steps, back, world), "", 0
    for event in monologue.events_of(Ask, after=work.since):
        ask = event.record
        if not (isinstance(ask, Ask) and ask.approval and ask.questions[0].startswith(_BESIDES)):
            continue
        answer = monologue.first((Answer, Ask), after=event.index)
        if isinstance(answer, Answer) and says_yes(answer.text):
            agreed, asked = " ".join((agreed, *ask.questions)), 0
            continue
        if isinstance(answer, Answer) and says_no(answer.text):
            return Decline(_NOT_AGREED)
        asked += 1
    if agreed:  # what was emptied is not filled again in silence
        price = " ".join(step.words for step in steps if step.words not in agreed)
    if not price:
        return None
    if asked >= _MOST_ASKED:
        return Decline(_NOT_AGREED)
    return Ask((_BESIDES + price, MAY_I + found.steps[0].words), approval=True)


def tell_price(steps: Sequence[Step], back: UndoGoals, world: World) -> str:
    """What was so before what is taken back, is so now, and would be over after these steps; and values likewise."""
    others = [step for step in steps if step not in back.way.steps]
    between = back.way.between if any(step in steps for step in back.way.steps) else ()
    price = [*_ended_facts(steps, back, world), *_lost_values(others, back, world), *between]
    if price and len(steps) > 1:
        price.append(f"These would be the steps: {' '.join(step.words for step in steps)}")
    return " ".join(price)


def _ended_facts(steps: Sequence[Step], back: UndoGoals, world: World) -> list[str]:
    """The facts that end; not where something is, which only moves."""
    lost: dict[str, str] = {}
    for step in steps:
        for each in back.before.relations:
            relation = world.relations.get(each.relation)
            lasting = relation is not None and not (
                relation.derived or relation.is_single or is_opposite(each.relation)
            )
            if lasting and does_pass(each, step, world) and tell(world, each) is not False:
                lost[each.words] = f"It ends that {_clause(each.words)}."
        for made in promises_of_step(step, world):
            lost.pop(made.words, None)
    return list(lost.values())


def _lost_values(steps: Sequence[Step], back: UndoGoals, world: World) -> list[str]:
    """The values that would be other than they were."""
    able = find_ability(world, Measured)
    told: dict[tuple[str, str], str] = {}
    for step in steps if able is not None else ():
        skill = world.skills.get(step.skill)
        for place, after in [] if skill is None or skill.changes is None else declared_values(skill, step.arguments):
            was = value_in(back.before, place)
            if was is None or able is None or place[0] not in able.measures or same_value(was, after):
                continue
            signature = able.measures[place[0]].signature
            words = capitalised(signature.render({signature.parameters[0].name: place[1]}).rstrip("."))
            unit = f" {signature.unit}" if signature.unit else ""
            told[place] = f"{words} will be {spell_value(after)}{unit}; before, it was {spell_value(was)}{unit}."
    return list(told.values())


def _clause(sentence: str) -> str:
    text = sentence.rstrip(".")
    return text[:1].lower() + text[1:]
