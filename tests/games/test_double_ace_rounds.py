"""Double Ace dealt at random, told, and compared with exact counts."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction

import numpy as np
import pytest
from scipy import stats

from engine.cards import streams
from engine.cards.deck import parse_cards
from engine.cards.hands.bonus_poker import CODES
from engine.exact.tables import Table, same
from engine.games.double_ace import rounds
from engine.games.double_ace.holdings import NEXT
from engine.games.double_ace.playout_bonus import ranking
from tests.games.double_ace_exact import analysed, game_of

# Random rounds.


@pytest.mark.parametrize("decks", [0, 1, 6, 12])
@pytest.mark.parametrize("lane", range(rounds.LANES))
def test_words_become_cards_as_by_division(decks: int, lane: int) -> None:
    below = rounds.below(decks, lane)
    top = (1 << 64) // below * below - 1
    words = [0, 1, below - 1, below, top, top - 1, 40**3, 1 << 53, (1 << 63) - 1, 1 << 63]
    words += [int(w) for w in streams.fair_words(9, 0, below, lane)[:2000]]
    half = int(rounds.sizes(decks)[0][rounds.LANES * rounds.PER_WORD + lane])
    words += [w + d for w in (half * 1000, half * (top // half)) for d in (-1, 0)]
    divided = rounds.sizes(decks)
    words += [2**64 - 1, 2**64 - half, 2**64 - half - 1]
    picks = np.zeros((21, len(words)), dtype=np.int16)
    rounds.draw_words(np.array(words, dtype=np.uint64), lane, *divided, decks == 0, picks)
    for column, word in zip(picks.T, words, strict=True):
        for number in range(7 * lane, 7 * lane + 7):
            word, digit = divmod(word, 40 * decks - number if decks else 40)
            assert column[number] == digit + (number if decks else 0)


@pytest.mark.parametrize("decks", [0, 1, 6, 12])
def test_cards_are_taken_from_a_shoe_whose_gaps_the_foremost_cards_fill(decks: int) -> None:
    random = np.random.default_rng(decks)
    size = 40 * (decks or 1)
    picks = np.empty((21, 1000), dtype=np.int16)
    for number in range(21):
        # Places far in front come up often, so that gaps are refilled more than once.
        below = size if number % 2 else min(size, number + 6)
        picks[number] = random.integers(number if decks else 0, below, 1000)
    cards = np.empty(picks.shape, dtype=np.uint8)
    rounds.take(picks, decks == 0, cards)
    for places, taken in zip(picks.T, cards.T, strict=True):
        shoe = list(range(size))
        for number, position in enumerate(places):
            assert taken[number] == shoe[position] % 40
            if decks:
                shoe[number], shoe[position] = shoe[position], shoe[number]


@pytest.mark.parametrize("changes", [{}, {"decks": 1}, {"decks": 0}, {"dealer_stands_on": 7}])
def test_rounds_are_told_as_they_are_played(changes: dict[str, int | str]) -> None:
    analysis = analysed(**changes)
    game, best = game_of(analysis), analysis.strategies["optimal"]
    number, decks = 25, game.rules.decks
    one, two, three = (
        streams.fair_words(4, 0, rounds.below(decks, lane), lane)[:number] for lane in range(3)
    )
    ends, bonus = rounds.empty_ends(1), np.zeros((4, CODES), dtype=np.int64)
    chosen = game._lawful(best)[None, :]
    sizes, shares = rounds.sizes(decks)
    single, replaced = rounds.SINGLE, decks == 0
    rounds.play_rounds(
        one,
        two,
        three,
        sizes,
        shares,
        replaced,
        game.numbers,
        chosen,
        NEXT,
        single,
        0,
        ranking("straight"),
        ends,
        bonus,
    )
    text: dict[str, Counter[tuple[str | int, ...]]] = {s.name: Counter() for s in game.spaces}
    for index in range(number):
        cards = game.deal(4, index)
        if decks:
            assert max(Counter(cards).values()) <= decks
        for name, row in game.play(cards, {"main": best}).rows.items():
            text[name][tuple(row.values())] += 1
    tables = {"main": game._tabulate(ends[0], chosen[0])}
    tables |= {s.name: s.tabulate_codes(bonus[i]) for i, s in enumerate(game.bonuses)}
    for name, table in tables.items():
        rows = {tuple(table.row(i).values()): int(table.combinations[i]) for i in range(len(table))}
        assert rows == dict(text[name])


def test_a_told_round() -> None:
    analysis = analysed()
    cards = parse_cards("2h 3d 4c 5c 6c 7c 8c 3s 9h 5s 10d 10h 10s")
    text = analysis.game.play(cards, {"main": analysis.strategies["optimal"]})
    main = text.rows["main"]
    assert (main["player_total"], main["player_bust"]) == (14, 1)  # 2-3-9
    assert (main["dealer_total"], main["dealer_cards"]) == (8, 2)  # 3-5
    assert main["winner"] == "dealer"
    assert any("over ten" in step for step in text.steps)
    assert text.rows["player-five"]["category"] == "high card"  # 2 3 9 4 5
    assert text.rows["dealer-five"]["category"] == "three of a kind"  # 3 5 10 10 10
    # Two cards, five on the table, 3 and 9 drawn, 5 drawn, three tens to fill the dealer's five.
    assert len(text.cards) == 13
    assert "on the table for the bonus hands: 4♣ 5♣ 6♣ 7♣ 8♣" in text.steps
    more = analysis.game.play((*cards, 0, 1), {"main": analysis.strategies["optimal"]})
    assert more == text  # what lies deeper in the shoe is not dealt


def test_simulation_agrees_with_exact() -> None:
    analysis = analysed()
    main, names = game_of(analysis).main, ("optimal", "never double")
    played = [analysis.strategies[name] for name in names]
    tables = analysis.game.simulate(0, 2, 20070213, played)
    columns = ["first_card", "doubled", "player_total", "dealer_total", "dealer_cards"]
    for strategy in played:
        agree(
            main.enumerate(0, 100, strategy).select(columns),
            tables["main", strategy.name].select(columns),
        )
    for space in game_of(analysis).bonuses:
        agree(space.enumerate(0, 40), tables[space.name, None])


def agree(exact: Table, drawn: Table) -> None:
    """Chi-square over all rows, those expected below 25 merged; a false alarm once in 10^6."""
    assert drawn.deals == 2 << 20
    rows = {tuple(drawn.row(i).values()): int(drawn.combinations[i]) for i in range(len(drawn))}
    seen, expected, rest, rare = [], [], 0, 0.0
    for index in range(len(exact)):
        mean = float(Fraction(int(exact.combinations[index]) * drawn.deals, exact.deals))
        count = rows.pop(tuple(exact.row(index).values()), 0)
        if mean < 25:
            rest, rare = rest + count, rare + mean
        else:
            seen.append(count)
            expected.append(mean)
    assert rows == {}
    if rare >= 25:
        seen.append(rest)
        expected.append(rare)
    statistic = sum((s - e) ** 2 / e for s, e in zip(seen, expected, strict=True))
    assert stats.chi2.sf(statistic, len(seen) - 1) > 1e-6


def test_blocks_add_up_whatever_the_split() -> None:
    analysis = analysed()
    best = [analysis.strategies["optimal"]]
    whole = analysis.game.simulate(3, 5, 11, best)
    parts = [analysis.game.simulate(block, block + 1, 11, best) for block in (4, 3)]
    for key, table in whole.items():
        assert same(table, Table.merge([part[key] for part in parts]))
