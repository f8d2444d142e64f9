"""What a run leaves for other tools: spans of each stage, an MCAP file, and its plan as a behaviour tree.

The tree then does the same again, without a model. It needs `pip install "thinkaloud[traces,mcap,trees]"`. Spans are
counted here; with THINKALOUD_TRACES set, every command sends them to your collector (docs/logs.md).
"""

from __future__ import annotations

import asyncio
import importlib.util
import sys
from collections import Counter
from pathlib import Path

from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

from thinkaloud import Agent, Journal
from thinkaloud.logs.mcap_file import write_mcap
from thinkaloud.logs.spans import Tracing
from thinkaloud.models import Model, open_model
from thinkaloud.records import Begin
from thinkaloud.robots import open_world
from thinkaloud.robots.behaviour_tree import tick_until_done
from thinkaloud.robots.exported_plan import write_program
from thinkaloud.robots.replay import Replay
from thinkaloud.settings import load

ROBOT = str(Path(__file__).parent / "robots" / "tea_kitchen.toml")


def main(model: Model, folder: Path, request: str = "Fill the kettle and switch it on.") -> str:
    """Carry out a request, write what other tools read, and carry out the plan again; why the tree failed, or nothing."""
    spans = InMemorySpanExporter()
    with Journal(folder / "journal.db") as journal, journal.begin() as session:
        begin = Begin(ROBOT, "", model.name, seed=0)  # what opens the robot again, for the tree
        agent = Agent(open_world(ROBOT), model, "thinkaloud:confirm=never", session=session, begin=begin)
        tracing = Tracing(spans, session=session.id)
        tracing.attach(agent.monologue)
        end = asyncio.run(agent.run(request))
        tracing.close()
        print(f"{end.result}: {end.because}")
        write_mcap(session, folder / "run.mcap")
        write_program(session, folder / "tree.py")
    for name, times in sorted(Counter(span.name for span in spans.get_finished_spans()).items()):
        print(f"{times} x {name}")
    found = importlib.util.spec_from_file_location("tree", folder / "tree.py")
    assert found is not None and found.loader is not None
    written = importlib.util.module_from_spec(found)
    found.loader.exec_module(written)
    return tick_until_done(written.build_tree(Replay(open_world(ROBOT))))


if __name__ == "__main__":
    chosen = open_model(sys.argv[1] if len(sys.argv) > 1 else "embedded", load().for_model())
    print(main(chosen, Path.cwd()) or "The tree did the same again.")
