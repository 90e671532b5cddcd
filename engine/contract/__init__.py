"""What a game is to the rest: spaces and their deals, decisions, strategies, whole shoes."""
