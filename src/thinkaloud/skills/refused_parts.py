"""Refuse what `@skill(…)` cannot be given, with the skill, the part and what to write, where it is written."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from thinkaloud.skills.signatures import Signature

_FACTS = ("effects", "needs", "ends")


def refuse_parts(
    signature: Signature,
    functions: Mapping[str, object],
    rows: Mapping[str, object],
    people: Mapping[str, object],
    costs: object,
) -> None:
    """Raise TypeError for what is no function, no row of functions, no role or name, or no table of costs."""
    name = signature.name
    for part, given in functions.items():
        if given is not None and not callable(given):
            raise TypeError(
                f"{name}: `{part}` is {given!r:.60}, and has to be a function. Write {_example(signature, part)}"
            )
    for part, given in rows.items():
        if not isinstance(given, Sequence) or isinstance(given, str) or not all(map(callable, given)):
            raise TypeError(f"{name}: `{part}` is {given!r:.60}. Write a tuple of functions: {part}=(may_be_done,)")
    for part, given in people.items():
        listed = [given] if isinstance(given, str) else given
        flag = part == "approval" and isinstance(given, bool)
        is_row = isinstance(listed, Sequence) and all(isinstance(each, str) and each.strip() for each in listed)
        if not flag and not is_row:
            also = "True, " if part == "approval" else ""
            raise TypeError(f'{name}: `{part}` is {given!r:.60}. Write {also}a role or name, or ["nurse", "Anna"].')
    known = isinstance(costs, Mapping) and all(isinstance(each, int | float) for each in costs.values())
    if costs is not None and not known:
        raise TypeError(f'{name}: `costs` is {costs!r:.60}. Write how much it uses of each budget: {{"minutes": 2}}.')


def _example(signature: Signature, part: str) -> str:
    names = [each.name for each in signature.parameters]
    first = names[:1]
    if part not in _FACTS:
        return f"{part}=lambda {', '.join([*first, '**_'])}: …"
    about = ", ".join(f'"{each}": {each}' for each in first)
    return f'{part}=lambda {", ".join([*first, "**_"])}: (("relation", {{{about}}}),)'
