"""What CI calls: a browser is installed where that goes, and nothing fails or waits for ever where it does not."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

RUN = Path(__file__).parents[1] / ".ci/run"
TOOLS = ("bash", "cat", "dirname", "env")


def call(tmp_path: Path, **said: str) -> tuple[int, list[str]]:
    """Call it with nothing installed but tools that note how they were called, and do what is said of them."""
    tools = tmp_path / "bin"
    tools.mkdir()
    for name in TOOLS:
        (tools / name).symlink_to(str(shutil.which(name)))
    notes = tmp_path / "notes"
    for name, does in {"id": "echo 0", "timeout": 'shift 3; "$@"', "apt-get": "", "make": "", **said}.items():
        tool = tools / name
        tool.write_text(f'#!/usr/bin/env bash\necho "{name} $*" >>"{notes}"\n{does}\n')
        tool.chmod(0o755)
    folder = tmp_path / "project/.ci"
    folder.mkdir(parents=True)
    shutil.copy(RUN, folder / "run")
    done = subprocess.run([folder / "run"], env={"PATH": str(tools)}, capture_output=True, text=True, timeout=60)
    return done.returncode, [*notes.read_text().splitlines(), *done.stdout.splitlines()]


def test_a_browser_is_installed_before_the_tests_and_never_without_a_limit_of_time(tmp_path: Path) -> None:
    code, notes = call(tmp_path)
    assert code == 0 and notes[-1] == "make test"
    assert [note.rpartition("=60 ")[2] for note in notes if note.startswith("apt-get")] == [
        "update",
        "install -y --no-install-recommends chromium",
    ]
    assert [note.startswith("timeout -k 10 ") for note in notes].count(True) == 2


@pytest.mark.parametrize(
    "said",
    [{"apt-get": "exit 100"}, {"timeout": "exit 124"}, {"id": "echo 1000", "sudo": "exit 1"}, {"id": "echo 1000"}],
)
def test_where_that_does_not_go_one_line_says_so_and_the_rest_is_tested(tmp_path: Path, said: dict[str, str]) -> None:
    code, notes = call(tmp_path, **said)
    assert code == 0 and "make test" in notes
    assert notes[-1] == "Chromium cannot be installed here; the page is not tested in a browser."


def test_a_browser_that_is_there_is_not_installed_again(tmp_path: Path) -> None:
    assert call(tmp_path, chromium="") == (0, ["make test"])


def test_tests_that_fail_are_told_to_who_called(tmp_path: Path) -> None:
    code, notes = call(tmp_path, make="exit 2")
    assert code == 2 and "make test" in notes
