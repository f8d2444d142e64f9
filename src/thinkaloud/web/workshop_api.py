"""The API of what people set up: robots, models, and what a robot can do."""

from typing import Annotated

import msgspec
from fastapi import APIRouter, Response
from pydantic import BaseModel, ConfigDict, Field

from thinkaloud.robots.abilities import Abilities
from thinkaloud.web.added_robots import LONGEST, AddedRobot, RobotCheck
from thinkaloud.web.hub import Hub
from thinkaloud.web.model_shelf import ModelState
from thinkaloud.web.visitor_header import VisitorHeader

_STRICT = ConfigDict(extra="forbid", hide_input_in_errors=True)


class RobotText(BaseModel):
    """A robot's file, as text."""

    model_config = _STRICT
    text: Annotated[str, Field(max_length=LONGEST)]


class NamedRobotText(RobotText):
    """The same, with the name under which it is kept."""

    name: Annotated[str, Field(max_length=100)]


class HostedBody(BaseModel):
    """A model at an OpenAI-compatible address."""

    model_config = _STRICT
    address: Annotated[str, Field(max_length=500)]
    model: Annotated[str, Field(max_length=200)]
    key: Annotated[str, Field(max_length=500, repr=False)] = ""


class NamedReply(BaseModel):
    """The name by which a model is chosen."""

    name: str


def workshop_routes(hub: Hub) -> APIRouter:
    """The routes."""
    router, workshop = APIRouter(prefix="/api", tags=["setting up"]), hub.workshop

    @router.get("/abilities", response_model=Abilities)
    async def abilities(world: str) -> Response:
        """What the robot of a world can do."""
        return _json(await workshop.abilities(world))

    @router.get("/sessions/{id}/abilities", response_model=Abilities)
    async def abilities_of(id: str) -> Response:
        """What the robot of a session can do."""
        return _json(await workshop.abilities_of(id))

    @router.post("/robots/check", response_model=RobotCheck)
    async def check_robot(body: RobotText, viewer: VisitorHeader) -> Response:
        """What is wrong with a robot's file, with lines."""
        return _json(await workshop.check_robot(body.text, viewer=viewer))

    @router.post("/robots", response_model=RobotCheck)
    async def add_robot(body: NamedRobotText, viewer: VisitorHeader) -> Response:
        """Offer a robot in a text file, unless there is something to mend."""
        return _json(await workshop.add_robot(body.name, body.text, viewer=viewer))

    @router.get("/robots", response_model=list[AddedRobot])
    async def added_robots(viewer: VisitorHeader) -> Response:
        """The robots that were added here."""
        return _json(await workshop.added_robots(viewer=viewer))

    @router.get("/robots/{name}")
    async def robot_text(name: str, viewer: VisitorHeader) -> NamedRobotText:
        """The file of a robot that was added."""
        return NamedRobotText(name=name, text=await workshop.robot_text(name, viewer=viewer))

    @router.delete("/robots/{name}")
    async def remove_robot(name: str, viewer: VisitorHeader) -> dict[str, bool]:
        """Offer a robot no longer that was added; its sessions stay."""
        await workshop.remove_robot(name, viewer=viewer)
        return {"ok": True}

    @router.get("/models", response_model=list[ModelState])
    async def models() -> Response:
        """All models, with what is being fetched."""
        return _json(await workshop.models())

    @router.post("/models/fetch")
    async def fetch_model(viewer: VisitorHeader) -> dict[str, bool]:
        """Begin to fetch the large model."""
        await workshop.fetch_model(viewer=viewer)
        return {"ok": True}

    @router.delete("/models/fetch")
    async def stop_fetching(viewer: VisitorHeader) -> dict[str, bool]:
        """End the download of the large model; what has come is kept."""
        await workshop.stop_fetching(viewer=viewer)
        return {"ok": True}

    @router.post("/models/hosted")
    async def add_hosted(body: HostedBody, viewer: VisitorHeader) -> NamedReply:
        """Offer a model at an address. The key is kept in memory only, until the server ends."""
        return NamedReply(name=await workshop.add_hosted(body.address, body.model, body.key, viewer=viewer))

    @router.delete("/models/hosted/{name:path}")
    async def remove_hosted(name: str, viewer: VisitorHeader) -> dict[str, bool]:
        """Forget a hosted model."""
        await workshop.remove_hosted(name, viewer=viewer)
        return {"ok": True}

    return router


def _json(found: object) -> Response:
    return Response(msgspec.json.encode(found), media_type="application/json")
