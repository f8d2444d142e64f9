"""The real server and page with a robot that walks until it is stopped, and writes down each of its control ticks.

    python -m campaign.page_server HOME PORT [PEOPLE]

It is a process of its own, so that it can be killed and started again.
"""

from __future__ import annotations

import os
import struct
import subprocess
import sys
import time
from pathlib import Path

from thinkaloud.episode.ticks import tick
from thinkaloud.models import Scripted
from thinkaloud.settings import Settings
from thinkaloud.skills import skill
from thinkaloud.web.hub import Hub
from thinkaloud.web.people import People
from thinkaloud.web.server import Serving, serve_hub
from thinkaloud.web.server_benchmark import CountingRobot

ROBOT = "campaign.page_server:Walker"
WALK = "Walk about."
_TICKS = "THINKALOUD_TICKS"
_PERIOD = 0.02
_ROOT = Path(__file__).parents[1]


class Walker(CountingRobot):
    """A robot that moves for as long as nobody stops it."""

    name = "walker"

    @skill(WALK)
    async def walk(self) -> str:
        """Tick until it is stopped; when is written down, since nothing else knows whether a robot is still."""
        ticks = os.open(os.environ[_TICKS], os.O_WRONLY | os.O_CREAT | os.O_APPEND)
        try:
            while True:
                self.clock.seconds += _PERIOD
                await tick()
                os.write(ticks, struct.pack("d", time.time()))
        finally:
            os.close(ticks)


def _walks(prompt: str) -> str:
    if "Goal state" not in prompt.rsplit("Human: ", 1)[1]:
        return ' Goal state is ["It has counted to a million."].'
    return f" On.\nRobot action: {WALK}" if prompt.endswith("Robot thought:") else f" {WALK}"


class PageServer:
    """The server as a process; it keeps its port when it is started again."""

    def __init__(self, folder: Path, people: Path | None = None) -> None:
        """`people` is the file of those who may use it; without it, whoever reaches it may do everything."""
        self.port, self._folder, self._people = 0, folder, people
        self._process: subprocess.Popen[str] | None = None

    def start(self) -> None:
        """Start it, and wait until it listens."""
        path = os.pathsep.join((str(_ROOT / "src"), str(_ROOT)))
        around = os.environ | {"PYTHONPATH": path, _TICKS: str(self._folder / "ticks")}
        around.pop("PYTEST_CURRENT_TEST", None)  # NiceGUI behaves differently in a test
        command = [sys.executable, "-m", "campaign.page_server", str(self._folder), str(self.port)]
        command += [] if self._people is None else [str(self._people)]
        with (self._folder / "log").open("ab") as log:
            self._process = subprocess.Popen(
                command, stdout=subprocess.PIPE, stderr=log, text=True, env=around, cwd=_ROOT
            )
        assert self._process.stdout is not None
        address = self._process.stdout.readline().strip().rstrip("/")
        if not address:
            raise RuntimeError("the server did not start")
        self.port = int(address.rpartition(":")[2])

    def kill(self) -> None:
        """End it as a crash would."""
        if self._process is not None and self._process.stdout is not None:
            self._process.kill()
            self._process.wait()
            self._process.stdout.close()

    @property
    def alive(self) -> bool:
        """Whether it runs."""
        return self._process is not None and self._process.poll() is None

    def log(self) -> str:
        """What it has written to its terminal so far."""
        return (self._folder / "log").read_text(encoding="utf-8", errors="replace")

    def ticks(self) -> list[float]:
        """When the robot moved, in seconds of the clock on the wall."""
        path = self._folder / "ticks"
        data = path.read_bytes() if path.exists() else b""
        return [value for (value,) in struct.iter_unpack("d", data[: len(data) // 8 * 8])]

    def forget_ticks(self) -> None:
        """Begin anew; the robot has to be still."""
        (self._folder / "ticks").unlink(missing_ok=True)


def main(home: str, port: str, people: str = "") -> None:
    """Serve until the process is killed."""
    settings = Settings(home=Path(home), model="walks")
    known = People.of_file(Path(people)) if people else None
    hub = Hub(settings, robots=(ROBOT,), models={"walks": Scripted(_walks, name="walks")}, people=known)
    serve_hub(hub, Serving(port=int(port)), lambda address: print(address, flush=True))


if __name__ == "__main__":
    main(*sys.argv[1:])
