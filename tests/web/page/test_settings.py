"""Settings, what a robot can do, roles and voice, in a real browser."""

from __future__ import annotations

from pathlib import Path

import thinkaloud.web.page as web_page
from page_robots import SORT
from page_shots import show_state
from page_stage import Stage, Visit

MARKUP = "<img src=x onerror=alert(1)><b>bold</b>"
EARS = """
class Deaf extends EventTarget {
  constructor() {
    super();
    Object.assign(this, { readyState: 1, sent: [] });
    window.ears = this;
    setTimeout(() => this.tell({ type: "ready" }));
  }
  tell(message) { this.onmessage({ data: JSON.stringify(message) }); }
  send(what) { this.sent.push(what); }
  close() { this.readyState = 3; this.onclose?.(); }
}
const Real = window.WebSocket;
const construct = (kind, given) => given[0].includes("/ears") ? new Deaf() : new Real(...given);
window.WebSocket = new Proxy(Real, { construct });
const getUserMedia = async () => new AudioContext().createMediaStreamDestination().stream;
Object.defineProperty(navigator, "mediaDevices", { value: { getUserMedia } });
"""
"""A microphone in which nothing is heard, and a server's ears that say what the test says."""


def _example() -> str:
    settings = (Path(web_page.__file__).parent / "settings.js").read_text(encoding="utf-8")
    return settings.partition("const EXAMPLE = `")[2].partition("`")[0]


def test_a_robot_is_added_in_the_page_with_its_errors_at_their_lines(stage: Stage) -> None:
    async def story() -> None:
        async with stage.visit(1440, 1000) as visit:
            page = visit.page
            await page.goto(f"{visit.address}/settings")
            await page.get_by_role("combobox", name="Robot", exact=True).select_option(label="hotel_corridor")
            await page.wait_for_selector(".abilities >> text=Drive along the corridor")
            field = page.get_by_label("The robot's file")
            await field.fill(_example().replace("makes", "maeks"))
            await page.get_by_role("button", name="Check", exact=True).click()
            await page.wait_for_selector(".problems li")
            assert await visit.texts(".problems button") == ["Line 16"]
            assert await visit.texts(".file-editor .wrong") == ["16"]
            await page.evaluate("scrollTo(0, 0)")
            await show_state(page, "page-settings")
            await field.scroll_into_view_if_needed()
            await show_state(page, "page-robot-file")
            await field.fill(_example().replace("looks after", f"{MARKUP} looks after"))
            await page.get_by_label("Its name").fill("greenhouse")
            await page.get_by_role("region", name="Add a robot").get_by_role("button", name="Add", exact=True).click()
            await page.wait_for_selector("p.good >> text=greenhouse is kept")
            await page.wait_for_selector(".abilities >> text=Water the fern.")
            assert not await page.locator(".abilities img, .abilities b").count(), "markup stays text"
            assert MARKUP in await page.locator(".abilities .lead").inner_text()
            await field.fill("")
            await page.get_by_role("button", name="Edit its file").click()
            await page.wait_for_function("document.querySelector('#robot-text').value.includes('looks after')")
            await field.fill(_example().replace("looks after", "waters"))
            await page.get_by_role("button", name="Save", exact=True).click()
            await page.wait_for_selector(".abilities .lead >> text=waters")
            await page.get_by_role("button", name="Remove").click()
            await page.get_by_role("alertdialog").get_by_role("button", name="Remove").click()
            await page.wait_for_selector("option >> text=greenhouse", state="detached")

    stage.play(story())


def test_what_a_robot_can_do_is_told_and_its_examples_can_be_said(stage: Stage) -> None:
    async def story() -> None:
        async with stage.visit(1440, 900) as visit:
            await visit.start()
            await visit.page.get_by_role("button", name="What can it do?").click()
            await visit.page.wait_for_selector(".sheet .can li")
            await show_state(visit.page, "page-abilities")
            first = visit.page.locator(".sheet button.say").first
            wanted = await first.inner_text()
            await first.click()
            assert await visit.page.get_by_label("What should the robot do?").input_value() == wanted

    stage.play(story())


async def _talks(visit: Visit) -> None:
    await visit.page.get_by_role("button", name="Talk", exact=True).click()
    await visit.page.wait_for_function("window.ears?.sent.includes('begin')")
    await visit.page.get_by_role("button", name="I have finished").click()
    await visit.page.wait_for_function("window.ears.sent.includes('end')")


def test_what_was_heard_is_shown_before_it_counts_and_can_be_corrected(stage: Stage) -> None:
    async def story() -> None:
        async with stage.visit(1440, 900, color_scheme="light") as visit:
            await visit.page.add_init_script(EARS)
            await visit.page.clock.install()
            await visit.start()
            await _talks(visit)
            field, told = visit.page.get_by_label("What should the robot do?"), visit.page.locator("p.told")
            shown = await visit.page.evaluate(
                """async () => {
                  window.ears.tell({ type: "words", text: "Put the red block in the red ball." });
                  await new Promise((drawn) => requestAnimationFrame(() => setTimeout(drawn)));
                  return document.querySelector("p.told").innerText;
                }"""
            )
            assert "sent in 4 s" in shown
            await field.fill(SORT)  # it was misheard
            await visit.page.clock.fast_forward(4200)
            assert not await visit.texts(".task"), "whoever corrects it sends it"
            assert "Correct it, and send it" in await told.inner_text()
            await show_state(visit.page, "page-voice")
            await visit.page.keyboard.press("Enter")
            assert await visit.ends() == "Goal met"
            await visit.page.evaluate("window.ears.tell({ type: 'words', text: 'What do you see?' })")
            await visit.page.clock.fast_forward(4200)  # left alone, it is sent after a moment
            await visit.page.wait_for_selector(".talk >> text=What do you see?")
            await visit.page.evaluate("window.ears.tell({ type: 'stop', at: 1.5 })")
            await visit.page.wait_for_selector("p.told >> text=I heard “stop”.")

    stage.play(story())
