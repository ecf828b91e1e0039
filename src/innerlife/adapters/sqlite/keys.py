"""The key record `core.keys`: a random data key (DEK), wrapped by a key from a file, the keyring or a passphrase.

AES-256-GCM wraps; Argon2id (RFC 9106, second recommended set) derives a key from a passphrase; HKDF-SHA256
separates the uses of the data key.
"""

from __future__ import annotations

import json
import secrets
from base64 import b64decode, b64encode
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, assert_never

import keyring
import keyring.errors
from argon2.low_level import Type, hash_secret_raw
from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

from innerlife.adapters.files import write_private
from innerlife.errors import BadInput, CoreCorrupted, CoreTooNew, KeyMissing, WrongKey

Method = Literal["file", "keyring", "passphrase"]
RECORD_VERSION = 1
KEY_BYTES = 32
KEYRING_NAME = "innerlife"
ARGON2 = {"time_cost": 3, "memory_cost": 65536, "parallelism": 4}


@dataclass(frozen=True, slots=True)
class Keys:
    """The separate keys made from one data key (32 bytes each)."""

    database: bytes
    blobs: bytes
    handles: bytes

    def __repr__(self) -> str:
        return "Keys(…)"


@dataclass(frozen=True, slots=True)
class KeyRecord:
    """What `core.keys` says: which Core, and how its key is wrapped. Holds no secret in the clear."""

    core_id: str
    method: Method
    wrapped: str
    salt: str

    def save(self, path: Path, *, exclusive: bool = False) -> None:
        """Write the record so that a crash leaves either the old one or the new one.

        Raises FileExistsError where `exclusive` and there is one.
        """
        fields = {"version": RECORD_VERSION, "core": self.core_id, "method": self.method}
        text = json.dumps(fields | {"wrapped": self.wrapped, "salt": self.salt, "argon2": ARGON2}, indent=1)
        write_private(path, text.encode(), exclusive=exclusive)


def read_record(path: Path) -> KeyRecord:
    """The record at `path`. Raises KeyMissing, CoreCorrupted, CoreTooNew."""
    try:
        fields: dict[str, Any] = json.loads(path.read_bytes())
        if fields["version"] > RECORD_VERSION:
            raise CoreTooNew(
                f"{path} was written by a newer Innerlife", "Update Innerlife to open this Core."
            )
        return KeyRecord(fields["core"], fields["method"], fields["wrapped"], fields["salt"])
    except FileNotFoundError:
        raise KeyMissing(f"{path} is missing, and without it the Core cannot be opened") from None
    except (ValueError, KeyError, TypeError) as error:
        raise CoreCorrupted(
            f"{path} is damaged and was left as it is", "Restore it from a backup."
        ) from error


def key_file(config: Path, core_id: str) -> Path:
    """Where the key of a Core lies by default: outside the home, so that a copy of the home is useless."""
    return config / "keys" / f"{core_id}.key"


def create(
    core_id: str, method: Method, config: Path, passphrase: str | None = None
) -> tuple[KeyRecord, bytes]:
    """A new data key and its record. Returns (record, data key). Raises BadInput without a passphrase."""
    return wrap(core_id, secrets.token_bytes(32), method, config, passphrase)


def wrap(
    core_id: str, data_key: bytes, method: Method, config: Path, passphrase: str | None = None
) -> tuple[KeyRecord, bytes]:
    """Wrap `data_key` under a fresh key of the method. Returns (record, data key)."""
    salt = secrets.token_bytes(16)
    match method:
        case "file":
            wrapping = secrets.token_bytes(32)
            write_private(key_file(config, core_id), wrapping.hex().encode())
        case "keyring":
            wrapping = secrets.token_bytes(32)
            try:
                keyring.set_password(KEYRING_NAME, core_id, wrapping.hex())
            except keyring.errors.KeyringError as error:
                raise KeyMissing(
                    "This system's keyring cannot be used", "Use a key file or a passphrase instead."
                ) from error
        case "passphrase":
            if not passphrase:
                raise BadInput("A passphrase is needed and may not be empty")
            wrapping = _derive(passphrase, salt)
        case _:
            assert_never(method)
    nonce = secrets.token_bytes(12)
    sealed = nonce + AESGCM(wrapping).encrypt(nonce, data_key, core_id.encode())
    return KeyRecord(core_id, method, b64encode(sealed).decode(), b64encode(salt).decode()), data_key


def unwrap(record: KeyRecord, config: Path, passphrase: str | None = None) -> bytes:
    """The data key. Raises KeyMissing, WrongKey, CoreCorrupted; changes nothing."""
    wrapping = _wrapping_key(record, config, passphrase)
    if len(wrapping) != KEY_BYTES:
        raise KeyMissing("What is kept as the key of this Core is no key", "Put the right one back.")
    try:
        sealed = b64decode(record.wrapped, validate=True)
        return AESGCM(wrapping).decrypt(sealed[:12], sealed[12:], record.core_id.encode())
    except InvalidTag:
        what = "The passphrase" if record.method == "passphrase" else "The key"
        raise WrongKey(f"{what} does not open this Core", "Nothing was changed.") from None
    except ValueError as error:
        raise CoreCorrupted(
            "core.keys is damaged and was left as it is", "Restore it from a backup."
        ) from error


def _wrapping_key(record: KeyRecord, config: Path, passphrase: str | None) -> bytes:
    match record.method:
        case "file":
            path = key_file(config, record.core_id)
            try:
                return bytes.fromhex(path.read_text("ascii"))
            except FileNotFoundError:
                raise KeyMissing(
                    f"The key file {path} is missing", "Put it back; without it this Core cannot be opened."
                ) from None
            except (OSError, ValueError) as error:
                raise KeyMissing(f"The key file {path} cannot be read") from error
        case "keyring":
            try:
                found = keyring.get_password(KEYRING_NAME, record.core_id)
            except keyring.errors.KeyringError as error:
                raise KeyMissing("This system's keyring cannot be used") from error
            if found is None:
                raise KeyMissing("The keyring of this system holds no key for this Core")
            try:
                return bytes.fromhex(found)
            except ValueError:
                return b""
        case "passphrase":
            if not passphrase:
                raise KeyMissing(
                    "This Core is locked with a passphrase", "Set INNERLIFE_PASSPHRASE to open it."
                )
            return _derive(passphrase, b64decode(record.salt))
        case _:
            assert_never(record.method)


def _derive(passphrase: str, salt: bytes) -> bytes:
    return hash_secret_raw(
        passphrase.encode("utf-8", "surrogatepass"), salt, hash_len=32, type=Type.ID, **ARGON2
    )


def keys_of(data_key: bytes) -> Keys:
    """The keys for each use."""
    return Keys(*(_expand(data_key, use) for use in (b"database", b"blobs", b"handles")))


def _expand(data_key: bytes, use: bytes) -> bytes:
    return HKDF(SHA256(), 32, None, b"innerlife/" + use).derive(data_key)
