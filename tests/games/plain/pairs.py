"""Every pair of rules of a game: what two of them do together, when neither is as certified."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from itertools import combinations

from engine.contract.game import RuleValue
from engine.spec.model import Spec

Settings = dict[str, RuleValue]


def pairs(
    spec: Spec, leave_out: Collection[str] = ("decks",), ranges: Collection[RuleValue] = ()
) -> list[Settings]:
    """Each rule changed alone, then each two together: the values that differ from the certified.

    Rules that are left out keep their value; of a rule with a range only `ranges` are tried.
    """
    changed = [list(_others(spec, rule.name, ranges)) for rule in spec.rules]
    changed = [values for values in changed if values and values[0][0] not in leave_out]
    alone = [dict([value]) for values in changed for value in values]
    both = [
        dict([one, other])
        for left, right in combinations(changed, 2)
        for one in left
        for other in right
    ]
    return [{}, *alone, *both]


def _others(
    spec: Spec, name: str, ranges: Collection[RuleValue]
) -> Iterator[tuple[str, RuleValue]]:
    rule = spec.rule(name)
    wide = not isinstance(rule.allowed, tuple | list)
    for value in rule.choices:
        if value != rule.value and (not wide or value in ranges):
            yield name, value


def told(changes: Settings) -> str:
    """A pair as a test's name."""
    return ", ".join(f"{name}={value}" for name, value in changes.items()) or "as certified"
