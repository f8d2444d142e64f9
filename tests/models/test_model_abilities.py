"""What a model may offer besides its contract is found by its members, through any wrapper."""

from __future__ import annotations

from typing import Any

import pytest

from thinkaloud.abilities import find_ability
from thinkaloud.models import Recorded, Scripted, is_fluent, is_trained
from thinkaloud.models.contract import (
    MODEL_ABILITIES,
    Fluent,
    Model,
    PlaysRoles,
    ReadsAhead,
    Trained,
    Weighing,
    in_role,
)
from thinkaloud.models.llama import Llama
from thinkaloud.models.separate_process import Apart


def test_a_model_that_offers_nothing_is_a_model() -> None:
    model = Scripted()
    assert not [ability for ability in MODEL_ABILITIES if find_ability(model, ability) is not None]
    assert not is_trained(model) and not is_fluent(model) and in_role(model, "planner") is model


@pytest.mark.parametrize("kind", [Llama, Apart])
def test_local_models_weigh_and_read_ahead(kind: type) -> None:
    assert find_ability(kind, Weighing) is not None and find_ability(kind, ReadsAhead) is not None


def test_what_is_said_of_training_is_passed_on() -> None:
    model: Any = Scripted()
    model.trained, model.fluent = True, False
    recorded: Model = Recorded(model, emit=lambda call: None)
    assert find_ability(recorded, Trained) is not None and find_ability(recorded, Fluent) is not None
    assert is_trained(recorded) and not is_fluent(recorded)


def test_a_member_that_is_none_is_missing() -> None:
    model: Any = Scripted()
    model.in_role = None
    assert find_ability(model, PlaysRoles) is None and in_role(model, "listener") is model
