"""On the page: a plan is changed and remembered, answers are foreseen in the picture, and sessions are looked after."""

from __future__ import annotations

from page_robots import SORT
from page_shots import show_state
from page_stage import Stage

GREEN = "Put the red block in the green bowl."
ALSO_GREEN = "Put the blue block in the green bowl."
A_BLOCK = "Put a block in the green bowl."
UNSURE = "thinkaloud:rehearse=off;critique=off"


def test_a_person_changes_the_plan_before_it_runs_and_has_it_remembered(stage: Stage) -> None:
    async def story() -> None:
        async with stage.visit(1280, 800) as visit:
            page = visit.page
            await visit.start(SORT, approve_plans=True)
            await page.get_by_role("button", name="Change the plan").click()
            await page.get_by_label("target of step 2").select_option("green bowl")
            await page.get_by_role("button", name="Move step 2 up").click()
            await page.get_by_role("button", name="Strike out step 2").click()
            await page.get_by_label("Add a step").select_option("pick_and_place")
            await page.get_by_label("target of step 3").select_option("blue block")
            await show_state(page, "page-edit")
            plan = await page.locator(".editor .plan").evaluate("it => [it.clientHeight, it.scrollHeight]")
            assert plan[0] >= plan[1] > 80, "each step is shown in full"
            await page.get_by_label("object of step 3").select_option("blue block")
            await page.get_by_role("button", name="Do this").click()
            await page.wait_for_selector(".editor .refused")
            assert await page.locator(".editor .wrong").count() == 1  # nothing goes on itself
            await page.get_by_role("button", name="Strike out step 3").click()
            await page.get_by_role("button", name="Do this").click()
            assert await visit.ends() == "Goal met"
            assert await visit.texts(".plan > .done") == ["Pick the blue block and place it on the green bowl.\ndone"]
            await page.get_by_role("button", name="Remember this").click()
            await page.get_by_label("When I say").fill("Tidy up!")
            await show_state(page, "page-lesson")
            await page.get_by_role("button", name="Remember it").click()
            await page.wait_for_selector(".kept")
            await page.goto(visit.address)
            await page.wait_for_selector(".lessons li:has-text('Tidy up!')")
            await page.get_by_role("button", name="Forget: Tidy up!").click()
            await page.wait_for_selector(".lessons li:has-text('Tidy up!')", state="detached")

    stage.play(story())


def test_what_an_answer_would_do_is_shown_as_a_ghost_while_one_points_at_it(stage: Stage) -> None:
    async def story() -> None:
        async with stage.visit(1280, 800, space=True) as visit:
            page = visit.page
            await visit.start(A_BLOCK, model="unsure", preset=UNSURE)
            await page.locator(".answer").nth(1).hover()
            await page.wait_for_selector('.world[data-foreseen="2"]')  # the block's ghost, and its way
            await show_state(page, "page-ghost", point=True)
            await page.get_by_role("button", name="Why do you ask?").hover()
            await page.wait_for_selector('.world[data-foreseen="0"]')
            await page.get_by_role("button", name="None of these").click()
            assert await visit.ends() == "Declined"

    stage.play(story())


def test_sessions_are_overseen_named_deleted_and_compared(stage: Stage) -> None:
    async def story() -> None:
        async with stage.visit(1280, 800) as visit:
            page = visit.page
            first = await visit.start(SORT)
            await visit.ends()
            other = await visit.start(GREEN)
            await visit.ends()
            await visit.say(ALSO_GREEN)
            await page.wait_for_selector(f".task:has-text('{ALSO_GREEN}') .end")
            asking = await visit.start(GREEN, approve_plans=True)
            await visit.reaches("asking")
            await page.goto(visit.address)
            robot, row = (page.locator(f'[data-{kind}="{asking}"]') for kind in ("robot", "session"))
            await robot.wait_for()
            assert await row.get_by_role("button", name="Delete:").is_disabled()  # it is at work
            done = page.locator(f'[data-session="{other}"]')
            assert (await done.locator("a").first.inner_text()).split("\n") == [ALSO_GREEN, "… and 1 more"]
            await page.get_by_label("Search sessions").fill(GREEN)
            await done.wait_for()  # also by what was asked for earlier
            await page.get_by_label("Search sessions").fill("")
            await done.get_by_role("button", name="Name:").click()
            await page.get_by_label("Name of this session").fill("To the green bowl")
            await page.get_by_role("button", name="Name it").click()
            await done.get_by_role("link", name="To the green bowl").wait_for()
            await page.wait_for_selector(".start .accent:not(:disabled)")
            await page.locator(".start select").first.select_option("tabletop")
            await page.evaluate("scrollTo(0, 0)")
            await show_state(page, "page-home")
            await page.get_by_role("button", name="Stop all").click()
            await page.wait_for_selector(".stopstrip.still")
            await robot.get_by_text("ready").wait_for()
            await row.get_by_role("button", name="Delete:").click()
            await row.get_by_role("button", name="Delete", exact=True).click()
            await row.wait_for(state="detached")
            for id in (first, other):
                await page.locator(f'[data-session="{id}"] input').check()
            await page.get_by_role("link", name="Compare these two").click()
            await page.wait_for_selector(".compared td.differs")
            await page.get_by_role("button", name="Next difference").click()
            await page.wait_for_selector(".pair .task")
            await show_state(page, "page-compare", still=False)

    stage.play(story())
