"""Measure what a newcomer waits for: from `pip install` to the first request, with nothing but a connector's page.

    python -m thinkaloud_bench.costs.installing [--page mcp,ros,…] [--out FILE]

For each page of docs/: a virtual environment of its own, the extras and packages that the page's `pip install` names,
and the page's Python from top to bottom. A page whose extras are not enough fails. What is fetched comes from the
package index that pip is set to; its speed is in the figures. No model is loaded: the pages answer from a list.
Processor seconds are beside the clock's, because other work on the machine makes only the latter longer.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import subprocess
import sys
import tempfile
import time
from itertools import pairwise
from pathlib import Path
from typing import Any

from thinkaloud.untrusted.output import write_line

ROOT = Path(__file__).parents[3]
PAGES = ("mcp", "ros", "zenoh", "gymnasium", "logs", "models", "journal")
_INSTALL = re.compile(r'pip install "?thinkaloud(\[[\w,]+\])?')
_ALSO = re.compile(r"pip install ([\w-]+==[\w.]+)")
_PYTHON = re.compile(r"^```python\n(.*?)^```$", re.DOTALL | re.MULTILINE)
_LONGEST = 1200


def measure(page: str, wheel: Path) -> dict[str, Any]:
    """Install what a page names, and run its Python."""
    text = (ROOT / "docs" / f"{page}.md").read_text(encoding="utf-8")
    found = _INSTALL.search(text)
    extras = (found[1] or "") if found else ""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        subprocess.run([sys.executable, "-m", "venv", folder / "venv"], check=True)
        python, program = folder / "venv" / "bin" / "python", folder / "page.py"
        program.write_text("\n".join(_PYTHON.findall(text)), encoding="utf-8")
        (folder / "examples").symlink_to(ROOT / "examples")
        alone = {key: value for key, value in os.environ.items() if key != "PYTHONPATH"}
        alone |= {"THINKALOUD_HOME": str(folder / "home"), "XDG_CACHE_HOME": str(folder / "cache")}
        marks = [_now()]
        for command in (
            [str(python), "-m", "pip", "install", "-q", f"{wheel}{extras}", *_ALSO.findall(text)],
            [str(python), str(program)],
        ):
            ended = subprocess.run(
                command, cwd=folder, env=alone, capture_output=True, text=True, timeout=_LONGEST, check=False
            )
            marks.append(_now())
            if ended.returncode:
                return {"page": page, "extras": extras, "failed": (ended.stderr.strip().splitlines() or [""])[-1]}
    install, run = ({name: round(b[name] - a[name], 1) for name in a} for a, b in pairwise(marks))
    return {"page": page, "extras": extras, "install": install, "first_request": run}


def _now() -> dict[str, float]:
    """By the clock, and of the processor for programs that have ended."""
    spent = os.times()
    return {"seconds": time.monotonic(), "processor_seconds": spent.children_user + spent.children_system}


def main() -> int:
    """Measure the pages, and print a row for each; 1 if one of them failed."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--page", default=",".join(PAGES))
    parser.add_argument("--out", type=Path)
    given = parser.parse_args()
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([sys.executable, "-m", "pip", "wheel", "-q", "--no-deps", "-w", folder, ROOT], check=True)
        (wheel,) = Path(folder).glob("*.whl")
        for page in given.page.split(","):
            rows.append(measure(page, wheel))
            write_line(json.dumps(rows[-1]))
            if given.out is not None:
                about = {"load_average_at_the_end": round(os.getloadavg()[0], 1), "cores": os.cpu_count()}
                given.out.write_text(json.dumps(about | {"rows": rows}, indent=1) + "\n")
    return int(any("failed" in row for row in rows))


if __name__ == "__main__":
    sys.exit(main())
