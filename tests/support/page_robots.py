"""Models for the page's tests: each says what it was told to say, by the request at hand, as often as it is asked."""

from __future__ import annotations

import asyncio
import re
from typing import Any

from thinkaloud.models import Completion, Scripted
from thinkaloud.models.contract import Token
from walkworld import obliging

SORT = "Put the blocks in their matching bowls."
UNCLEAR = "Put the block away."
HOSTILE = "<img src=x onerror=alert(1)>"
MARKUP = (
    "</script><script>window.hit=true</script><img src=x onerror=window.hit=window>"
    "{{constructor.constructor('window.hit=this')()}}`${window.hit=document}"
)
PROGRAMS = {
    SORT: 'pick_and_place("red block", "red bowl")\npick_and_place("blue block", "blue bowl")',
    "Put the red block in the green bowl.": 'pick_and_place("red block", "green bowl")',
    "Put the blue block in the green bowl.": 'pick_and_place("blue block", "green bowl")',
    "No, put the blue block in the blue bowl.": 'pick_and_place("blue block", "blue bowl")',
    UNCLEAR: 'ask("Which block do you mean?", ["the red block", "the blue block"])',
    "the red block": 'pick_and_place("red block", "red bowl")',
    "把红色方块放到红碗里。": 'pick_and_place("red block", "red bowl")',
    "ضع المكعب الأزرق في الوعاء الأزرق": 'pick_and_place("blue block", "blue bowl")',
    "Go to room 12.": 'go_to("room 12")',
    "Carry the cactus.": f"carry('cactus', 'window')\nsay({MARKUP!r})",
    MARKUP: f"ask({MARKUP!r}, [{MARKUP!r}, 'no'])",
    "Water all of them.": "for each in plants:\n    water(each)",
    HOSTILE: 'say("<b>bold</b><script>alert(1)</script>")',
}
_SAID = re.compile(r'^# "(.*)"$', re.MULTILINE)


def write_program(prompt: str) -> str:
    """The program for what was said last, as the prompt has it."""
    said = _SAID.findall(prompt)
    return PROGRAMS.get(said[-1] if said else "", 'cannot("nobody told me how")')


class Slow(Scripted):
    """Takes its time, as a large model does; others may do something meanwhile."""

    async def complete(self, prompt: str, **how: Any) -> Completion:
        """The same, after a while."""
        listener = how.get("listener")
        for word in ("let", " me", " see"):
            if listener:
                listener(word)
            await asyncio.sleep(3)  # long enough to be seen on a busy machine
        return await super().complete(prompt, **how)


class Unsure(Scripted):
    """Cannot tell which block is meant, and says how likely each is."""

    async def complete_weighed(self, prompt: str, **how: Any) -> Completion:
        """A program whose first thing may be another one."""
        answer = await self.complete(prompt, **how)
        tokens: tuple[Token, ...] = (Token('", "green bowl")', 1.0),)
        if 'pick_and_place("blue block' not in prompt.rpartition("#")[2]:
            doubt = Token("red block", 0.5, (("blue block", 0.45),))
            tokens = (Token('pick_and_place("', 1.0), doubt, *tokens)
        return Completion("".join(token.text for token in tokens), answer.usage, tokens)


def models() -> dict[str, Scripted]:
    """By name: `scripted` answers at once, `slow` after a while, `unsure` doubts; `obliging` walks."""
    return {
        "scripted": Scripted(write_program),
        "slow": Slow(write_program, name="slow"),
        "unsure": Unsure(write_program, name="unsure"),
        "obliging": obliging(),
    }
