"""Ending with the process that started us, however that ends."""

from __future__ import annotations

import os
import threading
import time

#: Name of the variable that holds the process whose children are to end with it.
PARENT = "DEALPROOF_PARENT"


def offer() -> None:
    """Let processes that this one starts end with it, once they take hold."""
    os.environ[PARENT] = str(os.getpid())


def take() -> None:
    """End this process when the one that started it is gone, if that offered it.

    A run that is killed with its service would otherwise go on, seen by nobody. Its workers end
    with it, and the next run resumes.
    """
    parent = os.environ.get(PARENT)
    if parent is None or int(parent) != os.getppid():
        return

    def watch() -> None:
        while os.getppid() == int(parent):
            time.sleep(1)
        os._exit(1)

    threading.Thread(target=watch, name="lifeline", daemon=True).start()
