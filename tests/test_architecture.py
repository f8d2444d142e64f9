"""The direction of imports, and the size of things: what keeps the code readable, enforced."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

import thinkaloud

ROOT = Path(thinkaloud.__file__).parent
STAGES = {"perceive", "plan", "critique", "rehearse", "execute", "verify", "correct", "remember", "converse"}
SUPPORT = {
    "records",
    "errors",
    "clock",
    "pace",
    "mending",
    "corrections",
    "monologue",
    "skills",
    "signatures",
    "sentences",
    "models",
    "worlds",
    "state",
    "inner",
    "outline",
    "dialogue",
    "guidelines",
}
FRONTS = {"cli", "web", "bench"}
CALLERS = {"loop": STAGES, "presets": STAGES, "agent": {"converse", "remember"}, "__init__": {"converse", "remember"}}
"""The modules of the centre that may know stages, and which."""

MODULES = sorted(path.relative_to(ROOT) for path in ROOT.rglob("*.py"))


def part(module: Path) -> str:
    """Which part of thinkaloud a module belongs to: `plan/transcript.py` to plan, `loop.py` to loop."""
    return module.parts[0].removesuffix(".py")


def imported(module: Path) -> set[str]:
    """The parts of thinkaloud that a module imports, also inside functions and for type checking."""
    found = set()
    for node in ast.walk(ast.parse((ROOT / module).read_text())):
        match node:
            case ast.Import(names):
                found |= {name.name for name in names}
            case ast.ImportFrom(name, names, level):
                assert level == 0, f"{module}: imports are absolute"
                found |= {f"{name}.{each.name}" if name == "thinkaloud" else str(name) for each in names}
    return {name.split(".")[1] for name in found if name.startswith("thinkaloud.")}


def test_the_modules_are_found() -> None:
    assert {"loop", "records", *STAGES} <= {part(module) for module in MODULES}
    assert imported(Path("loop.py")) >= STAGES


@pytest.mark.parametrize("module", [m for m in MODULES if part(m) in STAGES], ids=str)
def test_a_stage_imports_records_and_support_and_no_other_stage(module: Path) -> None:
    assert imported(module) <= SUPPORT | {part(module)}


@pytest.mark.parametrize("module", [m for m in MODULES if part(m) not in STAGES | FRONTS], ids=str)
def test_only_the_centre_knows_the_stages(module: Path) -> None:
    assert imported(module) & STAGES <= CALLERS.get(part(module), set())


@pytest.mark.parametrize("module", [m for m in MODULES if part(m) not in FRONTS], ids=str)
def test_nothing_imports_the_command_line_the_web_page_or_the_benchmarks(module: Path) -> None:
    assert not imported(module) & FRONTS or module.name == "__main__.py"


@pytest.mark.parametrize("module", [m for m in MODULES if part(m) in SUPPORT], ids=str)
def test_support_knows_neither_the_loop_nor_who_uses_it(module: Path) -> None:
    assert imported(module) <= SUPPORT | {"settings"}


@pytest.mark.parametrize("module", [m for m in MODULES if part(m) in FRONTS], ids=str)
def test_a_front_calls_no_stage_in_order(module: Path) -> None:
    """It may read the journal and fill the inbox; what comes after what is the loop's business."""
    assert imported(module) & STAGES <= {"remember", "converse"}


@pytest.mark.parametrize("stage", sorted(STAGES))
def test_a_stage_is_one_protocol_of_a_few_lines(stage: str) -> None:
    source = (ROOT / stage / "__init__.py").read_text()
    classes = [node for node in ast.parse(source).body if isinstance(node, ast.ClassDef)]
    protocols = [c for c in classes if any(isinstance(b, ast.Name) and b.id == "Protocol" for b in c.bases)]
    assert len(protocols) == len(classes) == 1
    assert len(source.splitlines()) < 35


@pytest.mark.parametrize("module", MODULES, ids=str)
def test_a_file_can_be_read_in_one_sitting(module: Path) -> None:
    assert len((ROOT / module).read_text().splitlines()) <= 400


@pytest.mark.parametrize("module", MODULES, ids=str)
def test_models_words_never_reach_exec_or_eval(module: Path) -> None:
    calls = [node.func for node in ast.walk(ast.parse((ROOT / module).read_text())) if isinstance(node, ast.Call)]
    assert not {call.id for call in calls if isinstance(call, ast.Name)} & {"exec", "eval", "compile", "__import__"}
