"""ProgPrompt (Singh et al., 2023), HiCRISP's baseline: one program with assertions and what to do if they fail.

    from actions import find, grab, put_in, …
    # Seen: bed, mirror, scarf.
    # Also: wardrobe, cup (2).
    # Task: Put scarf in wardrobe.
    def put_scarf_in_wardrobe():
        # takes: scarf, wardrobe.
        find('scarf')
        grab('scarf')
        assert close_to('wardrobe') else: find('wardrobe')
        put_in('scarf', 'wardrobe')
        # done

The model writes the program once, without being told the state of things. An assertion is checked when its line comes
up; if it does not hold, what follows `else` is done first. Nothing else is ever corrected: a failed line is skipped.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from contextlib import suppress

from thinkaloud.errors import Missing, Unparseable
from thinkaloud.language.calls import read_arguments, read_call, read_step, render_call_form
from thinkaloud.language.name_matching import restrict_vocabulary
from thinkaloud.methods.progprompt.examples import EXAMPLE_PROGRAMS, ExampleProgram
from thinkaloud.models import Model, PromptForm, Prompts
from thinkaloud.models import grammar as gbnf
from thinkaloud.monologue import Monologue
from thinkaloud.plan.final_conditions import conclude, failed_steps
from thinkaloud.plan.needed_things import choose_things, names_for, reason_to_decline, render_view
from thinkaloud.records import Condition, Decision, Decline, Observation, Outline, Plan, Step
from thinkaloud.skills.signatures import Signature, Vocabulary
from thinkaloud.worlds import World
from thinkaloud.worlds.contract import say_if

PROMPTS = PromptForm("thinkaloud.methods.progprompt")
LONGEST_PROGRAM = 24
_LONGEST_LINE = 60
_END = "# done"
_INDENT = "   "
_TAKES = "    # takes:"
_ASSERT = re.compile(r"\s*assert\s+(.+?)\s+else:\s*(.+)")


class ProgPrompt:
    """Writes a program once and executes it line by line."""

    def __init__(
        self,
        model: Model,
        world: World,
        programs: Sequence[ExampleProgram] = EXAMPLE_PROGRAMS,
        prompts: Prompts | None = None,
    ) -> None:
        self._model, self._world, self._prompts = model, world, prompts or PROMPTS.open()
        fitting = [each for each in programs if each.skills <= world.skills.keys() | world.relations.keys()]
        self._programs = fitting or list(programs)

    async def plan(self, monologue: Monologue) -> Decision:
        """Return the next line with something to do; the program is the outline of every plan."""
        request, scene = monologue.situation()
        before = monologue.last(Plan, after=monologue.task_start())
        if before is not None:
            program = before.outline or Outline(())
            lines, doing = program.lines, len(program.lines) if program.at is None else program.at + 1
        elif unknown := reason_to_decline(request.text, self._world, scene):
            return Decline(unknown)
        else:
            refused = monologue.refusals()
            why = refused[-1].why if refused else ""
            try:
                lines, doing = tuple(await self._written(request.text, scene, why)), 0
            except Missing as error:
                return Decline(str(error))
        for number in range(doing, len(lines)):
            step = self._to_do(lines[number], scene)
            if step is not None:
                return Plan(request.text, (), (step,), outline=Outline(lines, number))
        return conclude(self._world, monologue, "the program has come to its end", failed_steps(monologue))

    # Writing it -------------------------------------------------------------------------------------------------------

    async def _written(self, request: str, scene: Observation, refused: str) -> list[str]:
        prompt = self._prompt(request, scene, refused)
        things = await choose_things(self._model, f"{prompt}{_TAKES}", scene, request)
        grammar = self._grammar(restrict_vocabulary(scene.vocabulary, names_for(things, scene)))
        lines: list[str] = []
        written = f"{prompt}{_TAKES} {', '.join(things) or 'none'}.\n"
        while len(lines) < LONGEST_PROGRAM:
            said = await self._model.complete(f"{written}{_INDENT}", stop=["\n"], grammar=grammar, most=_LONGEST_LINE)
            line = said.text.strip()
            if line.startswith("#"):
                break
            lines.append(line)
            written += f"{_INDENT} {line}\n"
        if not lines:
            raise Unparseable("The program has no lines; call the robot's functions.", written)
        for each in lines:
            self._call(_action(each), scene)
            if match := _ASSERT.fullmatch(each):
                self._condition(match[1], scene)
        return lines

    def _prompt(self, request: str, scene: Observation, refused: str) -> str:
        note = f"# Not usable: {' '.join(refused.split())}\n" if refused else ""
        heads = ", ".join(render_call_form(skill.signature) for skill in self._world.skills.values())
        asserted = ", ".join(render_call_form(each.signature) for each in self._world.relations.values())
        programs = "\n\n".join(each.text() for each in self._programs)
        known = {"actions": heads, "assertions": asserted or "nothing", "examples": programs}
        imports = f"from actions import {', '.join(self._world.skills)}\n"
        at_hand = f"{imports}{render_view(scene, '# ')}# Task: {request}\n{note}def {_name(request)}():\n"
        return self._prompts.introduce(self._model, "planner", (), known) + at_hand

    def _grammar(self, vocabulary: Vocabulary) -> str:
        """Return the grammar of a line: any call, any assertion with a call, or the end of the program."""
        calls = [_call_form(skill.signature, vocabulary) for skill in self._world.skills.values()]
        told = [_call_form(relation.signature, vocabulary) for relation in self._world.relations.values()]
        fitting, asserted = list(filter(None, calls)), list(filter(None, told))
        options = [gbnf.literal(_END), *(["call"] if fitting else [])]
        rules = {"call": gbnf.choice(fitting)} if fitting else {}
        if fitting and asserted:
            options.append(gbnf.sequence(gbnf.literal("assert "), "told", gbnf.literal(" else: "), "call"))
            rules["told"] = gbnf.choice(asserted)
        root = gbnf.sequence(gbnf.literal(" "), gbnf.choice(options), gbnf.literal("\n"))
        return gbnf.grammar(root, rules)

    # Carrying it out --------------------------------------------------------------------------------------------------

    def _to_do(self, line: str, scene: Observation) -> Step | None:
        """Return what a line requires now, if anything. A thing that is gone is still used, and the step fails."""
        if match := _ASSERT.fullmatch(line):
            with suppress(Unparseable):  # of a thing that is gone: what follows `else` is tried, and fails
                if say_if(self._world, self._condition(match[1], scene)):
                    return None
        try:
            return self._call(_action(line), scene)
        except Unparseable:
            call = read_call(_action(line), unescaped=True)
            skill = self._world.skills[call.name]
            given = zip(skill.signature.parameters, map(str, call.values), strict=False)
            return skill.step({p.name: value for p, value in given})

    def _call(self, text: str, scene: Observation) -> Step:
        return read_step(read_call(text, unescaped=True), self._world.skills, scene.vocabulary)

    def _condition(self, text: str, scene: Observation) -> Condition:
        call = read_call(text, unescaped=True)
        relation = self._world.relations.get(call.name)
        if relation is None:
            known = ", ".join(self._world.relations)
            raise Unparseable(f"{call.name!r} is nothing that can be asserted: {known}.", text)
        return relation.condition(read_arguments(call, relation.signature, scene.vocabulary))


def _action(line: str) -> str:
    """Return what a line may have the robot do."""
    match = _ASSERT.fullmatch(line)
    return match[2] if match else line


def _call_form(signature: Signature, vocabulary: Vocabulary) -> str:
    """Return the grammar of a call in a program; empty if nothing named fits. Defaults are left out."""
    values: list[str] = []
    quote = gbnf.literal("'")
    for p in signature.parameters:
        if p.default is not None:
            break
        if p.options(vocabulary) == ():
            return ""
        values += [gbnf.literal(", ")] if values else []
        values.append(gbnf.sequence(quote, p.expression(vocabulary), quote))
    return gbnf.sequence(gbnf.literal(f"{signature.name}("), *values, gbnf.literal(")"))


def _name(request: str) -> str:
    """Return a name for the program from the task's own words, as in ProgPrompt."""
    return "_".join(re.findall(r"[a-z0-9]+", request.lower()))[:60] or "task"
