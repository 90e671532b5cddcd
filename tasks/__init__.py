"""The work: partitions, the store, checks, certificates and reports."""
