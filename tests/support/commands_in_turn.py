"""Commands of ours in one other process, one after another: most of what a command takes is to start.

    first, second = run_in_turn([["worlds"], ["skills", "franka"]], prelude, cwd=home, env=around)

`prelude` is code that the process begins with.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

_CODE = """
import json, sys
from contextlib import redirect_stderr, redirect_stdout
from io import StringIO
from thinkaloud.cli import main

for words in json.loads(sys.argv[1]):
    status, out, err = 0, StringIO(), StringIO()
    sys.argv[1:] = words
    with redirect_stdout(out), redirect_stderr(err):
        try:
            main()
        except SystemExit as end:
            status = end.code or 0
    print(json.dumps([status, out.getvalue(), err.getvalue()]))
"""


@dataclass(frozen=True)
class Ran:
    """How a command ended, and what it wrote."""

    returncode: int
    stdout: str
    stderr: str


def run_in_turn(
    commands: Sequence[Sequence[str]], prelude: str = "", *, cwd: Path, env: Mapping[str, str]
) -> list[Ran]:
    """Run these commands, and return what came of each."""
    process = [sys.executable, "-c", prelude + _CODE, json.dumps(commands)]
    done = subprocess.run(process, cwd=cwd, env=env, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    return [Ran(*json.loads(line)) for line in done.stdout.splitlines()]
