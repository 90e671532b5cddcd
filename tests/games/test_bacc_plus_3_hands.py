"""Hands of Baccarat + 3: suits, three-card ranks and the house way, by hand and by brute force."""

from __future__ import annotations

import hashlib
from itertools import combinations, permutations
from math import comb

import numpy as np
import pytest
from numpy.typing import NDArray

from engine.cards.deck import names, parse_cards
from engine.cards.hands.baccarat import POINTS
from engine.cards.hands.suits import CHOOSE, canonical_sets, colex_index, suit_classes, unrank
from engine.cards.hands.three_card import CATEGORIES, index, three_card
from engine.games.bacc_plus_3 import one_hand, playout, referee
from engine.games.bacc_plus_3.enumeration import lattice, layouts
from engine.games.bacc_plus_3.rules import ACTIONS, SPLITS, Rules
from engine.games.bacc_plus_3.space import locate

RULES = Rules()
PAIR_ONLY = RULES._replace(house_step_3="pair only")
SECOND = RULES._replace(ace_two_three="second")
Int = NDArray[np.int64]


def category_of(cards: str) -> str:
    a, b, c = sorted(parse_cards(cards), reverse=True)
    ranked = three_card()
    return CATEGORIES[ranked.category[ranked.class_of[index(a, b, c)]]]


def class_of(cards: str, second: bool = False) -> int:
    a, b, c = sorted(parse_cards(cards), reverse=True)
    return int(three_card(second).class_of[index(a, b, c)])


def house(cards: str, rules: Rules = RULES) -> set[str]:
    """The two cards that the dealer sets for baccarat."""
    values = np.array(sorted(parse_cards(cards), reverse=True), dtype=np.int64)
    hands = np.empty((10, 2), dtype=np.int64)
    poker = three_card(rules.ace_two_three == "second")
    referee.set_hands(values, SPLITS, POINTS, poker, hands)
    split = referee.house_way(hands, poker, referee.numbers(rules))
    return set(names([int(values[position]) for position in SPLITS[split, :2]]).split())


def test_hands_up_to_suits_have_the_known_numbers() -> None:
    # Burnside's lemma over the 24 renamings of suits gives 13, 169, 1755, 16432, 134459.
    assert [len(suit_classes(k).weight) for k in range(1, 6)] == [13, 169, 1755, 16432, 134459]
    for size in range(1, 6):
        assert suit_classes(size).weight.sum() == comb(52, size)
    assert set(suit_classes(5).weight) == {4, 12, 24}


def test_a_class_holds_exactly_the_renamings_of_its_hand() -> None:
    classes = suit_classes(5)
    for number in np.random.default_rng(5).integers(0, len(classes.weight), 60):
        cards = classes.cards[number]
        images = set()
        for suits in permutations(range(4)):
            image = np.sort([4 * (card // 4) + suits[card % 4] for card in cards])[::-1].copy()
            rank = colex_index(image, CHOOSE)
            images.add(rank)
            assert classes.of_rank[rank] == number
        assert len(images) == classes.weight[number]
    assert np.array_equal(classes.of_rank[[colex_index(c, CHOOSE) for c in classes.cards[:50]]],
                          np.arange(50))  # fmt: skip


@pytest.mark.parametrize("size", range(1, 6))
def test_the_sets_that_stand_for_their_classes_can_be_put_together(size: int) -> None:
    # One way sorts out all C(52, size) sets, the other takes ranks for every suit.
    classes = suit_classes(size)
    cards, weight = canonical_sets(size)
    assert np.all(cards[:, :-1] > cards[:, 1:])
    of = np.array([classes.of_rank[colex_index(hand, CHOOSE)] for hand in cards])
    assert np.array_equal(np.sort(of), np.arange(len(classes.weight)))
    assert np.array_equal(weight, classes.weight[of])


def test_information_sets_are_sorted() -> None:
    key = suit_classes(5).cards @ 52 ** np.arange(4, -1, -1)
    assert np.all(key[1:] > key[:-1])


def test_ranks_follow_combinations() -> None:
    every = sorted(tuple(sorted(c, reverse=True)) for c in combinations(range(52), 3))
    assert np.array_equal(unrank(np.arange(22100), 3), np.array(every))


def test_three_card_categories_have_their_closed_forms() -> None:
    ranked = three_card()
    counts = np.bincount(ranked.category[ranked.class_of])
    straights, ranks = 12, comb(13, 3)
    assert counts.tolist() == [
        (ranks - straights) * (4**3 - 4),
        13 * comb(4, 2) * 48,
        4 * (ranks - straights),
        straights * (4**3 - 4),
        13 * comb(4, 3),
        4 * straights,
    ]
    # Distinct hands: singles, pairs × kickers, flushes, straights, triples, straight flushes.
    assert np.diff(ranked.first).tolist() == [274, 156, 274, 12, 13, 12]


def test_three_card_order_hand_worked() -> None:
    rising = [
        "5c 3d 2h", "Kc Qd Th", "Ac 4d 2s", "Ac Kd Jh", "2c 2d 3h", "2c 2d Ah", "Ac Ad Kh",
        "5c 3c 2c", "Ac Kc Jc", "Ac 2d 3h", "2c 3d 4h", "Jc Qd Kh", "Ac Kd Qh", "2c 2d 2h",
        "Ac Ad Ah", "Ac 2c 3c", "2h 3h 4h", "Ah Kh Qh",
    ]  # fmt: skip
    order = [class_of(cards) for cards in rising]
    assert order == sorted(set(order))
    assert class_of("5c 3d 2h") == 0
    assert class_of("Ah Kh Qh") == 740
    assert class_of("9c 9d 4h") == class_of("9h 9s 4c")
    assert category_of("Ac 2d 3h") == "straight"
    assert category_of("Kc Ad 2h") == "nothing"


def test_the_rank_of_ace_two_three_is_a_rule() -> None:
    assert class_of("Ac 2d 3h") < class_of("2c 3d 4h")
    assert class_of("Kc Qd Jh", True) < class_of("Ac 2d 3h", True) < class_of("Ac Kd Qh", True)
    assert class_of("Kc Qc Jc", True) < class_of("Ac 2c 3c", True) < class_of("Ac Kc Qc", True)


@pytest.mark.parametrize(
    ("cards", "baccarat"),
    [
        # Step 1: a straight or better stays, with the highest baccarat hand.
        ("9c 8d 7h 2s Kc", {"2♠", "K♣"}),  # only 9-8-7
        ("9c 8d 7h 6s 3c", {"6♠", "3♣"}),  # 9-8-7 leaves 9, 8-7-6 leaves 2
        ("9c Td Jh Qs 2c", {"Q♠", "2♣"}),  # 9-T-J leaves 2, the higher T-J-Q leaves 1
        ("Ac Ad Ah 9s 8c", {"9♠", "8♣"}),  # three aces
        ("Ah Kh Qh 9c 9d", {"9♣", "9♦"}),  # a straight flush before the nines K+9 or Q+9
        ("5c 4d 3h Ks Jc", {"K♠", "J♣"}),  # a total of 0, although 5+4 makes a nine
        # … and among equal totals the best poker hand: K-Q-J and Q-J-T both leave 1.
        ("Ac Kd Qc Jh Ts", {"A♣", "T♠"}),
        # Step 2: a nine, with the best poker hand.
        ("9c Kd Kh Qs 4c", {"9♣", "Q♠"}),  # 9+K or 9+Q: the latter leaves a pair
        ("5c 4d 4h Kh Jh", {"5♣", "4♦"}),  # either four makes the nine: one leaves a flush
        ("8c Ad Kd 7d 7h", {"8♣", "A♦"}),  # the nine leaves the pair too
        # Step 3: a pair stays, with the highest baccarat hand, although 7+A makes 8.
        ("7c 7d Ks Ah 3c", {"A♥", "3♣"}),
        # … and a flush counts as at least a pair, although 7+Q makes 7.
        ("Kc 7c 4c 6d Qh", {"6♦", "Q♥"}),
        # Step 4: the highest baccarat hand, then the best poker hand: K-4-3 before J-4-3.
        ("Kc Jd 8h 4s 3c", {"J♦", "8♥"}),
    ],
)
def test_house_way_hand_worked(cards: str, baccarat: set[str]) -> None:
    assert house(cards) == baccarat


def test_a_nine_comes_before_a_pair() -> None:
    # The pair of fours would leave 5+K = 5; a nine breaks it.
    assert house("5c 4d 4h Ks Js") in ({"5♣", "4♦"}, {"5♣", "4♥"})


def test_step_three_may_take_pairs_only() -> None:
    # No pair: the flush no longer stays, and 7+Q leaves K-6-4, better than Q-6-4 after 7+K.
    assert house("Kc 7c 4c 6d Qh", PAIR_ONLY) == {"7♣", "Q♥"}
    assert house("7c 7d Ks Ah 3c", PAIR_ONLY) == {"A♥", "3♣"}


def test_the_total_decides_between_straights() -> None:
    # A-2-3 leaves 4+K = 4, 2-3-4 leaves A+K = 1: the rank of A-2-3 does not matter here.
    assert house("Ac 2d 3h 4s Kc") == house("Ac 2d 3h 4s Kc", SECOND) == {"4♠", "K♣"}
    # 3-4-5 leaves A+2 = 3, 2-3-4 leaves A+5 = 6, A-2-3 leaves 4+5 = 9.
    assert house("Ac 2d 3h 4s 5c") == {"4♠", "5♣"}


def independent_house(rules: Rules, ranks: Int) -> tuple[Int, Int]:
    """Set hands by brute force over the ten splits, from ranks and suits alone.

    Returns a comparable number of the poker hand and the baccarat total that the dealer shows.
    """
    cards = unrank(ranks, 5)
    rank = np.where(cards // 4 == 0, 14, cards // 4 + 1)
    suit, pips = cards % 4, np.minimum(cards // 4 + 1, 10) % 10
    best: Int = np.full(len(cards), -1, dtype=np.int64)
    for pair in combinations(range(5), 2):
        rest = [k for k in range(5) if k not in pair]
        total = pips[:, list(pair)].sum(axis=1) % 10
        high, middle, low = np.sort(rank[:, rest], axis=1)[:, ::-1].T
        flush = (suit[:, rest] == suit[:, rest[:1]]).all(axis=1)
        wheel = (high == 14) & (middle == 3) & (low == 2)
        row = wheel | ((high - middle == 1) & (middle - low == 1))
        paired, tripled = (high == middle) | (middle == low), high == low
        kind = np.where(paired, 1, 0)
        kind = np.where(flush, 2, kind)
        kind = np.where(row, 3, kind)
        kind = np.where(tripled, 4, kind)
        kind = np.where(row & flush, 5, kind)
        first = np.where(paired, middle, high)
        first = np.where(row & wheel, 13.5 if rules.ace_two_three == "second" else 3, first)
        second = np.where(paired, high + low - middle, middle)
        detail = np.where(row, 0, second * 15 + np.where(paired, 0, low))
        poker = (kind * 1000 + (2 * first).astype(np.int64)) * 300 + detail
        keeps = (kind == 1) if rules.house_step_3 == "pair only" else (kind == 1) | (kind == 2)
        step = np.where(kind >= 3, 3, np.where(total == 9, 2, np.where(keeps, 1, 0)))
        np.maximum(best, (step * 10 + total) * 10**7 + poker, out=best)
    return best % 10**7, best // 10**7 % 10


def digest_of(poker: Int, total: Int) -> str:
    """Of what the dealer shows with every hand: place of the poker hand among those shown, total.

    (The dealer shows fewer than 741 classes, so that only their order can be compared.)
    """
    position = np.unique(poker, return_inverse=True)[1]
    return hashlib.sha256((10 * position + total).astype("<i2").tobytes()).hexdigest()


#: Digests over all 2,598,960 hands as `independent_house` sets them.
DIGESTS = {
    RULES: "54c13d168319e368b3016ee114d1bfadda51f3b259dd0e4d9cff349b9361f9a7",
    PAIR_ONLY: "45267e24c081c5fc5052251cc61518a305e51225ce3944a677ac9ff29fdb4a51",
    SECOND: "96858a91b85aa9c7b073ebe387dc6d76a3e7a14e96c79cede71ebd237f0a807f",
}


@pytest.mark.parametrize("rules", DIGESTS)
def test_house_way_of_every_hand_has_the_known_digest(rules: Rules) -> None:
    ours = playout.house(rules.of_hands)
    shown, total = ours.poker[ours.code], ours.baccarat[ours.code]
    assert digest_of(shown, total) == DIGESTS[rules]
    # The enumeration's way of setting hands is another one.
    assert np.array_equal(layouts(rules).dealer[suit_classes(5).of_rank], 10 * shown + total)


@pytest.mark.parametrize("rules", [*DIGESTS, PAIR_ONLY._replace(ace_two_three="second")])
def test_one_hand_meets_every_dealer_hand_as_the_referee_sets_it(rules: Rules) -> None:
    referees = playout.house(rules.of_hands)
    cell = (10 * referees.poker + referees.baccarat)[referees.code]
    dealers = unrank(np.arange(len(cell)), 5)
    rng = np.random.default_rng(52)
    hands = [
        list(parse_cards("Ks Kh 9d 4c 2s")),
        *(rng.permutation(52)[:5].tolist() for _ in range(4)),
    ]
    for cards in hands:
        mine = np.isin(np.arange(52), cards)
        free = ~mine[dealers].any(axis=1)
        assert free.sum() == comb(47, 5)
        expected = np.bincount(cell[free], minlength=7410).reshape(741, 10)
        assert np.array_equal(one_hand.meet(cards, rules), expected)


@pytest.mark.parametrize("rules", DIGESTS)
def test_house_way_by_brute_force(rules: Rules) -> None:
    ranks = np.arange(0, comb(52, 5), 29)
    poker, total = independent_house(rules, ranks)
    ours = playout.house(rules.of_hands)
    code = ours.code[ranks]
    assert np.array_equal(ours.baccarat[code], total)
    theirs, mine = (
        np.unique(values, return_inverse=True)[1] for values in (poker, ours.poker[code])
    )
    assert np.array_equal(mine, theirs)


@pytest.mark.slow
@pytest.mark.parametrize("rules", DIGESTS)
def test_digests_are_those_of_brute_force(rules: Rules) -> None:
    assert digest_of(*independent_house(rules, np.arange(comb(52, 5)))) == DIGESTS[rules]


def test_splits_are_all_ways_to_set_a_hand() -> None:
    assert len(ACTIONS) == len({frozenset(split[:2]) for split in SPLITS.tolist()}) == 10
    for action, split in zip(ACTIONS, SPLITS.tolist(), strict=True):
        assert action == f"baccarat {split[0] + 1}-{split[1] + 1}"
        assert sorted(split) == list(range(5))


def test_any_hand_is_found_with_its_own_cards_in_order() -> None:
    rng = np.random.default_rng(8)
    classes = suit_classes(5)
    table = playout.laid_out(RULES.of_hands)
    for _ in range(200):
        cards = [int(card) for card in rng.permutation(52)[:5]]
        number, ordered = locate(cards)
        assert sorted(ordered) == sorted(cards)
        assert [c // 4 for c in ordered] == [c // 4 for c in classes.cards[number]]
        # An action means the same totals and poker hands for these cards as for the class.
        mine = playout.lay_out(np.array([sorted(cards, reverse=True)], dtype=np.int64), RULES)[0]
        for split, (first, second, *_) in enumerate(SPLITS.tolist()):
            total = (POINTS[ordered[first]] + POINTS[ordered[second]]) % 10
            rest = sorted((ordered[k] for k in SPLITS[split, 2:]), reverse=True)
            values = three_card().class_of[index(*rest)]
            assert table[number, split].tolist() == [total, values]
            assert [total, values] in mine.tolist()


def test_lattice_counts_subsets() -> None:
    above = lattice()
    assert len(above.orbit) == 1 + 13 + 169 + 1755 + 16432
    assert len(above.hands) == 31 * 134459
    weight = suit_classes(5).weight
    # Hands that contain one given set of k cards: C(52 − k, 5 − k).
    inside = np.add.reduceat(weight[above.hands], above.start[:-1]) // above.orbit
    sizes = np.repeat(np.arange(5), [1, 13, 169, 1755, 16432])
    assert np.array_equal(inside, np.array([comb(52 - k, 5 - k) for k in range(5)])[sizes])
