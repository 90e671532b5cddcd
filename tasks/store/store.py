"""Where results are kept: a folder, or a bucket of an S3-compatible object store.

Paths inside a store are relative and use slashes. A file appears whole or not at all.
"""

from __future__ import annotations

import contextlib
import functools
import os
import secrets
import time
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

from pyarrow import fs

from engine.exact.errors import DealproofError

_ASIDE, _MARK = ".aside-", ".dealproof"
#: Seconds after which a file that was never renamed is nobody's any more.
STALE = 3600.0


@dataclass(frozen=True)
class Store:
    """A place for files. It pickles as its address, so that workers open it for themselves."""

    uri: str

    @classmethod
    def open(cls, uri: str) -> Store:
        """Open a folder (made where missing) or ``s3://bucket/prefix`` for reading and writing.

        Object stores other than Amazon's are named by `AWS_ENDPOINT_URL`, or in the address
        (``s3://bucket/prefix?endpoint_override=host:port&scheme=http``). Raises DealproofError.
        """
        store = cls(uri if "://" in uri else str(Path(uri).expanduser().absolute()))
        try:
            store._put(_MARK, b"A store of results. It may be read by any tool, and deleted.\n")
        except OSError as error:
            raise DealproofError(f"store {uri}: not writable: {_reason(error)}") from None
        return store

    @property
    def local(self) -> Path | None:
        """Folder on this machine; None for an object store."""
        return None if "://" in self.uri else Path(self.uri)

    @property
    def filesystem(self) -> fs.FileSystem:
        """The store's file system, for readers such as pyarrow datasets."""
        return _connect(self.uri)[0]

    def full(self, path: str) -> str:
        """Path of a file within `filesystem`."""
        return f"{_connect(self.uri)[1]}/{path}" if path else _connect(self.uri)[1]

    def locate(self, path: str) -> str:
        """Where people and other tools find a file: an absolute path, or an s3:// address."""
        return str(Path(self.uri) / path) if self.local else f"s3://{self.full(path)}"

    def write(self, path: str, data: bytes) -> None:
        """Write a file whole: aside, synced and renamed in a folder; one PUT to a bucket."""
        try:
            self._put(path, data)
        except OSError as error:
            raise DealproofError(f"{self.locate(path)}: {_reason(error)}") from None

    def _put(self, path: str, data: bytes) -> None:
        if self.local is None:
            with self.filesystem.open_output_stream(self.full(path)) as out:
                out.write(data)
            return
        target = self.local / path
        aside = target.with_name(f"{_ASIDE}{secrets.token_hex(8)}")
        try:
            try:
                out = aside.open("xb")
            except FileNotFoundError:
                target.parent.mkdir(parents=True, exist_ok=True)
                out = aside.open("xb")
            with out:
                out.write(data)
                out.flush()
                os.fsync(out.fileno())
            try:
                aside.replace(target)
            except IsADirectoryError:
                # No plan makes a folder here. An empty one holds nothing that could be lost.
                _remove_empty(target)
                aside.replace(target)
        except BaseException:
            aside.unlink(missing_ok=True)
            raise

    def read(self, path: str) -> bytes:
        """Read a file whole; raise DealproofError where it is missing."""
        try:
            if self.local:
                return (self.local / path).read_bytes()
            with self.filesystem.open_input_stream(self.full(path)) as source:
                return bytes(source.read())
        except OSError as error:
            raise DealproofError(f"{self.locate(path)}: {_reason(error)}") from None

    def exists(self, path: str) -> bool:
        """Tell whether a file is there."""
        return bool(self.filesystem.get_file_info(self.full(path)).type == fs.FileType.File)

    def names(self, folder: str) -> tuple[str, ...]:
        """Names of the files and folders directly in a folder, sorted; none where it is missing."""
        return tuple(sorted(self.sizes(folder)))

    def sizes(self, folder: str) -> dict[str, int]:
        """Bytes of what is directly in a folder, by name; 0 for folders."""
        return {Path(info.path).name: info.size or 0 for info in self._infos(folder, False)}

    def files(self, folder: str) -> tuple[str, ...]:
        """Paths of all files in a folder and below it, sorted."""
        root = len(self.full("")) + 1
        infos = self._infos(folder, True)
        return tuple(sorted(info.path[root:] for info in infos if info.type == fs.FileType.File))

    def _infos(self, folder: str, recursive: bool) -> list[fs.FileInfo]:
        chosen = fs.FileSelector(self.full(folder), allow_not_found=True, recursive=recursive)
        try:
            infos = self.filesystem.get_file_info(chosen)
        except OSError as error:
            raise DealproofError(f"{self.locate(folder)}: {_reason(error)}") from None
        hidden = (_ASIDE, _MARK)
        return [info for info in infos if not Path(info.path).name.startswith(hidden)]

    def sweep(self, folder: str) -> None:
        """Remove what a process that was killed while writing left behind an hour ago or more."""
        if self.local is None:
            return
        for aside in (self.local / folder).glob(f"{_ASIDE}*"):
            with contextlib.suppress(FileNotFoundError):
                if time.time() - aside.stat().st_mtime > STALE:
                    aside.unlink()


def _remove_empty(folder: Path) -> None:
    try:
        folder.rmdir()
    except OSError:
        raise DealproofError(
            f"{folder}: a folder that is not empty stands where a file belongs; move it away"
        ) from None


@functools.cache
def _connect(uri: str) -> tuple[fs.FileSystem, str]:
    if "://" not in uri:
        return fs.LocalFileSystem(), uri
    if urlsplit(uri).scheme != "s3" or not urlsplit(uri).netloc:
        raise DealproofError(f"store {uri}: allowed: a folder, or s3://bucket/prefix")
    if "AWS_ENDPOINT_URL" in os.environ or "endpoint_override" in uri:
        # Other makers' servers seldom know Amazon's newest checksums.
        os.environ.setdefault("AWS_REQUEST_CHECKSUM_CALCULATION", "when_required")
    try:
        # Opening late makes one PUT of a file, instead of an upload in several parts.
        late = f"{uri}{'&' if '?' in uri else '?'}allow_delayed_open=true"
        filesystem, root = fs.FileSystem.from_uri(late)
    except (OSError, ValueError) as error:
        raise DealproofError(f"store {uri}: {_reason(error)}") from None
    return filesystem, root.rstrip("/")


def _reason(error: BaseException) -> str:
    if isinstance(error, OSError) and error.strerror:
        return error.strerror
    return str(error).splitlines()[0] if str(error) else type(error).__name__
