"""From demonstrations to tokens."""

from __future__ import annotations

import asyncio
import json
import sys
from pathlib import Path

import numpy as np
import pytest

from thinkaloud.models.weight_files import embedded_weights
from training import generate, pack
from training.demonstrators import demonstrators
from training.noise import noisy, slipped
from training.samples import Demonstrator, Sample
from training.teacher import Asked, Misfit, Teacher


def test_a_prompt_that_grows_is_one_sample() -> None:
    answers = iter([" red", " blue", " green"])
    teacher = Teacher(lambda asked: next(answers), "colours")

    async def ask() -> None:
        await teacher.complete("Colour:")
        await teacher.complete("Colour: red\nColour:")
        await teacher.complete("Another one:")

    asyncio.run(ask())
    assert teacher.samples == [
        Sample("colours", (("Colour:", " red"), ("\nColour:", " blue"))),
        Sample("colours", (("Another one:", " green"),)),
    ]


def test_what_the_grammar_does_not_allow_is_no_demonstration() -> None:
    teacher = Teacher(lambda asked: " purple", "colours")
    with pytest.raises(Misfit, match="purple"):
        asyncio.run(teacher.complete("Colour:", grammar='root ::= " red" | " blue"'))
    assert not teacher.samples


def test_a_stage_hears_the_answer_without_the_stop_text() -> None:
    def answer(asked: Asked) -> str:
        assert asked.stop == ("\n",)
        return " red\n"

    teacher = Teacher(answer, "colours")
    assert asyncio.run(teacher.complete("Colour:", stop=["\n"])).text == " red"
    assert teacher.samples[0].text == "Colour: red\n"


def test_people_slip_but_are_understood() -> None:
    rng = np.random.default_rng(3)
    said = {noisy(rng, "Put the yellow block into the green bowl.", 1.0) for _ in range(200)}
    assert len(said) > 30
    assert all("bowl" in each.lower() for each in said)
    assert noisy(rng, "Put it away.", 0.0) == "Put it away."
    assert slipped(rng, "A to B") == "A to B"


def test_every_demonstrator_is_for_one_adapter_or_for_none_that_is_shipped() -> None:
    works = {name: generate.work_of(name) for name in demonstrators()}
    assert {*works.values()} == {*generate.WORK, generate.APART, "ablation"}
    assert works["robots"] == works["worlds"] == works["meaning.tabletop"] == "reading"
    assert works["open_loop"] == works["itp.plan"] == works["shell_game"] == "papers"
    assert {name for name, work in works.items() if work == "ablation"} == {"ablation.plain", "ablation.half"}


def test_what_is_for_no_adapter_is_written_only_if_it_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def nothing(rng: np.random.Generator) -> list[Sample]:
        return []

    names = ("robots", "open_loop", "ablation.half")
    written: list[tuple[str, int]] = []

    class Pool:
        def __init__(self, jobs: int, **more: object) -> None: ...
        def __enter__(self) -> Pool:
            return self

        def __exit__(self, *why: object) -> None: ...
        def submit(self, write: object, name: str, seed: int, part: int, path: Path, size: int) -> None:
            written.append((name, size))

    monkeypatch.setattr(generate, "demonstrators", lambda: {name: Demonstrator(name, nothing, 1.0) for name in names})
    monkeypatch.setattr(generate, "ProcessPoolExecutor", Pool)
    monkeypatch.setattr(generate, "as_completed", lambda running: ())
    for more in ([], ["--work", "reading"], ["--only", "ablation.half"]):
        monkeypatch.setattr(sys, "argv", ["generate", str(tmp_path), "--tokens", "0.01", *more])
        generate.main()
    assert [name for name, _ in written] == ["open_loop", "robots", "robots", "ablation.half"]
    assert {size for _, size in written} == {20_000}


def test_files_are_written_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def count(rng: np.random.Generator) -> list[Sample]:
        number = int(rng.integers(10**9))
        return [Sample("count", ((f"After {number} comes", f" {number + 1}\n"),))]

    monkeypatch.setattr(generate, "demonstrators", lambda: {"count": Demonstrator("count", count, 1.0)})
    name, samples, size, _ = generate.write("count", 1, 0, tmp_path / "count-000.jsonl", 2000)
    assert name == "count-000.jsonl"
    assert size >= 2000
    lines = (tmp_path / name).read_text().splitlines()
    assert len(lines) == samples == len(set(lines))
    assert not list(tmp_path.glob("*.part"))


def test_a_folder_without_demonstrations_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "argv", ["pack", str(tmp_path), str(tmp_path / "tokens.npz")])
    with pytest.raises(SystemExit, match="There are no demonstrations in"):
        pack.main()
    assert not (tmp_path / "tokens.npz").exists()


@pytest.mark.sampled(0)
def test_answers_are_what_counts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    words = pack.tokenizer(embedded_weights())
    turns = ['# robot\nlamps = ["moon"]\n\n# "On."\n', 'light("moon")\n\n', '# "Again."\n', 'light("moon")\n\n']
    apart = [token for each in pack.encode(words, turns) for token in each]
    assert words.encode("".join(turns) + "# ").ids[: len(apart)] == apart  # as a model reads it in a conversation
    parts = [("Put 12 blocks\nMove:", " red -> blue\n"), ("And back?\nMove:", " blue -> red\n")]
    (tmp_path / "a-000.jsonl").write_text(json.dumps({"family": "a", "parts": parts}) + "\n")
    monkeypatch.setattr(sys, "argv", ["pack", str(tmp_path), str(tmp_path / "tokens.npz")])
    monkeypatch.setattr(pack, "tokenizer", lambda base: words)  # reading it takes seconds, once is enough
    pack.main()
    stored = np.load(tmp_path / "tokens.npz")
    tokens = stored["tokens"].tolist()
    counts = np.unpackbits(stored["counts"])[: len(tokens)].astype(bool)
    assert tokens == words.encode("".join(text for part in parts for text in part)).ids
    answers = [token for token, counted in zip(tokens, counts, strict=True) if counted]
    assert answers == [token for _, answer in parts for token in words.encode(answer).ids]
    assert stored["lengths"].tolist() == [len(tokens)]
