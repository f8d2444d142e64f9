"""Pack what another machine needs to train or to measure: a GPU machine that has torch and numpy, and no network.

    python -m training.bundle results/bundle --model embedded          # here: parts of at most 55 MB
    python -m training.bundle results/bundle --vision                  # for training.vision: one part
    bash results/bundle/begin.sh ~/thinkaloud                      # there, with the parts beside it
    source ~/thinkaloud/env.sh && python -m training.vision …

In the parts are the code as git knows it (without weights), the wheels of what thinkaloud and its extra `bench` need,
for the other machine's Python, and the weights of a model, if one is named. Nothing is installed there: everything
lies in one folder, and `env.sh` puts it on the path.
"""

from __future__ import annotations

import argparse
import lzma
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
import zipfile
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing, nullcontext
from importlib import metadata
from pathlib import Path
from typing import Any, BinaryIO

from thinkaloud.models.weight_files import ADAPTER, embedded_weights

ROOT = Path(__file__).parents[1]
THERE = ("numpy", "torch", "triton")
"""What the other machine has itself: its torch and its numpy belong together."""
VISION = ("mujoco", "mujoco-core", "msgspec", "pillow", "rich", "click", "onnx", "onnxruntime")
"""What drawing, training, exporting and measuring need, for a machine that has torch and numpy."""
NOT_FOR_VISION = (*THERE, "mujoco-studio", "pyopengl", "glfw", "pygments")
"""What some of these ask for and nothing here uses: windows, a display, colours of code."""
_PLATFORMS = ("manylinux_2_28_x86_64", "manylinux_2_27_x86_64", "manylinux_2_17_x86_64", "manylinux2014_x86_64", "any")
_MEGABYTE = 1_000_000
_PRESET = 3  # of xz: more takes several times as long, and saves a tenth
_BEGIN = """#!/usr/bin/env bash
# Unpacks the parts beside this file into a folder: begin.sh FOLDER
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
mkdir -p "$1" && cd "$1"
unpack="import sys, tarfile; tarfile.open(fileobj=sys.stdin.buffer, mode='r|*').extractall('.')"
cat "$here"/part-* | python3 -c "$unpack"
mkdir -p site/bin
for wheel in wheels/*.whl; do
  if [ -e "$wheel" ]; then python3 -m zipfile -e "$wheel" site; fi
done
for scripts in site/*.data/scripts; do
  if [ -d "$scripts" ]; then cp "$scripts"/* site/bin/; fi
done
for library in site/*.data/purelib site/*.data/platlib; do
  if [ -d "$library" ]; then cp -r "$library"/* site/; fi
done
chmod -R u+rwX,go+rX site && chmod +x site/bin/* 2>/dev/null || true
cat > env.sh <<END
cd "$PWD/tree"
export PYTHONPATH="$PWD/tree/src:$PWD/tree:$PWD/site" PATH="$PWD/site/bin:\\$PATH"
export THINKALOUD_HOME="$PWD/home" XDG_CACHE_HOME="$PWD/cache" MUJOCO_GL="\\${MUJOCO_GL:-egl}"
END
echo "Ready: source $PWD/env.sh"
"""


def required(names: Iterable[str], but: Sequence[str] = THERE) -> dict[str, str]:
    """The installed distributions that others need, with their versions; `thinkaloud[bench]` may name an extra."""
    found = dict[str, str]()
    waiting = list(names)
    seen = set[str]()
    while waiting:
        wanted = waiting.pop()
        name, extras = _read_requirement(wanted)
        if wanted in seen or name in but:
            continue
        seen.add(wanted)
        distribution = metadata.distribution(name)
        if name != "thinkaloud":
            found[name] = distribution.version
        waiting += [each for each in map(str, distribution.requires or ()) if _applies(each, extras)]
    return found


def _read_requirement(text: str) -> tuple[str, frozenset[str]]:
    """`thinkaloud[bench,sim]>=1; …` → its name, and its extras."""
    match = re.match(r"\s*([\w.-]+)\s*(?:\[([^\]]*)\])?", text)
    assert match is not None
    extras = frozenset(filter(None, re.split(r"[\s,]+", match[2] or "")))
    return re.sub(r"[-_.]+", "-", match[1]).lower(), extras


def _applies(requirement: str, extras: frozenset[str]) -> bool:
    """Whether a requirement holds here, for these extras, and is installed."""
    from packaging.requirements import Requirement

    read = Requirement(requirement)
    wanted = read.marker is None or any(read.marker.evaluate({"extra": each}) for each in (*extras, ""))
    if not wanted:
        return False
    try:
        metadata.distribution(read.name)
    except metadata.PackageNotFoundError:
        return False
    return True


def fetch_wheels(wanted: dict[str, str], python: str, folder: Path) -> None:
    """Download wheels for another Python on Linux; CalledProcessError if there is none for one of them."""
    platforms = [part for each in _PLATFORMS for part in ("--platform", each)]
    command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--only-binary", ":all:"]
    command += ["--python-version", python, "--implementation", "cp", *platforms, "--dest", str(folder)]
    subprocess.run([*command, *(f"{name}=={version}" for name, version in sorted(wanted.items()))], check=True)


def tracked(root: Path = ROOT) -> Iterator[Path]:
    """What git knows of the code, without weights and without what only tests need."""
    listed = subprocess.run(
        ["git", "-C", str(root), "ls-files", "-z", "src", "training", "pyproject.toml", "README.md"],
        capture_output=True,
        check=True,
    )
    for name in filter(None, listed.stdout.decode().split("\0")):
        if (root / name).is_file() and not name.endswith((".gguf", ".onnx")):
            yield Path(name)


def weights_of(model: str) -> list[Path]:
    """The files of a model: its base and its adapters, and the small judge for both."""
    if model == "none":
        return []
    judge = [embedded_weights(), ADAPTER / "judge.gguf"]
    if model == "embedded":
        return [*judge, *(ADAPTER / f"{each}.gguf" for each in ("meanings", "papers"))]
    from thinkaloud.models.large_weights import home_of, large_weights
    from thinkaloud.models.settings import ModelSettings

    large = large_weights(home_of(ModelSettings()))
    return [*judge, large, *(ADAPTER / f"large-{each}.gguf" for each in ("meanings", "papers"))]


def make_bundle(
    folder: Path,
    python: str,
    model: str,
    part: int,
    wanted: dict[str, str] | None = None,
    *,
    small: bool = False,
) -> int:
    """Write the parts and `begin.sh`; return how many parts there are.

    `wanted` are distributions whose wheels are fetched. `small` unpacks them here and compresses everything.
    """
    folder.mkdir(parents=True, exist_ok=True)
    for old in folder.glob("part-*"):
        old.unlink()
    with tempfile.TemporaryDirectory() as made:
        staged = Path(made)
        (staged / "wheels").mkdir()
        if wanted:
            fetch_wheels(wanted, python, staged / "wheels")
        for name in tracked():
            (staged / "tree" / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / name, staged / "tree" / name)
        about = Path(str(metadata.distribution("thinkaloud").locate_file(""))) / _about()
        shutil.copytree(about, staged / "site" / about.name)  # the worlds are found by its entry points
        (staged / "weights").mkdir()
        for file in weights_of(model):
            (staged / "weights" / file.name).symlink_to(file.resolve())
        if small:
            for wheel in sorted((staged / "wheels").iterdir()):
                with zipfile.ZipFile(wheel) as archived:
                    archived.extractall(staged / "site")
                wheel.unlink()
        parts = _Parts(folder, part * _MEGABYTE)
        opened: Any = _compressed(parts) if small else nullcontext(parts)
        with (
            closing(parts),
            opened as packed,
            tarfile.open(fileobj=packed, mode="w|", dereference=True) as archive,
        ):
            for each in sorted(staged.iterdir()):
                archive.add(each, each.name)
    (folder / "begin.sh").write_text(_BEGIN, encoding="utf-8")
    return parts.count


def _about() -> str:
    """The name of the folder that describes the installed thinkaloud."""
    return f"thinkaloud-{metadata.version('thinkaloud')}.dist-info"


def _compressed(parts: _Parts) -> Any:
    return lzma.LZMAFile(parts, "w", preset=_PRESET)  # type: ignore[arg-type]


class _Parts:
    """A file that goes on in another one when it is full."""

    def __init__(self, folder: Path, most: int) -> None:
        self._folder, self._most = folder, most
        self.count, self._left = 0, 0
        self._file: BinaryIO | None = None

    def write(self, data: bytes) -> int:
        """Write all of it, in as many parts as that takes."""
        rest = memoryview(data)
        while rest:
            if self._file is None or not self._left:
                self.close()
                self._file = (self._folder / f"part-{self.count:03}").open("wb")
                self.count, self._left = self.count + 1, self._most
            now = rest[: self._left]
            self._file.write(now)
            self._left -= len(now)
            rest = rest[len(now) :]
        return len(data)

    def close(self) -> None:
        """Close the last part."""
        if self._file is not None:
            self._file.close()
            self._file = None


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command line."""
    parser = argparse.ArgumentParser(prog="python -m training.bundle", description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--python", default="3.12", help="the other machine's (default: 3.12)")
    parser.add_argument("--model", choices=("none", "embedded", "embedded-large"), default="none")
    parser.add_argument("--part", type=int, default=55, help="megabytes (default: 55)")
    parser.add_argument("--more", nargs="*", default=[], help="further distributions, as they are installed here")
    parser.add_argument("--no-wheels", action="store_true", help="the other machine has them")
    parser.add_argument("--vision", action="store_true", help="only what training.vision needs, compressed")
    given = parser.parse_args(arguments)
    wanted = dict[str, str]()
    if not given.no_wheels:
        names = VISION if given.vision else ["thinkaloud[bench]"]
        wanted = required([*names, *given.more], NOT_FOR_VISION if given.vision else THERE)
    count = make_bundle(given.folder, given.python, given.model, given.part, wanted, small=given.vision)
    print(f"{count} parts in {given.folder}. There, with begin.sh beside them: bash begin.sh FOLDER")


if __name__ == "__main__":
    main()
