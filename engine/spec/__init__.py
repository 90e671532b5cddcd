"""A game as text: its model, reading and validating it, pay-offs, expressions."""
