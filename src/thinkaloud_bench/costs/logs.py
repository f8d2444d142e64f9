"""Measure what traces cost a robot, and what recordings cost afterwards.

    python -m thinkaloud_bench.costs.logs [--steps N] [--repeat N] [--out FILE]

Prints the processor time that following a run adds per step, in milliseconds: in the robot's own thread, and in the
whole process with a collector on this machine that takes everything, that is not there, and that never answers. The
events are those of a real run at the table; they are heard again, so the robot's own work is not in the figures.
"""

from __future__ import annotations

import argparse
import json
import socket
import sys
import tempfile
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from statistics import median
from time import process_time, thread_time

from thinkaloud.errors import MissingExtra
from thinkaloud.logs.mcap_file import write_mcap
from thinkaloud.logs.rerun_file import write_rerun
from thinkaloud.logs.spans import open_tracing
from thinkaloud.monologue import Event
from thinkaloud.records import Started
from thinkaloud.remember.journal import Journal, Session
from thinkaloud_bench.costs.loop import play_steps


class _Taker(BaseHTTPRequestHandler):
    def do_POST(self) -> None:
        self.rfile.read(int(self.headers["Content-Length"]))
        self.send_response(200)
        self.end_headers()

    def log_message(self, *_: object) -> None: ...


@contextmanager
def _collector(kind: str) -> Iterator[str]:
    """The address of a collector that takes spans, is not there, or never answers."""
    if kind == "takes":
        server = ThreadingHTTPServer(("127.0.0.1", 0), _Taker)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()
        server.server_close()
        return
    with socket.socket() as bound:
        bound.bind(("127.0.0.1", 0))
        if kind == "silent":
            bound.listen(100)
        yield f"http://127.0.0.1:{bound.getsockname()[1]}"


def _cost(events: Sequence[Event], address: str) -> tuple[float, float]:
    """Milliseconds a step: in the thread that hears the events, and in all threads until the end."""
    steps = sum(isinstance(event.record, Started) for event in events)
    tracing = open_tracing(address, "cost")
    whole, own = process_time(), thread_time()
    for event in events:
        tracing.hear(event)
    heard = thread_time() - own
    tracing.close()
    return 1000 * heard / steps, 1000 * (process_time() - whole) / steps


def _recordings(session: Session, folder: Path, steps: int) -> dict[str, float]:
    """Milliseconds a step that each recording takes afterwards, and its size; without those that are not installed."""
    found: dict[str, float] = {}
    for kind, write in (("MCAP", write_mcap), ("Rerun", write_rerun)):
        began, path = process_time(), folder / kind
        with suppress(MissingExtra):
            write(session, path)
            found[f"{kind}: afterwards, ms a step"] = round(1000 * (process_time() - began) / steps, 1)
            found[f"{kind}: KB a step"] = round(path.stat().st_size / 1000 / steps, 1)
    return found


def main() -> None:
    """Print the table, and write it if asked."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--steps", type=int, default=15)
    parser.add_argument("--repeat", type=int, default=5)
    parser.add_argument("--out", type=Path)
    chosen = parser.parse_args()
    found: dict[str, float] = {}
    with tempfile.TemporaryDirectory() as folder, Journal(Path(folder) / "journal.db") as journal:
        session = journal.begin()
        play_steps(chosen.steps, session)
        events = [Event(*row) for row in session.events()]
        for kind in ("takes", "absent", "silent"):
            with _collector(kind) as address:
                costs = [_cost(events, address) for _ in range(chosen.repeat)]
            found[f"{kind}: robot's thread, ms a step"] = round(median(own for own, _ in costs), 3)
            found[f"{kind}: whole process, ms a step"] = round(median(whole for _, whole in costs), 3)
        found |= _recordings(session, Path(folder), chosen.steps)
    for name, value in found.items():
        sys.stdout.write(f"{name:40}{value:10}\n")
    if chosen.out is not None:
        chosen.out.write_text(json.dumps({"steps": chosen.steps, "repeat": chosen.repeat} | found, indent=1) + "\n")


if __name__ == "__main__":
    main()
