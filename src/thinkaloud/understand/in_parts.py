"""Where the whole of a request was not understood, what stands alone in it is read alone, and then asked about.

The two sides of an `or`; an order beside a prohibition; what is wanted if something is so, and what otherwise.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from thinkaloud.records import Meaning, Reading
from thinkaloud.understand.checking.alternatives import split_choice
from thinkaloud.understand.checking.conditions import find_branch_lost, split_branches, with_branch
from thinkaloud.understand.checking.forbidding import split_order
from thinkaloud.understand.checking.misfits import find_misfit
from thinkaloud.understand.checking.said import Said, is_in_other_language
from thinkaloud.understand.deciding import Decider
from thinkaloud.understand.language import KEEP, spelled
from thinkaloud.understand.meaning.circumstances import Circumstances
from thinkaloud.understand.saying.offering import Option, ask_about, choose_offered, option_of

Read = Callable[[str], Awaitable[str | None]]
"""The program that a model reads a text as; None where it wrote none."""


async def read_in_parts(
    weighed: Meaning, request: str, at: Circumstances, decider: Decider, read: Read
) -> Meaning | None:
    """The question that comes of reading parts; None where the whole was understood, or no part stands alone."""
    open_ = weighed.sort in ("refusal", "unclear") or (weighed.sort == "question" and len(weighed.readings) == 1)
    if not open_ or is_in_other_language(request):
        return None
    options = await _read_choice(weighed, request, at, decider, read)
    options = options or await _read_branches(weighed, request, at, decider, read)
    return ask_about(weighed, choose_offered(options[0], options[1:], (), at)) if options else None


async def _read_choice(weighed: Meaning, request: str, at: Circumstances, decider: Decider, read: Read) -> list[Option]:
    """One of two that have an `or` between them, or the order beside a prohibition."""
    choice, order = split_choice(request, at.lexicon), split_order(request, at.lexicon)
    found = [decider.run(each.program, at) for each in weighed.readings]
    lost = not any(each is not None and each.deeds for each in found)
    parts = choice or ((order[0],) if order is not None and lost else ())
    keep = f"{spelled(KEEP, at.lexicon)}({[*order[1]]!r})\n" if order is not None and not choice else ""
    options: list[Option] = []
    for text in parts:
        written = await read(text)
        meaning = None if written is None else decider.run(keep + written, at)
        if meaning is None or meaning.sort != "deeds" or find_misfit(Said(text, at.lexicon, meaning), at):
            return []
        options.append(option_of(Reading(f"{keep}{written}", "", 0.0), meaning, at))
    return options


async def _read_branches(
    weighed: Meaning, request: str, at: Circumstances, decider: Decider, read: Read
) -> list[Option]:
    """What is wanted if something is so with what is wanted otherwise, where that was lost."""
    branches = split_branches(request, at.lexicon)
    found = [decider.run(each.program, at) for each in weighed.readings]
    if branches is None or any(each and not find_branch_lost(Said(request, at.lexicon, each)) for each in found):
        return []
    first, other = await read(branches[0]), await read(branches[1])
    program = with_branch(first, other) if first is not None and other is not None else None
    meaning = None if program is None else decider.run(program, at)
    if program is None or meaning is None or meaning.sort not in ("deeds", "answer"):
        return []
    fits = find_misfit(Said(request, at.lexicon, meaning), at) is None
    return [option_of(Reading(program, "", 0.0), meaning, at)] if fits else []
