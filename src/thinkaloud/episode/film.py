"""A short film of an episode: an animated GIF, captioned with the current action and its verdict.

    film = Film(world)
    agent = Agent(world, model, listeners=[film.hear], ticking=[film.tick])
    …
    print(film.save(Path("film.gif")).frames)

While the robot moves, the film only takes snapshots (a tenth of a millisecond each). The pictures are drawn when the
film is saved. Their number is limited, because drawing one costs about as much as ten control ticks. Not covered:
sound, and worlds that cannot be restored to an earlier state.
"""

from __future__ import annotations

import itertools
import time
from dataclasses import dataclass
from pathlib import Path

from PIL import Image, ImageDraw, ImageFont

from thinkaloud.monologue import Event
from thinkaloud.records import Ask, End, Observation, Plan, Request, Started, Stop, Verdict, writable
from thinkaloud.skills.built_in_steps import STEPS
from thinkaloud.worlds.contract import Pictured

_EVERY = 0.25  # seconds of the world's time between two frames, to begin with
MOST_FRAMES = 32  # frames; beyond that, every other one is dropped and the interval doubles
_SPEED = 2.0  # how much faster than the world the film runs
_HOLD = 2500  # milliseconds that the last frame stays
_SHORTEST = 40  # milliseconds; browsers slow down anything faster
_SIZE = (320, 240)
_STRIP = 58  # pixels under the picture, for words

_INK, _PAPER, _FAINT = (34, 38, 46), (250, 250, 248), (130, 134, 142)
Font = ImageFont.FreeTypeFont | ImageFont.ImageFont
_GOOD, _BAD = (24, 132, 70), (190, 50, 44)


@dataclass(frozen=True, slots=True)
class FilmFrame:
    """The world at a moment, with its caption."""

    at: float
    snapshot: bytes
    words: str
    note: str = ""
    good: bool | None = None
    kept: bool = False
    """Verdicts and endings are kept when frames are dropped."""


@dataclass(frozen=True, slots=True)
class SavedFilm:
    """A saved film: its files, and the seconds it took to draw."""

    film: Path
    picture: Path
    frames: int
    seconds: float


class Film:
    """Records events and ticks, and saves them as a GIF."""

    def __init__(self, world: Pictured, *, every: float = _EVERY, most: int = MOST_FRAMES) -> None:
        self._world, self._every, self._most = world, every, most
        self._frames: list[FilmFrame] = []
        self._words, self._note = "", ""
        self._good: bool | None = None
        self._wanted = 0

    def tick(self) -> None:
        """Take a frame if one is due."""
        if not self._frames or self._world.clock.now() - self._frames[-1].at >= self._every - 1e-9:
            self._take()

    def hear(self, event: Event) -> None:
        """Change the caption."""
        match event.record:
            case Request(text):
                self._wanted = 0
                self._say(text)
                self._take(kept=True)
            case Plan(conditions=conditions) if conditions:
                self._wanted = len(conditions)
            case Verdict(step) if step.skill in STEPS:
                pass
            case Started(step, correcting):
                self._say(step.words, "correcting" if correcting else "")
            case Verdict(ok=ok):
                self._say(self._words, "worked" if ok else "did not work", ok)
                self._take(kept=True)
            case Observation(achieved=achieved) if achieved is not None and self._wanted:
                self._note = f"{len(achieved)} of {self._wanted} hold" + (
                    f" · {self._note}" if self._good is False else ""
                )
            case Ask(questions):
                self._say(" ".join(questions))
                self._take(kept=True)
            case Stop(because):
                self._say(f"Stopped: {because}")
            case End(result, because):
                said = "The goal is met." if result == "goal met" else f"{result.capitalize()}: {because}"
                self._say(said, self._note, result in ("goal met", "answered"))
                self._take(kept=True)
            case _:
                pass

    def _say(self, words: str, note: str = "", good: bool | None = None) -> None:
        self._words, self._note, self._good = words, note, good

    def _take(self, *, kept: bool = False) -> None:
        now = self._world.clock.now()
        frame = FilmFrame(now, self._world.snapshot(), self._words, self._note, self._good, kept)
        if self._frames and self._frames[-1].at == now and not self._frames[-1].kept:
            self._frames.pop()
        self._frames.append(frame)
        if len(self._frames) > self._most:
            self._thin_out()

    def _thin_out(self) -> None:
        last = len(self._frames) - 1
        crowded = sum(frame.kept for frame in self._frames) > self._most // 2
        self._frames = [f for i, f in enumerate(self._frames) if i % 2 == 0 or i == last or (f.kept and not crowded)]
        if not crowded:
            self._every *= 2

    def __len__(self) -> int:
        return len(self._frames)

    def save(self, path: Path) -> SavedFilm:
        """Draw the frames and write the film, with the last frame as a PNG beside it. Leaves the world as it was."""
        began = time.monotonic()
        now = self._world.snapshot()
        frames = self._frames or [FilmFrame(self._world.clock.now(), now, self._words)]
        try:
            pictures = [self._drawn(frame) for frame in frames]
        finally:
            self._world.restore(now)
        path.parent.mkdir(parents=True, exist_ok=True)
        picture = path.with_suffix(".png")
        pictures[-1].save(picture)
        palette = pictures[-1].quantize(255, method=Image.Quantize.MAXCOVERAGE)
        flat = [p.quantize(palette=palette, dither=Image.Dither.NONE) for p in pictures]
        flat[0].save(path, format="GIF", save_all=True, append_images=flat[1:], duration=_durations(frames), loop=0)
        return SavedFilm(path, picture, len(frames), time.monotonic() - began)

    def _drawn(self, frame: FilmFrame) -> Image.Image:
        self._world.restore(frame.snapshot)
        image = Image.new("RGB", (_SIZE[0], _SIZE[1] + _STRIP), _PAPER)
        image.paste(Image.fromarray(self._world.render(*_SIZE)))
        _caption(image, frame)
        return image


def _durations(frames: list[FilmFrame]) -> list[int]:
    gaps = [round((b.at - a.at) * 1000 / _SPEED) for a, b in itertools.pairwise(frames)]
    return [max(gap, 300 if frame.kept else _SHORTEST) for gap, frame in zip(gaps, frames, strict=False)] + [_HOLD]


def _caption(image: Image.Image, frame: FilmFrame) -> None:
    draw = ImageDraw.Draw(image)
    words = small = ImageFont.load_default(13)
    colour = {True: _GOOD, False: _BAD, None: _INK}[frame.good]
    left, right, top, bottom = 8, _SIZE[0] - 8, _SIZE[1] + 4, _SIZE[1] + _STRIP - 17
    for number, text in enumerate(_wrapped(draw, frame.words, words, right - left)):
        draw.text((left, top + 17 * number), text, fill=colour, font=words)
    draw.text((right, bottom), f"{frame.at:.1f} s", fill=_FAINT, font=small, anchor="ra")
    draw.text((left, bottom), frame.note, fill=_FAINT if frame.good is None else colour, font=small)


def _wrapped(draw: ImageDraw.ImageDraw, text: str, font: Font, room: int) -> list[str]:
    """A text on two lines, cut to fit."""
    lines = [""]
    for word in writable(text).split():
        longer = f"{lines[-1]} {word}".strip()
        if draw.textlength(longer, font=font) <= room:
            lines[-1] = longer
        elif len(lines) < 2:
            lines.append(word)
        else:
            while draw.textlength(lines[-1] + "…", font=font) > room:
                lines[-1] = lines[-1][:-1]
            lines[-1] += "…"
            break
    return lines
