"""How well the robot hears "stop", and what is said to it, on voices that programs speak with.

    python -m training.speech.measure stop --voices 12
    python -m training.speech.measure words

`stop`: voices of espeak-ng that training never used, at other speeds, and Joe, whom it knows at other pitches; clean
and with noise. A stop counts if it is heard within a second of the end of the word. False alarms are counted in what is
no stop: commands, words that sound alike, noise, and 44 s of a person who reads. `words`: the share of wrong words.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from thinkaloud.speech.recognition import open_recogniser
from thinkaloud.speech.sound import RATE, Samples, read_sound
from thinkaloud.speech.stop_word import THRESHOLD, Network, find_stops
from training.speech.stop_word import ACCENTS, ALIKE, COMMANDS, HELD_OUT
from training.speech.voices import Voice, make_noise, padded, speak, with_noise

_LATE = 1.0
_STOPS = ("stop", "stop!", "please stop", "robot, stop", "stop the robot", "no, stop")


def measure_stop(count: int, seed: int, thresholds: Sequence[float], network: Network) -> None:
    """Print misses, latencies and false alarms, for each threshold."""
    draw = np.random.default_rng(seed)
    espeak = [
        Voice("espeak", str(draw.choice(ACCENTS)) + str(draw.choice(HELD_OUT)), float(draw.uniform(0.7, 1.5)), 1.0)
        for _ in range(count)
    ]
    for name, voices in (("espeak, held out", espeak), ("Joe", [Voice("piper", "joe", 1.05, 0.97)])):
        alike = [str(each) for each in draw.choice(ALIKE.split(), 6)]
        commands = [str(each) for each in draw.choice(COMMANDS, 4)]
        said = [(voice, text) for voice in voices for text in (*_STOPS, *alike, *commands)]
        sounds = speak(said)
        for noise in ("none", "hiss", "babble"):
            heard = [(text, _noisy(sound, noise, draw)) for (_, text), sound in zip(said, sounds, strict=True)]
            for threshold in thresholds:
                _tell(f"{name}, {noise}, threshold {threshold}", heard, network, threshold)
    for threshold in thresholds:
        reading = read_sound(_reader())
        quiet = make_noise("babble", 60 * RATE, draw) * np.float32(0.05)
        counts = [len(list(find_stops(sound, network, threshold))) for sound in (reading, quiet)]
        told = f"in {len(reading) / RATE:.0f} s of a reader and 60 s of noise"
        _write(f"threshold {threshold}: false alarms {told}: {counts}")


def _noisy(sound: Samples, noise: str, draw: np.random.Generator) -> tuple[Samples, float]:
    whole = padded([0.5, sound / max(float(np.abs(sound).max()), 1e-3) * np.float32(0.5), 0.7])
    return (whole if noise == "none" else with_noise(whole, noise, 15.0, draw)), 0.5 + len(sound) / RATE


def _tell(name: str, heard: Sequence[tuple[str, tuple[Samples, float]]], network: Network, threshold: float) -> None:
    late, missed, alarms, stops, others = [], 0, 0, 0, 0
    for text, (sound, end) in heard:
        found = list(find_stops(sound, network, threshold))
        if text not in _STOPS:
            others, alarms = others + 1, alarms + bool(found)
            continue
        stops += 1
        if found and (text == "stop the robot" or found[0] - end < _LATE):
            late += [] if text == "stop the robot" else [found[0] - end]
        else:
            missed += 1
    middle = f"{1000 * float(np.median(late)):.0f} ms, worst {1000 * max(late):.0f}" if late else "-"
    _write(f"{name}: missed {missed} of {stops}; false alarms {alarms} of {others}; after the word: {middle}")


def measure_words(seed: int) -> None:
    """Print the share of wrong words and the time that they take."""
    draw = np.random.default_rng(seed)
    voices = [Voice("piper", "joe", speed) for speed in (0.85, 1.0, 1.25)]
    voices += [Voice("espeak", name) for name in ("en-us", "en-gb", "en-us+f2")]
    recogniser = open_recogniser()
    said = [(voice, text) for voice in voices for text in COMMANDS[:20]]
    sounds = speak(said)
    for noise in ("none", "hiss", "babble"):
        wrong: dict[str, list[tuple[int, int]]] = {}
        seconds, sound_seconds = 0.0, 0.0
        for (voice, text), sound in zip(said, sounds, strict=True):
            samples, _ = _noisy(sound, noise, draw)
            begun = time.perf_counter()
            heard = recogniser.words(samples)
            seconds, sound_seconds = seconds + time.perf_counter() - begun, sound_seconds + len(samples) / RATE
            pair = (_distance(_plain(text), _plain(heard)), len(_plain(text)))
            wrong.setdefault(f"{voice.program} {voice.name} {voice.speed}", []).append(pair)
        for name, pairs in wrong.items():
            right = sum(errors == 0 for errors, _ in pairs)
            share = sum(errors for errors, _ in pairs) / sum(length for _, length in pairs)
            _write(f"{name}, {noise}: {share:.1%} of words wrong; {right} of {len(pairs)} sentences right")
        _write(f"{noise}: {seconds / len(said):.2f} s for a sentence of {sound_seconds / len(said):.1f} s")


def _plain(text: str) -> list[str]:
    return "".join(letter if letter.isalnum() else " " for letter in text.lower()).split()


def _distance(wanted: Sequence[str], heard: Sequence[str]) -> int:
    row = list(range(len(heard) + 1))
    for i, word in enumerate(wanted, 1):
        before, row = row, [i]
        for j, other in enumerate(heard, 1):
            row.append(min(before[j] + 1, row[-1] + 1, before[j - 1] + (word != other)))
    return row[-1]


def _reader() -> Path:
    import moonshine_voice

    return Path(moonshine_voice.__file__).parent / "assets" / "two_cities.wav"


def _write(line: str) -> None:
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


def main() -> None:
    """Measure."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("what", choices=("stop", "words"))
    parser.add_argument("--voices", type=int, default=12)
    parser.add_argument("--seed", type=int, default=5)
    parser.add_argument("--thresholds", type=float, nargs="+", default=[THRESHOLD])
    parser.add_argument("--weights", type=Path)
    given = parser.parse_args()
    if given.what == "words":
        measure_words(given.seed)
    else:
        network = Network.load(given.weights) if given.weights else Network.load()
        measure_stop(given.voices, given.seed, given.thresholds, network)


if __name__ == "__main__":
    main()
