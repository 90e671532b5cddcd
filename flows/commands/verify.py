"""`dealproof verify`: check a certificate again, from its files alone."""

from __future__ import annotations

import sys
from fractions import Fraction
from pathlib import Path
from typing import Annotated

import typer

from flows.views import show
from flows.views.options import Json

EXAMPLE = """
Examples: dealproof verify results/certificates/fu-bacc-1a2b3c4d5e6f7a8b.json
          dealproof verify fu-bacc-1a2b3c4d5e6f7a8b.dsse --key laboratory.pem.pub
          dealproof verify certificate.json --recompute 5%
"""
#: What differs is listed up to here; the JSON has all of it.
LISTED = 20
MARKS = {"verified": "✓", "differs": "✗", "not checked": "–"}


def command(
    certificate: Annotated[
        Path, typer.Argument(metavar="CERTIFICATE", help="Its JSON, or the envelope (.dsse).")
    ],
    key: Annotated[
        Path | None, typer.Option(metavar="PUBLIC", help="Public key that should have signed it.")
    ] = None,
    recompute: Annotated[
        str | None,
        typer.Option(metavar="SHARE", help="Partitions to compute again: 5%, or all."),
    ] = None,
    seed: Annotated[int, typer.Option(min=0, help="Draws the partitions to compute again.")] = 1,
    as_json: Json = False,
) -> None:
    """Verify a certificate on any machine, from the files of its run: signature, digests, every
    table, every number, the reduction from partitions, every check; and some partitions anew.

    The files are looked for in the nearest folder above the certificate that has `runs` in it. What
    is not there is told as not checked. Exit status 0 if nothing differs.
    """
    from tasks.verify import verify

    share = None if recompute is None else _share(recompute)
    steps = []

    def told(text: str) -> None:
        if sys.stderr.isatty():
            print(f"\r\033[K{text} …", end="", file=sys.stderr, flush=True)

    for step in verify(certificate, key, share, seed, told):
        told("")
        steps.append(step)
        if not as_json:
            print(f"{MARKS[step.outcome]} {step.name:<14} {step.outcome}: {step.detail}")
            for finding in step.findings[:LISTED]:
                print(f"    {finding}")
            if len(step.findings) > LISTED:
                print(f"    … and {len(step.findings) - LISTED:,} more (--json lists all)")
    differs = [step.name for step in steps if step.outcome == "differs"]
    checked = [step.name for step in steps if step.outcome == "verified"]
    verdict = f"differs: {', '.join(differs)}" if differs else "verified"
    if not differs and not checked:
        verdict = "nothing could be checked"
    if as_json:
        show.emit({"verdict": verdict, "steps": [step.document() for step in steps]})
    else:
        print(f"\n{certificate}: {verdict}")
    if differs or not checked:
        raise typer.Exit(1)


def _share(text: str) -> Fraction:
    """Read ``5%`` or ``all``; raise DealproofError for anything else."""
    from engine.exact.errors import DealproofError

    if text == "all":
        return Fraction(1)
    try:
        share = Fraction(text.removesuffix("%")) / 100
    except (ValueError, ZeroDivisionError):
        share = Fraction(-1)
    if not text.endswith("%") or not 0 < share <= 1:
        raise DealproofError(f"--recompute {text}: allowed: all, or a share such as 5%")
    return share
