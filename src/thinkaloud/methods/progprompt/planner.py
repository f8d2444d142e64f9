"""ProgPrompt (Singh et al., 2023), HiCRISP's baseline: one program with assertions and what to do where they fail.

    def put_scarf_in_wardrobe():
        # takes: scarf, wardrobe.
        find('scarf')
        grab('scarf')
        assert close_to('wardrobe') else: find('wardrobe')
        put_in('scarf', 'wardrobe')
        # done

It is written once. An assertion is held against what is seen when its line comes up; where it does not hold, what
follows `else` is done first. Nothing else is ever put right: what fails is passed over. A trained model writes no head,
and `>` before every line.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Sequence

from thinkaloud.errors import SkillError, Unparseable
from thinkaloud.methods.hicrisp.planner import came_to
from thinkaloud.methods.progprompt.examples import PROGRAMS, Program, call_text
from thinkaloud.models import Model, is_trained
from thinkaloud.models import grammar as gbnf
from thinkaloud.monologue import Monologue
from thinkaloud.plan.relevant import nothing_known, shown, things_for, told
from thinkaloud.records import Condition, Decision, Decline, Observation, Outline, Plan, Step, Value
from thinkaloud.sentences import only_about
from thinkaloud.signatures import Signature, Vocabulary
from thinkaloud.worlds import World

MOST_LINES = 24
LONGEST_LINE = 60
END = "# done"
_CALL = re.compile(r"\s*(\w+)\((.*)\)\s*")
_ASSERT = re.compile(r"\s*assert\s+(.+?)\s+else:\s*(.+)")


class ProgPrompt:
    """Writes a program once and goes through it line by line."""

    def __init__(self, model: Model, world: World, programs: Sequence[Program] = PROGRAMS) -> None:
        self._model, self._world = model, world
        fitting = [each for each in programs if each.skills <= world.skills.keys() | world.relations.keys()]
        self._programs = fitting or list(programs)

    async def plan(self, monologue: Monologue) -> Decision:
        """The next line that has something to be done; the program is the outline of every plan."""
        request, scene = monologue.situation()
        before = monologue.last(Plan, after=monologue.task_start())
        if before is not None:
            program = before.outline or Outline(())
            lines, doing = program.lines, len(program.lines) if program.at is None else program.at + 1
        elif unknown := nothing_known(request.text, self._world, scene):
            return Decline(unknown)
        else:
            refused = monologue.refusals()
            why = refused[-1].why if refused else ""
            lines, doing = tuple(await self._written(request.text, scene, why)), 0
        for number in range(doing, len(lines)):
            step = self._to_do(lines[number], scene)
            if step is not None:
                return Plan(request.text, (), (step,), outline=Outline(lines, number))
        return came_to(self._world, monologue, "the program has come to its end")

    # Writing it -------------------------------------------------------------------------------------------------------

    async def _written(self, request: str, scene: Observation, refused: str) -> list[str]:
        prompt = self._prompt(request, scene, refused)
        note, begin = ("# ", ">") if is_trained(self._model) else ("    # ", "   ")
        things = await things_for(self._model, f"{prompt}{note}takes:", request, scene)
        vocabulary = only_about(scene.vocabulary, things)
        calls = [text for skill in self._world.skills.values() for text in _calls(skill.signature, vocabulary)]
        asserted = [text for each in self._world.relations.values() for text in _calls(each.signature, vocabulary)]
        lines: list[str] = []
        written = f"{prompt}{note}takes: {', '.join(things)}.\n"
        written += told(self._model, things, self._world, scene, note)
        while len(lines) < MOST_LINES:
            said = await self._model.complete(
                f"{written}{begin}", stop=["\n"], grammar=_line(calls, asserted, lines), most=LONGEST_LINE
            )
            line = said.text.strip()
            if line.startswith("#"):
                break
            lines.append(line)
            written += f"{begin} {line}\n"
        if not lines:
            raise Unparseable("The program has no lines; call the robot's functions.", written)
        for each in lines:
            self._call(_action(each), scene)
            if match := _ASSERT.fullmatch(each):
                self._condition(match[1], scene)
        return lines

    def _prompt(self, request: str, scene: Observation, refused: str) -> str:
        note = f"# Not usable: {' '.join(refused.split())}\n" if refused else ""
        at_hand = f"{shown(self._model, self._world, scene, '# ')}# Task: {request}\n{note}"
        if is_trained(self._model):
            return at_hand
        signatures = [skill.signature for skill in self._world.skills.values()]
        imports = ", ".join(call_text(each.name, [p.name for p in each.parameters]) for each in signatures)
        programs = "\n\n".join(each.text() for each in self._programs)
        return f"# A robot can do: {imports}\n\n{programs}\n\n{at_hand}def {_name(request)}():\n"

    # Carrying it out --------------------------------------------------------------------------------------------------

    def _to_do(self, line: str, scene: Observation) -> Step | None:
        """What a line calls for now, if anything. What is no longer there is called for all the same, and fails."""
        if match := _ASSERT.fullmatch(line):
            try:
                if self._world.holds(self._condition(match[1], scene)):
                    return None
            except Exception:  # what cannot be told is taken care of
                logging.getLogger("thinkaloud").debug("An assertion could not be checked.", exc_info=True)
        try:
            return self._call(_action(line), scene)
        except Unparseable:
            name, values = _read(_action(line))
            skill = self._world.skills[name]
            return skill.step({p.name: value for p, value in zip(skill.signature.parameters, values, strict=False)})

    def _call(self, text: str, scene: Observation) -> Step:
        name, values = _read(text)
        skill = self._world.skills.get(name)
        if skill is None:
            raise Unparseable(f"There is no function {name!r}; there is: {', '.join(self._world.skills)}.", text)
        return skill.step(_arguments(skill.signature, values, scene.vocabulary, text))

    def _condition(self, text: str, scene: Observation) -> Condition:
        name, values = _read(text)
        relation = self._world.relations.get(name)
        if relation is None:
            raise Unparseable(f"{name!r} is nothing that can be asserted: {', '.join(self._world.relations)}.", text)
        return relation.condition(_arguments(relation.signature, values, scene.vocabulary, text))


def _action(line: str) -> str:
    """What a line may have the robot do."""
    match = _ASSERT.fullmatch(line)
    return match[2] if match else line


def _read(text: str) -> tuple[str, list[str]]:
    match = _CALL.fullmatch(text)
    if match is None:
        raise Unparseable(f"{text.strip()!r} is no call such as find('cup').", text)
    return match[1], [value.strip().strip("'\"") for value in match[2].split(",") if value.strip()]


def _arguments(signature: Signature, values: Sequence[str], vocabulary: Vocabulary, text: str) -> dict[str, Value]:
    if len(values) > len(signature.parameters):
        raise Unparseable(f"{signature.name} takes {len(signature.parameters)} things, not {len(values)}.", text)
    given = {p.name: value for p, value in zip(signature.parameters, values, strict=False)}
    try:
        return signature.check(given, vocabulary)
    except SkillError as error:
        raise Unparseable(str(error), text) from None


def _calls(signature: Signature, vocabulary: Vocabulary) -> list[str]:
    """Every call that makes sense, as a program says it."""
    calls = signature.calls(vocabulary)
    return [call_text(signature.name, [str(value) for value in call.values()], "'") for call in calls]


def _line(calls: Sequence[str], told: Sequence[str], before: Sequence[str]) -> str:
    """The grammar of a line: a call that has not been made, or an assertion with one."""
    fresh = [call for call in calls if call not in before]
    options = [gbnf.branching(fresh)] if fresh else []
    if told and calls:
        options.append(gbnf.sequence(gbnf.literal("assert "), gbnf.branching(told), gbnf.literal(" else: "), "call"))
    if before or not options:
        options.append(gbnf.literal(END))
    root = gbnf.sequence(gbnf.literal(" "), gbnf.choice(options), gbnf.literal("\n"))
    return gbnf.grammar(root, {"call": gbnf.branching(calls)} if calls else None)


def _name(request: str) -> str:
    """A name for the program, as ProgPrompt has it: the task's own words."""
    return "_".join(re.findall(r"[a-z0-9]+", request.lower()))[:60] or "task"
