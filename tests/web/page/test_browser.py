"""The page in a real browser: the main story, and what people do in the middle of it."""

from __future__ import annotations

from page_robots import HOSTILE, PROGRAMS, SORT, UNCLEAR
from page_shots import show_state
from page_stage import Stage, Visit

RED, CHANGE = "Put the red block in the green bowl.", "No, put the blue block in the blue bowl."

UNSURE = "thinkaloud:rehearse=off;critique=off"
SLOWLY = 0.25
"""Times real time: whatever is done in mid-motion comes in time, also on a machine that is busy."""


def test_a_person_starts_a_robot_is_asked_answers_and_sees_the_goal_met(stage: Stage) -> None:
    """The main story; at every page of it axe finds nothing serious, in light and in dark."""

    async def story() -> None:
        async with stage.visit(1440, 900, space=True) as visit:
            page = visit.page
            await page.goto(visit.address)
            await page.get_by_label("What should it do?").fill(SORT)
            await page.get_by_label("World", exact=True).select_option("tabletop")
            await page.get_by_text("More choices").click()
            await page.get_by_label("Scene").select_option("two_colours")
            await page.get_by_label("Way of thinking").select_option("thinkaloud")
            await page.get_by_label("Asks before it acts").select_option("always")
            await page.get_by_label("Speed").select_option("as fast as it goes")
            await show_state(page, "page-begin")
            await page.get_by_role("button", name="Start").click()
            await page.wait_for_selector(".answer")
            await show_state(page, "page-understood")
            await page.get_by_role("button", name="yes", exact=True).click()
            assert await visit.ends() == "Goal met"
            await show_state(page, "page")
            await page.get_by_label("Dark colours").click()
            await show_state(page, "page-dark")
            await _tells_all(visit)
            await page.goto(f"{visit.address}/bench")
            await page.wait_for_selector(".bench")
            await show_state(page, "page-bench")

    stage.play(story())


async def _tells_all(visit: Visit) -> None:
    """What was understood comes before anything is done; every step and condition has its mark; the prompt is there."""
    assert await visit.texts(".task .understood")
    assert len(await visit.texts(".plan > .done")) == 2
    assert await visit.texts(".checks summary") == ["Done. All 2 checks hold."]
    trace = await visit.page.get_by_role("link", name="Trace").get_attribute("href")
    assert trace is not None and trace.startswith("http://127.0.0.1:16686/trace/") and len(trace) == 29 + 32
    await visit.page.locator(".checks summary").click()
    assert len(await visit.texts(".goal > .good")) == 2
    await visit.show_lines()
    manners = await visit.page.eval_on_selector_all(".row", "rows => rows.map(row => row.classList[1])")
    assert manners.index("understood") < manners.index("plan") < manners.index("action") < manners.index("end")
    assert int(await visit.page.locator(".world").get_attribute("data-frames")) > 1
    await visit.page.get_by_role("button", name="Prompt and answer behind").first.click()
    assert f'# "{SORT}"' in await visit.page.locator(".prompt").inner_text()
    assert await visit.page.locator(".reply").inner_text() == PROGRAMS[SORT]
    await show_state(visit.page, "page-prompt")
    await visit.page.get_by_role("button", name="Close").click()
    await visit.page.get_by_label("Light colours").click()
    await show_state(visit.page, "page-details")


def test_stop_holds_the_robot_in_mid_motion(stage: Stage) -> None:
    async def story() -> None:
        async with stage.visit() as visit:
            await visit.start(speed=SLOWLY)
            await visit.say(SORT)
            await visit.reaches("moving")
            await visit.page.get_by_role("button", name="Stop").click()
            assert await visit.ends() == "Stopped"
            assert len(await visit.texts(".plan > .failed")) == 1
            assert (await visit.texts(".task"))[0].count("You pressed stop") == 1
            await visit.show_lines()
            assert "Interrupted" in await visit.texts(".row.trouble .who")
            assert not await visit.texts(".row.feedback.good:has-text('Blue block')")

    stage.play(story())


def test_a_robot_that_is_paused_takes_one_step_at_a_time_and_can_be_meddled_with(stage: Stage) -> None:
    async def story() -> None:
        async with stage.visit(space=True) as visit:
            await visit.start(speed=SLOWLY)
            page = visit.page
            await visit.say(SORT)
            await visit.reaches("moving")
            await page.get_by_role("button", name="Pause").click()
            await visit.reaches("paused")
            frames = int(await page.locator(".world").get_attribute("data-frames"))
            await show_state(page, "page-paused")
            await page.get_by_role("button", name="Meddle").click()
            await show_state(page, "page-meddle")
            await page.get_by_role("combobox", name="Thing").select_option("blue block")
            await page.get_by_role("combobox", name="Onto").select_option("green bowl")
            await page.get_by_role("button", name="Put it there").click()
            await page.wait_for_function(f"Number(document.querySelector('.world').dataset.frames) > {frames}")
            assert not await visit.texts(".notes p")
            await page.get_by_role("button", name="Close").click()
            await page.get_by_role("button", name="One step").click()
            await visit.reaches("moving")
            await page.get_by_role("button", name="Stop").click()
            assert await visit.ends() == "Stopped"

    stage.play(story())


def test_a_question_is_answered_by_a_button(stage: Stage) -> None:
    async def story() -> None:
        async with stage.visit() as visit:
            await visit.start(UNCLEAR)
            assert await visit.texts(".answer") == ["the red block", "the blue block", "None of these"]
            assert await visit.texts(".asking .lead") == ["Which block do you mean?"]
            await visit.page.get_by_role("button", name="None of these").click()
            assert await visit.page.evaluate("document.activeElement.tagName") == "TEXTAREA"
            await visit.page.get_by_role("button", name="Why do you ask?").click()
            assert await visit.texts(".because") == ["I can't tell from what you said."]
            await visit.page.get_by_role("button", name="the red block", exact=True).click()
            assert await visit.ends() == "Goal met"
            assert await visit.texts(".person > span") == [UNCLEAR, "the red block"]
            assert not await visit.texts(".answer")

    stage.play(story())


def test_a_question_between_readings_shows_what_differs_and_why_it_is_asked(stage: Stage) -> None:
    async def story() -> None:
        async with stage.visit(1200, 750) as visit:
            await visit.start("Put a block in the green bowl.", model="unsure", preset=UNSURE)
            page = visit.page
            assert await visit.texts(".answer") == [
                "… pick the red block and …",
                "… pick the blue block and …",
                "None of these",
            ]
            assert await visit.texts(".answer b") == ["red", "blue"]
            assert await visit.texts(".asking .lead") == ["Which of these do you mean?"]
            await page.get_by_role("button", name="Why do you ask?").click()
            assert "2 ways" in (await visit.texts(".because"))[0]
            await show_state(page, "page-question")
            await page.get_by_role("button", name="blue").click()
            assert await visit.ends() == "Goal met"
            assert await visit.texts(".asked") == ["Which of these do you mean?"]
            assert "blue block" in (await visit.texts(".task .understood"))[0]

    stage.play(story())


def test_a_change_of_mind_is_heard_and_the_plan_shown_as_a_difference(stage: Stage) -> None:
    async def story() -> None:
        async with stage.visit(1440, 900) as visit:
            await visit.start(speed=SLOWLY)
            await visit.say(SORT)
            await visit.reaches("moving")
            await visit.say(CHANGE)
            await visit.page.wait_for_selector(".task >> nth=1 >> .plan")
            assert await visit.texts(".talk .person > span") == [SORT, CHANGE]
            assert "You said something else before this was done." in await visit.texts(".task p")
            await visit.show_lines()
            await visit.page.wait_for_selector(".lines .dropped")
            await visit.page.keyboard.press("Escape")
            assert await visit.ends() == "Stopped"
            await show_state(visit.page, "page-change-of-mind")

    stage.play(story())


def test_the_past_can_be_looked_at_and_gone_on_from_in_another_way(stage: Stage) -> None:
    async def story() -> None:
        async with stage.visit() as visit:
            first = await visit.start(RED)
            await visit.ends()
            page = visit.page
            await page.get_by_label("Look back: event").focus()
            await page.keyboard.press("Home")
            await page.wait_for_selector(".banner:has-text('You look back at event 0')")
            await page.wait_for_selector("text=Nothing has been said yet.")
            assert not await visit.texts(".task")
            await show_state(page, "page-look-back")
            await page.get_by_role("button", name="Live").click()
            await page.wait_for_selector(".task .end")
            await visit.show_lines()
            await page.get_by_role("button", name=f"Fork after: {RED}").click()
            await page.get_by_label("Say to it").fill("Put the blue block in the green bowl.")
            await show_state(page, "page-fork")
            await page.get_by_role("dialog").get_by_role("button", name="Fork").click()
            await page.wait_for_url(lambda url: "/s/" in url and first not in url)
            assert await visit.ends() == "Goal met"
            assert (await visit.texts(".talk .person > span"))[0] == RED
            second = page.url.rpartition("/")[2]
            await page.goto(f"{visit.address}/compare?a={first}&b={second}")
            await page.wait_for_selector(".compared td.differs")

    stage.play(story())


def test_two_people_watch_and_one_of_them_holds_control(stage: Stage) -> None:
    async def story() -> None:
        async with stage.visit() as one, stage.visit() as other:
            id = await one.start(speed=SLOWLY)
            await one.say(RED)
            await other.open(id)
            assert await other.page.get_by_label("What should the robot do?").is_disabled()
            await one.page.wait_for_selector(".viewers")
            await other.page.get_by_role("button", name="Stop").click()
            assert await one.ends() == await other.ends() == "Stopped"
            await show_state(other.page, "page-watching")
            hand = one.page.get_by_label("Hand control over to")
            await hand.select_option(index=1)
            await other.page.wait_for_selector(".composer textarea:not([disabled])")
            await other.say(RED)
            await one.page.wait_for_selector(".task >> nth=1")

    stage.play(story())


def test_texts_are_shown_as_text_and_in_any_language(stage: Stage) -> None:
    async def story() -> None:
        async with stage.visit() as visit:
            await visit.start(HOSTILE)
            await visit.ends()
            assert HOSTILE in await visit.texts(".person > span")
            assert any("<b>bold</b><script>alert(1)</script>" in text for text in await visit.texts(".task .end"))
            assert await visit.page.locator(".task img, .task b b, .task script").count() == 0
            for words in ("把红色方块放到红碗里。", "ضع المكعب الأزرق في الوعاء الأزرق"):
                await visit.say(words)
                await visit.page.wait_for_selector(f".person:has-text('{words}')")
                await visit.ends()
            arabic = visit.page.locator(".person > span").last
            assert await arabic.evaluate("text => getComputedStyle(text).direction") == "rtl"
            await visit.page.goto(visit.address)
            await visit.page.wait_for_selector(".list .request")
            assert await visit.page.locator(".list img, .list b").count() == 0
            await visit.page.goto(f"{visit.address}/s/%3Cimg%20src=x%20onerror=alert(3)%3E")
            await visit.page.wait_for_selector("text=Not here")
            await show_state(visit.page, "page-missing")
            assert await visit.page.locator(".missing img").count() == 0

    stage.play(story())


def test_a_person_without_a_mouse_starts_a_robot_looks_around_and_stops_it(stage: Stage) -> None:
    async def story() -> None:
        async with stage.visit(space=True) as visit:
            await visit.start(speed=SLOWLY)
            page = visit.page
            await _tab_to(visit, "TEXTAREA")
            await page.keyboard.type(SORT)
            await page.keyboard.press("Enter")
            await visit.reaches("moving", "thinking")
            await page.keyboard.press("Escape")
            assert await visit.ends() == "Stopped"
            await _tab_to(visit, "CANVAS")
            frames = int(await page.locator(".world").get_attribute("data-frames"))
            await page.keyboard.press("ArrowLeft")
            await page.wait_for_function(f"Number(document.querySelector('.world').dataset.frames) > {frames}")

    stage.play(story())


async def _tab_to(visit: Visit, tag: str) -> None:
    for _ in range(60):
        await visit.page.keyboard.press("Tab")
        if await visit.page.evaluate("document.activeElement.tagName") == tag:
            return
    raise AssertionError(f"nobody comes to the {tag} with the Tab key")


def test_the_page_fits_a_phone_and_the_stop_button_is_always_there(stage: Stage) -> None:
    async def story() -> None:
        async with stage.visit(390, 844, is_mobile=True, has_touch=True) as visit:
            await visit.start(RED)
            await visit.ends()
            page = visit.page
            assert await page.evaluate("document.documentElement.scrollWidth <= innerWidth")
            for panel, part in (("see", ".stage"), ("details", ".lined"), ("talk", ".task")):
                await page.get_by_role("button", name=panel, exact=True).tap()
                await page.locator(part).wait_for(state="visible")
                box = await page.get_by_role("button", name="Stop").bounding_box()
                assert box["width"] > 300 and box["height"] > 44 and box["y"] + box["height"] <= 844
                await show_state(page, "page-phone" if panel == "talk" else f"page-phone-{panel}")

    stage.play(story())


def test_a_world_without_space_is_drawn_as_a_plan(stage: Stage) -> None:
    async def story() -> None:
        async with stage.visit() as visit:
            await visit.start(world="household", scene=None)
            await visit.page.wait_for_selector(".floor rect")
            names = await visit.page.locator(".floor text").all_text_contents()
            assert "bathroom" in names
            await show_state(visit.page, "page-household")
            shown = await visit.page.locator(".floor .inside:not(.all)").count()
            await visit.page.get_by_role("button", name="All in ").click()
            assert await visit.page.locator(".listed li").count() > shown == 9
            await visit.page.get_by_label("Close").click()
            assert not await visit.page.locator(".listed").count()
            assert not await visit.page.get_by_role("link", name="Film").count()  # there is no picture of a home

    stage.play(story())


def test_only_what_goes_together_can_be_chosen(stage: Stage) -> None:
    async def story() -> None:
        async with stage.visit() as visit:
            page = visit.page
            await page.goto(visit.address)
            await page.get_by_text("More choices").click()
            world, model, scene, eyes = (
                page.locator(f"label:has-text('{name}') > select").first for name in ("World", "Model", "Scene", "Eyes")
            )
            await world.select_option("warehouse")
            await page.wait_for_selector("option[value=hall]", state="attached")
            assert await scene.locator("option").all_text_contents() == ["drawn by the seed", "hall"]
            await scene.select_option("hall", force=True)
            await world.select_option("walkworld:Walker")
            await page.wait_for_selector("select[disabled] >> text=drawn by the seed", state="attached")
            assert await scene.is_disabled() and await eyes.is_disabled()
            thinking = page.get_by_label("Way of thinking")
            await thinking.select_option("thinkaloud")
            shown = page.locator(".option:visible")
            assert [text.split("\n")[0] for text in await shown.all_inner_texts()] == [
                "Mistakes it may make without asking"
            ]
            await page.get_by_text("For researchers").press("Enter")  # what is above may grow meanwhile
            await page.get_by_label("Rehearses its plan").select_option(label="no")
            models = await model.locator("option").all_text_contents()
            assert "scripted" in models and not [name for name in models if ":" in name]

    stage.play(story())


def test_in_the_warehouse_the_robot_is_in_view(stage: Stage) -> None:
    async def story() -> None:
        async with stage.visit(1200, 750, space=True) as visit:
            await visit.start(world="warehouse", scene=None)
            page = visit.page
            await page.wait_for_selector(".world[data-robot=seen]")
            await show_state(page, "page-warehouse")
            await page.get_by_role("button", name="Floor plan").click()
            await page.wait_for_selector(".floor .here")
            assert await page.locator(".floor .wall rect").count() >= 4
            views = await visit.texts(".viewtabs button[aria-pressed]")
            assert "Map" in views and "Camera" not in views
            assert await page.get_by_role("link", name="Film").count()

    stage.play(story())
