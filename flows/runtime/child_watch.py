"""What a run inherits from the service that starts it: its end, and the folder paths begin in."""

from __future__ import annotations

import os
import threading
import time
from pathlib import Path

#: Name of the variable that holds the process whose children are to end with it.
PARENT = "DEALPROOF_PARENT"
#: Name of the variable that holds the folder in which those children are to work.
FOLDER = "DEALPROOF_FOLDER"


def offer() -> None:
    """Let processes that this one starts end with it, and work in its folder."""
    os.environ[PARENT] = str(os.getpid())
    os.environ[FOLDER] = str(Path.cwd())


def take() -> None:
    """Work in the folder of the process that started this one, and end when that is gone, if it
    offered so.

    A run that is killed with its service would otherwise go on, seen by nobody. Its workers end
    with it, and the next run resumes.
    """
    parent = os.environ.get(PARENT)
    if parent is None or int(parent) != os.getppid():
        return
    os.chdir(os.environ[FOLDER])

    def watch() -> None:
        while os.getppid() == int(parent):
            time.sleep(1)
        os._exit(1)

    threading.Thread(target=watch, name="lifeline", daemon=True).start()
