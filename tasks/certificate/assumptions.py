"""What every figure of a certificate rests on beside the rules, in words."""

from __future__ import annotations

from engine.analysis.analysis import Analysis
from engine.program.wording import listed

ALWAYS = (
    "Every round is dealt from a fresh shoe: all orders of its cards are equally likely.",
    "Bets are placed before the first card, apart from those that the rules call for in the round.",
    "No bet depends on cards seen in earlier rounds.",
    "The dealer plays by the rules as they are set here and makes no error.",
    "Every bet is paid in full as its pay table says, without rounding to chips or table limits.",
)
NO_DECISION = "The player decides nothing once the bets are placed."


def of(analysis: Analysis) -> list[str]:
    """The general assumptions, what the player knows, then those of the game itself."""
    program = analysis.program
    decided = {s.space.name: s.space.decision for s in program.strategies.values()}
    known = [decision.knows for decision in decided.values() if decision is not None]
    lines = list(ALWAYS)
    if known:
        lines.append(f"At a decision the player knows {listed(known)}, and no other card.")
        lines.append("Players neither see nor tell each other their cards: there is no collusion.")
        lines.append("The player follows the strategy named with each figure, without error.")
    else:
        lines.append(NO_DECISION)
    return [*lines, *analysis.spec.assumptions]
