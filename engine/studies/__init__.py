"""Beside prices: readings, variants, two bets, ties, figures in print, explanations."""
