"""Whoever cannot see well, and what the page weighs: no serious finding by axe on any page, nothing from elsewhere."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from typing import Any

import pytest

from page_robots import SORT
from page_stage import Stage

LIGHTEST = 900_000
"""Bytes over the wire when a page is opened for the first time."""


def axe_script() -> str:
    """The checker, as a package for development ships it."""
    found = importlib.util.find_spec("axe_playwright_python")
    if found is None or found.origin is None:
        pytest.skip("accessibility is not checked: pip install axe-playwright-python")
    return Path(found.origin).with_name("axe.min.js").read_text(encoding="utf-8")


async def find_serious(page: Any, script: str) -> list[str]:
    """What axe finds serious or critical, with the places."""
    await page.evaluate(script)
    found = await page.evaluate("axe.run(document, { resultTypes: ['violations'] })")
    serious = [each for each in found["violations"] if each["impact"] in ("serious", "critical")]
    return [f"{each['id']}: {node['html'][:120]}" for each in serious for node in each["nodes"]]


def test_axe_finds_nothing_serious_on_any_page_in_light_and_dark(stage: Stage) -> None:
    script = axe_script()

    async def story() -> None:
        async with stage.visit() as visit:
            page = visit.page
            await page.goto(visit.address)
            await page.wait_for_selector(".start")
            await page.get_by_text("More choices").click()
            found = {"home": await find_serious(page, script)}
            await visit.start(SORT, preset="thinkaloud:confirm=always")
            await page.wait_for_selector(".answer")
            found["question"] = await find_serious(page, script)
            await page.get_by_role("button", name="yes", exact=True).click()
            await visit.ends()
            await page.get_by_role("button", name="Prompt and answer behind").first.click()
            await page.wait_for_selector(".prompt")
            found["session"] = await find_serious(page, script)
            await page.get_by_label("Dark colours").click()
            found["dark"] = await find_serious(page, script)
            await page.goto(f"{visit.address}/bench")
            await page.wait_for_selector(".bench")
            found["bench"] = await find_serious(page, script)
            assert not {name: serious for name, serious in found.items() if serious}

    stage.play(story())


def test_the_page_is_light(stage: Stage) -> None:
    async def story() -> None:
        async with stage.visit() as visit:
            wire = await visit.page.context.new_cdp_session(visit.page)
            await wire.send("Network.enable")
            sizes: list[float] = []
            wire.on("Network.loadingFinished", lambda event: sizes.append(event["encodedDataLength"]))
            await visit.start()
            await visit.page.wait_for_selector(".world[data-frames]")
            print(f"\nfirst load: {sum(sizes) / 1000:.0f} kB in {len(sizes)} answers")
            assert sum(sizes) < LIGHTEST

    stage.play(story())
