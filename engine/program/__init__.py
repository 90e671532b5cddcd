"""A spec bound to its game: what every later step asks, and strategies in words."""
