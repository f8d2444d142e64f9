"""`The barn or the yard`: one of them is wanted, never both. A reading that does both is one for each of them instead.

Which part of a program is on which side of the `or` is told by their words: names of things, values of choices, verbs.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Collection

from thinkaloud.language.words import stem, stems, words_of
from thinkaloud.understand.checking.fitting import WORDS, Misfit, as_list, call_of, edited, parsed, text_of, texts_in
from thinkaloud.understand.checking.said import Said
from thinkaloud.understand.clauses import clauses_of, is_one_sentence
from thinkaloud.understand.lexicon import Lexicon

_OR = re.compile(r"\s+or\s+(?!(?:so|something|else|not|whatever|anything|other)\b)", re.IGNORECASE)
_MOST_WRITTEN_OUT = 6


def find_both(said: Said) -> Misfit | None:
    """A reading that does all of what was to be chosen from; instead of it, one for each choice."""
    sides = _sides(said.request)
    if sides is None or said.meaning.sort not in ("deeds", "refusal") or WORDS["selecting"] & {*said.spoken}:
        return None
    left, right = sides
    program = _written_out(said)
    tree = parsed(program)
    if tree is None:
        return None
    for node in ast.walk(tree):
        if isinstance(node, ast.List):
            parts: list[ast.AST] = [*node.elts]
            chosen = _choices([_words(each, said) for each in parts], left, right)
            if len(chosen) > 1:
                return Misfit(tuple(_with_one(program, node, at) for at in chosen))
    statements: list[ast.AST] = [each for each in tree.body if call_of(each) is not None]
    chosen = _choices([_words(each, said) for each in statements], left, right, beside=True)
    if len(chosen) < 2 or not _goes_with(statements[chosen[0]], statements[chosen[1]], right, said):
        return None
    dropped = {at: {ast.dump(statements[other]) for other in chosen if other != at} for at in chosen}
    return Misfit(tuple(_without(program, each) for each in dropped.values()))


def split_choice(request: str, lexicon: Lexicon) -> tuple[str, str] | None:
    """A request for one of two as the two requests that it may be: `stop the pump`, `stop the engine`.

    None where it is not plain what stands on the two sides: a verb of a skill each, or things by their names.
    """
    text = request.strip().rstrip(".!")
    parts = _OR.split(re.sub(r"\beither\s+", "", text, flags=re.IGNORECASE))
    if len(parts) != 2 or WORDS["selecting"] & {*words_of(text)} or not is_one_sentence(text):
        return None
    left, right = parts
    verbs = {stem(word) for each in lexicon.skills.values() for word in words_of(each.says)[:1]}
    begun = [bool(verbs & {stem(word) for word in words_of(part)[:2]}) for part in parts]
    if all(begun):
        return None if re.search(r",|\band\b", left) else (f"{left}.", f"{right}.")
    choices = (name for skill in lexicon.skills.values() for p in skill.parameters for name in p.choices or ())
    names = [*lexicon.things, *dict.fromkeys(choices)]
    one = next((each for each in names if re.search(rf"\b{re.escape(each)}$", left, re.IGNORECASE)), None)
    behind = re.match(r"(?:(?:in|into|on|onto|to|at|with|from)\s+)?(?:the\s+)?", right, re.IGNORECASE)
    name = right[behind.end() :] if behind is not None else right
    other = next((each for each in names if re.match(rf"{re.escape(each)}\b", name, re.IGNORECASE)), None)
    if one is None or other is None:
        return None
    rest = name[len(other) :]
    return f"{left}{rest}.", f"{left[: -len(one)]}{other}{rest}."


def _sides(request: str) -> tuple[set[str], set[str]] | None:
    """The words on each side of an `or` within one clause, those of both sides left out."""
    for clause in clauses_of(request):
        parts = _OR.split(clause)
        if len(parts) == 2:
            left, right = (_roots(part) for part in parts)
            return left - right, right - left
    return None


def _roots(text: str) -> set[str]:
    return stems(text) | {stem(word) for word in words_of(text)}


def _written_out(said: Said) -> str:
    """The program with `the yard or the barn` as the two things that these are, and short lists one by one."""
    named, things = said.lexicon.named, said.lexicon.things

    def change(node: ast.AST) -> ast.AST:
        text = text_of(node)
        if text is not None and len(parts := _OR.split(text)) == 2:
            found = [each for part in parts for each in things if part.lower().removeprefix("the ") == each.lower()]
            return as_list(found) if len(found) == 2 else node
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in said.lexicon.skills:
            for at, given in enumerate(node.args):
                names = named.get(given.id, ()) if isinstance(given, ast.Name) else ()
                if 1 < len(names) <= _MOST_WRITTEN_OUT:
                    node.args[at] = as_list(names)
        return node

    return edited(said.meaning.program, change)


def _words(node: ast.AST, said: Said) -> set[str]:
    """What a part of a program speaks of; of a call, with the words of its skill."""
    found = _roots(" ".join(texts_in(node)))
    called = call_of(node)
    if called is not None and called[0] in said.lexicon.skills:
        signature = said.lexicon.skills[called[0]]
        found |= _roots(f"{signature.name.replace('_', ' ')} {re.sub(r'{.*?}', ' ', signature.says)}")
    return found


def _choices(
    parts: list[set[str]], left: Collection[str], right: Collection[str], *, beside: bool = False
) -> list[int]:
    """The parts among which one is to be chosen: those of the right side, and those of the left that go with them.

    `beside`: only the one right before; what comes earlier is wanted in any case.
    """
    shared = set[str].intersection(*parts) if len(parts) > 1 else set[str]()
    parts = [words - shared for words in parts]  # `the east or the west window`: both are windows
    of_right = [at for at, words in enumerate(parts) if words & {*right}]
    of_left = [at for at, words in enumerate(parts) if words & {*left} and at not in of_right]
    if not of_right or not of_left:
        return []
    before = [at for at in of_left if at < of_right[0]]
    return [*(before[-1:] if beside else of_left), *of_right]


def _goes_with(one: ast.AST, other: ast.AST, right: Collection[str], said: Said) -> bool:
    """Whether two calls are what is to be chosen from: of the same skill, or the verb of the second one was said."""
    first, second = call_of(one), call_of(other)
    if first is None or second is None or second[0] not in said.lexicon.skills:
        return False
    signature = said.lexicon.skills[second[0]]
    verbs = {stem(word) for text in (signature.says, signature.name) for word in words_of(text)[:1]}
    return first[0] == second[0] or bool(verbs & {*right})


def _with_one(program: str, listed: ast.List, at: int) -> str:
    wanted = ast.dump(listed)
    return edited(program, lambda node: listed.elts[at] if ast.dump(node) == wanted else node)


def _without(program: str, statements: Collection[str]) -> str:
    return edited(program, lambda node: None if ast.dump(node) in statements else node)
