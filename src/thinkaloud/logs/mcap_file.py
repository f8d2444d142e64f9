"""A session as an MCAP file: every event as JSON, its words as a log, and the world as pictures and shapes.

The log, the pictures and the shapes have Foxglove's schemas, so that viewers of MCAP files show them as they are.
"""

from __future__ import annotations

import base64
import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from thinkaloud.episode.event_text import Row
from thinkaloud.errors import MissingExtra
from thinkaloud.logs.moments import Moment, read_moments
from thinkaloud.remember.journal import Session, render_event
from thinkaloud.worlds.drawing import Drawing, Pose, Shape

_SECOND = 1_000_000_000
_INFO, _WARNING = 2, 3
_FRAME = "world"


def write_mcap(session: Session, path: Path, progress: Callable[[int, int], None] = lambda done, of: None) -> None:
    """Write a session of the journal as an MCAP file."""
    try:
        from mcap.writer import Writer
    except ModuleNotFoundError as error:
        raise MissingExtra("An MCAP file", "mcap") from error
    with path.open("wb") as file:
        writer = Writer(file)
        writer.start(library="thinkaloud")
        channels = {topic: _channel(writer, topic, *schema) for topic, schema in _TOPICS.items()}
        for moment in read_moments(session, progress):
            at = int(moment.event.at * _SECOND)
            for topic, message in _messages(moment):
                writer.add_message(
                    channels[topic], at, json.dumps(message, ensure_ascii=False).encode(), at, moment.event.index
                )
        writer.add_metadata("thinkaloud", {"session": session.id})
        writer.finish()  # type: ignore[no-untyped-call]


def _channel(writer: Any, topic: str, name: str, properties: Mapping[str, str]) -> int:
    schema = {
        "title": name,
        "type": "object",
        "properties": {each: {"type": kind} for each, kind in properties.items()},
    }
    known = writer.register_schema(name, "jsonschema", json.dumps(schema).encode())
    channel: int = writer.register_channel(topic, "json", known)
    return channel


_TOPICS: dict[str, tuple[str, dict[str, str]]] = {
    "/monologue": ("thinkaloud.Event", {"index": "integer", "at": "number", "kind": "string"}),
    "/log": (
        "foxglove.Log",
        {"timestamp": "object", "level": "integer", "message": "string", "name": "string"}
        | {"file": "string", "line": "integer"},
    ),
    "/picture": (
        "foxglove.CompressedImage",
        {"timestamp": "object", "frame_id": "string", "data": "string", "format": "string"},
    ),
    "/scene": ("foxglove.SceneUpdate", {"deletions": "array", "entities": "array"}),
}


def _messages(moment: Moment) -> list[tuple[str, dict[str, Any]]]:
    event = moment.event
    time = {"sec": int(event.at), "nsec": int(event.at % 1 * _SECOND)}
    found: list[tuple[str, dict[str, Any]]] = [
        ("/monologue", json.loads(render_event(event.index, event.at, event.record, measurements=True)))
    ]
    for row in moment.rows:
        level = _WARNING if row.ok is False else _INFO
        said = {"level": level, "message": _text(row), "name": row.who or row.manner, "file": "", "line": row.index}
        found.append(("/log", {"timestamp": time, **said}))
    if moment.picture is not None:
        data = base64.b64encode(moment.picture).decode()
        found.append(("/picture", {"timestamp": time, "frame_id": _FRAME, "data": data, "format": "png"}))
    if moment.drawing is not None and moment.drawing.shapes:
        found.append(("/scene", {"deletions": [], "entities": _entities(moment.drawing, time)}))
    return found


def _text(row: Row) -> str:
    return "\n".join((row.text, *(f"{line.sign or '·'} {line.text}" for line in row.lines)))


def _entities(drawing: Drawing, time: Mapping[str, int]) -> list[dict[str, Any]]:
    """An entity for each shape; those that viewers have no form for are left out."""
    found = []
    for number, (shape, pose) in enumerate(zip(drawing.shapes, drawing.poses, strict=True)):
        form = _form(shape, pose)
        if form is not None:
            id = f"{number} {shape.name}"
            found.append({"timestamp": time, "frame_id": _FRAME, "id": id, "frame_locked": False, **form})
    return found


def _form(shape: Shape, pose: Pose) -> dict[str, Any] | None:
    x, y, z, w, i, j, k = pose
    where = {"position": {"x": x, "y": y, "z": z}, "orientation": {"x": i, "y": j, "z": k, "w": w}}
    red, green, blue = (int(shape.colour[n : n + 2], 16) / 255 for n in (1, 3, 5))
    looks = {"pose": where, "color": {"r": red, "g": green, "b": blue, "a": shape.opacity}}
    match shape.form, shape.size:
        case "box", (length, width, height):
            return {"cubes": [{**looks, "size": {"x": length, "y": width, "z": height}}]}
        case "sphere", (radius, *_):
            return {"spheres": [{**looks, "size": dict.fromkeys("xyz", 2 * radius)}]}
        case "ellipsoid", (a, b, c):
            return {"spheres": [{**looks, "size": {"x": 2 * a, "y": 2 * b, "z": 2 * c}}]}
        case (("cylinder" | "capsule"), (radius, length, *_)):
            size = {"x": 2 * radius, "y": 2 * radius, "z": length}
            return {"cylinders": [{**looks, "size": size, "bottom_scale": 1, "top_scale": 1}]}
    return None
