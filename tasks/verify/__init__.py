"""Verification: a certificate checked again, from its files, on another machine and path.

`findings` says what a step found; `evidence` finds the files and checks signature and digests;
`proof` reduces, prices and checks again; `anew` computes partitions again, cut otherwise.
"""

from tasks.verify.findings import Finding, Step
from tasks.verify.steps import verify

__all__ = ["Finding", "Step", "verify"]
