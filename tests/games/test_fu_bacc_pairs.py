"""Fu Bacc under every pair of rules, against a plain evaluation of small shoes."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable
from fractions import Fraction

import pytest

from engine.analysis.analysis import Analysis
from engine.analysis.binding import bind
from engine.contract.game import Key
from engine.exact.tables import Table, same
from engine.games.fu_bacc.game import FuBacc
from engine.games.fu_bacc.rules import Rules
from engine.spec.loading import load_spec
from tests.games.plain import fu_bacc as plain
from tests.games.plain.pairs import Settings, pairs, told

SPEC = load_spec("fu-bacc")
#: Shoes by their ranks, each card four times: offers of all kinds, faces, tens, totals of 4 to 6.
SHOES = ("T9J8", "K945", "AT9Q", "9J62")
PAIRS = pairs(SPEC)
COLUMNS = (
    "player_low", "player_high", "dealer_up", "bonus_offer", "action", "decision",
    "player_cards", "dealer_cards", "player_total", "dealer_total", "winner",
)  # fmt: skip
Sums = dict[plain.Known, dict[str, list[Fraction]]]


def check(changes: Settings, ranks: str, decks: int = 1) -> None:
    spec = SPEC.under({**changes, "decks": decks})
    game = FuBacc(Rules.of(spec.rule_values), [plain.FACES.index(rank) for rank in ranks])
    tables: dict[Key, Table] = {
        (space.name, None): space.enumerate(0, space.starts) for space in game.spaces
    }
    counted: Counter[tuple[plain.Known, plain.End]] = Counter()
    sums: Sums = defaultdict(lambda: defaultdict(lambda: [Fraction(), Fraction()]))
    for known, end, ways in plain.deals(ranks, 4 * decks, spec.rule_values):
        counted[known, end] += ways
    for (known, end), ways in counted.items():
        both = sums[known][end[0]]
        both[0] += ways * plain.ante(known[3], end)
        both[1] += ways * plain.tie(end, spec.rule_values)
    table = tables["main", None]
    labels = zip(*(table.labels(name) for name in COLUMNS), strict=True)
    ours = {row: 2 * int(deals) for row, deals in zip(labels, table.combinations, strict=True)}
    assert ours == {(*known, *end): ways for (known, end), ways in counted.items()}
    for space in game.spaces:
        assert same(tables[space.name, None], space.exhaust(0, space.starts))
    analysis = Analysis(bind(spec), tables)
    total = 2 * game.main.deals
    forced = spec.rule_values["bonus"] == "forced"

    def best(worth: Callable[[list[Fraction]], Fraction], ends: bool) -> Fraction:
        result = Fraction()
        for known, by_action in sums.items():
            result += max(
                worth(both)
                for action, both in by_action.items()
                if (not ends and action in ("stand", "draw"))
                or (ends and (not forced or known[3] == "none" or action.startswith("bonus")))
            )
        return -result / total

    edges = {
        ("ante", "optimal"): best(lambda both: both[0], ends=True),
        ("tie", "tie optimal"): best(lambda both: both[1], ends=False),
        ("tie", "tie published"): -_published(sums, spec.rule_values) / total,
    }
    for key, edge in edges.items():
        assert analysis.price(*key).house_edge == edge, key
    joint = sum(
        (analysis.price(wager, "ante and tie").priced.house_edge for wager in ("ante", "tie")),
        Fraction(),
    )
    assert joint == best(sum_of, ends=True)


def sum_of(both: Iterable[Fraction]) -> Fraction:
    return sum(both, Fraction())


def _published(sums: Sums, rules: plain.Rules) -> Fraction:
    """Stand on 6 and more and on the up-card's value, else draw."""
    result = Fraction()
    for (low, high, up, _), by_action in sums.items():
        two = (low + high) % 10
        result += by_action["stand" if two == up or two >= 6 else "draw"][1]
    return result


@pytest.mark.parametrize("number", range(len(SHOES)))
def test_pairs_of_rules_on_small_shoes(number: int) -> None:
    for position, changes in enumerate(PAIRS):
        if position % len(SHOES) == number or not changes:
            check(changes, SHOES[number])


@pytest.mark.slow
@pytest.mark.parametrize("changes", PAIRS, ids=told)
def test_pairs_of_rules_on_all_small_shoes(changes: Settings) -> None:
    for ranks in (*SHOES, "T9456", "KQ398"):
        check(changes, ranks, decks=2 if ranks == SHOES[0] else 1)


def test_random_rounds_are_told_as_they_are_played_plainly() -> None:
    for changes in PAIRS[::3]:
        spec = SPEC.under(changes)
        game = FuBacc(Rules.of(spec.rule_values))
        table = game.main.enumerate(0, game.main.starts)
        analysis = Analysis(bind(spec), {("main", None): table})
        for name in ("optimal", "tie optimal"):
            for number in range(4):
                cards = game.deal(len(changes), number)
                one, other, up, *rest = (plain.FACES[card // 4] for card in cards)
                row = game.play(cards, {"main": analysis.strategies[name]}).rows["main"]
                end = plain.play(one, other, up, tuple(rest), str(row["action"]), spec.rule_values)
                assert tuple(row[c] for c in COLUMNS[4:]) == end
                assert row["bonus_offer"] == plain.offer(one, other, up, spec.rule_values)
