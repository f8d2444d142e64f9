"""What people do with their hands and eyes: approve, meddle, look through the camera, share."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import httpx
import pytest

from page_axe import Axe
from page_robots import HOSTILE
from page_server import CORRIDOR, WALKER
from page_server import HOSTILE as HOSTILE_ROBOT
from page_shots import show_state
from page_stage import Stage, Visit

RED = "Put the red block in the green bowl."
THROW = "Throw the ball away."
REHEARSED = "thinkaloud:confirm=never;rehearse=on;critique=off"


@pytest.mark.parametrize(("answer", "ends"), [("yes", "Goal met"), ("no", "Declined")])
def test_a_step_that_needs_approval_is_done_or_not_as_a_button_says(stage: Stage, answer: str, ends: str) -> None:
    async def story() -> None:
        async with stage.visit() as visit:
            await visit.start(THROW, world=WALKER, scene=None, model="obliging", preset="inner_monologue")
            await visit.reaches("asking")
            label = {"yes": "Yes, do this", "no": "No"}
            assert await visit.texts(".answer") == list(label.values())
            assert not await visit.texts(".plan > .done")
            await show_state(visit.page, "page-approval")
            await visit.page.get_by_role("button", name=label[answer], exact=True).click()
            await visit.page.wait_for_selector(f".person > span:text-is('{answer}')")
            assert await visit.ends() == ends
            assert bool(await visit.texts(".plan > .done")) is (answer == "yes")
            shown = await visit.page.eval_on_selector_all(".answered > *", "all => all.map(each => each.classList[0])")
            assert shown.index("plan") < shown.index("asked") < shown.index("end")
            assert not await visit.page.get_by_role("button", name="Remember this").count()  # nothing was misread

    stage.play(story())


def test_a_rehearsal_is_seen_as_a_ghost_before_anything_moves(stage: Stage) -> None:
    async def story() -> None:
        async with stage.visit(space=True) as visit:
            await visit.start(preset=REHEARSED)
            await visit.page.wait_for_selector(".world[data-frames][data-ghosts='0']")
            await visit.say(RED)
            await visit.page.wait_for_selector(".world[data-ghosts]:not([data-ghosts='0'])")
            await visit.ends()
            await visit.show_lines()
            manners = await visit.texts(".row .who")
            assert manners.index("Rehearsal") < manners.index("Does")
            assert await visit.texts(".plan .done")

    stage.play(story())


async def _pose(visit: Visit, id: str, thing: str) -> list[float]:
    """Where a thing is, and how it is turned, as the server has it."""
    async with httpx.AsyncClient(base_url=visit.address, verify=False) as client:
        scene = (await client.get(f"/api/sessions/{id}/scene")).json()
    found: list[float] = next(
        pose for shape, pose in zip(scene["shapes"], scene["poses"], strict=True) if shape["name"] == thing
    )
    return found


async def _point_at(page: Any, thing: str) -> tuple[float, float]:
    """Where a thing is on the screen: its name is put there, and moved aside from there."""
    found: tuple[float, float] = await page.locator(".label3d", has_text=thing).evaluate(
        """label => {
          const [, x, y] = label.style.transform.match(/translate\\((-?[\\d.]+)px, ?(-?[\\d.]+)px\\)/).map(Number);
          const world = document.querySelector(".world").getBoundingClientRect();
          return [world.left + x, world.top + y];
        }"""
    )
    return found


def test_a_thing_is_moved_and_knocked_over_by_hand(stage: Stage) -> None:
    async def story() -> None:
        async with stage.visit(1100, 700, space=True) as visit:
            page, id = visit.page, await visit.start()
            await page.wait_for_selector(".world[data-frames]")
            before = await _pose(visit, id, "red block")
            await page.get_by_role("button", name="Names").click()
            await page.get_by_role("button", name="By hand").click()
            await show_state(page, "page-by-hand")
            x, y = await _point_at(page, "red block")
            await page.mouse.move(x, y)
            await page.mouse.down()
            await page.mouse.move(x - 12, y, steps=4)
            await page.mouse.up()
            moved = await _until_other(visit, id, "red block", before)
            assert 0.03 < math.dist(moved[:2], before[:2]) < 0.4
            x, y = await _point_at(page, "blue block")
            upright = await _pose(visit, id, "blue block")
            await page.mouse.click(x, y)
            assert await page.get_by_role("combobox", name="Thing").input_value() == "blue block"
            await page.get_by_role("button", name="Knock it over").click()
            assert await _until_other(visit, id, "blue block", upright)
            assert not await visit.texts(".notes p")

    stage.play(story())


async def _until_other(visit: Visit, id: str, thing: str, before: list[float]) -> list[float]:
    """Where a thing is, once that is somewhere else or turned otherwise than before."""
    while math.dist(now := await _pose(visit, id, thing), before) < 0.01:
        assert not await visit.texts(".notes p")
    return now


def test_the_camera_shows_what_the_robot_sees_with_a_box_round_each_thing(stage: Stage) -> None:
    count = """image => {
      const paper = document.createElement("canvas"), { naturalWidth: width, naturalHeight: height } = image;
      Object.assign(paper, { width, height });
      const pen = paper.getContext("2d");
      pen.drawImage(image, 0, 0);
      const dots = pen.getImageData(0, 0, width, height).data;
      let boxed = 0;
      for (let n = 0; n < dots.length; n += 4) boxed += dots[n] === 20 && dots[n + 1] === 60 && dots[n + 2] === 140;
      return boxed;
    }"""

    async def story() -> None:
        async with stage.visit(space=True) as visit:
            page = visit.page
            await visit.start()
            await page.get_by_role("button", name="Camera").click()
            await page.wait_for_function("document.querySelector('img.camera')?.naturalWidth > 300")
            assert await page.locator("img.camera").evaluate(count) > 500
            assert not await page.locator("canvas").first.is_visible()
            await show_state(page, "page-camera")

    stage.play(story())


def test_a_run_is_shared_as_one_file_that_asks_nobody_for_anything(stage: Stage, tmp_path: Path) -> None:
    file = tmp_path / "run.html"

    async def story() -> None:
        async with stage.visit() as visit:
            await visit.start(HOSTILE)
            await visit.ends()
            await visit.say(RED)
            await visit.page.wait_for_selector(".task >> nth=1 >> .end")
            async with visit.page.expect_download() as download:
                await visit.page.get_by_role("link", name="Share").click()
            await (await download.value).save_as(file)
        async with stage.visit(offline=True) as reader:
            page = reader.page
            await page.goto(file.as_uri())
            assert await page.title() == HOSTILE
            texts = await reader.texts(".line:visible p")
            assert RED in texts and HOSTILE in texts
            assert await page.locator(".line img, .line b, .line script").count() == 0
            assert await page.locator("#plan tr, #goal tr").count() > 0
            shown = page.locator("img:visible")
            assert await shown.count() == 1 and await shown.evaluate("image => image.naturalWidth") > 100
            await page.get_by_label("event").focus()
            await page.keyboard.press("Home")
            assert len(await reader.texts(".line:visible")) == 1
            await page.get_by_role("button", name="Play").click()
            await page.wait_for_selector(".line:not(.later) >> nth=2")
            assert [url for url in reader.asked if not url.startswith("data:")] == [file.as_uri()]

    stage.play(story())


def test_markup_in_what_a_robots_file_says_is_shown_as_text(stage: Stage) -> None:
    async def story() -> None:
        async with stage.visit() as visit:
            id = await visit.start("Water all of them.", world=str(HOSTILE_ROBOT), scene=None)
            assert await visit.ends() == "Goal met"
            page = visit.page
            await visit.show_lines()
            for part in (".row.action .text", ".plan > li"):
                assert any("<img src=x onerror=alert(5)> the rose" in text for text in await visit.texts(part))
            assert await page.locator(".desk img:not(.camera), .desk i:not(:empty)").count() == 0
            async with httpx.AsyncClient(base_url=visit.address, verify=False) as client:
                shared = (await client.get(f"/api/sessions/{id}/share.html")).text
            assert "<img src=x" not in shared and "<i>the" not in shared

    stage.play(story())


def test_a_robot_without_shapes_is_a_board_on_which_changes_are_marked(stage: Stage) -> None:
    async def story() -> None:
        async with stage.visit() as visit:
            await visit.start(world=str(HOSTILE_ROBOT), scene=None, speed=1)
            page = visit.page
            assert await visit.texts(".board h3") == ["rose", "fern", "ivy"]
            assert await visit.texts(".viewtabs button") == [
                "Board",
                "What can it do?",
                "Details",
            ]  # there is no camera
            await visit.say("Water all of them.")
            await page.wait_for_selector(".board .changed:has-text('rose') .fresh:has-text('The rose is wet.')")
            assert await visit.ends() == "Goal met"
            await page.wait_for_selector(".board .changed:has-text('ivy')")
            axe = Axe()
            await axe.check("board", page)
            assert not axe.found
            assert await page.locator(".board .changed").count() == 1

    stage.play(story())


def test_a_floor_plan_from_the_robots_file_shows_where_the_robot_is(stage: Stage) -> None:
    async def story() -> None:
        async with stage.visit(1200, 750) as visit:
            await visit.start(world=str(CORRIDOR), scene=None)
            page = visit.page
            await page.wait_for_selector(".floor .here:has-text('linen room')")
            await visit.say("Go to room 12.")
            await page.wait_for_selector(".floor .here:has-text('room 12')")
            await visit.ends()
            await show_state(page, "page-plan")
            await page.get_by_role("button", name="Board").click()
            await page.wait_for_selector(".board li:has-text('The robot is at room 12.')")
            await show_state(page, "page-board")

    stage.play(story())
