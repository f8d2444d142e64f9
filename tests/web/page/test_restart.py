"""A server that dies and comes back: the page tells the whole story again, and the robot can be spoken to."""

from __future__ import annotations

from page_robots import UNCLEAR
from page_shots import show_state
from page_stage import Stage

RED = "Put the red block in the green bowl."


def test_after_a_restart_of_the_server_the_story_is_there_and_goes_on(stage: Stage) -> None:
    async def before(id: list[str]) -> None:
        async with stage.visit() as visit:
            id.append(await visit.start(RED))
            await visit.ends()
            told = await visit.texts(".task")
            stage.server.kill()
            await visit.page.wait_for_selector("#popup[aria-hidden=false]", state="attached")
            stage.server.start()
            await visit.page.wait_for_selector(".desk[data-state=asleep] .task .end")
            await visit.page.wait_for_selector(".task a.link")
            assert await visit.texts(".task") == told
            await show_state(visit.page, "page-asleep")
            await visit.say(UNCLEAR)
            await visit.page.wait_for_selector(".answer")
            assert (await visit.texts(".person > span")) == [RED, UNCLEAR]

    stage.play(before([]))
