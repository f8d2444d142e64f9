"""Play episodes in this process, or in several, each with its own model.

An episode does not depend on the worker or on earlier episodes, with one exception: a local model's prefix cache can
tip a near tie between two tokens. A worker keeps to one scene and preset as long as possible, to profit from its cache.
"""

from __future__ import annotations

import asyncio
import multiprocessing
import os
import signal
import threading
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
    """Plays one episode after another with the same model, which it opens on first use."""

    bench: Bench
    open_model: OpenModel
    name: str
    settings: ModelSettings
    _model: WatchedModel | None = None
    _runner: asyncio.Runner = field(default_factory=asyncio.Runner)

    def play(self, item: Item) -> Played:
        """Play an episode to its end; raise an error if the model could not be reached, so that it does not count."""
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
    """Play the episodes one after another in this process."""
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
        """Send it an episode."""
        self.busy = bool(pending)
        if pending:
            self.last = take_next(pending, self.last)
            self.connection.send(self.last)


def take_next(pending: list[Item], last: Item | None) -> Item:
    """Take what a worker plays after `last`: preferably the same with a variant of the preset, or the same preset."""

    def nearness(item: Item) -> int:
        """How much of what its model has already evaluated this episode would reuse."""
        if last is None:
            return 0
        same = (item.task, item.index) == (last.task, last.index)
        if same and _method(item.preset) == _method(last.preset):
            return 2
        return int(item.preset == last.preset)

    item = max(pending, key=nearness)
    pending.remove(item)
    return item


def _method(column: str) -> str:
    return split_variant(column)[0].partition(":")[0]


def play_in_processes(
    items: Sequence[Item], jobs: int, player: tuple[Bench, OpenModel, str, ModelSettings]
) -> Generator[Played, None, None]:
    """Play the episodes in `jobs` processes at a time; yield the results in the order in which they finish."""
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
            worker.process.kill()
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
        raise ThinkaloudError(
            f"A worker process ended with status {code}. Run the same command with --out to continue."
        ) from None
    if isinstance(answer, BaseException):
        raise answer
    assert isinstance(answer, Played)
    return answer


def _end_with_parent() -> None:
    """End this process as soon as its parent has ended, for whatever reason."""
    parent = multiprocessing.parent_process()
    assert parent is not None
    parent.join()
    os._exit(1)


def _work(connection: Connection[Any, Any], bench: Bench, open_model: OpenModel, name: str, settings: Any) -> None:
    """The main function of a worker process; it ends when the parent closes the connection."""
    for number in (
        signal.SIGINT,
        signal.SIGTERM,
    ):  # the whole process group may get these signals; the parent handles them
        signal.signal(number, signal.SIG_IGN)
    threading.Thread(target=_end_with_parent, daemon=True, name="parent").start()
    player = Player(bench, open_model, name, settings)
    with suppress(EOFError, ConnectionError):
        while True:
            connection.send(play_or_error(player, connection.recv()))
    player.close()


def play_or_error(player: Player, item: Item) -> Played | ThinkaloudError:
    """Play an episode; an error is returned, to be raised where the results are wanted."""
    try:
        return player.play(item)
    except ThinkaloudError as error:
        kind = BadInput if isinstance(error, BadInput) else ThinkaloudError  # other exceptions may not be picklable
        return kind(str(error))
