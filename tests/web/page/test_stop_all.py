"""Every page has the red button, and a stop that is not confirmed goes on from page to page."""

from __future__ import annotations

from page_robots import SORT
from page_shots import show_state
from page_stage import Stage, Visit

SLOWLY = 0.25
STILL = ".stopstrip.still"


async def _moving(visit: Visit) -> str:
    id = await visit.start(speed=SLOWLY)
    await visit.say(SORT)
    await visit.reaches("moving")
    return id


async def _alarmed(visit: Visit) -> str:
    alarm = visit.page.get_by_role("alert").filter(has_text="Stop NOT CONFIRMED.")
    await alarm.wait_for()
    return str(await alarm.inner_text())


def test_a_stop_from_the_overview_is_kept_on_the_way_to_other_pages(stage: Stage) -> None:
    async def story() -> None:
        async with stage.visit(1200, 800) as visit:
            page, id = visit.page, await _moving(visit)
            await page.goto(visit.address)
            await page.route("**/api/sessions/*/stop", lambda route: route.abort())
            await page.locator(f'[data-robot="{id}"]').get_by_role("button", name="Stop:").click()
            assert id in await _alarmed(visit)
            await page.goto(f"{visit.address}/settings")
            assert id in await _alarmed(visit)
            await page.unroute("**/api/sessions/*/stop")
            await page.wait_for_selector(STILL)
            assert await page.evaluate("Object.keys(sessionStorage).filter(key => key.startsWith('stop-'))") == []
            await visit.open(id)
            assert await visit.ends() == "Stopped"

    stage.play(story())


def test_without_a_connection_the_overview_says_how_old_it_is_and_stop_all_is_not_lost(stage: Stage) -> None:
    async def story() -> None:
        async with stage.visit(390, 844) as visit:
            page, id = visit.page, await _moving(visit)
            await page.goto(visit.address)
            await page.locator(f'[data-robot="{id}"]').wait_for()
            await page.context.set_offline(True)
            await page.evaluate("window.socket.io.engine.close()")
            await page.wait_for_selector(".robots.old")
            await page.keyboard.press("Escape")
            await _alarmed(visit)
            await show_state(page, "page-home-cut-off")
            await page.context.set_offline(False)
            await page.wait_for_selector(STILL)
            await page.wait_for_selector(".robots:not(.old)")
            assert await page.get_by_role("button", name="Stop all").is_visible()
            await visit.open(id)
            assert await visit.ends() == "Stopped"

    stage.play(story())


def test_a_stop_is_never_switched_off_and_is_on_every_page(stage: Stage) -> None:
    async def story() -> None:
        async with stage.visit(1200, 800) as visit:
            page, id = visit.page, await visit.start()
            await page.goto(visit.address)
            row = page.locator(f'[data-robot="{id}"]')
            await row.get_by_text("ready").wait_for()  # perhaps it began to move just now
            assert await row.get_by_role("button", name="Stop:").is_enabled()
            for path in ("/settings", "/bench", f"/compare?a={id}&b={id}", "/s/nowhere"):
                await page.goto(visit.address + path)
                await page.get_by_role("button", name="Stop all").click()
                await page.wait_for_selector(STILL)

    stage.play(story())
