"""What a program comes to as things are now: it is run in the sandbox, what it calls is written down, nothing moves.

Relations are asked as things are when the request comes: who says "all that are empty" sees them before anything has
been done. A name that is not here is not bent to the nearest one: the meaning is then a refusal that names it, or,
where it is the noun of several things, the question which of them is meant.
"""

from __future__ import annotations

import builtins
import re
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from thinkaloud.errors import CodeRefused, Unparseable
from thinkaloud.language.calls import RunsCode
from thinkaloud.language.words import stems
from thinkaloud.records import Arguments, Meaning, MeaningKind, Value, WorldState
from thinkaloud.skills import Relation, Skill, touched_by
from thinkaloud.skills.signatures import Signature
from thinkaloud.understand import language as words
from thinkaloud.understand.language import Prepared, callable_of, prepare, spelled, then_name, with_own_verbs
from thinkaloud.understand.meaning.by_quality import find_by_quality
from thinkaloud.understand.meaning.circumstances import Circumstances, Undone
from thinkaloud.understand.meaning.completing import with_missing
from thinkaloud.understand.meaning.lacking import find_idle, find_lacking
from thinkaloud.understand.meaning.measuring import Measures
from thinkaloud.understand.meaning.naming import Missing, Names, Unfit, WhichOne
from thinkaloud.understand.meaning.past import was_so
from thinkaloud.understand.meaning.referents import Resolved, Unknown, resolve
from thinkaloud.understand.meaning.spreading import flat, spread
from thinkaloud.understand.meaning.wishes import holds, sort_out
from thinkaloud.understand.orders.ordering import find_kept, functions_of
from thinkaloud.understand.saying.answering import Phrases
from thinkaloud.understand.saying.phrasing import one_of
from thinkaloud.understand.saying.telling import NOT_UNDERSTOOD, Answered, tell, tell_abilities, tell_value

_MOST_DEEDS = 60
_TOO_FEW = IndexError.__name__
"""The third of two: the kind of error that it is in a program."""
UNKNOWN = "I do not know how that was."
"""What is said of the past where nobody has looked."""
NOTHING = "As things are, there is nothing to be done."
"""What is said where a condition does not hold, or none of the things that were spoken of is there."""


def run_program(program: str, at: Circumstances, sandbox: RunsCode) -> Meaning:
    """The meaning of a program; CodeRefused where it is none, with what is wrong and in which line."""
    program = with_own_verbs(program, at.lexicon)
    described, referents = program, _Run(at)
    try:
        resolved = referents.resolve(program, sandbox)
        program = resolved.program
    except (WhichOne, Missing, Unknown) as error:
        referents.takes(Missing(str(error)) if isinstance(error, Unknown) else error)
        return referents.meaning(described, prepare(described, at.lexicon))
    program = with_missing(program, at.lexicon)
    prepared = prepare(program, at.lexicon)
    run = _Run(at, prepared.listed)
    functions = run.functions()
    if idle := find_idle(program, {*at.lexicon.relations, *at.lexicon.measures}):
        why = f"{idle} only tells something, it does nothing; say(…) answers, a skill acts."
        raise CodeRefused(why, program, role="understanding")
    past = [spelled(name, at.lexicon) for name in (words.BEFORE, words.AT_START)]
    kinds = run.kinds()
    lacking = find_lacking(program, {*functions, *past}, kinds)
    try:
        if lacking is None:
            sandbox.run(prepared.code, kinds | functions)
        else:
            run.lack(lacking)
    except CodeRefused as error:
        if error.fault == _TOO_FEW:
            run.lack("There are too few things here for that.")
        elif not run.takes(error.__cause__):
            shifted = re.sub(r"Line (\d+)", lambda m: f"Line {max(1, int(m[1]) - prepared.offset)}", str(error))
            raise CodeRefused(shifted, program, role="understanding") from error
    if (which := run.asks_for_those(program)) is not None:
        run.those = _find_listed(which, at, sandbox)
    written = described if resolved.things else ""
    return replace(run.meaning(program, prepared), written=written, meant=resolved.things)


def _find_listed(program: str, at: Circumstances, sandbox: RunsCode) -> list[str]:
    """The things that a program lists; none where it cannot be told."""
    run = _Run(at)
    try:
        sandbox.run(prepare(program, at.lexicon).code, run.kinds() | run.functions())
    except CodeRefused:
        return []
    return [str(each) for value in run.values for each in flat(value)]


def _are_all(things: Collection[str], given: object) -> bool:
    """Whether this, or each of these, is one of the things."""
    return all(each in things for each in flat(given))


class _Run:
    """Writes down what a program calls."""

    def __init__(self, at: Circumstances, named: Collection[object] = ()) -> None:
        self._at, self._lexicon, self._named = at, at.lexicon, named
        measured = (p.kind or "" for each in at.lexicon.measures.values() for p in each.parameters)
        self._names = Names(at.scene, {*at.lexicon.lists, *measured}, self._described)
        self._phrases = Phrases(at.lexicon, at.world.relations)
        self._measures = Measures(at.world, at.scene)
        self._deeds: list[tuple[Skill, dict[str, Value], set[str]]] = []
        self.values: list[Any] = []
        self.those: list[str] = []
        """The things that an answer rests on, where it is a yes or a no about several."""
        self._notes: list[str] = []
        self._kept: list[str] = []
        self._freed: list[str] = []
        self._question: tuple[str, tuple[str, ...]] | None = None
        self._refusal: list[str] = []
        self._unclear: str | None = None
        self._control: dict[str, str] = {}

    def resolve(self, program: str, sandbox: RunsCode) -> Resolved:
        """The program with things in the place of descriptions; WhichOne, Missing or Unknown where that cannot be."""

        def evaluate(expression: str) -> list[str]:
            return _find_listed(f"{spelled(words.SAY, self._lexicon)}({expression})", self._at, sandbox)

        return resolve(program, self._at, self._names, evaluate)

    def takes(self, error: BaseException | None) -> bool:
        """Whether what went wrong is a meaning of its own: something is missing, or may be several things."""
        match error:
            case WhichOne():
                self._question = (str(error), error.things)
            case Missing():
                self._refusal.append(str(error))
            case _:
                return False
        return True

    def lack(self, why: str) -> None:
        """Something is wanted that this robot does not have."""
        self._refusal.append(why)

    # What can be called -----------------------------------------------------------------------------------------------

    def functions(self) -> dict[str, Callable[..., Any]]:
        """All that a program can call."""
        lexicon, own = self._lexicon, self._lexicon.own_names
        skills, relations = self._at.world.skills, self._at.world.relations
        found: dict[str, Callable[..., Any]] = {}
        for name, things in lexicon.named.items():
            found[name] = partial(list, sorted(things, key=lambda thing: thing in lexicon.kept))  # any two: free ones
        for name, signature in lexicon.measures.items():
            found[name] = callable_of(signature, self._reading(own.get(name, name), signature))
            for when in self._at.past:
                found[then_name(name, when)] = callable_of(
                    signature, self._reading(own.get(name, name), signature, when)
                )
        for name, signature in lexicon.relations.items():
            relation = relations[own.get(name, name)]
            found[name] = callable_of(signature, self._asking(relation))
            for when in self._at.past:
                found[then_name(name, when)] = callable_of(signature, self._asking(relation, when))
        for name, signature in lexicon.skills.items():
            found[name] = callable_of(signature, self._doing(skills[own.get(name, name)]))
        found |= {spelled(name, lexicon): function for name, function in self._always().items()}
        return found | functions_of(self._at, self._deeds.append, self.values.append)

    def kinds(self) -> dict[str, Callable[..., bool]]:
        """`cup(x)`: whether something is of a kind, as a program may ask of things that it goes through."""
        named = ((one_of(name).replace(" ", "_"), things) for name, things in self._lexicon.named.items())
        return {name: partial(_are_all, things) for name, things in named if not hasattr(builtins, name)}

    def _always(self) -> dict[str, Callable[..., Any]]:
        story = self._at.story
        return {
            words.SAY: self._say,
            words.ASK: self._ask,
            words.NOTE: self._note,
            words.CANNOT: self._cannot,
            words.KEEP: self._keep,
            words.ALLOW: self._allow,
            words.UNDO: self._undo,
            words.PREVIOUS: lambda: self._control.setdefault("previous", ""),
            words.STOP: lambda when="now": self._control.setdefault("stop", str(when)),
            words.UNCLEAR: self._be_unclear,
            words.DONE: lambda: list(story.done),
            words.TODO: lambda: list(story.todo),
            words.WHY: lambda: list(story.why),
            words.ABILITIES: lambda: [tell_abilities(self._lexicon.skills.values())],
        }

    def _doing(self, skill: Skill) -> Callable[[dict[str, Any]], None]:
        def do(given: dict[str, Any]) -> None:
            listed = {name for name, value in given.items() if isinstance(value, list | tuple)}
            unfit: Unfit | None = None
            fitting = False
            for arguments in spread(given):
                try:
                    checked = self._names.check(skill.signature, arguments)
                except Unfit as error:  # of all that is dry, what cannot be watered was not meant
                    if not listed or error.given in self._named:
                        raise
                    unfit = unfit or error
                    continue
                fitting = True
                self._deeds.append((skill, checked, listed))
                if len(self._deeds) > _MOST_DEEDS:
                    raise Unparseable(f"these are more than {_MOST_DEEDS} deeds; do fewer things at once.")
            if unfit is not None and not fitting:
                raise unfit

        return do

    def _asking(self, relation: Relation, when: str = "") -> Callable[[dict[str, Any]], bool]:
        def ask(given: dict[str, Any]) -> bool:
            return all(self._is_so(relation, arguments, when) for arguments in spread(given))

        return ask

    def _is_so(self, relation: Relation, given: Mapping[str, Any], when: str) -> bool:
        arguments = self._names.find_sensible(relation.signature, given)
        if arguments is None:
            return False
        condition = relation.condition(arguments)
        if not when and self._undone is None:
            return holds(self._at.world, condition)
        so = was_so(condition, self._state(when), self._at.world.relations, self._at.scene.vocabulary)
        if so is None and (when or self._is_undone(arguments)):
            raise Missing(UNKNOWN)
        return holds(self._at.world, condition) if so is None else so

    @property
    def _undone(self) -> Undone | None:
        """What is taken back first, if anything is: who says so sees things as they are after that."""
        count = int(self._control.get("undo") or 1) if "undo" in self._control else 0
        return self._at.undone[count - 1] if 0 < count <= len(self._at.undone) else None

    def _described(self, text: str) -> Sequence[str]:
        return () if self._undone else find_by_quality(text, self._at.world, self._at.scene)

    def _is_undone(self, arguments: Arguments) -> bool:
        """Whether it is about what was handled by what is taken back."""
        return self._undone is not None and bool({*arguments.values()} & self._undone.handled)

    def _state(self, when: str) -> WorldState | None:
        """How things were then; for no time, before what is taken back."""
        before = None if self._undone is None else self._undone.before
        return self._at.past[when] if when else before

    def _reading(self, name: str, signature: Signature, when: str = "") -> Callable[[dict[str, Any]], Any]:
        def read(given: dict[str, Any]) -> Any:
            if any(isinstance(value, list | tuple) for value in given.values()):
                found = [read(arguments) for arguments in spread(given)]
                return found[0] if len(found) == 1 else flat(found)
            arguments = self._names.check(signature, given, "tell")
            said = signature.render(arguments).rstrip(".")
            value = self._measures.read_then(name, arguments, self._state(when)) if when or self._undone else None
            if value is None and (when or self._is_undone(arguments)):
                raise Missing(f"I do not know any more what this was: {said}.")
            return self._measures.read(name, arguments, said) if value is None else value

        return read

    # Ours -------------------------------------------------------------------------------------------------------------

    def _say(self, value: Any = "") -> None:
        if not isinstance(value, str) or value.strip():
            self.values.append(value)

    def _ask(self, question: Any = "", options: Any = ()) -> None:
        listed = tuple(tell_value(each) for each in flat(options) if each not in ("", None))
        asked = str(question).strip() or ("Which one do you mean?" if listed else "What do you mean?")
        self._question = self._question or (asked, listed)

    def _note(self, text: Any) -> None:
        told = tell_value(text).strip()
        self._notes += [told] if told else []

    def _cannot(self, reason: Any = "") -> None:
        self._refusal.append(str(reason).strip() or "I cannot do that.")

    def _be_unclear(self, why: Any = "") -> None:
        self._unclear = str(why).strip() or NOT_UNDERSTOOD

    def _undo(self, count: Any = 1) -> None:
        if not isinstance(count, int) or not 0 < count <= _MOST_DEEDS:
            raise Unparseable("undo takes back so many requests: 1 or more.")
        self._control.setdefault("undo", str(count) if count > 1 else "")

    def _keep(self, things: Any) -> None:
        self._kept += [find_kept(each, self._names, self._at.orders) for each in flat(things)]

    def _allow(self, things: Any) -> None:
        self._freed += [find_kept(each, self._names, self._at.orders) for each in flat(things)]

    # What it comes to -------------------------------------------------------------------------------------------------

    def meaning(self, program: str, prepared: Prepared) -> Meaning:
        """All that was called, taken together."""
        never = {*self._lexicon.kept} - {*self._freed}
        kept = never | {*self._kept}
        deeds = [each for each in self._deeds if not any(each[1][name] in kept for name in each[2])]
        left_out = {given[name]: None for _, given, listed in self._deeds for name in listed if given[name] in never}
        left_out |= dict.fromkeys(each for each in self._lexicon.kept if each in prepared.excepted & never)
        for skill, given, _ in deeds:
            touched = touched_by(skill, given, self._at.world.relations) & kept
            if touched:
                thing = next(value for value in given.values() if value in touched)
                done = f"I am to leave the {thing} alone, and to do this: {skill.step(given).words}"
                self._refusal.append(f"I was told to leave the {thing} alone." if thing in never else done)
                break
        steps, wishes, already = sort_out(self._at.world, [(skill, given) for skill, given, _ in deeds])
        said = [tell_value(value) for value in self.values]
        nothing = bool(prepared.calls & self._lexicon.skills.keys()) and not deeds
        kind = self._kind(bool(deeds), nothing)
        if kind == "answer" and not said:
            said = [NOTHING]
        aloud = self._tell_answer(program) or said
        parts = Answered(
            sort=kind,
            steps=steps,
            already=already,
            kept=tuple(dict.fromkeys(self._kept)),
            altogether=bool(stems(self._at.request) & self._verbs()),
            left_out=tuple(str(each) for each in left_out if each not in self._kept),
            freed=tuple(dict.fromkeys(self._freed)),
            said=tuple(aloud),
            notes=tuple(self._notes),
            question=self._question,
            why=" ".join(self._refusal) if self._refusal else self._unclear or "",
            stop=self._control.get("stop", ""),
            undoes=self._control.get("undo", ""),
            goes_on="previous" in self._control,
        )
        question, options = self._question or ("", ())
        acts = kind in ("deeds", "undo", "previous")
        return Meaning(
            program=program,
            sort=kind,
            words=tell(parts, self._at.world),
            deeds=tuple(steps) if acts else (),
            wishes=wishes if acts else (),
            already=already,
            kept=parts.kept,
            lasting=kind == "note" and bool(parts.kept) and not nothing,
            freed=parts.freed,
            said=tuple(
                aloud if acts or self._phrases.is_plain(program) else said
            ),  # other ways to ask: the same answer
            notes=parts.notes,
            question=question if kind == "question" else "",
            options=options if kind == "question" else (),
            why=parts.why or parts.stop or (parts.undoes if kind == "undo" else ""),
            goes_on=parts.goes_on,
        )

    def _verbs(self) -> set[str]:
        """The words with which people speak of what the robot does."""
        return {root for each in self._lexicon.skills.values() for root in stems(each.says.split(" ")[0])}

    def _tell_answer(self, program: str) -> list[str]:
        """The answer with what was asked said again, where it is one, and there are words for that."""
        if len(self.values) != 1:
            return []
        told = self._phrases.tell_answer(program, self.values[0], self.those)
        return [] if told is None else [told]

    def asks_for_those(self, program: str) -> str | None:
        """The program that asks for the things that its answer rests on, if there are such."""
        return self._phrases.ask_for_those(program, self.values[0]) if len(self.values) == 1 else None

    def _kind(self, deeds: bool, nothing: bool) -> MeaningKind:
        if self._unclear is not None and not self._refusal:
            return "unclear"
        if self._refusal:
            return "refusal"
        if self._question is not None:
            return "question"
        control: tuple[MeaningKind, ...] = ("stop", "undo")
        for kind in control:
            if kind in self._control:
                return kind
        if deeds:
            return "deeds"
        if "previous" in self._control:
            return "previous"
        if self.values:
            return "answer"
        if self._notes or (not nothing and (self._kept or self._freed)):
            return "note"
        return "answer" if nothing else "unclear"
