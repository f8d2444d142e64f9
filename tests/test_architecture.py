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
    "monologue",
    "skills",
    "signatures",
    "sentences",
    "calls",
    "models",
    "worlds",
    "state",
    "own_steps",
    "outline",
    "guidelines",
    "plugins",
}
CENTRE = {"loop", "presets", "agent", "__init__"}
FRONTS = {"cli", "web"}
BENCH = ROOT.parent / "thinkaloud_bench"
CALLERS = {"loop": STAGES, "agent": {"converse", "remember"}, "__init__": {"converse", "remember"}}
"""The modules of the centre that may know stages, and which."""

MODULES = sorted(path.relative_to(ROOT) for path in ROOT.rglob("*.py"))
BENCHMARKS = sorted(path.relative_to(ROOT.parent) for path in BENCH.rglob("*.py"))
METHODS = sorted(path.name for path in (ROOT / "methods").iterdir() if (path / "__init__.py").exists())


def part(module: Path) -> str:
    """Which part of thinkaloud a module belongs to: `plan/transcript.py` to plan, `loop.py` to loop."""
    return module.parts[0].removesuffix(".py")


def imported_names(path: Path) -> set[str]:
    """All that a module imports, also inside functions and for type checking."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text())):
        match node:
            case ast.Import(names):
                found |= {name.name for name in names}
            case ast.ImportFrom(name, names, level):
                assert level == 0, f"{path}: imports are absolute"
                found |= {f"{name}.{each.name}" for each in names}
    return found


def imported(module: Path) -> set[str]:
    """The parts of thinkaloud that a module imports."""
    return {name.split(".")[1] for name in imported_names(ROOT / module) if name.startswith("thinkaloud.")}


def imported_methods(module: Path) -> set[str]:
    """The methods that a module imports."""
    names = imported_names(ROOT / module)
    return {name.split(".")[2] for name in names if name.startswith("thinkaloud.methods.")}


def test_the_modules_are_found() -> None:
    assert {"loop", "records", "methods", *STAGES} <= {part(module) for module in MODULES}
    assert imported(Path("loop.py")) >= STAGES
    assert {"inner_monologue", "statler", "itp", "multitalk", "hicrisp"} <= set(METHODS)
    assert len(BENCHMARKS) > 20


@pytest.mark.parametrize("module", [m for m in MODULES if part(m) in STAGES], ids=str)
def test_a_stage_imports_records_and_support_and_no_other_stage(module: Path) -> None:
    assert imported(module) <= SUPPORT | {part(module)}


@pytest.mark.parametrize("module", [m for m in MODULES if part(m) not in STAGES | FRONTS | {"methods"}], ids=str)
def test_only_the_centre_knows_the_stages(module: Path) -> None:
    assert imported(module) & STAGES <= CALLERS.get(part(module), set())


@pytest.mark.parametrize("module", [m for m in MODULES if part(m) == "methods" and len(m.parts) > 2], ids=str)
def test_a_method_imports_no_other_method(module: Path) -> None:
    assert imported_methods(module) <= {module.parts[1]}
    allowed = SUPPORT | STAGES | {"methods"} | ({"loop", "presets"} if module.name == "preset.py" else set())
    assert imported(module) <= allowed


@pytest.mark.parametrize("module", [m for m in MODULES if part(m) != "methods"], ids=str)
def test_nothing_but_a_method_imports_a_method(module: Path) -> None:
    """Presets are found by their names, in a table."""
    assert not imported_methods(module)


@pytest.mark.parametrize("method", METHODS)
def test_a_method_has_a_room_with_a_preset_and_says_what_it_is(method: str) -> None:
    room = ROOT / "methods" / method
    assert (room / "preset.py").exists()
    assert ast.get_docstring(ast.parse((room / "__init__.py").read_text()))


@pytest.mark.parametrize("module", [m for m in MODULES if part(m) not in FRONTS], ids=str)
def test_nothing_imports_the_command_line_or_the_web_page(module: Path) -> None:
    assert not imported(module) & FRONTS or module.name == "__main__.py"


@pytest.mark.parametrize("module", [m for m in MODULES if m != Path("cli/bench.py")], ids=str)
def test_only_the_command_knows_the_benchmarks(module: Path) -> None:
    assert not [name for name in imported_names(ROOT / module) if name.startswith("thinkaloud_bench")]


@pytest.mark.parametrize("module", [m for m in MODULES if part(m) in SUPPORT], ids=str)
def test_support_knows_neither_the_loop_nor_who_uses_it(module: Path) -> None:
    assert imported(module) <= SUPPORT | {"settings"}


@pytest.mark.parametrize("module", [m for m in MODULES if part(m) in FRONTS], ids=str)
def test_a_front_calls_no_stage_in_order(module: Path) -> None:
    """It may read the journal and fill the inbox; what comes after what is the loop's business."""
    assert imported(module) & STAGES <= {"remember", "converse"}


@pytest.mark.parametrize("module", [m for m in BENCHMARKS if "costs" not in m.parts], ids=str)
def test_a_benchmark_imports_what_everybody_can(module: Path) -> None:
    """It plays presets through the public door, and judges by the world; it knows no method from inside."""
    names = {name for name in imported_names(ROOT.parent / module) if name.startswith("thinkaloud.")}
    assert {name.split(".")[1] for name in names} & STAGES <= {"remember", "converse", "plan"}
    assert not {name for name in names if name.startswith("thinkaloud.cli")}


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
