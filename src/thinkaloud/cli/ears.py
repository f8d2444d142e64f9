"""`thinkaloud chat --ears`: what is said into a microphone, or in a WAV file, becomes lines as if they were typed.

Each line is shown, and counts a moment later. Whoever was misheard says or types it again, which replaces the request,
or says stop. "Stop" waits for none of this: it reaches the robot as soon as it was heard.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path

from thinkaloud.cli.typed_lines import InputLines
from thinkaloud.errors import BadInput
from thinkaloud.language.words import says_stop
from thinkaloud.speech.listening import Listener, StopHeard, Utterances
from thinkaloud.speech.recognition import Recogniser, open_recogniser
from thinkaloud.speech.sound import RATE, Samples, read_pcm, read_sound
from thinkaloud.speech.stop_word import CHUNK, StopWord

MOMENT = 2.0
"""Seconds for which words are shown before they count."""


def sound_of(source: Path | None) -> Iterator[Samples]:
    """Sound as it comes, 80 ms at a time: from a microphone, or from a WAV file, which is over at its end."""
    if source is not None:
        samples = read_sound(source)
        for at in range(0, len(samples), CHUNK):
            yield samples[at : at + CHUNK]
        return
    try:
        import sounddevice
    except ModuleNotFoundError:
        raise BadInput("A microphone needs one more package: pip install sounddevice. Or give a WAV file.") from None
    except OSError:
        raise BadInput("A microphone needs PortAudio: apt install libportaudio2. Or give a WAV file.") from None
    try:
        with sounddevice.RawInputStream(RATE, CHUNK, channels=1, dtype="int16") as stream:
            while True:
                yield read_pcm(bytes(stream.read(CHUNK)[0]))
    except sounddevice.PortAudioError as error:
        raise BadInput(f"No microphone can be used: {error}. Or give a WAV file: --ears FILE.wav") from None


class Ears:
    """Hears lines, in a thread of its own. `show` tells a person what was heard, before it counts."""

    def __init__(
        self,
        lines: InputLines,
        source: Path | None,
        show: Callable[[str], None],
        *,
        recogniser: Recogniser | None = None,
        stop_word: StopWord | None = None,
        wait: Callable[[float], None] = time.sleep,
        moment: float = MOMENT,
    ) -> None:
        self._lines, self._source, self._show, self._wait, self._moment = lines, source, show, wait, moment
        self._listener = Listener(stop_word or StopWord(), recogniser or open_recogniser(), self._stop)
        self._over = threading.Event()
        self.problem = ""

    def __enter__(self) -> Ears:
        """Begin to listen."""
        if self._source is not None:
            read_sound(self._source)  # a file that cannot be read is told at once
        threading.Thread(target=self.listen, name="ears", daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        """Listen no more."""
        self._over.set()

    def listen(self) -> None:
        """Hear all that comes, until it is over; a file's end is the end of the input."""
        talk, saying = Utterances(), ThreadPoolExecutor(1, thread_name_prefix="words")  # "stop" may come meanwhile
        try:
            for samples in sound_of(self._source):
                if self._over.is_set():
                    return
                change = talk.hear(samples)
                if change == "begin":
                    self._listener.begin()
                self._listener.hear(samples)
                if change == "end":
                    saying.submit(self._say, self._listener.end())
            if talk.talking:
                saying.submit(self._say, self._listener.end())
        except BadInput as error:
            self.problem = str(error)
            self._show(self.problem)
        finally:
            saying.shutdown()
            with suppress(RuntimeError):
                self._lines.end()

    def _stop(self, heard: StopHeard) -> None:
        self._lines.put("stop")
        self._show("I heard: stop")

    def _say(self, said: Samples) -> None:
        words = self._listener.recognise(said).text
        if words and not says_stop(words):  # that has been acted on
            self._show(f"I heard: {words}")
            self._wait(self._moment)
            self._lines.put(words)
