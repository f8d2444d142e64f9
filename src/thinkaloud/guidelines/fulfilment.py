"""Whether steps fulfil an order as the guidelines say: what they require for it against what was listed and done.

`Composer` works out what the guidelines require. Here that is compared with the steps in somebody's words. A step that
uses material has to be said in the guidelines' own sentence for it; the steps around it may be said in other words.
"""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Collection, Mapping, Sequence

from thinkaloud.guidelines.order_form import Want
from thinkaloud.guidelines.remaining_steps import Composer
from thinkaloud.language.name_matching import names_in
from thinkaloud.language.words import stems
from thinkaloud.records import Step
from thinkaloud.skills import Skill

_ALIKE = 0.5
"""The share of words that two forms of a step around the material have in common."""


def find_objections(
    wants: Sequence[Want], lines: Sequence[str], composer: Composer, *, worded: bool = True
) -> list[str]:
    """Return what the guidelines require for these orders and the lines do not do, and what nobody ordered.

    If it does not matter how they are `worded`, a line only has to be about the same material, thing and place.
    """
    required = composer.steps(wants)
    if not required:
        return []
    lines, objections = _of_the_latest(lines, required, wants, composer)
    found = _match(required, lines, composer, worded)
    objections += [f"no step says: {line}" for at, line in enumerate(required) if at not in found]
    used = set(found.values())
    objections += [
        f"nobody ordered this: {line}" for at, line in enumerate(lines) if at not in used and composer.named_in(line)
    ]
    last = found.get(len(required) - 1)
    if last is not None and last < len(lines) - 1:
        objections.append(f"this is the last step: {required[-1]}")
    return objections + _in_wrong_order(required, found, composer)


def find_other_calls(steps: Sequence[Step], skills: Mapping[str, Skill], material: Collection[str]) -> list[str]:
    """Return the lines whose calls use none of the material that they name: what was done is not what they say.

    A call whose arguments name material is about that, whatever else its documentation has for an example.
    """
    calls: dict[str, list[str]] = defaultdict(list)
    given: dict[str, set[str]] = defaultdict(set)
    about: dict[str, set[str]] = defaultdict(set)
    for step in steps:
        signature = skills[step.skill].signature
        texts = [*map(str, step.arguments.values())]
        named = {name for text in texts for name in names_in(text, material)}
        loose = [signature.name.replace("_", " "), *([] if named else [*texts, signature.about])]
        calls[step.reason].append(step.words)
        given[step.reason] |= named
        about[step.reason] |= stems(" ".join(loose))
    return [
        f"{line} ({' '.join(said)})"
        for line, said in calls.items()
        if any(name not in given[line] and not stems(name) & about[line] for name in names_in(line, material))
    ]


def _of_the_latest(
    lines: Sequence[str], required: Sequence[str], wants: Sequence[Want], composer: Composer
) -> tuple[list[str], list[str]]:
    """Return the lines since the things ordered were last begun, and what is wrong with those before.

    What was begun and given up is begun anew; what was finished before that is one too many.
    """
    lines = composer.without_undone(lines)
    begun = [at for at, line in enumerate(lines) if composer.key(line) == composer.key(required[0])]
    if any(want.things for want in wants) or len(begun) <= len(wants):
        return lines, []
    start, last = begun[-len(wants)], composer.key(required[-1])
    finished = any(composer.key(line) == last for line in lines[:start])
    return lines[start:], ["more is made than was ordered"] if finished else []


def _match(required: Sequence[str], lines: Sequence[str], composer: Composer, worded: bool) -> dict[int, int]:
    """Return which line does what is required: the same sentence, or, around the material, one in similar words."""
    waiting: dict[frozenset[str], deque[int]] = defaultdict(deque)
    for at, line in enumerate(lines):
        waiting[composer.key(line)].append(at)
    found: dict[int, int] = {}
    for number, line in enumerate(required):
        if waiting[composer.key(line)]:
            found[number] = waiting[composer.key(line)].popleft()
    free = [at for at in range(len(lines)) if at not in found.values()]
    for number, line in enumerate(required):
        if number in found or (worded and not composer.is_around(line)):
            continue
        if around := composer.is_around(line):
            same = [at for at in free if composer.is_around(lines[at])]
        else:
            same = [at for at in free if composer.named_in(lines[at]) == composer.named_in(line)]
        alike = {at: composer.likeness(line, lines[at]) for at in same}
        if alike and alike[best := max(alike, key=alike.__getitem__)] >= (_ALIKE if around else 0):
            found[number] = best
            free.remove(best)
    return found


def _in_wrong_order(required: Sequence[str], found: Mapping[int, int], composer: Composer) -> list[str]:
    numbers = sorted(found)
    for at, earlier in enumerate(numbers):
        for later in numbers[at + 1 :]:
            if found[later] < found[earlier] and not composer.may_swap(required[earlier], required[later]):
                return [f"this comes later: {required[later]}"]
    return []
