"""Train the network that hears "stop" (`thinkaloud/speech/stop_word.py`), on voices that programs speak with.

    python -m training.speech.stop_word --out src/thinkaloud/speech/stop_word.npz

A clip is a "stop", alone or within a sentence, or something else: commands, words that sound alike, noise. After the
end of a "stop", the next quarter of a second is to be recognised; everything else is not. `--without piper` leaves a
program out, to see what becomes of a voice of quite another kind.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt

from thinkaloud.speech.sound import RATE, Samples
from thinkaloud.speech.stop_word import CHUNK, Embedding, Network, Numbers
from training.speech.voices import Voice, padded, speak, with_noise

ACCENTS = ("en-us", "en-gb", "en-gb-scotland", "en-gb-x-rp", "en-gb-x-gbclan", "en-gb-x-gbcwmd", "en-029")
VARIANTS = ("", "+m1", "+m2", "+m3", "+m4", "+m5", "+m7", "+f1", "+f2", "+f3", "+f5", "+Andrea", "+belinda", "+max")
HELD_OUT = ("+m6", "+m8", "+f4", "+Alicia", "+Michael", "+linda", "+john", "+steph", "+victor", "+rob")
"""Variants that only the measurement uses."""
ALIKE = """top shop step stock stack stuff stump stamp spot drop start store stall star hop pop mop swap chop crop prop
slop flop stomp stoop strap stab stub stark storm stopwatch stopper atop laptop desktop rooftop bishop workshop sob
cop"""
SAID = """Put the red block in the blue bowl.|Stack all the blocks.|Bring me the cup from the top shelf.|What is it?
Pick up the spoon and put it on top of the box.|Start with the green one.|Drop it into the box.|Go to the kitchen.
Open the top drawer.|Mop the floor near the desktop.|Water the plants, then go back to the dock.|Wait for me there.
Is the stock room open?|The shop is closed today.|Take one step to the left.|Swap the two cups.|Yes.|No.|Not that one.
Put everything on the table into the bin.|Which of the boxes are empty?|Chop the tomatoes.|It sits atop the stack.
Move the truck to the loading spot.|Never touch the vase.|Turn on the lamp at eight.|The start is over there.
Hop over to the store.|Hello robot.|Go on.|Thank you.|Bring the laptop.|Carry the crop to the barn.|Storm is coming."""
COMMANDS = [each.strip() for each in re.split(r"[|\n]", SAID) if each.strip()]
BEFORE = ("please", "robot", "no", "okay", "wait", "now", "hey robot", "oh no")
AFTER = ("now", "it", "please", "the robot", "right there", "moving", "that")
STOPS = ("stop", "stop!", "Stop.", "stop, stop")
AFTER_WORD = 0.28
"""Seconds after the word in which it is to be recognised."""
TOO_EARLY = 0.1
"""Seconds before the end of the word that count as neither."""


@dataclass(frozen=True)
class Clip:
    """Sound, and the seconds at which a "stop" in it ends."""

    sound: Samples
    stops: tuple[float, ...] = ()


def voices(variants: Sequence[str], count: int, draw: np.random.Generator, piper: bool) -> list[Voice]:
    """So many voices, each with a speed and a pitch."""
    names = [accent + variant for accent in ACCENTS for variant in variants]
    made = [
        Voice("espeak", str(draw.choice(names)), float(draw.uniform(0.7, 1.5)), float(draw.uniform(0.5, 1.6)))
        for _ in range(count)
    ]
    speeds = (0.75, 0.9, 1.0, 1.15, 1.3)
    joes = [Voice("piper", "joe", speed, pitch) for speed in speeds for pitch in (0.82, 0.92, 1.0, 1.1, 1.22)]
    return made + (joes if piper else [])


def make_clips(spoken: Sequence[Voice], each: int, draw: np.random.Generator) -> list[Clip]:
    """For each voice: stops alone and in sentences, and what is none."""
    plan: list[tuple[Voice, tuple[str, ...]]] = []
    for voice in spoken:
        for _ in range(each):
            command, alike = str(draw.choice(COMMANDS)), str(draw.choice(ALIKE.split()))
            plan += [
                (voice, (str(draw.choice(STOPS)),)),
                (voice, (str(draw.choice(BEFORE)), "stop")),
                (voice, ("stop", str(draw.choice(AFTER)))),
                (voice, (command, "stop")),
                (voice, (command,)),
                (voice, (str(draw.choice(COMMANDS)), str(draw.choice(COMMANDS)))),
                (voice, (alike,)),
                (voice, (str(draw.choice(ALIKE.split())), str(draw.choice(ALIKE.split())), str(draw.choice(AFTER)))),
            ]
    wanted = list(dict.fromkeys((voice, text) for voice, texts in plan for text in texts))
    found = dict(zip(wanted, speak(wanted), strict=True))
    return [_clip([(text, found[voice, text]) for text in texts], draw) for voice, texts in plan]


def _clip(parts: Sequence[tuple[str, Samples]], draw: np.random.Generator) -> Clip:
    before = float(draw.uniform(0.3, 0.9))
    pieces: list[Samples | float] = [before]
    stops, at = [], before
    for text, sound in parts:
        at += len(sound) / RATE
        if text.lower().strip(".!") in ("stop", "stop, stop"):
            stops.append(at)
        gap = float(draw.uniform(0.0, 0.25))
        pieces += [sound, gap]
        at += gap
    pieces.append(float(draw.uniform(0.5, 0.8)))
    whole = padded(pieces)
    whole = whole / max(float(np.abs(whole).max()), 1e-3) * float(draw.uniform(0.05, 0.9))
    kind = str(draw.choice(["hiss", "hum", "babble", "none"]))
    return Clip(whole if kind == "none" else with_noise(whole, kind, float(draw.uniform(5, 30)), draw), tuple(stops))


def rows(clips: Sequence[Clip]) -> tuple[Numbers, Numbers]:
    """Embeddings, and whether a "stop" has just ended: 1, 0, or -1 for neither."""
    found, wanted = [], []
    embedding = Embedding()
    for clip in clips:
        whole = clip.sound[: len(clip.sound) // CHUNK * CHUNK]
        for number, each in enumerate(embedding.hear(whole), 1):
            found.append(each)
            wanted.append(_label(number * CHUNK / RATE, clip.stops))
    return np.array(found, np.float32), np.array(wanted, np.float32)


def _label(now: float, stops: Sequence[float]) -> float:
    since = [now - stop for stop in stops]
    if any(0.02 <= each <= AFTER_WORD for each in since):
        return 1.0
    return -1.0 if any(-TOO_EARLY <= each <= AFTER_WORD + 0.3 for each in since) else 0.0


def train(inputs: Numbers, wanted: Numbers, draw: np.random.Generator, hidden: int = 48, passes: int = 30) -> Network:
    """Two layers by Adam, with mistakes on what is not "stop" counted more."""
    known = wanted >= 0
    inputs, wanted = inputs[known], wanted[known]
    mean, scale = inputs.mean(0), inputs.std(0) + 1e-3
    normal = (inputs - mean) / scale
    width = inputs.shape[1]
    weights = [
        draw.normal(0, (2 / width) ** 0.5, (width, hidden)).astype(np.float32),
        np.zeros(hidden, np.float32),
        draw.normal(0, (1 / hidden) ** 0.5, (hidden, 1)).astype(np.float32),
        np.zeros(1, np.float32),
    ]
    first, second = [np.zeros_like(each) for each in weights], [np.zeros_like(each) for each in weights]
    step = 0
    for turn in range(passes):
        for batch in _batches(len(normal), draw):
            step += 1
            x, y = normal[batch] + draw.normal(0, 0.1, (len(batch), width)).astype(np.float32), wanted[batch][:, None]
            before = x @ weights[0] + weights[1]
            kept = (draw.random(before.shape) > 0.3) / 0.7
            h = np.maximum(before, 0) * kept
            p = 1 / (1 + np.exp(-(h @ weights[2] + weights[3])))
            error = (p - y) * np.where(y > 0, 3.0, 1.0) / len(batch)
            back = error @ weights[2].T * kept * (before > 0)
            slopes = [x.T @ back, back.sum(0), h.T @ error, error.sum(0)]
            rate = 2e-3 * 0.5 * (1 + np.cos(np.pi * turn / passes))
            for n, slope in enumerate(slopes):
                slope = slope + 1e-4 * weights[n]
                first[n] = 0.9 * first[n] + 0.1 * slope
                second[n] = 0.999 * second[n] + 0.001 * slope**2
                move = (first[n] / (1 - 0.9**step)) / (np.sqrt(second[n] / (1 - 0.999**step)) + 1e-8)
                weights[n] = (weights[n] - rate * move).astype(np.float32)
    return Network(mean, scale, *weights)


def _batches(count: int, draw: np.random.Generator) -> Iterator[npt.NDArray[np.int64]]:
    order = draw.permutation(count)
    for at in range(0, count, 256):
        yield order[at : at + 256]


def main() -> None:
    """Make the clips, train, and write the weights."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--voices", type=int, default=90)
    parser.add_argument("--each", type=int, default=2)
    parser.add_argument("--without", default="", help="leave a program out: piper")
    given = parser.parse_args()
    draw = np.random.default_rng(given.seed)
    clips = make_clips(voices(VARIANTS, given.voices, draw, given.without != "piper"), given.each, draw)
    inputs, wanted = rows(clips)
    told = f"{len(clips)} clips, {len(inputs)} rows, {int((wanted == 1).sum())} of them after a stop\n"
    sys.stderr.write(told)
    np.savez(given.out.with_suffix(".rows.npz"), inputs=inputs, wanted=wanted)
    network = train(inputs, wanted, draw)
    np.savez_compressed(given.out, **{name: value.astype(np.float16) for name, value in vars(network).items()})


if __name__ == "__main__":
    main()
