"""The API of what people change of a robot's mind: plans and lessons."""

from dataclasses import dataclass
from typing import ClassVar

import msgspec
from fastapi import APIRouter, Response
from pydantic import BaseModel, ConfigDict, Field

from thinkaloud.web.hub import Hub
from thinkaloud.web.messages import EditablePlan, EditedStep, LessonRequest, LessonRow, PlanEditRequest
from thinkaloud.web.visitor_header import VisitorHeader

_STRICT = ConfigDict(extra="forbid")


class DoneReply(BaseModel):
    """It was done."""

    ok: bool = True


class StepBody(BaseModel):
    """A step of an edited plan."""

    model_config = _STRICT
    skill: str
    arguments: dict[str, str | int | float | bool] = Field(default_factory=dict)


class PlanEditBody(BaseModel):
    """The steps to do in place of those still to do; `approve`: go on with them at once."""

    model_config = _STRICT
    steps: list[StepBody]
    approve: bool = False


@dataclass(frozen=True)
class LessonBody(LessonRequest):
    """What somebody means when they say something."""

    __pydantic_config__: ClassVar[ConfigDict] = _STRICT


def teaching_routes(hub: Hub) -> APIRouter:
    """The routes."""
    router, teaching = APIRouter(prefix="/api", tags=["teaching"]), hub.teaching

    @router.get("/lessons", response_model=list[LessonRow])
    async def lessons(world: str | None = None) -> Response:
        """What people have taught."""
        return _json(await teaching.lessons(world))

    @router.post("/lessons", response_model=LessonRow)
    async def keep_lesson(body: LessonBody, viewer: VisitorHeader) -> Response:
        """Keep other words for something that people say to a robot."""
        return _json(await teaching.keep_lesson(body, viewer=viewer))

    @router.delete("/lessons/{lesson}")
    async def remove_lesson(lesson: str, viewer: VisitorHeader) -> DoneReply:
        """Remove a lesson."""
        await teaching.remove_lesson(lesson, viewer=viewer)
        return DoneReply()

    @router.get("/sessions/{id}/plan", response_model=EditablePlan)
    async def editable_plan(id: str) -> Response:
        """The steps still to do, and what could be done in their place."""
        return _json(await teaching.editable_plan(id))

    @router.put("/sessions/{id}/plan")
    async def edit_plan(id: str, body: PlanEditBody, viewer: VisitorHeader) -> DoneReply:
        """Put other steps in place of those still to do."""
        steps = tuple(EditedStep(step.skill, step.arguments) for step in body.steps)
        await teaching.edit_plan(id, PlanEditRequest(steps, body.approve), viewer=viewer)
        return DoneReply()

    @router.post("/sessions/{id}/lesson", response_model=LessonRow)
    async def keep_lesson_of(id: str, body: LessonBody, viewer: VisitorHeader) -> Response:
        """Keep what was understood last, or other words for it, as what is meant next time."""
        return _json(await teaching.keep_lesson(body, id=id, viewer=viewer))

    return router


def _json(found: object) -> Response:
    return Response(msgspec.json.encode(found), media_type="application/json")
