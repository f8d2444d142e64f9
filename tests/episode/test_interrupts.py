"""Signals: what ends a command, and how."""

from __future__ import annotations

import os
import signal

import pytest

from thinkaloud.episode.interrupts import as_ctrl_c, ending_signals, on_hang_up


def test_sigterm_is_heard_where_ctrl_c_is_ignored_as_in_the_background_of_a_script() -> None:
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        with as_ctrl_c() as status, pytest.raises(KeyboardInterrupt):
            os.kill(os.getpid(), signal.SIGTERM)
    finally:
        signal.signal(signal.SIGINT, before)
    assert status() == 128 + signal.SIGTERM


def test_a_closed_terminal_ends_a_program_unless_it_was_started_with_nohup() -> None:
    heard: list[int] = []
    before = signal.signal(signal.SIGHUP, signal.SIG_DFL)
    try:
        with on_hang_up(lambda number, frame: heard.append(number)):
            os.kill(os.getpid(), signal.SIGHUP)
        assert heard == [signal.SIGHUP] and signal.SIGHUP in ending_signals()
        signal.signal(signal.SIGHUP, signal.SIG_IGN)
        with on_hang_up(lambda number, frame: heard.append(number)):
            os.kill(os.getpid(), signal.SIGHUP)
        assert heard == [signal.SIGHUP] and signal.SIGHUP not in ending_signals()
    finally:
        signal.signal(signal.SIGHUP, before)
