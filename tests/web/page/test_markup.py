"""Markup, templates and ends of scripts in what people, models and robots say: everywhere text, and nothing is run."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import httpx

from page_axe import Axe
from page_robots import MARKUP
from page_server import MARKUP_ROBOT
from page_stage import Stage, Visit

CARRY = "Carry the cactus."
FROM_TEXT = "img[src='x'], svg[onload], iframe, script:not([src]):has-text('window.hit'), a[href^='javascript'], b b"


async def _stays_text(page: Any, where: str) -> None:
    """Nothing that was said has become a part of the page, or was run."""
    assert await page.evaluate("window.hit ?? 0") == 0, where
    assert await page.locator("body").locator(FROM_TEXT).count() == 0, where


async def _session(visit: Visit) -> str:
    """A session in which the robot, the model and the person speak in markup."""
    id = await visit.start(CARRY, world=str(MARKUP_ROBOT), scene=None)
    await visit.ends()
    await visit.say(MARKUP)
    await visit.page.wait_for_selector(".asking .answer")
    async with httpx.AsyncClient(base_url=visit.address, headers={"X-Viewer": visit.viewer}) as client:
        for method, path, body in (
            ("PUT", f"/api/sessions/{id}/name", {"name": MARKUP[:60]}),
            ("POST", "/api/lessons", {"said": f"Tidy {MARKUP}", "means": MARKUP, "world": str(MARKUP_ROBOT)}),
        ):
            answer = await client.request(method, path, json=body)
            assert answer.status_code == 200, answer.text
    return id


def test_nothing_that_is_said_becomes_part_of_a_session(stage: Stage) -> None:
    axe = Axe()

    async def story() -> None:
        async with stage.visit(1280, 800) as visit:
            page = visit.page
            await _session(visit)
            assert any("<img src=x onerror=window.hit=6>" in text for text in await visit.texts(".plan > li"))
            assert any("window.hit=window" in text for text in await visit.texts(".asking .answer"))
            await page.wait_for_selector(".board .facts li:has-text('window.hit=9')", state="attached")
            await axe.check("a question in markup", page)
            await page.get_by_role("button", name="What can it do?").click()
            await page.wait_for_selector(".sheet .can li:has-text('window.hit=7')")
            await page.get_by_role("button", name="Close").click()
            await visit.show_lines()
            await page.get_by_role("button", name="Prompt and answer behind:").first.click()
            await page.wait_for_selector(".sheet .exchange pre")
            await axe.check("word for word", page)
            await _stays_text(page, "a session")
            assert not axe.found

    stage.play(story())


def test_nothing_that_is_said_becomes_part_of_what_is_shared(stage: Stage, tmp_path: Path) -> None:
    async def story() -> None:
        async with stage.visit() as visit:
            id = await _session(visit)
            async with httpx.AsyncClient(base_url=visit.address) as client:
                shared = await client.get(f"/api/sessions/{id}/share.html")
                told = await client.get(f"/api/sessions/{id}/events.json")
            (tmp_path / "shared.html").write_text(shared.text, encoding="utf-8")
            assert told.headers["content-type"].startswith("application/json")
            assert told.headers["x-content-type-options"] == "nosniff"
        async with stage.visit(offline=True) as reader:
            await reader.page.goto((tmp_path / "shared.html").as_uri())
            await reader.page.wait_for_selector(".line")
            await _stays_text(reader.page, "the shared page")

    stage.play(story())


def test_nothing_that_is_said_becomes_part_of_the_other_pages(stage: Stage) -> None:
    axe = Axe()

    async def story() -> None:
        async with stage.visit(1280, 800) as visit:
            page, id = visit.page, await _session(visit)
            for path, there in (
                ("/", f"[data-session='{id}']:has-text('window.hit')"),
                (f"/compare?a={id}&b={id}", ".compared td"),
                ("/s/%3C%2Fscript%3E%3Cscript%3Ewindow.hit=31%3C%2Fscript%3E%60$%7Bwindow.hit=32%7D", ".missing"),
            ):
                await page.goto(visit.address + path)
                await page.wait_for_selector(there)
                await _stays_text(page, path)
                await axe.check(path, page)
            await page.goto(f"{visit.address}/settings")
            await page.get_by_role("combobox", name="Robot", exact=True).select_option(label="markup")
            await page.wait_for_selector(".abilities .can li:has-text('window.hit=6')")
            skill = f'[skills.go]\nsays = "Go to the {{pot}}."\ndoc = "Go."\nparameters = {{ pot = "{MARKUP}" }}\n'
            await page.get_by_label("The robot's file").fill(f"{MARKUP_ROBOT.read_text(encoding='utf-8')}\n{skill}")
            await page.get_by_role("button", name="Check", exact=True).click()
            await page.wait_for_selector(".problems li:has-text('script')")
            await _stays_text(page, "settings")
            assert not axe.found

    stage.play(story())
