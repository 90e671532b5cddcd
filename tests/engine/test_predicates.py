"""The guard: what may stand in a predicate, and how refusals are worded."""

from __future__ import annotations

import re

import numpy as np
import pytest

from engine.errors import DealproofError
from engine.grammar import Scope
from engine.predicates import guard, mask
from engine.tables import Table, integer, word

TABLE = Table.of(
    (
        integer("total", "a total", 0, 9),
        word("winner", "who", "player", "banker", "tie"),
        integer("high", "a rank", 10, 14),
        word("colour", "of a card", "red", "black"),
    ),
    {
        "total": np.arange(10),
        "winner": np.arange(10) % 3,
        "high": 10 + np.arange(10) % 5,
        "colour": np.arange(10) % 2,
    },
    np.ones(10, dtype=np.int64),
)
RULES: dict[str, int | str] = {"decks": 8, "commission": "none"}


SCOPE = Scope(TABLE.features, RULES)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("total >= 7", [7, 8, 9]),
        ("winner = 'tie' and total between 3 and 8", [5, 8]),
        ("total in (1, 2) or not winner <> 'player'", [0, 1, 2, 3, 6, 9]),
        ("case when total = 4 then true else false end", [4]),
        ("abs(total - 5) <= 1 and least(total, 5) = 5", [5, 6]),
        ("greatest(total, 8) = 9", [9]),
        ("total % 4 = 1 and total // 2 = 2", [5]),
        ("case when total > 0 then 8 // total = 2 else false end", [3, 4]),
        ("total between 8 and 12 or total between -5 and 0", [0, 8, 9]),
        ("total >= 0 and total < 1", [0]),
        ("total < 12.5 and total > 8.5", [9]),
        ("total = 1.0", [1]),
        ("high - 10 = total and total <= high", [0, 1, 2, 3, 4]),
        ("(total = 1) = (winner = 'banker') and winner <> 'tie'", [0, 1, 3, 6, 9]),
        ("case total when 3 then 'a' else 'b' end = 'a'", [3]),
        ("decks > 8 or commission = 'half' or total = 2", [2]),
        ("decks = 8 and total + 1 = 3 * 2", [5]),
        ("commission = 'none' and total = 0", [0]),
        ("winner = 'tie' and decks > 8", []),
        ("'--' = '--' and total = 1", [1]),
        ("winner = 'tie' or ') or (' = 'x'", [2, 5, 8]),
        ("(total = 1) or (total = 2)", [1, 2]),
        ('"total" = 3', [3]),
    ],
)
def test_rows_chosen_by_hand(text: str, expected: list[int]) -> None:
    assert np.flatnonzero(mask(guard(text, SCOPE), TABLE, RULES)).tolist() == expected


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("(select 1) = 1", "subquery"),
        ("exists(select 1)", "subquery"),
        ("total in (select 1)", "subquery"),
        ("random() > 0.5", "function random"),
        ("getenv('HOME') = 'x'", "function getenv"),
        ("read_text('/etc/passwd') = 'x'", "function read_text"),
        ("current_setting('threads') = '1'", "function current_setting"),
        ("sum(total) over () > 1", "window"),
        ("count(*) > 1", "function count"),
        ("total = 1; select 2", "';'"),
        ("total = 1 -- and more", "comment"),
        ("total = 1 /* and */", "comment"),
        ("true) as x, (1", "list"),
        ("true) from x where (true", "not an expression"),
        ("total::int = 1", "cast"),
        ("total = ?", "parameter"),
        ("total like '1'", "function ~~"),
        ("TOTAL = 1", "did you mean 'total'"),
        ("winner = 'Tie'", "did you mean 'tie'"),
        ("total in ()", "write IN (1, 2)"),
        ("total not in ()", "write IN (1, 2)"),
        ("total in [1]", "write IN (1, 2)"),
        ("contains('abc', 'a')", "function contains"),
        ("total > 9", "total is never > 9; allowed: 0 … 9"),
        ("total >= 10", "total is never >= 10; allowed: 0 … 9"),
        ("total < 0", "total is never < 0"),
        ("total <= -1", "total is never <= -1"),
        ("9 < total", "total is never > 9"),
        ("total = 8.5", "total is never 8.5; allowed: 0 … 9"),
        ("total <> 8.5", "total is never 8.5"),
        ("total in (1, 8.5)", "total is never 8.5"),
        ("total between 10 and 12", "total is never >= 10"),
        ("total between 8 and 3", "BETWEEN 8 AND 3 holds nowhere"),
        ("total not between -3 and -1", "total is never <= -1"),
        ("total = high", "total is never high; allowed: 0 … 9, and high is 10 … 14"),
        ("high < total", "high is never < total; allowed: 10 … 14, and total is 0 … 9"),
        ("winner = colour", "winner and colour have no word in common: player, banker, tie; red"),
        ("winner = total", "winner is a word and no number"),
        ("winner < total", "winner is a word and no number"),
        ("winner + 1 = 2", "winner is a word and no number"),
        ("decks = commission", "commission is a word and no number"),
        ("greatest(winner, 1) = 1", "winner is a word and no number"),
        ("case when total then 1 else 2 end = 1", "CASE WHEN: a condition is meant"),
        ("case when total = 1 then 1 else 'x' end = 1", "after every THEN and ELSE"),
        ("case when total = 1 then true end", "CASE needs an ELSE"),
        ("not " * 300 + "true", "nested too deeply; allowed: 100 levels"),
        ("not " * 2000 + "true", "nested too deeply; allowed: 100 levels"),
        ("(" * 5000 + "true" + ")" * 5000, "nested too deeply"),
        ("5 // total = 1", "division by zero where total = 0; reckon in CASE WHEN total <> 0"),
        ("5 % (total - 7) = 1", "division by zero where total = 7; reckon in CASE WHEN divisor"),
        ("total // 0 = 1", "division by zero"),
        ("1 // 0 = 1", "division by zero; reckon in CASE WHEN"),
        ("total * 999999999999999999 * 99 > 1", "a number of more than 18 digits where total = "),
        ("total = 1 collate nocase", "collate"),
        ("[1][1] = total", "ARRAY_EXTRACT"),
        ("total / 2 = 1", "function /"),
        ("x -> x", "lambda"),
        ("t.total = 1", "column 't.total'"),
        ("totals = 1", "did you mean 'total'"),
        ("winner = 'bank'", "did you mean 'banker'"),
        ("winner in ('tie', 'nobody')", "winner is never 'nobody'"),
        ("total = 'seven'", "total is an integer"),
        ("total", "not true or false"),
        ("total >", "not an expression"),
        ("total = 8) or (total = 9", "not an expression by itself"),
        ("total = 8) or (true", "not an expression by itself"),
        ("total = 8\n) or (\ntotal = 9", "not an expression by itself"),
        ("(total = 8)) or ((total = 9)", "not an expression by itself"),
        ("true) and not (false", "not an expression by itself"),
        ("1) in (1", "not an expression by itself"),
        ("from total", "not an expression by itself"),
        ("total), (true", "list"),
        ("total = 1 from b", "not an expression"),
        ("total = 1 as x", "not an expression"),
        ("total = 1 union select true", "not an expression"),
        ("distinct total = 1", "not an expression"),
        (r"winner = E'tie\') or (\'tie'", "winner is never"),
        (r"winner = E'tie\'') or ('tie' = winner", "not an expression"),
        ("winner = $$tie') or ('tie$$", "winner is never"),
        ("$$'$$ = winner) or ('tie' = winner", "not an expression by itself"),
        ('"total) or (total" = 1', "column 'total) or (total' is not known"),
        ("winner = 'tie", "not an expression"),
        ("", "empty"),
    ],
)
def test_everything_else_is_refused_by_name(text: str, told: str) -> None:
    with pytest.raises(DealproofError) as refused:
        mask(guard(text, SCOPE), TABLE, RULES)
    assert told in str(refused.value)
    assert "\n" not in str(refused.value)
    assert not re.search("SET |TRY|cast", str(refused.value)) or told == "cast"


def test_names_of_columns_and_rules_are_found() -> None:
    found = guard("winner = 'tie' and decks = 8", Scope(TABLE.features, RULES))
    assert found.names == ("decks", "winner")


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("player = 9 AND 1", "comparison is meant"),
        ("player = 9 AND 'yes'", "comparison is meant"),
        ("NOT player", "comparison is meant"),
        ("(player = 9) = 1", "no number"),
        ("least(player, '9') = 9", "'9' is no number"),
        ("player * 10000000000000000000000000000000000000000 > 1", "18 digits"),
        ("player = 9e0", "not allowed|18 digits"),
    ],
)
def test_nothing_is_cast_in_silence(text: str, told: str) -> None:
    scope = Scope((integer("player", "", 0, 9),), {})
    with pytest.raises(DealproofError, match=told):
        guard(text, scope)
