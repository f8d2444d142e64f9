"""A session as OpenTelemetry traces: one trace for each request, and a span for each stage, model call and skill.

    tracing = open_tracing("http://127.0.0.1:4318", session="20261115-ac8d", content=False)
    tracing.attach(agent.monologue)
    ...
    lost = tracing.close()      # a sentence if the collector did not take everything, or ""

The spans are read off the monologue, so no stage knows of them. A span of a stage begins when the event before it
was recorded. They are handed to a bounded queue, and a thread of its own sends them: a missing or slow collector
costs spans, and never holds up the robot.

Names follow OpenTelemetry's conventions for generative AI: `invoke_agent`, `plan`, `execute_tool`, `chat`. What people
and models say is left out unless `content` is true. The trace's identifier is computed from the session and the
request (`trace_of`), so that either can be found from the other.
"""

from __future__ import annotations

import hashlib
import logging
import time
from collections import deque
from collections.abc import Callable
from threading import Thread
from typing import TYPE_CHECKING

from thinkaloud.errors import MissingExtra
from thinkaloud.monologue import Event, Monologue
from thinkaloud.records import (
    DECISIONS,
    Answer,
    Ask,
    Begin,
    Critique,
    Done,
    End,
    Meaning,
    ModelCall,
    Observation,
    Outcome,
    Plan,
    Record,
    Refusal,
    Rehearsal,
    Request,
    Resumed,
    Started,
    Stop,
    Verdict,
    WorldState,
)
from thinkaloud.untrusted.secrets import hide_credentials

if TYPE_CHECKING:
    from opentelemetry.sdk.trace import TracerProvider
    from opentelemetry.sdk.trace.export import SpanExporter
    from opentelemetry.trace import Span

_Attributes = dict[str, str | int | float | bool]
_QUEUED = 4096
"""Spans that wait for the collector; further ones are dropped."""
PATIENCE = 2.0
"""Seconds that the end of a session waits for the collector."""
_SECOND = 1_000_000_000
_LOGGER = "opentelemetry"


def trace_of(session: str, request: int) -> str:
    """The identifier of the trace of a request: 32 hexadecimal digits. `request` is the number of its event."""
    return hashlib.sha256(f"{session}@{request}".encode()).hexdigest()[:32]


def open_tracing(
    address: str, session: str, *, content: bool = False, page: str = "", patience: float = PATIENCE
) -> Tracing:
    """Send traces to a collector that speaks OTLP over HTTP, such as `http://127.0.0.1:4318`.

    `page` is where the page can be opened, if that is known: each trace then links to its story.
    """
    try:
        from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
    except ModuleNotFoundError as error:
        raise MissingExtra("Traces", "traces") from error
    whole = address.rstrip("/")
    endpoint = whole if whole.endswith("/v1/traces") else f"{whole}/v1/traces"
    exporter = OTLPSpanExporter(endpoint, timeout=patience)
    return Tracing(exporter, session, content, page=page, told=hide_credentials(whole), patience=patience)


class Tracing:
    """Turns the events of a session into spans."""

    def __init__(
        self,
        exporter: SpanExporter,
        session: str,
        content: bool = False,
        *,
        page: str = "",
        told: str = "the collector",
        patience: float = PATIENCE,
        clock: Callable[[], int] = time.time_ns,
    ) -> None:
        self._session, self._content, self._told, self._patience, self._clock = session, content, told, patience, clock
        self._story: _Attributes = {"url.full": f"{page.rstrip('/')}/s/{session}"} if page else {}
        self._sent = _Counted(exporter)
        self._provider = _provider(self._sent, self)
        self._tracer = self._provider.get_tracer("thinkaloud")
        self.trace = ""
        """The identifier of the current trace."""
        self._begin = Begin("", "", "", 0)
        self._root: Span | None = None
        self._since = clock()
        self._started = self._asked = self._since
        self._unfinished: int | None = None
        """The request that was under way when this was attached."""
        self._calls: deque[tuple[int, ModelCall]] = deque(maxlen=_QUEUED)

    def attach(self, monologue: Monologue) -> None:
        """Follow a monologue from now on. If it goes on after its process ended, so does the trace of its request."""
        for event in monologue:
            if isinstance(event.record, Begin):
                self._begin = event.record
            elif isinstance(event.record, Request) and self._unfinished is None:
                self._unfinished = event.index
            elif isinstance(event.record, End):
                self._unfinished = None
        monologue.listeners.append(self.hear)

    def hear(self, event: Event) -> None:
        """Take in the next event; nothing that goes wrong here reaches the robot."""
        try:
            self._take(event, self._clock())
        except Exception:
            logging.getLogger("thinkaloud").debug("An event could not be traced.", exc_info=True)

    def close(self) -> str:
        """Send what is left, but wait only briefly. Returns a sentence if spans were lost."""
        if self._root is not None:
            self._root.end(self._clock())
        ending = Thread(target=self._provider.shutdown, name="traces", daemon=True)
        ending.start()
        ending.join(self._patience)
        if ending.is_alive() or self._sent.failed:
            return f"Some traces did not reach {self._told}."
        return ""

    # One event --------------------------------------------------------------------------------------------------------

    def _take(self, event: Event, now: int) -> None:
        record = event.record
        if isinstance(record, Begin):
            self._begin = record
        elif isinstance(record, ModelCall):
            self._calls.append((now, record))
            return
        elif isinstance(record, Request | Stop):
            self._hear_person(event, record, now)
        elif isinstance(record, Resumed) and self._unfinished is not None:
            self._open(self._unfinished, now)
        elif isinstance(record, Refusal):
            self._span(f"refused {record.role}", {"error.type": "refusal"}, now, failed=self._said(record.why))
        elif isinstance(record, Started):
            self._started = now
        elif (told := self._tell(record)) is not None:
            name, attributes, failed = told
            since = {Outcome: self._started, Answer: self._asked}.get(type(record), self._since)
            self._span(name, attributes, now, since=since, failed=failed)
        if isinstance(record, Ask):
            self._asked = now
        if isinstance(record, End):
            self._finish(record, now)
        self._since = now

    def _hear_person(self, event: Event, record: Request | Stop, now: int) -> None:
        words = record.text if isinstance(record, Request) else record.because
        if self._root is None and isinstance(record, Request):
            self._open(event.index, now)
        elif self._root is not None:
            name = "request" if isinstance(record, Request) else "stop"
            self._root.add_event(name, {"thinkaloud.words": words} if self._content else None, now)
        if self._root is not None and self._content and isinstance(record, Request):
            self._root.set_attribute("gen_ai.input.messages", words)

    def _open(self, request: int, now: int) -> None:
        from opentelemetry.context import Context

        self.trace = trace_of(self._session, request)
        begin = self._begin
        self._root = self._tracer.start_span(
            "invoke_agent thinkaloud",
            Context(),
            attributes={
                "gen_ai.operation.name": "invoke_agent",
                "gen_ai.agent.name": "thinkaloud",
                "gen_ai.provider.name": begin.model.partition(":")[0] or "unknown",
                "gen_ai.request.model": begin.model,
                "gen_ai.conversation.id": self._session,
                "thinkaloud.world": begin.world,
                "thinkaloud.preset": begin.preset,
                "thinkaloud.event": request,
                **self._story,
            },
            start_time=now,
        )

    def _finish(self, end: End, now: int) -> None:
        if self._root is None:
            return
        self._root.set_attribute("thinkaloud.result", end.result)
        if self._content:
            self._root.set_attribute("gen_ai.output.messages", end.because)
        if end.result in ("failed", "limit"):
            _fail(self._root, self._said(end.because))
        self._root.end(now)
        self._root = None

    def _tell(self, record: Record) -> tuple[str, _Attributes, str | None] | None:
        """The name of the stage that ends with a record, its attributes, and why it failed, if so."""
        match record:
            case Observation(objects=objects):
                return "perceive", {"thinkaloud.objects": len(objects)}, None
            case Meaning(words=words, sort=sort, sure=sure):
                sureness: _Attributes = {} if sure is None else {"thinkaloud.sure": sure}
                return "understand", {"thinkaloud.sort": sort, **sureness, **self._words(words)}, None
            case Critique(violations=violations):
                return "critique", {"thinkaloud.violations": len(violations)}, None
            case Rehearsal(feasible=feasible, error=error):
                return "rehearse", {"thinkaloud.feasible": feasible, **self._words(error)}, None
            case Outcome(step=step, ending=ending, report=report):
                tool = {"gen_ai.operation.name": "execute_tool", "gen_ai.tool.name": step.skill}
                said = {"gen_ai.tool.call.arguments": str(dict(step.arguments)), "gen_ai.tool.call.result": report}
                told = tool | {"thinkaloud.ending": ending} | (said if self._content else {})
                failed = None if ending == "completed" else self._said(report) or ending
                return f"execute_tool {step.skill}", {**told}, failed
            case Verdict(step=step, ok=ok, level=level, why=why):
                about: _Attributes = {"gen_ai.tool.name": step.skill, "thinkaloud.ok": ok, "thinkaloud.level": level}
                return "verify", about | self._words(why), None
            case WorldState(changes=changes):
                return "remember", {"thinkaloud.changes": len(changes)}, None
            case Answer(text=text):
                return "converse", self._words(text), None
        if isinstance(record, DECISIONS):
            chosen = {"gen_ai.operation.name": "plan", "thinkaloud.decision": type(record).__name__.lower()}
            steps = {"thinkaloud.steps": len(record.steps)} if isinstance(record, Plan) else {}
            return "plan", {**chosen, **steps, **self._words(_words_of(record))}, None
        return None

    def _span(self, name: str, attributes: _Attributes, now: int, *, since: int = 0, failed: str | None = None) -> None:
        """A stage that is over; what the model was asked meanwhile lies inside it."""
        from opentelemetry.trace import set_span_in_context

        if self._root is None:
            self._calls.clear()
            return
        inside = set_span_in_context(self._root)
        stage = self._tracer.start_span(name, inside, attributes=attributes, start_time=since or self._since)
        for ended, call in self._calls:
            self._chat(stage, ended, call)
        self._calls.clear()
        if failed is not None:
            _fail(stage, failed)
        stage.end(now)

    def _chat(self, stage: Span, ended: int, call: ModelCall) -> None:
        from opentelemetry.trace import SpanKind, set_span_in_context

        span = self._tracer.start_span(
            f"chat {call.model}",
            set_span_in_context(stage),
            kind=SpanKind.CLIENT,
            attributes={
                "gen_ai.operation.name": "chat",
                "gen_ai.provider.name": call.model.partition(":")[0],
                "gen_ai.request.model": call.model,
                "gen_ai.usage.input_tokens": call.prompt,
                "gen_ai.usage.output_tokens": call.generated,
                "gen_ai.usage.cache_read.input_tokens": call.cached,
                "thinkaloud.role": call.role,
            },
            start_time=ended - int(call.seconds * _SECOND),
        )
        span.end(ended)

    def _words(self, text: str) -> _Attributes:
        return {"thinkaloud.words": text} if self._content and text else {}

    def _said(self, text: str) -> str:
        return text if self._content else ""


def _words_of(record: Record) -> str:
    match record:
        case Plan(steps=steps):
            return " ".join(step.words for step in steps)
        case Ask(questions=questions):
            return " ".join(questions)
        case Done(because=because):
            return because
    return ""


def _fail(span: Span, why: str) -> None:
    from opentelemetry.trace import Status, StatusCode

    span.set_status(Status(StatusCode.ERROR, why or None))


class _Counted:
    """An exporter that remembers whether something was lost, and says nothing itself."""

    def __init__(self, exporter: SpanExporter) -> None:
        self._exporter, self.failed = exporter, False

    def export(self, spans: object) -> object:
        """Send spans."""
        from opentelemetry.sdk.trace.export import SpanExportResult

        try:
            result = self._exporter.export(spans)  # type: ignore[arg-type]
        except Exception:
            result = SpanExportResult.FAILURE
        self.failed = self.failed or result is not SpanExportResult.SUCCESS
        return result

    def shutdown(self) -> None:
        """Let go of the connection."""
        self._exporter.shutdown()

    def force_flush(self, timeout_millis: int = 30_000) -> bool:
        """Nothing is kept here."""
        return self._exporter.force_flush(timeout_millis)


def _provider(exporter: _Counted, tracing: Tracing) -> TracerProvider:
    from opentelemetry.sdk.resources import Resource
    from opentelemetry.sdk.trace import TracerProvider
    from opentelemetry.sdk.trace.export import BatchSpanProcessor
    from opentelemetry.sdk.trace.id_generator import RandomIdGenerator

    class Computed(RandomIdGenerator):
        def generate_trace_id(self) -> int:
            return int(tracing.trace, 16)

    logging.getLogger(_LOGGER).addHandler(logging.NullHandler())
    logging.getLogger(_LOGGER).propagate = False  # a missing collector is told once, at the end
    provider = TracerProvider(
        resource=Resource.create({"service.name": "thinkaloud"}), id_generator=Computed(), shutdown_on_exit=False
    )
    provider.add_span_processor(BatchSpanProcessor(exporter, max_queue_size=_QUEUED))  # type: ignore[arg-type]
    return provider


class TraceLinks:
    """Where the trace of each request of a session can be looked at. `viewer` has `{trace}` in it, or is empty."""

    def __init__(self, session: str, viewer: str) -> None:
        self._session, self._viewer = session, viewer
        self._traced: dict[int, int] = {}
        self._under_way: int | None = None

    def hear(self, event: Event) -> None:
        """Take in the next event: what is asked for under way belongs to the trace of the first request."""
        if isinstance(event.record, Request):
            self._under_way = event.index if self._under_way is None else self._under_way
            self._traced[event.index] = self._under_way
        elif isinstance(event.record, End):
            self._under_way = None

    def find(self, request: int) -> str:
        """The address of the trace of a request, by the number of its event; empty if there is none."""
        if not self._viewer or request not in self._traced:
            return ""
        return self._viewer.replace("{trace}", trace_of(self._session, self._traced[request]))
