"""Which preset a run uses: the chosen one, or else what suits its world and model, and the notice about it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from thinkaloud.errors import BadInput
from thinkaloud.models import Model
from thinkaloud.presets import preset_for, preset_name, read_preset, spell
from thinkaloud.records import Begin
from thinkaloud.settings import sources
from thinkaloud.staging.guidelines import GUIDELINES_OPTION
from thinkaloud.staging.options import RunOptions
from thinkaloud.worlds import World

_BETTER = (
    "--model embedded-large was (thinkaloud models get large); a code model of 1.5B or more does better, too: "
    "--model gguf:PATH."
)
_UNSUITED = f"The model {{model}} was not trained for the preset {{preset}}: it will mostly ask or decline. {_BETTER}"
_INSTEAD = (
    "The model {model} was not trained for the default preset, {preset}, so {instead} is used instead: "
    f"check that the goal it states is what you meant. {_BETTER}"
)


def _is_open(begin: Begin, *, preset: str | None) -> bool:
    """Whether nobody chose a preset, by a flag, a setting or guidelines."""
    return preset is None and GUIDELINES_OPTION not in begin.options and "preset" not in sources()


def with_suitable_preset(begin: Begin, world: World, *, preset: str | None, model: object = None) -> Begin:
    """The run with the preset that suits its world (and its model, if known), unless somebody chose one."""
    return replace(begin, preset=preset_for(world, model)) if _is_open(begin, preset=preset) else begin


def with_confirm(begin: Begin, confirm: str | None) -> Begin:
    """The run with the value of --confirm; only a preset that understands before it plans has this option."""
    if confirm is None:
        return begin
    preset, options = read_preset(begin.preset)
    if "confirm" not in preset.options:
        raise BadInput(f"--confirm is for --preset thinkaloud; {preset.name} does not say what it understood.")
    return replace(begin, preset=spell(preset.name, options | {"confirm": confirm}))


def with_model(begin: Begin, world: World, model: Model, wanted: RunOptions, notice: Callable[[str], None]) -> Begin:
    """The run with its model. If the model was not trained for the preset, prints a notice and may switch it."""
    begin, preset = replace(begin, model=model.name), preset_name(begin.preset)
    chosen, options = read_preset(begin.preset)
    if chosen.suits(model):
        if warning := chosen.warning(model.name, options):
            notice(warning)
        return begin
    instead = with_suitable_preset(begin, world, preset=wanted.preset, model=model) if wanted.confirm is None else begin
    told = _UNSUITED if instead == begin else _INSTEAD
    notice(told.format(model=model.name, preset=preset, instead=instead.preset))
    return instead
