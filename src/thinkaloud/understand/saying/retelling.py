"""What a program would do, and on which conditions, in words: made from the program, not from what it comes to now.

    Retelling(Phrases(lexicon, world.relations), lexicon).tell(program)
    # "if the left hive is open, I close the left hive"

Who is asked about a request with a condition has to hear the condition, whether it holds just now or not. Where there
are no words for a part of a program, there are none for the whole.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from thinkaloud.language.words import in_a_row
from thinkaloud.understand.language import SAY, spelled
from thinkaloud.understand.lexicon import Lexicon
from thinkaloud.understand.saying.answering import Phrases
from thinkaloud.understand.saying.phrasing import filled, one_of


@dataclass(frozen=True)
class Retelling:
    """Tells programs of one robot again; see the module's description."""

    phrases: Phrases
    lexicon: Lexicon

    def has_condition(self, program: str) -> bool:
        """Whether it depends on something whether something is done."""
        return any(isinstance(node, ast.If) for statement in _read(program) for node in ast.walk(statement))

    def acts(self, program: str) -> bool:
        """Whether it would do something, if things were so."""
        return any(self._is_deed(node) for statement in _read(program) for node in ast.walk(statement))

    def tell(self, program: str) -> str | None:
        """All of it, as a part of a sentence; None where there are no words for it."""
        return self._all(_read(program), {})

    def tell_unmet(self, program: str) -> str | None:
        """What is not so and would have to be, of a program that comes to nothing; None where that cannot be told.

        With deeds that are plain there is no other reason than the conditions.
        """
        statements = _read(program)
        tests = [test for each in statements if isinstance(each, ast.If) for test in _tests(each)]
        plain = all(self._is_plain(node) for each in statements for node in ast.walk(each) if self._is_deed(node))
        clauses = [self.phrases.clause(test, {}) for test in tests]
        if not plain or not clauses or not all(isinstance(each, ast.If) for each in statements):
            return None
        told = dict.fromkeys(self.phrases.within(each.not_so) for each in clauses if each is not None)
        return " and ".join(told) if None not in clauses else None

    def _is_deed(self, node: ast.AST) -> bool:
        return isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in self.lexicon.skills

    def _is_plain(self, node: ast.AST) -> bool:
        given = [*node.args, *(each.value for each in node.keywords)] if isinstance(node, ast.Call) else []
        return all(isinstance(each, ast.Constant) for each in given)

    # Statements -------------------------------------------------------------------------------------------------------

    def _all(self, statements: Sequence[ast.stmt], names: Mapping[str, str]) -> str | None:
        told = [self._statement(each, names) for each in statements]
        return ", then ".join(filter(None, told)) if told and None not in told else None

    def _statement(self, statement: ast.stmt, names: Mapping[str, str]) -> str | None:
        match statement:
            case ast.Expr(ast.Call(ast.Name(name), [asked], [])) if name == spelled(SAY, self.lexicon):
                said = self.phrases.tell_question(ast.unparse(statement))
                text = isinstance(asked, ast.Constant) and isinstance(asked.value, str)
                return f"I say: {ast.literal_eval(asked)}" if text else said and f"I answer {said}"
            case ast.Expr(ast.Call() as call) if self._is_deed(call):
                return self._deed(call, names)
            case ast.If(test, body, otherwise):
                clause, done = self.phrases.clause(test, names), self._all(body, names)
                other = self._all(otherwise, names) if otherwise else ""
                if clause is None or done is None or other is None:
                    return None
                return f"if {self.phrases.within(clause.so)}, {done}" + (f", and otherwise {other}" if other else "")
            case ast.For(ast.Name(variable), ast.Name(several), body, []) if several in self.lexicon.named:
                done = self._all(body, {**names, variable: "it"})
                return done and f"for every {one_of(several)}: {done}"
        return None

    def _deed(self, call: ast.Call, names: Mapping[str, str]) -> str | None:
        assert isinstance(call.func, ast.Name)
        signature = self.lexicon.skills[call.func.id]
        order = [p.name for p in signature.parameters]
        given = dict(zip(order, call.args, strict=False)) | {str(each.arg): each.value for each in call.keywords}
        values = [
            self._value(given[p.name], names) if p.name in given else None if p.default is None else str(p.default)
            for p in signature.parameters
        ]
        return None if None in values else f"I {self.phrases.within(filled(signature, values))}"

    def _value(self, expression: ast.expr, names: Mapping[str, str]) -> str | None:
        match expression:
            case ast.Name(name) if name not in names and name in self.lexicon.named:
                return f"every {one_of(name)}"
            case ast.List(elements) if elements and all(isinstance(each, ast.Constant) for each in elements):
                return in_a_row([str(ast.literal_eval(each)) for each in elements])
        return self.phrases.value(expression, names) or self.phrases.tell_some(expression)


def _read(program: str) -> list[ast.stmt]:
    try:
        return ast.parse(program).body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return []


def _tests(statement: ast.If) -> Iterator[ast.expr]:
    """The conditions of a statement, those of an `elif` as well; what follows an `else` depends on nothing more."""
    yield statement.test
    for each in statement.orelse:
        if isinstance(each, ast.If):
            yield from _tests(each)
