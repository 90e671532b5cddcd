"""The mathematics of casino table games: enumeration, strategy, exact pricing, proof.

Nothing here knows about clusters, flows, files of results or the command line.
"""
