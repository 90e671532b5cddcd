"""`dealproof keys`: key pairs that certificates are signed with."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

EXAMPLE = """
Examples: dealproof keys new laboratory.pem
          dealproof certify fu-bacc --sign laboratory.pem
          dealproof verify results/certificates/fu-bacc-….json --key laboratory.pem.pub
"""


def command(
    action: Annotated[str, typer.Argument(metavar="new|show", help="Make a pair, or show one.")],
    path: Annotated[
        Path, typer.Argument(metavar="KEY", help="File of the private key; show: the public one.")
    ],
) -> None:
    """Make an ed25519 key pair, or tell the identifier of a public key.

    `new` writes the private key to KEY, which its owner alone may read, and the public one to
    KEY.pub. Neither is ever overwritten. The private key has no password: keep its file safe.
    """
    from engine.exact.errors import DealproofError, nearest
    from tasks.certificate import signature

    if action not in ("new", "show"):
        raise DealproofError(f"keys '{action}': {nearest(action, ('new', 'show'))}")
    if action == "show":
        print(f"{path}: ed25519, key identifier {signature.key_id(path)}")
        return
    private, public = signature.new_keys(path)
    print(f"private key  {private}  (keep it secret; sign with --sign {private})")
    print(f"public key   {public}  (give it to whoever verifies)")
    print(f"identifier   {signature.key_id(public)}")
