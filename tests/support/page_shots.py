"""Pictures of the page for the README and the docs: taken by the tests, so they show what is so.

THINKALOUD_SHOTS=write pytest tests/web/page
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

PICTURES = Path(__file__).parents[2] / "docs/pictures"


async def take_shot(page: Any, name: str, *, still: bool = True, point: bool = False) -> None:
    """Keep a picture of the page, where that is wanted, and with `still` once all of it is drawn in full.

    With `point`, the mouse stays where it is.
    """
    if os.environ.get("THINKALOUD_SHOTS") == "write":
        if not point:
            await page.mouse.move(0, 0)
        if still and await page.locator(".world").is_visible():
            await page.wait_for_selector(".world[data-fine=true]")  # what has moved is drawn in full again
        await page.screenshot(path=PICTURES / f"{name}.png")
