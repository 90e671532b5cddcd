"""Variants: other values of a rule, deck counts say, side by side with the certified one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from engine.spec.base import RuleValue
from engine.spec.model import Spec
from tasks.certificate.model import Certificate, Event, WagerFields

#: Values that stand side by side on a page.
ACROSS = 8


@dataclass(frozen=True)
class Line:
    """One wager, or one event of a wager without pay table, under each value; None for none.

    `headline`: the quantity that the wager is known by under some value, unless it is the edge.
    """

    title: str
    note: str
    cells: tuple[WagerFields | Event | None, ...]
    headline: str = "house_edge"


@dataclass(frozen=True)
class Panel:
    """Values of one rule side by side; `certified`: index of the certified one, −1 if not here.

    `wagers` have cells as the certificate gives priced wagers, `events` as it gives events. Wagers
    that no value of the rule changes are named in `same` alone.
    """

    rule: str
    values: tuple[str, ...]
    certified: int
    wagers: tuple[Line, ...]
    events: tuple[Line, ...]
    same: tuple[str, ...] = ()


def panels(certificate: Certificate, spec: Spec) -> list[Panel]:
    """All rules that have variants, each cut into panels that fit a page."""
    variants_of: dict[str, dict[RuleValue, Sequence[WagerFields]]] = {}
    for variant in certificate.variants:
        variants_of.setdefault(variant.rule, {})[variant.value] = variant.wagers
    drawn = []
    for rule, wagers_of in variants_of.items():
        certified = certificate.rules[rule]
        known: dict[RuleValue, Sequence[WagerFields]] = {**wagers_of, certified: certificate.wagers}
        order = [value for value in spec.rule(rule).choices if value in known]
        still = _unmoved(known)
        same = tuple(w.title for w in certificate.wagers if _key(w) in still)
        moved = {v: [w for w in wagers if _key(w) not in still] for v, wagers in known.items()}
        for first in range(0, len(order), ACROSS):
            part = order[first : first + ACROSS]
            panel = _panel(rule, {value: moved[value] for value in part}, certified)
            last = first + ACROSS >= len(order)
            drawn.append(replace(panel, same=tuple(dict.fromkeys(same))) if last else panel)
    return drawn


def _key(wager: WagerFields) -> tuple[str, str | None]:
    return wager.wager, wager.strategy


def _unmoved(known: Mapping[RuleValue, Sequence[WagerFields]]) -> set[tuple[str, str | None]]:
    """Wagers that every value of a rule leaves alone, event by event."""
    first, *others = ({_key(w): w.events for w in wagers} for wagers in known.values())
    return {
        k for k, events in first.items() if all(events_of.get(k) == events for events_of in others)
    }


def _panel(
    rule: str, known: Mapping[RuleValue, Sequence[WagerFields]], certified: RuleValue
) -> Panel:
    by_key = [{_key(w): w for w in wagers} for wagers in known.values()]
    keys = list(dict.fromkeys(key for cell_of in by_key for key in cell_of))
    wagers, events = [], []
    for key in keys:
        cells = [cell_of.get(key) for cell_of in by_key]
        wager = next(cell for cell in cells if cell is not None)
        note = wager.strategy_title or ""
        if wager.priced:
            known_by = [cell.headline for cell in cells if cell is not None and cell.headline]
            headline = next((name for name in known_by if name != "house_edge"), "house_edge")
            wagers.append(Line(wager.title, note, tuple(cells), headline))
        else:
            events += _events(wager.title, cells)
    values = list(known)
    index = values.index(certified) if certified in values else -1
    return Panel(rule, tuple(map(str, values)), index, tuple(wagers), tuple(events))


def _events(title: str, cells: Sequence[WagerFields | None]) -> list[Line]:
    by_name = [{e.event: e for e in cell.events} if cell else {} for cell in cells]
    names = list(dict.fromkeys(name for event_of in by_name for name in event_of))
    return [Line(title, name, tuple(event_of.get(name) for event_of in by_name)) for name in names]
