"""Binding a spec, and working out what is asked of it: tables, strategies, prices, one round."""
