from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from mcap.reader import make_reader

from exported_episode import corner
from thinkaloud.agent import Agent
from thinkaloud.logs.mcap_file import write_mcap
from thinkaloud.logs.moments import read_moments
from thinkaloud.loop import Limits
from thinkaloud.models import Scripted
from thinkaloud.records import Begin, Outcome
from thinkaloud.remember.journal import Journal, Session
from thinkaloud.robots import open_world


@pytest.fixture(scope="module")
def session(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Session]:
    """Two steps at a table."""
    with Journal(tmp_path_factory.mktemp("journal") / "journal.db") as journal, journal.begin() as session:
        world = open_world("tabletop")
        world.reset(3)
        begin = Begin("tabletop", "inner_monologue", "scripted", 3)
        agent = Agent(world, Scripted(corner), "inner_monologue", begin=begin, session=session, limits=Limits(steps=2))
        asyncio.run(agent.run("Put all the blocks in the top left corner."))
        yield session


def messages(path: Path) -> dict[str, list[Any]]:
    found: dict[str, list[Any]] = {}
    with path.open("rb") as file:
        for _, channel, message in make_reader(file).iter_messages():
            found.setdefault(channel.topic, []).append((message.log_time, json.loads(message.data)))
    return found


def test_every_event_is_in_the_mcap_file_at_its_time(session: Session, tmp_path: Path) -> None:
    write_mcap(session, tmp_path / "run.mcap")
    told = messages(tmp_path / "run.mcap")["/monologue"]
    assert [(time, each["index"]) for time, each in told] == [(int(at * 1e9), n) for n, at, _ in session.events()]


def test_words_pictures_and_shapes_are_beside_the_events(session: Session, tmp_path: Path) -> None:
    write_mcap(session, tmp_path / "run.mcap")
    told = messages(tmp_path / "run.mcap")
    assert any(each["message"] == "Put all the blocks in the top left corner." for _, each in told["/log"])
    assert all(each["format"] == "png" and each["data"].startswith("iVBOR") for _, each in told["/picture"])
    names = {entity["id"].partition(" ")[2] for _, each in told["/scene"] for entity in each["entities"]}
    assert any(name.endswith("block") for name in names)


def test_shapes_are_where_the_world_was_then(session: Session) -> None:
    def place(drawing: Any, name: str) -> Any:
        return next(pose[:3] for shape, pose in zip(drawing.shapes, drawing.poses, strict=True) if shape.name == name)

    looked = [moment for moment in read_moments(session) if moment.drawing is not None]
    first, last = looked[0].drawing, looked[-1].drawing
    done = next(record for _, _, record in session.events() if isinstance(record, Outcome))
    moved = str(done.step.arguments["object"])
    assert place(first, moved) != pytest.approx(place(last, moved), abs=0.02)


def test_a_robots_own_code_is_not_opened_for_its_recording(tmp_path: Path) -> None:
    ran = tmp_path / "ran"
    robot = tmp_path / "robot.py"
    robot.write_text(f"open({str(ran)!r}, 'w')\n")
    with Journal(tmp_path / "journal.db") as journal, journal.begin() as session:
        session.commit(0, 0.0, Begin(str(robot), "thinkaloud", "scripted", 0), None, None)
        write_mcap(session, tmp_path / "run.mcap")
    assert not ran.exists()
    assert len(messages(tmp_path / "run.mcap")["/monologue"]) == 1


def test_a_rerun_recording_has_all_of_it(session: Session, tmp_path: Path) -> None:
    pytest.importorskip("rerun", reason="the extra rerun is not installed")
    from thinkaloud.logs.rerun_file import write_rerun

    write_rerun(session, tmp_path / "run.rrd")
    content = (tmp_path / "run.rrd").read_bytes()
    assert content.startswith(b"RRF")
    assert all(name in content for name in (b"/words", b"/picture", b"/world/boxes"))
