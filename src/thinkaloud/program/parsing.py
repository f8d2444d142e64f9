"""A program as a model wrote it, parsed once: Python as far as `prompting/grammar.py` lets a model write it.

    program = parse_program('fill([c for c in cups if not full(c)])', lexicon)
    str(program) == 'fill([c for c in cups if not full(c)])'

Which name is a skill, a relation, a measure, a list or one of our own words depends on the robot, so the tree is made
with its lexicon. Not in the language: functions of one's own, methods, dictionaries, endless loops.
"""

from __future__ import annotations

import ast
import builtins
import keyword
import re
from collections.abc import Callable, Sequence
from dataclasses import MISSING, dataclass, field, replace
from functools import cached_property
from typing import Any, cast

from thinkaloud.errors import CodeRefused, UnknownName
from thinkaloud.language.calls import BUILTINS
from thinkaloud.language.times import TOMORROW, read_time
from thinkaloud.language.units import convert
from thinkaloud.program import tree, words
from thinkaloud.program.lexicon import Lexicon
from thinkaloud.program.rendering import render
from thinkaloud.program.words import spelled
from thinkaloud.untrusted.python_text import parse_statements

_MOST_STATEMENTS = 40
"""Who wants more wants to be asked again."""
_LONGEST, _LONGEST_NAME, _DEEPEST, _LARGEST = 8000, 80, 40, 2**63
_PYTHONS_OWN = frozenset(
    ("and", "elif", "else", "for", "if", "in", "is", "lambda", "not", "or", "True", "False", "None")
)
"""Keywords of Python that are part of the language, so that a bracket may follow them."""
_VERBS = "|".join(sorted({*keyword.kwlist} - _PYTHONS_OWN))
_TAKEN = re.compile(rf"""("(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|\#[^\n]*)|\b({_VERBS})(?=\()""")
"""Keywords of Python that are called: deeds of these names (`raise`, `import`), in any place; a text stays as it is."""
_ALSO_DEEDS = frozenset({"open", "set", "filter", "format", "slice", "round", "sum", "zip"})
"""What people say of deeds although Python has functions of these names."""
_SIGNS: dict[type[ast.AST], str] = {
    ast.Add: "+",
    ast.Sub: "-",
    ast.Mult: "*",
    ast.Div: "/",
    ast.FloorDiv: "//",
    ast.Mod: "%",
    ast.Eq: "==",
    ast.NotEq: "!=",
    ast.Lt: "<",
    ast.LtE: "<=",
    ast.Gt: ">",
    ast.GtE: ">=",
    ast.Is: "==",
    ast.In: "in",
    ast.NotIn: "not in",
    ast.IsNot: "!=",
}
_NONE = tree.Row(())


@dataclass(frozen=True)
class Program:
    """A whole program, the text that it was read from, and the lexicon that it was read with."""

    statements: tuple[tree.Statement, ...]
    text: str = field(compare=False)
    lexicon: Lexicon = field(compare=False, repr=False)

    def __str__(self) -> str:
        return render(self.statements, self.lexicon)

    @cached_property
    def nodes(self) -> tuple[tree.Node, ...]:
        """All nodes, in the order of the text."""
        return tuple(tree.walk(self.statements))

    @cached_property
    def deeds(self) -> tuple[tree.Do, ...]:
        """What it does, without what waits."""
        waiting = [each for node in self.nodes if isinstance(node, tree.Standing) for each in node.deeds]
        return tuple(node for node in self.nodes if isinstance(node, tree.Do) and all(node is not w for w in waiting))

    def texts(self) -> list[str]:
        """All texts that are written in it."""
        return [node.value for node in self.nodes if isinstance(node, tree.Text)]

    def calls(self) -> list[tree.Call]:
        """All calls of what the robot has, or lacks."""
        return [node for node in self.nodes if isinstance(node, tree.Call)]

    def changed(self, change: Callable[[Any], Any]) -> Program:
        """The same with every node as `change` returns it, the inner ones first; itself if nothing changes."""
        statements = tree.changed(self.statements, change)
        return self if statements == self.statements else program_of(statements, self.lexicon)


def program_of(statements: Sequence[tree.Statement], lexicon: Lexicon) -> Program:
    """A program that code has put together."""
    return Program(tuple(statements), render(statements, lexicon), lexicon)


def parse_program(text: str, lexicon: Lexicon) -> Program:
    """The tree of a program; CodeRefused says what is wrong with it, and in which line."""
    if len(text) > _LONGEST:
        raise _refused(f"The program has more than {_LONGEST} characters; write a shorter one.", text)
    verbs = _TAKEN.sub(lambda found: found[1] or f"{found[2]}_", text)
    try:
        module = parse_statements(verbs)
    except SyntaxError as error:
        raise _refused(f"Line {error.lineno or 1}: {error.msg.rstrip('?.')}.", text) from None
    except (RecursionError, MemoryError, SystemError):
        raise _refused("The program is nested too deeply; write it in smaller steps.", text) from None
    except ValueError:
        raise _refused("The program has characters that are no text; write plain letters.", text) from None
    if sum(isinstance(node, ast.stmt) for node in ast.walk(module)) > _MOST_STATEMENTS:
        raise _refused(f"The program has more than {_MOST_STATEMENTS} statements; write a shorter one.", text)
    parser = _Parser(text, lexicon, module)
    statements = parser.block(module.body)
    return program_of(statements, lexicon) if parser.corrected or verbs != text else Program(statements, text, lexicon)


def read_program(text: str, lexicon: Lexicon) -> Program | None:
    """The tree of a program; None for what is none."""
    try:
        return parse_program(text, lexicon)
    except CodeRefused:
        return None


def read_expression(text: str, lexicon: Lexicon) -> tree.Expression | None:
    """The tree of an expression; None for what is none."""
    program = read_program(f"x = {text}", lexicon)
    match program and program.statements:
        case (tree.Let("x", value),):
            return value
    return None


def with_name(program: Program, noun: str, thing: str) -> Program:
    """A program in which a noun that several things share is one of them; or else the only choice that it leaves."""

    def named(node: Any) -> Any:
        match node:
            case tree.Text(value) if value == noun:
                return replace(node, value=thing)
            case tree.Describe(words=said) if said == noun:
                return tree.Text(thing, place=node.place)
        return node

    found, left = program.changed(named), {node for node in program.nodes if _is_choice(node)}
    if found.text != program.text or len(left) != 1:
        return found
    return program.changed(lambda node: tree.Text(thing) if node in left else node)


def _is_choice(node: object) -> bool:
    """Whether this is one of several things, and no word in it says which."""
    match node:
        case tree.Describe("the" | "it" | "the_other", words=""):
            return True
        case tree.Item(tree.Call("sorted")):
            return True
    return isinstance(node, tree.Call) and node.name in ("min", "max") and bool(node.named)


def _refused(why: str, text: str) -> CodeRefused:
    return CodeRefused(why, text, role="understanding")


class _Parser:
    """Makes a tree of Python's own."""

    def __init__(self, text: str, lexicon: Lexicon, module: ast.Module) -> None:
        self._text, self._lexicon, self._line, self._depth = text, lexicon, 1, 0
        self._ours = {spelled(word, lexicon): word for word in (*words.ALWAYS, words.ORDER, words.CHANGE)}
        self._kinds = {name for name in lexicon.kind_tests if not hasattr(builtins, name)}
        names = [node for node in ast.walk(module) if isinstance(node, ast.Name | ast.arg)]
        stored = {n.id for n in names if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}
        self._variables = stored | {n.arg for n in names if isinstance(n, ast.arg)}
        self.corrected = False
        """Whether a deed was called by another word for it."""

    def fail(self, why: str) -> CodeRefused:
        return _refused(f"Line {self._line}: {why}", self._text)

    def block(self, body: Sequence[ast.stmt]) -> tuple[tree.Statement, ...]:
        return tuple(self._statement(each) for each in body)

    # Statements -------------------------------------------------------------------------------------------------------

    def _statement(self, node: ast.stmt) -> tree.Statement:
        self._line = line = node.lineno
        match node:
            case ast.Expr(ast.Call(ast.Name(name)) as call):
                return self._called(name, call, line)
            case ast.Expr(value):
                return tree.Idle(self.value(value), line=line)
            case ast.Pass():
                return tree.Idle(None, line=line)
            case ast.Assign([ast.Name(name)], value):
                return tree.Let(name, self.value(value), line=line)
            case ast.If(test, body, orelse):
                return tree.If(self.value(test), self.block(body), self.block(orelse), line=line)
            case ast.For(ast.Name(name), over, body, []):
                return tree.For(name, self.value(over), self.block(body), line=line)
        raise self.fail(f"{_word_for(node)} cannot be used here. Use variables, if, for, comprehensions and calls.")

    def _called(self, name: str, call: ast.Call, line: int) -> tree.Statement:
        word = self._ours.get(name)
        if word is None or word in _TELLING:
            done = self._deed(name, call)
            if isinstance(done, tree.Call) and done.role in ("relation", "measure"):
                raise _refused(
                    f"{name} only tells something, it does nothing; say(…) answers, a skill acts.", self._text
                )
            return tree.Do(done, line=line) if isinstance(done, tree.Call) else tree.Idle(done, line=line)
        if word in (words.ORDER, words.CHANGE):
            known_otherwise = not self._lexicon.guidelines and self._verb(name, call) is not None
            deed = self._deed(name, call) if known_otherwise else None
            return tree.Do(deed, line=line) if isinstance(deed, tree.Call) else self._order(word, call, line)
        if word in (words.NEVER, words.ALLOW) and (rule := self._rule(word, call, line)) is not None:
            return rule
        if word in (words.WHENEVER, words.ONCE):
            return self._standing(word, call, line)
        if word == words.FORGET:
            return self._forget(call, line)
        if word == words.REMIND:
            raise self.fail(f"{name} stands within {words.ONCE}(…) or {words.WHENEVER}(…), which say when.")
        kind = tree.TELLINGS[word]
        wanted = tree.given_to(kind)
        given = self._bound(name, call, [*wanted])
        for each in (each for each, default in wanted.items() if default is MISSING and each not in given):
            raise self.fail(f"{name} is missing a required argument: {each}.")
        return kind(**given, line=line)

    def _bound(self, name: str, call: ast.Call, parameters: Sequence[str]) -> dict[str, tree.Expression]:
        """The arguments of one of our own words, by the names of its parameters."""
        given = dict(zip(parameters, map(self.value, call.args), strict=False))
        given |= {str(each.arg): self.value(each.value) for each in call.keywords}
        if len(call.args) > len(parameters) or not given.keys() <= {*parameters}:
            raise self.fail(f"{name} was given too many arguments; it takes {', '.join(parameters) or 'none'}.")
        return given

    def _deed(self, name: str, call: ast.Call) -> tree.Expression:
        made = self._call(name, call)
        if not isinstance(made, tree.Call) or made.role in ("skill", "relation", "measure"):
            return made
        if made.role == "builtin" and name not in _ALSO_DEEDS:
            return made
        own = self._verb(name, call)
        self.corrected = self.corrected or own is not None
        return tree.Call(own or name, "skill" if own else "unknown", made.given, made.named)

    def _verb(self, name: str, call: ast.Call) -> str | None:
        """The only skill whose sentence begins with a word, and that takes so much: `raise("curtain")` is `hoist`."""
        skills = self._lexicon.skills
        verb = name.strip("_")
        named = [each for each, signature in skills.items() if signature.says.split(" ")[0].lower() == verb]
        fits = len(named) == 1 and len(skills[named[0]].parameters) == len(call.args) + len(call.keywords)
        return named[0] if fits else None

    def _rule(self, word: str, call: ast.Call, line: int) -> tree.Never | None:
        """`never(wake("Tom"), above=2)`; None for an `allow` that is about things."""
        match call.args:
            case [ast.Call(ast.Name(name)) as deed] if word == words.NEVER or name in self._lexicon.skills:
                made = self._deed(name, deed)
                named = {str(each.arg): self.value(each.value) for each in call.keywords}
                if isinstance(made, tree.Call) and named.keys() <= {words.ABOVE, words.UNTIL}:
                    lifted = word == words.ALLOW
                    return tree.Never(made, named.get(words.ABOVE), named.get(words.UNTIL), lifted, line=line)
        if word == words.ALLOW:
            return None
        raise self.fail(f"{word} takes a call of a skill, and above= or until=.")

    # What waits -------------------------------------------------------------------------------------------------------

    def _standing(self, word: str, call: ast.Call, line: int) -> tree.Standing:
        if call.keywords or len(call.args) < 2:
            raise self.fail(f"{word} takes a condition, clock(…) or amount(…), and then what to do: calls of skills.")
        again = word == words.WHENEVER
        when, *deeds = call.args
        return tree.Standing(self._moment(when, again=again), tuple(map(self._waiting, deeds)), again, line=line)

    def _moment(self, node: ast.expr, *, again: bool) -> tree.Expression:
        """What something waits for: a time of day, a time span, or a condition."""
        match node:
            case ast.Call(ast.Name(name)) if self._ours.get(name) == words.CLOCK:
                return self._time_of_day(node, again=again)
        found = self.value(node)
        if isinstance(found, tree.Amount):
            return self._span(found)
        if not any(isinstance(each, tree.Call | tree.Things) for each in tree.walk(found)):
            why = "what it waits for is a condition over relations and values, clock(…) with a time, or amount(…)."
            raise self.fail(why)
        return found

    def _all_given(self, call: ast.Call) -> list[tree.Expression]:
        return [self.value(each) for each in (*call.args, *(k.value for k in call.keywords))]

    def _time_of_day(self, call: ast.Call, *, again: bool) -> tree.TimeOfDay:
        given = self._all_given(call)
        texts = [each.value for each in given if isinstance(each, tree.Text)]
        if not 0 < len(given) <= 2 or len(texts) < len(given):
            raise self.fail(f'{words.CLOCK} takes a time such as "18:30", and a day, if one was said.')
        time, day = texts[0], "".join(texts[1:]).casefold()  # Monday is a monday
        try:
            read_time(time, day)
        except ValueError as error:
            raise self.fail(str(error)) from None
        if again and day == TOMORROW:
            raise self.fail(f"{TOMORROW} comes once; write {words.ONCE}(…).")
        return tree.TimeOfDay(time, day)

    def _span(self, span: tree.Amount) -> tree.Amount:
        if convert(1, span.unit, "second") is None:
            raise self.fail(f"{span.unit!r} is no unit of time; such are second, minute, hour, day and week.")
        if not isinstance(span.number, tree.Number) or span.number.value <= 0:
            raise self.fail("a time span has a number above 0.")
        return span

    def _waiting(self, node: ast.expr) -> tree.Statement:
        """A deed that waits, or a reminder."""
        match node:
            case ast.Call(ast.Name(name)) if self._ours.get(name) == words.REMIND:
                text = self._bound(name, node, ("text",)).get("text")
                if not isinstance(text, tree.Text) or not text.value.strip():
                    raise self.fail(f"{name} takes the words to say then.")
                return tree.Remind(text, line=node.lineno)
        return tree.Do(self._meant(node, f"only calls of skills and {words.REMIND}(…) can wait."), line=node.lineno)

    def _forget(self, call: ast.Call, line: int) -> tree.Forget:
        match call.args:
            case [] if not call.keywords:
                return tree.Forget(line=line)
            case [ast.Constant(str(text))] if text.strip() and not call.keywords:
                return tree.Forget(None, self.value(call.args[0]), line=line)
            case [ast.Call(ast.Name(name), [ast.Constant(str()) as text])] if self._ours.get(name) == words.REMIND:
                return tree.Forget(None, self.value(text), line=line)
            case [ast.Call(ast.Name()) as deed] if not call.keywords:
                return tree.Forget(self._meant(deed, f"{words.FORGET} takes a call of a skill."), line=line)
        raise self.fail(f"{words.FORGET} takes a call of a skill, the words of a reminder, or nothing.")

    def _meant(self, node: ast.expr, otherwise: str) -> tree.Call:
        """A deed that is only spoken of, or waits; arguments that do not matter may be left out."""
        match node:
            case ast.Call(ast.Name(name)) if name not in self._ours or self._verb(name, node) is not None:
                made = self._deed(name, node)
                if isinstance(made, tree.Call) and made.role in ("skill", "unknown"):
                    return made
        raise self.fail(otherwise)

    def _order(self, word: str, call: ast.Call, line: int) -> tree.Order:
        named = {str(each.arg): self.value(each.value) for each in call.keywords}
        if not named.keys() <= {"no", "exactly"}:
            raise self.fail(f"{word} takes names, no= and exactly=.")
        wanted = tuple(self.value(each) for each in call.args)
        return tree.Order(cast(Any, word), wanted, named.get("no", _NONE), named.get("exactly", _NONE), line=line)

    # Expressions ------------------------------------------------------------------------------------------------------

    def value(self, node: ast.expr) -> tree.Expression:
        """The tree of an expression."""
        self._line = node.lineno
        self._depth += 1
        if self._depth > _DEEPEST:
            raise self.fail("this is nested too deeply; write it in smaller steps.")
        try:
            return self._value(node)
        finally:
            self._depth -= 1

    def _value(self, node: ast.expr) -> tree.Expression:
        match node:
            case ast.Constant(value):
                return self._constant(value, (node.lineno, node.col_offset))
            case ast.Name(name):
                return self._name(name)
            case ast.Call(ast.Name(name)):
                return self._call(name, node)
            case ast.List(items) | ast.Tuple(items) | ast.Set(items):
                return tree.Row(tuple(map(self.value, items)))
            case ast.ListComp(item, loops) | ast.GeneratorExp(item, loops) | ast.SetComp(item, loops):
                bare = isinstance(node, ast.GeneratorExp)
                return tree.Each(self.value(item), tuple(map(self._loop, loops)), bare)
            case ast.UnaryOp(ast.Not(), inner):
                return tree.Not(self.value(inner))
            case ast.UnaryOp(ast.USub(), ast.Constant(int() | float() as number)):
                return tree.Number(-number)
            case ast.UnaryOp(ast.USub(), inner):
                return tree.Negative(self.value(inner))
            case ast.BoolOp(sign, parts):
                return tree.Joined("and" if isinstance(sign, ast.And) else "or", tuple(map(self.value, parts)))
            case ast.Compare(left, signs, others):
                rest = zip(map(self._sign, signs), map(self.value, others), strict=True)
                return tree.Compare(self.value(left), tuple(rest))
            case ast.BinOp(left, sign, right):
                return tree.Compute(self.value(left), self._sign(sign), self.value(right))
            case ast.Subscript(of, ast.Slice(start, end, None)):
                bounds = [None if each is None else self.value(each) for each in (start, end)]
                return tree.Part(self.value(of), bounds[0], bounds[1])
            case ast.Subscript(of, index) if not isinstance(index, ast.Slice):
                return tree.Item(self.value(of), self.value(index))
            case ast.IfExp(test, then, otherwise):
                return tree.Choose(self.value(test), self.value(then), self.value(otherwise))
        raise self.fail(f"{_word_for(node)} cannot be used here.")

    def _constant(self, value: object, place: tree.Place) -> tree.Expression:
        match value:
            case str():
                return tree.Text(value, place)
            case bool() | None:
                return tree.Truth(value)
            case int() | float() if abs(value) < _LARGEST:
                return tree.Number(value)
            case int() | float():
                raise self.fail("this number is too large.")
        raise self.fail(f"{value!r} cannot be used here.")

    def _name(self, name: str) -> tree.Expression:
        if len(name) > _LONGEST_NAME:
            why = f"the name {name[:_LONGEST_NAME]!r} cannot be used; names are plain letters, such as target."
            raise self.fail(why)
        if name not in self._variables:
            if name in self._lexicon.named:
                return tree.Things(name)
            if self._role(name) != "unknown" or name in self._ours:
                raise self.fail(f"{name} is a function; it can only be called, as in {name}(…).")
            raise self.fail(f"{UnknownName('variable', name, self._variables)} A text needs quotes.")
        return tree.Variable(name)

    def _sign(self, sign: ast.AST) -> str:
        if type(sign) not in _SIGNS:
            raise self.fail(f"{_word_for(sign)} cannot be used here.")
        return _SIGNS[type(sign)]

    def _loop(self, loop: ast.comprehension) -> tree.Loop:
        if not isinstance(loop.target, ast.Name):
            raise self.fail("a comprehension goes through a list with one name.")
        return tree.Loop(loop.target.id, self.value(loop.iter), tuple(map(self.value, loop.ifs)))

    def _role(self, name: str) -> tree.Role:
        lexicon = self._lexicon
        if name in lexicon.skills:
            return "skill"
        if name in lexicon.relations:
            return "relation"
        if name in lexicon.measures:
            return "measure"
        if name in BUILTINS:
            return "builtin"
        return "kind" if name in self._kinds else "unknown"

    def _call(self, name: str, call: ast.Call) -> tree.Expression:
        word = self._ours.get(name)
        if word in _PAST and len(call.args) == 1 and not call.keywords:
            return tree.Past(cast(Any, word), self.value(call.args[0]))
        if word in _ABOUT and not call.args and not call.keywords:
            return tree.About(cast(Any, word))
        if word in _OF_DEEDS and len(call.args) == 1 and not call.keywords:
            return tree.About(cast(Any, word), self._meant(call.args[0], f"{name} takes a call of a skill."))
        if word == words.CLOCK and (self._role(name) == "unknown" or _is_time(call)):
            raise self.fail(f"{name} with a time is the first argument of {words.ONCE} or {words.WHENEVER}, alone.")
        word = None if word == words.CLOCK else word
        if word in words.FORMS:
            return self._description(word, call)
        if word == words.AMOUNT:
            return self._amount(call)
        if word is not None and self._verb(name, call) is None:
            raise self.fail(f"{name} is no value.")
        role = self._role(name)
        if role == "unknown" and hasattr(builtins, name) and name not in _ALSO_DEEDS:
            raise self.fail(f"There is no function '{name}'.")
        if any(isinstance(each, ast.Starred) for each in call.args) or any(each.arg is None for each in call.keywords):
            raise self.fail("unpacking with a star cannot be used here.")
        given = tuple(map(self.value, call.args))
        named = tuple((str(each.arg), self._named(each)) for each in call.keywords)
        return tree.Call(name, role, given, named)

    def _named(self, given: ast.keyword) -> tree.Expression:
        match given.value:
            case ast.Lambda(ast.arguments(args=[ast.arg(variable)]), body) if given.arg == "key":
                return tree.Lambda(variable, self.value(body))
            case ast.Name(name) if given.arg == "key" and name not in self._variables:
                return tree.Function(name)
        return self.value(given.value)

    def _description(self, form: str, call: ast.Call) -> tree.Describe:
        given = [self.value(each) for each in (*call.args, *(k.value for k in call.keywords if k.arg != "n"))]
        texts = [each.value for each in given if isinstance(each, tree.Text)]
        among = tuple(each for each in given if not isinstance(each, tree.Text | tree.Number))
        counts = [self.value(k.value) for k in call.keywords if k.arg == "n"]
        numbers = [each.value for each in (*counts, *given) if isinstance(each, tree.Number)]
        place = (call.lineno, call.col_offset)
        return tree.Describe(cast(Any, form), " ".join(texts[:1]), among, int(next(iter(numbers), 1)), place)

    def _amount(self, call: ast.Call) -> tree.Amount:
        match self._all_given(call):
            case [number, tree.Text(unit)]:
                return tree.Amount(number, unit)
        raise self.fail("amount takes a number and a unit.")


_PAST = (words.BEFORE, words.AT_START)
_OF_DEEDS = (words.DONE, words.WHY, words.WHEN)
_ABOUT = (*_OF_DEEDS, words.TODO, words.ABILITIES, words.RULES, words.CLOCK)
_TELLING = frozenset((*words.FORMS, *_PAST, *_ABOUT, words.AMOUNT))


def _is_time(call: ast.Call) -> bool:
    """Whether a time of day is given: where there are clocks, `clock("hall clock")` asks whether this is one."""
    match call.args:
        case [ast.Constant(str(text)), *_]:
            return text[:1].isdigit() and text.replace(":", "").isdigit()
    return False


def _word_for(node: ast.AST) -> str:
    """What Python calls something that is not in the language: `while`, `import`."""
    known: dict[str, str] = {
        "ImportFrom": "import",
        "FunctionDef": "def",
        "ClassDef": "class",
        "Pow": "**",
        "Attribute": "a name with a dot",
    }
    return known.get(type(node).__name__, type(node).__name__.lower())
