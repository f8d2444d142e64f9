"""Interactive Task Planning: guidelines and a request become a list of steps in words, and each step becomes calls.

The planner says what material is needed, which is checked against what is available before anything moves, and lists
the steps. The executor turns one step after another into calls. A new request is planned for with the steps that are
completed; the conversation is one growing prompt, as in the paper's Figure 3.

A trained model is asked for less: what the request wants, in a short form, and what each of the rules means. The steps
follow from that (`orders`, `rule_facts`, `composing`).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

from thinkaloud.errors import Unparseable
from thinkaloud.guidelines import Guidelines
from thinkaloud.methods.itp.composing import Composer
from thinkaloud.methods.itp.executor import PUT_DOWN, Executor, failures, holding, put_down, refusals, stuck
from thinkaloud.methods.itp.line_templates import full_name, line_rules, slots_for
from thinkaloud.methods.itp.orders import Want, order_grammar, order_prompt, read_order, render_material, work_out
from thinkaloud.methods.itp.rule_facts import Facts, combine_facts, place_grammar, place_prompt, read_rules
from thinkaloud.models import Completion, Model, is_trained
from thinkaloud.models import grammar as gbnf
from thinkaloud.monologue import Monologue
from thinkaloud.names import is_named
from thinkaloud.outline import completed_lines, find_position, find_unfinished
from thinkaloud.own_steps import say
from thinkaloud.plan.ending import check_or_done, find_lasting
from thinkaloud.records import Decision, Decline, Done, Observation, Outline, Plan, Refusal, Request
from thinkaloud.words import in_a_row
from thinkaloud.worlds import World

StepForm = Literal["known", "free"]
_TIMES, _SPARE = 4, 6
"""A plan may be so many times as long as the longest of the instructions, and so many steps more."""
_STOPS = ("\n\n", "\nRequest:")
_ATTEMPTS = 5
"""How often a step is tried before it is given up."""
ORDER, _ORDER_TOKENS = "Order:", 120
"""What stands before the short form of a request, and how long that may be."""
_PATIENCE = 2
"""How often words that cannot be used are sent back while something is under way; then that is brought to an end."""
_INTRODUCTION = """\
A robot works by the guidelines below. For a request it says what material is needed, and then lists the steps.
"""
_NUMBERED = re.compile(r"^\s*\d+\s*[).:]\s*(.+?)\s*$", re.MULTILINE)
_REFUSED = re.compile(r"^\W*(?:Declined|Not available|Unavailable)\s*:?\s*(.+)$", re.MULTILINE | re.IGNORECASE)


@dataclass
class InteractiveTaskPlanning:
    """Plans on two levels, by guidelines."""

    planner: Model
    executor: Executor
    world: World
    guidelines: Guidelines
    lines: StepForm = "known"
    _facts: Facts | None = None
    _belongs: dict[str, str] = field(default_factory=dict)

    async def plan(self, monologue: Monologue) -> Decision:
        """The outline for a request; then, line by line, the calls; at last, what has to be true now."""
        request, scene = monologue.situation()
        plan, line = find_position(monologue)
        if plan is None or plan.outline is None:
            return await self._answer(request.text, monologue)
        lines = plan.outline.lines
        if line < len(lines):
            failed = failures(lines[line], monologue)
            if len(failed) < _ATTEMPTS and not (len(failed) > 1 and stuck(monologue)):
                return await self._line(plan.goal, Outline(lines, line), scene, monologue)
            if not holding(scene) or lines[line] == PUT_DOWN:
                return Done(f"this did not work, {len(failed)} times: {lines[line]} ({failed[-1].why})", "gave up")
        if holding(scene) and PUT_DOWN not in lines:
            return await self._line(plan.goal, Outline((*lines, PUT_DOWN), len(lines)), scene, monologue)
        return self._finish(plan, plan.outline, scene, monologue)

    async def _answer(self, request: str, monologue: Monologue) -> Decision:
        """The outline for a new request. What has been begun is not lost because nobody understands the planner."""
        try:
            return await self._outline(request, monologue)
        except Unparseable as error:
            if len(monologue.refusals()) < _PATIENCE or not self._begun(monologue):
                raise
            return self._declined(str(error), monologue)

    async def _line(self, goal: str, outline: Outline, scene: Observation, monologue: Monologue) -> Plan:
        try:
            steps = await self.executor.calls(outline.line or "", scene, monologue)
        except Unparseable:
            down = put_down(self.world, scene) if len(refusals(monologue)) >= _PATIENCE else None
            if down is None:
                raise
            lines = outline.lines if outline.lines[-1] == PUT_DOWN else (*outline.lines, PUT_DOWN)
            steps, outline = (down,), Outline(lines, len(lines) - 1)
        return Plan(goal, (), steps, outline=outline)

    # The outline ------------------------------------------------------------------------------------------------------

    async def _outline(self, request: str, monologue: Monologue) -> Decision:
        if why := self.guidelines.contradiction(request):
            return self._declined(why, monologue)
        if self.lines == "known" and is_trained(self.planner):
            return await self._composed(request, monologue)
        asked, slots = self.prompt(monologue), slots_for(self.guidelines, request)
        grammar = material_grammar(slots if self.lines == "known" else {})
        said = (await self.planner.complete(asked, grammar=grammar, stop=_STOPS, most=30 * self._most)).text
        material = read_material(said, slots["material"])
        if why := self._unavailable(material, request):
            return self._declined(why, monologue)
        if declined := _REFUSED.search(said):
            return self._declined(declined[1].strip(), monologue)
        if not _NUMBERED.search(said):  # a model that no grammar holds has said all of it already
            slots |= {"material": material} if material else {}
            said += (await self._steps(asked + said, slots, len(completed_lines(monologue)))).text
        lines = _NUMBERED.findall(said)
        if not lines:
            raise Unparseable("This lists no steps; write them as 0) …, 1) …", said)
        if len(lines) > self._most:
            raise Unparseable(f"This lists {len(lines)} steps or more; {self._most} at most.", said)
        self._refuse_undoable(lines, said)
        return _listing(request, f"Material: {', '.join(material)}", lines)

    async def _composed(self, request: str, monologue: Monologue) -> Decision:
        """The outline that follows from what a trained model makes of the request and of the rules."""
        asked, earlier = self.short_prompt(monologue)
        grammar = order_grammar(self.guidelines, "\n".join([*earlier, request]), changes=bool(earlier))
        said = (await self.planner.complete(asked, grammar=grammar, stop=["\n"], most=_ORDER_TOKENS)).text.strip()
        orders = read_order(said, self.guidelines)
        if not orders:
            return self._declined(
                f"that is none of what can be had here: {', '.join(self.guidelines.options)}", monologue
            )
        if self._facts is None:
            read = await read_rules(self.guidelines, self.planner)
            self._facts = combine_facts(read, self.guidelines, self.world.skills)
        wants = self._wants([*earlier, said])
        if why := self._unavailable([name for want in wants for name in want.material], request):
            return self._declined(why, monologue)
        composer = Composer(self.guidelines, self._facts, self._belongs)
        for thing in composer.homeless(wants):
            asked, places = place_prompt(thing, self.guidelines), place_grammar(composer.sorting)
            self._belongs[thing] = (await self.planner.complete(asked, grammar=places, stop=["\n"])).text.strip()
        lines = composer.steps(wants, completed_lines(monologue))
        if not lines:
            return Done("all of that has been done already")
        self._refuse_undoable(lines, said)
        return _listing(request, f"{ORDER} {said}\nMaterial: {render_material(wants)}", lines)

    def short_prompt(self, monologue: Monologue) -> tuple[str, list[str]]:
        """What a trained model is asked about a request: what there is, and the conversation; and what was ordered."""
        lines, start, orders = [], monologue.order_start(), list[str]()
        asked = ""
        for event in monologue.order():
            match event.record:
                case Request(text=asked):
                    lines.append(f"{'Request' if event.index == start else 'New request'}: {asked}\n{ORDER}")
                case Plan(goal=goal, outline=Outline(at=None), verbatim=words) if goal == asked:
                    if (said := words.split("\n")[0].removeprefix(ORDER).strip()) and words.startswith(ORDER):
                        lines[-1] += f" {said}"
                        orders.append(said)
                case _:
                    pass
        return order_prompt(self.guidelines) + "\n".join(lines), orders

    def _wants(self, orders: Sequence[str]) -> list[Want]:
        """What was ordered, changed by each further order."""
        facts, wants = self._facts or Facts(), list[Want]()
        for said in orders:
            wants = work_out(read_order(said, self.guidelines), self.guidelines, wants, facts.every, facts.default)
        return wants

    def _unavailable(self, material: Sequence[str], request: str) -> str:
        """Why something cannot be had; empty if all is there."""
        if not (missing := self.guidelines.missing(material)):
            return ""
        names = in_a_row([full_name(name, request, self.guidelines) for name in missing])
        return f"{names} is not available; there is: {', '.join(self.guidelines.available)}"

    def _refuse_undoable(self, lines: Sequence[str], said: str) -> None:
        for line in lines:
            if not self.guidelines.doable(line, self.world.skills):
                known = ", ".join(self.world.skills)
                raise Unparseable(f"{line!r} is nothing that the robot can do; its skills are {known}.", said)

    @property
    def _most(self) -> int:
        return _TIMES * max(len(recipe.steps) for recipe in self.guidelines.recipes) + _SPARE

    async def _steps(self, so_far: str, slots: Mapping[str, Sequence[str]], first: int) -> Completion:
        """The steps, once it is said what material is needed: only that may occur in them."""
        rules = line_rules(self.guidelines, slots, self.world.skills) if self.lines == "known" else {}
        grammar = steps_grammar(rules, first, self._most + 1)  # one too many: a list without an end is seen to be one
        return await self.planner.complete(so_far, grammar=grammar, stop=_STOPS, most=30 * self._most)

    def _declined(self, why: str, monologue: Monologue) -> Decision:
        """No; but what has been begun for an earlier request is finished as that wanted it."""
        earlier, line = find_position(monologue, earlier=True)
        if earlier is None or earlier.outline is None or not self._begun(monologue):
            return Decline(why)
        left = earlier.outline.lines[line:] or ((PUT_DOWN,) if self._holds(monologue) else ())
        if not left:
            return Decline(f"{why.rstrip('.')}; what was asked for before has been carried out: {earlier.goal}")
        words = f"That I cannot do: {why.rstrip('.')}. I go on with: {earlier.goal}"
        return Plan(earlier.goal, (), (say(words),), earlier.thought, earlier.verbatim, Outline(left))

    def _begun(self, monologue: Monologue) -> bool:
        """Whether anything has been done for the order at hand."""
        return bool(monologue.worked()) or self._holds(monologue)

    def _holds(self, monologue: Monologue) -> bool:
        scene = monologue.last(Observation)
        return scene is not None and holding(scene)

    def prompt(self, monologue: Monologue) -> str:
        """The guidelines and the whole conversation about the order at hand, up to where the model goes on."""
        lines = [_INTRODUCTION, self.guidelines.text.strip(), ""]
        for recipe in self.guidelines.recipes:  # the instructions once more, in the form in which requests are answered
            material = f"Material: {', '.join(recipe.material)}"
            lines += [f"Request: {recipe.name}", material, "Steps:", *_render_numbered(recipe.steps), ""]
        start = monologue.order_start()
        done: list[str] = []
        for event in monologue.order():
            match event.record:
                case Request(text=text):
                    before = completed_lines(monologue, before=event.index)
                    lines += ["Completed steps:", *_render_numbered(before), ""] if before else []
                    lines.append(f"{'Request' if event.index == start else 'New request'}: {text}")
                    done = before
                case Plan(outline=Outline(outlined, None), verbatim=words) if words:
                    lines += [words, "Steps:", *_render_numbered(outlined, len(done)), ""]
                case Refusal(role="planner", why=why):
                    lines.append(f"Refused: {why}")
                case _:
                    pass
        return "\n".join(lines) + "\n"

    def _unused(self, monologue: Monologue) -> list[str]:
        """What the planner said is needed, and no step that was carried out has named."""
        words = [each.verbatim for each in monologue.in_task(Plan) if each.verbatim]
        said = read_material(words[-1], self.guidelines.available) if words else []
        done = completed_lines(monologue)
        return [name for name in said if not _names(done, name) and not self._tacit(name)]

    def _tacit(self, name: str) -> bool:
        """Whether the guidelines themselves need this for something whose steps do not name it."""
        return any(name in recipe.material and not _names(recipe.steps, name) for recipe in self.guidelines.recipes)

    # The end ----------------------------------------------------------------------------------------------------------

    def _finish(self, plan: Plan, outline: Outline, scene: Observation, monologue: Monologue) -> Decision:
        """What has to be true now, or why that cannot be said."""
        if given_up := find_unfinished(outline, monologue):
            return Done(f"this did not work: {'; '.join(given_up)}", "gave up")
        if unused := self._unused(monologue):
            return Done(f"all the steps have been carried out, but none of them used the {in_a_row(unused)}")
        first = monologue.first(Observation, after=monologue.order_start()) or scene
        conditions = find_lasting(self.world, first, monologue.worked())
        over = Outline(outline.lines, len(outline.lines))
        return check_or_done(plan.goal, conditions, "all the steps have been carried out", monologue, over)


def _listing(request: str, words: str, lines: Sequence[str]) -> Plan:
    """All that is to be done, said and not yet begun."""
    return Plan(request, (), (), words, verbatim=words, outline=Outline(tuple(lines)))


def material_grammar(slots: Mapping[str, Sequence[str]]) -> str:
    """What is needed: names out of these, if there are any."""
    names = slots.get("material")
    material = gbnf.separated(gbnf.one_of(names), ", ", most=8) if names else r"[^\n]{2,160}"
    return gbnf.grammar(gbnf.sequence(gbnf.literal("Material: "), material, gbnf.literal("\nSteps:\n")))


def steps_grammar(rules: Mapping[str, str], first: int = 0, most: int = 60) -> str:
    """Up to so many steps numbered from `first` on, each a `line` of the rules, or any line."""
    rules = {"line": r"[^\n]{3,120}", **rules}
    for number in range(most, 0, -1):
        more = f"({gbnf.literal(chr(10))} step{number})?" if number < most else ""
        rules[f"step{number - 1}"] = gbnf.sequence(gbnf.literal(f"{first + number - 1}) "), "line", more)
    return gbnf.grammar(gbnf.sequence("step0", gbnf.literal("\n\n")), rules)


def read_material(text: str, known: Sequence[str] = ()) -> list[str]:
    """What a plan says it needs; what has an `and` in it is two things, unless it is known by that very name."""
    found = re.search(r"^\W*Materials?\W*:[ \t*]*(.+)$", text, re.MULTILINE | re.IGNORECASE)
    names = {name.lower() for name in known}
    listed = [name.strip(" .*") for name in re.split(r"[,;]", found[1])] if found else []
    each = [[name] if name.lower() in names else re.split(r"\band\b", name) for name in listed]
    names_found = dict.fromkeys(name.strip(" .*") for parts in each for name in parts)
    return [name for name in names_found if name.lower() not in ("", "none", "nothing")]


def _names(lines: Iterable[str], name: str) -> bool:
    return any(is_named(name, line) for line in lines)


def _render_numbered(lines: Sequence[str], first: int = 0) -> list[str]:
    """Lines with their numbers, as guidelines have them."""
    return [f"{number}) {line}" for number, line in enumerate(lines, first)]
