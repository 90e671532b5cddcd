"""Finding strategies: the optimum, and the best under coarser information."""
