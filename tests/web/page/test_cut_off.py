"""A page that is cut off says so, keeps a stop until it is confirmed, and offers to go on after it."""

from __future__ import annotations

import re

import httpx

from page_robots import SORT
from page_shots import show_state
from page_stage import Stage, Visit

SLOWLY = 0.25


async def _cut_off(visit: Visit) -> None:
    await visit.page.context.set_offline(True)
    await visit.page.evaluate("window.socket.io.engine.close()")


def test_a_stop_without_a_connection_is_not_confirmed_until_it_gets_through(stage: Stage) -> None:
    async def story() -> None:
        async with stage.visit() as visit:
            await visit.start(speed=SLOWLY)
            page = visit.page
            await visit.say(SORT)
            await visit.reaches("moving")
            await _cut_off(visit)
            await page.wait_for_selector(".desk.offline")
            await page.keyboard.press("Escape")
            alarm = page.get_by_role("alert").filter(has_text="Stop NOT CONFIRMED.")
            await alarm.wait_for()
            assert "Use the robot’s own stop." in await alarm.inner_text()
            assert round((await alarm.bounding_box())["width"]) == 900
            assert await page.get_by_role("button", name="Not live").is_disabled()
            assert "grayscale" in await page.locator(".stage > .world").evaluate("it => getComputedStyle(it).filter")
            assert "No connection" in await visit.texts(".bar .state")
            assert not await visit.texts(".now")  # nobody knows what it does now
            await show_state(page, "page-not-confirmed", still=False)
            await page.context.set_offline(False)
            await page.wait_for_selector('.desk[data-stop="still"]')
            await page.wait_for_selector(".desk:not(.offline)")
            assert await visit.ends() == "Stopped"
            assert await page.evaluate("sessionStorage.getItem('stop-' + location.pathname.split('/').pop())") is None
            await show_state(page, "page-stopped")

    stage.play(story())


def test_a_page_that_is_opened_says_that_it_connects_and_shows_what_was_asked_for(stage: Stage) -> None:
    async def story() -> None:
        async with stage.visit() as visit:
            id = await visit.start(SORT)
            await visit.ends()
            page = visit.page
            await page.route_web_socket(re.compile("_nicegui_ws"), lambda socket: None)  # open, and silent
            await page.goto(f"{visit.address}/s/{id}", wait_until="commit")
            await page.wait_for_selector(".bar .state:has-text('Connecting …')")
            assert await visit.texts(".story .person") == [SORT]
            shown = await page.locator(".desk").inner_text()
            assert "No connection" not in shown and "Not live" not in shown and "Nothing has been said" not in shown
            assert await page.get_by_role("button", name="Stop").is_enabled()
            assert await page.locator(".desk.offline").count() == 0
            async with httpx.AsyncClient(base_url=visit.address, verify=False) as client:
                sent = (await client.get(f"/s/{id}")).text
            assert f'<p dir="auto">{SORT}</p>' in sent  # before any script has run

    stage.play(story())


def test_without_a_connection_nothing_is_sent_that_would_arrive_later_by_itself(stage: Stage) -> None:
    async def story() -> None:
        async with stage.visit() as visit:
            await visit.start(speed=SLOWLY)
            page = visit.page
            await visit.say(SORT)
            await visit.reaches("moving")
            pause = page.get_by_role("button", name="Pause")
            await pause.evaluate("it => { window.socket.disconnect(); it.click(); }")  # the page does not know it yet
            await page.get_by_role("status").filter(has_text="Not sent: there is no connection.").wait_for()
            await page.wait_for_selector(".desk.offline")
            for name in ("Pause", "One step", "Meddle"):
                assert await page.get_by_role("button", name=name).is_disabled()
            await page.evaluate("window.socket.connect()")
            await page.wait_for_selector(".desk:not(.offline)")
            assert await visit.ends() == "Goal met"  # it was not paused

    stage.play(story())


def test_a_page_that_goes_to_sleep_leaves_its_stop_to_the_browser(stage: Stage) -> None:
    async def story() -> None:
        async with stage.visit() as visit:
            id = await visit.start()
            page = visit.page
            await page.evaluate("() => { window.sent = []; navigator.sendBeacon = (path) => window.sent.push(path); }")
            await page.evaluate("document.dispatchEvent(new Event('freeze'))")
            await _cut_off(visit)
            await page.get_by_role("button", name="Stop").click()
            await page.evaluate("document.dispatchEvent(new Event('freeze'))")
            assert await page.evaluate("window.sent") == [f"/api/sessions/{id}/stop"]
            await page.context.set_offline(False)
            await page.wait_for_selector('.desk[data-stop="still"]')

    stage.play(story())


def test_after_a_stop_the_robot_goes_on_with_what_it_was_asked_for(stage: Stage) -> None:
    async def story() -> None:
        async with stage.visit(390, 844, is_mobile=True, has_touch=True) as visit:
            await visit.start(speed=SLOWLY)
            page = visit.page
            await visit.say(SORT)
            await visit.reaches("moving")
            await page.get_by_role("button", name="Stop").tap()
            await page.get_by_role("status").filter(has_text="The robot is still.").wait_for()
            assert await visit.ends() == "Stopped"
            await page.locator(".story").get_by_role("button", name="Go on").tap()
            await visit.reaches("moving")
            assert await visit.texts(".person > span") == [SORT, SORT]
            await page.get_by_role("button", name="Stop").tap()
            await visit.reaches("idle")

    stage.play(story())
