"""Values of hands: the only thing that referees and enumerations share."""
