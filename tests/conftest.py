"""What several tests share: models take a second to load, so each is loaded once."""

from __future__ import annotations

import asyncio
import gc
import os
import signal
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, settings

import one_thread  # noqa: F401  before numpy and MuJoCo
from sampling import SAMPLING, left_out
from thinkaloud.models import Model, ModelSettings, open_model
from thinkaloud.models.weight_files import embedded_weights

KEPT_BY_MODELS = {Path(__file__).parent / "contract" / "test_models.py"}
"""There, weights are asked for by the name of a parameter."""
BENCHMARKS = Path(__file__).parent / "bench"
ONE_THREAD = ModelSettings(threads=1)
"""Two processes test at a time: more threads than cores would wait for each other."""


sys.dont_write_bytecode = False
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)  # a run starts a hundred processes: each would compile everything anew

for _signal in (signal.SIGINT, signal.SIGHUP):
    if (
        signal.getsignal(_signal) is signal.SIG_IGN
    ):  # as with nohup and behind `&`: what is started here would ignore it, too
        signal.signal(_signal, lambda *_: None)

settings.register_profile("any machine", max_examples=30, deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("any machine")  # how fast examples are drawn says nothing about the code

WEIGHTS = {"embedded", "embedded_base", "gguf_model", "llama_server"}
BROWSERS = {"stage", "presses"}
USED = "processor seconds"
WORKERS = pytest.StashKey[list[float]]()


def processor_seconds() -> float:
    """Return the processor time of this process and of the children that it has waited for, user and system."""
    return sum(os.times()[:4])


@pytest.hookimpl(tryfirst=True)
def pytest_collection(session: pytest.Session) -> None:
    """Of two processes that test, the second collects from the end: what one has compiled, the other need not."""
    gc.disable()  # until everything is collected: hardly any of it is garbage
    if os.environ.get("PYTEST_XDIST_WORKER") == "gw1":
        whole = [[arg] if not Path(arg).is_dir() else map(str, _parts(Path(arg))) for arg in session.config.args]
        session.config.args = [part for parts in whole for part in parts][::-1]


def _parts(folder: Path) -> list[Path]:
    return sorted(path for path in folder.iterdir() if path.is_dir() or path.match("test_*.py"))


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--all", action="store_true", help="also what is only sampled otherwise")


def pytest_configure(config: pytest.Config) -> None:
    SAMPLING.everything = config.getoption("--all")
    config.addinivalue_line(
        "markers", "sampled(n): of the cases of this test every n-th, or none for 0; all with --all"
    )
    config.addinivalue_line("markers", "draws: this test of a benchmark looks at its plots")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Of two processes that test, one begins with whatever needs weights, and the other with what needs a browser.

    Each is then opened once, and what waits for a browser does so while the other process has much to do. What is left
    at the end is short, and is shared out evenly.
    """
    if not config.getoption("--all"):
        markers = [item.get_closest_marker("sampled") for item in items]
        names = [item.nodeid.partition("[")[0] for item in items]
        others = {
            *left_out([(name, each.args[0] if each else None) for name, each in zip(names, markers, strict=True)])
        }
        config.hook.pytest_deselected(items=[items[place] for place in others])
        items[:] = [item for place, item in enumerate(items) if place not in others]

    def needs_none(item: pytest.Item) -> bool:
        return not (WEIGHTS & {*getattr(item, "fixturenames", ())} or item.path in KEPT_BY_MODELS)

    items.sort(key=lambda item: (needs_none(item), item.path))
    seen = [item for item in items if BROWSERS & {*getattr(item, "fixturenames", ())}]
    with_browser = {*seen}
    rest = [item for item in items if item not in with_browser]
    half = len(items) // 2  # where the second process begins
    items[:] = rest[:half] + seen + rest[half:]


def pytest_sessionfinish(session: pytest.Session) -> None:
    """Have each process of a run tell the first one what it used."""
    if (output := getattr(session.config, "workeroutput", None)) is not None:
        output[USED] = processor_seconds()


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node: Any, error: object) -> None:
    """Collect what a process used; one that crashed has nothing to tell."""
    node.config.stash.setdefault(WORKERS, []).append(getattr(node, "workeroutput", {}).get(USED, 0.0))


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    """Print the cost of a run in a unit that does not depend on how busy the machine is."""
    workers = config.stash.get(WORKERS, [])  # they are this process's children too: they are not counted twice
    used = sum(os.times()[:2]) + sum(workers) if workers else processor_seconds()
    terminalreporter.write_line(f"processor seconds: {used:.0f}")


def pytest_collection_finish() -> None:
    """What has been collected stays: nobody has to look through it for garbage, again and again.

    And tests make little of it: what there is may wait.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(10_000, 20, 20)
    gc.enable()


@pytest.fixture(scope="session", autouse=True)
def cache_folder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A cache folder that is nobody's; all processes of a run share it, so that the adapter is merged once."""
    own = tmp_path_factory.getbasetemp()
    folder = (own.parent if "PYTEST_XDIST_WORKER" in os.environ else own) / "cache"
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_CACHE_HOME", str(folder))
        yield folder


@pytest.fixture(autouse=True)
def undrawn(request: pytest.FixtureRequest) -> None:
    """Draw no plots of benchmarks, which takes longer than most episodes, unless a test looks at them."""
    if BENCHMARKS in request.path.parents and request.node.get_closest_marker("draws") is None:
        from thinkaloud_bench.report import Report

        patch: pytest.MonkeyPatch = request.getfixturevalue("monkeypatch")
        patch.setattr(Report, "draw", lambda report, out: [])


@pytest.fixture(scope="session")
def embedded() -> Iterator[Model]:
    """The model with thinkaloud's own adapter."""
    model = open_model("embedded", ONE_THREAD)
    yield model
    asyncio.run(model.close())


@pytest.fixture(scope="session")
def embedded_base() -> Iterator[Model]:
    """SmolLM2 as it came."""
    model = open_model("embedded-base", ONE_THREAD)
    yield model
    asyncio.run(model.close())


@pytest.fixture(scope="session")
def gguf_model() -> Iterator[Model]:
    """The same weights, opened by their path."""
    model = open_model(f"gguf:{embedded_weights()}", replace(ONE_THREAD, context=1024, slots=2))
    yield model
    asyncio.run(model.close())


@pytest.fixture(scope="session")
def llama_server() -> Any:
    """A real llama.cpp server with the OpenAI-compatible interface, guarded by the key `sk-test`."""
    import thinkaloud.models.llama  # noqa: F401, I001  sets how its threads wait
    import xllamacpp

    params = xllamacpp.CommonParams()
    params.model.path = str(embedded_weights())
    params.model_alias = ["smollm2"]
    params.n_parallel, params.n_ctx, params.n_batch = 2, 2 * 1024, 128
    params.cpuparams.n_threads = params.cpuparams_batch.n_threads = 1
    params.verbosity, params.warmup, params.fit_params, params.ui = -1, False, False, False
    params.api_keys = ["sk-test"]
    return xllamacpp.Server(params)


@pytest.fixture(scope="session")
def damaged_weights(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The beginning of a GGUF file."""
    path = tmp_path_factory.mktemp("weights") / "cut-short.gguf"
    with embedded_weights().open("rb") as whole:
        path.write_bytes(whole.read(1_000_000))
    return path
