"""The direction of imports, and the size of things: what keeps the code readable, enforced."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable
from functools import cache
from pathlib import Path

import pytest

import thinkaloud

ROOT = Path(thinkaloud.__file__).parent
STAGES = {
    "perceive",
    "understand",
    "plan",
    "critique",
    "rehearse",
    "execute",
    "verify",
    "correct",
    "remember",
    "converse",
}
SUPPORT = {
    "records",
    "serialization",
    "errors",
    "abilities",
    "clock",
    "plugins",
    "monologue",
    "language",
    "skills",
    "episode",
    "untrusted",
    "models",
    "worlds",
    "robots",
    "state",
    "guidelines",
    "program",
    "saying",
}
CENTRE = {"loop", "presets", "agent", "__init__"}
LARGEST_ROOT = 12
"""Modules at the root: what is read first, and no more."""
LONGEST_UNDERSTAND, MOST_IN_UNDERSTAND = 5000, 40
"""Lines and modules of the stage, which once grew by a rule for every misunderstanding."""
ABOVE_THE_LANGUAGE = {"saying", "models", "episode", "guidelines", "robots", "monologue", "state"}
"""What the language of meanings knows nothing of: it is told again, written by models, and acted on elsewhere."""
FRONTS = {"cli", "web"}
BENCH = ROOT.parent / "thinkaloud_bench"
SIMULATED = ROOT.parent / "thinkaloud_worlds"
_JOURNAL_AND_INBOX = {"converse", "remember"}
CALLERS = {"loop": STAGES} | dict.fromkeys(("agent", "staging", "__init__", "logs"), _JOURNAL_AND_INBOX)
"""The modules of the centre that may know stages, and which."""

MODULES = sorted(path.relative_to(ROOT) for path in ROOT.rglob("*.py"))
BENCHMARKS = sorted(path.relative_to(ROOT.parent) for path in BENCH.rglob("*.py"))
METHODS = sorted(path.name for path in (ROOT / "methods").iterdir() if (path / "__init__.py").exists())


def part(module: Path) -> str:
    """Which part of thinkaloud a module belongs to: `plan/transcript.py` to plan, `loop.py` to loop."""
    return module.parts[0].removesuffix(".py")


@cache
def nodes(path: Path) -> list[ast.AST]:
    """All that a module consists of; read once, since every rule is held against every module."""
    return list(ast.walk(ast.parse(path.read_text())))


def modules(*parts: str, but: Iterable[str] = ()) -> list[Path]:
    """The modules of some parts, or of all parts but some."""
    return [module for module in MODULES if (part(module) in parts or not parts) and part(module) not in set(but)]


def breaking(rule: Callable[[Path], Iterable[str]], found: Iterable[Path]) -> dict[str, list[str]]:
    """Which modules break a rule, and how."""
    return {str(module): broken for module in found if (broken := sorted(rule(module)))}


@cache
def imported_names(path: Path) -> set[str]:
    """All that a module imports, also inside functions and for type checking."""
    found = set()
    for node in nodes(path):
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


def import_graph(source: Path) -> dict[str, set[str]]:
    """Every module below a folder, with the modules there that it imports, wherever the import stands."""
    paths = {".".join(path.relative_to(source).with_suffix("").parts): path for path in source.rglob("*.py")}
    paths = {name.removesuffix(".__init__"): path for name, path in paths.items()}

    def nearest(name: str) -> str:
        return name if name in paths else name.rpartition(".")[0]

    found = {name: {nearest(each) for each in imported_names(path)} for name, path in paths.items()}
    return {name: {each for each in known if each in paths} - {name} for name, known in found.items()}


def find_circles(graph: dict[str, set[str]]) -> list[set[str]]:
    """Sets of modules each of which reaches all the others."""

    def reached(start: str) -> set[str]:
        seen: set[str] = set()
        ahead = list(graph[start])
        while ahead:
            if (name := ahead.pop()) not in seen:
                seen.add(name)
                ahead += graph.get(name, ())
        return seen

    reach = {name: reached(name) for name in graph}
    circles = [frozenset(other for other in reach[name] if name in reach.get(other, ())) for name in graph]
    return [set(circle) for circle in dict.fromkeys(circles) if circle]


def test_the_modules_are_found() -> None:
    assert {"loop", "records", "methods", *STAGES} <= {part(module) for module in MODULES}
    assert imported(Path("loop.py")) >= STAGES
    assert {"inner_monologue", "statler", "itp", "multitalk", "hicrisp"} <= set(METHODS)
    assert len(BENCHMARKS) > 20


def test_a_stage_imports_records_and_support_and_no_other_stage() -> None:
    assert not breaking(lambda module: imported(module) - SUPPORT - {part(module)}, modules(*STAGES))


def test_only_the_centre_knows_the_stages() -> None:
    others = modules(but=STAGES | FRONTS | {"methods"})
    assert not breaking(lambda module: imported(module) & STAGES - CALLERS.get(part(module), set()), others)


def test_a_method_imports_no_other_method() -> None:
    rooms = [module for module in modules("methods") if len(module.parts) > 2]
    assert not breaking(lambda module: imported_methods(module) - {module.parts[1]}, rooms)

    def strange(module: Path) -> set[str]:
        known = SUPPORT | STAGES | {"methods"} | ({"loop", "presets"} if module.name == "preset.py" else set())
        return imported(module) - known

    assert not breaking(strange, rooms)


def test_nothing_but_a_method_imports_a_method() -> None:
    """Presets are found by their names, in a table."""
    assert not breaking(imported_methods, modules(but={"methods"}))


@pytest.mark.parametrize("method", METHODS)
def test_a_method_has_a_room_with_a_preset_and_says_what_it_is(method: str) -> None:
    room = ROOT / "methods" / method
    assert (room / "preset.py").exists()
    assert ast.get_docstring(ast.parse((room / "__init__.py").read_text()))


def test_nothing_imports_the_command_line_or_the_web_page() -> None:
    others = [module for module in modules(but=FRONTS) if module.name != "__main__.py"]
    assert not breaking(lambda module: imported(module) & FRONTS, others)


def test_only_the_command_knows_the_benchmarks() -> None:
    def known(module: Path) -> list[str]:
        return [name for name in imported_names(ROOT / module) if name.startswith("thinkaloud_bench")]

    assert not breaking(known, [module for module in MODULES if module != Path("cli/bench.py")])


def test_support_knows_neither_the_loop_nor_who_uses_it() -> None:
    assert not breaking(lambda module: imported(module) - SUPPORT - {"settings"}, modules(*SUPPORT))


def test_a_front_calls_no_stage_in_order() -> None:
    """It may read the journal and fill the inbox; what comes after what is the loop's business."""
    assert not breaking(lambda module: imported(module) & STAGES - {"remember", "converse"}, modules(*FRONTS))


def test_a_benchmark_imports_what_everybody_can() -> None:
    """It plays presets through the public door, and judges by the world; it knows no method from inside."""

    def strange(module: Path) -> set[str]:
        names = {name for name in imported_names(ROOT.parent / module) if name.startswith("thinkaloud.")}
        parts = {name.split(".")[1] for name in names}
        return parts & (STAGES | {"cli"}) - {"remember", "converse", "plan"}

    assert not breaking(strange, [module for module in BENCHMARKS if "costs" not in module.parts])


@pytest.mark.parametrize("stage", sorted(STAGES))
def test_a_stage_is_one_protocol_of_a_few_lines(stage: str) -> None:
    source = (ROOT / stage / "__init__.py").read_text()
    classes = [node for node in ast.parse(source).body if isinstance(node, ast.ClassDef)]
    protocols = [c for c in classes if any(isinstance(b, ast.Name) and b.id == "Protocol" for b in c.bases)]
    assert len(protocols) == len(classes) == 1
    assert len(source.splitlines()) < 35


def test_the_root_holds_what_is_read_first() -> None:
    assert len(list(ROOT.glob("*.py"))) <= LARGEST_ROOT


def test_understanding_stays_small_enough_to_be_read() -> None:
    lengths = [len((ROOT / module).read_text().splitlines()) for module in modules("understand")]
    assert len(lengths) <= MOST_IN_UNDERSTAND
    assert sum(lengths) < LONGEST_UNDERSTAND


def test_words_for_people_know_the_language_and_not_the_reverse() -> None:
    assert not breaking(lambda module: imported(module) & ABOVE_THE_LANGUAGE, modules("program"))
    assert not breaking(lambda module: imported(module) & {"models", "episode", "monologue"}, modules("saying"))


def test_the_page_is_not_built_on_the_command_line_nor_the_reverse() -> None:
    """`cli` starts the server and writes a page of a session; the page knows nothing of the command line."""
    assert not breaking(lambda module: imported(module) & {"cli"}, modules("web"))
    assert not breaking(lambda module: imported(module) & FRONTS, modules("staging"))


def test_the_package_does_not_import_the_simulated_worlds() -> None:
    """They are found by entry points, as anybody's are."""

    def known(module: Path) -> list[str]:
        return [name for name in imported_names(ROOT / module) if name.startswith("thinkaloud_worlds")]

    assert not breaking(known, MODULES)


def test_simulated_worlds_import_no_stage_and_no_front() -> None:
    def strange(module: Path) -> set[str]:
        names = {name for name in imported_names(SIMULATED / module) if name.startswith("thinkaloud.")}
        return {name.split(".")[1] for name in names} - SUPPORT

    assert not breaking(strange, [path.relative_to(SIMULATED) for path in SIMULATED.rglob("*.py")])


def test_no_modules_import_each_other_in_a_circle() -> None:
    assert not find_circles(import_graph(ROOT.parent))


def test_a_circle_is_found() -> None:
    assert find_circles({"a": {"b"}, "b": {"c"}, "c": {"a"}, "d": {"a"}}) == [{"a", "b", "c"}]


def test_models_words_never_reach_exec_or_eval() -> None:
    def called(module: Path) -> set[str]:
        calls = [node.func for node in nodes(ROOT / module) if isinstance(node, ast.Call)]
        return {call.id for call in calls if isinstance(call, ast.Name)}

    assert not breaking(lambda module: called(module) & {"exec", "eval", "compile", "__import__"}, MODULES)


def test_a_broken_rule_is_found() -> None:
    """The rules above hold because of what there is, not because they look at nothing."""
    assert breaking(lambda module: imported(module) & STAGES, [Path("loop.py")]) == {"loop.py": sorted(STAGES)}
    assert len(modules(*SUPPORT)) > 50 and len(modules(*FRONTS)) > 10 and len(modules("methods")) > 30
