"""Train eyes, hands, the policy of whole tasks, and senses, with one command and within so many minutes.

    python -m training.vision --minutes 22 --jobs 16 --out results/vision
    python -m training.vision --minutes 20 --jobs 16 --parts eyes,kitchen_senses --scale 2 --width 3

Everything is drawn while it is already trained on; the same command goes on where it was interrupted. In OUT/export are
then eyes.onnx, hands.onnx, tasks.onnx, senses.onnx and kitchen_senses.onnx, or those of `--parts`. OUT/log.txt has what
happened, OUT/table.md what they reach.
A stage that fails is told and left behind; `--export-only` writes what is trained so far, also while it trains.
"""

from __future__ import annotations

import argparse
import shutil
import sys
import time
from collections.abc import Sequence
from pathlib import Path

from training.vision.children import Child, Log
from training.vision.measure import exported, table
from training.vision.plan import (
    Stage,
    Waves,
    begins_with,
    chosen_waves,
    kept_for_the_end,
    minutes_of,
    parts_option,
    scaled,
    space_needed,
)

_LATE = 20.0  # seconds after its time before a training is asked to end at once
_FEWEST = 20.0  # seconds for which another try is worth it
_ENDLESS = 10_000_000  # steps
_PACKING = 60.0  # seconds at most
_LEAST_SPACE = 500_000_000


class Course:
    """The whole training, from the first check to the table."""

    def __init__(self, given: argparse.Namespace) -> None:
        self.given, self.out = given, Path(given.out)
        self.log = Log(self.out / "log.txt")
        self.end = time.monotonic() + float(given.minutes) * 60
        self.kept = kept_for_the_end(given.minutes)
        self.waves = chosen_waves(given.parts)
        self.failed = list[str]()
        self.drawing: Child | None = None
        self.following = dict[str, Child]()
        """The exports and measurements that go on beside the trainings."""

    @property
    def left(self) -> float:
        """The minutes until the end."""
        return (self.end - time.monotonic()) / 60

    def run(self) -> None:
        """Draw, train, export and measure."""
        self.drawing = Child(
            "drawing",
            ["-m", "training.vision.drawing", str(self.out), *self._options("jobs", "scale"), *self._parts()],
            self.log,
            threads=1,
            gently=True,
            tell=max(int(32 * min(self.given.scale, 1.0)), 1),
        )
        try:
            for number in range(len(self.waves)):
                self._train(self.waves[number:])
            self.drawing.stop()
            self._follow_up(self.end)
        finally:
            for child in (self.drawing, *self.following.values()):
                child.stop()
        told = table(self.out, self.given.parts)
        (self.out / "table.md").write_text(told + "\n", encoding="utf-8")
        for line in told.splitlines():
            self.log("table", line)
        self.log("all", f"trained; failed: {', '.join(self.failed) or 'nothing'}")
        self._pack()
        self.log("all", "ended")

    def _options(self, *names: str) -> list[str]:
        return [part for name in names for part in (f"--{name}", str(getattr(self.given, name)))]

    def _parts(self) -> list[str]:
        return ["--parts", ",".join(self.given.parts)]

    def _is_done(self, stage: Stage) -> bool:
        return (self.out / f"{stage.name}.done").is_file() and (self.out / f"{stage.name}.pt").is_file()

    def _train(self, waves: Waves) -> None:
        """Train the stages of the next wave beside each other, then let their exports follow beside the one after."""
        end = time.monotonic() + minutes_of(waves, self.left, self.kept) * 60
        stages = [stage for stage in waves[0] if not self._is_done(stage)]
        running = {stage: self._begin(stage, end) for stage in stages}
        while running:
            for stage, child in list(running.items()):
                if child.ended() is None and time.monotonic() < end + _LATE:
                    continue
                status = child.wait(end + _LATE)
                del running[stage]
                if status == 0:
                    (self.out / f"{stage.name}.done").touch()
                elif end - time.monotonic() > _FEWEST:
                    self.log(stage.name, f"ended with status {status}: once more, from its last checkpoint")
                    running[stage] = self._begin(stage, end)
                    continue
                else:
                    self.failed.append(stage.name)
                self._export(stage)
            self._measure_exported()
            time.sleep(0.2)
        for stage in waves[0]:
            if stage not in stages and not exported(self.out, stage.name).is_file():
                self._export(stage)

    def _begin(self, stage: Stage, end: float) -> Child:
        data, checkpoint = self.out / stage.folder, self.out / f"{stage.name}.pt"
        seconds = max(end - time.monotonic(), 0.0)
        batch = self.given.batch or stage.batch
        arguments = ["-m", f"{stage.module}.train", str(data), str(checkpoint), "--steps", str(_ENDLESS)]
        arguments += ["--until", f"{time.time() + seconds:.1f}", "--batch", str(batch), "--wait", "300"]
        arguments += [*self._options("width"), *begins_with(stage, self.out), *stage.options]
        self.log(stage.name, f"trains for {seconds / 60:.1f} minutes")
        return Child(stage.name, arguments, self.log, threads=self.given.threads)

    def _export(self, stage: Stage) -> None:
        """Let the export of a stage begin, if there is anything to export."""
        checkpoint = self.out / f"{stage.name}.pt"
        if not checkpoint.is_file():
            self.log(stage.name, "nothing was trained, so nothing is exported")
            return
        self.following[f"export {stage.name}"] = Child(
            stage.name, export_command(stage, self.out, self.given), self.log, threads=self.given.threads
        )

    def _measure_exported(self) -> None:
        """Let measurements begin of what has been exported."""
        for name, child in list(self.following.items()):
            what, _, part = name.partition(" ")
            if what != "export" or (status := child.ended()) is None:
                continue
            del self.following[name]
            if status != 0:
                self.failed.append(name)
                continue
            command = ["-m", "training.vision.measure", str(self.out), part, *self._options("scale")]
            self.following[f"measure {part}"] = Child(
                part, [*command, *self._options("jobs")], self.log, threads=1, gently=True, tell=8
            )

    def _follow_up(self, end: float) -> None:
        """Wait for the last exports, however long they take, and for measurements until the end."""
        while any(name.startswith("export") for name in self.following):
            self._measure_exported()
            time.sleep(0.2)
        for name, child in self.following.items():
            if child.wait(end) != 0:
                self.failed.append(name)

    def _pack(self) -> None:
        """Put everything that is worth keeping into one folder: what was trained, the log and the table."""
        command = ["-m", "training.vision.packing", str(self.out)]
        if Child("packing", command, self.log).wait(time.monotonic() + _PACKING) != 0:
            self.failed.append("packing")
        for name in ("log.txt", "table.md"):
            shutil.copy(self.out / name, self.out / "export" / name)


def export_command(stage: Stage, out: Path, given: argparse.Namespace) -> list[str]:
    """Return the command that exports a stage; the number of scenes for its limits goes with the scale."""
    counts = [str(scaled(int(each), min(given.scale, 1.0))) if each.isdigit() else each for each in stage.exported]
    command = ["-m", f"{stage.module}.export", str(out / f"{stage.name}.pt"), str(exported(out, stage.name))]
    return [*command, *counts, *stage.options, *(() if "--always" in counts else ("--jobs", str(given.jobs)))]


def check(given: argparse.Namespace, log: Log) -> None:
    """Exit with one line if this cannot be done here."""
    free = shutil.disk_usage(given.out).free
    needed = space_needed(given.scale, given.parts)
    if free < needed:
        sys.exit(
            f"{given.out} has room for {free / 1e9:.1f} GB, and the drawn files need "
            f"{needed / 1e9:.1f} GB: give another --out, or a smaller --scale."
        )
    if Child("check", ["-m", "training.vision.check"], log).wait(time.monotonic() + 180) != 0:
        sys.exit("The check failed; its last line says why.")


def export_all(given: argparse.Namespace, log: Log) -> None:
    """Export whatever has a checkpoint."""
    for wave in chosen_waves(given.parts):
        for stage in wave:
            if (given.out / f"{stage.name}.pt").is_file():
                Child(stage.name, export_command(stage, given.out, given), log, threads=1).wait(time.monotonic() + 300)


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command line."""
    parser = argparse.ArgumentParser(
        prog="python -m training.vision", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--out", type=Path, default=Path("results/vision"))
    parser.add_argument("--minutes", type=float, default=22.0, help="for everything (default: 22)")
    parser.add_argument("--jobs", type=int, default=2, help="processes that draw, calibrate and measure")
    parser.add_argument("--scale", type=float, default=1.0, help="how many examples, as a share of the usual number")
    parts_option(parser)
    parser.add_argument("--width", type=float, default=2.0, help="channels of all networks, as a multiple (default: 2)")
    parser.add_argument("--batch", type=int, default=0, help="the same for all; default: each stage's own")
    parser.add_argument("--threads", type=int, default=4, help="of a training on the processor (default: 4)")
    parser.add_argument("--export-only", action="store_true", help="write what is trained so far, and nothing else")
    given = parser.parse_args(arguments)
    (given.out / "export").mkdir(parents=True, exist_ok=True)
    if given.export_only:
        export_all(given, Log(given.out / "exports.txt"))
        return
    course = Course(given)
    check(given, course.log)
    course.run()
    if course.failed:
        sys.exit(1)


if __name__ == "__main__":
    main()
