"""How long somebody waits who types `thinkaloud serve`: seconds to the address, the page, a session, its first picture.

python tests/support/page_first_picture.py [MODEL]
"""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from page_stage import FLAGS, find_browser

ROOT = Path(__file__).parents[2]


async def look(address: str, model: str, tell: object) -> None:
    from playwright.async_api import async_playwright

    assert callable(tell)
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=find_browser(), args=FLAGS)
        page = await browser.new_page()
        tell("(a browser is open)")
        await page.goto(address)
        await page.get_by_label("What should it do?").fill("Put the blocks in their matching bowls.")
        tell("a page to type in")
        await page.get_by_label("World").select_option("tabletop")
        await page.get_by_label("Model").select_option(model)
        await page.get_by_role("button", name="Start").click()
        await page.wait_for_selector(".world[data-frames]")
        tell("the first picture of the robot")
        await browser.close()


def main(model: str = "embedded") -> None:
    began = time.monotonic()

    def tell(what: str) -> None:
        print(f"{time.monotonic() - began:5.1f} s  {what}", flush=True)

    path = os.pathsep.join(str(ROOT / each) for each in ("src", "tests/support"))
    with tempfile.TemporaryDirectory() as home:
        environment = os.environ | {"PYTHONPATH": path, "THINKALOUD_HOME": home}
        command = [sys.executable, "-m", "thinkaloud", "serve", "--port", "0"]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment) as server:
            assert server.stdout is not None
            words = iter(server.stdout.readline, "")
            address = next(word for line in words for word in line.split() if word.startswith("http"))
            tell("an address")
            try:
                asyncio.run(look(address, model, tell))
            finally:
                server.terminate()


if __name__ == "__main__":
    main(*sys.argv[1:])
