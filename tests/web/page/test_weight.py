"""What the page weighs: everything that a browser gets when it opens a session for the first time."""

from __future__ import annotations

from page_stage import Stage

LIGHTEST = 900_000
"""Bytes over the wire."""


def test_the_page_is_light(stage: Stage) -> None:
    async def story() -> None:
        async with stage.visit(locale="en-GB", space=True) as visit:  # a browser of its own, which has seen nothing yet
            wire = await visit.page.context.new_cdp_session(visit.page)
            await wire.send("Network.enable")
            sizes: list[float] = []
            wire.on("Network.loadingFinished", lambda event: sizes.append(event["encodedDataLength"]))
            await visit.start()
            await visit.page.wait_for_selector(".world[data-frames]")
            print(f"\nfirst load: {sum(sizes) / 1000:.0f} kB in {len(sizes)} answers")
            assert 200_000 < sum(sizes) < LIGHTEST

    stage.play(story())
