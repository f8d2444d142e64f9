"""The answers of MultiTalk's planner in few words: what is meant, and then tasks, questions, or a second look.

    Meant: cup 1 or cup 2                      Meant: cup 2                        Meant: cup, not here
    Ask: Which cup do you mean?                Plan: Put the cup 2 at P1.          Look again

The model translates; which steps a task stands for is for the world to say.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from thinkaloud.errors import SkillError, Unparseable
from thinkaloud.methods.multitalk.short_dialogue import AGAIN, ASK, PLAN, Points
from thinkaloud.models import grammar as gbnf
from thinkaloud.records import Ask, Decision, Look, Observation, Plan, Step, WorldState
from thinkaloud.state.foresight import foresee
from thinkaloud.worlds import World
from thinkaloud.worlds.contract import TaskLanguage

ALL, NOT_SAID, NOT_HERE = "all", "not said", ", not here"
WHICH, ONE = "Which ", " do you mean?"
WHERE = "Where should I put it?"
DIRECTION = "In which direction should the line run?"
ORDER = "In which order should they stand?"
SWAP, PAIRS = "Which things should I swap?", "Which pairs should I swap?"
INSTEAD = "What should I do instead?"
NO_WAY = "I cannot find a way to do that."
_MOST_TASKS, MOST_QUESTIONS, MOST_STEPS = 8, 3, 40
_LETTERS = r"[^\n0-9(){}.:?,]"
_NEXT = re.compile(r"(?<=\.) (?=(?:Put|Exchange|Line up) )")
_QUESTION = re.compile(r"[^?]+\?")


def short_answer_grammar(
    language: TaskLanguage, state: WorldState, points: Points, *, plans: bool, asks: bool, looks: bool
) -> str:
    """Every answer that is allowed now; what is meant is named as it is called here."""
    rules = {"name": gbnf.branching([*state.objects, ALL, NOT_SAID])}
    several = 'name ((", " | " or ") name){0,7}'
    meant = gbnf.choice([several, gbnf.sequence(f"{_LETTERS}{{2,30}}", gbnf.literal(NOT_HERE))])
    answers = []
    if plans:
        rules["deed"] = language.task_grammar(state, [*points.names])
        answers.append(f'{gbnf.literal(PLAN)} (" " deed){{1,{_MOST_TASKS}}}')
    if asks:
        answers.append(gbnf.sequence(gbnf.literal(ASK), _questions(state, points, trouble=not plans)))
    if looks:
        answers.append(gbnf.literal(AGAIN))
    said = gbnf.sequence('" "', meant, gbnf.literal("\n"), gbnf.choice(answers), gbnf.literal("\n"))
    return gbnf.grammar(said, rules)


def _questions(state: WorldState, points: Points, *, trouble: bool) -> str:
    """Questions, or what speaks against it and what to do instead."""
    which = gbnf.sequence(gbnf.literal(WHICH), f"{_LETTERS}{{2,30}}", gbnf.literal(ONE))
    asked = gbnf.choice([which, *map(gbnf.literal, (WHERE, DIRECTION, ORDER, SWAP, PAIRS))])
    why = [gbnf.sequence('"There is no "', f"{_LETTERS}{{2,40}}", '" here."'), gbnf.literal(NO_WAY)]
    if state.objects:
        name = gbnf.branching(state.objects)
        cannot = gbnf.one_of([" is too wide for the hand.", " cannot be in two places.", " is too far away."])
        why.append(gbnf.sequence('"The "', name, cannot))
    if points.names:
        is_no_place = (" is outside the table.", " is where the arm itself stands.", " is out of reach.")
        why.append(gbnf.sequence(gbnf.one_of(points.names), gbnf.one_of(is_no_place)))
    told = gbnf.sequence('" "', gbnf.choice(why), gbnf.literal(f" {INSTEAD}"))
    return told if trouble else gbnf.choice([f'(" " {asked}){{1,{MOST_QUESTIONS}}}', told])


def read_short_answer(
    said: str, request: str, scene: Observation, points: Points, world: World, language: TaskLanguage
) -> Decision:
    """What an answer means; Unparseable for what is none, and for what does not go."""
    meant, _, answer = said.strip().partition("\n")
    meant, answer = meant.strip(), answer.strip()
    if answer.startswith(AGAIN):
        return Look(meant)
    if answer.startswith(ASK):
        questions = [each.strip() for each in _QUESTION.findall(answer.removeprefix(ASK))]
        return Ask(tuple(points.spelled(_offering(each, meant)) for each in questions), meant)
    if not answer.startswith(PLAN):
        raise Unparseable(f"This is no plan, no question and no order to look again: {answer!r}.", said)
    lines = _NEXT.split(points.spelled(answer.removeprefix(PLAN).strip()))
    steps = _steps(lines, scene, points, world, language)
    return Plan(request, (), steps, f"{meant}: {' '.join(lines)}", verbatim=f"{meant}\n{answer}")


def _offering(question: str, meant: str) -> str:
    """A question that asks which one names those that may be meant."""
    first = meant.split(", ")[0]
    if not question.startswith(WHICH) or " or " not in first or not question.endswith(ONE):
        return question
    return f"{question.removesuffix('?')}, {first}?"


def _steps(
    lines: Sequence[str], scene: Observation, points: Points, world: World, language: TaskLanguage
) -> tuple[Step, ...]:
    """The steps of tasks, each of them after those before it, and at the end the one that nothing can follow."""
    first = state = scene.state or WorldState()
    kept = [*points.names.values()]
    steps: list[Step] = []
    for line in lines:
        for command in language.read_task(line, state, first, kept):
            skill = world.skills[command.skill]
            step = skill.step(command.arguments, command.words)
            try:
                arguments = skill.signature.check(step.arguments, scene.vocabulary)
            except SkillError as error:
                raise Unparseable(str(error), line) from None
            state = foresee(skill, arguments, state, world.relations)
            steps.append(replace(step, arguments=arguments))
    if len(steps) >= MOST_STEPS:
        raise Unparseable(f"The plan does not come to an end; {MOST_STEPS} steps at most.")
    last = next((s for s in world.skills.values() if s.last and not s.signature.parameters), None)
    return (*steps, last.step({}, last.signature.says.rstrip("."))) if last is not None else tuple(steps)
