"""Guidelines on the command line: what they choose, what a person sees of the plan, and what a new request changes."""

from __future__ import annotations

import asyncio
import io
import json
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from rich.console import Console

from barworld import GUIDELINES, Bar, barkeeper, steps_of
from fake_plugins import announce
from thinkaloud.cli import cli
from thinkaloud.cli.chat import chat_with
from thinkaloud.cli.plan import plan_request
from thinkaloud.cli.run import run_request
from thinkaloud.cli.sessions import replay_session, resume_session
from thinkaloud.cli.terminal import Terminal
from thinkaloud.cli.typed_lines import InputLine, InputLines
from thinkaloud.errors import BadInput
from thinkaloud.guidelines import shipped, shipped_text
from thinkaloud.models import Scripted
from thinkaloud.monologue import Event
from thinkaloud.records import Begin, Outcome, Outline, Plan, Record, Request, Started, Step, Verdict
from thinkaloud.remember.journal import Journal
from thinkaloud.settings import load
from thinkaloud.staging.opening import describe_run, limits_of, settings_for
from thinkaloud.staging.options import RunOptions
from thinkaloud.worlds import WORLDS

TARO = "May I have a cup of milk with taro?"
BOBA = "With boba instead, and milk."
IN_BAR = RunOptions(world="bar", no_journal=True)


@pytest.fixture(autouse=True)
def bar(monkeypatch: pytest.MonkeyPatch) -> Bar:
    """A world called `bar`, with guidelines of its own."""
    bar = Bar()
    announce(monkeypatch, WORLDS, "bar", lambda scene: bar)
    return bar


@pytest.fixture
def file(at_home: Path) -> str:
    path = at_home / "milk.txt"
    path.write_text(GUIDELINES.replace("Pure milk", "Plain milk"))
    return str(path)


def typed(*arguments: str) -> Result:
    return CliRunner().invoke(cli, arguments)


class LastingLines(InputLines):
    """Lines that are not waited for without an end, should the robot never come to the tick at which they are said."""

    async def get(self) -> InputLine | None:
        async with asyncio.timeout(30):
            return await super().get()


def lines_at(bar: Bar, said: dict[int, str | None], *first: str | None) -> InputLines:
    """Lines that are said at once, and others at some tick of the world; None is the end of them."""
    lines = LastingLines()

    def put(line: str | None, at: float) -> None:
        if line is None:
            lines.end()
        else:
            lines.put(line, at)

    for line in first:
        put(line, 0.0)

    def speak(number: int) -> None:
        if number in said:
            put(said[number], float(number))

    bar.at_tick = speak
    return lines


# What they choose -----------------------------------------------------------------------------------------------------


def test_a_world_with_guidelines_of_its_own_is_worked_in_by_them(capsys: pytest.CaptureFixture[str]) -> None:
    assert run_request(TARO, IN_BAR, model=barkeeper()) == 0
    out = capsys.readouterr().out
    assert out.startswith("bar, seed 0 · itp · ")
    assert out.rstrip().splitlines()[-1].partition(" (checked). ")[0].startswith("Done: ")


def test_who_has_chosen_a_preset_keeps_it(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    no_plan = Scripted(lambda prompt: "Hm.")
    run_request(TARO, RunOptions(world="bar", preset="open_loop", no_journal=True), model=no_plan)
    monkeypatch.setenv("THINKALOUD_PRESET", "open_loop")
    run_request(TARO, IN_BAR, model=no_plan)
    assert capsys.readouterr().out.count("bar, seed 0 · open_loop · scripted") == 2


def test_given_guidelines_choose_preset_and_world(file: str) -> None:
    settings = settings_for(RunOptions(guidelines=file))
    assert (settings.preset, settings.world) == ("itp", "by_hand")
    settings = settings_for(RunOptions(guidelines=file, world="bar", preset="code_as_policies"))
    assert (settings.preset, settings.world) == ("code_as_policies", "bar")


@pytest.mark.parametrize("name", shipped())
def test_shipped_guidelines_choose_the_world_that_has_them(name: str, at_home: Path) -> None:
    copy = at_home / "copy.txt"
    copy.write_text(shipped_text(name))
    worlds = {settings_for(RunOptions(guidelines=source)).world for source in (name, str(copy))}
    assert worlds == {{"dishwashing": "dishwasher"}.get(name, name)}


def test_the_text_is_written_down_with_the_run(file: str) -> None:
    wanted = RunOptions(guidelines=file, world="bar")
    begin = describe_run(wanted, settings_for(wanted))
    assert begin.options["guidelines"] == Path(file).read_text()


def test_limits_are_the_presets_unless_steps_are_given() -> None:
    begin = Begin("bar", "itp:executor=text", "scripted", 0)
    assert limits_of(begin).steps == 150 and limits_of(begin).plans == 300
    few = limits_of(Begin("bar", "itp", "scripted", 0, {"steps": "7"}))
    assert (few.steps, few.plans) == (7, 300)
    assert limits_of(Begin("tabletop", "inner_monologue", "scripted", 0)).steps == 15


def test_steps_that_no_skill_is_documented_for_are_told_in_one_line(
    at_home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (at_home / "own.txt").write_text(GUIDELINES.replace("serve the cup", "garnish it with mint"))
    wanted = RunOptions(guidelines="own.txt", world="bar", no_journal=True)
    plan_request(TARO, wanted, model=barkeeper())
    err = [line for line in capsys.readouterr().err.splitlines() if line.startswith("Notice")]
    assert err == [
        "Notice: bar documents no skill for 'garnish it with mint'. A plan with such a step cannot be carried "
        "out: document a skill in its words, or change the guidelines."
    ]


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["--guidelines", "none.txt"], "none.txt: cannot be read: No such file or directory"),
        (["--guidelines", "empty.txt"], "empty.txt: it has no options"),
        (["--guidelines", "bare.txt"], "bare.txt, line 1: nothing says how 'Pure milk' is done"),
        (["--guidelines", "drinks", "--preset", "open_loop"], "the preset 'open_loop' does not read guidelines"),
        (["--guidelines", "drinks", "--preset", "nope"], "the preset 'nope' does not read guidelines"),
        (["--preset", "itp", "--world", "tabletop"], "'tabletop' has none of its own: give --guidelines FILE"),
    ],
)
@pytest.mark.parametrize("command", ["run", "plan", "chat"])
def test_bad_guidelines_are_one_line_and_status_2(command: str, arguments: list[str], says: str, at_home: Path) -> None:
    (at_home / "empty.txt").write_text("")
    (at_home / "bare.txt").write_text("Options: Pure milk\n")
    before = sorted(at_home.rglob("*"))
    result = typed(command, *arguments, *([] if command == "chat" else [TARO]))
    assert (result.exit_code, result.stdout, result.stderr.count("\n")) == (2, "", 1)
    assert says in result.stderr
    assert sorted(at_home.rglob("*")) == before, "nothing else has happened"


def test_our_own_preset_takes_guidelines_too(file: str, capsys: pytest.CaptureFixture[str]) -> None:
    orders = Scripted(['order("Plain milk", "taro")'] * 3)
    wanted = RunOptions(guidelines=file, preset="thinkaloud:confirm=never", no_journal=True)
    assert plan_request(TARO, wanted, model=orders) == 0
    told = [line.partition(". ")[2].lower() for line in capsys.readouterr().out.splitlines()]
    assert told == [line.lower() for line in steps_of("taro", "milk")]


# Plan -----------------------------------------------------------------------------------------------------------------


def test_a_plan_is_the_list_of_steps_and_no_step_is_thought_through(capsys: pytest.CaptureFixture[str]) -> None:
    model = barkeeper()
    assert plan_request(TARO, IN_BAR, model=model) == 0
    lines = steps_of("taro", "milk")
    assert capsys.readouterr().out.splitlines() == [f"{number}. {line}" for number, line in enumerate(lines, 1)]
    assert len(model.prompts) == 2  # for the list, and to check that against what was ordered
    assert not any("\nStep: " in prompt for prompt in model.prompts)
    assert plan_request(TARO, RunOptions(world="bar", as_json=True), model=barkeeper()) == 0
    plan = json.loads(capsys.readouterr().out)
    assert (plan["kind"], plan["outline"], plan["steps"]) == ("plan", {"lines": lines, "at": None}, [])


def test_a_plan_by_hand_needs_no_robot(file: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert plan_request(TARO, RunOptions(guidelines=file), model=barkeeper()) == 0
    assert capsys.readouterr().out.splitlines()[0] == "1. take an empty cup"


def test_what_is_declined_is_told_with_the_reason(capsys: pytest.CaptureFixture[str]) -> None:
    request = "A cup of passion fruit milk, please."
    assert plan_request(request, IN_BAR, model=barkeeper()) == 1
    assert capsys.readouterr().out == "No plan (declined): passion fruit is not available\n"
    assert plan_request(request, RunOptions(world="bar", as_json=True), model=barkeeper()) == 1
    plan = json.loads(capsys.readouterr().out)
    assert (plan["kind"], plan["end"]["result"]) == ("decline", "declined")


def test_a_planner_that_lists_nothing_is_asked_again(capsys: pytest.CaptureFixture[str]) -> None:
    good, useless = barkeeper(), iter(["Well.\n\n"])
    model = Scripted(lambda prompt: next(useless, None) or good._answer(prompt))
    assert plan_request(TARO, IN_BAR, model=model) == 0
    assert capsys.readouterr().out.startswith("1. take an empty cup\n")


# What a person sees ---------------------------------------------------------------------------------------------------


def told(out: str) -> list[str]:
    """The lines without times."""
    return [line[9:].rstrip() for line in out.splitlines()]


def test_the_list_is_shown_once_and_each_step_with_its_calls(capsys: pytest.CaptureFixture[str]) -> None:
    assert run_request(TARO, IN_BAR, model=barkeeper()) == 0
    text = "\n".join(told(capsys.readouterr().out))
    assert (
        "Robot thought  Material: taro, milk\n"
        "Robot plan     1. take an empty cup\n"
        "               2. add the taro to the cup\n"
        "               3. pour milk into the cup\n"
        "               4. serve the cup\n"
        "Robot plan     Step 1 of 4: take an empty cup\n"
        "               take_cup()\n"
        "Robot action   Take an empty cup.\n"
    ) in text
    assert (
        'Robot plan     Step 2 of 4: add taro to the cup\n               add("taro")\nRobot action   Add the taro.'
        in text
    )
    assert text.count("2. add the taro to the cup") == 1
    assert "no step to offer" not in text


def test_a_step_that_is_tried_again_is_shown_as_such(bar: Bar, capsys: pytest.CaptureFixture[str]) -> None:
    bar.broken = 1
    assert run_request(TARO, IN_BAR, model=barkeeper()) == 0
    out = capsys.readouterr().out
    assert "failed: The tap is stuck." in out
    assert "Step 2 of 4, once more: add taro to the cup" in out


def test_a_new_request_shows_what_it_changes_and_what_stays(bar: Bar, capsys: pytest.CaptureFixture[str]) -> None:
    lines = lines_at(bar, {30: BOBA, 90: None}, TARO)
    assert chat_with(IN_BAR, model=barkeeper(), lines=lines) == 0
    text = "\n".join(told(capsys.readouterr().out))
    assert (
        "New plan       finished, and stays so: take an empty cup\n"
        "               - add taro to the cup\n"
        "               + 1. add boba to the cup\n"
        "               = 2. pour milk into the cup\n"
        "               = 3. serve the cup\n"
        "Robot plan     Step 1 of 3: add boba to the cup\n"
    ) in text
    assert bar.cup == ["boba", "milk"]


def test_a_new_request_that_cannot_be_met_is_declined_and_ends_the_order(
    bar: Bar, capsys: pytest.CaptureFixture[str]
) -> None:
    lines = lines_at(bar, {}, TARO)

    def speak(number: int) -> None:
        if number == 30:
            lines.put("And passion fruit, please.", 30.0)
            lines.end()

    bar.at_tick = speak
    chat_with(IN_BAR, model=barkeeper(), lines=lines)
    assert "Not met (declined): passion fruit isn't available." in capsys.readouterr().out
    assert "milk" not in (bar.cup or ())


def test_the_next_order_begins_a_list_of_its_own(bar: Bar, capsys: pytest.CaptureFixture[str]) -> None:
    lines = lines_at(bar, {}, TARO, "/wait", BOBA, None)
    assert chat_with(IN_BAR, model=barkeeper(), lines=lines) == 0
    text = "\n".join(told(capsys.readouterr().out))
    assert "New plan" not in text and text.count("Robot plan     1. take an empty cup") == 2


def test_a_drink_that_is_called_after_two_ingredients_is_no_missing_object(
    bar: Bar, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run_request("May I have a cup of taro milk?", IN_BAR, model=barkeeper()) == 0
    lines = lines_at(bar, {30: "A boba milk, please.", 90: None}, TARO)
    assert chat_with(IN_BAR, model=barkeeper(), lines=lines) == 0
    assert "I see no" not in capsys.readouterr().out


def test_a_chat_says_what_is_on_offer_and_speaks_of_no_table(capsys: pytest.CaptureFixture[str]) -> None:
    lines = InputLines()
    lines.end()
    assert chat_with(IN_BAR, model=barkeeper(), lines=lines) == 0
    out = capsys.readouterr().out
    assert "The guidelines cover: Pure milk, Boba milk; and similar tasks." in out
    assert "In view: boba, taro, matcha powder, milk." in out
    assert "On the table" not in out


# Sessions -------------------------------------------------------------------------------------------------------------


def dying(when: Callable[[str], bool]) -> Scripted:
    """The barkeeper, until a prompt that kills the process."""
    good = barkeeper()

    def answer(prompt: str) -> str:
        if when(prompt):
            raise KeyboardInterrupt
        return good._answer(prompt)

    return Scripted(answer)


def test_a_killed_run_is_resumed_with_its_guidelines_and_its_list(
    file: str, bar: Bar, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(KeyboardInterrupt):
        model = dying(lambda prompt: "Step: pour milk" in prompt)
        run_request(TARO, RunOptions(guidelines=file, world="bar"), model=model)
    Path(file).unlink()
    with Journal(load().journal) as journal:
        (info,) = journal.sessions()
    capsys.readouterr()
    model = barkeeper()
    assert resume_session(info.id, RunOptions(), model=model) == 0
    text = "\n".join(told(capsys.readouterr().out))
    assert (
        "Robot plan     ✓ 1. take an empty cup\n               ✓ 2. add taro to the cup\n               3. pour milk"
    ) in text
    assert "Step 3 of 4: pour milk into the cup" in text
    assert bar.cup == ["taro", "milk"]
    replay_session(info.id)
    assert capsys.readouterr().out.count("1. take an empty cup") == 1


def test_a_new_plan_after_a_resume_still_shows_what_it_changes() -> None:
    def lines_of(*before: Record, after: Record) -> list[str]:
        screen = io.StringIO()
        view = Terminal(Console(file=screen, width=100, force_terminal=False, no_color=True))
        view.catch_up([Event(index, 0.0, record) for index, record in enumerate(before)])
        view(Event(len(before), 1.0, after))
        return told(screen.getvalue())

    take = Step("take_cup", {}, "Take an empty cup.")
    old, new = tuple(steps_of("taro", "milk")), tuple(steps_of("milk", taken=True))
    shown = lines_of(
        Request(TARO),
        Plan(TARO, (), (), "Material: taro, milk", outline=Outline(old)),
        Plan(TARO, (), (take,), outline=Outline(old, 0)),
        Started(take),
        Outcome(take, "completed"),
        Verdict(take, True, "action"),
        Request("No taro."),
        after=Plan("No taro.", (), (), "Material: milk", outline=Outline(new)),
    )
    assert shown[-4:] == [
        "New plan       finished, and stays so: take an empty cup",
        "               - add taro to the cup",
        "               = 1. pour milk into the cup",
        "               = 2. serve the cup",
    ]


def test_a_scene_that_cannot_be_used_is_named_by_its_file(at_home: Path) -> None:
    (at_home / "machine.json").write_text('{\n  "items": 3\n}')
    with pytest.raises(BadInput, match=r"machine\.json:\d+: "):
        run_request(TARO, RunOptions(world="dishwasher", scene=Path("machine.json")), model=barkeeper())


def test_help_tells_of_guidelines() -> None:
    for command in ("run", "chat", "plan"):
        assert "--guidelines FILE" in typed(command, "--help").stdout
    assert "  itp " in typed("bench", "--help").stdout
