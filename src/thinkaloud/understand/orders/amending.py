"""An order as a model wrote it, with what follows from the words, the guidelines and the order that is under way.

    "a strawberry boba milk"      order("strawberry jam", "boba")     order("strawberry jam", "boba", "milk")
    "two strawberry milks"        order("2 strawberry jam")           order("2 Strawberry milk")
    "some boba as well"           scoop_boba("working area")          change("boba"), amid an order
    "could you do another?"       order("1 plate")                    change("1 plate"), amid an order of plates

What was named and is neither ordered nor refused is put in where that is plain.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace

from thinkaloud.guidelines.order_form import Want
from thinkaloud.language.name_matching import all_names, find_named, resolve_name
from thinkaloud.understand.language import CHANGE, ORDER, spelled
from thinkaloud.understand.meaning.circumstances import Circumstances
from thinkaloud.understand.meaning.naming import Missing, WhichOne
from thinkaloud.understand.orders.mentioning import counted_options, mentions_of, says_more
from thinkaloud.understand.orders.ordering import Ordering, wanted_of
from thinkaloud.understand.program import program_of, read_program
from thinkaloud.understand.switches import switchable
from thinkaloud.understand.tree import Call, Do, Order, Text


@dataclass(frozen=True)
class _Entry:
    """One call of `order` or `change`."""

    function: str
    wanted: tuple[str, ...] = ()
    no: tuple[str, ...] = ()
    exactly: tuple[str, ...] = ()

    def render(self, at: Circumstances) -> str:
        """The call as it stands in a program."""
        given = [_quoted(each) for each in self.wanted]
        for name, texts in (("no", self.no), ("exactly", self.exactly)):
            given += [f"{name}=[{', '.join(map(_quoted, texts))}]"] if texts else []
        return f"{spelled(self.function, at.lexicon)}({', '.join(given)})"


@switchable()
def with_orders(program: str, request: str, at: Circumstances) -> str:
    """A program with its orders as they are meant; the same where there are no guidelines."""
    if at.orders is None:
        return program
    try:
        program = _with_change(program, at)
        program = _with_options(program, request, at)
        program = _with_more(program, request, at)
        plain, _ = _left_out(program, request, at)
        return _with_material(program, plain, at)
    except (Missing, WhichOne):  # what is not there is said when the program is run, and what may be several asked
        return program


# A deed amid an order -------------------------------------------------------------------------------------------------


def _with_change(program: str, at: Circumstances) -> str:
    """A program that only does what some material needs, amid an order, as a change of the order."""
    read = read_program(program, at.lexicon)
    if read is None or at.orders is None or not at.orders.unfinished:
        return program
    deeds = [each for each in read.statements if isinstance(each, Do) and each.call.role == "skill"]
    ordering = _ordering(at)
    material = [_material_of(each.call, ordering, at) for each in deeds]
    inner = sum(call.role == "skill" for call in read.calls())
    if not deeds or "" in material or inner != len(deeds) or ordering.want is None:
        return program
    others = [program_of([each], at.lexicon).text for each in read.statements if each not in deeds]
    return "\n".join([*others, _Entry(CHANGE, tuple(dict.fromkeys(material))).render(at)])


def _material_of(call: Call, ordering: Ordering, at: Circumstances) -> str:
    """The material that needs this deed; nothing where it is none's, or may be that of several."""
    names = [p.name for p in at.lexicon.skills[call.name].parameters]
    nodes = dict(zip(names, call.given, strict=False)) | dict(call.named)
    given = {key: node.value if isinstance(node, Text) else None for key, node in nodes.items()}
    found = []
    for material in ordering.material:
        skill, needed = ordering.deed_for(material) or (None, {})
        if skill is None or skill.name != at.lexicon.own_names.get(call.name, call.name):
            continue
        if all(text is not None and find_named(text, [str(needed.get(key))]) for key, text in given.items()):
            found.append(material)
    return found[0] if len(found) == 1 else ""


# So many of an option -------------------------------------------------------------------------------------------------


def _with_options(program: str, request: str, at: Circumstances) -> str:
    """So many of what an option is made of, where so many of the option were named: these are ordered."""
    assert at.orders is not None
    entries, ordering, named = _entries(program, at), _ordering(at), counted_options(request, at.orders.guidelines)
    if len(entries) != 1 or all(count < 2 for count, _ in named):
        return program
    ((line, entry),) = entries.items()
    counted = [ordering.counted(text) for text in entry.wanted]
    made = {name for r in at.orders.guidelines.recipes if r.name in {n for _, n in named} for name in r.material}
    material = [resolve_name(name, ordering.material) for _, name in counted]
    portions = any(count > 1 for count, _ in counted) and {*material} <= made
    if entry.function != ORDER or entry.no or entry.exactly or ordering.kinds or not portions:
        return program
    orders = [_Entry(ORDER, (f"{count} {name}" if count > 1 else name,)) for count, name in named]
    return _put(program, line, orders, at)


# One more of the same -------------------------------------------------------------------------------------------------


def _with_more(program: str, request: str, at: Circumstances) -> str:
    """An order of one more of what is under way beside it, not in its place."""
    entries, ordering = _entries(program, at), _ordering(at)
    before = ordering.want
    if before is None or at.orders is None or not at.orders.unfinished or len(entries) != 1:
        return program
    (line, entry), *_ = entries.items()
    if entry.function != ORDER or entry.no or entry.exactly:
        return program
    counted = [name for count, name in map(ordering.counted, entry.wanted) if count]
    names = [name for _, name in map(ordering.counted, entry.wanted)]
    others = [*all_names(at.scene.vocabulary), *ordering.material]
    if not says_more(request, names, others):
        return program
    if counted and before.things:
        kinds = {resolve_name(name, ordering.kinds) for name in counted}
        same = kinds <= {kind for kind, _ in before.things}
        return _put(program, line, [replace(entry, function=CHANGE)], at) if same else program
    single = [each for text in at.orders.earlier for each in wanted_of(text, at.lexicon)][-1:]
    again = ordering.take(entry.function, entry.wanted, (), ())
    if before.things or again != before or any(ordering.counted(text)[0] > 1 for _, w, *_ in single for text in w):
        return program
    return _put(program, line, [_Entry(CHANGE), entry], at)


# What was named -------------------------------------------------------------------------------------------------------


def _left_out(program: str, request: str, at: Circumstances) -> tuple[list[str], list[str]]:
    """The material that was named and is neither ordered nor refused: what is plainly wanted, and what may be."""
    entries, ordering = _entries(program, at), _ordering(at)
    if not entries or at.orders is None:
        return [], []
    before = ordering.want if at.orders.unfinished else None
    wants = [ordering.take(each.function, each.wanted, each.no, each.exactly) for each in entries.values()]
    refused = {resolve_name(name, ordering.material) for each in entries.values() for name in each.no}
    settled = {*refused, *(before.material if before is not None else ())}
    ordered = {name for want in wants for name in want.material}
    options = [option for each in entries.values() for option in ordering.names_of("option", each.wanted)]
    taken = [*all_names(at.scene.vocabulary), *ordering.kinds]
    plain, doubtful = list[str](), list[str]()
    for name, sure in mentions_of(request, at.orders.guidelines, options, taken):
        if name in settled | ordered or any({*name.lower().split()} <= {*o.lower().split()} for o in ordered):
            continue
        (plain if sure and _takes_more(entries, wants, ordering) else doubtful).append(name)
    return plain, doubtful


def _takes_more(entries: dict[int, _Entry], wants: Sequence[Want], ordering: Ordering) -> bool:
    """Whether it is plain to which order something belongs; things are treated with one material."""
    if len(entries) != 1:
        return False
    (entry,) = entries.values()
    return not wants[0].things or not ordering.names_of("material", entry.wanted)


def _with_material(program: str, names: Sequence[str], at: Circumstances) -> str:
    entries = _entries(program, at)
    if not names or len(entries) != 1:
        return program
    ((line, entry),) = entries.items()
    return _put(program, line, [replace(entry, wanted=(*entry.wanted, *names))], at)


# Programs -------------------------------------------------------------------------------------------------------------


def _ordering(at: Circumstances) -> Ordering:
    assert at.orders is not None
    return Ordering(at.orders, at.world, at.scene, at.lexicon)


def _entries(program: str, at: Circumstances) -> dict[int, _Entry]:
    """The orders of a program by the number of their statement; none where some are not statements of their own."""
    read = read_program(program, at.lexicon)
    found: dict[int, _Entry] = {}
    for number, statement in enumerate(() if read is None else read.statements):
        if isinstance(statement, Order):
            ((word, *given),) = wanted_of(program_of([statement], at.lexicon).text, at.lexicon)
            found[number] = _Entry(word, *map(tuple, given))
    return found if len(found) == len(wanted_of(program, at.lexicon)) else {}


def _put(program: str, line: int, entries: Sequence[_Entry], at: Circumstances) -> str:
    """A program with other orders in the place of a statement."""
    read = read_program(program, at.lexicon)
    statements = [] if read is None else [program_of([each], at.lexicon).text for each in read.statements]
    statements[line : line + 1] = [each.render(at) for each in entries]
    return "\n".join(statements)


def _quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)
