"""What a program would do, and on which conditions, in words: made from the program, not from what it comes to now.

    Retelling(Phrases(lexicon, world.relations)).tell(program)
    # "if the left hive is open, I close the left hive"

Who is asked about a request with a condition has to hear the condition, whether it holds just now or not. Where there
are no words for a part of a program, there are none for the whole.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from thinkaloud.language.words import in_a_row, plural
from thinkaloud.program import tree
from thinkaloud.program.parsing import Program, program_of
from thinkaloud.saying.answering import Phrases
from thinkaloud.saying.phrasing import Several, excepted_by, filled, sentence


@dataclass(frozen=True)
class Retelling:
    """Tells programs of one robot again; see the module's description."""

    phrases: Phrases

    def has_condition(self, program: Program) -> bool:
        """Whether it depends on something whether something is done."""
        return any(isinstance(node, tree.If) for node in program.nodes)

    def acts(self, program: Program) -> bool:
        """Whether it would do something, if things were so."""
        return any(node.call.role == "skill" for node in program.deeds)

    def tell(self, program: Program) -> str | None:
        """All of it, as a part of a sentence; None where there are no words for it."""
        return self._all(program.statements, {})

    def tell_unmet(self, program: Program) -> str | None:
        """What is not so and would have to be, of a program that comes to nothing; None where that cannot be told.

        With deeds that are plain there is no other reason than the conditions.
        """
        statements = program.statements
        tests = [test for each in statements if isinstance(each, tree.If) for test in _tests(each)]
        plain = all(_is_plain(node.call) for node in program.nodes if isinstance(node, tree.Do))
        clauses = [self.phrases.clause(test, {}) for test in tests]
        if not plain or not clauses or not all(isinstance(each, tree.If) for each in statements):
            return None
        told = dict.fromkeys(self.phrases.within(each.not_so) for each in clauses if each is not None)
        return " and ".join(told) if None not in clauses else None

    def tell_deed(self, call: tree.Call) -> str | None:
        """A deed as a sentence: `Water every plant of which this is so: it is dry.`"""
        told = self._deed(call, {}) if call.role == "skill" else None
        return None if told is None else sentence(told.removeprefix("I "))

    # Statements -------------------------------------------------------------------------------------------------------

    def _all(self, statements: Sequence[tree.Statement], names: Mapping[str, str]) -> str | None:
        told = [self._statement(each, names) for each in statements]
        return ", then ".join(filter(None, told)) if told and None not in told else None

    def _statement(self, statement: tree.Statement, names: Mapping[str, str]) -> str | None:
        match statement:
            case tree.Say(tree.Text(text)):
                return f"I say: {text}"
            case tree.Say():
                said = self.phrases.tell_question(program_of([statement], self.phrases.lexicon))
                return said and f"I answer {said}"
            case tree.Do(tree.Call(role="skill") as call):
                return self._deed(call, names)
            case tree.If(test, body, otherwise):
                clause, done = self.phrases.clause(test, names), self._all(body, names)
                other = self._all(otherwise, names) if otherwise else ""
                if clause is None or done is None or other is None:
                    return None
                return f"if {self.phrases.within(clause.so)}, {done}" + (f", and otherwise {other}" if other else "")
            case tree.For(variable, tree.Things(several), body):
                done = self._all(body, {**names, variable: "it"})
                return done and f"for every {self.phrases.lexicon.noun_of(several)}: {done}"
        return None

    def _deed(self, call: tree.Call, names: Mapping[str, str]) -> str | None:
        signature = self.phrases.lexicon.skills[call.name]
        given = call.arguments(signature)
        values = [
            self._value(given[p.name], names) if p.name in given else None if p.default is None else str(p.default)
            for p in signature.parameters
        ]
        return None if None in values else f"I {self.phrases.within(filled(signature, values))}"

    def _value(self, expression: tree.Expression, names: Mapping[str, str]) -> str | None:
        match expression:
            case tree.Things(name):
                return f"every {self.phrases.lexicon.noun_of(name)}"
            case tree.Each(
                tree.Variable(taken),
                (tree.Loop(variable, tree.Things(several), (tree.Compare(tree.Variable(left)) as rest,)),),
            ):
                left_out = excepted_by(rest)
                if left_out and taken == variable == left:
                    return f"every {self.phrases.lexicon.noun_of(several)} except {in_a_row(left_out)}"
            case tree.Describe("all_of", words, ()) if words:
                return f"every {words}"
            case tree.Describe("any_of", words, (), count) if words:
                return f"any {words}" if count == 1 else f"any {count} {plural(words)}"
            case tree.Row(items) if items and all(isinstance(each, tree.Text | tree.Number) for each in items):
                return Several.of([str(each.value) for each in items if isinstance(each, tree.Text | tree.Number)])
        return self.phrases.value(expression, names) or self.phrases.tell_some(expression)


def _is_plain(call: tree.Call) -> bool:
    given = (*call.given, *(value for _, value in call.named))
    return all(isinstance(each, tree.Text | tree.Number | tree.Truth) for each in given)


def _tests(statement: tree.If) -> Iterator[tree.Expression]:
    """The conditions of a statement, those of an `elif` as well; what follows an `else` depends on nothing more."""
    yield statement.test
    for each in statement.otherwise:
        if isinstance(each, tree.If):
            yield from _tests(each)
