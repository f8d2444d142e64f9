"""The monologue as a numbered dialogue: the form of Inner Monologue's Listings 3 and 4.

    Human: bring me a piece of fruit
    Robot: 1. find the banana[scene: banana, pear]
    2. pick up the banana[success: no][scene: pear]
    3. pick up the pear[scene: pear]

If the robot may ask, each step ends with ` and continue`, or with ` and ask: …? Human: …`. The variant decides which
feedback the planner reads; SayCan's planner reads none.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from thinkaloud.monologue import Monologue
from thinkaloud.records import Answer, Ask, Done, End, Observation, Request, Started, Step, Verdict

SayCanFeedback = Literal["none", "success", "object+success"]
DONE_PHRASES = ("done", "tell you I'm done")
"""What the robot says instead of a step when nothing is left to do."""
CONTINUE_PREFIX, ASK_PREFIX = " and continue", " and ask:"


def phrase(step: Step) -> str:
    """Return a step as it appears in the dialogue: `pick up the coke`."""
    words = step.words.rstrip(". ")
    return words[:1].lower() + words[1:]


@dataclass(frozen=True)
class Dialogue:
    """Renders a monologue for a variant of the planner."""

    feedback: SayCanFeedback = "none"
    asks: bool = False

    def _told(self, worked: bool | None, scene: tuple[str, ...] | None) -> str:
        """Return the feedback after a step. As in the paper, a step that worked gets no remark."""
        success = "[success: no]" if self.feedback != "none" and worked is False else ""
        seen = f"[scene: {', '.join(scene)}]" if self.feedback == "object+success" and scene is not None else ""
        return success + seen

    def _asked(self, question: str, answer: str | None) -> str:
        if not self.asks:
            return ""
        return (
            CONTINUE_PREFIX
            if not question
            else f"{ASK_PREFIX} {question}" + ("" if answer is None else f" Human: {answer}")
        )

    def lines(self, monologue: Monologue) -> str:
        """Return everything so far, up to where the robot continues: after `Robot: 1.`, or after its next step number.

        If the robot may ask and has not chosen yet, the text ends right after the latest step.
        """
        begun = [event.index for event in monologue if isinstance(event.record, Started)]
        text, number = "", 0
        for event in monologue:
            match event.record:
                case Request(said):
                    text = text.removesuffix("Robot: ") + (
                        f", Human: {said}\n" if number else f"Human: {said}\nRobot: "
                    )
                case Started(step):
                    number += 1
                    until = next((index for index in begun if index > event.index), len(monologue))
                    text += f"{number}. {phrase(step)}{self._after(monologue, event.index, until)}"
                case Done():
                    text += f"{number + 1}. {DONE_PHRASES[0]}."
                case End():
                    text, number = text.rstrip() + "\n", 0
                case _:
                    pass
        return text if self.is_undecided(monologue) else f"{text}{number + 1}."

    def _after(self, monologue: Monologue, index: int, until: int) -> str:
        """Return what followed a step, up to the next one: feedback, a question with its answer, and the end of the
        line."""
        verdict = monologue.last(Verdict, after=index, before=until)
        scene = monologue.last(Observation, after=index, before=until)
        told = self._told(None if verdict is None else verdict.ok, None if scene is None else scene.objects)
        if until == len(monologue) and self.is_undecided(monologue):
            return told
        ask = monologue.last(Ask, after=index, before=until)
        question = "" if ask is None or ask.approval else " ".join(ask.questions)
        answer = monologue.last(Answer, after=index, before=until)
        heard = (event.record for event in monologue[index + 1 : until] if isinstance(event.record, Request | End))
        interrupted = isinstance(next(heard, None), Request)
        told += self._asked(question, None if answer is None else answer.text)
        return told if interrupted else told + "\n"

    def worded(self, monologue: Monologue) -> list[tuple[int, str]]:
        """Return the feedback in the dialogue: each piece, and the index of the event that it tells."""
        begun = [event.index for event in monologue.events_of(Started)]
        found: list[tuple[int, str]] = []
        for index, until in zip(begun, [*begun[1:], None], strict=True):
            checked, seen = (monologue.where(kind, after=index, before=until) for kind in (Verdict, Observation))
            if checked is not None:
                found.append((checked, self._told(monologue.since(checked - 1, Verdict)[0].ok, None)))
            if seen is not None:
                found.append((seen, self._told(None, monologue.since(seen - 1, Observation)[0].objects)))
        return [(index, text) for index, text in found if text]

    def is_undecided(self, monologue: Monologue) -> bool:
        """Whether a step was taken and the robot has not yet chosen between continuing and asking."""
        at = monologue.where(Started, after=monologue.order_start())
        return self.asks and at is not None and monologue.where((Ask, Request), after=at) is None
