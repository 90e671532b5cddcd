"""Numbers as a laboratory prints them: exact integers with separators, aligned decimals."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from decimal import Decimal
from typing import Any

Rational = Mapping[str, str] | None


def integer(value: int | str) -> str:
    """1403360904 → 1,403,360,904, exactly."""
    return f"{int(value):,}"


def places(value: Rational, digits: int = 6) -> str:
    """Decimals of a rational; a dash where there is none. A true minus sign."""
    if value is None:
        return "–"
    return _minus(f"{Decimal(value['decimal']):.{digits}f}")


def percent(value: Rational, digits: int = 4) -> str:
    """A rational in per cent."""
    if value is None:
        return "–"
    return _minus(f"{100 * Decimal(value['decimal']):.{digits}f}") + "%"


def odds(value: Rational) -> str:
    """True odds, to 1."""
    return "–" if value is None else f"{Decimal(value['decimal']):,.3f}"


def exact(value: Rational) -> str:
    """The rational itself."""
    return "–" if value is None else _minus(value["exact"])


def number(value: str) -> str:
    """A net or a stake: whole where it is whole."""
    return _minus(value)


def _minus(text: str) -> str:
    return text.replace("-", "−", 1) if text.startswith("-") else text


def slug(text: str) -> str:
    """An anchor from words."""
    return re.sub(r"[^a-z0-9]+", "-", text.lower()).strip("-")


def anchor(wager: Mapping[str, Any]) -> str:
    """Anchor of a wager under a strategy."""
    return slug(f"{wager['wager']}-{wager['strategy'] or 'only'}")


def published_edges(certificate: Mapping[str, Any]) -> dict[str, tuple[str, str]]:
    """Printed house edge and verdict of every wager, by anchor."""
    found: dict[str, tuple[str, str]] = {}
    for wager in certificate["wagers"]:
        for figure in certificate["published"]:
            mine = figure["wager"] == wager["wager"] and figure["quantity"] == "house_edge"
            if mine and figure["strategy"] in (wager["strategy"], None):
                found.setdefault(anchor(wager), (figure["printed"], figure["verdict"]))
    return found


def command(certificate: Mapping[str, Any]) -> str:
    """The command that repeats the run."""
    run = certificate["run"]
    settings = "".join(
        f" --set {name}={value!r}" if " " in str(value) else f" --set {name}={value}"
        for name, value in certificate["rules"].items()
    )
    return (
        f"dealproof certify {certificate['game']}{settings} "
        f"--rounds {run['rounds']} --seed {run['seed']}"
    )


def tests(certificate: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """The statistical tests behind the simulation check."""
    for check in certificate["checks"]:
        if check["name"] == "simulation":
            found: list[Mapping[str, Any]] = check["evidence"].get("tests", [])
            return found
    return []


FILTERS: dict[str, Callable[..., str]] = {
    "integer": integer,
    "places": places,
    "percent": percent,
    "odds": odds,
    "exact": exact,
    "number": number,
    "slug": slug,
}
