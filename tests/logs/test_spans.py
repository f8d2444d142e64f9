from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest
from opentelemetry.sdk.trace import ReadableSpan
from opentelemetry.sdk.trace.export import SpanExporter, SpanExportResult
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

from thinkaloud.agent import Agent
from thinkaloud.errors import BadSettings
from thinkaloud.logs.spans import TraceLinks, Tracing, open_tracing, trace_of
from thinkaloud.models import Scripted
from thinkaloud.monologue import Event
from thinkaloud.records import Begin, End, ModelCall, Outcome, Record, Request, Resumed, Started, Stop
from thinkaloud.settings import load
from toyworld import ToyWorld


def played(tracing: Tracing, request: str = "Put the ball on the shelf.") -> Agent:
    """A request to a toy robot, followed by traces."""
    agent = Agent(ToyWorld(), Scripted(['move("ball", "shelf")']), "thinkaloud:confirm=never")
    tracing.attach(agent.monologue)
    assert asyncio.run(agent.run(request)).result == "goal met"
    return agent


def kept(*, content: bool = False) -> tuple[Agent, dict[str, ReadableSpan]]:
    exporter = InMemorySpanExporter()
    tracing = Tracing(exporter, "s1", content, page="http://page/")
    agent = played(tracing)
    assert tracing.close() == ""
    return agent, {span.name: span for span in exporter.get_finished_spans()}


def test_each_stage_model_call_and_skill_has_a_span_in_the_trace_of_its_request() -> None:
    agent, spans = kept()
    assert {"perceive", "understand", "plan", "execute_tool move", "verify"} <= {*spans}
    root = spans["invoke_agent thinkaloud"]
    assert root.context is not None and root.attributes is not None
    links = TraceLinks("s1", "http://viewer/trace/{trace}")
    for event in agent.monologue:
        links.hear(event)
    (request,) = [event.index for event in agent.monologue if isinstance(event.record, Request)]
    assert links.find(request) == f"http://viewer/trace/{root.context.trace_id:032x}"
    assert root.attributes["url.full"] == "http://page/s/s1" and root.attributes["thinkaloud.event"] == request
    assert root.attributes["thinkaloud.result"] == "goal met"
    inside = [span for name, span in spans.items() if name not in (root.name, f"chat {agent.model.name}")]
    assert {span.parent.span_id for span in inside if span.parent} == {root.context.span_id}
    chat, understand = spans[f"chat {agent.model.name}"], spans["understand"]
    assert chat.parent is not None and understand.context is not None
    assert chat.parent.span_id == understand.context.span_id
    for span in spans.values():
        assert span.start_time is not None and span.end_time is not None and span.start_time <= span.end_time


def test_a_change_of_mind_belongs_to_the_trace_of_what_was_asked_first() -> None:
    links = TraceLinks("s1", "http://viewer/{trace}")
    records: list[Record] = [Request("Go."), Request("No, stay."), End("goal met", ""), Request("Go on.")]
    for index, record in enumerate(records):
        links.hear(Event(index, 0.0, record))
    found = [links.find(request) for request in (0, 1, 3)]
    assert found == [f"http://viewer/{trace_of('s1', at)}" for at in (0, 0, 3)]
    assert links.find(2) == "" and TraceLinks("s1", "").find(0) == ""


@pytest.mark.parametrize("viewer", ["javascript:alert(1)//{trace}", "http://viewer/trace", "file:///{trace}"])
def test_only_an_address_with_a_place_for_the_trace_is_linked_to(viewer: str, tmp_path: Any) -> None:
    with pytest.raises(BadSettings, match="TRACE_VIEWER"):
        load(environ={"THINKALOUD_TRACE_VIEWER": viewer, "HOME": str(tmp_path)}, folder=tmp_path)


def test_what_was_said_is_left_out_unless_it_is_wanted() -> None:
    def words(spans: dict[str, ReadableSpan]) -> str:
        return " ".join(str(dict(span.attributes or {})) + str(span.events) for span in spans.values())

    assert "Put the ball" not in words(kept()[1]) and "ball" not in words(kept()[1])
    assert "Put the ball" in words(kept(content=True)[1])


def test_a_resumed_session_goes_on_in_the_trace_of_its_request() -> None:
    exporter = InMemorySpanExporter()
    agent = Agent(ToyWorld(), Scripted(['move("ball", "shelf")']), "thinkaloud:confirm=never")
    agent.monologue.append(Request("Put the ball on the shelf."))
    tracing = Tracing(exporter, "s1")
    tracing.attach(agent.monologue)
    agent.monologue.append(Resumed("the process had ended"))
    asyncio.run(agent.loop.run())
    tracing.close()
    traces = {f"{span.context.trace_id:032x}" for span in exporter.get_finished_spans() if span.context}
    assert traces == {trace_of("s1", 1)}


def test_a_stop_is_noted_in_the_trace() -> None:
    exporter = InMemorySpanExporter()
    tracing = Tracing(exporter, "s1")
    records: list[Record] = [
        Begin("toy", "thinkaloud", "scripted", 0),
        Request("Go."),
        Stop(),
        End("stopped", "you said stop"),
    ]
    for index, record in enumerate(records):
        tracing.hear(Event(index, 0.0, record))
    tracing.close()
    (root,) = exporter.get_finished_spans()
    assert [event.name for event in root.events] == ["stop"]


class _Broken(SpanExporter):
    def export(self, spans: Any) -> SpanExportResult:
        raise OSError("the collector is gone")


def test_a_broken_exporter_costs_spans_and_nothing_else() -> None:
    tracing = Tracing(_Broken(), "s1", told="http://collector")
    played(tracing)
    assert tracing.close() == "Some traces did not reach http://collector."


def test_an_event_that_cannot_be_traced_does_not_reach_the_robot(monkeypatch: pytest.MonkeyPatch) -> None:
    exporter = InMemorySpanExporter()
    tracing = Tracing(exporter, "s1")
    monkeypatch.setattr(tracing, "_take", lambda event, now: 1 / 0)
    played(tracing)
    assert exporter.get_finished_spans() == ()


class _Collector(BaseHTTPRequestHandler):
    received: list[ExportTraceServiceRequest]
    answers: threading.Event

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"]))
        self.server.received.append((self.path, ExportTraceServiceRequest.FromString(body)))  # type: ignore[attr-defined]
        self.server.answers.wait(30)  # type: ignore[attr-defined]
        self.send_response(200)
        self.end_headers()

    def log_message(self, *_: Any) -> None: ...


@contextmanager
def collector(*, answers: bool) -> Iterator[tuple[str, list[tuple[str, ExportTraceServiceRequest]]]]:
    """A collector on this machine that decodes what it gets; it may never answer."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), _Collector)
    server.received, server.answers = [], threading.Event()  # type: ignore[attr-defined]
    if answers:
        server.answers.set()  # type: ignore[attr-defined]
    thread = threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}", server.received  # type: ignore[attr-defined]
    finally:
        server.answers.set()  # type: ignore[attr-defined]
        server.shutdown()
        server.server_close()
        thread.join()


def test_a_collector_can_decode_what_it_is_sent() -> None:
    with collector(answers=True) as (address, received):
        tracing = open_tracing(address, "s1", patience=30)
        played(tracing)
        assert tracing.close() == ""
    assert {path for path, _ in received} == {"/v1/traces"}
    spans = [span for _, each in received for r in each.resource_spans for s in r.scope_spans for span in s.spans]
    assert {"invoke_agent thinkaloud", "plan", "execute_tool move"} <= {span.name for span in spans}
    assert {span.trace_id.hex() for span in spans} == {trace_of("s1", 1)}


def test_a_collector_that_never_answers_holds_nothing_up() -> None:
    with collector(answers=False) as (address, _):
        tracing = open_tracing(address, "s1", patience=0.05)
        for n in range(3):
            played(tracing, f"Put the ball on the shelf, please {n}.")
        assert tracing.close() == f"Some traces did not reach {address}."


def test_what_waits_for_the_collector_is_bounded() -> None:
    tracing = Tracing(_Broken(), "s1")
    call = ModelCall("plan", "m", 1, 1)
    tracing.hear(Event(0, 0.0, Request("Go.")))
    for index in range(1, 20_000):
        tracing.hear(Event(index, 0.0, call))
    assert len(tracing._calls) < 5_000


def test_an_address_that_only_a_downloaded_folder_names_gets_no_traces(tmp_path: Any) -> None:
    (tmp_path / "thinkaloud.toml").write_text('traces = "http://elsewhere:4318"')
    environ = {"HOME": str(tmp_path)}
    with pytest.raises(BadSettings, match="THINKALOUD_TRACES"):
        load(environ=environ, folder=tmp_path)
    same = load(environ=environ | {"THINKALOUD_TRACES": "http://elsewhere:4318"}, folder=tmp_path)
    assert same.traces == "http://elsewhere:4318"


def test_the_time_of_a_skill_is_from_its_start_to_its_outcome() -> None:
    exporter = InMemorySpanExporter()
    ticks = iter(range(1, 100))
    tracing = Tracing(exporter, "s1", clock=lambda: next(ticks) * 10)
    world = ToyWorld()
    step = world.step("move", "ball", "shelf")
    records: list[Record] = [Request("Go."), Started(step), Outcome(step, "failed", "slipped")]
    for index, record in enumerate(records):
        tracing.hear(Event(index, 0.0, record))
    tracing.close()
    (span,) = [each for each in exporter.get_finished_spans() if each.name == "execute_tool move"]
    assert (span.end_time or 0) - (span.start_time or 0) == 10
    assert not span.status.is_ok
