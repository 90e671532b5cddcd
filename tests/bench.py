"""Measure the speeds that the project promises: ``make bench``.

Every line gives the best of several runs on one core, and what was promised. Nothing fails here:
machines differ. Ratios are taken side by side on the same machine.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from statistics import median

from engine.analysis.analysis import Analysis, analyse
from engine.analysis.binding import bind, make_game
from engine.cards import streams
from engine.spec.loading import catalogue, load_spec
from tests.games.punto_banco_tables import PAIRS, POINTS_ONLY

ROOT = Path(__file__).parents[1]
PROGRAM = str(Path(sys.executable).with_name("dealproof"))
BET = """[[wagers]]
name = "pair"
title = "Pair of values"
space = "starts"
events = [
  { event = "pair", when = "player_low = player_high", pays = "5 to 1" },
  { event = "other", when = "true", pays = "lose" },
]
"""


def best(work: Callable[[], object], runs: int = 7) -> float:
    """Least CPU seconds of a few runs, after one that warms up."""
    work()
    result = []
    for _ in range(runs):
        start = time.process_time()
        work()
        result.append(time.process_time() - start)
    return min(result)


def clock(*arguments: str, runs: int = 5) -> float:
    """Median wall seconds of a command."""
    result = []
    for _ in range(runs):
        start = time.perf_counter()
        subprocess.run([PROGRAM, *arguments], check=True, capture_output=True)
        result.append(time.perf_counter() - start)
    return median(result)


def say(what: str, measured: str, promised: str) -> None:
    """Print one line of the table."""
    print(f"{what:<58} {measured:>22}   {promised}", flush=True)


def fu_bacc() -> None:
    """Fu Bacc's three methods."""
    spec = load_spec("fu-bacc")
    game = make_game(spec)[0]
    main = game.space("main")
    tables = Analysis(bind(spec)).tables
    enumerate_ = best(lambda: main.enumerate(0, main.starts))
    solve = best(lambda: Analysis(bind(spec), tables).results)
    say("Fu Bacc enumerated, whole", f"{1e3 * enumerate_:.0f} ms", "")
    say("Fu Bacc: 5 strategies solved, 7 wagers priced", f"{1e3 * solve:.0f} ms", "")
    say("Fu Bacc enumerated and solved", f"{1e3 * (enumerate_ + solve):.0f} ms", "≤ 50 ms")
    part = best(lambda: main.exhaust(0, 3000), runs=3)
    rate = main.deals_in(0, 3000) / part
    say("Fu Bacc exhaust, every action", f"{rate / 1e6:,.0f} M deals/s", "")
    say(
        "Fu Bacc exhaust, all 7,329,067,200 (from the rate)",
        f"{main.deals / rate:.1f} core s",
        "≤ 45",
    )
    rounds = 8 * streams.BLOCK / best(lambda: game.simulate(0, 8, 7), runs=3)
    say("Fu Bacc simulate", f"{rounds / 1e6:.1f} M rounds/s", "≥ 20")


def baccarat() -> None:
    """Punto Banco and Red/Green: tables by the columns asked for, and rounds from shoes."""
    punto = load_spec("punto-banco")
    for decks in (1, 8, 12):
        main = make_game(punto.under({"decks": decks}))[0].space("main")
        spent = best(lambda main=main: main.enumerate(0, main.starts, wanted=POINTS_ONLY))  # type: ignore[misc]
        say(f"Punto Banco, points, {decks} decks", f"{1e3 * spent:.1f} ms", "≤ 20 ms")
    main = make_game(punto)[0].space("main")
    for what, columns in (("points and pairs", PAIRS), ("every column", None)):
        spent = best(lambda columns=columns: main.enumerate(0, main.starts, wanted=columns), 3)  # type: ignore[misc]
        say(f"Punto Banco, {what}", f"{1e3 * spent:,.0f} ms", "≤ 2,000 ms")
    green = make_game(load_spec("red-green"))[0]
    for name, promised in (("main", "≤ 200 ms"), ("bonus", "≤ 1,000 ms")):
        space = green.space(name)
        spent = best(lambda space=space: space.enumerate(0, space.starts), 3)  # type: ignore[misc]
        say(f"Red/Green, {name}", f"{1e3 * spent:.0f} ms", promised)
    for text, game, wanted, promised in (
        ("Punto Banco, main bets", make_game(punto)[0], frozenset({"winner"}), "≥ 10"),
        ("Red/Green, main bets", green, frozenset({"front", "back"}), ""),
        ("Red/Green, both spaces", green, None, ""),
    ):
        spent = best(lambda g=game, w=wanted: g.simulate(0, 4, 7, wanted=w), 3)  # type: ignore[misc]
        say(f"{text}, simulated", f"{4 * streams.BLOCK / spent / 1e6:.1f} M rounds/s", promised)


def games() -> None:
    """Every game of the catalogue: enumerate, solve and price all wagers."""
    for name in catalogue():
        spec = load_spec(name)
        seconds = best(lambda spec=spec: analyse(spec).results, runs=3)  # type: ignore[misc]
        say(f"{name}: enumerated, solved, priced", f"{1e3 * seconds:,.0f} ms", "")


def commands() -> None:
    """The command line."""
    say("dealproof --help", f"{clock('--help'):.2f} s", "≤ 0.5 s")
    with tempfile.TemporaryDirectory() as folder:
        bet = Path(folder) / "bet.toml"
        bet.write_text(BET)
        clock("price", "fu-bacc", str(bet), runs=1)
        say(
            "dealproof price fu-bacc bet.toml",
            f"{clock('price', 'fu-bacc', str(bet)):.2f} s",
            "≤ 2 s",
        )
        suits = str(ROOT / "data" / "wagers" / "punto-banco" / "cards.toml")
        clock("price", "punto-banco", suits, "--wager", "player-flush", runs=1)
        spent = clock("price", "punto-banco", suits, "--wager", "player-flush")
        say("dealproof price punto-banco, a bet on suits", f"{spent:.2f} s", "≤ 2 s")
        spent = clock("strategy", "bacc-plus-3", "Ks Kh 9d 4c 2s", "--side", "tie=0.5")
        say("dealproof strategy bacc-plus-3, one hand, --side tie", f"{spent:.2f} s", "≤ 1 s")
        store = str(Path(folder) / "results")
        start = time.perf_counter()
        subprocess.run(
            [PROGRAM, "certify", "fu-bacc", "--store", store], check=True, capture_output=True
        )
        say(
            "dealproof certify fu-bacc, new store", f"{time.perf_counter() - start:.1f} s", "≤ 60 s"
        )


if __name__ == "__main__":
    fu_bacc()
    baccarat()
    games()
    commands()
