"""The camera above the table: its pictures, and what things look like from there."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from thinkaloud.worlds.geometry import Rgb, Shade, Xyz
from thinkaloud.worlds.interventions import Box as Rectangle
from thinkaloud.worlds.vision import Appearance
from thinkaloud_worlds.camera_pictures import Camera, Photograph, photograph
from thinkaloud_worlds.franka.catalogue import FrankaKind, neck
from thinkaloud_worlds.franka.mjcf import darker, is_rod, is_vessel, lid
from thinkaloud_worlds.franka.physics import Table
from thinkaloud_worlds.franka.scene import FrankaScene
from thinkaloud_worlds.tabletop.layout import colour_of

USUAL_CAMERA: tuple[Xyz, ...] = ((0.15, 0.0, 1.9),)
ALL_CAMERAS: tuple[Xyz, ...] = (*USUAL_CAMERA, (0.15, -0.4, 1.9), (0.15, 0.4, 1.9))
"""A rescan looks from the middle and from both ends, so it also sees what stands behind something tall."""
_CAMERA = Camera(512, 288, 620.0)
_DOWN = np.array([[0.0, 1.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, -1.0]])
"""Right in the picture is y, down is x, and forward is down."""
_WITHOUT_ARM = np.array([1, 1, 0, 0, 0, 0], dtype=np.uint8)
_GRAY: Rgb = (125, 120, 118)


def photograph_from_above(table: Table, at: Xyz = USUAL_CAMERA[0]) -> Photograph:
    """Photograph the table from straight above. The arm and what it holds are left out."""
    held = table.held
    but = int(np.flatnonzero(table.model.body_parentid == table.bodies[held])[0]) if held else -1  # its visible body
    return photograph(table.model, table.posed(), _CAMERA, _DOWN, np.array(at), _WITHOUT_ARM, but)


def photographed(table: Table) -> tuple[NDArray[np.uint8], Mapping[str, Rectangle]]:
    """The picture from above, and where each thing really is in it."""
    photo = photograph_from_above(table)
    roots = table.model.body_rootid[table.model.geom_bodyid[photo.geoms]]
    found: dict[str, Rectangle] = {}
    for name, body in table.bodies.items():
        rows, columns = np.nonzero((roots == body) & (photo.geoms >= 0))
        if len(rows):
            found[name] = int(columns.min()), int(rows.min()), int(columns.max()), int(rows.max())
    return photo.view.rgb, found


def kinds_known(scene: FrankaScene) -> dict[str, tuple[FrankaKind, Rgb]]:
    """Everything that may be on the table, by name: all kinds, and the names that a scene adds.

    A thing named after its kind, with or without a number, is not listed separately.
    """
    placed, known = scene.placed(), scene.known()
    own = {
        item.name: (placed[item.name].kind, placed[item.name].rgb)
        for item in scene.objects
        if item.colour or item.size is not None or not item.name.startswith(placed[item.name].kind.name)
    }
    return own | {name: (kind, colour_of(kind.colour) or _GRAY) for name, kind in known.items() if name not in own}


def appearances_in(scene: FrankaScene) -> tuple[Appearance, ...]:
    """What everything that may be on the table looks like."""
    return tuple(appearance_of_kind(name, kind, rgb) for name, (kind, rgb) in kinds_known(scene).items())


def appearance_of_kind(name: str, kind: FrankaKind, rgb: Rgb) -> Appearance:
    """What a kind of thing looks like from above: the colour and sides of its highest part, and its height."""
    shade: Shade = (rgb[0] / 255, rgb[1] / 255, rgb[2] / 255)
    length, width, height = kind.size
    across = max(length, width)
    top, vessel = (across, min(length, width)), kind.shape == "cylinder" and is_vessel(kind)
    if kind.shape == "bottle":
        shade, top = darker(shade), (neck(kind.size), neck(kind.size))
    elif kind.shape == "cylinder" and not vessel:
        shade, top = lid(kind, shade), (0.97 * across, 0.97 * across)
    elif kind.shape == "box" and is_rod(length / 2, width / 2, height / 2):
        top = across, min(kind.size)
    red, green, blue = (round(part * 255) for part in shade)
    return Appearance(name, (red, green, blue), across, height, kind.hollow or vessel, kind.round, top)
