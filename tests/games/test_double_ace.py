"""Double Ace: the main bet against published figures, other methods, and hands worked by hand."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from functools import cache
from itertools import pairwise
from math import perm

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from engine import streams
from engine.analysis import Analysis, analyse_exactly, build
from engine.cards import parse_cards
from engine.errors import DealproofError
from engine.games.double_ace import playout, rounds
from engine.games.double_ace.holdings import HANDS, NEXT, WORDS
from engine.games.double_ace.rules import ACE_TEN, Rules, Shoe
from engine.games.double_ace.space import Main
from engine.games.double_ace.table import DoubleAce
from engine.hands.bonus_poker import CODES
from engine.loading import load_spec
from engine.pricing import Pricer, price
from engine.spec import Choice, Spec, StrategyRule
from engine.strategy import Strategy, improvements
from engine.tables import Table, same

SPEC = load_spec("double-ace")
BASE = SPEC.wager("base")


@cache
def analysed(**changes: int | str) -> Analysis:
    return analyse_exactly(SPEC.under(changes))


def game_of(analysis: Analysis) -> DoubleAce:
    assert isinstance(analysis.game, DoubleAce)
    return analysis.game


def edge(strategy: str = "optimal", **changes: int | str) -> Fraction:
    return analysed(**changes).result("base", strategy).priced.house_edge


# Published: Stanley Ko, No Bust Double Ace (2007), Primary Bet.


def test_published_house_edge() -> None:
    priced = analysed().result("base", "optimal").priced
    assert f"{float(priced.house_edge):.2%}" == "0.84%"
    assert priced.element_of_risk is not None
    assert f"{float(priced.element_of_risk):.2%}" == "0.76%"


def test_published_strategy_doubles_an_ace_and_nothing_else_gains() -> None:
    optimal = analysed().strategies["optimal"]
    assert optimal.action_at({"held": "A", "held_cards": 1, "held_total": 1}) == "double"
    assert improvements(optimal) == []
    assert edge("never double") > edge("optimal")


def test_spec_has_no_idle_event() -> None:
    analyse_exactly(SPEC, strict=True)


# The hands of the source's rules, with what each of them pays.


def settle(cards: str, action: str, **changes: int | str) -> Fraction:
    """Net of the base bet: the player takes one card by `action` (or stands), then stands."""
    choose = (Choice(when="held_cards = 1", action=action), Choice(when="true", action="stand"))
    once = StrategyRule(name="once", title="once", space="main", choose=choose)
    base = BASE.model_copy(update={"strategies": ("once",)})
    spec = SPEC.under(changes).model_copy(update={"strategies": (once,), "wagers": (base,)})
    analysis = analyse_exactly(spec)
    player, dealer, *further = parse_cards(cards)
    table, rest = parse_cards("2c 2d 2s 3c 3d"), parse_cards("7c 7d 7h 7s")
    ordered = (player, dealer, *table, *further, *rest)
    row = analysis.game.play(ordered, {"main": analysis.strategies["once"]}).rows["main"]
    main = game_of(analysis).main
    codes = {f.name: np.array([f.code(row[f.name])]) for f in main.features}
    one = Table.of(main.features, codes, np.ones(1, dtype=np.int64))
    return price(BASE, one, spec.settings).mean


@pytest.mark.parametrize(
    ("cards", "action", "net"),
    [
        # player's card, dealer's card, then the player's and the dealer's further cards
        ("3h 2h 9c 9s", "hit", -1),  # 12 against 11: dealer closer
        ("3c 2h 8d 9s", "hit", -1),  # 11 against 11: equal busts lose
        ("2h 2d 9s 10c", "hit", 0),  # 11 against 12: player closer, a push
        ("5c 2h 4s 6d", "hit", 1),  # 9 against 8
        ("3c Ah 6h 10c", "hit", -1),  # 9 against ace-ten, 10
        ("2h 3d 6d 5c", "hit", 0),  # 8 against 8
        ("9h 2c 3h 6c", "stand", 1),  # dealer 2-3-6 over ten
        ("9h Ah 3h 7c", "stand", 1),  # dealer A-3-7 over ten
        ("Ac 9h As", "double", 3),  # double ace on a doubled bet
        ("Ac Ah As Ad", "double", 0),  # double ace against double ace
        ("Ac 9h 2s", "double", -2),  # 3 against 9
        ("Ac 2c 2s 3h 6c", "double", 2),  # 3 against a dealer over ten
        ("Ac 9h 10s", "double", 2),  # doubled ace-ten counts 10
        ("10c Ah Ad", "stand", -1),  # the dealer's two aces beat a ten
        ("Ac 9h As", "hit", Fraction(3, 2)),
    ],
)
def test_source_hands(cards: str, action: str, net: Fraction) -> None:
    assert settle(cards, action) == net


@pytest.mark.parametrize(
    ("cards", "action", "changes", "net"),
    [
        ("Ac 9h As", "double", {"double_ace_pays": "3 to 2 on the original bet"}, Fraction(5, 2)),
        ("Ac 9h As", "double", {"double_ace_pays": "1 to 1"}, 2),
        ("Ac 9h As", "hit", {"double_ace_pays": "1 to 1"}, 1),
        ("Ac Ah As Ad", "double", {"double_aces_meet": "player wins"}, 3),
        ("Ac Ah 9s Ad", "double", {"dealer_double_ace_takes": "original bet"}, -1),
        ("3c 2h 8d 9s", "hit", {"both_bust": "push if closer or equal"}, 0),
        ("2h 2d 9s 10c", "hit", {"both_bust": "lose"}, -1),
        ("Ac 9h 10s", "double", {"ace_ten": "eleven after doubling"}, -2),
        ("9c Ah 10c", "stand", {"ace_ten": "eleven for the dealer"}, 1),
        ("10c Ah Ad 8s", "stand", {"dealer_double_ace": "draws"}, 0),
        ("7c 2h 3d", "stand", {"dealer_stands_on": 5}, 1),
        ("7c 6h 3d", "stand", {"dealer_stands_on": 7}, -1),
        ("7c 7h 3d", "double", {"double_on": "any first card"}, 2),
    ],
)
def test_readings_by_hand(
    cards: str, action: str, changes: dict[str, int | str], net: Fraction
) -> None:
    assert settle(cards, action, **changes) == net


# The solver against a game tree that deals the dealer's hidden card first and learns nothing.

Pay = Callable[[tuple[int, ...], tuple[int, ...], bool], Fraction]


def total_of(cards: tuple[int, ...]) -> int:
    return 10 if sorted(cards) == [1, 10] else sum(cards)


def pay(player: tuple[int, ...], dealer: tuple[int, ...], doubled: bool) -> Fraction:
    """Net by the brief's rules, written out anew."""
    bet = 2 if doubled else 1
    aces, theirs = player == (1, 1), dealer == (1, 1)
    mine, other = total_of(player), total_of(dealer)
    if aces or theirs:
        return Fraction(0 if aces and theirs else 3 * bet if aces else -2 * bet, 2)
    if mine > 10:
        return Fraction(0 if other > 10 and mine < other else -bet)
    if other > 10 or mine > other:
        return Fraction(bet)
    return Fraction(0 if mine == other else -bet)


class GameTree:
    """Values of the player's hands when the dealer's card is dealt before he draws."""

    def __init__(self, counts: tuple[int, ...], replaced: bool = False) -> None:
        self.counts, self.replaced = counts, replaced
        self.values: dict[tuple[int, ...], Fraction] = {}

    def chances(self, gone: tuple[int, ...]) -> dict[int, Fraction]:
        left = Counter(dict(enumerate(self.counts, start=1)))
        if not self.replaced:
            left.subtract(gone)
        cards = sum(left.values())
        return {value: Fraction(n, cards) for value, n in left.items() if n > 0}

    def stood(self, player: tuple[int, ...], dealer: tuple[int, ...], doubled: bool) -> Fraction:
        if total_of(dealer) >= 6 or dealer == (1, 1):
            return pay(player, dealer, doubled)
        return sum(
            (
                p * self.stood(player, (*dealer, value), doubled)
                for value, p in self.chances(player + dealer).items()
            ),
            Fraction(),
        )

    def hidden(self, player: tuple[int, ...]) -> dict[int, Fraction]:
        """Chances of the dealer's card given that the player was dealt his, in order."""
        found = {}
        for dealer, p in self.chances(player[:1]).items():
            for drawn in range(1, len(player)):
                p *= self.chances((*player[:drawn], dealer)).get(player[drawn], Fraction())
            found[dealer] = p
        whole = sum(found.values())
        return {dealer: p / whole for dealer, p in found.items() if p}

    def value(self, player: tuple[int, ...], doubled: bool = False) -> Fraction:
        key = (*sorted(player), doubled)
        if key not in self.values:
            self.values[key] = self._value(player, doubled)
        return self.values[key]

    def _value(self, player: tuple[int, ...], doubled: bool) -> Fraction:
        hidden = self.hidden(player)
        options = [
            sum((p * self.stood(player, (d,), doubled) for d, p in hidden.items()), Fraction())
        ]
        if not doubled and total_of(player) < 10 and player != (1, 1):
            options.append(self.after(player, hidden, False))
        if not doubled and player == (1,):
            options.append(self.after(player, hidden, True))
        return max(options)

    def after(
        self, player: tuple[int, ...], hidden: dict[int, Fraction], doubled: bool
    ) -> Fraction:
        chances: Counter[int] = Counter()
        for dealer, p in hidden.items():
            for value, q in self.chances((*player, dealer)).items():
                chances[value] += p * q  # type: ignore[assignment]
        return sum(
            (p * self.value((*player, value), doubled) for value, p in chances.items()),
            Fraction(),
        )

    def mean(self) -> Fraction:
        return sum((p * self.value((v,)) for v, p in self.chances(()).items()), Fraction())


def solved(main: Main, spec: Spec = SPEC) -> tuple[Strategy, Fraction]:
    """Solve a space of any shoe for the base bet; return the strategy and its expected net."""
    rows = main.outcomes()
    value = Pricer(rows, spec.settings).value([(BASE, Fraction(1))])
    strategy = main.solve("optimal", value.net, value.staked, np.ones(len(rows), dtype=bool))
    strategy = replace(strategy, unit=value.net_unit)
    table = main.enumerate(0, main.starts, strategy)
    assert table.deals == main.deals
    return strategy, price(BASE, table, spec.settings).mean


@settings(max_examples=12, deadline=None)
@given(st.lists(st.integers(0, 4), min_size=10, max_size=10).filter(lambda c: sum(c) >= 14))
def test_solver_against_game_tree_on_small_shoes(counts: list[int]) -> None:
    main = Main(Rules(), Shoe(tuple(counts)))
    strategy, mean = solved(main)
    tree = GameTree(tuple(counts))
    assert mean == tree.mean()
    for index in range(len(strategy)):
        hand = HANDS[int(strategy.sets["held"][index])]
        if len(hand) == 1:
            assert strategy.ev(index, int(strategy.chosen[index])) == tree.value(hand)


def test_infinite_shoe_against_game_tree() -> None:
    assert -edge(decks=0) == GameTree((1,) * 10, replaced=True).mean()


def test_dealer_against_ordered_draws_of_a_tiny_shoe() -> None:
    counts = (3, 2, 0, 1, 2, 0, 2, 0, 1, 4)
    cards = [value for value, n in enumerate(counts, start=1) for _ in range(n)]
    found: Counter[tuple[int, int]] = Counter()

    def draw(hand: tuple[int, ...], left: list[int], weight: int) -> None:
        if total_of(hand) >= 6 or hand == (1, 1):
            found[len(hand), total_of(hand)] += weight * perm(len(left), 14 - 1 - len(hand))
            return
        for place, card in enumerate(left):
            draw((*hand, card), left[:place] + left[place + 1 :], weight)

    for first, player in enumerate(cards):  # the player stands on his first card
        rest = cards[:first] + cards[first + 1 :]
        for place, card in enumerate(rest):
            draw((card,), rest[:place] + rest[place + 1 :], 1)
        assert player > 0
    main = Main(Rules(), Shoe(counts))
    stands = _fixed(main, "stand")
    table = main.enumerate(0, 100, stands).select(["dealer_cards", "dealer_total"])
    ours = zip(
        table.labels("dealer_cards"), table.labels("dealer_total"), table.combinations, strict=True
    )
    assert {(cards, total): int(n) for cards, total, n in ours} == dict(found)


def _fixed(main: Main, action: str) -> Strategy:
    assert main.decision is not None
    rows, index = main.outcomes(), main.decision.actions.index(action)
    nothing = np.zeros(len(rows), dtype=np.int64)
    wish = np.tile([index, 0], (len(main.sets()), 1))
    return main.solve(action, nothing, nothing, np.ones(len(rows), dtype=bool), wish)


# Methods against each other.

PLAY = [
    {},
    {"decks": 1},
    {"decks": 12},
    {"decks": 0},
    {"dealer_stands_on": 5},
    {"dealer_stands_on": 7},
    {"dealer_double_ace": "draws"},
    {"double_on": "any first card"},
    *({"ace_ten": word} for word in list(ACE_TEN)[1:]),
]


@pytest.mark.parametrize("changes", PLAY, ids=str)
@pytest.mark.parametrize("strategy", ["optimal", "chart"])
def test_enumerate_equals_exhaust(changes: dict[str, int | str], strategy: str) -> None:
    analysis = analysed(**changes)
    main, played = game_of(analysis).main, analysis.strategies[strategy]
    whole = main.enumerate(0, 100, played)
    assert whole.deals == main.deals
    assert same(whole, main.exhaust(0, 100, played))


def test_ranges_of_starts_add_up() -> None:
    analysis = analysed()
    main, played = game_of(analysis).main, analysis.strategies["optimal"]
    cuts = [0, 1, 8, 10, 57, 100]
    parts = []
    for lo, hi in pairwise(cuts):
        part = main.enumerate(lo, hi, played)
        assert part.deals == main.deals_in(lo, hi)
        assert same(part, main.exhaust(lo, hi, played))
        parts.append(part)
    assert same(Table.merge(parts), main.enumerate(0, 100, played))
    assert main.deals == perm(240, 14)


def test_deals_fit_38_digits_with_twelve_decks() -> None:
    assert Main(Rules(decks=12)).deals < 10**38


@pytest.mark.parametrize("stands_on", [5, 6, 7])
@pytest.mark.parametrize("draws", [0, 1])
@pytest.mark.parametrize("zero_dealer", [0, 1])
def test_fourteen_cards_restrict_no_best_play(stands_on: int, draws: int, zero_dealer: int) -> None:
    rules = Rules(dealer_stands_on=stands_on, dealer_draws_to_aces=draws, zero_dealer=zero_dealer)
    usual, longer = Main(rules), Main(rules, length=17)
    assert usual.tree.dealer_most == playout.most_dealer_cards(rules)
    assert longer.tree.most >= 10  # nine cards at most make ten or less: nothing is cut
    (strategy, mean), (other, same_mean) = solved(usual), solved(longer)
    assert mean == same_mean
    acts = dict(zip(other.sets["held"], other.chosen, strict=True))
    for held, action in zip(strategy.sets["held"], strategy.chosen, strict=True):
        assert acts[held] == action


def test_no_single_changed_decision_gains() -> None:
    analysis = analysed()
    main, best = game_of(analysis).main, analysis.strategies["optimal"]
    mean = analysis.result("base", "optimal").priced.mean
    for index, action in zip(*np.nonzero(best.open), strict=True):
        if action == best.chosen[index]:
            continue
        chosen = best.chosen.copy()
        chosen[index] = action
        table = main.enumerate(0, 100, replace(best, chosen=chosen))
        changed = price(BASE, table, SPEC.settings).mean
        assert changed <= mean
        if best.sets["held_cards"][index] == 1:
            loss = best.ev(index, int(best.chosen[index])) - best.ev(index, int(action))
            assert mean - changed == loss / 10  # each first card comes once in ten


def test_worth_of_hands_adds_up() -> None:
    analysis = analysed()
    best = analysis.strategies["optimal"]
    first = best.sets["held_cards"] == 1
    assert sum(int(w) for w in best.weight[first]) == analysis.game.spaces[0].deals
    chosen = [best.ev(int(i), int(best.chosen[i])) for i in np.flatnonzero(first)]
    assert sum(chosen, Fraction()) / 10 == analysis.result("base", "optimal").priced.mean


def test_composition_matters_with_one_deck_only() -> None:
    for decks in (*range(2, 13), 0):
        assert edge("optimal", decks=decks) == edge("chart", decks=decks)
    assert edge("optimal", decks=1) < edge("chart", decks=1)


def test_more_decks_approach_the_infinite_shoe() -> None:
    edges = [edge(decks=decks) for decks in (2, 6, 12, 0)]
    assert edges == sorted(edges, reverse=True)
    assert abs(float(2 * edge(decks=12) - edge(decks=6) - edge(decks=0))) < 1e-5


# Rules.


@pytest.mark.parametrize(
    ("rule", "value"),
    [(rule.name, v) for rule in SPEC.rules for v in rule.choices if v != rule.value],
)
def test_every_rule_is_read(rule: str, value: int | str) -> None:
    changed, usual = analysed(**{rule: value}), analysed()
    edges = [[r.priced.house_edge for r in a.results] for a in (changed, usual)]
    open_ = [a.strategies["optimal"].open.sum() for a in (changed, usual)]
    assert edges[0] != edges[1] or open_[0] != open_[1]


def test_lines_of_other_readings_do_not_stand() -> None:
    doubled = "Double ace, doubled"
    split = "Double ace, doubled, paid on the original bet"
    usual = [line.event for line in analysed().result("base").priced.lines]
    other = analysed(double_ace_pays="3 to 2 on the original bet").result("base", "chart")
    assert doubled in usual
    assert split not in usual
    lines = {line.event: line for line in other.priced.lines}
    assert doubled not in lines
    assert lines[split].net == Fraction(5, 2)
    assert lines[split].staked == 2


def test_condition_on_an_unknown_rule_is_refused() -> None:
    event = BASE.events[0].model_copy(update={"under": "double_ace_pay = '1 to 1'"})
    wager = BASE.model_copy(update={"events": (event, *BASE.events[1:])})
    with pytest.raises(DealproofError, match=r"under: column 'double_ace_pay' is not known"):
        price(wager, analysed().outcome(analysed().result("base")), SPEC.settings)


def test_double_on_any_card_changes_nothing_at_the_optimum() -> None:
    free = analysed(double_on="any first card").strategies["optimal"]
    double = free.actions.index("double")
    assert free.open[:, double].sum() == 10
    assert [free.label(int(i))["held"] for i in np.flatnonzero(free.chosen == double)] == ["A"]
    assert edge(double_on="any first card") == edge()


def test_wager_on_the_order_of_cards_cannot_be_maximised() -> None:
    main = Main(Rules())
    rows = main.outcomes()
    net = (rows.codes["first_card"] == 2).astype(np.int64)
    with pytest.raises(DealproofError, match="order of the player's cards"):
        main.solve("odd", net, np.ones_like(net), np.ones(len(rows), dtype=bool))


def test_forbidden_action_is_refused() -> None:
    analysis = analysed()
    best = analysis.strategies["optimal"]
    ten = best.index_of({"held": "10", "held_cards": 1, "held_total": 10})
    chosen = best.chosen.copy()
    chosen[ten] = best.actions.index("hit")
    with pytest.raises(DealproofError, match="may not hit with 10"):
        analysis.game.simulate(0, 0, 1, [replace(best, chosen=chosen)])


def test_hands_that_can_be_held() -> None:
    # Partitions of 1 … 10 number 138; eight are three aces or more; ace-ten makes one more.
    assert len(HANDS) == 138 - 8 + 1
    assert WORDS[0] == "A"
    assert "A-10" in WORDS


# Random rounds.


@pytest.mark.parametrize("decks", [0, 1, 6, 12])
@pytest.mark.parametrize("lane", range(rounds.LANES))
def test_words_become_cards_as_by_division(decks: int, lane: int) -> None:
    below = rounds.below(decks, lane)
    top = (1 << 64) // below * below - 1
    words = [0, 1, below - 1, below, top, top - 1, 40**3, 1 << 53, (1 << 63) - 1, 1 << 63]
    words += [int(w) for w in streams.fair_words(9, 0, below, lane)[:2000]]
    half = int(rounds.sizes(decks)[0][rounds.LANES * rounds.PER_WORD + lane]) * 2
    words += [w + d for w in (half * 1000, half * (top // half)) for d in (-1, 0)]
    divided = rounds.sizes(decks)
    picks = np.zeros(21, dtype=np.int64)
    for word in words:
        rounds.draw_word(np.uint64(word), lane, *divided, decks == 0, picks)
        for number in range(7 * lane, 7 * lane + 7):
            word, digit = divmod(word, 40 * decks - number if decks else 40)
            assert picks[number] == digit + (number if decks else 0)


@pytest.mark.parametrize("changes", [{}, {"decks": 1}, {"decks": 0}, {"dealer_stands_on": 7}])
def test_rounds_are_told_as_they_are_played(changes: dict[str, int | str]) -> None:
    analysis = analysed(**changes)
    game, best = game_of(analysis), analysis.strategies["optimal"]
    number, decks = 25, game.rules.decks
    one, two, three = (
        streams.fair_words(4, 0, rounds.below(decks, lane), lane)[:number] for lane in range(3)
    )
    ends, bonus = rounds.empty_ends(1), np.zeros((3, CODES), dtype=np.int64)
    chosen = game._lawful(best)[None, :]
    sizes, shares = rounds.sizes(decks)
    shoe, single, replaced = rounds.shoe_of(decks), rounds.SINGLE, decks == 0
    rounds.play_rounds(
        one,
        two,
        three,
        shoe,
        sizes,
        shares,
        replaced,
        game.rules,
        chosen,
        NEXT,
        single,
        ends,
        bonus,
    )
    assert np.array_equal(shoe, rounds.shoe_of(decks))
    told: dict[str, Counter[tuple[str | int, ...]]] = {s.name: Counter() for s in game.spaces}
    for index in range(number):
        cards = game.deal(4, index)
        if decks:
            assert max(Counter(cards).values()) <= decks
        for name, row in game.play(cards, {"main": best}).rows.items():
            told[name][tuple(row.values())] += 1
    tables = {"main": game._tabulate(ends[0], chosen[0])}
    tables |= {s.name: s.tabulate_codes(bonus[i]) for i, s in enumerate(game.bonuses)}
    for name, table in tables.items():
        rows = {tuple(table.row(i).values()): int(table.combinations[i]) for i in range(len(table))}
        assert rows == dict(told[name])


def test_a_told_round() -> None:
    analysis = analysed()
    cards = parse_cards("2h 3d 4c 5c 6c 7c 8c 3s 9h 5s 10d 10h 10s")
    told = analysis.game.play(cards, {"main": analysis.strategies["optimal"]})
    main = told.rows["main"]
    assert (main["player_total"], main["player_bust"]) == (14, 1)  # 2-3-9
    assert (main["dealer_total"], main["dealer_cards"]) == (8, 2)  # 3-5
    assert main["better"] == "dealer"
    assert any("over ten" in step for step in told.steps)
    assert told.rows["player-five"]["category"] == "high card"  # 2 3 9 4 5
    assert told.rows["dealer-five"]["category"] == "three of a kind"  # 3 5 10 10 10


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


def test_build_refuses_nothing_that_the_spec_allows() -> None:
    for decks in (0, 1, 12):
        assert build(SPEC.under({"decks": decks})).spaces[0].deals > 0
