"""What an answer is the answer to, in words: made by code from the program and the robot's own sentences.

    phrases = Phrases(lexicon, world.relations)
    phrases.tell_answer('say(any(wet(p) for p in plants))', False)      # "No. No plant is wet."
    phrases.tell_question('say(any(wet(p) for p in plants))')           # "whether any plant is wet"

Where there are no words for an expression, there are none: the answer is then bare.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from thinkaloud.signatures import Signature, capitalised
from thinkaloud.skills import Relation
from thinkaloud.understand.language import ABILITIES, AT_START, BEFORE, DONE, SAY, TODO, WHY, spelled
from thinkaloud.understand.lexicon import Lexicon
from thinkaloud.words import singular
from thinkaloud.worlds.whole import negated, opposite_name

_COMPARED = {
    ast.Gt: "more than",
    ast.GtE: "at least",
    ast.Lt: "less than",
    ast.LtE: "at most",
    ast.Eq: "",
}
_ABOUT_US = {DONE: "what I did", TODO: "what I do next", WHY: "why that was so", ABILITIES: "what I can do"}
_PAST = {BEFORE: "before the latest request", AT_START: "at the beginning"}


@dataclass(frozen=True)
class _Clause:
    """That something is so, and that it is not; without the dot at the end."""

    so: str
    not_so: str

    @property
    def denied(self) -> _Clause:
        return _Clause(self.not_so, self.so)


@dataclass(frozen=True)
class _Some:
    """`[p for p in plants if wet(p)]`: some of a list, by the variable and what has to be so of it."""

    variable: str
    several: str
    conditions: tuple[ast.expr, ...]


class Phrases:
    """The words for what programs of one robot ask."""

    def __init__(self, lexicon: Lexicon, relations: Mapping[str, Relation]) -> None:
        self._lexicon, self._relations = lexicon, relations

    def tell_answer(self, program: str, value: Any) -> str | None:
        """An answer that says again what was asked, where it would else be no more than yes, no or none."""
        asked = self._asked(program)
        if asked is None:
            return None
        if isinstance(value, bool):
            clause = self._clause(asked, {})
            if clause is None:
                return None
            return f"Yes. {_sentence(clause.so)}" if value else f"No. {_sentence(clause.not_so)}"
        some = self._some(asked)
        if value in ([], ()) and some is not None and some.conditions:
            return self._tell_none(some)
        return None

    def tell_question(self, program: str) -> str | None:
        """What was asked: `whether …`, `which plant …`."""
        asked = self._asked(program)
        if asked is None:
            return None
        clause = self._clause(asked, {}, each="any {}")
        if clause is not None:
            return f"whether {_within(clause.so)}"
        match asked:
            case ast.Name(name) if name in self._lexicon.named:
                return f"which {_spaced(name)} there are"
            case ast.Call(ast.Name(name), [], []) if name in {spelled(each, self._lexicon) for each in _ABOUT_US}:
                return _ABOUT_US[name.removesuffix("_")]
            case ast.Call(ast.Name("len"), [of], []):
                return self._tell_how_many(of)
            case ast.Call(ast.Name("max" | "min" as end), [ast.Name(name)], [ast.keyword("key", ast.Name(key))]):
                value = self._of_it(key) if name in self._lexicon.named else None
                most = "greatest" if end == "max" else "least"
                return value and f"of which {_one(name)} this is the {most}: {value}"
        some = self._some(asked)
        if some is not None:
            return self._tell_which(some)
        value = self._value(asked, {})
        return f"what {value} is" if value is not None and isinstance(asked, ast.Call) else None

    def is_plain(self, program: str) -> bool:
        """Whether it asks no more than whether one relation holds of things that are named."""
        match self._asked(program):
            case ast.Call(ast.Name(name), given, []):
                return name in self._lexicon.relations and all(isinstance(each, ast.Constant) for each in given)
        return False

    # Several ----------------------------------------------------------------------------------------------------------

    def _tell_none(self, some: _Some) -> str | None:
        if len(some.conditions) == 1:
            clause = self._clause(some.conditions[0], {some.variable: f"no {_one(some.several)}"})
            return None if clause is None else _sentence(clause.so)
        all_so = self._all_so(some)
        return all_so and f"There is no {_one(some.several)} of which all of this is so: {all_so}."

    def _tell_which(self, some: _Some) -> str | None:
        if not some.conditions:
            return f"which {_spaced(some.several)} there are"
        if len(some.conditions) == 1:
            clause = self._clause(some.conditions[0], {some.variable: f"which {_one(some.several)}"})
            return None if clause is None else _within(clause.so)
        all_so = self._all_so(some)
        return all_so and f"of which {_one(some.several)} all of this is so: {all_so}"

    def _tell_how_many(self, of: ast.expr) -> str | None:
        some = self._some(of)
        if some is None or not some.conditions:
            several = of.id if isinstance(of, ast.Name) else some.several if some else ""
            return f"how many {_spaced(several)} there are" if several in self._lexicon.named else None
        all_so = self._all_so(some)
        return all_so and f"of how many {_spaced(some.several)} this is so: {all_so}"

    def _all_so(self, some: _Some) -> str | None:
        clauses = [self._clause(each, {some.variable: "it"}) for each in some.conditions]
        return ", and ".join(_within(each.so) for each in clauses if each) if all(clauses) else None

    def _some(self, expression: ast.expr) -> _Some | None:
        """A list of things of which something is so, and nothing else is done with them."""
        match expression:
            case ast.ListComp(
                ast.Name(taken), [ast.comprehension(ast.Name(variable), ast.Name(several), ifs)]
            ) | ast.GeneratorExp(ast.Name(taken), [ast.comprehension(ast.Name(variable), ast.Name(several), ifs)]) if (
                taken == variable and several in self._lexicon.named
            ):
                conditions = [part for each in ifs for part in _parts(each)]
                return _Some(variable, several, tuple(conditions))
        return None

    # Whether something is so ------------------------------------------------------------------------------------------

    def _clause(self, expression: ast.expr, names: Mapping[str, str], each: str = "at least one {}") -> _Clause | None:
        """What an expression says to be so; `names` are what variables are called, `each` one of several."""
        past = {spelled(name, self._lexicon): words for name, words in _PAST.items()}
        match expression:
            case ast.UnaryOp(ast.Not(), inner):
                clause = self._clause(inner, names, each)
                return clause and clause.denied
            case ast.BoolOp(operator, values):
                return self._joined("and" if isinstance(operator, ast.And) else "or", values, names)
            case ast.Call(ast.Name(when), [inner], []) if when in past:
                clause = self._clause(inner, names, each)
                if clause is None:
                    return None
                told = _within(clause.so)
                return _Clause(f"{past[when]} this was so: {told}", f"{past[when]} this was not so: {told}")
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

    def _joined(self, word: str, values: Sequence[ast.expr], names: Mapping[str, str]) -> _Clause | None:
        clauses = [clause for each in values if (clause := self._clause(each, names)) is not None]
        if len(clauses) < len(values):
            return None
        told = f" {word} ".join(_within(each.so) for each in clauses)
        return _Clause(told, f"this is not so: {told}")

    def _of_any(self, inner: ast.expr, each: str) -> _Clause | None:
        match inner:
            case ast.GeneratorExp(
                condition, [ast.comprehension(ast.Name(variable), ast.Name(several), [])]
            ) | ast.ListComp(condition, [ast.comprehension(ast.Name(variable), ast.Name(several), [])]) if (
                several in self._lexicon.named
            ):
                return self._of_some(variable, several, condition, each)
        return None

    def _of_some(self, variable: str, several: str, condition: ast.expr, each: str) -> _Clause | None:
        one = _one(several)
        some, none = (self._clause(condition, {variable: word}) for word in (each.format(one), f"no {one}"))
        return _Clause(some.so, none.so) if some and none else None

    def _of_all(self, inner: ast.expr) -> _Clause | None:
        match inner:
            case ast.GeneratorExp(
                condition, [ast.comprehension(ast.Name(variable), ast.Name(several), [])]
            ) | ast.ListComp(condition, [ast.comprehension(ast.Name(variable), ast.Name(several), [])]) if (
                several in self._lexicon.named
            ):
                if isinstance(condition, ast.UnaryOp):  # of all that it is not so: of none that it is
                    clause = self._of_some(variable, several, condition.operand, "at least one {}")
                    return clause and clause.denied
                one = _one(several)
                every, not_every = (
                    self._clause(condition, {variable: f"{word} {one}"}) for word in ("every", "not every")
                )
                return _Clause(every.so, not_every.so) if every and not_every else None
        return None

    def _related(self, name: str, given: Sequence[ast.expr], names: Mapping[str, str]) -> _Clause | None:
        """By the relation's own sentence."""
        relation = self._relations.get(self._lexicon.own_names.get(name, name))
        lists = [each.id for each in given if isinstance(each, ast.Name) and each.id in self._lexicon.named]
        if relation is None or len(given) != len(relation.signature.parameters) or len(lists) > 1:
            return None
        if lists:  # it is so of all of them
            every, not_every = (
                self._related(name, [_renamed(each, lists[0], word) for each in given], {**names, word: phrase})
                for word, phrase in (("every_", f"every {_one(lists[0])}"), ("not_", f"not every {_one(lists[0])}"))
            )
            return _Clause(every.so, not_every.so) if every and not_every else None
        values = [self._value(each, names) for each in given]
        if None in values:
            return None
        opposite = self._relations.get(opposite_name(relation.signature.name))
        denied = negated(relation.signature.says) if opposite is None else opposite.signature.says
        return _Clause(_filled(relation.signature, values), _filled(relation.signature, values, denied))

    def _compared(
        self, left: ast.expr, operator: ast.cmpop, right: ast.expr, names: Mapping[str, str]
    ) -> _Clause | None:
        one, other = self._value(left, names), self._value(right, names)
        if one is None or other is None or not isinstance(left, ast.Call):
            return None
        if isinstance(operator, ast.NotEq):
            return _Clause(f"{one} is not {other}", f"{one} is {other}")
        if type(operator) not in _COMPARED:
            return None
        told = f"{_COMPARED[type(operator)]} {other}".strip()
        return _Clause(f"{one} is {told}", f"{one} is not {told}")

    # What something is ------------------------------------------------------------------------------------------------

    def _value(self, expression: ast.expr, names: Mapping[str, str]) -> str | None:
        """A name, a number, or what a measure tells."""
        match expression:
            case ast.Constant(str() | int() | float() as value):
                return str(value)
            case ast.Name(name):
                return names.get(name)
            case ast.Call(ast.Name(name), given, []) if name in self._lexicon.measures:
                signature = self._lexicon.measures[name]
                values = [self._value(each, names) for each in given]
                fits = len(values) == len(signature.parameters) and None not in values
                return _within(_filled(signature, values)) if fits else None
        return None

    def _of_it(self, measure: str) -> str | None:
        signature = self._lexicon.measures.get(measure)
        return None if signature is None or len(signature.parameters) != 1 else _within(_filled(signature, ["it"]))

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
                    given[name] = _Inlined(given).visit(value)
                case ast.Expr(ast.Call(ast.Name(name))) if name != spelled(SAY, self._lexicon):
                    pass  # a deed
                case _:
                    return None
        match last:
            case ast.Expr(ast.Call(ast.Name(name), [asked], [])) if name == spelled(SAY, self._lexicon):
                return _Inlined(given).visit(asked)  # type: ignore[no-any-return]
        return None


class _Inlined(ast.NodeTransformer):
    """Puts expressions in the place of the names that they were given."""

    def __init__(self, given: Mapping[str, ast.expr]) -> None:
        self._given = given

    def visit_Name(self, node: ast.Name) -> ast.AST:
        return self._given.get(node.id, node)


def _renamed(expression: ast.expr, old: str, new: str) -> ast.expr:
    same = isinstance(expression, ast.Name) and expression.id == old
    return ast.Name(new, ast.Load()) if same else expression


def _parts(condition: ast.expr) -> list[ast.expr]:
    both = isinstance(condition, ast.BoolOp) and isinstance(condition.op, ast.And)
    return condition.values if isinstance(condition, ast.BoolOp) and both else [condition]


def _filled(signature: Signature, values: Sequence[str | None], says: str | None = None) -> str:
    """A sentence of the robot with these in it; `the no plant` is `no plant`."""
    text = signature.says if says is None else says
    for parameter, value in zip(signature.parameters, values, strict=True):
        if str(value).split()[0] in ("no", "any", "every", "not", "at", "which", "it"):
            text = re.sub(rf"\b[Tt]he (?=\{{{parameter.name}\}})", "", text)
    told = text.format_map({p.name: value for p, value in zip(signature.parameters, values, strict=True)})
    return told.strip().rstrip(".")


def _within(clause: str) -> str:
    return clause if clause[:2].isupper() else clause[:1].lower() + clause[1:]


def _sentence(clause: str) -> str:
    return f"{capitalised(clause)}."


def _spaced(several: str) -> str:
    return several.replace("_", " ")


def _one(several: str) -> str:
    return singular(_spaced(several))
