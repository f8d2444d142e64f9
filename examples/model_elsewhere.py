"""A model behind an address: which constraints it keeps to, what it does as a robot's mind, and what that cost.

THINKALOUD_BASE_URL=http://127.0.0.1:8080/v1 python examples/model_elsewhere.py openai:qwen2.5
THINKALOUD_BASE_URL=https://api.anthropic.com THINKALOUD_API_KEY=… python examples/model_elsewhere.py anthropic:NAME
"""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path

from thinkaloud import Agent
from thinkaloud.models import open_model
from thinkaloud.models.chat_form import ChatModel
from thinkaloud.models.constraining import describe_ways
from thinkaloud.records import End
from thinkaloud.robots import open_world
from thinkaloud.settings import load

ROBOT = str(Path(__file__).parent / "robots" / "tea_kitchen.toml")


async def main(model: ChatModel, request: str = "Put the blue mug on the tray.") -> End:
    """Ask the address what it can do, and have a request carried out."""
    try:
        print(f"answers are constrained by {describe_ways(await model.find_ways())}")
        agent = Agent(open_world(ROBOT), model, "thinkaloud:confirm=never")
        end = await agent.run(request)
        print(f"{end.result}: {end.because}")
    finally:
        await model.close()
    return end


if __name__ == "__main__":
    chosen = open_model(sys.argv[1], load().for_model())
    assert isinstance(chosen, ChatModel), "name a model behind an address, such as openai:qwen2.5"
    asyncio.run(main(chosen))
