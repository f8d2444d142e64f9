"""The text of a program from its tree, as a model would write it."""

from __future__ import annotations

import json
from collections.abc import Sequence

from thinkaloud.program import tree
from thinkaloud.program.lexicon import Lexicon
from thinkaloud.program.words import spelled

_TIGHTNESS = {"or": 1, "and": 2, "not": 3, "in": 4, "+": 5, "-": 5, "*": 6, "/": 6, "//": 6, "%": 6}
_CHOICE, _COMPARED, _NEGATIVE, _WHOLE = 0, 4, 7, 8
"""How tightly operators hold: what holds less tightly stands in brackets."""


def render(statements: Sequence[tree.Statement], lexicon: Lexicon) -> str:
    """Statements as text."""
    return "\n".join(line for each in statements for line in _Renderer(lexicon).lines(each))


def render_expression(expression: tree.Expression, lexicon: Lexicon) -> str:
    """An expression as text."""
    return _Renderer(lexicon).text(expression)


class _Renderer:
    def __init__(self, lexicon: Lexicon) -> None:
        self._lexicon = lexicon

    def lines(self, statement: tree.Statement) -> list[str]:
        """The lines of one statement."""
        match statement:
            case tree.If(test, then, otherwise):
                return [f"if {self.text(test)}:", *self._inside(then), *self._otherwise(otherwise)]
            case tree.For(variable, over, body):
                return [f"for {variable} in {self.text(over)}:", *self._inside(body)]
        return [self._simple(statement)]

    def _inside(self, statements: Sequence[tree.Statement]) -> list[str]:
        return [f"    {line}" for each in statements for line in self.lines(each)] or ["    pass"]

    def _otherwise(self, statements: Sequence[tree.Statement]) -> list[str]:
        match statements:
            case ():
                return []
            case (tree.If() as other,):
                first, *rest = self.lines(other)
                return [f"el{first}", *rest]
        return ["else:", *self._inside(statements)]

    def _simple(self, statement: tree.Statement) -> str:
        match statement:
            case tree.Do(call):
                return self.text(call)
            case tree.Let(name, value):
                return f"{name} = {self.text(value)}"
            case tree.Idle(value):
                return "pass" if value is None else self.text(value)
            case tree.Never(deed, above, until, lifted):
                given = [self.text(deed), *self._keywords((("above", above), ("until", until)))]
                return f"{self._word('allow' if lifted else 'never')}({', '.join(given)})"
            case tree.Standing(when, deeds, again):
                parts = [self.text(when), *map(self._simple, deeds)]
                return f"{self._word('whenever' if again else 'once')}({', '.join(parts)})"
            case tree.Forget(deed, said):
                return self._ours("forget", *(each for each in (deed, said) if each is not None))
            case tree.Order(word, wanted, no, exactly):
                others = [
                    (name, None if each == tree.Row(()) else each) for name, each in (("no", no), ("exactly", exactly))
                ]
                return f"{self._word(word)}({', '.join([*map(self.text, wanted), *self._keywords(others)])})"
        if isinstance(statement, tree.Telling):
            return self._telling(statement)
        raise TypeError(f"{statement} is no simple statement")

    def _telling(self, statement: tree.Telling) -> str:
        """One of our own words with what it is given; what it is anyway at the end is left out."""
        given = [(getattr(statement, name), usual) for name, usual in tree.given_to(type(statement)).items()]
        while given and given[-1][0] == given[-1][1]:
            given.pop()
        return self._ours(type(statement).__name__.lower(), *(value for value, _ in given))

    def _word(self, word: str) -> str:
        return spelled(word, self._lexicon)

    def _ours(self, word: str, *given: tree.Expression) -> str:
        return f"{self._word(word)}({', '.join(map(self.text, given))})"

    def _keywords(self, named: Sequence[tuple[str, tree.Expression | None]]) -> list[str]:
        return [f"{name}={self.text(value)}" for name, value in named if value is not None]

    # Expressions ------------------------------------------------------------------------------------------------------

    def text(self, node: tree.Expression, around: int = 0) -> str:
        """An expression as text, in brackets where it holds less tightly than what is around it."""
        tight, text = self._expression(node)
        return f"({text})" if tight < around else text

    def _expression(self, node: tree.Expression) -> tuple[int, str]:
        match node:
            case tree.Not(inner):
                return _TIGHTNESS["not"], f"not {self.text(inner, _TIGHTNESS['not'])}"
            case tree.Joined(word, parts):
                return _TIGHTNESS[word], f" {word} ".join(self.text(each, _TIGHTNESS[word] + 1) for each in parts)
            case tree.Compare(left, rest):
                others = "".join(f" {sign} {self.text(each, _COMPARED + 1)}" for sign, each in rest)
                return _COMPARED, self.text(left, _COMPARED + 1) + others
            case tree.Compute(left, sign, right):
                tight = _TIGHTNESS[sign]
                return tight, f"{self.text(left, tight)} {sign} {self.text(right, tight + 1)}"
            case tree.Negative(inner):
                return _NEGATIVE, f"-{self.text(inner, _NEGATIVE)}"
            case tree.Choose(test, then, otherwise):
                return _CHOICE, f"{self.text(then, 1)} if {self.text(test, 1)} else {self.text(otherwise)}"
        return _WHOLE, self._whole(node)

    def _whole(self, node: tree.Expression) -> str:
        match node:
            case tree.Text(value):
                return json.dumps(value, ensure_ascii=False)
            case tree.Number(value) | tree.Truth(value):
                return repr(value)
            case tree.Variable(name) | tree.Things(name) | tree.Function(name):
                return name
            case tree.Row(items):
                return f"[{', '.join(map(self.text, items))}]"
            case tree.Each():
                return f"[{self._each(node)}]"
            case tree.Call(name, _, (tree.Each(bare=True) as each,), ()):
                return f"{name}({self._each(each)})"
            case tree.Call(name, _, given, named):
                return f"{name}({', '.join([*map(self.text, given), *self._keywords(named)])})"
            case tree.About(what, deed):
                return self._ours(what, *([] if deed is None else [deed]))
            case tree.TimeOfDay(time, day):
                return self._ours("clock", *map(tree.Text, filter(None, (time, day))))
            case tree.Describe(form, words, among, count):
                parts = [*([json.dumps(words, ensure_ascii=False)] if words else []), *map(self.text, among)]
                return f"{self._word(form)}({', '.join([*parts, *([f'n={count}'] if count != 1 else [])])})"
            case tree.Past(when, inner):
                return self._ours(when, inner)
            case tree.Amount(number, unit):
                return self._ours("amount", number, tree.Text(unit))
            case tree.Item(of, index):
                return f"{self.text(of, _WHOLE)}[{self.text(index)}]"
            case tree.Part(of, start, end):
                bounds = ":".join("" if each is None else self.text(each) for each in (start, end))
                return f"{self.text(of, _WHOLE)}[{bounds}]"
            case tree.Lambda(variable, body):
                return f"lambda {variable}: {self.text(body)}"
        raise TypeError(f"{node} is no expression")

    def _each(self, node: tree.Each) -> str:
        loops = (
            f" for {loop.variable} in {self.text(loop.over, 1)}"
            + "".join(f" if {self.text(c, 1)}" for c in loop.conditions)
            for loop in node.loops
        )
        return self.text(node.item, 1) + "".join(loops)
