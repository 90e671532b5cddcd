"""The upper envelope of lines against a fine grid."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from engine.studies.joint import upper_envelope

LINES = st.lists(st.tuples(st.integers(-50, 50), st.integers(-50, 50)), min_size=1, max_size=10)


@given(LINES, st.integers(0, 400))
def test_the_line_held_is_the_highest(lines: list[tuple[int, int]], step: int) -> None:
    intercepts, slopes = zip(*lines, strict=True)
    pieces = upper_envelope(intercepts, slopes, [True] * len(lines))
    assert pieces[0][0] == 0
    assert all(a[0] <= b[0] for a, b in pairwise(pieces))
    t = Fraction(step, 20)
    values = [line for start, line in pieces if start <= t][-1]
    assert intercepts[values] + t * slopes[values] == max(a + t * b for a, b in lines)


@given(LINES)
def test_break_points_are_where_both_lines_meet(lines: list[tuple[int, int]]) -> None:
    intercepts, slopes = zip(*lines, strict=True)
    pieces = upper_envelope(intercepts, slopes, [True] * len(lines))
    for (_, before), (t, after) in pairwise(pieces):
        assert intercepts[before] + t * slopes[before] == intercepts[after] + t * slopes[after]
        assert slopes[after] > slopes[before]


def test_a_closed_line_is_never_held() -> None:
    assert upper_envelope([5, 0], [5, 0], [False, True]) == [(Fraction(0), 1)]
