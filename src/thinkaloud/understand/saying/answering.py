"""What an answer is the answer to, in words: made by code from the program and the robot's own sentences.

    phrases = Phrases(lexicon, world.relations)
    phrases.tell_answer('say(any(wet(p) for p in plants))', False)      # "No. No plant is wet."
    phrases.tell_question('say(any(wet(p) for p in plants))')           # "whether any plant is wet"

Where there are no words for an expression, there are none: the answer is then bare.
"""

from __future__ import annotations

import ast
from collections.abc import Mapping, Sequence
from typing import Any

from thinkaloud.language.words import in_a_row
from thinkaloud.skills import Relation
from thinkaloud.understand.language import ABILITIES, AT_START, BEFORE, DONE, SAY, TODO, WHY, spelled
from thinkaloud.understand.lexicon import Lexicon
from thinkaloud.understand.saying.phrasing import (
    Clause,
    Inlined,
    Some,
    Those,
    denial_of,
    filled,
    one_of,
    parts_of,
    renamed,
    sentence,
    spaced,
    within,
)
from thinkaloud.worlds.full_world import negated, opposite_name

_COMPARED = {
    ast.Gt: "more than",
    ast.GtE: "at least",
    ast.Lt: "less than",
    ast.LtE: "at most",
    ast.Eq: "",
}
_ABOUT_US = {DONE: "what I did", TODO: "what I do next", WHY: "why that was so", ABILITIES: "what I can do"}
_HANDFUL = 5
"""Things that are named one by one beside a yes; of more it is said how many they are."""
_PAST = {BEFORE: "before the latest request", AT_START: "at the beginning"}
_NOT_SO = "this is not so: "


class Phrases:
    """The words for what programs of one robot ask."""

    def __init__(self, lexicon: Lexicon, relations: Mapping[str, Relation]) -> None:
        self._lexicon, self._relations = lexicon, relations

    def tell_answer(self, program: str, value: Any, those: Sequence[str] = ()) -> str | None:
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

    def tell_question(self, program: str) -> str | None:
        """What was asked: `whether …`, `which plant …`."""
        asked = self._asked(program)
        if asked is None:
            return None
        clause = self.clause(asked, {}, each="any {}")
        if clause is not None:
            return f"whether {self.within(clause.so)}"
        match asked:
            case ast.Name(name) if name in self._lexicon.named:
                return f"which {spaced(name)} there are"
            case ast.Call(ast.Name(name), [], []) if name in {spelled(each, self._lexicon) for each in _ABOUT_US}:
                return _ABOUT_US[name.removesuffix("_")]
            case ast.Call(ast.Name("len"), [of], []):
                return self._tell_how_many(of)
            case ast.Call(ast.Name("max" | "min" as end), [ast.Name(name)], [ast.keyword("key", ast.Name(key))]):
                value = self._of_it(key) if name in self._lexicon.named else None
                most = "greatest" if end == "max" else "least"
                return value and f"of which {one_of(name)} this is the {most}: {value}"
        some = self._some(asked)
        if some is not None:
            return self._tell_which(some)
        value = self.value(asked, {})
        if value is None or not isinstance(asked, ast.Call):
            return None
        return value if value.startswith("what ") else f"what {value} is"

    def within(self, clause: str) -> str:
        """A clause as a part of a sentence; a name that it begins with keeps its capital."""
        named = any(name[:1].isupper() and clause.startswith(name) for name in self._lexicon.things)
        return clause if named else within(clause)

    def is_plain(self, program: str) -> bool:
        """Whether it asks no more than whether one relation holds of things that are named."""
        match self._asked(program):
            case ast.Call(ast.Name(name), given, []):
                return name in self._lexicon.relations and all(isinstance(each, ast.Constant) for each in given)
        return False

    def ask_for_those(self, program: str, value: Any) -> str | None:
        """The list of the things that an answer rests on: of which of the hives it is so that any is."""
        asked = self._asked(program)
        those = self._those(asked, value) if asked is not None and isinstance(value, bool) else None
        if those is None:
            return None
        each = ast.comprehension(ast.Name(those.variable, ast.Store()), ast.Name(those.several), [those.condition], 0)
        return ast.unparse(ast.ListComp(ast.Name(those.variable), [each]))

    # Several ----------------------------------------------------------------------------------------------------------

    def _tell_none(self, some: Some) -> str | None:
        if len(some.conditions) == 1:
            clause = self._of_some(some.variable, some.several, some.conditions[0], "at least one {}")
            return None if clause is None else sentence(clause.not_so)
        all_so = self._all_so(some)
        return all_so and f"There is no {one_of(some.several)} of which all of this is so: {all_so}."

    def _tell_which(self, some: Some) -> str | None:
        if not some.conditions:
            return f"which {spaced(some.several)} there are"
        if len(some.conditions) == 1:
            clause = self.clause(some.conditions[0], {some.variable: f"which {one_of(some.several)}"})
            return None if clause is None else self.within(clause.so)
        all_so = self._all_so(some)
        return all_so and f"of which {one_of(some.several)} all of this is so: {all_so}"

    def _tell_how_many(self, of: ast.expr) -> str | None:
        some = self._some(of)
        if some is None or not some.conditions:
            several = of.id if isinstance(of, ast.Name) else some.several if some else ""
            return f"how many {spaced(several)} there are" if several in self._lexicon.named else None
        all_so = self._all_so(some)
        return all_so and f"of how many {spaced(some.several)} this is so: {all_so}"

    def tell_some(self, expression: ast.expr) -> str | None:
        """Some of a list, by what is so of them: `every window of which this is so: it is open`."""
        some = self._some(expression)
        all_so = self._all_so(some) if some is not None else None
        return f"every {one_of(some.several)} of which this is so: {all_so}" if some is not None and all_so else None

    def _all_so(self, some: Some) -> str | None:
        clauses = [self.clause(each, {some.variable: "it"}) for each in some.conditions]
        return ", and ".join(self.within(each.so) for each in clauses if each) if all(clauses) else None

    def _some(self, expression: ast.expr) -> Some | None:
        """A list of things of which something is so, and nothing else is done with them."""
        some = self._made(expression)
        itself = some is not None and isinstance(some.taken, ast.Name) and some.taken.id == some.variable
        return some if itself else None

    def _each(self, expression: ast.expr) -> Some | None:
        """What is so or not of each of a list, all of them."""
        some = self._made(expression)
        return some if some is not None and not some.conditions else None

    def _made(self, expression: ast.expr) -> Some | None:
        """What is made of things of a list, by a list or one after the other."""
        match expression:
            case ast.ListComp(taken, [each]) | ast.GeneratorExp(taken, [each]):
                match each:
                    case ast.comprehension(ast.Name(variable), ast.Name(several), ifs) if (
                        several in self._lexicon.named
                    ):
                        conditions = [part for condition in ifs for part in parts_of(condition)]
                        return Some(taken, variable, several, tuple(conditions))
        return None

    # Which they are ---------------------------------------------------------------------------------------------------

    def _those(self, asked: ast.expr, value: bool) -> Those | None:
        """What makes it a yes that one of several is so, or a no that all of them are."""
        match asked:
            case ast.UnaryOp(ast.Not(), inner):
                return self._those(inner, not value)
            case ast.Call(ast.Name("any"), [inner], []) if value and (each := self._each(inner)) is not None:
                return Those(each.variable, each.several, each.taken)
            case ast.Call(ast.Name("all"), [inner], []) if not value and (each := self._each(inner)) is not None:
                return Those(each.variable, each.several, denial_of(each.taken))
            case ast.Compare(ast.Call(ast.Name("len"), [inner], []), [operator], [ast.Constant(0)]):
                some, there = self._some(inner), isinstance(operator, ast.Gt | ast.NotEq)
                if some is not None and len(some.conditions) == 1 and value is there:
                    return Those(some.variable, some.several, some.conditions[0])
        return None

    def _tell_those(self, asked: ast.expr, value: bool, names: Sequence[str]) -> str | None:
        """That it is so of the one thing of which it is; with the names, or how many they are, of several."""
        those = self._those(asked, value) if names else None
        if those is None:
            return None
        if len(names) == 1:
            only = self.clause(those.condition, {those.variable: names[0]})
            return None if only is None else only.so
        some = self._of_some(those.variable, those.several, those.condition, "at least one {}")
        everything = self._lexicon.named[those.several]
        listed = in_a_row(names) if len(names) <= _HANDFUL else f"{len(names)} of {len(everything)}"
        return None if some is None else f"{some.so}: {listed}"

    # Whether something is so ------------------------------------------------------------------------------------------

    def clause(self, expression: ast.expr, names: Mapping[str, str], each: str = "at least one {}") -> Clause | None:
        """What an expression says to be so; `names` are what variables are called, `each` one of several."""
        past = {spelled(name, self._lexicon): words for name, words in _PAST.items()}
        match expression:
            case ast.UnaryOp(ast.Not(), inner):
                clause = self.clause(inner, names, each)
                return clause and clause.denied
            case ast.BoolOp(operator, values):
                return self._joined("and" if isinstance(operator, ast.And) else "or", values, names)
            case ast.Call(ast.Name(when), [inner], []) if when in past:
                clause = self.clause(inner, names, each)
                if clause is None:
                    return None
                told = self.within(clause.so)
                return Clause(f"{past[when]} this was so: {told}", f"{past[when]} this was not so: {told}")
            case ast.Call(ast.Name("any" | "all"), [_], []) if names:  # of each that any is: nobody would say that
                return None
            case ast.Call(ast.Name("any"), [inner], []):
                return self._of_any(inner, each)
            case ast.Call(ast.Name("all"), [inner], []):
                return self._of_all(inner)
            case ast.Call(ast.Name(name), given, []) if name in self._lexicon.relations:
                return self._related(name, given, names)
            case ast.Compare(ast.Call(ast.Name("len"), [inner], []), [operator], [ast.Constant(0)]):
                some = self._some(inner)
                if some is None or len(some.conditions) != 1 or not isinstance(operator, ast.Gt | ast.Eq | ast.NotEq):
                    return None
                clause = self._of_some(some.variable, some.several, some.conditions[0], each)
                return clause and clause.denied if isinstance(operator, ast.Eq) else clause
            case ast.Compare(left, [operator], [right]):
                return self._compared(left, operator, right, names)
        return None

    def _joined(self, word: str, values: Sequence[ast.expr], names: Mapping[str, str]) -> Clause | None:
        clauses = [clause for each in values if (clause := self.clause(each, names)) is not None]
        if len(clauses) < len(values):
            return None
        told = f" {word} ".join(self.within(each.so) for each in clauses)
        return Clause(told, f"{_NOT_SO}{told}")

    def _of_any(self, inner: ast.expr, each: str) -> Clause | None:
        some = self._each(inner)
        return None if some is None else self._of_some(some.variable, some.several, some.taken, each)

    def _of_some(self, variable: str, several: str, condition: ast.expr, each: str) -> Clause | None:
        one = one_of(several)
        if _is_joined(condition):  # all of it of the same one
            it = self.clause(condition, {variable: "it"})
            return it and _of_it_all(it, each.format(one), f"no {one}")
        some, none = (self.clause(condition, {variable: word}) for word in (each.format(one), f"no {one}"))
        return Clause(some.so, none.so) if some and none else None

    def _of_all(self, inner: ast.expr) -> Clause | None:
        some = self._each(inner)
        if some is None:
            return None
        if isinstance(some.taken, ast.UnaryOp):  # of all that it is not so: of none that it is
            clause = self._of_some(some.variable, some.several, some.taken.operand, "at least one {}")
            return clause and clause.denied
        one = one_of(some.several)
        if _is_joined(some.taken):
            it = self.clause(some.taken, {some.variable: "it"})
            return it and _of_it_all(it, f"every {one}", f"not every {one}")
        every, not_every = (
            self.clause(some.taken, {some.variable: f"{word} {one}"}) for word in ("every", "not every")
        )
        return Clause(every.so, not_every.so) if every and not_every else None

    def _related(self, name: str, given: Sequence[ast.expr], names: Mapping[str, str]) -> Clause | None:
        """By the relation's own sentence."""
        relation = self._relations.get(self._lexicon.own_names.get(name, name))
        lists = [each.id for each in given if isinstance(each, ast.Name) and each.id in self._lexicon.named]
        if relation is None or len(given) != len(relation.signature.parameters) or len(lists) > 1:
            return None
        if lists:  # it is so of all of them
            every, not_every = (
                self._related(name, [renamed(each, lists[0], word) for each in given], {**names, word: phrase})
                for word, phrase in (("every_", f"every {one_of(lists[0])}"), ("not_", f"not every {one_of(lists[0])}"))
            )
            return Clause(every.so, not_every.so) if every and not_every else None
        values = [self.value(each, names) for each in given]
        if None in values:
            return None
        opposite = self._relations.get(opposite_name(relation.signature.name))
        denied = negated(relation.signature.says) if opposite is None else opposite.signature.says
        return Clause(filled(relation.signature, values), filled(relation.signature, values, denied))

    def _compared(
        self, left: ast.expr, operator: ast.cmpop, right: ast.expr, names: Mapping[str, str]
    ) -> Clause | None:
        one, other = self.value(left, names), self.value(right, names)
        if one is None or other is None or not isinstance(left, ast.Call):
            return None
        if isinstance(operator, ast.NotEq):
            return Clause(f"{one} is not {other}", f"{one} is {other}")
        if type(operator) not in _COMPARED:
            return None
        told = f"{_COMPARED[type(operator)]} {other}".strip()
        return Clause(f"{one} is {told}", f"{one} is not {told}")

    # What something is ------------------------------------------------------------------------------------------------

    def value(self, expression: ast.expr, names: Mapping[str, str]) -> str | None:
        """A name, a number, or what a measure tells."""
        match expression:
            case ast.Constant(str() | int() | float() as value):
                return str(value)
            case ast.Name(name):
                return names.get(name)
            case ast.Call(ast.Name(name), given, []) if name in self._lexicon.measures:
                signature = self._lexicon.measures[name]
                values = [self.value(each, names) for each in given]
                fits = len(values) == len(signature.parameters) and None not in values
                return within(filled(signature, values)) if fits else None
        return None

    def _of_it(self, measure: str) -> str | None:
        signature = self._lexicon.measures.get(measure)
        return None if signature is None or len(signature.parameters) != 1 else within(filled(signature, ["it"]))

    def _asked(self, program: str) -> ast.expr | None:
        """What a program says, where it does nothing else; what it gave a name to first is put in its place."""
        try:
            *before, last = ast.parse(program).body
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            return None
        given: dict[str, ast.expr] = {}
        for each in before:
            match each:
                case ast.Assign([ast.Name(name)], value):
                    given[name] = Inlined(given).visit(value)
                case ast.Expr(ast.Call(ast.Name(name))) if name != spelled(SAY, self._lexicon):
                    pass  # a deed
                case _:
                    return None
        match last:
            case ast.Expr(ast.Call(ast.Name(name), [asked], [])) if name == spelled(SAY, self._lexicon):
                return Inlined(given).visit(asked)  # type: ignore[no-any-return]
        return None


def _is_joined(condition: ast.expr) -> bool:
    """Whether it has parts with `and` or `or` between them: all of it is said of the same thing."""
    return any(isinstance(node, ast.BoolOp) for node in ast.walk(condition))


def _of_it_all(it: Clause, so: str, not_so: str) -> Clause:
    """What is said of `it`, of these and of those."""
    told = it.so if it.so.startswith(_NOT_SO) else f"this is so: {it.so}"
    return Clause(f"of {so} {told}", f"of {not_so} {told}")
