"""Questions that a reading answers beside the point: `What is in the bowl?`, told of what lies in baskets.

A relation that cannot be told of the thing that was named, a list of other things than could be meant, a value that
nobody said: an answer to that would be one to another question. What could be told of the thing is offered instead.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import TypeGuard

from thinkaloud.language.words import spaced_words, stems
from thinkaloud.skills.signatures import Parameter, Signature
from thinkaloud.understand.checking.fitting import Misfit, as_list, edited, list_called, text_of
from thinkaloud.understand.checking.said import Said
from thinkaloud.understand.language import SAY, spelled
from thinkaloud.understand.meaning.circumstances import Circumstances

_OPEN = frozenset({"what", "what's", "which", "who", "who's", "whose", "where", "where's"})
_RELATIVE = frozenset({"that", "which", "who"})
_MOST_OFFERED = 3


def find_beside(said: Said, at: Circumstances) -> Misfit | None:
    """An answer that is one to another question than was asked."""
    if said.meaning.sort != "answer" or not _OPEN & {*said.spoken[:2]}:
        return None
    for signature, call in _asked(said):
        for parameter, given in zip(signature.parameters, call.args, strict=False):
            text = text_of(given)
            if isinstance(given, ast.Name) and _is_foreign(given.id, parameter, said, at):
                named = [each for other in call.args if (each := text_of(other)) in said.lexicon.things]
                return Misfit(tuple(_told_of(str(named[0]), said, at)) if named else ())
            if text is None:
                continue
            if text in said.lexicon.things and text not in _options(parameter, said, at):
                return Misfit(tuple(_told_of(text, said, at)))
            things = [each for other in call.args if (each := text_of(other)) in said.lexicon.things]
            if parameter.choices is not None and spaced_words(text) not in spaced_words(said.request) and things:
                return Misfit(tuple(_told_of(str(things[0]), said, at)))
    for node in said.nodes:
        if isinstance(node, ast.ListComp) and not _uses_its_things(node):
            named = [text for text in said.literals if text in said.lexicon.things]
            return Misfit(tuple(_told_of(named[0], said, at)) if named else ())
    return _too_narrow(said, at)


def find_hollow(said: Said) -> Misfit | None:
    """A yes that follows from the question: whether all that are clean and varnished are clean.

    Offered is what was asked, as far as the order of the words tells which of the two that is.
    """
    if said.meaning.sort != "answer":
        return None
    for node in said.nodes:
        match node:
            case ast.Call(ast.Name("all"), [ast.ListComp(so, [ast.comprehension(_, _, [condition])])]):
                parts = condition.values if _is_and(condition) else [condition]
                others = [each for each in parts if ast.unparse(each) != ast.unparse(so)]
                if len(others) == len(parts):
                    continue
                ways = [(so, others), (others[0], [so])] if len(others) == 1 else [(so, others)] if others else []
                ways.sort(key=lambda way: -_place(way[0], said))
                if _RELATIVE & {*said.spoken}:  # "varnished that is clean": first comes what is asked
                    ways.reverse()
                return Misfit(tuple(_asking_all(said, node, *way) for way in ways))
    return None


def _place(so: ast.expr, said: Said) -> int:
    """Where in the words a relation is spoken of; before all of them where it is not."""
    name = so.func.id if isinstance(so, ast.Call) and isinstance(so.func, ast.Name) else ""
    return next((at for at, word in enumerate(said.spoken) if stems(word) & stems(spaced_words(name))), -1)


def _is_and(condition: ast.expr) -> TypeGuard[ast.BoolOp]:
    return isinstance(condition, ast.BoolOp) and isinstance(condition.op, ast.And)


def _asking_all(said: Said, asked: ast.AST, so: ast.expr, conditions: list[ast.expr]) -> str:
    """The program with another question in the place of that one."""

    def change(node: ast.AST) -> ast.AST | None:
        if ast.dump(node) != ast.dump(asked):
            return node
        assert isinstance(node, ast.Call) and isinstance(node.args[0], ast.ListComp)
        (generator,) = node.args[0].generators
        listed = ast.ListComp(so, [ast.comprehension(generator.target, generator.iter, conditions, 0)])
        return ast.Call(node.func, [listed], [])

    return edited(said.meaning.program, change)


def _uses_its_things(listed: ast.ListComp) -> bool:
    """Whether what has to be so of the things of a list has to do with them."""
    conditions = [each for generator in listed.generators for each in generator.ifs]
    own = {n.id for each in listed.generators for n in ast.walk(each.target) if isinstance(n, ast.Name)}
    used = {n.id for each in conditions for n in ast.walk(each) if isinstance(n, ast.Name)}
    return not conditions or bool(own & used)


def _is_foreign(variable: str, parameter: Parameter, said: Said, at: Circumstances) -> bool:
    """Whether a variable stands for things of a list of which none can be given to a parameter."""
    for node in said.nodes:
        match node:
            case ast.comprehension(ast.Name(name), ast.Name(several)) if name == variable:
                names = said.lexicon.named.get(several, ())
                return bool(names) and not {*names} & {*_options(parameter, said, at)}
    return False


def _asked(said: Said) -> Iterator[tuple[Signature, ast.Call]]:
    for node in said.nodes:
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in said.lexicon.relations:
            yield said.lexicon.relations[node.func.id], node


def _options(parameter: Parameter, said: Said, at: Circumstances) -> tuple[str, ...]:
    if parameter.kind is None:
        return parameter.choices or said.lexicon.things
    return tuple(at.scene.vocabulary.get(parameter.kind, ()))


def _told_of(thing: str, said: Said, at: Circumstances) -> list[str]:
    """The questions to which an answer could be given that has to do with a thing, by what is nearest to the words."""
    say, found = spelled(SAY, said.lexicon), list[tuple[int, str]]()
    for name, signature in {**said.lexicon.measures, **said.lexicon.relations}.items():
        program = _question(name, signature, thing, said, at)
        if program is not None:
            near = len(stems(f"{signature.says} {signature.about}") & stems(said.request))
            found.append((-near, f"{say}({program})"))
    return [program for _, program in sorted(found, key=lambda each: each[0])][:_MOST_OFFERED]


def _question(name: str, signature: Signature, thing: str, said: Said, at: Circumstances) -> str | None:
    """What a measure tells of a thing, or the values with which a relation holds of it."""
    taken = signature.parameters
    places = [at_ for at_, each in enumerate(taken) if thing in _options(each, said, at)]
    if name in said.lexicon.measures:
        return f"{name}({thing!r})" if len(taken) == 1 and places else None
    if len(taken) != 2 or len(places) != 1:
        return None
    other = taken[1 - places[0]]
    values = said.lexicon.list_of(other) if other.kind is not None else ast.unparse(as_list(other.choices or ()))
    order = (f"{thing!r}, x") if places[0] == 0 else (f"x, {thing!r}")
    return f"[x for x in {values} if {name}({order})]" if values and values != "[]" else None


def _too_narrow(said: Said, at: Circumstances) -> Misfit | None:
    """Only cups are looked through, where nobody spoke of cups and other things could be there as well."""
    for node in said.nodes:
        match node:
            case ast.comprehension(ast.Name(variable), ast.Name(several)) if several in said.lexicon.named:
                whole = _whole(variable, said)
                narrow = whole is not None and {*said.lexicon.named[several]} < {*said.lexicon.named[whole]}
                if whole is not None and narrow and several not in {list_called(w, said.lexicon) for w in said.spoken}:
                    return Misfit((_with(said.meaning.program, several, whole),))
    return None


def _whole(variable: str, said: Said) -> str | None:
    """The list of all that the only relation which is asked of a variable can be asked of."""
    found = {
        said.lexicon.list_of(parameter)
        for signature, call in _asked(said)
        for parameter, given in zip(signature.parameters, call.args, strict=False)
        if isinstance(given, ast.Name) and given.id == variable
    }
    return next(iter(found)) if len(found) == 1 else None


def _with(program: str, old: str, new: str) -> str:
    return edited(program, lambda n: ast.Name(new, n.ctx) if isinstance(n, ast.Name) and n.id == old else n)
