"""Points and colours, as every simulated world has them."""

from __future__ import annotations

Xy = tuple[float, float]
"""A point on a floor or a table, in metres."""
Xyz = tuple[float, float, float]
"""A point, in metres."""
Rgb = tuple[int, int, int]
"""A colour in a picture, each part from 0 to 255."""
Shade = tuple[float, float, float]
"""A colour in a model of MuJoCo, each part from 0 to 1."""
