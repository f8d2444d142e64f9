"""The monologue in a terminal: one or a few lines for each event, in the speaker's colour.

Lines are plain text if standard output is not a terminal. While the robot thinks or moves, a terminal also shows a
temporary line with the model's words as they arrive.
"""

from __future__ import annotations

import textwrap
import time
from collections.abc import Callable, Iterable, Sequence

from rich.console import Console, ConsoleOptions, RenderableType
from rich.segment import Segment
from rich.text import Text

from thinkaloud.cli.outline_lines import OutlineRow, Outlines
from thinkaloud.cli.progress import spell_progress, what_follows
from thinkaloud.cli.run_summary import RoleCost, Tally
from thinkaloud.episode.event_text import (
    NO_STEP,
    NOT_CHECKED,
    Manner,
    SceneMemory,
    list_names,
    tell_doubt,
    tell_miss,
    tell_place,
    tell_repairs,
    tell_speaker,
    tell_words,
)
from thinkaloud.episode.person_english import PersonEnglish
from thinkaloud.monologue import Event
from thinkaloud.presets import tell_preset
from thinkaloud.records import (
    Ask,
    Begin,
    Condition,
    Critique,
    End,
    ModelCall,
    Observation,
    Outcome,
    Plan,
    Refusal,
    Rehearsal,
    Request,
    Resumed,
    Started,
    Verdict,
    WorldState,
)
from thinkaloud.skills.built_in_steps import STEPS
from thinkaloud.skills.signatures import capitalised
from thinkaloud.untrusted.output import harmless, printable

_SCENE, _HUMAN, _THOUGHT, _ACTION, _ASKS = "cyan", "bold yellow", "blue", "bold", "bold magenta"
_ROBOTS = (_THOUGHT, _ACTION, _ASKS)
"""The styles of what the robot says itself."""
GOOD, BAD, DIM = "green", "red", "dim"
_TIME, _LABEL = 9, 15  # columns
_WIDEST, _NARROWEST = 120, 28
BAD_ANSWER = 300  # letters shown of one
VOICES: dict[Manner, tuple[str, str]] = {
    "person": ("Human", _HUMAN),
    "understood": ("Understood", _THOUGHT),
    "thought": ("Robot thought", _THOUGHT),
    "says": ("Robot says", _ASKS),
}
"""The label and style here of each text that is the same everywhere."""


class _Screen(Console):
    """A console that lets no escape codes through except its own colours, not even from tables and bars."""

    def render(self, renderable: RenderableType, options: ConsoleOptions | None = None) -> Iterable[Segment]:
        """The text to write, piece by piece."""
        for piece in super().render(renderable, options):
            yield piece if piece.control else Segment(harmless(piece.text), piece.style)


def console(*, stderr: bool = False) -> Console:
    """Standard output: in colour on a terminal, plain elsewhere; NO_COLOR is respected."""
    return _Screen(stderr=stderr, highlight=False, markup=False, emoji=False)


class Terminal:
    """Writes events to a console as they happen."""

    def __init__(self, console: Console, clock: Callable[[], float] = time.monotonic, *, costs: bool = False) -> None:
        """`costs`: also show what each decision cost, in tokens and seconds."""
        self.console = console
        self._costs = costs
        self.speak: PersonEnglish | None = None
        """Turns what the robot says into a person's English; set once the robot is known."""
        self.tally = Tally()
        self.lines = 0
        """How many lines it has shown of the monologue."""
        self._clock = clock
        self._sight = SceneMemory()
        self._goal: tuple[Condition, ...] = ()
        self._reported = ""
        self._spent: dict[str, RoleCost] = {}
        self._stamp = self._stamped = ""
        self._ended = False
        self._doing, self._since = "", clock()
        self._heard = ""
        self._transient = False
        self._prompt: str | None = None
        ascii_only = not (console.encoding or "").lower().startswith("utf")
        self._yes, self._no = ("+", "x") if ascii_only else ("✓", "✗")
        self._outlines = Outlines(self._yes)

    # What others call -------------------------------------------------------------------------------------------------

    def __call__(self, event: Event) -> None:
        """Show an event."""
        self.clear()
        record, rows = event.record, self._outlines.hear(event)
        if isinstance(record, ModelCall):
            self._spent.setdefault(record.role, RoleCost()).add(record)
            self._heard = ""
            return
        if self._ended:
            self.conclude()
        before = self.tally.goal
        self.tally.count(record)
        if before != self.tally.goal:
            self._sight.aim_anew()
        self._stamp = f"{event.at:.1f} s"
        self._show(event, rows)
        if rows or not (isinstance(record, Plan) and len(record.steps) == 1 and not record.thought):
            self._show_cost()  # a step without a remark is shown, with its cost, when it starts
        self._now_doing(event)
        self._reshow()

    def catch_up(self, events: Sequence[Event]) -> None:
        """Process earlier events; show the request, the goal, and the step that was running."""
        asked = max((event.index for event in events if isinstance(event.record, Request)), default=-1)
        begun = max((event.index for event in events if isinstance(event.record, Started | Outcome)), default=-1)
        for event in events:
            self._outlines.hear(event)
        for event in events:
            self.tally.count(event.record)
            self._stamp = f"{event.at:.1f} s"
            if event.index == self._outlines.at > asked:
                self._show_rows(self._outlines.current_rows())
            match event.record:
                case Plan(goal, conditions) if event.index > asked and conditions:
                    self._planned(Plan(goal, conditions, ()))
                case Begin():
                    self._show(event)
                case Request() | Started() if event.index in (asked, begun):
                    self._show(event)
                case _:
                    pass

    def thinking(self, role: str, piece: str) -> None:
        """Hear a model's words while it speaks."""
        self._heard += piece
        if piece:
            self._doing = f"{capitalised(role)} speaks"
        self.pulse()

    def go_on(self, what: str) -> None:
        """Show on the last line what is going on by now, since the same moment as before."""
        self._doing = what
        self.pulse()

    def typed(self, line: str) -> None:
        """Show what the person is typing, on a last line that stays."""
        self._prompt = line
        self.pulse()

    def pulse(self) -> None:
        """Redraw the last line, which shows what is happening and what is being typed; only in a terminal."""
        if not self.console.is_terminal or (self._prompt is None and not self._doing):
            return
        self.clear()
        room = self.console.width - 2
        if self._prompt:
            shown = Text("> ", style="bold").append(printable(self._prompt)[-room + 2 :], style=_HUMAN)
        else:
            shown = Text("" if self._prompt is None else "> ", style="bold").append_text(self._going_on(room - 4))
        self.console.print(shown, end="", no_wrap=True, overflow="crop")
        if self._prompt == "":
            self.console.file.write("\r\x1b[2C")  # the cursor waits where the person types
        self.console.file.flush()
        self._transient = True

    def _going_on(self, room: int) -> Text:
        if not self._doing:
            return Text("")
        head = f"{spell_progress(self._doing, self._clock() - self._since)}  "
        words = printable(self._heard.replace("\n", " / "))
        return Text(head, style=DIM).append(words[-max(room - len(head), 10) :], style="italic dim")

    def clear(self) -> None:
        """Remove that line."""
        if self._transient:
            self.console.file.write("\r\x1b[2K")
            self._transient = False

    def note(self, text: str, style: str = DIM) -> None:
        """Print something that is not an event."""
        self.clear()
        self._print(text, style)
        self._reshow()

    def conclude(self, trouble: str = "") -> None:
        """Print how the run ended."""
        self.clear()
        self._doing = ""
        if self._ended or trouble:
            good = self.tally.good and not trouble
            sentence = f"Not met: {trouble}" if trouble else self.tally.sentence()
            for line in sentence.splitlines():
                self._print(line if self.speak is None else self.speak(line), f"bold {GOOD if good else BAD}")
        self._ended = False
        self._reshow()

    def begin(self, what: str) -> None:
        """Show on the last line what is going on from now on."""
        self.clear()
        self._doing, self._since, self._heard = what, self._clock(), ""
        self.pulse()

    def rest(self, doing: str = "") -> None:
        """Stop showing typed input; show only this activity."""
        self._prompt = None
        self.begin(doing)

    def _print(self, text: str, style: str) -> None:
        """Print a text: wrapped between words on a terminal (never inside a path), otherwise on one line."""
        indent = " " * (len(text) - len(text.lstrip(" ")))
        room = min(self.console.width, _WIDEST) if self.console.is_terminal else 10**6
        wrapped = textwrap.wrap(printable(text), room - len(indent), break_long_words=False, break_on_hyphens=False)
        for line in wrapped or [""]:
            self.console.print(Text(indent + line, style=style), soft_wrap=True)

    def _reshow(self) -> None:
        if self._prompt is not None:
            self.pulse()

    # One event --------------------------------------------------------------------------------------------------------

    def _show(self, event: Event, rows: Sequence[OutlineRow] = ()) -> None:
        if self.speak is not None and isinstance(event.record, Observation):
            self.speak.see(event.record)
        if isinstance(event.record, Request):
            self._goal = ()  # a goal stated for a new request is news, even if it is the same
        if (told := tell_words(event.record)) is not None:
            manner, text = told
            label, style = VOICES[manner]
            self._line(tell_speaker(event.record) or label, text, style)
            return
        match event.record:
            case Begin(world, preset, model, seed):
                self.note(f"{world}, seed {seed} · {tell_preset(preset)} · {model}")
            case Resumed(because):
                self._line("Resumed", because, DIM)
            case Observation():
                self._observed(event.record)
            case WorldState():
                self._remembered(event.record)
            case Plan():
                self._planned(event.record)
                self._show_rows(rows)
            case Ask(questions):
                for question in questions:
                    self._line("Robot asks", question, _ASKS)
            case Refusal(role, words, why):
                said = f"“{shortened(words)}” " if words.strip() else ""
                self._line("Not usable", f"{role}: {said}{shortened(why)}", "yellow")
            case Critique():
                self._criticised(event.record)
            case Rehearsal(feasible, step, error):
                self._line("Rehearsal", "it would work" if feasible else tell_place(step) + error, ok=feasible)
            case Started(step) | Outcome(step) | Verdict(step) if step.skill in STEPS:
                pass  # nothing moves; notes show up in the memory
            case Started(step, correcting):
                self._line("Robot action", step.words + (" (correcting)" if correcting else ""), _ACTION)
            case Outcome(_, ending, report):
                self._reported = report
                for label, repair in tell_repairs(event.record):
                    self._line(label, repair, "yellow")
                if ending != "completed":
                    self._line("", f"{ending}: {report}", "yellow")
                elif report:
                    self._line("", report, DIM)
            case Verdict():
                self._judged(event.record)
            case End():
                self._ended = True
            case _:
                pass

    def _observed(self, seen: Observation) -> None:
        view = self._sight.look(seen, goal=bool(self.tally.goal))
        if view.first:
            self._line("Scene", list_names(seen.objects) if seen.objects else "nothing in view", _SCENE)
        else:
            if view.gone:
                self._line("Scene", f"no longer in view: {list_names(view.gone)}", _SCENE)
            if view.come:
                self._line("Scene", f"now in view: {list_names(view.come)}", _SCENE)
        if view.achieved is not None:
            words = " ".join(view.achieved)
            told = f": {words if self.speak is None else self.speak(words)}" if words else ""
            self._line("Scene", self.tally.progress().replace("condition", "goal condition") + told, _SCENE)

    def _remembered(self, state: WorldState) -> None:
        for number, change in enumerate(state.changes):
            self._line("" if number else "Memory", f"{change.what} ({change.cause})", DIM)

    def _planned(self, plan: Plan) -> None:
        if plan.conditions and plan.conditions != self._goal:
            self._line("Robot thought", f"The goal: {' '.join(c.words for c in plan.conditions)}", _THOUGHT)
        self._goal = plan.conditions or self._goal
        if plan.thought:
            for number, line in enumerate(plan.thought.splitlines()):
                self._line("" if number else "Robot thought", line, _THOUGHT)
        if plan.outline:
            return  # its steps are shown as a list
        if len(plan.steps) > 1:
            for number, step in enumerate(plan.steps, 1):
                because = f" ({step.reason})" if step.reason and step.reason != plan.thought else ""
                self._line("Robot plan" if number == 1 else "", f"{number}. {step.words}{because}", _THOUGHT)
        elif not plan.conditions and not plan.steps and not plan.thought:
            self._line("Robot thought", NO_STEP, _THOUGHT)

    def _show_rows(self, rows: Sequence[OutlineRow]) -> None:
        for row in rows:
            self._line(row.label, row.text, row.style)

    def _criticised(self, critique: Critique) -> None:
        for number, found in enumerate(critique.violations):
            self._line("" if number else "Critic", tell_place(found.step) + found.why, ok=False)
        if not critique.violations:
            by = f" ({critique.by})" if critique.by else ""
            self._line("Critic", f"no objections{by}", ok=True)

    def _judged(self, verdict: Verdict) -> None:
        doubt = tell_doubt(verdict)
        if verdict.unchecked:
            self._line("Success", NOT_CHECKED if verdict.ok else verdict.observed, DIM if verdict.ok else "")
            return
        if verdict.ok:
            self._line("Success", (verdict.expected or "yes") + doubt, ok=True)
            return
        self._line("Success", (tell_miss(verdict, self._reported) or "no") + doubt, ok=False)

    def _show_cost(self) -> None:
        for role, spent in self._spent.items() if self._costs else ():
            self._line("", spent.words(role), DIM, stamp="")
        self._spent.clear()

    def _now_doing(self, event: Event) -> None:
        self._doing, self._since, self._heard = what_follows(event.record), self._clock(), ""

    # One line ---------------------------------------------------------------------------------------------------------

    def _line(
        self, label: str, text: str, style: str = "", *, ok: bool | None = None, stamp: str | None = None
    ) -> None:
        self.lines += 1
        if self.speak is not None and (style in _ROBOTS or ok is not None):
            text = self.speak(text)
        if ok is not None:
            text, style = f"{self._yes if ok else self._no} {text}", GOOD if ok else BAD
        shown = self._stamp if stamp is None else stamp
        head = Text().append(f"{'' if shown == self._stamped else shown:>{_TIME - 2}}  ", style=DIM)
        self._stamped = shown or self._stamped
        head.append(f"{label:<{_LABEL - 1}} ", style=style)
        body = Text(printable(text), style=style)
        if not self.console.is_terminal:
            self.console.print(Text.assemble(head, body), soft_wrap=True)
            return
        beside = min(self.console.width, _WIDEST) - _TIME - _LABEL
        narrow = beside < _NARROWEST  # then the words go under the label
        indent, room = (2, max(self.console.width - 2, 10)) if narrow else (_TIME + _LABEL, beside)
        lines = [Text.assemble(" " * indent, line) for line in body.wrap(self.console, room)]
        if narrow and head.plain.strip():
            lines.insert(0, head)
        elif not narrow:
            lines[:1] = [Text.assemble(head, lines[0][indent:] if lines else "")]
        for line in lines:
            line.rstrip()
            self.console.print(line, soft_wrap=True)


def shortened(text: str) -> str:
    """The beginning of an unusable model answer."""
    text = " / ".join(text.split("\n")).strip()
    return text if len(text) <= BAD_ANSWER else f"{text[:BAD_ANSWER].rstrip()} … ({len(text)} letters)"
