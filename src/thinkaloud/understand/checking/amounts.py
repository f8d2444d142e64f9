"""How many were spoken of, and how many a reading has: all of a kind, one, two, all but one.

`All the animals` are no dogs alone; `a sword` is not both of them; `two plates` are not three. What would fit
instead is written where that is plain: the whole list, a part of it, or the noun, about which the robot then asks.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Collection, Iterator, Sequence

from thinkaloud.language.words import NUMBERS, plural, read_number, singular, spaced_words, stem, words_of
from thinkaloud.understand.checking.fitting import WORDS, Misfit, edited, list_called, lists_in, text_of
from thinkaloud.understand.checking.said import Said
from thinkaloud.understand.language import KEEP, spelled
from thinkaloud.understand.lexicon import THINGS, Lexicon
from thinkaloud.understand.saying.phrasing import one_of

_LEFT = re.compile(
    r"\b(?:but|except(?: for)?|leave|leaving|keep|keeping|spare|save)\s+(?:just |only |for )?(?P<a>one|two|three|\d)\b"
    r"|\b(?P<b>one|two|three|\d)(?: of them| \w+)? (?:stays?|remains?|(?:is|are) left|(?:may|can|should) stay)\b",
    re.IGNORECASE,
)

_COMPARED = r"\b(?:than|at least|at most|of(?: the| these| those| my| our)?|if there (?:are|were|is))\s+"
"""What stands before a number that says when something is done, or of how many one is chosen."""


# All of them ----------------------------------------------------------------------------------------------------------


def find_part(said: Said) -> Misfit | None:
    """A reading of `all the animals` that has only some of them: another list, or only a few of the names."""
    if not said.acts:
        return None
    for noun in _all_of(said.spoken):
        own = list_called(noun, said.lexicon)
        found = _less_than(own, said) if own is not None else _of_unknown(noun, said)
        if found is not None:
            return found
    return None


def _all_of(spoken: list[str]) -> Iterator[str]:
    """The nouns of which all are wanted: behind `all`, or several with `the` right before them."""
    for at, word in enumerate(spoken):
        row: list[str] = []
        for each in spoken[at + 1 : at + 6] if word in WORDS["all"] else ():
            if each in WORDS["boundary"] and each not in WORDS["skipped"]:
                break
            row += [each] if each not in WORDS["skipped"] else []
        if row and row[-1] not in NUMBERS:
            yield row[-1]
        if word == "the" and at + 1 < len(spoken) and _is_several(spoken[at + 1]):
            yield spoken[at + 1]


def _is_several(word: str) -> bool:
    return singular(word) != word and plural(singular(word)) == word


def _less_than(name: str, said: Said) -> Misfit | None:
    """Of a known list, a shorter one is named in its place, or not all of a list that was to be taken whole."""
    whole = {*said.lexicon.named[name]}
    used = lists_in(said.nodes, said.lexicon)
    if any(whole == {*said.lexicon.named[each]} for each in used):
        return None
    if any(whole < {*said.lexicon.named[each]} for each in used):
        return _more_than(name, used, said)
    parts = [each for each in used if {*said.lexicon.named[each]} < whole and not _is_spoken(each, said)]
    if parts:
        return Misfit((_with_list(said.meaning.program, parts, name),))
    return _others_than(name, said) if not used else None


def _more_than(name: str, used: Sequence[str], said: Said) -> Misfit | None:
    """A longer list is named in the place of the one that was spoken of: all the crew, for the sailors."""
    whole, several = {*said.lexicon.named[name]}, WORDS["spread"] - {"all", "every", "each", "both"}
    longer = [each for each in used if each != THINGS and whole < {*said.lexicon.named[each]}]
    spoken = [each for each in said.lexicon.named if each not in (name, THINGS) and _is_spoken(each, said)]
    besides = any({*said.lexicon.named[each]} <= {*said.lexicon.named[more]} for each in spoken for more in longer)
    if not longer or besides or several & {*said.spoken}:
        return None
    return Misfit((_with_list(said.meaning.program, longer, name),))


def _others_than(name: str, said: Said) -> Misfit | None:
    """Names that nobody said stand where a list that was spoken of would fit: other things, or not all of it."""
    whole = {*said.lexicon.named[name]}
    for call, at, taken in _taken(said):
        names = _names_in(call.args[at]) or tuple(filter(None, [text_of(call.args[at])]))
        known = bool(names) and {*names} <= {*said.lexicon.things} and whole <= {*said.lexicon.named[taken]}
        if known and not whole <= {*said.literals} and not all(_is_named(each, said) for each in names):
            old, new = ast.dump(call.args[at]), ast.Name(name, ast.Load())
            return Misfit((edited(said.meaning.program, lambda n, o=old, w=new: w if ast.dump(n) == o else n),))  # type: ignore[misc]
    return None


def _of_unknown(noun: str, said: Said) -> Misfit | None:
    """Nothing here is called so: then no list that is called otherwise is meant, if there is more to choose from."""
    if stem(noun) in _known_words(said.lexicon):
        return None
    for call, at, whole in _taken(said):
        given, lexicon = call.args[at], said.lexicon
        names = lexicon.named.get(given.id, ()) if isinstance(given, ast.Name) else _names_in(given)
        spoken = any(spaced_words(each) in spaced_words(said.request) for each in names)
        listed = isinstance(given, ast.Name) and _is_spoken(given.id, said)
        if names and {*names} < {*lexicon.named[whole]} and not spoken and not listed:
            old = ast.dump(given)
            whole_list = ast.Name(whole, ast.Load())
            instead = edited(said.meaning.program, lambda n, o=old, w=whole_list: w if ast.dump(n) == o else n)  # type: ignore[misc]
            return Misfit((instead,))
    return None


def _known_words(lexicon: Lexicon) -> set[str]:
    functions = (*lexicon.skills.values(), *lexicon.relations.values(), *lexicon.measures.values())
    texts = [*lexicon.things, *lexicon.lists, *lexicon.named, *(f"{each.name} {each.says}" for each in functions)]
    return {stem(word) for text in texts for word in words_of(text.replace("_", " "))} - {stem(THINGS)}


def _taken(said: Said) -> Iterator[tuple[ast.Call, int, str]]:
    """The arguments that skills are given, each with the list of all that could stand there."""
    for node in said.nodes:
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in said.lexicon.skills:
            parameters = said.lexicon.skills[node.func.id].parameters
            for at, parameter in enumerate(parameters[: len(node.args)]):
                whole = said.lexicon.list_of(parameter)
                if whole is not None and whole in said.lexicon.named:
                    yield node, at, whole


def _names_in(node: ast.expr) -> tuple[str, ...]:
    if not isinstance(node, ast.List) or len(node.elts) < 2:
        return ()
    texts = [text_of(each) for each in node.elts]
    return tuple(each for each in texts if each is not None) if None not in texts else ()


def _is_spoken(name: str, said: Said) -> bool:
    """Whether the noun of a list was said."""
    return stem(singular(one_of(name).split()[-1])) in {stem(singular(word)) for word in said.spoken}


def _with_list(program: str, parts: Collection[str], whole: str) -> str:
    def change(node: ast.AST) -> ast.AST:
        return ast.Name(whole, node.ctx) if isinstance(node, ast.Name) and node.id in parts else node

    return edited(program, change)


# One, and not several -------------------------------------------------------------------------------------------------


def find_several(said: Said) -> Misfit | None:
    """`A sword`, read as both of the two; instead of it, the noun: which one is then asked."""
    if not said.acts or WORDS["spread"] & {*said.spoken}:
        return None
    for count, noun, words in _determined(said):
        name = list_called(noun, said.lexicon)
        if count not in WORDS["one"] or name is None or _is_several(noun) or plural(noun) in said.spoken:
            continue
        members = {each for each in said.lexicon.named[name] if {*words[:-1]} <= {*each.lower().split()}}
        done = {value for step in said.meaning.deeds for value in step.arguments.values()} & members
        single = sum(word in WORDS["one"] or word == "other" for word in said.spoken)
        if len(done) > max(1, single, said.spoken.count(noun), sum(_is_named(each, said) for each in members)):
            return Misfit((_with_noun(said.meaning.program, members, " ".join(words), said.lexicon),))
    return None


def _determined(said: Said) -> Iterator[tuple[str, str, list[str]]]:
    """`a long sword`: what stands before a noun that names a list, the noun, and all words behind the first."""
    words = said.spoken
    for at, count in enumerate(words):
        for length in (1, 2, 3):
            row = words[at + 1 : at + 1 + length]
            if len(row) < length or row[-1] in WORDS["boundary"]:
                break
            if list_called(row[-1], said.lexicon) is not None:
                yield count, row[-1], row
                break


def _is_named(name: str, said: Said) -> bool:
    return spaced_words(name) in spaced_words(said.request)


def _with_noun(program: str, members: Collection[str], noun: str, lexicon: Lexicon) -> str:
    def change(node: ast.AST) -> ast.AST:
        names = lexicon.named.get(node.id, ()) if isinstance(node, ast.Name) else ()
        names = names or (_names_in(node) if isinstance(node, ast.List) else ())
        return ast.Constant(noun) if names and {*names} <= {*members} else node

    return edited(program, change)


# So many --------------------------------------------------------------------------------------------------------------


def find_other_amount(said: Said) -> Misfit | None:
    """`Two plates`, and three are stacked; `all but one`, and none is left. Instead: the first of the list."""
    left = _LEFT.search(said.request)
    if not said.acts:
        return None
    if left is not None:
        return _none_left(read_number(left["a"] or left["b"]), said)
    for count, noun, words in _determined(said):
        name = list_called(noun, said.lexicon)
        wanted = read_number(count)
        if name is None or wanted < 2 or len(words) > 2 or WORDS["spread"] & {*said.spoken}:
            continue
        if re.search(rf"{_COMPARED}{re.escape(count)}\b", said.request, re.IGNORECASE):
            continue
        members = {*said.lexicon.named[name]}
        done, first = members & _handled(said), members & _handled(said, first=True)
        besides = {each for each in done if not _is_named(str(each), said)}  # two of them, on the red block
        if done and wanted <= len(members) and wanted not in {*map(len, (done, first, besides))}:
            return Misfit((_cut(said, members, slice(wanted)),))
    return None


def _none_left(number: int, said: Said) -> Misfit | None:
    """Of a list of which so many were to be left, all are handled."""
    if spelled(KEEP, said.lexicon) in said.called:
        return None
    for name in dict.fromkeys(lists_in(said.nodes, said.lexicon)):
        members = {*said.lexicon.named[name]}
        if name != THINGS and len(members) > number and members <= _handled(said):
            return Misfit((_cut(said, members, slice(number, None)),))
    return None


def _handled(said: Said, *, first: bool = False) -> set[object]:
    """What something is done with, or would be if it were not so already; `first`: what it is done to."""
    most = 1 if first else None
    given = [*(each.arguments for each in said.meaning.deeds), *(each.arguments for each in said.meaning.act.already)]
    return {value for arguments in given for value in [*arguments.values()][:most]}


def _cut(said: Said, members: Collection[str], part: slice) -> str:
    """The program with so many of the list, where skills are given one."""
    lower, upper = (None if end is None else ast.Constant(end) for end in (part.start, part.stop))

    def change(node: ast.AST) -> ast.AST:
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in said.lexicon.skills:
            for at, given in enumerate(node.args):
                if _is_of(given, members, said.lexicon):
                    node.args[at] = ast.Subscript(given, ast.Slice(lower, upper), ast.Load())
        return node

    return edited(said.meaning.program, change)


def _is_of(given: ast.expr, members: Collection[str], lexicon: Lexicon) -> bool:
    match given:
        case ast.Name(name):
            return name in lexicon.named and {*lexicon.named[name]} <= {*members}
        case ast.List():
            return bool(_names_in(given)) and {*_names_in(given)} <= {*members}
        case ast.ListComp(_, [ast.comprehension(_, ast.Name(name))]):
            return name in lexicon.named and {*lexicon.named[name]} <= {*members}
    return False
