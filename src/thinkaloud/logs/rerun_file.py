"""A session as a Rerun recording: words, plan, verdicts, pictures and poses on one timeline.

The file is written, and nothing is started: Rerun's viewer opens it (`rerun run.rrd`).
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from thinkaloud.episode.event_text import Row
from thinkaloud.errors import MissingExtra
from thinkaloud.logs.moments import Moment, read_moments
from thinkaloud.records import Plan, Verdict
from thinkaloud.remember.journal import Session
from thinkaloud.worlds.drawing import Drawing


def write_rerun(session: Session, path: Path, progress: Callable[[int, int], None] = lambda done, of: None) -> None:
    """Write a session of the journal as a Rerun recording."""
    try:
        import rerun
    except ModuleNotFoundError as error:
        raise MissingExtra("A Rerun recording", "rerun") from error
    recording = rerun.RecordingStream("thinkaloud", recording_id=session.id)
    recording.save(path)
    for moment in read_moments(session, progress):
        recording.set_time("world", duration=moment.event.at)
        recording.set_time("event", sequence=moment.event.index)
        _log(recording, rerun, moment)
    recording.flush()
    recording.disconnect()


def _log(recording: Any, rerun: Any, moment: Moment) -> None:
    for row in moment.rows:
        level = rerun.TextLogLevel.WARN if row.ok is False else rerun.TextLogLevel.INFO
        recording.log("words", rerun.TextLog(_text(row), level=level))
    record = moment.event.record
    if isinstance(record, Plan) and record.steps:
        steps = "\n".join(f"{number}. {step.words}" for number, step in enumerate(record.steps, 1))
        recording.log("plan", rerun.TextDocument(steps))
    if isinstance(record, Verdict):
        recording.log("verdict", rerun.Scalars(float(record.ok)))
    if moment.picture is not None:
        recording.log("picture", rerun.EncodedImage(contents=moment.picture, media_type="image/png"))
    if moment.drawing is not None and moment.drawing.shapes:
        _log_shapes(recording, rerun, moment.drawing)


def _text(row: Row) -> str:
    said = f"{row.who}: {row.text}" if row.who else row.text
    return "\n".join((said, *(f"{line.sign or '·'} {line.text}" for line in row.lines)))


def _log_shapes(recording: Any, rerun: Any, drawing: Drawing) -> None:
    """Every shape as a box or an ellipsoid of its size, at its pose."""
    placed = [*zip(drawing.shapes, drawing.poses, strict=True)]
    boxes = [(shape, pose, _half(shape.form, shape.size)) for shape, pose in placed]
    round_ones = ("sphere", "ellipsoid")
    for name, kind in (("world/boxes", rerun.Boxes3D), ("world/ellipsoids", rerun.Ellipsoids3D)):
        own = [each for each in boxes if each[2] and (each[0].form in round_ones) == name.endswith("ellipsoids")]
        if own:
            recording.log(
                name,
                kind(
                    half_sizes=[half for _, _, half in own],
                    centers=[pose[:3] for _, pose, _ in own],
                    quaternions=[rerun.Quaternion(xyzw=(*pose[4:], pose[3])) for _, pose, _ in own],
                    colors=[_colour(shape.colour, shape.opacity) for shape, _, _ in own],
                    labels=[shape.name for shape, _, _ in own],
                    show_labels=False,
                ),
            )


def _half(form: str, size: tuple[float, ...]) -> tuple[float, float, float] | None:
    match form, size:
        case "box", (length, width, height):
            return length / 2, width / 2, height / 2
        case "sphere", (radius, *_):
            return radius, radius, radius
        case "ellipsoid", (a, b, c):
            return a, b, c
        case (("cylinder" | "capsule"), (radius, length, *_)):
            return radius, radius, length / 2
    return None


def _colour(colour: str, opacity: float) -> tuple[int, int, int, int]:
    red, green, blue = (int(colour[n : n + 2], 16) for n in (1, 3, 5))
    return red, green, blue, round(255 * opacity)
