"""The one door to numba: kernels compiled when first called, whose cache cannot outlive the source.

Numba's on-disk cache notices a change in the kernel's own file only, not in a function that the
kernel calls from another file: it would go on certifying with the old rule. So the cache folder
carries the digest of the whole engine's source. Numba itself takes a second to load and to make
its first call: what runs no kernel never loads it.
"""

from __future__ import annotations

import contextlib
import functools
import importlib
import os
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterable
from importlib import metadata
from pathlib import Path
from typing import Any, TypeVar, cast

from engine.exact.digest import engine_digest

F = TypeVar("F", bound=Callable[..., Any])

_ONE_AT_A_TIME = threading.Lock()


def cache_folder() -> Path:
    """Return the folder of compiled kernels for exactly this engine source."""
    home = os.environ.get("DEALPROOF_KERNEL_CACHE") or os.environ.get("XDG_CACHE_HOME")
    root = Path(home) if home else Path.home() / ".cache"
    try:
        folder = root / "dealproof" / "kernels" / engine_digest()[:16]
        folder.mkdir(parents=True, exist_ok=True)
    except OSError:
        folder = Path(tempfile.gettempdir()) / f"dealproof-{os.getuid()}" / engine_digest()[:16]
        folder.mkdir(parents=True, exist_ok=True)
    return folder


@functools.cache
def _compiler() -> Callable[[Callable[..., Any]], Any]:
    """Load numba with its cache in our folder: no GIL, cached, no parallel threads of its own."""
    os.environ["NUMBA_CACHE_DIR"] = str(cache_folder())
    # Numba's array module looks for SciPy's linear algebra, which no kernel uses and which takes a
    # third of a second to load: it is not there while the module is imported.
    blas = "scipy.linalg.cython_blas"
    hidden = blas not in sys.modules
    if hidden:
        sys.modules[blas] = cast(Any, None)
    try:
        import numba

        importlib.import_module("numba.np.arraymath")
    finally:
        if hidden:
            del sys.modules[blas]
    setattr(numba.config, "CACHE_DIR", os.environ["NUMBA_CACHE_DIR"])  # noqa: B010
    _count_compilation(importlib.import_module("numba.core.event"))
    return cast(Callable[[Callable[..., Any]], Any], numba.njit(nogil=True, cache=True))


_compiled = 0.0


def _count_compilation(event: Any) -> None:
    """Add up the processor time that threads spend on compiling what no cache held."""
    inner = threading.local()

    class Listener(event.Listener):  # type: ignore[misc]
        def on_start(self, _: Any) -> None:
            begun = getattr(inner, "begun", [])
            inner.begun = [*begun, time.thread_time()]

        def on_end(self, _: Any) -> None:
            global _compiled
            begun = inner.begun.pop()
            if not inner.begun:  # kernels are compiled within the compilation of those that call
                _compiled += time.thread_time() - begun

    event.register("numba:compile", Listener())


def compile_seconds() -> float:
    """Core-seconds that this process has spent on compiling kernels that no cache held."""
    return _compiled


def marked_compiled(names: Iterable[str]) -> bool:
    """Whether `mark_compiled` was called for all these names, with this source and this numba."""
    return all(_mark(name).exists() for name in names)


def mark_compiled(names: Iterable[str]) -> None:
    """Note in the cache that all kernels which these names stand for are there."""
    for name in names:
        with contextlib.suppress(OSError):
            _mark(name).touch()


def _mark(name: str) -> Path:
    return cache_folder() / f"{name}.numba-{metadata.version('numba')}.compiled"


class _Kernel:
    """A function that numba compiles when it is first called, by Python or by another kernel."""

    def __init__(self, function: Callable[..., Any]) -> None:
        functools.update_wrapper(self, function)
        self._compiled: Any = None

    def __call__(self, *arguments: Any) -> Any:
        return (self._compiled or self.compiled)(*arguments)

    @property
    def compiled(self) -> Any:
        """Numba's dispatcher: made once, also where several threads come first."""
        if self._compiled is None:
            with _ONE_AT_A_TIME:
                if self._compiled is None:
                    self._compiled = _compiler()(self.__wrapped__)  # type: ignore[attr-defined]
        return self._compiled

    @property
    def _numba_type_(self) -> Any:
        """What numba takes this object for where another kernel names it."""
        return importlib.import_module("numba").typeof(self.compiled)

    def __reduce__(self) -> str:
        """Pickled as functions are: by name."""
        return cast(str, self.__qualname__)  # type: ignore[attr-defined]


def njit(function: F) -> F:
    """Compile a function to machine code at its first call."""
    return cast(F, _Kernel(function))


def python(kernel: F) -> F:
    """The function that a kernel was made of: for whole arrays, or for integers of any size."""
    return cast(F, getattr(kernel, "__wrapped__"))  # noqa: B009
