"""Pay tables with an edge of one's choice, and short lists of rules."""
