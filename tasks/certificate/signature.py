"""Signatures: ed25519 in a DSSE envelope around the certificate, by `securesystemslib`.

The envelope's payload is the certificate's file, byte for byte. A private key is a PEM file that
its owner alone may read; nothing of it but the public key's identifier is ever written.
"""

from __future__ import annotations

import base64
import binascii
import json
import os
import stat
from pathlib import Path
from typing import TYPE_CHECKING, Any

from engine.exact.errors import DealproofError

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
    from securesystemslib.signer._crypto_signer import CryptoSigner
    from securesystemslib.signer._key import Key

PAYLOAD_TYPE = "application/vnd.in-toto+json"
#: Names the file of the private key that certificates are signed with.
VARIABLE = "DEALPROOF_SIGNING_KEY"


def new_keys(path: Path) -> tuple[Path, Path]:
    """Make a key pair: the private key at `path`, mode 0600, the public one at ``<path>.pub``.

    Raises DealproofError where either file exists or cannot be written.
    """
    from cryptography.hazmat.primitives import serialization
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

    public = path.with_name(f"{path.name}.pub")
    for file in (path, public):
        if file.exists():
            raise DealproofError(f"{file}: is there already; keys are never overwritten")
    key = Ed25519PrivateKey.generate()
    pem = key.private_bytes(
        serialization.Encoding.PEM,
        serialization.PrivateFormat.PKCS8,
        serialization.NoEncryption(),
    )
    _create(path, pem, 0o600)
    _create(public, _public_pem(key), 0o644)
    return path, public


def key_id(public: Path) -> str:
    """The identifier that signatures carry of a public key. Raises DealproofError."""
    return str(_public_key(public).keyid)


def signer(path: Path) -> CryptoSigner:
    """Read a private key that nobody else may read. Raises DealproofError in one line."""
    from securesystemslib.signer._crypto_signer import CryptoSigner

    return CryptoSigner(_private_key(path))


def asked_for() -> CryptoSigner | None:
    """The signer that the environment names; None where it names none. Raises DealproofError."""
    path = os.environ.get(VARIABLE)
    return signer(Path(path)) if path else None


def sign(payload: bytes, by: CryptoSigner) -> bytes:
    """Put a certificate's file into a signed envelope, as JSON."""
    from securesystemslib.dsse import Envelope

    envelope = Envelope(payload, PAYLOAD_TYPE, {})
    envelope.sign(by)
    return (json.dumps(envelope.to_dict(), indent=1) + "\n").encode()


def opened(envelope: bytes, public: Path | None) -> tuple[bytes, str]:
    """The payload of an envelope and the identifier of the key whose signature holds.

    Without a key nothing is checked, and the identifier is empty. Raises DealproofError where the
    file is no envelope, or the key has not signed exactly this payload.
    """
    from securesystemslib.dsse import Envelope
    from securesystemslib.exceptions import VerificationError

    try:
        raw: dict[str, Any] = json.loads(envelope)
        base64.b64decode(raw["payload"], validate=True)
        read = Envelope.from_dict(raw)
    except (ValueError, LookupError, TypeError, AttributeError, binascii.Error):
        raise DealproofError("not a DSSE envelope") from None
    if read.payload_type != PAYLOAD_TYPE:
        raise DealproofError(f"payloadType = '{read.payload_type}': allowed: {PAYLOAD_TYPE}")
    if public is None:
        return read.payload, ""
    key = _public_key(public)
    try:
        # Whoever signs may have named the key otherwise; what counts is that it verifies.
        for name, signature in read.signatures.items():
            key.keyid = name
            try:
                key.verify_signature(signature, read.pae())
            except Exception as error:  # each library under this one has errors of its own
                failure = error
                continue
            return read.payload, name
        raise failure if read.signatures else VerificationError("no signature")
    except Exception:
        raise DealproofError(f"the signature is not one by {public} of this payload") from None


def _private_key(path: Path) -> Ed25519PrivateKey:
    from cryptography.exceptions import UnsupportedAlgorithm
    from cryptography.hazmat.primitives import serialization
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

    try:
        mode = path.stat().st_mode
        if stat.S_IMODE(mode) & 0o077:
            raise DealproofError(f"{path}: others may read this private key; chmod 600 {path}")
        key = serialization.load_pem_private_key(path.read_bytes(), password=None)
    except OSError as error:
        raise DealproofError(f"{path}: {error.strerror or error}") from None
    except (ValueError, TypeError, UnsupportedAlgorithm):
        raise DealproofError(
            f"{path}: not a private key in PEM without password; see dealproof keys new"
        ) from None
    if not isinstance(key, Ed25519PrivateKey):
        raise DealproofError(f"{path}: not an ed25519 key; see dealproof keys new")
    return key


def _public_key(path: Path) -> Key:
    from cryptography.exceptions import UnsupportedAlgorithm
    from cryptography.hazmat.primitives import serialization
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
    from securesystemslib.signer._key import SSlibKey

    try:
        key = serialization.load_pem_public_key(path.read_bytes())
    except OSError as error:
        raise DealproofError(f"{path}: {error.strerror or error}") from None
    except (ValueError, UnsupportedAlgorithm):
        raise DealproofError(f"{path}: not a public key in PEM; see dealproof keys new") from None
    if not isinstance(key, Ed25519PublicKey):
        raise DealproofError(f"{path}: not an ed25519 key; see dealproof keys new")
    return SSlibKey.from_crypto(key)


def _public_pem(key: Ed25519PrivateKey) -> bytes:
    from cryptography.hazmat.primitives import serialization

    return key.public_key().public_bytes(
        serialization.Encoding.PEM, serialization.PublicFormat.SubjectPublicKeyInfo
    )


def _create(path: Path, data: bytes, mode: int) -> None:
    """Write a new file that has its permissions from the first byte on."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode)
        with os.fdopen(handle, "wb") as file:
            file.write(data)
    except OSError as error:
        raise DealproofError(f"{path}: {error.strerror or error}") from None
