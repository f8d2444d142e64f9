"""Attempts to get out of the sandbox, to break it or to use it up. Every one is refused, and reaches nothing."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path

import pytest

from campaign.escaping import NO_LANGUAGE, SMALL, USED_UP, Host
from thinkaloud.errors import CodeRefused
from thinkaloud.execute.sandbox import Bounds, Sandbox


@pytest.fixture
def host(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Host:
    monkeypatch.chdir(tmp_path)
    return Host()


def attempt(code: str, host: Host, bounds: Bounds = SMALL) -> CodeRefused:
    """Run a program that must be refused; nothing may have been reached."""
    environment = dict(os.environ)
    with pytest.raises(CodeRefused) as caught:
        Sandbox(bounds).run(code, host.functions())
    assert caught.value.words == code
    assert str(caught.value).endswith((".", "?"))
    assert not host.was_reached
    assert host.secret == ["untouched"]
    assert dict(os.environ) == environment
    assert list(Path.cwd().iterdir()) == []
    return caught.value


def named(code: str) -> str:
    return ascii(code[:60])


@pytest.mark.parametrize("code", NO_LANGUAGE, ids=named)
def test_what_is_not_in_the_language_is_refused_before_anything_runs(code: str, host: Host) -> None:
    attempt(f"show('first')\n{code}", host)
    assert host.arrived == []


@pytest.mark.parametrize("code", USED_UP, ids=named)
def test_nothing_runs_on_after_a_bound_is_broken(code: str, host: Host) -> None:
    attempt(f"{code}\nreached()", host)
    assert host.arrived == []


@pytest.mark.parametrize(
    "code", ["while True: show('a')", "def f():\n    show('a')\n    f()\nf()", "for i in range(99): show(i)"]
)
def test_calls_are_counted(code: str, host: Host) -> None:
    attempt(f"{code}\nreached()", host, replace(SMALL, seconds=60.0))
    assert len(host.arrived) == SMALL.calls


def test_there_are_enough_attempts() -> None:
    assert len(set(NO_LANGUAGE)) + len(set(USED_UP)) > 200
