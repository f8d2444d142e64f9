"""The workers of a Ray cluster: the same files as here, and what happens if nodes are lost or differ.

The scheduling is tested with a Ray that runs in this process; a real cluster of two nodes is started where Ray is
installed (`pip install "thinkaloud[ray]"`).
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from thinkaloud.errors import BadInput, ThinkaloudError, UnknownName
from thinkaloud.models import ModelSettings
from thinkaloud.settings import Settings
from thinkaloud_bench import ray_engine, run_bench
from thinkaloud_bench.contract import Item, OpenedModel, Played
from thinkaloud_bench.episode_log import read_played
from thinkaloud_bench.ray_engine import ClusterPlayer, play_on_ray, require_same
from toy_bench import TOY, open_adder, play

ITEMS = [Item(preset, "sums", index, index) for preset in TOY.presets for index in range(3)]


class ActorLost(Exception):
    """As `ray.exceptions.RayActorError`."""


@dataclass
class LocalRay:
    """Ray as far as the engine uses it, in this process: what is asked for is done when it is waited for."""

    lost_after: Sequence[int] = ()
    """For each worker, how many answers it gives before its node is lost; one that is not named stays."""
    started: list[Any] = field(default_factory=list)
    killed: list[Any] = field(default_factory=list)
    exceptions: Any = field(default_factory=lambda: SimpleNamespace(RayActorError=ActorLost))
    processors: list[int] = field(default_factory=list)

    def is_initialized(self) -> bool:
        return True

    def remote(self, num_cpus: int) -> Any:
        self.processors.append(num_cpus)
        return lambda kind: SimpleNamespace(remote=lambda *given: self._start(kind(*given)))

    def _start(self, player: Any) -> Any:
        at = len(self.started)
        left = iter(range(self.lost_after[at])) if at < len(self.lost_after) else iter(range(1000))

        def asked(method: str) -> Any:
            def ask(*given: Any) -> Any:
                alive = next(left, None) is not None
                return lambda: (getattr(player, method)(*given), alive)

            return SimpleNamespace(remote=ask)

        actor = SimpleNamespace(version=asked("version"), play=asked("play"), player=player)
        self.started.append(actor)
        return actor

    def wait(self, references: list[Any], num_returns: int) -> Any:
        return references[:num_returns], references[num_returns:]

    def get(self, reference: Any) -> Any:
        answer, alive = reference()
        if not alive:
            raise ActorLost
        return answer

    def kill(self, actor: Any) -> None:
        self.killed.append(actor)
        actor.player._player.close()  # as the end of its process does


@pytest.fixture
def local_ray(monkeypatch: pytest.MonkeyPatch) -> LocalRay:
    found = LocalRay()
    monkeypatch.setattr(ray_engine, "_import_ray", lambda: found)
    return found


def play_all(jobs: int = 2, **changes: Any) -> list[Played]:
    return [*play_on_ray(ITEMS, jobs, (TOY, open_adder, "scripted", replace(ModelSettings(), **changes)))]


def keys(played: Sequence[Played | Item]) -> list[tuple[str, int]]:
    return sorted((each.preset, each.index) for each in played)


def test_every_episode_is_played_once_and_all_workers_end(local_ray: LocalRay) -> None:
    assert keys(play_all(threads=3)) == keys(ITEMS)
    assert (local_ray.processors, len(local_ray.started)) == ([3], 2)
    assert local_ray.killed == local_ray.started


def test_no_more_workers_are_started_than_there_are_episodes(local_ray: LocalRay) -> None:
    play_all(jobs=50)
    assert len(local_ray.started) == len(ITEMS)


@pytest.mark.parametrize("after", [0, 1, 2])
def test_what_a_lost_worker_was_playing_is_played_by_another(local_ray: LocalRay, after: int) -> None:
    local_ray.lost_after = [after]
    assert keys(play_all()) == keys(ITEMS)


def test_a_worker_that_has_nothing_left_to_play_takes_over_from_a_lost_one(local_ray: LocalRay) -> None:
    """The second worker begins the last episode while the first plays; the first is done before the second is lost."""
    local_ray.lost_after = [1000, 1]
    items = ITEMS[:2]
    played = [*play_on_ray(items, 2, (TOY, open_adder, "scripted", ModelSettings()))]
    assert keys(played) == keys(items)


def test_if_all_workers_are_lost_what_was_played_is_kept(local_ray: LocalRay, tmp_path: Path) -> None:
    local_ray.lost_after = [2, 3]
    with pytest.raises(ThinkaloudError, match="All workers on the cluster were lost"):
        play_bench(tmp_path, "ray")
    before = len(read_played(tmp_path))
    assert before == 3
    local_ray.lost_after = ()
    play_bench(tmp_path, "ray")
    assert len(read_played(tmp_path)) == 8


def test_a_node_with_other_code_or_weights_is_refused(local_ray: LocalRay, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ClusterPlayer, "version", lambda player: ("0", "1", "2", {"eyes": "3"}))
    with pytest.raises(BadInput, match="another version and code and weights and learned parts"):
        play_all()
    require_same(("1", "a", "b", {}), ("1", "a", "b", {}))


def test_an_error_of_a_worker_ends_the_run(local_ray: LocalRay) -> None:
    broken = replace(TOY, play=refuse)
    with pytest.raises(BadInput, match="no such scene"):
        [*play_on_ray(ITEMS, 2, (broken, open_adder, "scripted", ModelSettings()))]
    assert local_ray.killed == local_ray.started


async def refuse(item: Item, model: OpenedModel) -> Played:
    raise BadInput("There is no such scene.")


def test_a_key_is_not_sent_to_the_nodes(local_ray: LocalRay, monkeypatch: pytest.MonkeyPatch) -> None:
    sent: list[ModelSettings] = []
    usual = ClusterPlayer.__init__

    def note(player: Any, bench: Any, open_model: Any, name: str, settings: ModelSettings, learned: Any) -> None:
        sent.append(settings)
        usual(player, bench, open_model, name, settings, learned)

    monkeypatch.setattr(ClusterPlayer, "__init__", note)
    play_all(api_key="secret")
    assert {each.api_key for each in sent} == {""}


def test_an_engine_that_does_not_exist_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UnknownName, match="engine"):
        play_bench(tmp_path, "rays")


def play_bench(out: Path, engine: str, **changes: Any) -> None:
    usual: dict[str, Any] = {"episodes": 2, "jobs": 2, "open_model": open_adder}
    run_bench(
        STEADY, presets=None, model="scripted", seed=3, episodes_file=None, out=out, settings=Settings(home=out),
        progress=lambda done, total, what: None, engine=engine, **usual | changes,
    )  # fmt: skip


async def play_in_no_time(item: Item, model: OpenedModel) -> Played:
    """What is measured is different in every run; all else is the same."""
    played = await play(item, model)
    same = {name: getattr(played, name) for name in played.__struct_fields__}
    return Played(**same | {"seconds": 0.5, "thinking": 0.25})


async def play_together(item: Item, model: OpenedModel) -> Played:
    """Each of two episodes waits for the other to be played at the same time."""
    meet(Path(item.episode), "rb" if item.index else "wb")
    return await play(replace(item, episode=None), model)


def meet(pipe: Path, mode: str) -> None:
    pipe.open(mode).close()  # opening a named pipe waits for its other end


async def play_and_end_once(item: Item, model: OpenedModel) -> Played:
    """The first that plays the second episode ends its process."""
    if item.index == 1:
        end_once(Path(item.episode))
    return await play(replace(item, episode=None), model)


def end_once(marker: Path) -> None:
    if not marker.exists():
        marker.touch()
        os._exit(1)


def draw_nothing(*given: Any) -> list[str]:
    return []


STEADY = replace(TOY, play=play_in_no_time, draw=draw_nothing)


# A real cluster -------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """Two nodes on this machine, with one processor each, and this process connected to them."""
    ray = pytest.importorskip("ray")
    utils = pytest.importorskip("ray.cluster_utils")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PYTHONPATH", os.pathsep.join([str(Path(__file__).parent), *filter(None, sys.path)]))
        patch.setenv("RAY_USAGE_STATS_ENABLED", "0")
        small = {"num_cpus": 1, "object_store_memory": 80_000_000}
        found = utils.Cluster(initialize_head=True, connect=True, head_node_args={**small, "include_dashboard": False})
        try:
            found.add_node(**small)
            found.wait_for_nodes()
            yield found
        finally:
            ray.shutdown()
            found.shutdown()


def test_two_nodes_give_the_same_files_as_this_process(cluster: Any, tmp_path: Path) -> None:
    play_bench(tmp_path / "here", "processes", jobs=1)
    play_bench(tmp_path / "there", "ray")
    for name in ("results.json", "results.csv", "table.txt", "table.md"):
        assert (tmp_path / "there" / name).read_bytes() == (tmp_path / "here" / name).read_bytes()
    here, there = (sorted((tmp_path / each / "episodes.jsonl").read_text().splitlines()) for each in ("here", "there"))
    assert here == there


def play_there(play: Any, episode: Path) -> list[Played]:
    items = [Item("open_loop", "sums", index, index, str(episode)) for index in range(2)]
    return [*play_on_ray(items, 2, (replace(TOY, play=play), open_adder, "scripted", ModelSettings()))]


def test_two_nodes_play_at_the_same_time(cluster: Any, tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    assert keys(play_there(play_together, tmp_path / "pipe")) == [("open_loop", 0), ("open_loop", 1)]


def test_an_episode_whose_process_ended_is_played_again(cluster: Any, tmp_path: Path) -> None:
    assert keys(play_there(play_and_end_once, tmp_path / "ended")) == [("open_loop", 0), ("open_loop", 1)]
