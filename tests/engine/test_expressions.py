"""What may stand in an expression, what it comes to, and how refusals are worded."""

from __future__ import annotations

import re

import numpy as np
import pytest

from engine.exact.errors import DealproofError
from engine.exact.tables import Table, integer, word
from engine.spec.expressions import Domain, Scope, guard, mask

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
    ("text", "message"),
    [
        ("2--1 = total", "comment"),
        ("total = 1 == true", "comparisons cannot be chained"),
        ("1 < total < 3", "comparisons cannot be chained"),
        ("total between 1 and 2 in (true)", "comparisons cannot be chained"),
        ("1 + not true = 1", "put NOT and what it negates in brackets"),
        ("total = and", "expected a column, a literal or '(' after 'total =', not 'and'"),
        ("total = 1 total", "expected AND, OR, a comparison or the end after 'total = 1'"),
        ("case total when 1 then true end", "CASE needs an ELSE"),
        ("case else true end", "expected WHEN"),
        ("abs(total, 1) = 1", "abs takes one number, not 2"),
        ("abs() = 1", "expected a number for abs"),
        ("total // 0.5 = 1", "// divides whole numbers"),
        ("total is 1", "IS is not allowed"),
        ("total = null", "NULL is not allowed"),
        ("total || 'a' = 'b'", "'||' is not allowed"),
        ("total + high = 24", "total + high is never 24; allowed: 10 … 23"),
        ("abs(total - 4) > 5", "abs(total - 4) is never > 5; allowed: 0 … 5"),
        ("total = true", "total is an integer and never true"),
        ("case when total = 1 then 'a' else 'b' end = 'c'", "END is never 'c'"),
        ("0.0000000001 * 0.0000000001 * total < 1", "more than 18 decimals"),
        ("(select 1) = 1", "subquery"),
        ("exists(select 1)", "subquery"),
        ("total in (select 1)", "subquery"),
        ("random() > 0.5", "function random"),
        ("getenv('HOME') = 'x'", "function getenv"),
        ("read_text('/etc/passwd') = 'x'", "function read_text"),
        ("current_setting('threads') = '1'", "function current_setting"),
        ("sum(total) over () > 1", "function sum"),
        ("count(*) > 1", "function count"),
        ("total = 1; select 2", "';'"),
        ("total = 1 -- and more", "comment"),
        ("total = 1 /* and */", "comment"),
        ("true) as x, (1", "without its"),
        ("true) from x where (true", "not an expression"),
        ("total::int = 1", "cast"),
        ("total = ?", "parameter"),
        ("total like '1'", "LIKE is not allowed"),
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
        ("total between 8 and 3", "BETWEEN 8 AND 3 never holds"),
        ("total not between -3 and -1", "total is never <= -1"),
        ("total = high", "total is never high; allowed: 0 … 9, and high is 10 … 14"),
        ("high < total", "high is never < total; allowed: 10 … 14, and total is 0 … 9"),
        ("winner = colour", "winner and colour have no word in common: player, banker, tie; red"),
        ("winner = total", "winner is a word, not a number"),
        ("winner < total", "winner is a word, not a number"),
        ("winner + 1 = 2", "winner is a word, not a number"),
        ("decks = commission", "commission is a word, not a number"),
        ("greatest(winner, 1) = 1", "winner is a word, not a number"),
        ("case when total then 1 else 2 end = 1", "CASE WHEN: expected a condition"),
        ("case when total = 1 then 1 else 'x' end = 1", "after every THEN and ELSE"),
        ("case when total = 1 then true end", "CASE needs an ELSE"),
        ("not " * 300 + "true", "nested too deeply; allowed: 100 levels"),
        ("not " * 2000 + "true", "nested too deeply; allowed: 100 levels"),
        ("(" * 5000 + "true" + ")" * 5000, "nested too deeply"),
        ("5 // total = 1", "division by zero where total = 0; put it in CASE WHEN total <> 0"),
        ("5 % (total - 7) = 1", "division by zero where total = 7; put it in CASE WHEN divisor"),
        ("total // 0 = 1", "division by zero"),
        ("1 // 0 = 1", "division by zero; put it in CASE WHEN"),
        ("total * 999999999999999999 * 99 > 1", "a number of more than 18 digits where total = "),
        ("total = 1 collate nocase", "COLLATE is not allowed"),
        ("[1][1] = total", "write IN (1, 2)"),
        ("total / 2 = 1", "write // to divide whole numbers"),
        ("x -> x", "lambda"),
        ("t.total = 1", "name a column without its table"),
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
        ("from total", "FROM is not allowed"),
        ("total), (true", "without its"),
        ("total = 1 from b", "FROM is not allowed"),
        ("total = 1 as x", "AS is not allowed"),
        ("total = 1 union select true", "UNION is not allowed"),
        ("distinct total = 1", "DISTINCT is not allowed"),
        (r"winner = E'tie\') or (\'tie'", "'\\' is not allowed"),
        (r"winner = E'tie\'') or ('tie' = winner", "closing single quote"),
        ("winner = $$tie') or ('tie$$", "parameter ($) is not allowed"),
        ("$$'$$ = winner) or ('tie' = winner", "parameter ($) is not allowed"),
        ('"total) or (total" = 1', "column 'total) or (total' is not known"),
        ("winner = 'tie", "closing single quote"),
        ("", "empty"),
    ],
)
def test_everything_else_is_refused_by_name(text: str, message: str) -> None:
    with pytest.raises(DealproofError) as refused:
        mask(guard(text, SCOPE), TABLE, RULES)
    assert message in str(refused.value)
    assert "\n" not in str(refused.value)
    assert not re.search("SET |TRY|cast", str(refused.value)) or message == "cast"


def test_names_of_columns_and_rules_are_found() -> None:
    result = guard("winner = 'tie' and decks = 8", Scope(TABLE.features, RULES))
    assert result.names == ("decks", "winner")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("player = 9 AND 1", "expected a comparison"),
        ("player = 9 AND 'yes'", "expected a comparison"),
        ("NOT player", "player is an integer, 0 … 9"),
        ("(player = 9) = 1", "is a condition"),
        ("least(player, '9') = 9", "'9' is a word, not a number"),
        ("player * 10000000000000000000000000000000000000000 > 1", "18 digits"),
        ("player = 9e0", "not allowed|18 digits"),
    ],
)
def test_nothing_is_cast_in_silence(text: str, message: str) -> None:
    scope = Scope((integer("player", "", 0, 9),), {})
    with pytest.raises(DealproofError, match=message):
        guard(text, scope)


FLAGS = Table.of(
    (
        word("winner", "who", "player", "banker", "tie"),
        integer("player_pair", "1 if a pair, else 0", 0, 1),
        word("banker_natural", "a natural", "no", "yes"),
        integer("player_cards", "cards", 2, 3),
    ),
    {
        "winner": np.arange(12) % 3,
        "player_pair": np.arange(12) % 2,
        "banker_natural": np.arange(12) // 6,
        "player_cards": 2 + np.arange(12) % 2,
    },
    np.ones(12, dtype=np.int64),
)


@pytest.mark.parametrize(
    ("text", "sql"),
    [
        ("player_pair", "player_pair = 1"),
        ("not player_pair and banker_natural", "NOT player_pair = 1 AND banker_natural = 'yes'"),
        ("case when banker_natural then player_pair else 0 end = 1",
         "CASE WHEN banker_natural = 'yes' THEN player_pair ELSE 0 END = 1"),
        ("player_pair + 1 = 2", "player_pair + 1 = 2"),
        ("insured or (player_pair)", "insured = 1 OR player_pair = 1"),
    ],
)  # fmt: skip
def test_a_column_that_tells_yes_from_no_is_a_condition(text: str, sql: str) -> None:
    rules = {"insured": Domain(low=0, high=1)}
    scope = Scope(FLAGS.features, {"insured": 0}, {}, rules)
    assert guard(text, scope, "condition").sql() == sql


@pytest.mark.parametrize("text", ["player_cards", "winner", "not winner", "player_cards or true"])
def test_any_other_column_is_no_condition(text: str) -> None:
    with pytest.raises(DealproofError, match=r"write, for example, (player_cards = 3|winner = 't)"):
        guard(text, Scope(FLAGS.features, {}), "condition")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('winner = "banker"', "\"banker\" is not a column; write 'banker'"),
        ("winner = Banker", "Banker is not a column; write 'banker'"),
        ("'x' = 'x' and BANKER <> winner", "BANKER is not a column; write 'banker'"),
        ("winner in ('tie', bankr)", "bankr is not a column; write 'banker'"),
        ("case winner when player then true else false end", "write 'player'"),
        ('winner = "dealer"', "winner is never 'dealer'; allowed: banker, player, tie"),
        ("winner = wimmer", "column 'wimmer' is not known; did you mean 'winner'"),
        ("player_pair = true", "player_pair is an integer and never true: write player_pair = 1"),
    ],
)
def test_a_word_without_its_quotes_is_told_from_a_column(text: str, message: str) -> None:
    with pytest.raises(DealproofError, match=re.escape(message)):
        guard(text, Scope(FLAGS.features, {}))


RULED = Scope(
    FLAGS.features,
    {"commission": "none", "decks": 8, "seats": 6},
    {},
    {
        "commission": Domain.among(("none", "half", "five percent")),
        "decks": Domain(low=1, high=8),
        "seats": Domain.among((2, 4, 6)),
    },
)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("commission = 'nne'", "commission is never 'nne'; did you mean 'none'? allowed: five"),
        ("commission in ('half', 'nne')", "did you mean 'none'"),
        ("case commission when 'nne' then true else false end", "did you mean 'none'"),
        ("case when commission <> 'nne' then true else false end", "did you mean 'none'"),
        ("commission = none", "none is not a column; write 'none'"),
        ("decks = 9", "decks is never 9; allowed: 1 … 8"),
        ("decks > 8", "decks is never > 8; allowed: 1 … 8"),
        ("decks in (6, 0)", "decks is never 0; allowed: 1 … 8"),
        ("case decks when 9 then true else false end", "decks is never 9"),
        ("decks between 9 and 12", "decks is never >= 9"),
        ("seats = 5", "seats is never 5; allowed: 2, 4, 6"),
        ("seats = 3 + 2", "seats is never 3 + 2; allowed: 2, 4, 6"),
        ("player_cards > decks + 2", "player_cards is never > decks + 2; allowed: 2 … 3, and"),
        ("winner = commission", "winner and commission have no word in common"),
    ],
)
def test_what_a_rule_never_is_is_refused(text: str, message: str) -> None:
    with pytest.raises(DealproofError, match=re.escape(message)):
        guard(text, RULED)


def test_other_settings_of_a_rule_are_no_mistake() -> None:
    for text in ("decks = 1", "seats > 4", "commission = 'half'", "player_cards = decks"):
        assert guard(text, RULED, "condition").names
