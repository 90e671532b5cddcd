"""Arguments and options that several commands share."""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum
from fractions import Fraction
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from engine.spec.model import Spec

Game = Annotated[
    str, typer.Argument(metavar="GAME", help="A game of the catalogue, or a TOML file.")
]
Changes = Annotated[
    list[str] | None,
    typer.Option("--set", metavar="RULE=VALUE", help="Play under another rule (repeatable)."),
]
Json = Annotated[bool, typer.Option("--json", help="Print JSON, and nothing else.")]
Store = Annotated[
    str,
    typer.Option(
        "--store",
        metavar="URI",
        envvar="DEALPROOF_STORE",
        help="Where results are kept: a folder, or s3://bucket/prefix.",
    ),
]
STORE = "results"


class Method(StrEnum):
    """The three ways to fill a table."""

    ENUMERATE = "enumerate"
    EXHAUST = "exhaust"
    SIMULATE = "simulate"


Methods = Annotated[
    list[Method] | None,
    typer.Option(
        "--method",
        metavar="NAME",
        help="enumerate, exhaust or simulate (repeatable); less than all three certify nothing.",
    ),
]
Rounds = Annotated[
    int | None, typer.Option("--rounds", min=1, help="Rounds to simulate, in blocks of 2^20.")
]
#: What `--detect` counts on: a main wager's deviation, and the chance that one test fails by.
DEVIATION, CHANCE = 1.2, 1e-9
Detect = Annotated[
    str | None,
    typer.Option(
        "--detect",
        metavar="POINTS",
        help="Simulate as many rounds as find a shift of the edge of so many percentage points "
        "(deviation 1.2, power 90%); the default is 0.05.",
    ),
]
Seed = Annotated[
    int,
    typer.Option(
        "--seed",
        metavar="NUMBER",
        min=0,
        max=(1 << 64) - 1,
        show_default=False,
        help="Root of all random streams; 1 by default.",
    ),
]
Workers = Annotated[
    int | None,
    typer.Option("--workers", min=1, help="Cores of this machine to use; all by default."),
]
Cluster = Annotated[
    str | None,
    typer.Option(
        "--cluster",
        metavar="ADDRESS",
        envvar="DEALPROOF_CLUSTER",
        help="A dask scheduler to use instead of this machine, such as tcp://10.0.0.1:8786.",
    ),
]
Full = Annotated[bool, typer.Option("--full", help="Exhaust every deal, whatever it takes.")]


def chosen(methods: Sequence[Method] | None, default: Sequence[str]) -> list[str]:
    """Names of the chosen methods, or the default ones."""
    return [method.value for method in methods] if methods else list(default)


def pairs(given: list[str] | None, option: str) -> dict[str, str]:
    """Read repeated NAME=VALUE; raise a usage error that names the option."""
    values: dict[str, str] = {}
    for text in given or ():
        name, equals, value = (part.strip() for part in text.partition("="))
        if not (name and equals and value):
            raise typer.BadParameter(f"{option} {text}: write it as NAME=VALUE")
        if name in values:
            raise typer.BadParameter(f"{option} {name}: given twice")
        values[name] = value
    return values


def rounds_of(rounds: int | None, detect: str | None) -> int | None:
    """Rounds to simulate, from --rounds or --detect; None for the default."""
    from engine.exact.errors import DealproofError
    from tasks.certificate.goodness_of_fit import rounds_for

    if detect is None:
        return rounds
    if rounds is not None:
        raise DealproofError("--rounds and --detect exclude each other")
    try:
        points = Fraction(detect)
    except (ValueError, ZeroDivisionError):
        points = Fraction(0)
    if not Fraction(1, 1000) <= points <= 100:
        raise DealproofError(f"--detect {detect}: allowed: 0.001 … 100 percentage points")
    return rounds_for(float(points) / 100, DEVIATION, CHANCE)


def spec_of(game: str, changes: list[str] | None) -> Spec:
    """Load a game under the rules set on the command line; raise DealproofError."""
    from engine.spec.loading import load_spec

    spec = load_spec(game)
    values = pairs(changes, "--set")
    return spec.under({name: spec.rule(name).read(value) for name, value in values.items()})
