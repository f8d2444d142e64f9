"""A replayed session beside its prompts: what the model was given word for word, and which feedback was part of it.

The screen words events for people, and the prompt words them for the model; some reach only one of the two. So each
line of feedback says whether it became part of the next prompt, and in which words. That is looked up in the prompt
itself: a method only says how it would have worded each event (`Preset.worded`).

Not shown: the grammar that an answer was held to, and what a chat service's own form puts around a prompt.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import takewhile

from thinkaloud.clock import WallClock
from thinkaloud.errors import ThinkaloudError
from thinkaloud.models.contract import Verbatim
from thinkaloud.monologue import Event, Monologue
from thinkaloud.presets import read_preset
from thinkaloud.records import Begin, Critique, ModelCall, Observation, Outcome, Refusal, Rehearsal, Verdict

_FEEDBACK = (Observation, Outcome, Verdict, Refusal, Critique, Rehearsal)
NOT_TOLD, NO_CALL = "not in the prompt", "no model was asked after this"
IN_PROMPT = "in the prompt: "
NO_WORDING = "This preset does not say how it words feedback for the model, so lines of feedback are not marked."


@dataclass(frozen=True, slots=True)
class _Prompt:
    """What a call added to the role's earlier prompt: `new`, after `kept` lines that were the same."""

    index: int
    role: str
    kept: int
    new: str
    answer: str


class ShownPrompts:
    """Knows every prompt of a session, and what each event became in it."""

    def __init__(self, events: Sequence[Event], verbatim: Callable[[int], Verbatim | None]) -> None:
        self._prompts = _find_prompts(events, verbatim)
        self._worded = _find_wordings(events)

    @property
    def remark(self) -> str:
        """What to say before the session."""
        return NO_WORDING if self._worded is None else ""

    def lines(self, event: Event, *, shown: bool) -> list[str]:
        """What to print after an event; `shown` says whether the screen had a line for it."""
        if isinstance(event.record, ModelCall):
            return self._call(event.index)
        if self._worded is None or not isinstance(event.record, _FEEDBACK):
            return []
        later = [prompt for prompt in self._prompts if prompt.index > event.index]
        first = {prompt.role: prompt for prompt in reversed(later)}.values()
        worded = [text for index, text in self._worded if index == event.index]
        told = [text for text in worded if any(_has(prompt.new, text) for prompt in first)]
        if told:
            return [f"{IN_PROMPT}{text}" for text in dict.fromkeys(told)]
        return [NOT_TOLD if later else NO_CALL] if shown else []

    def _call(self, index: int) -> list[str]:
        prompt = next((each for each in self._prompts if each.index == index), None)
        if prompt is None:
            return ["The prompt of this call was not kept."]
        before = [f"({prompt.kept} lines as in its last prompt)"] if prompt.kept else []
        return [
            f"The model was given, as {prompt.role}:",
            *(f"| {line}" for line in [*before, *prompt.new.split("\n")]),
            "and answered:",
            *(f"| {line}" for line in prompt.answer.split("\n")),
        ]


def _find_prompts(events: Sequence[Event], verbatim: Callable[[int], Verbatim | None]) -> list[_Prompt]:
    found: list[_Prompt] = []
    last: dict[str, list[str]] = {}
    for event in events:
        if not isinstance(event.record, ModelCall) or (said := verbatim(event.index)) is None:
            continue
        before, now = last.get(event.record.role, [])[:-1], said.prompt.split("\n")
        kept = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(before, now[:-1], strict=False)))
        found.append(_Prompt(event.index, event.record.role, kept, "\n".join(now[kept:]), said.answer))
        last[event.record.role] = now
    return found


def _find_wordings(events: Sequence[Event]) -> list[tuple[int, str]] | None:
    """How the session's preset words its events; None if it does not say."""
    presets = [event.record.preset for event in events if isinstance(event.record, Begin)]
    try:
        preset, options = read_preset(presets[-1] if presets else "")
    except ThinkaloudError:  # a mind of its own, or a package that is not installed here
        return None
    return None if preset.worded is None else preset.worded(Monologue(WallClock(), events), options)


def _has(prompt: str, text: str) -> bool:
    """Whether a prompt has a text: a line, or, in a dialogue, a part of one."""
    return text in prompt if text.startswith("[") else text in prompt.split("\n")
