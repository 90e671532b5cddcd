"""The one door to numba: compiled kernels whose cache can never outlive the source.

Numba's on-disk cache notices a change in the kernel's own file only, not in a function that the
kernel calls from another file: it would go on certifying with the old rule. So the cache folder
carries the digest of the whole engine's source.
"""

from __future__ import annotations

import importlib
import os
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar, cast

from engine.digest import engine_digest

F = TypeVar("F", bound=Callable[..., Any])


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


os.environ["NUMBA_CACHE_DIR"] = str(cache_folder())

import numba  # noqa: E402  (the cache folder has to be set first)


def _without_blas() -> None:
    """Let numba set up its arrays without loading scipy for matrix products: a third of a second.

    No kernel multiplies matrices; one that did would be refused when it is compiled.
    """
    blas = "scipy.linalg.cython_blas"
    if blas not in sys.modules:
        sys.modules[blas] = cast(Any, None)
        importlib.import_module("numba.np.arraymath")
        del sys.modules[blas]


_without_blas()
setattr(numba.config, "CACHE_DIR", os.environ["NUMBA_CACHE_DIR"])  # noqa: B010

# Numba's array module looks for SciPy's linear algebra, which no kernel uses and which takes a
# third of a second to load: it is not there while the module is imported.
_BLAS = "scipy.linalg.cython_blas"
if _BLAS not in sys.modules:
    sys.modules[_BLAS] = None  # type: ignore[assignment]
    importlib.import_module("numba.np.arraymath")
    del sys.modules[_BLAS]


def njit(function: F) -> F:
    """Compile a function to machine code: no GIL, cached, no parallel threads of its own."""
    return cast(F, numba.njit(nogil=True, cache=True)(function))
