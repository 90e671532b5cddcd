"""Write the golden texts anew, and say which changed: `python -m tests.golden`."""

from __future__ import annotations

from tests.golden.cases import CASES, FOLDER


def write() -> None:
    """Write every text that is not there, or is another one now; remove those of no case."""
    for stale in FOLDER.glob("*.txt"):
        if stale.name not in CASES:
            stale.unlink()
            print(f"removed {stale.name}")
    for name, make in CASES.items():
        path, text = FOLDER / name, make()
        if not path.exists() or path.read_text(encoding="utf-8") != text:
            path.write_text(text, encoding="utf-8")
            print(f"wrote {name}")


if __name__ == "__main__":
    write()
