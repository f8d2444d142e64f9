"""Who plays the episodes: this process, or several, each with its own model.

An episode is the same whoever plays it and whatever was played before; only a local model's prefix cache differs, which
can tip a near tie between two tokens. A worker stays with a scene and a preset as long as it can: its cache is of use.
"""

from __future__ import annotations

import asyncio
import multiprocessing
import signal
from collections.abc import Generator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from typing import Any

from thinkaloud.errors import BadInput, ThinkaloudError
from thinkaloud.models import Model, ModelSettings
from thinkaloud_bench.contract import Bench, Item, OpenModel, Played
from thinkaloud_bench.variants import split_variant
from thinkaloud_bench.watched_model import WatchedModel


@dataclass
class Player:
    """Plays one episode after another with the same model, which is opened when it is needed."""

    bench: Bench
    open_model: OpenModel
    name: str
    settings: ModelSettings
    _model: WatchedModel | None = None
    _runner: asyncio.Runner = field(default_factory=asyncio.Runner)

    def play(self, item: Item) -> Played:
        """An episode, to its end. One that the model was out of reach in does not count: that is an error."""
        played = self._runner.run(self._play(item))
        if self._model is not None and self._model.lost is not None:
            raise self._model.lost
        return played

    async def _play(self, item: Item) -> Played:
        return await self.bench.play(item, self._opened)

    def _opened(self) -> Model:
        if self._model is None:
            self._model = WatchedModel(self.open_model(self.name, self.settings))
        return self._model

    def close(self) -> None:
        """Free the model."""
        if self._model is not None:
            self._runner.run(self._model.close())
        self._runner.close()


def play_alone(items: Sequence[Item], player: Player) -> Generator[Played, None, None]:
    """One after another, in this process."""
    try:
        for item in items:
            yield player.play(item)
    finally:
        player.close()


@dataclass
class Worker:
    """A process that plays what it is sent."""

    process: BaseProcess
    connection: Connection[Any, Any]
    last: Item | None = None
    busy: bool = False

    def take(self, pending: list[Item]) -> None:
        """Send it an episode: the same with a variant of the preset, else another with that preset, else any."""
        self.busy = bool(pending)
        if pending:
            item = max(pending, key=self._nearness)
            pending.remove(item)
            self.last = item
            self.connection.send(item)

    def _nearness(self, item: Item) -> int:
        """How much of what its model has evaluated already this episode would use again."""
        if self.last is None:
            return 0
        same = (item.task, item.index) == (self.last.task, self.last.index)
        if same and _method(item.preset) == _method(self.last.preset):
            return 2
        return int(item.preset == self.last.preset)


def _method(column: str) -> str:
    return split_variant(column)[0].partition(":")[0]


def play_in_processes(
    items: Sequence[Item], jobs: int, player: tuple[Bench, OpenModel, str, ModelSettings]
) -> Generator[Played, None, None]:
    """As many at a time as there are jobs, in whatever order they finish."""
    pending = list(items)
    workers = [_start(player) for _ in range(min(jobs, len(pending)))]
    try:
        for worker in workers:
            worker.take(pending)
        while busy := [worker for worker in workers if worker.busy]:
            ready = wait([worker.connection for worker in busy])
            for worker in (worker for worker in busy if worker.connection in ready):
                played = _receive(worker)
                worker.take(pending)
                yield played
    finally:
        for worker in workers:
            worker.connection.close()
            worker.process.terminate()
        for worker in workers:
            worker.process.join()


def _start(player: tuple[Bench, OpenModel, str, ModelSettings]) -> Worker:
    spawn = multiprocessing.get_context("spawn")  # a fork would share what a model's threads are in the middle of
    ours, theirs = spawn.Pipe()
    process = spawn.Process(target=_work, args=(theirs, *player), daemon=True)
    process.start()
    theirs.close()
    return Worker(process, ours)


def _receive(worker: Worker) -> Played:
    try:
        answer = worker.connection.recv()
    except (EOFError, ConnectionError):
        worker.process.join()
        code = worker.process.exitcode
        raise ThinkaloudError(f"A worker ended with status {code}; the same command with --out goes on.") from None
    if isinstance(answer, BaseException):
        raise answer
    assert isinstance(answer, Played)
    return answer


def _work(connection: Connection[Any, Any], bench: Bench, open_model: OpenModel, name: str, settings: Any) -> None:
    """What a worker process does, until the one who started it hangs up."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for whoever started us
    player = Player(bench, open_model, name, settings)
    with suppress(EOFError, ConnectionError):
        while True:
            item = connection.recv()
            try:
                connection.send(player.play(item))
            except ThinkaloudError as error:
                kind = BadInput if isinstance(error, BadInput) else ThinkaloudError  # others do not travel as they are
                connection.send(kind(str(error)))
    player.close()
