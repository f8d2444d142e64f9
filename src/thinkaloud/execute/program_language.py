"""The language of model-written programs: a small part of Python, checked before a program runs.

Variables, loops, conditions, comprehensions, functions, calls of known functions and of a few methods; nothing else.
Functions are not values: they are called by name, or named as `key=` of sorted, min and max. So every call is known
before the program starts, and an unknown function, a missing argument or a forgotten quote is found before anything
moves.

Only checked code runs: the program is regenerated from its checked syntax tree, without comments, and with the given
functions under names that a program cannot spell. A variable may therefore share the name of a given function
(`blocks = blocks()`); a call always means the given one.
"""

from __future__ import annotations

import ast
import inspect
from bisect import bisect_right
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from thinkaloud.errors import CodeRefused, UnknownName
from thinkaloud.language.calls import BUILTINS
from thinkaloud.untrusted.python_text import parse_statements

_METHODS = (
    "add append capitalize copy count discard endswith extend find get index insert intersection items join keys lower "
    "pop remove replace reverse sort split startswith strip title union update upper values"
)
METHODS = frozenset(_METHODS.split())
_KEYED = frozenset({"sorted", "min", "max"})
_DEEPEST = 60
"""How deeply statements and expressions may be nested; Python's own parser and printer are safe far beyond it."""
LARGEST_INTEGER = 2**63
_LONGEST_NAME = 80
GIVEN = "_given_"
"""What the given functions' names begin with inside the interpreter."""

_PLAIN = (
    *(ast.Module, ast.Expr, ast.Assign, ast.AugAssign, ast.For, ast.While, ast.If, ast.Break, ast.Continue, ast.Pass),
    *(ast.Return, ast.BoolOp, ast.BinOp, ast.UnaryOp, ast.Compare, ast.IfExp, ast.Subscript, ast.Slice, ast.List),
    *(ast.Tuple, ast.Dict, ast.Set, ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp, ast.JoinedStr),
    *(ast.Load, ast.Store, ast.And, ast.Or, ast.Not, ast.USub, ast.UAdd, ast.Add, ast.Sub, ast.Mult, ast.Div),
    *(ast.FloorDiv, ast.Mod, ast.Pow, ast.BitAnd, ast.BitOr, ast.cmpop),
)
_WORDS: dict[type[ast.AST], str] = {
    **dict.fromkeys((ast.Import, ast.ImportFrom), "import"),
    **dict.fromkeys((ast.Try, ast.TryStar), "try"),
    **dict.fromkeys((ast.AsyncFunctionDef, ast.AsyncFor, ast.AsyncWith, ast.Await), "async"),
    **dict.fromkeys((ast.Yield, ast.YieldFrom), "yield"),
    ast.LShift: "<<",
    ast.RShift: ">>",
    ast.BitXor: "^",
    ast.Invert: "~",
    ast.MatMult: "@",
    ast.ClassDef: "class",
    ast.Delete: "del",
    ast.NamedExpr: "an assignment inside an expression",
    ast.AnnAssign: "a type hint",
    ast.Lambda: "lambda (other than as key= of sorted, min or max)",
    ast.Starred: "unpacking with a star",
}
_ALLOWED = "Use variables, if, for, while, def, comprehensions and calls of known functions."


@dataclass(frozen=True)
class SafeProgram:
    """A checked program: as written, as it runs, and how the lines of the two correspond."""

    code: str
    source: str
    starts: tuple[int, ...]
    """The lines of `source` at which its statements start, in order."""
    lines: tuple[int, ...]
    """The lines of `code` at which the same statements start."""
    helped: bool
    """Whether it needs the prelude."""

    def line(self, number: int) -> int:
        """The line of `code` that a line of `source` came from."""
        return self.lines[max(0, bisect_right(self.starts, number) - 1)] if self.lines else 1

    def line_at(self, place: int) -> int:
        """The line of `code` that a byte of `source` came from."""
        return self.line(self.source.encode()[:place].count(b"\n") + 1)


def read_program(code: str, functions: Mapping[str, Callable[..., Any]], length: int) -> SafeProgram:
    """Check `code`; CodeRefused says what is not in the language, and in which line."""
    tree = _parsed(code, length)
    _Check(code, tree, functions).visit(tree)
    rewrite = _Rewrite(functions)
    tree = ast.fix_missing_locations(rewrite.visit(tree))
    try:
        source = ast.unparse(tree)
    except ValueError as error:  # nested quotes that this version of Python cannot write
        raise CodeRefused("An f-string is too entangled; put its parts into variables first.", code) from error
    written = [
        (new.lineno, old.lineno)
        for new, old in zip(_statements(parse_statements(source)), _statements(tree), strict=True)
    ]
    written.sort()
    return SafeProgram(code, source, tuple(new for new, _ in written), tuple(old for _, old in written), rewrite.helped)


def _parsed(code: str, length: int) -> ast.Module:
    if len(code) > length:
        raise CodeRefused(f"The program has {len(code)} characters, more than {length}; write a shorter one.", code)
    try:
        tree = parse_statements(code)
    except SyntaxError as error:
        raise CodeRefused(f"Line {error.lineno or 1}: {error.msg.rstrip('?.')}.", code) from None
    except (RecursionError, MemoryError, SystemError):  # how Python's parser reports thousands of levels
        raise CodeRefused("The program is nested too deeply; write it in smaller steps.", code) from None
    except ValueError:
        raise CodeRefused("The program has characters that are no text; write plain letters.", code) from None
    level: list[ast.AST] = [tree]
    line = 1
    for _ in range(_DEEPEST):
        line = max([line, *(getattr(node, "lineno", 1) for node in level[:1])])
        level = [child for node in level for child in ast.iter_child_nodes(node)]
    if level:
        raise CodeRefused(f"Line {line}: this is nested too deeply; write it in smaller steps.", code)
    return tree


def _statements(tree: ast.AST) -> Iterator[ast.stmt]:
    return (node for node in ast.walk(tree) if isinstance(node, ast.stmt))


class _Check(ast.NodeVisitor):
    """Accepts what is in the language and refuses everything else."""

    def __init__(self, code: str, tree: ast.Module, functions: Mapping[str, Callable[..., Any]]) -> None:
        nodes = list(ast.walk(tree))
        self.code = code
        self.functions = functions
        self.defined = {node.name for node in nodes if isinstance(node, ast.FunctionDef)}
        self.variables = {node.id for node in nodes if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}
        self.variables |= {node.arg for node in nodes if isinstance(node, ast.arg)}
        self.callable = {*functions, *self.defined, *BUILTINS}
        self.inside = False
        self.line = 1

    def refuse(self, why: str) -> CodeRefused:
        return CodeRefused(f"Line {self.line}: {why}", self.code)

    def visit(self, node: ast.AST) -> None:
        self.line = getattr(node, "lineno", self.line)
        super().visit(node)

    def generic_visit(self, node: ast.AST) -> None:
        if not isinstance(node, _PLAIN):
            what = _WORDS.get(type(node), type(node).__name__.lower())
            raise self.refuse(f"{what} cannot be used here. {_ALLOWED}")
        super().generic_visit(node)

    def spelled(self, name: str) -> None:
        """Refuses names that are not plain."""
        if name == "_":  # `for _ in range(3)`
            return
        if not name.isascii() or name.startswith("_") or "__" in name or len(name) > _LONGEST_NAME:
            raise self.refuse(
                f"the name {name[:_LONGEST_NAME]!r} cannot be used; names are plain letters, such as target."
            )

    def bound(self, name: str) -> None:
        """Refuses variables that would replace the program's own functions."""
        self.spelled(name)
        if name in self.defined:
            raise self.refuse(f"{name!r} is a function of the program already; give the variable another name.")

    def visit_Name(self, node: ast.Name) -> None:
        self.spelled(node.id)
        if not isinstance(node.ctx, ast.Load):
            self.bound(node.id)
        elif node.id not in self.variables:
            if node.id in self.callable:
                raise self.refuse(f"{node.id} is a function; it can only be called, as in {node.id}(…).")
            unknown = UnknownName("variable", node.id, self.variables)
            raise self.refuse(f"{unknown} A text needs quotes.")

    def visit_Constant(self, node: ast.Constant) -> None:
        value = node.value
        if not (value is None or isinstance(value, str | bool | int | float)):
            raise self.refuse(f"{type(value).__name__} values cannot be used; use text, numbers, True, False or None.")
        if isinstance(value, int | float) and not -LARGEST_INTEGER < value < LARGEST_INTEGER:
            raise self.refuse("this number is too large.")

    def visit_Dict(self, node: ast.Dict) -> None:
        if None in node.keys:
            raise self.refuse(f"unpacking with two stars cannot be used here. {_ALLOWED}")
        self.generic_visit(node)

    def visit_FormattedValue(self, node: ast.FormattedValue) -> None:
        if node.conversion != -1 or node.format_spec is not None:
            raise self.refuse("an f-string can only hold plain values, without ':' or '!'; use round() or str().")
        self.visit(node.value)

    def visit_comprehension(self, node: ast.comprehension) -> None:
        if node.is_async:
            raise self.refuse(f"async cannot be used here. {_ALLOWED}")
        for part in (node.target, node.iter, *node.ifs):
            self.visit(part)

    def visit_Attribute(self, node: ast.Attribute) -> None:
        raise self.refuse(
            f".{node.attr[:_LONGEST_NAME]} cannot be read; only methods can be called, as in x.append(y)."
        )

    def visit_Return(self, node: ast.Return) -> None:
        if not self.inside:
            raise self.refuse("return belongs inside a function.")
        self.generic_visit(node)

    def visit_FunctionDef(self, node: ast.FunctionDef) -> None:
        taken = node.args
        self.spelled(node.name)
        if self.inside:
            raise self.refuse("a function cannot be defined inside another; define it before.")
        if node.name in self.functions or node.name in BUILTINS:
            raise self.refuse(f"{node.name} is there already; call it, or give your function another name.")
        if node.decorator_list or getattr(node, "type_params", None):
            raise self.refuse(f"a decorator or type parameter cannot be used here. {_ALLOWED}")
        if taken.vararg or taken.kwarg or taken.kwonlyargs or taken.posonlyargs:
            raise self.refuse("a function takes plain arguments, without * and /.")
        if node.returns or any(each.annotation for each in taken.args):
            raise self.refuse("a type hint cannot be used here; write the bare argument.")
        for each in taken.args:
            self.bound(each.arg)
        for default in taken.defaults:
            self.visit(default)
        self.inside = True
        for statement in node.body:
            self.visit(statement)
        self.inside = False

    def visit_Call(self, node: ast.Call) -> None:
        match node.func:
            case ast.Attribute(value, name):
                if name not in METHODS:
                    raise self.refuse(f"there is no method .{name[:_LONGEST_NAME]}(). Known: {_listed(METHODS)}.")
                self.visit(value)
            case ast.Name(name):
                self.called(name)
            case _:
                raise self.refuse("only a function's name can be called, as in name(…).")
        keyed = isinstance(node.func, ast.Name) and name in _KEYED and any(each.arg == "key" for each in node.keywords)
        if keyed and (len(node.args) != 1 or {each.arg for each in node.keywords} - {"key", "reverse", "default"}):
            raise self.refuse(f"{name} with key= takes one list.")
        for argument in node.args:
            self.visit(argument)
        for keyword in node.keywords:
            if keyword.arg is None:
                raise self.refuse(f"unpacking with two stars cannot be used here. {_ALLOWED}")
            self.spelled(keyword.arg)
            if keyed and keyword.arg == "key":
                self.key(keyword.value)
            elif keyword.arg == "key" and isinstance(node.func, ast.Attribute):
                raise self.refuse(f".{name}() takes no key= here; use sorted(…, key=…).")
            else:
                self.visit(keyword.value)
        if isinstance(node.func, ast.Name):
            self.line = node.lineno
            self.bind(name, len(node.args), [str(each.arg) for each in node.keywords])

    def called(self, name: str) -> None:
        """Refuses calls of unknown functions."""
        self.spelled(name)
        if name in self.callable:
            return
        if name in self.variables:
            raise self.refuse(f"{name} is a variable and cannot be called.")
        raise self.refuse(str(UnknownName("function", name, {*self.functions, *self.defined})))

    def bind(self, name: str, places: int, names: list[str]) -> None:
        """Refuses calls of a given function with arguments it does not take."""
        if name not in self.functions:
            return
        taken = inspect.signature(self.functions[name])
        try:
            taken.bind(*[None] * places, **dict.fromkeys(names))
        except TypeError as error:
            raise self.refuse(f"{name}({', '.join(taken.parameters)}) is called wrongly: {error}.") from None

    def key(self, node: ast.expr) -> None:
        """A function's name, or a lambda of one argument."""
        if isinstance(node, ast.Name) and (node.id not in self.variables or node.id in self.functions):
            self.called(node.id)
            self.bind(node.id, 1, [])
        elif isinstance(node, ast.Lambda):
            taken = node.args
            if (
                taken.vararg
                or taken.kwarg
                or taken.kwonlyargs
                or taken.posonlyargs
                or taken.defaults
                or len(taken.args) != 1
            ):
                raise self.refuse("the lambda of key= takes exactly one plain argument.")
            self.bound(taken.args[0].arg)
            self.visit(node.body)
        else:
            raise self.refuse("key= takes the name of a function, or a lambda.")


class _Rewrite(ast.NodeTransformer):
    """Turns a checked tree into one for the interpreter, which differs from Python here and there."""

    def __init__(self, functions: Mapping[str, Any]) -> None:
        self.functions = functions
        self.helped = False
        self.over: ast.expr | None = None

    def visit_For(self, node: ast.For) -> ast.AST:
        return self.looped(node)

    def visit_comprehension(self, node: ast.comprehension) -> ast.AST:
        return self.looped(node)

    def looped(self, node: ast.For | ast.comprehension) -> ast.AST:
        """A range in a loop stays a range; any other becomes a list, which can leave the interpreter."""
        self.over = node.iter
        return self.generic_visit(node)

    def visit_Call(self, node: ast.Call) -> ast.AST:
        looped = node is self.over
        self.generic_visit(node)
        match node.func:
            case ast.Name(name) if name in self.functions:
                node.func = ast.Name(GIVEN + name, ast.Load())
            case ast.Name(name) if name in _KEYED and any(each.arg == "key" for each in node.keywords):
                self.helped = True
                node.func = ast.Name("_" + name, ast.Load())
                for each in node.keywords:
                    if each.arg == "key" and isinstance(each.value, ast.Name):
                        each.value = self.wrapped(each.value.id)
            case ast.Name("range") | ast.Attribute(attr="items" | "keys" | "values") if not looped:
                self.helped = True
                return ast.Call(ast.Name("_list", ast.Load()), [node], [])
        return node

    def wrapped(self, name: str) -> ast.Lambda:
        taken = ast.arguments([], [ast.arg("_it")], None, [], [], None, [])
        function = GIVEN + name if name in self.functions else name
        return ast.Lambda(taken, ast.Call(ast.Name(function, ast.Load()), [ast.Name("_it", ast.Load())], []))


def _listed(names: frozenset[str]) -> str:
    return ", ".join(sorted(names))


PRELUDE = """
_list, _order, _length, _range, _nothing = list, sorted, len, range, []
def _sorted(things, key, reverse=False):
    things = _list(things)
    ranks = [key(thing) for thing in things]
    return [things[i] for i in _order(_range(_length(things)), key=lambda i: ranks[i], reverse=reverse)]
def _first(things, default):
    if not things and default is _nothing:
        raise ValueError('min() or max() of an empty list')
    return things[0] if things else default
def _min(things, key, default=_nothing):
    return _first(_sorted(things, key), default)
def _max(things, key, default=_nothing):
    return _first(_sorted(things, key, True), default)
"""
"""sorted, min and max whose key may call given functions; the interpreter's own versions may not."""
