"""What a program comes to as things are now: it is evaluated, what it says is written down, nothing moves.

A name that is not here is not bent to the nearest one: the meaning is then a refusal that names it, or, where it is the
noun of several things, the question which of them is meant.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial, reduce
from operator import or_
from typing import Any

from thinkaloud.episode.told_rules import tell_held, tell_rules
from thinkaloud.errors import CodeRefused, Missing, ThinkaloudError, Unfit, Unparseable, WhichOne
from thinkaloud.language.numbers import numbers_in
from thinkaloud.language.times import tell_time
from thinkaloud.program import tree
from thinkaloud.program.clock_times import times_meant
from thinkaloud.program.evaluate import Evaluation, Picked, TooFew, flat, literal, spread
from thinkaloud.program.held_rules import Held, all_held, read_rule, take_back, with_deed, with_things, with_words
from thinkaloud.program.lexicon import lexicon_of, one_of
from thinkaloud.program.parsing import Program, parse_program, program_of, read_expression
from thinkaloud.program.switches import switchable
from thinkaloud.program.units import HowMuch, ask_for_possible
from thinkaloud.records import Meaning, Observation, Question, Reading, Refused, Rule, StandingRule, StopWhen, Value
from thinkaloud.saying.rules import tell_deed
from thinkaloud.saying.telling import (
    ALL_OF_THESE,
    NO_LONGER,
    NOT_UNDERSTOOD,
    STILL_KEPT,
    WHAT,
    tell_abilities,
    tell_choice,
    tell_value,
    the,
)
from thinkaloud.skills import Skill
from thinkaloud.skills.ranges import check_ranges
from thinkaloud.skills.signatures import OutOfRange, Parameter, Signature
from thinkaloud.understand.meaning.circumstances import Circumstances
from thinkaloud.understand.meaning.facts import Facts
from thinkaloud.understand.meaning.naming import Names, asked_as, with_missing
from thinkaloud.understand.meaning.ordering import find_kept, taking_orders
from thinkaloud.understand.meaning.recalling import Pattern, find_named_deed, recall
from thinkaloud.understand.meaning.referents import Referents
from thinkaloud.understand.meaning.rules import active, find_named, read_rules
from thinkaloud.understand.meaning.said_numbers import keep_said_units, refuse_unsaid
from thinkaloud.understand.meaning.standing import NO_RULES, NOT_FOUND, make_rule, tell_given
from thinkaloud.understand.meaning.summing_up import Collected, sum_up
from thinkaloud.worlds.contract import Measured, World, find_ability
from thinkaloud.worlds.people import find_misused, people_among

_MOST_DEEDS = 60


def run_program(text: str, at: Circumstances) -> Meaning:
    """The meaning of a program; CodeRefused where it is none, with what is wrong and in which line."""
    program = parse_program(text, at.lexicon)
    program = with_missing(program)
    if at.request:
        program = keep_said_units(program, at) or program
    if (call := find_emergency(program)) is not None:
        return sum_up(program, Collected(emergency=call), at)
    run = Run(program, at)
    evaluation = Evaluation(program, run)
    try:
        if at.request:
            refuse_unsaid(program, at)
        if not run.refuse(find_lacking(program)):
            evaluation.run()
    except TooFew as error:
        run.refuse(Refused("too few", str(error)))
    except (WhichOne, Missing, HowMuch) as error:
        run.take(error)
        return sum_up(program, run.collected, at)
    resolved = _with_things(program, evaluation.referred)
    run.collected.is_over = partial(is_so, at=at)
    run.collected.those = _find_those(resolved, run.collected.values, at)
    meant = tuple(dict.fromkeys(str(each) for value in evaluation.referred.values() for each in flat(value)))
    written = program.text if evaluation.referred else ""
    meaning = replace(sum_up(resolved, run.collected, at), written=written, meant=meant)
    return take_another(program, meaning, evaluation.referred, at) or meaning


@switchable(None)
def take_another(
    program: Program, meaning: Meaning, referred: Mapping[tree.Place, str | list[str]], at: Circumstances
) -> Meaning | None:
    """The same done with something else, where any of several will do and all is so already with what was picked."""
    picked = {
        str(thing)
        for node in program.nodes
        if isinstance(node, tree.Describe) and node.form == "any_of" and node.place in referred
        for thing in flat(referred[node.place])
    }
    if meaning.sort != "deeds" or meaning.deeds or not picked - at.passed_over:
        return None
    another = run_program(program.text, replace(at, passed_over=at.passed_over | picked))
    return another if another.deeds else None


def run_due(rule: StandingRule, at: Circumstances) -> Meaning:
    """What a standing rule that has come due comes to now; it was said before, so nobody is asked if it was meant."""
    statement = read_rule(rule, at.lexicon)
    deeds = [] if statement is None else [each for each in statement.deeds if isinstance(each, tree.Do)]
    try:
        meaning = run_program(program_of(deeds, at.lexicon).text, replace(at, request=""))
    except Unparseable as error:
        why = f"I can no longer do this: {rule.deeds} {error}"
        return Meaning(rule.program, why, Refused("not possible", why))
    return replace(meaning, sure=1.0)


def find_emergency(program: Program) -> str | None:
    """What is the matter, where somebody needs help: nothing else in a program, and nothing unclear, may delay that."""
    found = [node.matter for node in program.nodes if isinstance(node, tree.Emergency)]
    return next((each.value if isinstance(each, tree.Text) else "" for each in found), None)


def active_rules(rules: Sequence[Rule], world: World, scene: Observation) -> tuple[Rule, ...]:
    """The rules that hold now: without those whose end has come."""
    if not any(rule.until for rule in rules):
        return tuple(rules)
    return active(rules, partial(is_so, at=Circumstances(world, scene, lexicon_of(world, scene))))


def find_lacking(program: Program) -> Refused | None:
    """Why this robot cannot do what a program says: it has no such skill, or nothing that tells this.

    A model that writes `sweep("floor")` for a robot without a broom has understood what was said.
    """
    deeds = [node.call for node in program.nodes if isinstance(node, tree.Do)]
    deeds += [
        node.deed for node in program.nodes if isinstance(node, tree.Never | tree.Forget | tree.About) and node.deed
    ]
    for call in program.calls():
        if call.role == "unknown":
            words = call.name.strip("_").replace("_", " ")
            told = "I have no skill for that" if call in deeds else "I cannot tell this of anything here"
            return Refused("no such skill", f"{told}: {words}.")
    return None


def _with_things(program: Program, referred: Mapping[tree.Place, str | list[str]]) -> Program:
    """A program with things in the place of descriptions."""

    def named(node: Any) -> Any:
        known = isinstance(node, tree.Describe) and node.place in referred
        return literal(referred[node.place]) if known else node

    return program.changed(named) if referred else program


def _in_place_of(rule: tree.Standing, other: tree.Standing, node: Any) -> Any:
    return other if node == rule else node


def _find_those(program: Program, values: Sequence[Any], at: Circumstances) -> list[str]:
    """The things that an answer rests on, where it is a yes or a no about several."""
    expression = at.phrases.ask_for_those(program, values[0]) if len(values) == 1 else None
    return [] if expression is None else [str(each) for each in flat(_find(expression, at))]


def is_so(text: str, at: Circumstances) -> bool:
    """Whether an expression of a program is true now; not if that cannot be told."""
    expression = read_expression(text, at.lexicon)
    return expression is not None and bool(_find(expression, at))


def find_truth(expression: tree.Expression, at: Circumstances) -> bool | None:
    """Whether an expression is true now; None if that cannot be told."""
    try:
        return bool(_value(expression, at))
    except (ThinkaloudError, TooFew):
        return None


def _find(expression: tree.Expression, at: Circumstances) -> Any:
    """The value of an expression; none where it cannot be told."""
    try:
        return _value(expression, at)
    except (CodeRefused, TooFew, WhichOne, Missing, HowMuch):
        return []


def _value(expression: tree.Expression, at: Circumstances) -> Any:
    program = Program((), "", at.lexicon)
    return Evaluation(program, Run(program, at)).find(expression)


class Run:
    """The host of one program: what it asks comes from the circumstances, what it says is collected."""

    def __init__(self, program: Program, at: Circumstances) -> None:
        lexicon = at.lexicon
        self._program, self._at, self._lexicon = program, at, lexicon
        measured = (p.kind or "" for each in lexicon.measures.values() for p in each.parameters)
        self._names = Names(at.scene, {*lexicon.lists, *measured}, at.known)
        counted = any(isinstance(node, tree.Amount | tree.Say | tree.Do) for node in program.nodes)
        self._facts = Facts(at, self._names, counted=counted)
        self._referents = Referents(at, self._names)
        rows = [node.items for node in program.nodes if isinstance(node, tree.Row)]
        self._named = {each.value for items in rows for each in items if isinstance(each, tree.Text)}
        """The names that are written in a list, one by one: each of them was meant itself."""
        self.collected = Collected()
        self.signatures: Mapping[str, Signature] = lexicon.functions
        self.is_so, self.measure = self._facts.is_so, self._facts.measure
        self.tells: Mapping[type[tree.Statement], Callable[..., None]] = {
            tree.Say: self._say,
            tree.Ask: self._ask,
            tree.Note: self._note,
            tree.Cannot: self._cannot,
            tree.Keep: lambda things: self._spare(things, self.collected.kept),
            tree.Allow: self._free,
            tree.Undo: self._undo,
            tree.Previous: self._go_back,
            tree.Stop: self._stop,
            tree.Unclear: self._be_unclear,
            tree.Emergency: self._help,
            tree.Order: taking_orders(at, self._add_deed, self.collected.values.append),
        }

    def take(self, error: WhichOne | Missing | HowMuch) -> None:
        """What went wrong is a meaning of its own: something is missing, or may be several things."""
        match error:
            case WhichOne():
                self.collected.question = Question(str(error), error.things, error.name)
            case HowMuch():
                self.collected.question = Question(str(error))
            case Missing():
                self.refuse(Refused(error.kind, str(error), error.missing))

    def refuse(self, refused: Refused | None) -> bool:
        """Something cannot be, if so."""
        self.collected.refusals += [] if refused is None else [refused]
        return refused is not None

    # What it asks -----------------------------------------------------------------------------------------------------

    def things(self, name: str) -> list[str]:
        """One of the robot's lists; what is to be left alone comes last: of any two, free ones are taken."""
        kind = self._lexicon.kind_of.get(name) or one_of(name)
        people = people_among(self._at.world, kind, self._at.scene.vocabulary)
        more = self._at.known.get(one_of(name), ()) if name in self._lexicon.by_noun else ()
        named = (thing for thing in dict.fromkeys((*self._lexicon.named[name], *more)) if thing not in people)
        return sorted(named, key=lambda thing: thing in self._lexicon.kept)

    def is_of_kind(self, kind: str, value: object) -> bool:
        return all(each in self._lexicon.kind_tests[kind] for each in flat(value))

    def called(self, text: str, beside: str) -> str:
        alike = [names for names in self._lexicon.named.values() if beside in names]
        if not alike or text in self._lexicon.things:
            return text
        try:
            return self._names.find(text, min(alike, key=len))
        except Missing:
            return text

    def refer(
        self, described: tree.Describe, among: Sequence[list[str]], parameter: Parameter | None, here: Sequence[str]
    ) -> str | list[str]:
        return self._referents.find(described, among, parameter, here)

    def about(self, what: tree.Told, deed: tuple[str, dict[str, Any]] | None) -> list[str]:
        """What the robot tells about itself, or about something that it did."""
        match what:
            case "abilities":
                return [tell_abilities(self._lexicon.skills.values())]
            case "clock":
                return [f"It is {tell_time(self._at.now)}."]
            case "rules":
                return tell_rules(self._at.standing, self._at.rules, self._lexicon.kept, self._at.now)
            case "when" | "why" | "done" if deed is not None or what == "when":
                pattern = None if deed is None else self._pattern(*deed)
                return [" ".join(recall(what, pattern, self._at.story, self._at.rules, self._at.now))]
            case "why" if (
                named := find_named_deed(self._at.story, self._at.request, self._lexicon.things)
            ) is not None:
                return [" ".join(named.reasons)]
            case _:
                return list(getattr(self._at.story, what))

    def _pattern(self, deed: str, given: dict[str, Any]) -> Pattern:
        """Which of its own doings are spoken of."""
        signature = self._lexicon.skills[deed]
        known = {each.name: each for each in signature.parameters}
        found = {
            name: tuple(find_named(each, known[name], self._lexicon, self._names) for each in flat(value))
            for name, value in given.items()
        }
        plain = {name: values[0] for name, values in found.items() if len(values) == 1}
        own = self._lexicon.own_names.get(deed, deed)
        helps = self._at.world.skills[own].emergency
        return Pattern(own, found, tell_deed(signature, plain), calls_for_help=helps)

    # What it says -----------------------------------------------------------------------------------------------------

    def do(self, skill: str, given: dict[str, Any]) -> None:
        self._check(skill, given, self._write_down)

    def foresee(self, skill: str, given: dict[str, Any]) -> None:
        any_ = {name: str(value) if isinstance(value, Picked) else value for name, value in given.items()}
        self._check(skill, any_, lambda *deed: self.collected.foreseen.append(deed))

    def _check(
        self, skill: str, given: dict[str, Any], take: Callable[[Skill, dict[str, Any], set[str]], None]
    ) -> None:
        own = self._at.world.skills[self._lexicon.own_names.get(skill, skill)]
        listed = {name for name, value in given.items() if isinstance(value, list | tuple)}
        unfit: Unfit | None = None
        fitting = False
        for arguments in spread(given):
            if (open_ := next((each for each in arguments.items() if isinstance(each[1], Picked)), None)) is not None:
                parameter = next(each for each in own.signature.parameters if each.name == open_[0])
                raise WhichOne(asked_as(parameter), open_[1].among)
            try:
                checked = self._names.check(own.signature, arguments)
                if why := find_misused(self._at.world, own, checked, self._at.scene.vocabulary):
                    raise Unfit(why, next(iter(checked.values())))
            except Unfit as error:  # of all that is dry, what cannot be watered was not meant
                if not listed or error.given in self._named:
                    raise
                unfit = unfit or error
                continue
            self._check_ranges(own.signature, checked, arguments)
            fitting = True
            take(own, checked, listed)
        if unfit is not None and not fitting:
            raise unfit

    def _check_ranges(self, signature: Signature, checked: dict[str, Value], given: Mapping[str, Any]) -> None:
        """HowMuch if a number is not possible with the things of a call."""
        able = find_ability(self._at.world, Measured)
        try:
            check_ranges(signature, checked, {} if able is None else able.measures, self._at.scene)
        except OutOfRange as error:
            raise ask_for_possible(error, given, signature) from error

    def _write_down(self, skill: Skill, given: dict[str, Any], listed: set[str]) -> None:
        self.collected.deeds.append((skill, given, listed))
        if len(self.collected.deeds) > _MOST_DEEDS:
            raise Unparseable(f"these are more than {_MOST_DEEDS} deeds; do fewer things at once.")

    def _add_deed(self, skill: Skill, given: dict[str, Any]) -> None:
        self.collected.deeds.append((skill, given, set()))

    def rule(self, rule: tree.Never, given: dict[str, Any], above: Any) -> None:
        rules = list(read_rules(rule, given, above, self._names, self._at.phrases))
        self.collected.rules += rules
        named = {value for each in rules if rule.lifted for value in each.arguments.values()}
        things = [each for each in self._lexicon.kept if each in named and each not in self.collected.freed]
        if things:  # the deed alone would not do: they are left alone in everything
            program = "\n".join([*(take_back(each, self._lexicon) for each in things), self._program.text])
            self.collected.question = Question(STILL_KEPT.format(the(things)), ("yes", "no"))
            self.collected.readings = (Reading(program, "", 0.0),)

    def stand(self, rule: tree.Standing) -> None:
        """Write down what waits."""
        at, said = self._at, self._at.words or self._at.request
        numbers = None if at.picked or not said else numbers_in(said)
        before = reduce(or_, map(numbers_in, at.earlier), numbers_in(at.request))
        meant = times_meant(rule, numbers, at.now, before)
        rules = [make_rule(each, at.phrases, said, at.now) for each in meant]
        if len(rules) == 1:
            self.collected.standing += rules
            return
        told = [tell_given(each, at.now) for each in rules]
        self._offer(told, [str(self._program.changed(partial(_in_place_of, rule, each))) for each in meant])

    def forget(self, deed: tuple[str, dict[str, Any]] | None, words: Any) -> None:
        """Take back what holds; where nothing such does, say so, and where several do, ask."""
        held = all_held(self._at.standing, self._at.rules, self._lexicon.kept)
        if deed is not None:
            found = with_deed(held, *deed, self._lexicon)
        else:
            found = held if words is None else with_words(held, str(words), self._lexicon)
        self._take_back(found)
        if not found:
            self.collected.values.append(NOT_FOUND if held else NO_RULES)

    def _take_back(self, found: Sequence[Held]) -> None:
        if len(found) > 1:
            told = [tell_held(each, self._at.now) for each in found]
            programs = [take_back(each, self._lexicon) for each in found]
            self._offer([*told, ALL_OF_THESE], [*programs, "\n".join(programs)], NO_LONGER)
            return
        for each in found:
            match each:
                case StandingRule():
                    self.collected.forgotten.append(each)
                case Rule(skill, arguments, above):
                    words = tell_deed(self._at.world.skills[skill].signature, arguments, above)
                    self.collected.rules.append(Rule(skill, arguments, words=words, allowed=True))
                case _:
                    self.collected.freed.append(each)

    def _offer(self, told: Sequence[str], programs: Sequence[str], question: str = WHAT) -> None:
        """Ask which of several programs was meant."""
        self.collected.question = Question(*tell_choice(told, question))
        pairs = zip(programs, told, strict=True)
        self.collected.readings = tuple(Reading(program, words, 0.0) for program, words in pairs)

    def _help(self, matter: Any) -> None:
        self.collected.emergency = str(matter).strip()

    def _say(self, value: Any) -> None:
        if not isinstance(value, str) or value.strip():
            self.collected.values.append(value)

    def _ask(self, question: Any, options: Any) -> None:
        listed = tuple(tell_value(each) for each in flat(options) if each not in ("", None))
        asked = str(question).strip() or ("Which one do you mean?" if listed else "What do you mean?")
        self.collected.question = self.collected.question or Question(asked, listed)

    def _note(self, text: Any) -> None:
        told = tell_value(text).strip()
        self.collected.notes += [told] if told else []

    def _cannot(self, reason: Any) -> None:
        why = str(reason).strip() or "I cannot do that."
        self.refuse(Refused("declined", why))

    def _be_unclear(self, why: Any) -> None:
        self.collected.unclear = str(why).strip() or NOT_UNDERSTOOD

    def _undo(self, count: Any) -> None:
        if not isinstance(count, int) or not 0 < count <= _MOST_DEEDS:
            raise Unparseable("undo takes back so many requests: 1 or more.")
        self.collected.undoes = self._facts.undoes = self.collected.undoes or count

    def _go_back(self) -> None:
        self.collected.goes_on = True

    def _stop(self, when: Any) -> None:
        self.collected.stop = self.collected.stop or StopWhen("after this" if "after" in str(when) else "now")

    def _free(self, things: Any) -> None:
        """What is named may be touched again; if it was not left alone, what is forbidden with it may be done."""
        freed: list[str] = []
        self._spare(things, freed)
        bound = [each for each in freed if each not in self._lexicon.kept]
        self._take_back(with_things(self._at.rules, bound))
        known = {value for rule in self.collected.rules for value in rule.arguments.values()}
        self.collected.freed += [each for each in freed if each not in known]

    def _spare(self, things: Any, found: list[str]) -> None:
        found += [find_kept(each, self._names, self._at.orders) for each in flat(things)]
