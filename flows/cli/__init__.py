"""The command line, `dealproof`: one small module per command.

Commands load what they need when they run, so that `dealproof --help` answers at once; only
`certify` and `serve` ever load Prefect.
"""

from __future__ import annotations

import gc
import importlib
import os
import sys
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import wraps
from typing import Annotated, Any

import typer

from engine.exact.errors import DealproofError

# What is loaded at start stays: looking through all of it for garbage, again and again, takes a
# tenth of the time of a short command.
gc.set_threshold(50_000, 20, 20)
# Looking for plugins of pydantic, of which we use none, reads the metadata of every package.
os.environ.setdefault("PYDANTIC_DISABLE_PLUGINS", "__all__")

#: Commands in the order in which the help lists them; each is a module of `flows.commands`.
COMMANDS = (
    "games", "certify", "verify", "plan", "price", "explain", "design", "shoes", "deal",
    "strategy", "distribution", "readings", "report", "export", "query", "runs", "keys", "serve",
)  # fmt: skip
#: Exit statuses: a mistake in the input (or a game that is not certified), in the call, Ctrl-C.
FAILED, MISUSED, INTERRUPTED = 1, 2, 130


def _version(wanted: bool) -> None:
    if wanted:
        from importlib.metadata import version

        print(f"dealproof {version('dealproof')}")
        raise typer.Exit


def _start(
    version: Annotated[
        bool,
        typer.Option("--version", callback=_version, is_eager=True, help="Print the version."),
    ] = False,
) -> None:
    """Certify the mathematics of casino table games: enumeration, strategy, price, proof."""


def _locating(command: Callable[..., None]) -> Callable[..., None]:
    """The command, with errors about its game's spec that name the file."""

    @wraps(command)
    def run(*args: Any, **given: Any) -> None:
        try:
            command(*args, **given)
        except DealproofError as error:
            if given.get("game") is None:
                raise
            from engine.spec.loading import located

            raise located(given["game"], error) from None

    return run


def _application(words: Sequence[str]) -> typer.Typer:
    """The command line with the one command that the words name, or with all of them."""
    app = typer.Typer(
        epilog="Example: dealproof certify fu-bacc",
        add_completion=False,
        no_args_is_help=True,
        pretty_exceptions_enable=False,
        rich_markup_mode=None,
    )
    app.callback()(_start)
    for name in words[:1] if words[:1] and words[0] in COMMANDS else COMMANDS:
        module = importlib.import_module(f"flows.commands.{name}")
        summary = str(module.__doc__).partition(": ")[2].strip()
        short = summary[0].upper() + summary[1:]
        app.command(name, short_help=short, epilog=module.EXAMPLE)(_locating(module.command))
    return app


def main() -> None:
    """Run one command and exit: status 0 only on success, errors in one line on stderr."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")
    try:
        status = _application(sys.argv[1:])(standalone_mode=False)
        sys.stdout.flush()
    except DealproofError as error:
        status = _complain(str(error), FAILED)
    except typer.TyperException as error:
        status = _misused(error)
    except KeyboardInterrupt:
        status = INTERRUPTED
    except BrokenPipeError:
        # Whoever read our output has gone (`dealproof games | head`): nobody is left to tell.
        with suppress(OSError):
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        status = FAILED
    if status == INTERRUPTED:
        _complain("interrupted", status)
    sys.exit(status)


def _complain(message: str, status: int) -> int:
    print(f"dealproof: {' '.join(message.split())}", file=sys.stderr)
    return status


def _misused(error: typer.TyperException) -> int:
    context = getattr(error, "ctx", None)
    if type(error).__name__ == "NoArgsIsHelpError":
        print(error.message, file=sys.stderr)
        return MISUSED
    path = context.command_path if context else "dealproof"
    message = error.format_message().rstrip(".").removeprefix("Invalid value: ")
    message = message.replace("Value error, ", "")
    return _complain(f"{message} (see {path} --help)", MISUSED)
