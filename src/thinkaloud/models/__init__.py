"""Language models: one contract, three verbs, and the models that are shipped.

    model = open_model("embedded")
    answer = await model.complete("Scene: There is a red block.\\nRobot action:", stop=["\\n"])

Names: `embedded`, `embedded-base`, `embedded-large`, `gguf:PATH`, `openai:NAME`, `replay:FILE`, and those of other
packages. `Scripted` is for tests.
"""

from thinkaloud.models.contract import (
    Call,
    Completion,
    Listener,
    Model,
    Reply,
    Scores,
    Turn,
    Usage,
    introduce,
    is_fluent,
    is_trained,
)
from thinkaloud.models.prompt_files import PROMPTS_OPTION, PromptForm, Prompts
from thinkaloud.models.recording import Recorded
from thinkaloud.models.registry import MODELS, describe_models, open_model
from thinkaloud.models.scripted import Scripted
from thinkaloud.models.settings import ModelSettings

__all__ = [
    "MODELS",
    "PROMPTS_OPTION",
    "Call",
    "Completion",
    "Listener",
    "Model",
    "ModelSettings",
    "PromptForm",
    "Prompts",
    "Recorded",
    "Reply",
    "Scores",
    "Scripted",
    "Turn",
    "Usage",
    "describe_models",
    "introduce",
    "is_fluent",
    "is_trained",
    "open_model",
]
