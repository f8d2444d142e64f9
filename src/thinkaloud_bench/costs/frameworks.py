"""Measure what a step costs in other agent frameworks: run `python -m thinkaloud_bench.costs.frameworks`.

    python -m thinkaloud_bench.costs.frameworks [--steps N] [--repeat N] [--json]

The same work for each: a scripted model calls one tool, N times, with the same two arguments, and then says that it is
done. Nothing uses the network, the tool does almost nothing, and telemetry and printing are off. Prints processor
milliseconds a step (the cheapest of several runs) and the ratio to thinkaloud without a journal.

What each does besides differs: thinkaloud also looks, checks the step against the world, renders a prompt from the
whole transcript and parses a sentence. Where a framework can write down each step before the next (thinkaloud's
journal, the SQLite checkpoints of LangGraph, set to `sync`), that is a line of its own; the others have nothing of it.
"""

from __future__ import annotations

import argparse
import asyncio
import importlib.util
import json
import os
import sys
import tempfile
from collections.abc import Callable
from contextlib import nullcontext
from pathlib import Path
from time import process_time as now
from typing import Any

from thinkaloud.agent import Agent
from thinkaloud.loop import Limits
from thinkaloud.models import Scripted
from thinkaloud.records import Started
from thinkaloud.remember.journal import Journal
from thinkaloud.robots.text_file import TextFileWorld

PLACES = ("shelf", "table", "floor", "chair", "box")
THING = "ball"
_ROBOT = """\
name = "mover"
about = "A robot that puts a ball somewhere."
[kinds]
thing = ["ball"]
place = ["shelf", "table", "floor", "chair", "box"]
[skills.put]
says = "Put the {thing} on the {place}."
doc = "Put something somewhere."
parameters = { thing = "thing", place = "place" }
makes = ["on({thing}, {place})"]
[relations.on]
says = "{thing} is on the {place}."
doc = "Where something is."
parameters = { thing = "thing", place = "place" }
single = true
"""


def place_of(step: int) -> str:
    """Where the ball goes in a step."""
    return PLACES[step % len(PLACES)]


def run_thinkaloud(steps: int, journal: Journal | None) -> int:
    """Our own loop, one step of the plan at a time; returns how many steps it took."""
    taken = iter(range(steps))

    def answer(prompt: str) -> str:
        return f" Put the {THING} on the {place_of(next(taken))}."

    agent = Agent(
        TextFileWorld(_ROBOT),
        Scripted(answer),
        "inner_monologue:feedback=object+success",
        session=None if journal is None else journal.begin(),
        limits=Limits(steps=steps, plans=steps),
    )
    asyncio.run(agent.run("Put the ball everywhere."))
    return len(agent.monologue.since(None, Started))


def run_langgraph(steps: int, saver: Any) -> int:
    """LangGraph: a node that asks the model, and its own node for tools."""
    from langchain_core.messages import AIMessage, HumanMessage
    from langchain_core.tools import tool
    from langgraph.graph import END, START, MessagesState, StateGraph
    from langgraph.prebuilt import ToolNode

    done: list[str] = []

    def put(thing: str, place: str) -> str:
        """Put something somewhere."""
        done.append(place)
        return "done"

    def ask(state: Any) -> Any:
        if len(done) == steps:
            return {"messages": [AIMessage("That is all.")]}
        call = {"name": "put", "args": {"thing": THING, "place": place_of(len(done))}, "id": f"call{len(done)}"}
        return {"messages": [AIMessage("", tool_calls=[call])]}

    graph = StateGraph(MessagesState)
    graph.add_node("ask", ask)
    graph.add_node("tools", ToolNode([tool(put)]))
    graph.add_edge(START, "ask")
    graph.add_conditional_edges("ask", lambda state: "tools" if state["messages"][-1].tool_calls else END)
    graph.add_edge("tools", "ask")
    more: Any = {"durability": "sync"} if saver is not None else {}
    config: Any = {"recursion_limit": 4 * steps + 10, "configurable": {"thread_id": str(id(done))}}
    compiled: Any = graph.compile(checkpointer=saver)
    compiled.invoke({"messages": [HumanMessage("Put the ball everywhere.")]}, config, **more)
    return len(done)


def run_pydantic_ai(steps: int) -> int:
    """Pydantic AI: its function model, and a tool."""
    from pydantic_ai import Agent as PydanticAgent
    from pydantic_ai.messages import ModelResponse, TextPart, ToolCallPart
    from pydantic_ai.models.function import FunctionModel
    from pydantic_ai.usage import UsageLimits

    done: list[str] = []

    def answer(messages: Any, info: Any) -> ModelResponse:
        if len(done) == steps:
            return ModelResponse([TextPart("That is all.")])
        return ModelResponse([ToolCallPart("put", {"thing": THING, "place": place_of(len(done))})])

    agent: Any = PydanticAgent(FunctionModel(answer))

    def put(thing: str, place: str) -> str:
        """Put something somewhere."""
        done.append(place)
        return "done"

    agent.tool_plain(put)
    agent.run_sync("Put the ball everywhere.", usage_limits=UsageLimits(request_limit=None))
    return len(done)


def run_smolagents(steps: int) -> int:
    """smolagents: its agent that calls tools, which says nothing aloud."""
    from smolagents import LogLevel, Model, ToolCallingAgent, tool
    from smolagents.models import ChatMessage, ChatMessageToolCall, ChatMessageToolCallFunction, MessageRole

    done: list[str] = []

    def put(thing: str, place: str) -> str:
        """Put something somewhere.

        Args:
            thing: what to put.
            place: where to put it.
        """
        done.append(place)
        return "done"

    class Answers(Model):  # type: ignore[misc]
        def generate(self, messages: Any, *_: Any, **__: Any) -> Any:
            over = len(done) == steps
            name, given = "put", {"thing": THING, "place": place_of(len(done))}
            if over:
                name, given = "final_answer", {"answer": "That is all."}
            call = ChatMessageToolCall(
                function=ChatMessageToolCallFunction(name=name, arguments=given), id=f"call{len(done)}", type="function"
            )
            return ChatMessage(role=MessageRole.ASSISTANT, content="", tool_calls=[call])

    agent = ToolCallingAgent([tool(put)], Answers(), max_steps=steps + 2, verbosity_level=LogLevel.OFF)
    agent.run("Put the ball everywhere.")
    return len(done)


def _installed(name: str) -> bool:
    return importlib.util.find_spec(name) is not None


def costs(steps: int, repeat: int) -> dict[str, float]:
    """Milliseconds a step, of all that are installed; the runs of all take turns."""
    for name in ("LANGSMITH_TRACING", "LANGCHAIN_TRACING_V2"):
        os.environ[name] = "false"
    with tempfile.TemporaryDirectory() as folder, Journal(Path(folder) / "journal.db") as journal:
        runs: dict[str, Callable[[], int]] = {
            "thinkaloud": lambda: run_thinkaloud(steps, None),
            "thinkaloud, journal": lambda: run_thinkaloud(steps, journal),
        }
        saver: Any = nullcontext()
        if _installed("langgraph"):
            runs["LangGraph"] = lambda: run_langgraph(steps, None)
            if _installed("langgraph.checkpoint.sqlite"):
                from langgraph.checkpoint.sqlite import SqliteSaver

                saver = SqliteSaver.from_conn_string(str(Path(folder) / "langgraph.db"))
        with saver as opened:
            if opened is not None:
                runs["LangGraph, SQLite"] = lambda: run_langgraph(steps, opened)
            if _installed("pydantic_ai"):
                runs["Pydantic AI"] = lambda: run_pydantic_ai(steps)
            if _installed("smolagents"):
                runs["smolagents"] = lambda: run_smolagents(steps)
            found: dict[str, list[float]] = {name: [] for name in runs}
            for each in runs.values():  # what only a first run does: imports, caches
                each()
            for _ in range(repeat):
                for name, each in runs.items():
                    began = now()
                    taken = each()
                    found[name].append(1000 * (now() - began) / steps)
                    if taken != steps:
                        raise RuntimeError(f"{name} took {taken} steps, not {steps}")
    return {name: min(each) for name, each in found.items()}


def main(arguments: list[str]) -> int:
    """Print the table."""
    parser = argparse.ArgumentParser(prog="python -m thinkaloud_bench.costs.frameworks")
    parser.add_argument("--steps", type=int, default=15)
    parser.add_argument("--repeat", type=int, default=9)
    parser.add_argument("--json", action="store_true")
    wanted = parser.parse_args(arguments)
    found = costs(wanted.steps, wanted.repeat)
    if wanted.json:
        sys.stdout.write(json.dumps(found) + "\n")
        return 0
    sys.stdout.write(f"{'':22}{'ms a step':>10}{'ratio':>8}\n")
    for name, cost in found.items():
        sys.stdout.write(f"{name:22}{cost:10.2f}{cost / found['thinkaloud']:8.2f}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
