"""Each state of the page: checked by axe, and kept as a picture for the docs, so that they show what is so.

THINKALOUD_SHOTS=write pytest tests/web/page
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from page_axe import Axe

PICTURES = Path(__file__).parents[2] / "docs/pictures"


def shots_are_taken() -> bool:
    """Whether pictures are kept."""
    return os.environ.get("THINKALOUD_SHOTS") == "write"


async def show_state(page: Any, name: str, *, still: bool = True, point: bool = False) -> None:
    """Have axe find nothing serious, and keep a picture where that is wanted, with `still` once all of it is drawn.

    With `point`, the mouse stays where it is.
    """
    axe = Axe()
    await axe.check(name, page)
    assert not axe.found, axe.found
    if shots_are_taken():
        if not point:
            await page.mouse.move(0, 0)
        if still and await page.locator(".world").is_visible():
            await page.wait_for_selector(".world[data-fine=true]")  # what has moved is drawn in full again
        await page.screenshot(path=PICTURES / f"{name}.png")
