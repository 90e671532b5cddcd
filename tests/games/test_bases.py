"""In which deals a source can count: the bases of every space, by closed form."""

from __future__ import annotations

from math import comb, perm

import pytest

from engine.analysis.binding import make_game
from engine.spec.loading import load_spec

FOURTEEN = perm(240, 14)
#: Space → its bases with their deals, for the deck counts that the catalogue certifies.
BASES = {
    ("fu-bacc", "starts"): {
        "starts": comb(52, 2) * 50,
        "ordered deals": 52 * 51 * 50,
    },
    ("fu-bacc", "main"): {
        "ordered deals": comb(52, 2) * 50 * 49 * 48 * 47,
        "dealer's cards unordered": comb(52, 2) * 50 * 49 * comb(48, 2),
        "deals with the player's two cards in order": perm(52, 6),
    },
    **{
        (game, space): {
            "ordered deals": perm(416, 6),
            "deals of two cards each, unordered": comb(416, 2) * comb(414, 2) * 412 * 411,
        }
        for game in ("punto-banco", "dai-bacc")
        for space in ("main", "ranks")
    },
    **{
        (game, "first-four"): {
            "ordered deals": perm(416, 4),
            "deals of two cards each, unordered": comb(416, 2) * comb(414, 2),
            # Wizard of Odds, Lucky Nines and Jackpot Baccarat: 1,229,930,520.
            "hands of four cards": comb(416, 4),
            # Wizard of Odds, Majestic Match: 86,320.
            "hands of two cards": comb(416, 2),
        }
        for game in ("punto-banco", "dai-bacc")
    },
    ("red-green", "main"): {
        "deals": comb(364, 3) * comb(361, 3),
        "ordered deals": perm(364, 6),
    },
    ("red-green", "bonus"): {
        "hands": comb(364, 6),
        "deals of three and three cards": comb(364, 3) * comb(361, 3),
        "ordered deals": perm(364, 6),
    },
    ("double-ace", "main"): {"ordered deals of 14 cards": FOURTEEN},
    ("double-ace", "player-five"): {"hands": comb(240, 5), "ordered hands": perm(240, 5)},
    ("double-ace", "dealer-five"): {"hands": comb(240, 5), "ordered hands": perm(240, 5)},
    ("double-ace", "player-six"): {"hands": comb(240, 6), "ordered hands": perm(240, 6)},
    ("bacc-plus-3", "main"): {
        "deals": comb(52, 5) * comb(47, 5),
        "ordered deals": perm(52, 10),
    },
    ("bacc-plus-3", "poker"): {"hands": comb(52, 5), "ordered hands": perm(52, 5)},
}


@pytest.mark.parametrize("game", sorted({game for game, _ in BASES}))
def test_bases_by_closed_form(game: str) -> None:
    made = make_game(load_spec(game))[0]
    assert {s.name: dict(s.denominators) for s in made.spaces} == {
        space: bases for (name, space), bases in BASES.items() if name == game
    }
    for space in made.spaces:
        assert next(iter(space.denominators.values())) == space.deals


def test_six_own_cards_know_the_hands_of_five() -> None:
    spec = load_spec("double-ace").under({"long_hand": "best five"})
    bases = make_game(spec)[0].space("player-five").denominators
    assert bases == {
        "ordered deals of six cards": perm(240, 6),
        "hands": comb(240, 5),
        "ordered hands": perm(240, 5),
    }


def test_infinitely_many_decks_have_no_hands_of_cards() -> None:
    for space in make_game(load_spec("double-ace").under({"decks": 0}))[0].spaces:
        assert list(space.denominators.values()) == [space.deals]
