"""The one door to numba: kernels compiled when first called, whose cache cannot outlive the source.

Numba's on-disk cache notices a change in the kernel's own file only, not in a function that the
kernel calls from another file: it would go on certifying with the old rule. So the cache folder
carries the digest of the whole engine's source. Numba itself takes a second to load and to make
its first call: what runs no kernel never loads it.
"""

from __future__ import annotations

import functools
import importlib
import os
import sys
import tempfile
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar, cast

from engine.digest import engine_digest

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
    return cast(Callable[[Callable[..., Any]], Any], numba.njit(nogil=True, cache=True))


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
