"""What a person sees: lines that fit their terminal, and a last line that tells the truth."""

import io
import re

from rich.console import Console

from thinkaloud.cli.terminal import Terminal
from thinkaloud.monologue import Event
from thinkaloud.records import (
    Begin,
    Condition,
    End,
    Fix,
    Observation,
    Outcome,
    Plan,
    Record,
    Request,
    Started,
    Step,
    Verdict,
)
from thinkaloud.skills.self_repair import NOTHING_TO_DO, SO_ALREADY

STEP = Step("fill", {"cup": "small cup"}, "Fill the small cup.")
BEGIN = Begin("tabletop", "inner_monologue:feedback=object+success", "embedded-base", 0)


def shown(*records: Record, width: int = 80, terminal: bool = True) -> tuple[Terminal, io.StringIO]:
    file = io.StringIO()
    console = Console(file=file, width=width, force_terminal=terminal, no_color=True, highlight=False)
    view = Terminal(console)
    for index, record in enumerate(records):
        view(Event(index, 0.0, record))
    return view, file


def lines(file: io.StringIO) -> list[str]:
    return [line.split("\x1b[2K")[-1] for line in file.getvalue().splitlines()]


def plain(file: io.StringIO) -> list[str]:
    return [re.sub(r"\x1b\[[0-9;]*[A-Za-z]", "", line) for line in lines(file)]


def test_a_narrow_terminal_breaks_no_word() -> None:
    objects = ("brown block", "cyan block", "purple block", "green block", "pink bowl")
    view, file = shown(BEGIN, Request("Put the brown block down."), Observation(objects, {}), width=40)
    view.note("Say what the robot should do, answer what it asks, or say stop, at any time.")
    text = plain(file)
    assert max(map(len, text)) <= 40
    words = {word for line in text for word in line.split()}
    assert {"inner_monologue:feedback=object+success", "embedded-base", "block,", "bowl", "stop,"} <= words
    assert not {"blo", "ck,", "st", "op,"} & words


def test_a_path_is_never_broken() -> None:
    view, file = shown(width=40)
    path = "/a/folder/with-a-name/that-is-longer/than-the-terminal-is-wide/film.gif"
    view.note(f"Film: {path}")
    assert path in plain(file)


def test_before_a_request_nothing_is_under_way() -> None:
    view, file = shown(BEGIN)
    view.typed("")
    assert "thinking" not in file.getvalue()


def test_the_end_of_a_resumed_session_counts_the_steps_before() -> None:
    before: list[Record] = [BEGIN, Request("Coffee."), Started(STEP), Outcome(STEP, "failed", "Empty.")]
    after: list[Record] = [Started(STEP), Outcome(STEP, "completed", "Full."), End("failed", "no milk")]
    view, file = shown(terminal=False)
    view.catch_up([Event(index, 0.0, record) for index, record in enumerate(before)])
    for index, record in enumerate(after):
        view(Event(index + 4, 1.0, record))
    view.conclude()
    told = plain(file)
    assert "Fill the small cup." not in " ".join(told[:2]), "that was finished before"
    assert told[0].startswith("tabletop, seed 0") and told[1].split() == ["0.0", "s", "Human", "Coffee."]
    assert told[-1] == "Not met: no milk. 2 steps, 1 retried."


def test_a_resumed_session_tells_what_the_goal_is_and_what_was_under_way() -> None:
    full = Condition("full", {"cup": "small cup"}, "Small cup is full.")
    before: list[Record] = [BEGIN, Request("Coffee."), Plan("Coffee.", (full,), (STEP,)), Started(STEP)]
    view, file = shown(terminal=False)
    view.catch_up([Event(index, 0.0, record) for index, record in enumerate(before)])
    view(Event(4, 1.0, Outcome(STEP, "interrupted", "the process ended")))
    view(Event(5, 1.0, Plan("Coffee.", (full,), (STEP,), "Once more.")))
    told = " | ".join(line[9:].strip() for line in plain(file)[1:])
    assert told == (
        "Human          Coffee. | Robot thought  The goal: Small cup is full. | Robot action   Fill the small cup. | "
        "interrupted: the process ended | Robot thought  Once more."
    )


# What was fixed on the way --------------------------------------------------------------------------------------------

SLIPPED = Fix("The cup slipped.", "Grasped it again.")


def told(*records: Record) -> list[str]:
    view, file = shown(BEGIN, Request("Coffee."), *records, terminal=False)
    view.conclude()
    return [line[9:].strip() for line in plain(file)[2:-1]] + [plain(file)[-1]]


def test_what_a_skill_put_right_by_itself_is_shown_and_counted_once_a_check_says_that_it_worked() -> None:
    done = Outcome(STEP, "completed", "Full.", (SLIPPED, SLIPPED))
    lines = told(Started(STEP), done, Verdict(STEP, True, "action"), End("failed", "no milk"))
    assert lines[1:3] == ["Fixed          The cup slipped. Grasped it again."] * 2
    assert lines[-1] == "Not met: no milk. 1 step, 2 fixed on the way."
    lines = told(Started(STEP), done, Verdict(STEP, False, "plan", observed="Not so."), End("failed", "no milk"))
    assert lines[-1] == "Not met: no milk. 1 step."


def test_what_was_tried_in_a_step_that_failed_is_not_said_to_be_put_right() -> None:
    failed = Outcome(STEP, "failed", "Empty.", (SLIPPED,))
    lines = told(Started(STEP), failed, Verdict(STEP, False, "action"), End("failed", "no milk"))
    assert lines[1] == "Tried          The cup slipped. Grasped it again."
    assert lines[-1] == "Not met: no milk. 1 step."


def test_what_is_so_already_is_said_once_and_is_nothing_put_right() -> None:
    outcome = Outcome(STEP, "completed", f"{SO_ALREADY} {NOTHING_TO_DO}", (Fix(SO_ALREADY, NOTHING_TO_DO),))
    lines = told(Started(STEP), outcome, Verdict(STEP, True, "action"), End("goal met", ""))
    assert [line for line in lines if SO_ALREADY in line] == [f"{SO_ALREADY} {NOTHING_TO_DO}"]
    assert "fixed" not in lines[-1]


def test_a_correction_is_shown_and_counted_apart_from_what_is_tried_again() -> None:
    other = Step("rinse", {"cup": "small cup"}, "Rinse the small cup.")
    failed, done = Outcome(STEP, "failed", "Dirty."), Outcome(other, "completed")
    lines = told(Started(STEP), failed, Started(other, True), done, Started(STEP, True), End("failed", "no milk"))
    assert "Robot action   Rinse the small cup. (correcting)" in lines
    assert lines[-1] == "Not met: no milk. 3 steps, 1 retried, 1 correction."


def test_a_whole_home_in_view_is_not_listed_thing_by_thing() -> None:
    from thinkaloud.episode.event_text import MOST_LISTED, list_names

    names = [f"thing {n}" for n in range(60)]
    assert list_names(names).endswith(f"thing {MOST_LISTED - 1} … and {60 - MOST_LISTED} more")
    assert list_names(names[: MOST_LISTED + 3]) == ", ".join(names[: MOST_LISTED + 3])
