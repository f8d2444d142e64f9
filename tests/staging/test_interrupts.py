"""Signals: what ends a command, and how."""

from __future__ import annotations

import os
import signal

import pytest

from thinkaloud.staging.interrupts import as_ctrl_c


def test_sigterm_is_heard_where_ctrl_c_is_ignored_as_in_the_background_of_a_script() -> None:
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        with as_ctrl_c() as status, pytest.raises(KeyboardInterrupt):
            os.kill(os.getpid(), signal.SIGTERM)
    finally:
        signal.signal(signal.SIGINT, before)
    assert status() == 128 + signal.SIGTERM
