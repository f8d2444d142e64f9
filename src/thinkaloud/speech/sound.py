"""Sound as numbers: 16 kHz, one channel; WAV files and what browsers send, into that and back."""

from __future__ import annotations

import io
import wave
from pathlib import Path

import numpy as np
import numpy.typing as npt

from thinkaloud.errors import BadInput

RATE = 16_000
"""Samples per second, for all that listens here."""
Samples = npt.NDArray[np.float32]


def read_pcm(data: bytes) -> Samples:
    """Samples from 16-bit numbers, as a microphone sends them; half a number at the end is left out."""
    return np.asarray(np.frombuffer(data[: len(data) // 2 * 2], "<i2") / 32768, dtype=np.float32)


def write_pcm(samples: Samples) -> bytes:
    """Samples as 16-bit numbers."""
    return np.asarray(np.clip(samples, -1, 1) * 32767, dtype="<i2").tobytes()


def read_wav(data: bytes) -> tuple[Samples, float]:
    """The samples of a WAV file and their rate; several channels become one. BadInput for anything else."""
    try:
        with wave.open(io.BytesIO(data)) as file:
            width, channels, rate = file.getsampwidth(), file.getnchannels(), file.getframerate()
            frames = file.readframes(min(file.getnframes(), len(data)))  # a stream tells no length
    except (wave.Error, EOFError) as error:
        raise BadInput(f"This is not a WAV file: {error}.") from None
    if width != 2:
        raise BadInput(f"This WAV file has {8 * width} bits per sample; only 16 bits can be read.")
    samples = read_pcm(frames)
    return samples[: len(samples) // channels * channels].reshape(-1, channels).mean(axis=1, dtype=np.float32), float(
        rate
    )


def read_sound(path: Path) -> Samples:
    """A WAV file at 16 kHz."""
    try:
        data = path.read_bytes()
    except OSError as error:
        raise BadInput(f"{path}: {error.strerror}.") from None
    try:
        return resample(*read_wav(data))
    except BadInput as error:
        raise BadInput(f"{path}: {error}") from None


def write_wav(samples: Samples, rate: int = RATE) -> bytes:
    """A WAV file."""
    buffer = io.BytesIO()
    with wave.open(buffer, "wb") as file:
        file.setnchannels(1)
        file.setsampwidth(2)
        file.setframerate(rate)
        file.writeframes(write_pcm(samples))
    return buffer.getvalue()


def resample(samples: Samples, rate: float) -> Samples:
    """The same sound at 16 kHz. What is too high for that is taken out first, so that it does not come back lower."""
    if rate == RATE or not len(samples):
        return samples.astype(np.float32)
    if rate > RATE:
        spectrum = np.fft.rfft(samples)
        spectrum[np.fft.rfftfreq(len(samples), 1 / rate) > RATE / 2] = 0
        samples = np.fft.irfft(spectrum, len(samples)).astype(np.float32)
    at = np.arange(int(len(samples) * RATE / rate)) * rate / RATE
    return np.interp(at, np.arange(len(samples)), samples).astype(np.float32)
