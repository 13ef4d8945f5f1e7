"""The key of this program, which signs its letters: made at first use, in a private file of the data folder.

The library of keys is loaded at first use too: it takes as long as a few frames.
"""

from __future__ import annotations

import secrets
from contextlib import suppress
from pathlib import Path

from papan.game.base.places import atomic_file, data_folder, make_private_folder
from papan.game.base.sentences import SentenceError
from papan.game.base.untrusted import UnreadableError, quoted_path, read_file

FILE_NAME = "identity.key"
KEY_BYTES = 32
SIGNATURE_BYTES = 64
_MOST_BYTES = 200


class IdentityError(SentenceError, ValueError):
    """The key can't be read or made; the message says why."""


class Identity:
    """An Ed25519 key that signs."""

    def __init__(self, private: bytes) -> None:
        """:param private: 32 bytes, which nobody else may know."""
        from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

        self.private = private
        self._key = Ed25519PrivateKey.from_private_bytes(private)
        self.public = self._key.public_key().public_bytes_raw()

    @classmethod
    def new(cls) -> Identity:
        return cls(secrets.token_bytes(KEY_BYTES))

    def sign(self, content: bytes) -> bytes:
        return self._key.sign(content)


def is_signed(content: bytes, signature: bytes, public: bytes) -> bool:
    """Whether *signature* of *content* was made with the key whose public half is *public*; any bytes may be given."""
    from cryptography.exceptions import InvalidSignature
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

    try:
        Ed25519PublicKey.from_public_bytes(public).verify(signature, content)
    except (InvalidSignature, ValueError):
        return False
    return True


def own_identity(path: Path | None = None) -> Identity:
    """The identity in the file *path*, by default the user's; made if there is none.

    :raises IdentityError: the file is damaged, or can't be read or written.
    """
    path = path or data_folder() / FILE_NAME
    if not path.exists():
        _make(path)
    try:
        private = bytes.fromhex(read_file(path, _MOST_BYTES).decode("ascii"))
        if len(private) == KEY_BYTES:
            return Identity(private)
    except UnreadableError as error:
        raise IdentityError(str(error)) from error
    except ValueError:
        pass  # no hexadecimal digits
    raise IdentityError.saying(
        "{file}, the key that signs your letters, is damaged: restore it from a copy, or delete it and begin new "
        "matches by letter.",
        file=quoted_path(path),
    )


def _make(path: Path) -> None:
    """Write a new key to the file *path*, unless another window does so at the same time."""
    try:
        make_private_folder(path.parent)
        with suppress(FileExistsError), atomic_file(path, is_private=True) as file:
            file.write(Identity.new().private.hex().encode())
            if path.exists():
                raise FileExistsError
    except OSError as error:
        raise IdentityError.saying(
            "The key that signs your letters can't be written to {file}: {reason}.",
            file=quoted_path(path),
            reason=error.strerror or str(error),
        ) from error
