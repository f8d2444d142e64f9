"""`One block in each bowl`, and there are fewer blocks than bowls: as many as there are, and that the rest has to do
without is said.

A loop counts one list and takes from another by the same number: where that runs out, it goes as far as both do.
"""

from __future__ import annotations

import ast

from thinkaloud.understand.language import SAY, spelled
from thinkaloud.understand.lexicon import Lexicon
from thinkaloud.understand.switches import switchable


@switchable()
def as_far_as_it_goes(program: str, lexicon: Lexicon) -> str:
    """The program with every such loop as long as the shortest of its lists, and with a word about what is lacking.

    The same program where there is no such loop.
    """
    try:
        tree = ast.parse(program)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return program
    shortened = _Shortening(lexicon)
    tree = shortened.visit(tree)
    return ast.unparse(ast.fix_missing_locations(tree)) if shortened.found else program


class _Shortening(ast.NodeTransformer):
    def __init__(self, lexicon: Lexicon) -> None:
        self._lexicon = lexicon
        self.found = False

    def visit_For(self, node: ast.For) -> ast.AST | list[ast.stmt]:
        self.generic_visit(node)
        match node:
            case ast.For(ast.Name(number), ast.Call(ast.Name("range"), [ast.Call(ast.Name("len"), [counted], [])], [])):
                taken = [
                    each.value
                    for part in node.body
                    for each in ast.walk(part)
                    if isinstance(each, ast.Subscript) and isinstance(each.slice, ast.Name) and each.slice.id == number
                ]
                others = {ast.dump(each): each for each in taken if ast.dump(each) != ast.dump(counted)}
                if not others or any(not isinstance(each, ast.Name) for each in others.values()):
                    return node
                self.found = True
                lengths = [_length(each) for each in (counted, *others.values())]
                node.iter = ast.Call(ast.Name("range"), [ast.Call(ast.Name("min"), lengths, [])], [])
                return [*(self._tell_lack(each, counted) for each in others.values()), node]
        return node

    def _tell_lack(self, short: ast.expr, counted: ast.expr) -> ast.stmt:
        """That there are too few of a list, said where it is so."""
        few, many = (self._noun(each) for each in (short, counted))
        words = f"There are not enough {few} for all the {many}." if few and many else "There are not enough for all."
        say = ast.Expr(ast.Call(ast.Name(spelled(SAY, self._lexicon)), [ast.Constant(words)], []))
        return ast.If(ast.Compare(_length(short), [ast.Lt()], [_length(counted)]), [say], [])

    def _noun(self, listed: ast.expr) -> str:
        match listed:
            case ast.Name(name) | ast.ListComp(_, [ast.comprehension(_, ast.Name(name))]):
                return name.replace("_", " ") if name in self._lexicon.named else ""
        return ""


def _length(listed: ast.expr) -> ast.expr:
    return ast.Call(ast.Name("len"), [listed], [])
