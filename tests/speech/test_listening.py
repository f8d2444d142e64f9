"""Hearing: sound as numbers, the word "stop", and words that are shown before they count; without a model."""

from __future__ import annotations

import asyncio
import threading
from pathlib import Path

import numpy as np
import pytest

from heard_sounds import Counting, LoudStop, quiet, tone
from thinkaloud.cli.ears import Ears
from thinkaloud.cli.typed_lines import InputLines
from thinkaloud.errors import BadInput
from thinkaloud.speech import sound
from thinkaloud.speech.listening import Listener, StopHeard, Utterances
from thinkaloud.speech.sound import RATE, Samples, read_pcm, read_sound, read_wav, resample, write_pcm, write_wav
from thinkaloud.speech.stop_word import CHUNK, Network


def test_sound_comes_back_from_a_wav_file_as_it_went_in() -> None:
    samples = tone(0.1, 0.5)
    back, rate = read_wav(write_wav(samples))
    assert rate == RATE and np.abs(back - samples).max() < 1e-4
    assert len(read_pcm(write_pcm(samples) + b"x")) == len(samples)


def test_another_rate_and_two_channels_are_read_as_one_at_16_khz(tmp_path: Path) -> None:
    import wave

    path = tmp_path / "stereo.wav"
    samples = tone(0.5, 0.5)
    with wave.open(str(path), "wb") as file:
        file.setnchannels(2)
        file.setsampwidth(2)
        file.setframerate(48_000)
        file.writeframes(write_pcm(np.repeat(np.repeat(samples, 3), 2)))
    read = read_sound(path)
    assert abs(len(read) - len(samples)) < 5
    assert abs(float(np.sqrt(np.mean(read**2))) - float(np.sqrt(np.mean(samples**2)))) < 0.03


def test_a_tone_that_is_too_high_for_16_khz_does_not_come_back_as_another() -> None:
    time = np.arange(48_000) / 48_000
    high = np.sin(2 * np.pi * 15_000 * time).astype(np.float32)
    assert float(np.abs(resample(high, 48_000)).max()) < 0.05


@pytest.mark.parametrize("data", [b"", b"RIFF", b"no sound at all", write_wav(tone(0.1, 0.1))[:30]])
def test_what_is_no_wav_file_is_told_in_one_line(tmp_path: Path, data: bytes) -> None:
    path = tmp_path / "x.wav"
    path.write_bytes(data)
    with pytest.raises(BadInput, match="not a WAV file") as refused:
        read_sound(path)
    assert str(path) in str(refused.value) and sound.RATE == 16_000


def test_stop_is_told_at_once_whether_or_not_somebody_talks() -> None:
    stops: list[StopHeard] = []
    listener = Listener(LoudStop(), Counting(), stops.append)
    listener.hear(tone(0.1, 0.3))
    listener.hear(tone(0.1, 0.95))
    assert [stop.at for stop in stops] == [pytest.approx(0.2)]
    listener.begin()
    listener.hear(tone(0.1, 0.95))
    assert len(stops) == 2, "before the utterance is over"
    assert listener.recognise(listener.end()).text == "1 tenths"


def test_only_what_is_said_between_begin_and_end_becomes_words() -> None:
    listener = Listener(LoudStop(), Counting(), lambda stop: None)
    listener.hear(tone(1, 0.3))
    listener.begin()
    listener.hear(tone(0.5, 0.3))
    assert listener.recognise(listener.end()).text == "5 tenths" and not listener.talking
    listener.hear(tone(1, 0.3))
    listener.begin()
    assert listener.recognise(listener.end()).text == ""


def test_an_utterance_begins_when_it_gets_loud_and_ends_after_a_pause() -> None:
    talk, found = Utterances(), []
    stream = np.concatenate([quiet(0.5), tone(0.6, 0.3), quiet(0.3), tone(0.4, 0.3), quiet(1.2)])
    for at in range(0, len(stream), CHUNK):
        if change := talk.hear(stream[at : at + CHUNK]):
            found.append((change, round(at / RATE, 1)))
    assert [change for change, _ in found] == ["begin", "end"]
    assert found[0][1] == pytest.approx(0.5, abs=0.1) and found[1][1] == pytest.approx(2.7, abs=0.2)


def test_the_shipped_network_is_whole_and_says_how_likely_stop_is() -> None:
    network = Network.load()
    judged = network.judge(np.zeros((2, len(network.mean)), np.float32))
    assert judged.shape == (2,) and ((judged >= 0) & (judged <= 1)).all()
    assert network.first.shape[0] == 3 * 96


def test_a_file_is_heard_as_lines_that_are_shown_before_they_count_and_stop_does_not_wait(tmp_path: Path) -> None:
    path = tmp_path / "said.wav"
    path.write_bytes(write_wav(np.concatenate([tone(0.5, 0.3), quiet(1.2), tone(0.2, 0.95), quiet(1.2)])))
    lines, course = InputLines(), list[str]()
    put = lines.put

    def counted(text: str, at: float | None = None) -> None:
        course.append(f"counts: {text}")
        put(text, at)

    lines.put = counted  # type: ignore[method-assign]
    ears = Ears(
        lines, path, course.append, recogniser=Counting(), stop_word=LoudStop(), wait=lambda s: course.append("…")
    )
    ears.listen()
    heard = course.index("I heard: 15 tenths")
    assert course[heard:].index("…") < course[heard:].index("counts: 15 tenths")
    assert course.index("counts: stop") < course.index("I heard: stop")

    async def taken() -> list[str]:
        found = []
        while (line := await lines.get()) is not None:
            found.append(line.text)
        return found

    assert "stop" in asyncio.run(taken())


def test_stop_is_heard_while_the_recogniser_still_works_on_what_was_said_before(tmp_path: Path) -> None:
    path = tmp_path / "said.wav"
    path.write_bytes(write_wav(np.concatenate([tone(0.5, 0.3), quiet(1.2), tone(0.2, 0.95), quiet(0.2)])))
    lines, stopped = InputLines(), threading.Event()
    put, waited = lines.put, list[bool]()

    def counted(text: str, at: float | None = None) -> None:
        put(text, at)
        if text == "stop":
            stopped.set()

    class Slow(Counting):
        def words(self, samples: Samples) -> str:
            waited.append(stopped.wait(10))
            return super().words(samples)

    lines.put = counted  # type: ignore[method-assign]
    Ears(lines, path, lambda text: None, recogniser=Slow(), stop_word=LoudStop(), wait=lambda s: None).listen()
    assert waited[0], "the word came through before the recogniser had finished"
