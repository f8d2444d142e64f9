"""What the kitchen's items look like: cans, bottles, bags, bars, fruits, a sponge, as MJCF.

An item that a scene adds has the form that its name tells (`mug`, `bottle`, `chips`), or else is a carton; its colours
follow from its name, too.
"""

from __future__ import annotations

import math
import re
import zlib
from collections.abc import Callable
from dataclasses import dataclass, replace

from thinkaloud.worlds.geometry import Rgb
from thinkaloud_worlds.random_tables.words import COLOUR_WORDS

_SEEN = 'contype="2" conaffinity="0" mass="0" group="1"'
_SILVER: Rgb = (196, 199, 204)
_WHITE: Rgb = (240, 240, 236)
_STEM: Rgb = (92, 66, 40)


@dataclass(frozen=True, slots=True)
class ItemForm:
    """A shape with three colours, and its size in metres: how wide, how deep (its thinnest side, lying) and how tall.

    `true` and `open` are the words that are true of it or that nobody would be corrected for.
    """

    shape: str
    rgb: Rgb
    second: Rgb
    third: Rgb
    across: float
    deep: float
    height: float
    true: tuple[str, ...] = ()
    open: tuple[str, ...] = ()

    def scaled(self, share: float, rgb: Rgb | None = None, second: Rgb | None = None) -> ItemForm:
        """The same form in another size, and perhaps in slightly other colours."""
        sizes = {name: getattr(self, name) * share for name in ("across", "deep", "height")}
        return replace(self, **sizes, rgb=rgb or self.rgb, second=second or self.second)


def _can(rgb: Rgb, second: Rgb, *true: str, slim: bool = False) -> ItemForm:
    wide, tall = (0.053, 0.135) if slim else (0.066, 0.122)
    return ItemForm("can", rgb, second, _SILVER, wide, wide, tall, ("can", *true), ("cylinder", "bottle", "cup"))


def _bag(rgb: Rgb, second: Rgb, third: Rgb, *true: str) -> ItemForm:
    return ItemForm("bag", rgb, second, third, 0.15, 0.066, 0.20, ("bag", "chips", *true))


def _bottle(rgb: Rgb, second: Rgb, third: Rgb, *true: str) -> ItemForm:
    return ItemForm("bottle", rgb, second, third, 0.066, 0.066, 0.205, ("bottle", *true), ("cylinder",))


ITEM_FORMS: dict[str, ItemForm] = {
    "7up": _can((32, 140, 62), _WHITE, "7up", "soda"),
    "coke": _can((200, 24, 34), _WHITE, "coke", "soda"),
    "grapefruit soda": _can((240, 128, 132), (252, 226, 196), "grapefruit soda", "soda"),
    "lime soda": _can((176, 214, 62), (244, 248, 220), "lime soda", "soda"),
    "redbull": _can((34, 62, 150), (205, 32, 44), "redbull", slim=True),
    "tea": _bottle((150, 84, 30), (228, 214, 120), (244, 240, 230), "tea"),
    "water": _bottle((176, 208, 228), (60, 120, 200), (50, 90, 190), "water"),
    "jalapeno chips": _bag((52, 122, 52), (244, 214, 70), (206, 44, 40), "jalapeno chips"),
    "kettle chips": _bag((30, 60, 132), (236, 226, 196), (210, 160, 60), "kettle chips"),
    "multigrain chips": _bag((152, 104, 62), (240, 214, 150), (90, 130, 60), "multigrain chips"),
    "rice chips": _bag((240, 238, 228), (206, 60, 66), (232, 200, 90), "rice chips"),
    "energy bar": ItemForm(
        "bar", (228, 186, 40), (60, 46, 40), _SILVER, 0.135, 0.022, 0.022, ("energy bar",), ("brick",)
    ),
    "apple": ItemForm("fruit", (186, 34, 40), (206, 92, 56), _STEM, 0.076, 0.07, 0.07, ("apple", "fruit"), ("ball",)),
    "orange": ItemForm("fruit", (242, 142, 30), (242, 142, 30), _STEM, 0.078, 0.076, 0.076, ("fruit",), ("ball",)),
    "sponge": ItemForm("sponge", (244, 208, 62), (54, 128, 66), _WHITE, 0.11, 0.035, 0.035, ("sponge",), ("brick",)),
}
"""The items that every kitchen may have."""

_BY_WORD: dict[str, ItemForm] = {
    "can": _can(_WHITE, _SILVER),
    "soda": _can(_WHITE, _SILVER, "soda"),
    "beer": _can(_WHITE, _SILVER),
    "bottle": _bottle(_WHITE, _WHITE, _WHITE),
    "juice": _bottle(_WHITE, _WHITE, _WHITE),
    "ketchup": _bottle((170, 30, 34), _WHITE, _WHITE, "ketchup"),
    "bag": ItemForm("bag", _WHITE, _WHITE, _WHITE, 0.15, 0.066, 0.20, ("bag",)),
    "chips": _bag(_WHITE, _WHITE, _WHITE),
    "bar": ItemForm("bar", _WHITE, _WHITE, _SILVER, 0.135, 0.022, 0.022, (), ("brick",)),
    "cup": ItemForm("cup", _WHITE, _WHITE, _WHITE, 0.08, 0.08, 0.09, ("cup", "mug")),
    "mug": ItemForm("cup", _WHITE, _WHITE, _WHITE, 0.08, 0.08, 0.09, ("cup", "mug")),
    "glass": ItemForm("cup", _WHITE, _WHITE, _WHITE, 0.07, 0.07, 0.11, ("cup",)),
    "bowl": ItemForm("cup", _WHITE, _WHITE, _WHITE, 0.14, 0.05, 0.05, ("bowl", "dish")),
    "fruit": ItemForm("fruit", _WHITE, _WHITE, _STEM, 0.075, 0.07, 0.07, ("fruit",), ("ball",)),
    "lemon": ItemForm("fruit", (240, 214, 60), _WHITE, _STEM, 0.07, 0.055, 0.055, ("lemon", "fruit"), ("ball",)),
    "plate": ItemForm("plate", _WHITE, _WHITE, _WHITE, 0.16, 0.16, 0.018, ("plate", "dish")),
    "dish": ItemForm("plate", _WHITE, _WHITE, _WHITE, 0.16, 0.16, 0.018, ("plate", "dish")),
    "saucer": ItemForm("plate", _WHITE, _WHITE, _WHITE, 0.13, 0.13, 0.016, ("plate", "dish")),
    "fork": ItemForm("fork", _WHITE, _WHITE, _SILVER, 0.18, 0.026, 0.012, ("fork",)),
    "knife": ItemForm("knife", _WHITE, _WHITE, _SILVER, 0.19, 0.022, 0.012, ("knife",)),
    "spoon": ItemForm("spoon", _WHITE, _WHITE, _SILVER, 0.17, 0.034, 0.012, ("spoon",)),
    "towel": ItemForm("sponge", _WHITE, _WHITE, _WHITE, 0.16, 0.03, 0.03),
    "cloth": ItemForm("sponge", _WHITE, _WHITE, _WHITE, 0.16, 0.02, 0.02),
}
_CARTON = ItemForm("carton", _WHITE, _WHITE, _WHITE, 0.085, 0.055, 0.14, ("box",), ("block", "brick"))


def form_of(name: str) -> ItemForm:
    """The form of an item by its name."""
    if name in ITEM_FORMS:
        return ITEM_FORMS[name]
    words = re.findall(r"[^\W_]+", name.lower())
    form = next((_BY_WORD[word] for word in reversed(words) if word in _BY_WORD), _CARTON)
    said = next((COLOUR_WORDS[word] for word in words if word in COLOUR_WORDS), None)
    number, colours = zlib.crc32(name.encode()), [*COLOUR_WORDS.values()]
    own = form.rgb if form.rgb != _WHITE else colours[number % len(colours)]
    return replace(form, rgb=said or own, second=colours[number // 64 % len(colours)])


# Shapes ---------------------------------------------------------------------------------------------------------------


def item_geoms(form: ItemForm) -> str:
    """The shapes of an item around the middle of its underside."""
    return "".join(_SHAPES[form.shape](form))


def _geom(kind: str, size: tuple[float, ...], at: tuple[float, float, float], rgb: Rgb, more: str = "") -> str:
    r, g, b = (value / 255 for value in rgb)
    sizes, where = " ".join(f"{value:.5f}" for value in size), " ".join(f"{value:.5f}" for value in at)
    return f'<geom {_SEEN} type="{kind}" size="{sizes}" pos="{where}" rgba="{r:.4f} {g:.4f} {b:.4f} 1" {more}/>'


def _can_parts(form: ItemForm) -> list[str]:
    radius, tall = form.across / 2, form.height
    return [
        _geom("cylinder", (radius, 0.44 * tall), (0, 0, 0.48 * tall), form.rgb),
        _geom("cylinder", (radius * 0.9, 0.03 * tall), (0, 0, 0.03 * tall), form.third),
        _geom("cylinder", (radius * 0.86, 0.04 * tall), (0, 0, 0.96 * tall), form.third),
        _geom("cylinder", (radius * 1.008, 0.13 * tall), (0, 0, 0.42 * tall), form.second),
        _geom("ellipsoid", (radius * 1.03, radius * 0.5, 0.2 * tall), (0, 0, 0.6 * tall), form.second),
        _geom("box", (radius * 0.25, radius * 0.12, 0.004), (0, 0, tall), form.third),
    ]


def _bottle_parts(form: ItemForm) -> list[str]:
    radius, tall = form.across / 2, form.height
    return [
        _geom("cylinder", (radius, 0.32 * tall), (0, 0, 0.32 * tall), form.rgb),
        _geom("ellipsoid", (radius, radius, 0.15 * tall), (0, 0, 0.64 * tall), form.rgb),
        _geom("cylinder", (radius * 0.42, 0.1 * tall), (0, 0, 0.82 * tall), form.rgb),
        _geom("cylinder", (radius * 0.48, 0.045 * tall), (0, 0, 0.955 * tall), form.third),
        _geom("cylinder", (radius * 1.01, 0.13 * tall), (0, 0, 0.4 * tall), form.second),
    ]


def _bag_parts(form: ItemForm) -> list[str]:
    wide, deep, tall = form.across / 2, form.deep / 2, form.height
    parts = [
        _geom("ellipsoid", (wide, deep, 0.46 * tall), (0, 0, 0.5 * tall), form.rgb),
        _geom("box", (0.9 * wide, 0.35 * deep, 0.4 * tall), (0, 0, 0.5 * tall), form.rgb),
        _geom("ellipsoid", (0.62 * wide, 1.04 * deep, 0.25 * tall), (0, 0, 0.55 * tall), form.second),
        _geom("ellipsoid", (0.3 * wide, 1.07 * deep, 0.1 * tall), (0, 0, 0.6 * tall), form.third),
    ]
    for z in (0.04, 0.96):  # the seams
        parts.append(_geom("box", (0.93 * wide, 0.1 * deep, 0.04 * tall), (0, 0, z * tall), form.third))
    return parts


def _bar_parts(form: ItemForm) -> list[str]:
    wide, deep, tall = form.across / 2, form.across / 6.5, form.height / 2
    return [
        _geom("box", (0.86 * wide, deep, 0.9 * tall), (0, 0, tall), form.rgb),
        _geom("box", (0.4 * wide, 0.7 * deep, tall), (0.1 * wide, 0, tall), form.second),
        *(_geom("box", (0.08 * wide, deep, 0.25 * tall), (x * 0.92 * wide, 0, tall), form.third) for x in (-1, 1)),
    ]


def _fruit_parts(form: ItemForm) -> list[str]:
    radius, tall = form.across / 2, form.height
    stem = (0.03 * tall, 0.07 * tall)
    return [
        _geom("ellipsoid", (radius, radius, tall / 2), (0, 0, tall / 2), form.rgb),
        _geom("ellipsoid", (0.62 * radius, 0.7 * radius, 0.36 * tall), (0.4 * radius, 0, 0.6 * tall), form.second),
        _geom("capsule", stem, (0, 0, 1.02 * tall), form.third),
    ]


def _sponge_parts(form: ItemForm) -> list[str]:
    wide, deep, tall = form.across / 2, form.across * 0.32, form.height
    return [
        _geom("box", (wide, deep, 0.37 * tall), (0, 0, 0.37 * tall), form.rgb),
        _geom("box", (wide, deep, 0.13 * tall), (0, 0, 0.87 * tall), form.second),
    ]


def _cup_parts(form: ItemForm) -> list[str]:
    """Twelve walls around a floor, and a handle."""
    radius, tall = form.across / 2, form.height
    parts = [_geom("cylinder", (0.95 * radius, 0.003), (0, 0, 0.003), form.rgb)]
    for turn in range(0, 360, 30):
        where = f'axisangle="0 0 1 {turn}"'
        x, y = radius * math.cos(math.radians(turn)), radius * math.sin(math.radians(turn))
        parts.append(_geom("box", (0.003, 0.27 * radius, tall / 2), (x, y, tall / 2), form.rgb, where))
    if tall > form.across / 2:
        for z in (0.3, 0.7):
            parts.append(_geom("box", (0.012, 0.004, 0.004), (radius + 0.01, 0, z * tall), form.rgb))
        parts.append(_geom("box", (0.004, 0.004, 0.24 * tall), (radius + 0.022, 0, tall / 2), form.rgb))
    return parts


def _plate_parts(form: ItemForm) -> list[str]:
    """A flat disc with a low rim of twelve pieces."""
    radius, rim = form.across / 2, (form.height - 0.001) / 2
    parts = [_geom("cylinder", (0.985 * radius, 0.0025), (0, 0, 0.0025), form.rgb)]
    for turn in range(0, 360, 30):
        x, y = ((radius - 0.003) * side(math.radians(turn)) for side in (math.cos, math.sin))
        size = (0.003, radius * math.tan(math.pi / 12), rim)
        parts.append(_geom("box", size, (x, y, rim + 0.001), form.rgb, f'axisangle="0 0 1 {turn}"'))
    return parts


def _handle_parts(form: ItemForm) -> list[str]:
    """What all cutlery has: a coloured handle, and a neck of metal."""
    half, thick = form.across / 2, form.height / 2
    return [
        _geom("box", (0.5 * half, 0.007, thick), (-0.5 * half, 0, thick), form.rgb),
        _geom("box", (0.2 * half, 0.003, 0.4 * thick), (0.2 * half, 0, thick), form.third),
    ]


def _fork_parts(form: ItemForm) -> list[str]:
    half, thick, wide = form.across / 2, form.height / 2, form.deep / 2
    parts = [_geom("box", (0.08 * half, wide, 0.4 * thick), (0.45 * half, 0, thick), form.third)]
    for share in (-1, -0.33, 0.33, 1):
        size = (0.24 * half, 0.0018, 0.35 * thick)
        parts.append(_geom("box", size, (0.76 * half, share * (wide - 0.0018), thick), form.third))
    return _handle_parts(form) + parts


def _knife_parts(form: ItemForm) -> list[str]:
    half, thick = form.across / 2, form.height / 2
    return [
        *_handle_parts(form),
        _geom("box", (0.4 * half, form.deep / 2, 0.25 * thick), (0.5 * half, 0, thick), form.third),
        _geom("ellipsoid", (0.14 * half, form.deep / 2, 0.25 * thick), (0.88 * half, 0, thick), form.third),
    ]


def _spoon_parts(form: ItemForm) -> list[str]:
    half, thick = form.across / 2, form.height / 2
    size = (0.32 * half, form.deep / 2, 0.5 * thick)
    return [*_handle_parts(form), _geom("ellipsoid", size, (0.68 * half, 0, thick), form.third)]


def _carton_parts(form: ItemForm) -> list[str]:
    wide, deep, tall = form.across / 2, form.deep / 2, form.height
    return [
        _geom("box", (wide, deep, tall / 2), (0, 0, tall / 2), form.rgb),
        _geom("box", (0.75 * wide, 1.01 * deep, 0.22 * tall), (0, 0, 0.58 * tall), form.second),
    ]


_SHAPES: dict[str, Callable[[ItemForm], list[str]]] = {
    "can": _can_parts,
    "bottle": _bottle_parts,
    "bag": _bag_parts,
    "bar": _bar_parts,
    "fruit": _fruit_parts,
    "sponge": _sponge_parts,
    "cup": _cup_parts,
    "carton": _carton_parts,
    "plate": _plate_parts,
    "fork": _fork_parts,
    "knife": _knife_parts,
    "spoon": _spoon_parts,
}
