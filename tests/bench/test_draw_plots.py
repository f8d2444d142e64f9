"""Plots are drawn again from the committed results."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from thinkaloud_bench.draw_plots import main
from thinkaloud_bench.plots import INSTALL_PLOTS

pytestmark = pytest.mark.draws
BENCH = Path(__file__).parents[2] / "bench"


@pytest.mark.parametrize(
    ("run", "plots"),
    [
        ("itp/embedded", {"step_rate.png", "success.png"}),
        ("shell-game/embedded-large", {"success.png"}),
        ("understanding/embedded-large", {"curve.png", "outcomes.png"}),
    ],
)
def test_a_results_folder_gives_its_plots(run: str, plots: set[str], tmp_path: Path) -> None:
    assert main([str(BENCH / run), "--out", str(tmp_path)]) == 0
    assert {path.name for path in tmp_path.glob("*.png")} == plots


def test_without_out_the_plots_go_into_the_results_folder(tmp_path: Path) -> None:
    folder = Path(shutil.copytree(BENCH / "itp" / "embedded", tmp_path / "run"))
    assert main([str(folder)]) == 0
    assert (folder / "success.png").read_bytes().startswith(b"\x89PNG")


def test_a_folder_without_results_is_one_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([str(tmp_path)]) == 2
    assert capsys.readouterr().err.splitlines() == [
        f"{tmp_path} has no results.json. Name the folder of one run, such as bench/itp/embedded."
    ]


def test_without_matplotlib_the_command_says_how_to_install_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(__import__("sys").modules, "matplotlib.figure", None)
    assert main([str(BENCH / "itp" / "embedded"), "--out", str(tmp_path)]) == 2
    assert capsys.readouterr().err.splitlines() == [INSTALL_PLOTS]
