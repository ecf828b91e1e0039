"""The key record `core.keys`: a random data key (DEK), wrapped by a key from a file, the keyring or a passphrase.

AES-256-GCM wraps; Argon2id (RFC 9106, second recommended set) derives a key from a passphrase; HKDF-SHA256
separates the uses of the data key.
"""

from __future__ import annotations

import contextlib
import json
import secrets
from base64 import b64decode, b64encode
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Literal, assert_never, get_args

import keyring
import keyring.errors
from argon2.exceptions import HashingError
from argon2.low_level import Type, hash_secret_raw
from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

from innerlife.adapters.files import told, write_private
from innerlife.errors import (
    BadInput,
    CoreCorrupted,
    CoreTooNew,
    KeyFailed,
    KeyMissing,
    StorageFailed,
    WrongKey,
)
from innerlife.kernel.ids import is_id

Method = Literal["file", "keyring", "passphrase"]
RECORD_VERSION = 1
KEY_BYTES = 32
KEYRING_NAME = "innerlife"
SEALED_BYTES = 12 + KEY_BYTES + 16
"""A wrapped data key: nonce, key, tag."""

SALT_BYTES = 16
MOST_MEMORY_KIB = 1 << 22
"""4 GiB: a record that asks for more is damaged, or made to keep a machine from answering."""

MOST_ROUNDS = 1000
MOST_LANES = 255


@dataclass(frozen=True, slots=True)
class Cost:
    """What one guess at a passphrase costs: rounds, memory in KiB, lanes (RFC 9106)."""

    time_cost: int = 3
    memory_cost: int = 65536
    parallelism: int = 4


COST = Cost()
"""Of records that are written now. Each record says what it was made with, so a release may raise this."""


@dataclass(frozen=True, slots=True)
class Keys:
    """The separate keys made from one data key (32 bytes each): no key has two uses."""

    database: bytes
    blobs: bytes
    blob_names: bytes
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
    cost: Cost

    def save(self, path: Path) -> None:
        """Write the record so that a crash leaves either the old one or the new one. Raises StorageFailed."""
        fields: dict[str, Any] = {"version": RECORD_VERSION, "core": self.core_id, "method": self.method}
        fields |= {"wrapped": self.wrapped, "salt": self.salt, "argon2": asdict(self.cost)}
        write_private(path, json.dumps(fields, indent=1).encode())


def read_record(path: Path) -> KeyRecord:
    """The record at `path`, seen to be whole. Raises KeyMissing, CoreCorrupted, CoreTooNew, StorageFailed."""
    try:
        text = path.read_bytes()
    except FileNotFoundError:
        raise KeyMissing(f"{path} is missing, and without it the Core cannot be opened") from None
    except OSError as error:
        raise StorageFailed(
            f"{path} cannot be read ({error.strerror})", "Check the file's owner and permissions."
        ) from error
    try:
        fields: dict[str, Any] = json.loads(text)
        if fields["version"] > RECORD_VERSION:
            raise CoreTooNew(
                f"{path} was written by a newer Innerlife", "Update Innerlife to open this Core."
            )
        return _checked(fields)
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        raise CoreCorrupted(
            f"{path} is damaged and was left as it is", "Restore it from a backup."
        ) from error


def _checked(fields: dict[str, Any]) -> KeyRecord:
    """The record with these fields. Raises ValueError, KeyError or TypeError where it is damaged."""
    record = KeyRecord(
        fields["core"], fields["method"], fields["wrapped"], fields["salt"], Cost(**fields["argon2"])
    )
    cost = record.cost
    limits = (
        (cost.time_cost, 1, MOST_ROUNDS), (cost.parallelism, 1, MOST_LANES),
        (cost.memory_cost, 8 * cost.parallelism, MOST_MEMORY_KIB),
    )  # fmt: skip
    sound = (
        fields["version"] == RECORD_VERSION
        and is_id(record.core_id)
        and record.method in get_args(Method)
        and len(b64decode(record.wrapped, validate=True)) == SEALED_BYTES
        and len(b64decode(record.salt, validate=True)) == SALT_BYTES
        and all(type(number) is int and least <= number <= most for number, least, most in limits)
    )
    if not sound:
        message = "no record is written so"
        raise ValueError(message)
    return record


def key_file(config: Path, core_id: str) -> Path:
    """Where the key of a Core lies by default: outside the home, so that a copy of the home is useless."""
    return config / "keys" / f"{core_id}.key"


def create(
    core_id: str, method: Method, config: Path, passphrase: str | None = None
) -> tuple[KeyRecord, bytes]:
    """A new data key and its record. Returns (record, data key). Raises BadInput without a passphrase."""
    return wrap(core_id, secrets.token_bytes(KEY_BYTES), method, config, passphrase)


def wrap(
    core_id: str, data_key: bytes, method: Method, config: Path, passphrase: str | None = None
) -> tuple[KeyRecord, bytes]:
    """Wrap `data_key` under a fresh key of the method. Returns (record, data key)."""
    salt = secrets.token_bytes(SALT_BYTES)
    match method:
        case "file":
            wrapping = secrets.token_bytes(KEY_BYTES)
            write_private(key_file(config, core_id), wrapping.hex().encode())
        case "keyring":
            wrapping = secrets.token_bytes(KEY_BYTES)
            try:
                keyring.set_password(KEYRING_NAME, core_id, wrapping.hex())
            except keyring.errors.KeyringError as error:
                raise KeyMissing(
                    "This system's keyring cannot be used", "Use a key file or a passphrase instead."
                ) from error
        case "passphrase":
            if not passphrase:
                raise BadInput("A passphrase is needed and may not be empty")
            wrapping = _derive(passphrase, salt, COST)
        case _:
            assert_never(method)
    nonce = secrets.token_bytes(12)
    sealed = nonce + AESGCM(wrapping).encrypt(nonce, data_key, core_id.encode())
    wrapped = b64encode(sealed).decode()
    return KeyRecord(core_id, method, wrapped, b64encode(salt).decode(), COST), data_key


def unwrap(record: KeyRecord, config: Path, passphrase: str | None = None) -> bytes:
    """The data key. Raises KeyFailed; changes nothing."""
    wrapping = _wrapping_key(record, config, passphrase)
    if len(wrapping) != KEY_BYTES:
        raise KeyMissing("What is kept as the key of this Core is no key", "Put the right one back.")
    sealed = b64decode(record.wrapped)
    try:
        return AESGCM(wrapping).decrypt(sealed[:12], sealed[12:], record.core_id.encode())
    except InvalidTag:
        if record.method == "passphrase":
            raise WrongKey(
                "The passphrase does not open this Core",
                "Nothing was changed; try again, for there is no way back into this memory without it.",
            ) from None
        raise WrongKey("The key does not open this Core", "Nothing was changed.") from None


def discard(record: KeyRecord, config: Path) -> None:
    """Remove the key that a record is wrapped with, where it lies somewhere. Raises StorageFailed."""
    match record.method:
        case "file":
            path = key_file(config, record.core_id)
            with told(path):
                path.unlink(missing_ok=True)
        case "keyring":
            # One that is gone or cannot be reached any more opens nothing.
            with contextlib.suppress(keyring.errors.KeyringError):
                keyring.delete_password(KEYRING_NAME, record.core_id)
        case "passphrase":
            pass
        case _:
            assert_never(record.method)


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
            return _derive(passphrase, b64decode(record.salt), record.cost)
        case _:
            assert_never(record.method)


def _derive(passphrase: str, salt: bytes, cost: Cost) -> bytes:
    secret = passphrase.encode("utf-8", "surrogatepass")
    try:
        return hash_secret_raw(secret, salt, hash_len=KEY_BYTES, type=Type.ID, **asdict(cost))
    except HashingError as error:
        raise KeyFailed(
            f"The passphrase could not be made into a key ({error})",
            f"It takes {cost.memory_cost // 1024} MiB of free memory.",
        ) from error


def keys_of(data_key: bytes) -> Keys:
    """The keys for each use."""
    return Keys(*(_expand(data_key, use) for use in (b"database", b"blobs", b"blob names", b"handles")))


def _expand(data_key: bytes, use: bytes) -> bytes:
    return HKDF(SHA256(), KEY_BYTES, None, b"innerlife/" + use).derive(data_key)
