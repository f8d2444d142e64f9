"""What an answer is the answer to, in words: made by code from the program and the robot's own sentences.

    phrases = Phrases(lexicon, world.relations)
    program = parse_program("say(any(wet(p) for p in plants))", lexicon)
    phrases.tell_answer(program, False)      # "No. No plant is wet."
    phrases.tell_question(program)           # "whether any plant is wet"

Where there are no words for an expression, there are none: the answer is then bare.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from thinkaloud.language.units import several
from thinkaloud.language.words import in_a_row
from thinkaloud.program import tree
from thinkaloud.program.amounts import Counted
from thinkaloud.program.heard import unit_of_value
from thinkaloud.program.lexicon import Lexicon, spaced
from thinkaloud.program.parsing import Program
from thinkaloud.saying.own_sentences import is_plural
from thinkaloud.saying.phrasing import (
    Clause,
    Several,
    Some,
    Those,
    denial_of,
    filled,
    inlined,
    parts_of,
    sentence,
    within,
)
from thinkaloud.saying.telling import tell_amounts, tell_value
from thinkaloud.skills import Relation
from thinkaloud.worlds.full_world import negated, opposite_name

_COMPARED = {">": "more than", ">=": "at least", "<": "less than", "<=": "at most", "==": ""}
_ABOUT_US = {
    "done": "what I did",
    "todo": "what I do next",
    "why": "why that was so",
    "abilities": "what I can do",
    "when": "when I did that",
    "rules": "which rules I keep",
    "clock": "what time it is",
}
_ABOUT_DEED = {"why": "why", "when": "when", "done": "whether"}
_HANDFUL = 5
"""Things that are named one by one beside a yes; of more it is said how many they are."""
_PAST = {"before": "before the latest request", "at_start": "at the beginning"}
_NOT_SO = "this is not so: "
_THERE = ("there is ", "there are ")
"""How sentences begin whose verb does not depend on what they are about."""
_ASKING = re.compile(r"(?:how|when|where|whether|who|which)\b", re.IGNORECASE)
"""How the name of a value begins that is a question, and no name: `how much water is in the {bucket}`."""
_EACH = tree.Variable("each_")
"""Each of a list of which all is told."""


class Phrases:
    """The words for what programs of one robot ask."""

    def __init__(self, lexicon: Lexicon, relations: Mapping[str, Relation]) -> None:
        self.lexicon, self._relations = lexicon, relations

    def tell_answer(self, program: Program | None, value: Any, those: Sequence[str] = ()) -> str | None:
        """An answer that says again what was asked, where it would else be no more than yes, no or none.

        `those` are the things that the answer rests on (`ask_for_those`).
        """
        asked = self._asked(program)
        if asked is None:
            return None
        if isinstance(value, bool):
            clause = self.clause(asked, {})
            if clause is None:
                return None
            told = self._tell_those(asked, value, those) or (clause.so if value else clause.not_so)
            return f"{'Yes' if value else 'No'}. {sentence(told)}"
        some = self._some(asked)
        if value in ([], ()) and some is not None and some.conditions:
            return self._tell_none(some)
        return None

    def tell_whole(self, program: Program | None, value: Any, those: Sequence[str] = ()) -> str | None:
        """The answer as a person hears it: what was found, and of what, as a whole sentence."""
        asked = self._asked(program)
        if asked is None or value in ([], ()):
            return self.tell_answer(program, value, those)
        if isinstance(value, bool):
            resting = self._those(asked, value) if 1 < len(those) <= _HANDFUL else None
            told = resting and self._of_those(resting.variable, resting.condition, those)
            yes = "Yes" if value else "No"
            return f"{yes}. {sentence(told)}" if told else self.tell_answer(program, value, those)
        some = self._some(asked)
        told = self._tell_found(some, value) if some is not None else self._tell_value(asked, value)
        return told and sentence(told)

    def _tell_found(self, some: Some, value: Any) -> str | None:
        """Which of several it is so of: `the fern and the rose are wet`."""
        listed = isinstance(value, list) and len(value) <= _HANDFUL and all(isinstance(each, str) for each in value)
        return (
            self._of_those(some.variable, some.conditions[0], value) if listed and len(some.conditions) == 1 else None
        )

    def _of_those(self, variable: str, condition: tree.Expression, names: Sequence[str]) -> str | None:
        """A condition of these, one by one."""
        rows = [self.clause(condition, {variable: Several.of(names, word)}) for word in ("and", "or")]
        both, either = (None if each is None else each.so for each in rows)
        about_them = both is None or re.sub(r"^it is not so that |^the ", "", both.lower()).startswith(names[0].lower())
        return both if about_them or " not " not in f" {both} " else either  # there is no tea in the mug or the glass

    def _tell_value(self, asked: tree.Expression, value: Any) -> str | None:
        """What a value is: `the weight of Rex is 512 kg`; of several things, what each of them is."""
        match asked:
            case tree.Call(role="measure") if isinstance(value, int | float):
                what = self.value(asked, {})
                named = what is not None and isinstance(value, Counted) and value.unit in what.split()
                told = tell_value(value) if named else tell_amounts(value)
                return f"{what} {_be(what)} {told}" if what and not _ASKING.match(what) else None
            case tree.Each(tree.Call(role="measure") as each, (tree.Loop(variable, tree.Things(several), ()),)):
                names = self.lexicon.named[several]
                if not isinstance(value, list) or not len(names) == len(value) <= _HANDFUL:
                    return None
                rows = [
                    self._tell_value(inlined(each, {variable: tree.Text(name)}), one)
                    for name, one in zip(names, value, strict=True)
                ]
                return in_a_row([row for row in rows if row]) if all(rows) else None
            case tree.Call("max" | "min" as end, given=(tree.Things(),), named=(("key", tree.Function(key)),)):
                signature = self.lexicon.measures.get(key)
                if signature is None or len(signature.parameters) != 1 or not isinstance(value, str):
                    return None
                most = "greatest" if end == "max" else "least"
                what = within(filled(signature, [value]))
                return f"{what} {_be(what)} the {most}" if what.startswith("the ") else None
        return None

    def tell_question(self, program: Program | None) -> str | None:
        """What was asked: `whether …`, `which plant …`."""
        asked = self._asked(program)
        if asked is None:
            return None
        clause = self.clause(asked, {}, each="any {}")
        if clause is not None:
            return f"whether {self.within(clause.so)}"
        match asked:
            case tree.Things(name):
                return f"which {spaced(name)} there are"
            case tree.About("why" | "when" | "done" as what, tree.Call() as deed):
                return f"{_ABOUT_DEED[what]} I did this: {self._tell_done(deed)}"
            case tree.About(what):
                return _ABOUT_US[what]
            case tree.Call("len", given=(of,), named=()):
                return self._tell_how_many(of)
            case tree.Call("max" | "min" as end, given=(tree.Things(name),), named=(("key", tree.Function(key)),)):
                value = self._of_it(key)
                most = "greatest" if end == "max" else "least"
                return value and f"of which {self.lexicon.noun_of(name)} this is the {most}: {value}"
        some = self._some(asked)
        if some is not None:
            return self._tell_which(some)
        value = self.value(asked, {})
        if value is None or not isinstance(asked, tree.Call):
            return None
        return value if value.startswith("what ") else f"what {value} is"

    def within(self, clause: str) -> str:
        """A clause as a part of a sentence; a name that it begins with keeps its capital."""
        named = any(name[:1].isupper() and clause.startswith(name) for name in self.lexicon.things)
        return clause if named else within(clause)

    def is_plain(self, program: Program | None) -> bool:
        """Whether it asks no more than whether one relation holds of things that are named."""
        match self._asked(program):
            case tree.Call(role="relation", given=given, named=()):
                return all(isinstance(each, tree.Text | tree.Number | tree.Truth) for each in given)
        return False

    def ask_for_those(self, program: Program | None, value: Any) -> tree.Expression | None:
        """The list of the things that an answer rests on: of which of the hives it is so that any is."""
        asked = self._asked(program)
        those = self._those(asked, value) if asked is not None and isinstance(value, bool) else None
        if those is None:
            return None
        return tree.Each(
            tree.Variable(those.variable), (tree.Loop(those.variable, tree.Things(those.several), (those.condition,)),)
        )

    def _tell_done(self, deed: tree.Call) -> str:
        """A deed that is asked about; what is not named may be any."""
        signature = self.lexicon.skills[deed.name]
        given = deed.arguments(signature)
        named = ((p, given.get(p.name)) for p in signature.parameters)
        values = [
            str(value.value) if isinstance(value, tree.Text | tree.Number) else f"any {spaced(p.kind or p.name)}"
            for p, value in named
        ]
        return self.within(filled(signature, values))

    # Several ----------------------------------------------------------------------------------------------------------

    def _tell_none(self, some: Some) -> str | None:
        if len(some.conditions) == 1:
            clause = self._of_some(some.variable, some.several, some.conditions[0], "at least one {}")
            return None if clause is None else sentence(clause.not_so)
        all_so = self._all_so(some)
        return all_so and f"There is no {self.lexicon.noun_of(some.several)} of which all of this is so: {all_so}."

    def _tell_which(self, some: Some) -> str | None:
        if not some.conditions:
            return f"which {spaced(some.several)} there are"
        if len(some.conditions) == 1:
            clause = self.clause(some.conditions[0], {some.variable: f"which {self.lexicon.noun_of(some.several)}"})
            return None if clause is None else self.within(clause.so)
        all_so = self._all_so(some)
        return all_so and f"of which {self.lexicon.noun_of(some.several)} all of this is so: {all_so}"

    def _tell_how_many(self, of: tree.Expression) -> str | None:
        some = self._some(of)
        if some is None or not some.conditions:
            several = of.name if isinstance(of, tree.Things) else some.several if some else ""
            return f"how many {spaced(several)} there are" if several else None
        all_so = self._all_so(some)
        return all_so and f"of how many {spaced(some.several)} this is so: {all_so}"

    def tell_some(self, expression: tree.Expression) -> str | None:
        """Some of a list, by what is so of them: `every window of which this is so: it is open`."""
        some = self._some(expression)
        all_so = self._all_so(some) if some is not None else None
        return (
            f"every {self.lexicon.noun_of(some.several)} of which this is so: {all_so}"
            if some is not None and all_so
            else None
        )

    def _all_so(self, some: Some) -> str | None:
        clauses = [self.clause(each, {some.variable: "it"}) for each in some.conditions]
        return ", and ".join(self.within(each.so) for each in clauses if each) if all(clauses) else None

    def _some(self, expression: tree.Expression) -> Some | None:
        """A list of things of which something is so, and nothing else is done with them."""
        some = self._made(expression)
        return some if some is not None and some.taken == tree.Variable(some.variable) else None

    def _each(self, expression: tree.Expression) -> Some | None:
        """What is so or not of each of a list, all of them."""
        some = self._made(expression)
        return some if some is not None and not some.conditions else None

    def _made(self, expression: tree.Expression) -> Some | None:
        """What is made of things of a list, by a list or one after the other."""
        match expression:
            case tree.Each(taken, (tree.Loop(variable, tree.Things(several), ifs),)):
                conditions = [part for condition in ifs for part in parts_of(condition)]
                return Some(taken, variable, several, tuple(conditions))
        return None

    # Which they are ---------------------------------------------------------------------------------------------------

    def _those(self, asked: tree.Expression, value: bool) -> Those | None:
        """What makes it a yes that one of several is so, or a no that all of them are."""
        match asked:
            case tree.Not(inner):
                return self._those(inner, not value)
            case tree.Call("any", given=(inner,)) if value and (each := self._each(inner)) is not None:
                return Those(each.variable, each.several, each.taken)
            case tree.Call("all", given=(inner,)) if not value and (each := self._each(inner)) is not None:
                return Those(each.variable, each.several, denial_of(each.taken))
            case tree.Compare(tree.Call("len", given=(inner,)), ((sign, tree.Number(0)),)):
                some, there = self._some(inner), sign in (">", "!=")
                if some is not None and len(some.conditions) == 1 and value is there:
                    return Those(some.variable, some.several, some.conditions[0])
        return None

    def _tell_those(self, asked: tree.Expression, value: bool, names: Sequence[str]) -> str | None:
        """That it is so of the one thing of which it is; with the names, or how many they are, of several."""
        those = self._those(asked, value) if names else None
        if those is None:
            return None
        if len(names) == 1:
            only = self.clause(those.condition, {those.variable: names[0]})
            return None if only is None else only.so
        some = self._of_some(those.variable, those.several, those.condition, "at least one {}")
        if some is None:
            return None
        if some.so.lower().startswith(_THERE) and len(names) <= _HANDFUL:  # there is no tea in the mug or the glass
            return self._of_those(those.variable, those.condition, names)
        everything = self.lexicon.named[those.several]
        listed = in_a_row(names) if len(names) <= _HANDFUL else f"{len(names)} of {len(everything)}"
        return f"{some.so}: {listed}"

    # Whether something is so ------------------------------------------------------------------------------------------

    def clause(
        self, expression: tree.Expression, names: Mapping[str, str], each: str = "at least one {}"
    ) -> Clause | None:
        """What an expression says to be so; `names` are what variables are called, `each` one of several."""
        match expression:
            case tree.Not(inner):
                clause = self.clause(inner, names, each)
                return clause and clause.denied
            case tree.Joined(word, parts):
                return self._joined(word, parts, names)
            case tree.Past(when, inner):
                clause = self.clause(inner, names, each)
                if clause is None:
                    return None
                told = self.within(clause.so)
                return Clause(f"{_PAST[when]} this was so: {told}", f"{_PAST[when]} this was not so: {told}")
            case tree.Call("any" | "all", given=(_,)) if names:  # of each that any is: nobody would say that
                return None
            case tree.Call("any", given=(inner,)):
                some = self._each(inner)
                return None if some is None else self._of_some(some.variable, some.several, some.taken, each)
            case tree.Call("all", given=(inner,)):
                return self._of_all(inner)
            case tree.Call(name, "relation", given, ()):
                return self._related(name, given, names)
            case tree.Compare(tree.Call("len", given=(inner,)), ((sign, tree.Number(0)),)):
                some = self._some(inner)
                if some is None or len(some.conditions) != 1 or sign not in (">", "==", "!="):
                    return None
                clause = self._of_some(some.variable, some.several, some.conditions[0], each)
                return clause and clause.denied if sign == "==" else clause
            case tree.Compare(left, ((sign, right),)):
                return self._compared(left, sign, right, names)
        return None

    def _joined(self, word: str, values: Sequence[tree.Expression], names: Mapping[str, str]) -> Clause | None:
        clauses = [clause for each in values if (clause := self.clause(each, names)) is not None]
        if len(clauses) < len(values):
            return None
        told = f" {word} ".join(self.within(each.so) for each in clauses)
        return Clause(told, f"{_NOT_SO}{told}")

    def _of_some(self, variable: str, several: str, condition: tree.Expression, each: str) -> Clause | None:
        one = self.lexicon.noun_of(several)
        found = self._of_these(variable, condition, each.format(one), f"no {one}")
        if found is None or not found.not_so.lower().startswith(_THERE):
            return found
        of_any = self.clause(condition, {variable: f"any {one}"})  # there is no tea in any mug
        return found if of_any is None else Clause(found.so, of_any.not_so)

    def _of_all(self, inner: tree.Expression) -> Clause | None:
        some = self._each(inner)
        if some is None:
            return None
        if isinstance(some.taken, tree.Not):  # of all that it is not so: of none that it is
            clause = self._of_some(some.variable, some.several, some.taken.inner, "at least one {}")
            return clause and clause.denied
        one = self.lexicon.noun_of(some.several)
        return self._of_these(some.variable, some.taken, f"every {one}", f"not every {one}")

    def _of_these(
        self, variable: str, condition: tree.Expression, so: str, not_so: str, names: Mapping[str, str] | None = None
    ) -> Clause | None:
        """A condition by the words for those of which it holds; and for those of which it does, where it is not so."""
        if any(isinstance(node, tree.Joined) for node in tree.walk(condition)):  # all of it is said of the same thing
            it = self.clause(condition, {variable: "it"})
            told = "" if it is None else it.so if it.so.startswith(_NOT_SO) else f"this is so: {it.so}"
            return Clause(f"of {so} {told}", f"of {not_so} {told}") if told else None
        yes, no = (self.clause(condition, {**(names or {}), variable: words}) for words in (so, not_so))
        return Clause(yes.so, no.so) if yes and no else None

    def _related(self, name: str, given: Sequence[tree.Expression], names: Mapping[str, str]) -> Clause | None:
        """By the relation's own sentence."""
        relation = self._relations.get(self.lexicon.own_names.get(name, name))
        lists = [each for each in given if isinstance(each, tree.Things)]
        if relation is None or len(given) != len(relation.signature.parameters) or len(lists) > 1:
            return None
        if lists:  # it is so of all of them
            one = self.lexicon.noun_of(lists[0].name)
            call = tree.Call(name, "relation", tuple(_EACH if each in lists else each for each in given))
            return self._of_these(_EACH.name, call, f"every {one}", f"not every {one}", names)
        values = [self.value(each, names) for each in given]
        if None in values:
            return None
        opposite = self._relations.get(opposite_name(relation.signature.name))
        denied = negated(relation.signature.says) if opposite is None else opposite.signature.says
        return Clause(filled(relation.signature, values), filled(relation.signature, values, denied))

    def _compared(
        self, left: tree.Expression, sign: str, right: tree.Expression, names: Mapping[str, str]
    ) -> Clause | None:
        one, other = self.value(left, names), self.value(right, names)
        if one is None or other is None or not isinstance(left, tree.Call):
            return None
        if sign == "!=":
            return Clause(f"{one} is not {other}", f"{one} is {other}")
        if sign not in _COMPARED:
            return None
        unit = unit_of_value(left, self.lexicon) if isinstance(right, tree.Number) else ""
        counted = unit if isinstance(right, tree.Number) and right.value == 1 else several(unit)
        told = " ".join(filter(None, (_COMPARED[sign], other, counted)))
        return Clause(f"{one} is {told}", f"{one} is not {told}")

    # What something is ------------------------------------------------------------------------------------------------

    def value(self, expression: tree.Expression, names: Mapping[str, str]) -> str | None:
        """A name, a number, or what a measure tells."""
        match expression:
            case tree.Text(value) | tree.Number(value):
                return str(value)
            case tree.Amount(tree.Number(number), unit):
                return f"{number:g} {unit if number == 1 else several(unit)}"
            case tree.Variable(name):
                return names.get(name)
            case tree.Call(name, "measure", given, ()):
                signature = self.lexicon.measures[name]
                values = [self.value(each, names) for each in given]
                fits = len(values) == len(signature.parameters) and None not in values
                return within(filled(signature, values)) if fits else None
        return None

    def _of_it(self, measure: str) -> str | None:
        signature = self.lexicon.measures.get(measure)
        return None if signature is None or len(signature.parameters) != 1 else within(filled(signature, ["it"]))

    def _asked(self, program: Program | None) -> tree.Expression | None:
        """What a program says, where it does nothing else; what it gave a name to first is put in its place."""
        *before, last = (None,) if program is None else program.statements or (None,)
        given: dict[str, tree.Expression] = {}
        for each in before:
            match each:
                case tree.Let(name, value):
                    given[name] = inlined(value, given)
                case tree.Say() | tree.If() | tree.For() | tree.Idle():
                    return None
        return inlined(last.value, given) if isinstance(last, tree.Say) else None


def _be(what: str) -> str:
    """The verb behind the name of a value: `the hours that Tim has left are 3`."""
    head = re.match(r"(?:the )?(\w+)", what)
    return "are" if head is not None and is_plural(head[1]) else "is"
