"""Cards: the deck, drawing from a shoe, random streams, and the values of hands."""
