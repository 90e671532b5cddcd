"""Punto Banco: two hands drawn by a fixed tableau; nobody decides anything."""

from __future__ import annotations

from collections.abc import Mapping

from engine.contract.game import Game, RuleSpec, RuleValue
from engine.games.punto_banco.rules import Rules

RULE_SPECS = (RuleSpec("decks", low=1, high=12),)


def build(rule_values: Mapping[str, RuleValue]) -> Game:
    """Make Punto Banco under one setting of its rules."""
    from engine.games.punto_banco.game import PuntoBanco

    return PuntoBanco(Rules.of(rule_values))
