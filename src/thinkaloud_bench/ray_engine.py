"""Play episodes on a Ray cluster: `bench NAME --engine ray --jobs 64 --out DIR`.

The cluster has to be there already (RAY_ADDRESS, or `ray start` on this machine), with the same thinkaloud installed on
all its nodes: each worker tells what code and weights it has, and is refused if they differ from those here. Results
come back to this process, so the folder is as with `--jobs` alone. If a worker or its node is lost, another worker
plays the episode again; an episode is only given to a worker that is up.

Not covered: starting a cluster, which would listen on the network. A secret is not sent over it: workers take
`api_key` from their own settings.
"""

from __future__ import annotations

import signal
import threading
from collections.abc import Generator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import thinkaloud
from thinkaloud.errors import BadInput, MissingExtra, ThinkaloudError
from thinkaloud.models import ModelSettings
from thinkaloud.models.weight_digest import digest_model
from thinkaloud.settings import load
from thinkaloud_bench.contract import Bench, Item, OpenModel, Played
from thinkaloud_bench.learned_weights import digest_learned
from thinkaloud_bench.shards import digest_code
from thinkaloud_bench.worker_processes import Player, play_or_error, take_next

Version = tuple[str, str, str, Mapping[str, str]]
"""The version of thinkaloud, and digests of its code, of a model's weights, and of learned eyes, hands and senses."""
_NONE: Mapping[str, Path] = {}


class ClusterPlayer:
    """Plays one episode after another on a node of the cluster."""

    def __init__(
        self,
        bench: Bench,
        open_model: OpenModel,
        name: str,
        settings: ModelSettings,
        learned: Mapping[str, Path] = _NONE,
    ) -> None:
        self._learned = learned
        self._settings = replace(settings, api_key=settings.api_key or load().for_model().api_key)
        self._name, self._player = name, Player(bench, open_model, name, self._settings)

    def version(self) -> Version | ThinkaloudError:
        """What this node has installed."""
        try:
            return version_of(self._name, self._settings, self._learned)
        except ThinkaloudError as error:
            return ThinkaloudError(str(error))

    def play(self, item: Item) -> Played | ThinkaloudError:
        """Play an episode to its end."""
        return play_or_error(self._player, item)


@dataclass
class _Worker:
    actor: Any
    item: Item | None = None
    """What it is playing; None while it starts."""
    last: Item | None = None


def version_of(model: str, settings: ModelSettings, learned: Mapping[str, Path] = _NONE) -> Version:
    """Return what has to be the same on all nodes."""
    return thinkaloud.__version__, digest_code(), digest_model(model, settings), digest_learned(learned)


def play_on_ray(
    items: Sequence[Item],
    jobs: int,
    player: tuple[Bench, OpenModel, str, ModelSettings],
    learned: Mapping[str, Path] = _NONE,
) -> Generator[Played, None, None]:
    """Play the episodes with at most `jobs` workers of a cluster; yield the results in the order they finish.

    `learned`: the files of learned parts, which every node needs at the same place.
    """
    ray = _import_ray()
    bench, open_model, name, settings = player
    settings = replace(settings, threads=settings.threads or 1)
    own = version_of(name, settings, learned)
    sent = bench, open_model, name, replace(settings, api_key=""), learned
    with _connected(ray):
        actor = ray.remote(num_cpus=settings.threads)(ClusterPlayer)
        workers = [_Worker(actor.remote(*sent)) for _ in range(min(jobs, len(items)))]
        waiting = {worker.actor.version.remote(): worker for worker in workers}
        pending, idle = list(items), list[_Worker]()

        def keep_busy() -> None:
            while pending and idle:
                worker = idle.pop()
                worker.item = worker.last = take_next(pending, worker.last)
                waiting[worker.actor.play.remote(worker.item)] = worker

        try:
            while pending or any(worker.item is not None for worker in waiting.values()):
                if not waiting:
                    raise ThinkaloudError(
                        "All workers on the cluster were lost. Run the same command with --out to continue."
                    )
                (ready,), _ = ray.wait([*waiting], num_returns=1)
                worker = waiting.pop(ready)
                try:
                    answer = ray.get(ready)
                except ray.exceptions.RayActorError:  # its process or its node has ended
                    pending += [worker.item] if worker.item is not None else []
                    keep_busy()
                    continue
                if isinstance(answer, BaseException):
                    raise answer
                played, worker.item = worker.item is not None, None
                if not played:
                    require_same(own, answer)
                idle.append(worker)
                keep_busy()
                if played:
                    yield answer
        finally:
            for worker in workers:
                ray.kill(worker.actor)


def require_same(own: Version, others: Version) -> None:
    """Refuse a node that has something else installed."""
    parts = ("version", "code", "weights", "learned parts")
    if named := [part for part, here, there in zip(parts, own, others, strict=True) if here != there]:
        raise BadInput(
            f"A node of the cluster has another {' and '.join(named)} of thinkaloud than this machine. "
            "Install the same on all nodes."
        )


def _import_ray() -> Any:
    try:
        import ray
    except ModuleNotFoundError:
        raise MissingExtra("--engine ray", "ray") from None
    return ray


@contextmanager
def _connected(ray: Any) -> Generator[None, None, None]:
    """Connect to the cluster, unless this process already is; Ray's handler of SIGTERM does not replace ours."""
    if ray.is_initialized():
        yield
        return
    in_main = threading.current_thread() is threading.main_thread()
    before = signal.getsignal(signal.SIGTERM)
    try:
        ray.init(address="auto", log_to_driver=False, logging_level="ERROR")
    except (ConnectionError, RuntimeError) as error:
        raise BadInput(
            f"There is no Ray cluster ({error}). Start one with `ray start --head`, or set RAY_ADDRESS."
        ) from None
    finally:
        if in_main:
            signal.signal(signal.SIGTERM, before)
    try:
        yield
    finally:
        ray.shutdown()
