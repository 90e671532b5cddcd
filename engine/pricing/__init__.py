"""From tables to prices: which event settles a row, for how much, and every statistic."""
