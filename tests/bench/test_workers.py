"""Which episode a worker process plays next."""

from __future__ import annotations

from multiprocessing import Pipe, Process

from thinkaloud_bench.contract import Item
from thinkaloud_bench.worker_processes import Worker


def test_a_worker_stays_with_a_scene_then_with_a_preset() -> None:
    ours, theirs = Pipe()
    worker = Worker(Process(), ours)
    columns = ("inner_monologue", "thinkaloud", "thinkaloud:fix=off", "thinkaloud without verify")
    pending = [Item(column, "moved", index, 0) for column in columns for index in (0, 1)]
    pending.insert(0, pending.pop(3))  # it begins with thinkaloud, in the second scene
    played = []
    while pending:
        worker.take(pending)
        item = theirs.recv()
        played.append((item.preset, item.index))
    assert played[:3] == [("thinkaloud", 1), ("thinkaloud:fix=off", 1), ("thinkaloud without verify", 1)]
    assert played[3:6] == [("thinkaloud without verify", 0), ("thinkaloud", 0), ("thinkaloud:fix=off", 0)]
    assert [preset for preset, _ in played[6:]] == ["inner_monologue"] * 2
    worker.take(pending)
    assert not worker.busy
