"""Starts the command line, once it is sure that Python finds Dealproof's own packages.

`engine`, `tasks` and `flows` are names that others use too: a module of that name in a folder of
PYTHONPATH comes before ours, and would be run in place of it.
"""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path

PACKAGES = ("engine", "tasks", "flows")


def clash() -> str | None:
    """Tell which module comes before one of Dealproof's packages, or None. Imports nothing."""
    root = Path(__file__).resolve().parents[1]
    for name in PACKAGES:
        spec = importlib.util.find_spec(name)
        origin = spec.origin if spec else None
        if origin is None or Path(origin).resolve() != root / name / "__init__.py":
            return (
                f"module '{name}': Python finds {origin or 'nothing'} instead of Dealproof's own; "
                "take that folder off PYTHONPATH, or rename the module"
            )
    return None


def main() -> None:
    """Run one command and exit: status 0 only on success, errors in one line on stderr."""
    clashing = clash()
    if clashing is not None:
        print(f"dealproof: {clashing}", file=sys.stderr)
        sys.exit(1)
    from flows.cli import main as command_line

    command_line()


if __name__ == "__main__":
    main()
