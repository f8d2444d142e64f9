"""The hub over HTTP and WebSocket; what it answers is described by OpenAPI, at /api/openapi.json.

The documentation at /api/docs is a page of ours: what FastAPI would serve asks a CDN for its parts.
"""

import html
from collections.abc import Mapping, Sequence
from contextlib import aclosing, suppress
from dataclasses import dataclass
from typing import Annotated, Any, ClassVar

import anyio
import msgspec
from fastapi import APIRouter, FastAPI, Header, Query, Request, Response, WebSocket, WebSocketDisconnect
from fastapi.exceptions import RequestValidationError
from fastapi.responses import HTMLResponse
from pydantic import BaseModel, ConfigDict, Field

from thinkaloud.errors import ThinkaloudError, UnknownName
from thinkaloud.web.access import PERSON
from thinkaloud.web.control import LONGEST_IDENTIFIER
from thinkaloud.web.ears import speech_routes
from thinkaloud.web.hub import Hub, NotAllowed, NotConfirmed, NotInControl, NotNow
from thinkaloud.web.messages import (
    BenchResults,
    Choices,
    Comparison,
    Drawing,
    ForkRequest,
    ModelExchange,
    PeopleReport,
    SessionRequest,
    SessionRow,
    SessionSummary,
    Status,
)
from thinkaloud.web.people import Person
from thinkaloud.web.teaching_api import DoneReply, teaching_routes
from thinkaloud.web.visitor_header import VisitorHeader
from thinkaloud.web.workshop_api import workshop_routes

_STRICT = ConfigDict(extra="forbid")
_Name = Annotated[
    str, Header(alias="X-Name", max_length=LONGEST_IDENTIFIER, description="What others see of the viewer.")
]
_Message = Annotated[
    str, Field(max_length=LONGEST_IDENTIFIER, description="Made up by the client; a repeated one is ignored.")
]
_At = Annotated[int | None, Query(ge=0, description="The number of an event; now, if not given.")]
_GONE = 4404
"""The code with which a stream of a session that is not there is closed."""
_LOOK_AGAIN = 0.5
"""Seconds between two looks at the list of people while a stream is open."""


class StartedReply(BaseModel):
    """A session that was opened."""

    id: str


class StoppedReply(BaseModel):
    """The run has heard the stop; `still`: nothing moves any more. `message` is the one that came with it."""

    ok: bool = True
    still: bool
    message: str = ""


class AllStoppedReply(BaseModel):
    """The open sessions, all of which have heard the stop; `still`: nothing moves any more in any of them."""

    ok: bool = True
    sessions: list[str]
    still: bool
    message: str = ""


class MeReply(BaseModel):
    """Somebody. Without a name, nobody is named here, and whoever reaches the server may do everything."""

    name: str = ""
    role: str = "administer"


class ErrorReply(BaseModel):
    """What cannot be done, and why, in one line."""

    error: str


@dataclass(frozen=True)
class StartBody(SessionRequest):
    """A session as somebody wants it."""

    __pydantic_config__: ClassVar[ConfigDict] = _STRICT
    message: _Message = ""


@dataclass(frozen=True)
class ForkBody(ForkRequest):
    """What is to be different from an event on."""

    __pydantic_config__: ClassVar[ConfigDict] = _STRICT
    message: _Message = ""


class SayBody(BaseModel):
    """Something said to the robot."""

    model_config = _STRICT
    text: str
    message: _Message = ""


class ApproveBody(BaseModel):
    """A yes or no to a step."""

    model_config = _STRICT
    yes: bool
    message: _Message = ""


class StopBody(BaseModel):
    """A stop, whatever else is in it. `late`: the seconds since it was pressed, if it did not get through at once."""

    late: float = 0.0
    message: _Message = ""


class NameBody(BaseModel):
    """What a session is called; empty: it has no name."""

    model_config = _STRICT
    name: str


class DisturbBody(BaseModel):
    """What a person does to the world: `to` is a point [x, y], the name of a thing or place, or `over`."""

    model_config = _STRICT
    thing: str
    to: str | tuple[float, float]


class HandOverBody(BaseModel):
    """Who gets control, by their public id; nobody: take what nobody holds."""

    model_config = _STRICT
    to: str | None = None


def build_api(hub: Hub) -> FastAPI:
    """The application, without a page; whoever serves it puts a guard round it."""
    app = FastAPI(
        title="thinkaloud",
        summary="Sessions of robots that think aloud: start, talk, watch, stop, look back.",
        docs_url=None,
        redoc_url=None,
        openapi_url="/api/openapi.json",
        responses={code: {"model": ErrorReply} for code in (400, 401, 403, 404, 409, 413, 429, 503)},
    )
    app.state.hub = hub
    app.include_router(_sessions(hub))
    app.include_router(_control(hub))
    app.include_router(_looking(hub))
    app.include_router(_people(hub))
    app.include_router(teaching_routes(hub))
    app.include_router(workshop_routes(hub))
    app.include_router(speech_routes(hub))
    app.add_exception_handler(ThinkaloudError, _refused)
    app.add_exception_handler(RequestValidationError, _misread)

    @app.get("/api/docs", include_in_schema=False)
    async def docs() -> HTMLResponse:
        return HTMLResponse(_documentation(app.openapi()), headers={"content-security-policy": "default-src 'none'"})

    return app


def _sessions(hub: Hub) -> APIRouter:
    router = APIRouter(prefix="/api", tags=["sessions"])

    @router.get("/choices", response_model=Choices)
    async def choices() -> Response:
        """What there is to choose from."""
        return _json(await hub.choices())

    @router.get("/scenes")
    async def scenes(world: str) -> list[str]:
        """The scenes that a world can be opened with."""
        return list(await hub.scenes(world))

    @router.get("/examples")
    async def examples(world: str) -> list[str]:
        """Requests to try first in a world: those that it declares, or sentences of its skills that can be done."""
        return list(await hub.examples(world))

    @router.get("/sessions", response_model=list[SessionRow])
    async def sessions() -> Response:
        """All sessions, live and journalled, the newest first."""
        return _json(await hub.sessions())

    @router.post("/sessions")
    async def start(body: StartBody, viewer: VisitorHeader, name: _Name = "") -> StartedReply:
        """Start a session."""
        return StartedReply(id=await hub.start(body, viewer=viewer, name=name, message=body.message))

    @router.post("/stop")
    async def stop_all(viewer: VisitorHeader, body: StopBody | None = None) -> AllStoppedReply:
        """Have all robots hold still; answered once each has heard it. Anybody may."""
        wanted = body or StopBody()
        sessions, still = await hub.stop_all_and_wait(late=wanted.late, message=wanted.message, viewer=viewer)
        return AllStoppedReply(sessions=sessions, still=still, message=wanted.message)

    @router.get("/sessions/{id}", response_model=Status)
    async def status(id: str) -> Response:
        """A session just now."""
        return _json(await hub.status(id))

    @router.delete("/sessions/{id}")
    async def close(id: str, viewer: VisitorHeader, forever: bool = False) -> DoneReply:
        """Stop the robot, and let go of world and model; the journal keeps the session.

        `forever`: delete it from the journal, too; not while its robot is at work.
        """
        if forever:
            await hub.delete(id, viewer=viewer)
        else:
            await hub.close(id, viewer=viewer)
        return DoneReply()

    @router.put("/sessions/{id}/name")
    async def rename(id: str, body: NameBody, viewer: VisitorHeader) -> DoneReply:
        """Give a session a name."""
        await hub.rename(id, body.name, viewer=viewer)
        return DoneReply()

    @router.post("/sessions/{id}/fork")
    async def fork(id: str, body: ForkBody, viewer: VisitorHeader, name: _Name = "") -> StartedReply:
        """A new session from an event of this one on."""
        return StartedReply(id=await hub.fork(id, body, viewer=viewer, name=name, message=body.message))

    @router.websocket("/sessions/{id}/stream")
    async def stream(
        socket: WebSocket,
        id: str,
        since: int = 0,
        viewer: str = "",
        name: Annotated[str, Query(max_length=LONGEST_IDENTIFIER)] = "",
    ) -> None:
        await socket.accept()
        person = socket.scope.get(PERSON)
        viewer = hub.visitors.bind(person, viewer)
        try:
            async with anyio.create_task_group() as tasks:
                tasks.start_soon(_listen, socket, hub, id, viewer, tasks.cancel_scope)
                if person is not None:
                    tasks.start_soon(_turn_away, socket, hub, person, tasks.cancel_scope)
                async with aclosing(hub.subscribe(id, since=since, viewer=viewer, name=name)) as messages:
                    async for message in messages:
                        await socket.send_text(msgspec.json.encode(message).decode())
        except* ThinkaloudError as errors:
            with suppress(RuntimeError):
                await socket.close(_GONE, str(errors.exceptions[0])[:100])
        except* (WebSocketDisconnect, RuntimeError):
            pass

    return router


async def _listen(socket: WebSocket, hub: Hub, id: str, viewer: str, scope: anyio.CancelScope) -> None:
    """Notice that a viewer has gone; and a stop, which may come this way, too: the text `stop`."""
    with suppress(WebSocketDisconnect, RuntimeError):
        while True:
            if (await socket.receive_text()).strip().lower() == "stop":
                with suppress(NotConfirmed):  # the stream itself shows whether the run heard it
                    await hub.stop_and_wait(id, viewer=viewer)
    scope.cancel()


async def _turn_away(socket: WebSocket, hub: Hub, person: Person, scope: anyio.CancelScope) -> None:
    """End the stream of somebody who is taken off the list of people, also while nothing happens."""
    while hub.visitors.is_known(person):  # noqa: ASYNC110 - it waits for a file to change
        await anyio.sleep(_LOOK_AGAIN)
    with suppress(RuntimeError, OSError):
        await socket.close(1008, "You are not on the list any more.")
    scope.cancel()


def _control(hub: Hub) -> APIRouter:
    router = APIRouter(prefix="/api/sessions/{id}", tags=["control"])

    @router.post("/say")
    async def say(id: str, body: SayBody, viewer: VisitorHeader) -> DoneReply:
        """Say something: an answer if the robot asked, `stop`, or a request, which may change the one at hand."""
        await hub.say(id, body.text, viewer=viewer, message=body.message)
        return DoneReply()

    @router.post("/answer")
    async def answer(id: str, body: SayBody, viewer: VisitorHeader) -> DoneReply:
        """Answer what the robot asked."""
        await hub.answer(id, body.text, viewer=viewer, message=body.message)
        return DoneReply()

    @router.post("/approve")
    async def approve(id: str, body: ApproveBody, viewer: VisitorHeader) -> DoneReply:
        """Say yes or no to a step that needs approval."""
        await hub.approve(id, body.yes, viewer=viewer, message=body.message)
        return DoneReply()

    @router.post("/stop")
    async def stop(id: str, viewer: VisitorHeader, body: StopBody | None = None) -> StoppedReply:
        """Hold still at the next control tick; answered once the robot's run has heard it. Anybody may."""
        wanted = body or StopBody()
        still = await hub.stop_and_wait(id, late=wanted.late, message=wanted.message, viewer=viewer)
        return StoppedReply(still=still, message=wanted.message)

    @router.post("/pause")
    async def pause(id: str, viewer: VisitorHeader) -> DoneReply:
        """Hold still where it is, or before the next step while it thinks."""
        await hub.pause(id, viewer=viewer)
        return DoneReply()

    @router.post("/step")
    async def step(id: str, viewer: VisitorHeader) -> DoneReply:
        """Go on for one step, then pause again."""
        await hub.step(id, viewer=viewer)
        return DoneReply()

    @router.post("/go_on")
    async def go_on(id: str, viewer: VisitorHeader) -> DoneReply:
        """Go on after a pause, or with a session that was cut short."""
        await hub.go_on(id, viewer=viewer)
        return DoneReply()

    @router.post("/disturb")
    async def disturb(id: str, body: DisturbBody, viewer: VisitorHeader) -> DoneReply:
        """Move a thing by hand, or knock it over."""
        await hub.disturb(id, body.thing, to=body.to, viewer=viewer)
        return DoneReply()

    @router.post("/control")
    async def control(id: str, body: HandOverBody, viewer: VisitorHeader) -> DoneReply:
        """Hand control over, or take it where nobody has it or who had it is gone."""
        if body.to is None:
            await hub.take_control(id, viewer=viewer)
        else:
            await hub.hand_over(id, body.to, viewer=viewer)
        return DoneReply()

    return router


def _looking(hub: Hub) -> APIRouter:
    router = APIRouter(prefix="/api", tags=["looking"])

    @router.get("/sessions/{id}/events")
    async def events(id: str, since: Annotated[int, Query(ge=0)] = 0) -> list[Mapping[str, Any]]:
        """Events as the journal's JSON, from one on."""
        return (await hub.looking.replay(id))[since:]

    @router.get("/sessions/{id}/told", response_model=SessionSummary)
    async def told(id: str, at: _At = None) -> Response:
        """Where the story stood after an event."""
        return _json(await hub.looking.told(id, at=at))

    @router.get("/sessions/{id}/scene", response_model=Drawing)
    async def scene(id: str, at: _At = None) -> Response:
        """What to draw."""
        return _json(await hub.looking.scene(id, at=at))

    @router.get("/sessions/{id}/camera.png", response_class=Response)
    async def camera(id: str, at: _At = None, boxes: bool = True) -> Response:
        """What is seen, with boxes."""
        picture = await hub.looking.camera(id, at=at, boxes=boxes)
        if picture is None:
            raise UnknownName("picture", "camera.png", ())
        return Response(picture, media_type="image/png", headers={"cache-control": "no-store"})

    @router.get("/sessions/{id}/plan_picture", response_class=Response)
    async def plan_picture(id: str) -> Response:
        """The picture under the plan."""
        picture = await hub.looking.plan_picture(id)
        if picture is None:
            raise UnknownName("picture", "plan_picture", ())
        return Response(picture, media_type="image/png" if picture.startswith(b"\x89PNG") else "image/jpeg")

    @router.get("/sessions/{id}/prompt/{event}", response_model=list[ModelExchange])
    async def prompt(id: str, event: int) -> Response:
        """What models were asked and said for an event, word for word."""
        return _json(await hub.looking.prompt(id, event))

    @router.get("/sessions/{id}/share.html", response_class=Response)
    async def share(id: str) -> Response:
        """The run as one file."""
        page = await hub.looking.share(id)
        return Response(page, media_type="text/html", headers={"content-disposition": "attachment; filename=run.html"})

    @router.get("/sessions/{id}/film.gif", response_class=Response)
    async def film(id: str) -> Response:
        """The run as an animated picture."""
        found = await hub.looking.film(id)
        if found is None:
            raise UnknownName("film", "film.gif", ())
        return Response(found, media_type="image/gif", headers=_download(f"thinkaloud-{id}.gif"))

    @router.get("/sessions/{id}/events.json", response_class=Response)
    async def export(id: str) -> Response:
        """All events as a file, one JSON object per line, as `thinkaloud export` writes them."""
        lines = b"".join(msgspec.json.encode(event) + b"\n" for event in await hub.looking.replay(id))
        return Response(lines, media_type="application/json", headers=_download(f"thinkaloud-{id}.json"))

    @router.get("/compare", response_model=Comparison)
    async def compare(a: str, b: str) -> Response:
        """Two sessions as one timeline."""
        return _json(await hub.looking.compare(a, b))

    @router.get("/benches", response_model=list[BenchResults])
    async def benches() -> Response:
        """Benchmark results that were found."""
        return _json(await hub.benches())

    return router


def _people(hub: Hub) -> APIRouter:
    router = APIRouter(prefix="/api", tags=["people"])

    @router.get("/me")
    async def me(request: Request) -> MeReply:
        """Who you are to this server, and your role."""
        person = request.scope.get(PERSON)
        return MeReply() if person is None else MeReply(name=person.name, role=person.role)

    @router.get("/people", response_model=PeopleReport)
    async def people(viewer: VisitorHeader) -> Response:
        """Who may use this server, and what they did last."""
        return _json(await hub.people(viewer=viewer))

    return router


def _download(name: str) -> dict[str, str]:
    """Headers that have a browser keep a file; an id is letters and digits, and anything else is left out."""
    plain = "".join(letter for letter in name if letter.isascii() and (letter.isalnum() or letter in "-."))
    return {"content-disposition": f"attachment; filename={plain}"}


def _json(found: object) -> Response:
    return Response(msgspec.json.encode(found), media_type="application/json")


async def _refused(request: Request, error: Exception) -> Response:
    status = {UnknownName: 404, NotInControl: 403, NotAllowed: 403, NotNow: 409, NotConfirmed: 503}.get(
        type(error), 400
    )
    return Response(msgspec.json.encode({"error": str(error)}), status, media_type="application/json")


async def _misread(request: Request, error: Exception) -> Response:
    assert isinstance(error, RequestValidationError)
    first = error.errors()[0]
    where = ".".join(str(part) for part in first["loc"])
    return Response(msgspec.json.encode({"error": f"{where}: {first['msg']}."}), 400, media_type="application/json")


def _documentation(described: Mapping[str, Any]) -> str:
    """The description as a plain page."""
    rows: list[Sequence[str]] = [
        (method.upper(), path, operation.get("description") or operation.get("summary", ""))
        for path, methods in described["paths"].items()
        for method, operation in methods.items()
    ]
    rows.append(("WS", "/api/sessions/{id}/stream?since=N", "The story from event N on, then what happens."))
    listed = "".join(
        "<tr>"
        + "".join(f"<td><code>{html.escape(cell)}</code></td>" for cell in row[:2])
        + f"<td>{html.escape(row[2])}"
        for row in rows
    )
    title = html.escape(f"{described['info']['title']} {described['info']['version']}")
    return (
        f'<!doctype html><html lang="en"><meta charset="utf-8"><title>{title}</title><h1>{title}</h1>'
        f'<p>All shapes: <a href="openapi.json">openapi.json</a>.</p><table>{listed}</table></html>'
    )
