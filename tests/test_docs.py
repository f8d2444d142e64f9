"""What the documentation shows is so: its Python runs, its commands exist, its cheap commands say what it shows.

Not covered: the output of commands that need a model or move the robot; of those only the options are checked.
"""

from __future__ import annotations

import json
import re
import shlex
from functools import cache
from pathlib import Path
from typing import Any

import click
import pytest
from click.testing import CliRunner

from thinkaloud.cli import cli
from thinkaloud.cli.chat import chat_with
from thinkaloud.cli.conversation import HELP
from thinkaloud.cli.typed_lines import InputLines
from thinkaloud.models import Scripted
from thinkaloud.staging.options import RunOptions
from thinkaloud_bench.tables import fill_tables

ROOT = Path(__file__).parents[1]
FOLDERS = (ROOT / "docs", ROOT / "docs" / "benchmarks", ROOT / "training")
PAGES = [
    ROOT / "README.md",
    ROOT / "CHANGELOG.md",
    ROOT / "SECURITY.md",
    *(page for each in FOLDERS for page in sorted(each.glob("*.md"))),
]
CHEAP = {"presets", "models", "worlds", "skills", "sessions"}
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.DOTALL | re.MULTILINE)


def blocks(page: Path, language: str) -> list[tuple[int, str]]:
    """The blocks of a page in a language, each with the line on which it begins."""
    text = page.read_text(encoding="utf-8")
    found = ((text.count("\n", 0, match.start(2)), match[2]) for match in BLOCK.finditer(text) if match[1] == language)
    return list(found)


def commands(page: Path) -> list[tuple[list[str], list[str]]]:
    """The commands of thinkaloud on a page, as arguments, each with the lines of output that the page shows."""
    found: list[tuple[list[str], list[str]]] = []
    for _, block in blocks(page, "console"):
        shown: list[str] = []
        for line in block.replace("\\\n", " ").splitlines():
            if line.startswith("$ "):
                shown = []
                words = shlex.split(line[2:].split(" | ")[0], comments=True)
                if words[0] == "thinkaloud":
                    found.append((words[1:], shown))
            else:
                shown.append(line)
    return found


@pytest.fixture
def elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder to run in, with a journal of its own; examples/ is there, as in the repository."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("THINKALOUD_HOME", str(tmp_path / "home"))
    (tmp_path / "examples").symlink_to(ROOT / "examples")
    return tmp_path


@pytest.mark.parametrize("page", [page for page in PAGES if blocks(page, "python")], ids=lambda page: page.name)
def test_the_python_on_a_page_runs_from_top_to_bottom(page: Path, elsewhere: Path) -> None:
    names: dict[str, Any] = {"__name__": "page"}
    for line, block in blocks(page, "python"):
        exec(compile("\n" * line + block, str(page), "exec", dont_inherit=True), names)


@pytest.mark.parametrize("page", [page for page in PAGES if commands(page)], ids=lambda page: page.name)
def test_the_commands_on_a_page_exist_and_the_cheap_ones_say_what_it_shows(page: Path, elsewhere: Path) -> None:
    for arguments, shown in commands(page):
        if not arguments or arguments[0] in ("--help", "--version"):
            continue
        name, *rest = arguments
        assert name in cli.commands, f"thinkaloud {name}"
        if rest and isinstance(command := cli.commands[name], click.Group):
            command.commands[rest[0]].make_context(rest[0], rest[1:])
        elif name in CHEAP:
            result = CliRunner().invoke(cli, arguments)
            assert result.exit_code == 0, result.output
            missing = [line for line in shown if "…" not in line and line.strip() not in result.output]
            assert not missing, result.output
        elif "--help" not in rest:
            given = cli.commands[name].make_context(name, list(rest)).params
            assert given.get("scene") is None or Path(given["scene"]).is_file()


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_the_links_of_a_page_lead_somewhere(page: Path) -> None:
    links = re.findall(r"\]\((?!https?://)([^)#]*)(?:#([^)]+))?\)", page.read_text(encoding="utf-8"))
    missing = []
    for path, anchor in links:
        to = page.parent / path if path else page
        if not to.exists() or (anchor and to.suffix == ".md" and anchor not in anchors(to)):
            missing.append((path, anchor))
    assert missing == []


@cache
def anchors(page: Path) -> frozenset[str]:
    """The places of a page that links can lead to: its headings, as the usual viewers name them, and what it marks."""
    text = page.read_text(encoding="utf-8")
    headings = re.findall(r"^#+ (.*)", re.sub(r"^```.*?^```", "", text, flags=re.DOTALL | re.MULTILINE), re.MULTILINE)
    words = (re.sub(r"\[(.*?)\]\(.*?\)", r"\1", heading).lower() for heading in headings)
    named = (re.sub(r"[^\w\- ]", "", each).replace(" ", "-") for each in words)
    return frozenset(named) | frozenset(re.findall(r'<a id="([^"]+)"', text))


def test_the_readmes_robot_in_a_text_file_does_what_the_chat_beside_it_shows(elsewhere: Path, capsys: Any) -> None:
    """What was meant is read from a list here; the rest is the robot's own."""
    ((_, robot),) = blocks(PAGES[0], "toml")
    (elsewhere / "my_robot.toml").write_text(robot)
    (shown,) = (
        shown for arguments, shown in commands(PAGES[0]) if arguments[:3] == ["chat", "--world", "my_robot.toml"]
    )
    asked = [line.split("Human")[1].strip() for line in shown if line.split()[0] == "Human"]
    lines = InputLines()
    for line in asked:
        lines.put(line)
        lines.put("/wait")
    lines.end()
    model = Scripted(['carry("cactus", "window")', 'water([p for p in plants if not at(p, "window")])'])
    wanted = RunOptions(world="my_robot.toml", confirm="never")
    assert chat_with(wanted, model=model, lines=lines) == 0
    told = capsys.readouterr().out
    assert [line for line in shown if line.strip() not in told] == []


def test_the_readme_says_what_can_be_typed_in_a_chat() -> None:
    readme = PAGES[0].read_text(encoding="utf-8")
    assert [word for word in re.findall(r"/\w+", HELP) if f"`{word}`" not in readme] == []


def test_every_command_is_in_the_table_of_the_readme() -> None:
    listed = set(re.findall(r"^\| `thinkaloud (\w+)", PAGES[0].read_text(encoding="utf-8"), re.MULTILINE))
    listed |= set(re.findall(r"`(\w+)`", "".join(re.findall(r"^\| `.*?\|", PAGES[0].read_text(), re.MULTILINE))))
    assert set(cli.commands) <= listed


def test_the_readme_can_be_read_in_one_sitting() -> None:
    assert len(PAGES[0].read_text(encoding="utf-8").splitlines()) <= 200


def test_a_table_of_the_readme_is_filled_from_the_results_and_the_rest_is_left_alone(tmp_path: Path) -> None:
    row = {"preset": "open_loop", "metric": "success", "value": 0.5, "low": 0.25, "high": 0.75, "n": 8}
    rows = [{**row, "task": "mean", "paper": None}, {**row, "task": "stack", "paper": 0.1}]
    rows.append({**row, "task": "stack", "metric": "motions", "paper": None})
    folder = tmp_path / "some-bench" / "embedded"
    folder.mkdir(parents=True)
    (folder / "results.json").write_text(json.dumps({"model": "m", "seed": 0, "rows": rows}))
    page = "a\n<!-- table:some-bench -->\nold\n<!-- end -->\nb\n<!-- table:other -->\nkept\n<!-- end -->\n"
    once = fill_tables(page, tmp_path)
    assert "| stack | 50 [25–75] (10) |\n| mean | 50 [25–75] |" in once
    assert "old" not in once and "kept" in once and once.startswith("a\n") and "8 episodes per task" in once
    assert fill_tables(once, tmp_path) == once


def test_the_cheap_commands_are_commands() -> None:
    assert {name for name in CHEAP if isinstance(cli.commands[name], click.Command)} == CHEAP
