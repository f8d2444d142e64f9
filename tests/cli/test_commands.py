"""The commands as one types them: exit statuses, one-line errors, lists."""

import json
import sqlite3
import subprocess
import sys
from importlib import metadata
from importlib.util import find_spec
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from cli.conftest import REQUEST, obedient
from said import GARDEN
from thinkaloud.cli import cli
from thinkaloud.cli.doctor import examine
from thinkaloud.cli.doctor_connectors import CONNECTORS
from thinkaloud.cli.run import run_request
from thinkaloud.episode.interrupts import leave
from thinkaloud.errors import MissingExtra
from thinkaloud.settings import load
from thinkaloud.staging.options import RunOptions


def typed(*arguments: str) -> Result:
    return CliRunner().invoke(cli, arguments)


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["run"], "Missing argument 'REQUEST'"),
        (["dance"], "No such command 'dance'"),
        (["run", "--bogus", REQUEST], "No such option '--bogus'"),
        (["run", "--world", "mars", REQUEST], "There is no world 'mars'"),
        (["run", "--preset", "inner_monolog", REQUEST], "Did you mean 'inner_monologue'?"),
        (["run", "--preset", "inner_monologue:tone=rude", REQUEST], "There is no option of inner_monologue 'tone'"),
        (["run", "--preset", "inner_monologue:feedback=rude", REQUEST], "not 'rude'"),
        (["run", "--scene", "scene.toml", "--model", "bogus", REQUEST], "There is no model 'bogus'"),
        (["run", "--scene", "scene.toml", "--model", "gguf:scene.toml", REQUEST], "is not a GGUF file"),
        (["run", ""], "The request is empty"),
        (["run", " \t "], "The request is empty"),
        (["run", "?!..."], "'?!...' contains no words"),
        (["run", "x" * 5000], "at most 2000"),
        (
            ["run", "--preset", "hicrisp", "--scene", "scene.toml", "Put the mauve block in the blue bowl."],
            "I see no mauve block",
        ),
        (["run", "--scene", "broken.toml", REQUEST], "broken.toml:2: is not TOML"),
        (["run", "--scene", "overlap.json", REQUEST], "overlap.json:1: b overlaps a"),
        (["run", "--scene", "outside.json", REQUEST], "is not on the table"),
        (["run", "--scene", "none.toml", REQUEST], "none.toml: cannot be read"),
        (["run", "--disturb", "wind=3", REQUEST], "Unknown disturbance 'wind=3'"),
        (["run", "--seed", "-1", REQUEST], "--seed has to be a whole number, 0 or more, not '-1'"),
        (["run", "--steps", "many", REQUEST], "--steps has to be a whole number, 1 to 10000, not 'many'"),
        (["run", "--scene", "scene.toml", "--film", "nowhere/film.gif", REQUEST], "cannot be written"),
        (["run", "--scene", "scene.toml", "--film", "film.mp4", REQUEST], "ends in .gif"),
        (["run", "--seed", "9" * 30, REQUEST], "--seed has to be a whole number, 0 to 9223372036854775807"),
        (["run", "--film", "film.gif", "--no-film", REQUEST], "--film and --no-film cannot be used together"),
        (["replay", "--speed", "nan", "x"], "--speed has to be a number from 0.01 to 1000, not 'nan'"),
        (["replay", "--speed", "fast", "x"], "--speed has to be a number from 0.01 to 1000, not 'fast'"),
        (["bench", "inner-monologue-tabletop", "--preset", ","], "--preset is empty"),
        (["bench", "inner-monologue-tabletop", "--out", "other"], "results.json is from another benchmark"),
        (["bench", "inner-monologue-tabletop", "--episodes-file", "scene.toml"], "takes no --episodes-file"),
        (["bench", "shell-gam"], "Did you mean 'shell-game'?"),
        (["bench", "shell-game", "--preset", "inner_monologue"], "Known: chain_of_thought, plain, state"),
        (["resume", "nope"], "There is no session 'nope'"),
        (["replay", "nope"], "There is no session 'nope'"),
        (["export", "nope"], "There is no session 'nope'"),
        (["skills", "mars"], "There is no world 'mars'"),
    ],
)
def test_bad_input_is_one_line_and_status_2(arguments: list[str], says: str, at_home: Path) -> None:
    Path("broken.toml").write_text("[[objects]]\nname = \n")
    block = {"kind": "block", "x": 0.0, "y": -0.5}
    Path("overlap.json").write_text(json.dumps({"objects": [{"name": "a", **block}, {"name": "b", **block}]}))
    Path("other").mkdir()
    Path("other/results.json").write_text("{}")
    Path("outside.json").write_text(json.dumps({"objects": [{"name": "a", **block, "x": 2.0}]}))
    before = sorted(at_home.rglob("*"))
    result = typed(*arguments)
    assert result.exit_code == 2
    assert says in result.stderr
    assert result.stderr.count("\n") == 1 and result.stdout == ""
    assert sorted(at_home.rglob("*")) == before, "nothing else has happened"


def test_a_damaged_journal_is_one_line(at_home: Path) -> None:
    (at_home / "home").mkdir()
    (at_home / "home" / "journal.db").write_text("not a database, whatever it may be called " * 20)
    for arguments in (["sessions"], ["replay", "x"]):
        result = typed(*arguments)
        assert (result.exit_code, result.stderr.count("\n")) == (2, 1)
        assert "is damaged" in result.stderr


def test_a_home_that_is_a_file_is_told_and_left_alone(at_home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("THINKALOUD_MODEL", "embedded-base")  # sooner loaded than one with an adapter
    (at_home / "home").write_text("mine")
    for arguments in (["sessions"], ["replay", "x"], ["resume", "x"]):
        result = typed(*arguments)
        assert (result.exit_code, result.stderr.count("\n")) == (2, 1)
        assert "home is not a folder" in result.stderr
    findings = {finding.name: finding for finding in examine() if finding.name != "setting"}
    assert "home is not a folder" in findings["journal"].todo
    assert findings["sandbox"].found.startswith("ran an allowed program and refused a forbidden one")
    assert findings["model"].found.startswith("embedded-base: loaded in ")
    assert (at_home / "home").read_text() == "mine"


def test_the_doctor_sees_names_that_are_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("THINKALOUD_PRESET", "nope")
    monkeypatch.setenv("THINKALOUD_WORLD", "mars")
    monkeypatch.setenv("THINKALOUD_MODEL", "gguf:nowhere.gguf")
    todo = " ".join(finding.todo for finding in examine())
    for said in ("no preset 'nope'", "(THINKALOUD_PRESET)", "no world 'mars'", "no file nowhere.gguf"):
        assert said in todo


@pytest.mark.parametrize(
    ("name", "package"),
    [("mcp", "mcp"), ("zenoh", "rosbags"), ("mcap", "mcap"), ("rerun", "rerun"), ("trees", "py_trees")],
)
def test_the_doctor_tries_each_connector_and_names_the_extra_that_is_missing(
    monkeypatch: pytest.MonkeyPatch, name: str, package: str
) -> None:
    if find_spec(package) is not None:
        finding = CONNECTORS[name](load())
        assert finding.todo == "" and metadata.version(finding.found.split()[0]) in finding.found
    for loaded in [each for each in sys.modules if each.partition(".")[0] == package]:
        monkeypatch.delitem(sys.modules, loaded)
    monkeypatch.setitem(sys.modules, package, None)
    with pytest.raises(MissingExtra, match=rf"thinkaloud\[{name}\]"):
        CONNECTORS[name](load())


def test_the_doctor_goes_back_to_a_saved_state_of_an_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    from thinkaloud.robots.gymnasium import saved_state

    well = CONNECTORS["gymnasium"](load())
    assert not well.todo and "went back" in well.found
    monkeypatch.setattr(saved_state, "restore_state", lambda *_: None)
    assert "reinstall gymnasium" in CONNECTORS["gymnasium"](load()).todo


def test_ctrl_c_before_anything_has_begun_is_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted() -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("thinkaloud.settings.load", interrupted)
    result = typed("sessions")
    assert (result.exit_code, result.stderr) == (130, "thinkaloud: Interrupted.\n")


def test_a_locked_journal_is_one_line(at_home: Path) -> None:
    run_request(REQUEST, RunOptions(preset="inner_monologue", scene=Path("scene.toml"), no_film=True), model=obedient())
    other = sqlite3.connect(at_home / "home" / "journal.db", isolation_level=None)
    other.execute("PRAGMA locking_mode = EXCLUSIVE")
    other.execute("BEGIN EXCLUSIVE")
    try:
        from thinkaloud.errors import JournalError

        with pytest.raises(JournalError, match="locked by another program"):
            run_request(
                REQUEST, RunOptions(preset="inner_monologue", scene=Path("scene.toml"), no_film=True), model=obedient()
            )
    finally:
        other.close()


def test_sessions_are_listed_and_exported() -> None:
    assert "no sessions yet" in typed("sessions").stdout
    run_request(REQUEST, RunOptions(preset="inner_monologue", scene=Path("scene.toml"), no_film=True), model=obedient())
    (info,) = (json.loads(line) for line in typed("sessions", "--json").stdout.splitlines())
    assert (info["result"], info["request"]) == ("goal met", REQUEST)
    assert info["id"] in typed("sessions").stdout
    plain = [json.loads(line) for line in typed("export", info["id"]).stdout.splitlines()]
    timed = [json.loads(line) for line in typed("export", "--timings", info["id"]).stdout.splitlines()]
    assert len(plain) == info["events"] == len(timed)
    assert any("seconds" in event for event in timed) and not any("seconds" in event for event in plain)


def test_the_lists_name_what_there_is() -> None:
    assert "tabletop" in typed("worlds").stdout
    assert "openai:NAME" in typed("models").stdout
    assert "\n  :feedback= " in typed("presets").stdout and "object+success" in typed("presets").stdout
    assert "Pick the {object} and place it on the {target}." in typed("skills", "tabletop").stdout
    assert "can be measured" not in typed("skills", "tabletop").stdout
    described = json.loads(typed("skills", "tabletop", "--json").stdout)
    assert described["name"] == "pick_and_place" and described["parameters"]["required"] == ["object", "target"]


def test_the_values_of_a_robot_are_listed_with_what_it_can_do() -> None:
    Path("garden.toml").write_text(GARDEN, encoding="utf-8")
    listed = typed("skills", "garden.toml").stdout
    assert listed.index("Skills:") < listed.index("Relations that") < listed.index("Values that can be measured:")
    assert "says: the height of the {plant} in centimetres" in listed


def test_help_and_version() -> None:
    assert typed("--version").stdout.startswith("thinkaloud 0.")
    assert typed().stdout == typed("--help").stdout
    assert "..." not in typed("--help").stdout.split("Commands:")[1], "what a command does fits its line"
    assert "--no-journal" not in typed("resume", "--help").stdout, "a resumed session is in the journal"
    for name in cli.commands:
        result = typed(name, "--help")
        assert result.exit_code == 0 and "Usage:" in result.stdout


def test_help_loads_nothing_heavy() -> None:
    code = "import sys, thinkaloud.cli; print(*{'mujoco', 'numpy', 'rich', 'PIL', 'xllamacpp'} & set(sys.modules))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert (done.returncode, done.stdout.strip()) == (0, "")


def test_leaving_while_something_is_being_written_is_leaving(monkeypatch: pytest.MonkeyPatch) -> None:
    class Busy:
        def flush(self) -> None:
            raise RuntimeError("reentrant call inside <_io.BufferedWriter name='<stdout>'>")

    left: list[int] = []
    monkeypatch.setattr("sys.stdout", Busy())
    monkeypatch.setattr("os._exit", left.append)
    leave(143)
    assert left == [143]
