"""While the robot thinks: one's own words can be read, and the page says what it does, for how long, at what cost."""

from __future__ import annotations

import time

from page_robots import SORT
from page_shots import show_state
from page_stage import Stage

SLOWLY = 0.1
"""Times real time: it still moves when the picture of that was taken."""

_CONTRAST = """row => {
  const bend = (v) => (v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4);
  const light = (colour) => {
    const [red, green, blue] = colour.match(/[\\d.]+/g).map((v) => bend(v / 255));
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  };
  const words = light(getComputedStyle(row.querySelector('span')).color);
  const behind = light(getComputedStyle(row.querySelector('span')).backgroundColor);
  return (Math.max(words, behind) + 0.05) / (Math.min(words, behind) + 0.05);
}"""
"""How far the words of a row stand out; 4.5 is what people need to read."""


def test_thinking_is_seen_while_it_lasts_and_says_for_how_long_and_how_many_tokens(stage: Stage) -> None:
    async def story() -> None:
        async with stage.visit(1200, 750) as visit:
            await visit.start(model="slow", speed=SLOWLY)
            page = visit.page
            await visit.say(SORT)
            said = time.monotonic()
            await page.wait_for_selector(f".person:has-text('{SORT}')")
            await visit.reaches("thinking")  # which it does for nine seconds
            print(f"\nseen to think after {1000 * (time.monotonic() - said):.0f} ms")
            await page.wait_for_selector(".now:has-text('Working out what you mean')")
            own = page.locator(".person:not(.pending)")
            assert await own.evaluate(_CONTRAST) > 4.5
            await page.wait_for_selector(".now .said:has-text('let me')")
            await show_state(page, "page-thinking", still=False)
            await visit.reaches("moving")
            await page.wait_for_selector(".now:has-text('Doing step 1 of 2')")
            await page.wait_for_function("Number.parseInt(document.querySelector('.now .clock')?.textContent) >= 1")
            await page.wait_for_selector(".now:has-text('tokens read')")
            await show_state(page, "page-moving", still=False)
            await page.keyboard.press("Escape")
            assert await visit.ends() == "Stopped"
            assert await page.locator(".now").count() == 0

    stage.play(story())
