"""Double Ace: drawing does not bias the bonus, as the certificate's check proves it."""

from __future__ import annotations

from math import comb, perm, prod

import pytest

from engine.analysis.analysis import analyse
from engine.games.double_ace.holdings import advised
from engine.games.double_ace.rules import VALUES, Rules, Shoe
from engine.games.double_ace.unbiased import (
    _differing,
    claim,
    dealer_draws,
    plain,
    player_draws,
)
from engine.spec.loading import load_spec
from tasks.certificate import checks

ADVISED = advised().tolist()


def test_draws_worked_by_hand() -> None:
    # Doubles an ace, hits 6 or less, stands on 7 or more; two aces end the hand.
    drawn = player_draws(ADVISED)
    assert drawn[7,] == 1
    assert (6,) not in drawn
    assert drawn[1, 6] == 2  # an ace doubled; a six hit
    assert drawn[1, 1] == 1
    assert drawn[2, 6] == 2  # 2-6 and 6-2
    assert drawn[1, 2, 6] == 1  # 2-A-6 only: an ace first is doubled, and 6-A or 2-6 stands
    six = {hand: orders for hand, orders in drawn.items() if len(hand) == 6}
    assert six == {tuple(sorted((1, 1, 1, 1, 2, value))): 1 for value in VALUES}
    # The dealer draws to 5 or less, and stands on two aces.
    theirs = dealer_draws(Rules(), 5)
    assert (theirs[6,], theirs[1, 5], theirs[1, 1]) == (1, 2, 1)
    assert theirs[1, 2, 3] == 6  # in any order


def test_plain_sets_are_all_deals() -> None:
    sets = plain(5)
    assert len(sets) == comb(14, 5)
    assert sum(sets.values()) == 10**5
    shoe = Shoe.of(6)
    ways = (
        orders * prod(shoe.ways(value, hand.count(value)) for value in VALUES)
        for hand, orders in sets.items()
    )
    assert sum(ways) == perm(240, 5)


@pytest.mark.parametrize("decks", [0, 1, 6, 12])
def test_no_set_of_ranks_is_more_likely_for_drawing(decks: int) -> None:
    result = claim(Rules(decks=decks), {"advised": ADVISED}, True)
    assert result.holds
    assert result.evidence["sets"] == {"5": comb(14, 5), "6": comb(15, 6)}


def test_a_bias_is_found() -> None:
    nobody: dict[tuple[int, ...], int] = {(): 1}
    drawn = dict(player_draws(ADVISED, 5))
    assert _differing(drawn, 5, Shoe.of(6), nobody) == 0
    # Without the hand that goes on to a sixth card, four aces and a two come less often.
    assert drawn.pop((1, 1, 1, 1, 2)) == 1
    assert _differing(drawn, 5, Shoe.of(6), nobody) == 1
    # Rounds in which the player drew a seven are missing: every set of the dealer's is rarer.
    before = dict(player_draws(ADVISED))
    theirs = dealer_draws(Rules(), 5)
    assert _differing(theirs, 5, Shoe.of(6), before) == 0
    assert before.pop((7,)) == 1
    assert _differing(theirs, 5, Shoe.of(6), before) == comb(14, 5)


def test_the_certificate_has_the_check() -> None:
    (check,) = checks.claims(analyse(load_spec("double-ace")))
    assert (check.name, check.required, check.verdict) == ("unbiased", True, "pass")
    assert check.evidence["differing"] == 0
    assert "optimal" in check.coverage
    assert "2,002 sets of five ranks and 5,005 of six" in check.coverage
