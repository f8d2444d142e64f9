"""What puts a failure right: from the words of the failure to what is needed and the one thing to do first.

It reads what the corrector reads and nothing else, so that there is nothing in the answer that a model could not know.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from thinkaloud.methods.hicrisp.correction_examples import FIRST, HOPELESS, NEEDED, NOTHING_NEEDED
from thinkaloud.models.gbnf import accepts
from training.teacher import Asked

_THING = r"(?:[Tt]he )?(.+?)"
_DEFINITE = "the "
_HOPELESS = re.compile(r"cannot be|[Oo]ne cannot|[Nn]othing can|nothing on|does not have a (?:plug|switch)")
_PATIENCE = 2
"""So often the same is tried about the very same failure, where luck is part of it."""


class Stuck(Exception):
    """Nothing that could be said here would help."""


@dataclass(frozen=True)
class Failed:
    """A failure as the prompt tells it."""

    task: str
    step: str
    why: str
    seen: tuple[str, ...]
    tried: tuple[str, ...] = ()

    @classmethod
    def read(cls, prompt: str) -> Failed:
        """The failure at the end of a prompt."""
        lines = dict(re.findall(r"^(Task|Seen|Failed|Why|Tried): (.*)$", prompt, re.MULTILINE))
        seen, tried = (_sentences(lines.get(name, "")) for name in ("Seen", "Tried"))
        return cls(lines.get("Task", ""), lines["Failed"], lines["Why"], seen, tried)


def _sentences(text: str) -> tuple[str, ...]:
    return tuple(each.strip() for each in re.findall(r"[^.]+\.", text))


Advice = tuple[str, str]
"""What is needed, and what is done first."""


def _close(thing: str) -> Advice:
    return f"The robot is close to the {thing}.", f"Find the {thing}."


def _held(thing: str) -> Advice:
    return f"The robot holds the {thing}.", f"Grab the {thing}."


def _opened(thing: str) -> Advice:
    return f"The {thing} is open.", f"Open the {thing}."


RULES: tuple[tuple[str, Callable[..., Advice]], ...] = (
    (r"The robot is (?:sitting|lying)\.", lambda: ("The robot stands.", "Stand up.")),
    (rf"The robot is not close to {_THING}\.", _close),
    (
        r"The robot is in the .+?, not in the (.+?)\.",
        lambda room: (f"The robot is in the {room}.", f"Walk to the {room}."),
    ),
    (rf"The robot (?:does not hold|is not holding) {_THING}(?:: pick it up first)?\.", _held),
    (
        rf"The robot (?:does not face|is not facing) {_THING}(?: while sitting)?\.",
        lambda thing: (f"The robot faces the {thing}.", f"Turn to the {thing}."),
    ),
    (rf"{_THING} is not open\.", _opened),
    (rf"{_THING} is still on\.", lambda thing: (f"The {thing} is switched off.", f"Switch off the {thing}.")),
    (rf"{_THING} is unplugged\.", lambda thing: (f"The {thing} is plugged in.", f"Plug in the {thing}.")),
    # A box and a cylinder, and a hand.
    (
        r"The hand holds the .+?: put it down first\.|The .+? is in the hand: put it down.*",
        lambda: ("The hand is empty.", "Put down what is in the hand."),
    ),
    (
        rf"The robot does not know where {_THING} is: locate it first\.",
        lambda thing: (f"The robot knows where the {thing} is.", f"Locate the {thing}."),
    ),
    (
        r"The hand .+ where the (.+?) was seen\.",
        lambda thing: (f"The robot knows where the {thing} is.", f"Locate the {thing}."),
    ),
    (
        r".*Not so: The (.+?) is close to the .+?\..*",
        lambda thing: (f"The robot holds the {thing}.", f"Pick up the {thing}."),
    ),
    (
        r"The (.+?) had to be picked up once more.*",
        lambda thing: (f"The robot knows where the {thing} is.", f"Locate the {thing}."),
    ),
    # A vehicle.
    (r"There is no way to the .*|.*no way to the .+ after .*", lambda: (HOPELESS, "")),
    (r".*Back up first\.", lambda: (NOTHING_NEEDED, "Back up a little.")),
    (r".*(?:does not get on|no room to back up).*", lambda: (NOTHING_NEEDED, "Look around.")),
)
"""What failures are like, as whole sentences, and what helps; the first that fits counts."""


def advice(failed: Failed) -> Iterator[Advice]:
    """What may help, best first."""
    around = failed.step.startswith("Place the") and " around " in failed.step
    for pattern, helps in RULES:
        if match := re.fullmatch(pattern, failed.why):
            needed, first = helps(*(group for group in match.groups() if group))
            if around and first.startswith("Grab"):
                first = first.replace("Grab", "Pick up")
            yield needed, first
    if failed.why.endswith("is inside another thing, which is closed."):
        yield from (_opened(name) for name in re.findall(r"The ([^.]+?) is closed\.", " ".join(failed.seen)))
    if failed.why.startswith("The robot does not have a free hand"):
        held = _holding(failed.why)
        spare = [name for name in held if f" {name} " not in f" {failed.step.rstrip('.')} "] or held
        yield from ((NOTHING_NEEDED, f"Drop the {name}.") for name in spare)
    if match := re.fullmatch(r"There are too many things on the (.+?)\.", failed.why):
        on_it = re.findall(rf"The ([^.]+?) is on the {re.escape(match[1])}\.", " ".join(failed.seen))
        yield from (_held(name) for name in on_it)
    if failed.why == "The robot holds nothing.":
        yield from (_held(name) for name in _portable(failed))
    if "is not lying or sitting" in failed.why or "does not lie or sit" in failed.why:
        yield from (_lain(name) for name in _beds(failed))
    if match := re.search(r"The (.+?) cannot be seen\W+something covers it", failed.why):
        on_it = re.findall(rf"([A-Z][^.]*?) is on the {re.escape(match[1])}\.", " ".join(failed.seen))
        for name in (each[0].lower() + each[1:] for each in on_it):
            for place in ("middle", "left side", "right side", "top side"):
                yield (
                    f"{name[0].upper() + name[1:]} is on the {place}.",
                    f"Pick the {name} and place it on the {place}.",
                )
    if match := re.match(r"Pick the (.+) and place it on the (.+)\.", failed.step):
        yield f"{match[1][0].upper() + match[1][1:]} is on the {match[2]}.", failed.step
    if match := re.match(r"Drive to the (.+)\.", failed.step):
        yield f"The robot is at the {match[1]}.", failed.step
        yield from ((NOTHING_NEEDED, words) for words in ("Look around.", "Back up a little.", "Wait a moment."))
    if match := re.search(r"Not so: ([^.]+\.)", failed.why):  # it came to nothing: once more
        yield match[1], failed.step
    if failed.tried or _HOPELESS.search(failed.why):
        yield HOPELESS, ""


def _holding(why: str) -> list[str]:
    told = why.partition(": it holds ")[2].rstrip(".")
    return [name.removeprefix(_DEFINITE) for name in told.split(" and ")] if told else []


def _portable(failed: Failed) -> list[str]:
    """What the task would do it with: words of the task after `with`."""
    match = re.search(r"\bwith (?:the |a |an |some )?([a-z ]+)", failed.task.lower())
    return [match[1].strip()] if match else []


def _beds(failed: Failed) -> list[str]:
    return re.findall(r"close to the ([^.]+)\.", " ".join(failed.seen))


def _lain(thing: str) -> Advice:
    return f"The robot lies on the {thing}.", f"Lie down on the {thing}."


def answered(asked: Asked) -> str:
    """The corrector's answer: the first advice that may be said here; Stuck where none may."""
    failed = Failed.read(asked.prompt)
    said = re.search(rf"{re.escape(NEEDED)} (.+)\n{re.escape(FIRST)}$", asked.prompt)
    again = [failed.step, "Look around."]  # worth trying more than once
    for needed, first in advice(failed):
        if first in failed.tried and (first not in again or failed.tried.count(first) > _PATIENCE):
            continue
        if said is not None and said[1] != needed:
            continue
        answer = f" {first if said is not None else needed}\n"
        if asked.grammar is None or accepts(asked.grammar, answer):
            return answer
    raise Stuck(f"{failed.step} {failed.why}")
