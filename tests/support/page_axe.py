"""Whether people who cannot see well, or use no mouse, can use a page: what axe finds."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from typing import Any


def axe_script() -> str:
    """The checker, as a package for development ships it."""
    found = importlib.util.find_spec("axe_playwright_python")
    assert found is not None and found.origin is not None, "pip install axe-playwright-python"
    return Path(found.origin).with_name("axe.min.js").read_text(encoding="utf-8")


class Axe:
    """Checks page after page, and keeps what is serious or critical, with the places."""

    def __init__(self) -> None:
        self.script = axe_script()
        self.found: dict[str, list[str]] = {}

    async def check(self, name: str, page: Any) -> None:
        """Check a page as it is now."""
        if not await page.evaluate("'axe' in window"):
            await page.evaluate(self.script)
        found = await page.evaluate("axe.run(document, { resultTypes: ['violations'] })")
        serious = [each for each in found["violations"] if each["impact"] in ("serious", "critical")]
        places = [f"{each['id']}: {node['html'][:120]}" for each in serious for node in each["nodes"]]
        if places:
            self.found[name] = places
