"""Who may open which profile (promises C8, P7): a pure rule over what a request shows.

While there is only one profile, nothing is asked: whoever reaches the loopback port is its person. Once there is
a second one, a profile opens only with a key that may open it. Keys of ours begin `il-`; all others belong to the
engine and are none of our business.
"""

from __future__ import annotations

import hashlib
import hmac
from dataclasses import dataclass
from typing import Final

from innerlife.errors import NotFound, ProfileClosed, Refused

PREFIX: Final = "il-"
DEFAULT_PROFILE: Final = "default"
FICTION: Final = "fiction"
"""A reserved profile name: the default profile, and what is said is never taken for the user's life (P13)."""


@dataclass(frozen=True, slots=True)
class AccessKey:
    """A key as it is kept: the SHA-256 of it in hex, never the key. `created` is an ISO instant."""

    name: str
    digest: str
    profiles: tuple[str, ...]
    created: str


@dataclass(frozen=True, slots=True)
class AccessBook:
    """All keys, and the names of all profiles; `served` is the one for requests that name none, and is among them."""

    keys: tuple[AccessKey, ...] = ()
    profiles: frozenset[str] = frozenset({DEFAULT_PROFILE})
    served: str = DEFAULT_PROFILE


@dataclass(frozen=True, slots=True)
class Asked:
    """What a request shows: a key of ours, the profile header, the profile suffixes of the model's name."""

    key: str = ""
    header: str = ""
    suffixes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Admission:
    """A profile that is open to the request. `keyed` says that a key vouches for what its headers claim."""

    profile: str
    fiction: bool = False
    keyed: bool = False


def digest_of(key: str) -> str:
    """What is kept of a key. Keys are 32 random bytes, so a plain hash cannot be searched."""
    return hashlib.sha256(key.encode("utf-8", "surrogateescape")).hexdigest()


def known_key(book: AccessBook, key: str) -> AccessKey | None:
    """The entry of a key that was given out and not revoked."""
    digest = digest_of(key)
    return next((entry for entry in book.keys if hmac.compare_digest(entry.digest, digest)), None)


def split_model(model: str, profiles: frozenset[str]) -> tuple[str, tuple[str, ...]]:
    """A model's name without the profile suffixes behind it, and those suffixes.

    An `@` that no profile's name follows belongs to the model's own name and stays.
    """
    suffixes: list[str] = []
    while "@" in model:
        name, _, suffix = model.rpartition("@")
        # Some clients put a tag behind every name that has none.
        bare = suffix.removesuffix(":latest")
        if not name or (bare not in profiles and bare != FICTION):
            break
        suffixes.insert(0, bare)
        model = name
    return model, tuple(suffixes)


def check_key(book: AccessBook, key: str) -> AccessKey | None:
    """The entry of the key shown, None where none is shown. Raises Refused for a key that is not known."""
    if not key:
        return None
    entry = known_key(book, key)
    if entry is None:
        raise Refused(
            "This Innerlife key is not known or was revoked",
            "`innerlife profile key add PROFILE` makes another, PROFILE being the name of the profile",
        )
    return entry


def admit(book: AccessBook, asked: Asked) -> Admission:
    """The profile that a request opens.

    Raises Refused (a key is needed or not known), ProfileClosed (the key does not open it), NotFound (no such
    profile).
    """
    named = [name for name in (asked.header, *asked.suffixes) if name]
    fiction = FICTION in named
    wanted = {name for name in named if name != FICTION}
    if len(wanted) > 1:
        raise ProfileClosed(
            "The request names two profiles", "Name one, in the header or behind the model's name"
        )
    entry = check_key(book, asked.key)
    profile = next(iter(wanted), "")
    if entry is None and len(book.profiles) > 1:
        raise Refused(
            "There are several profiles here, so a profile opens only with a key",
            "`innerlife profile key add PROFILE` makes one, PROFILE being the name of the profile; "
            "give it to the chat program as its API key",
        )
    if entry is None:
        # Only what is there: a second profile that came to be by its name alone would shut the first one's door.
        if profile and profile not in book.profiles:
            raise _unknown(profile)
        return Admission(profile or book.served, fiction)
    return Admission(_opened(book, entry, profile), fiction, keyed=True)


def _opened(book: AccessBook, entry: AccessKey, profile: str) -> str:
    if profile:
        if profile not in entry.profiles:
            raise ProfileClosed(
                f"The key {entry.name!r} does not open the profile {profile!r}",
                "Use a key that was made for it, or leave the profile out",
            )
        return _existing(book, profile)
    for usual in (book.served, DEFAULT_PROFILE):
        if usual in entry.profiles:
            return _existing(book, usual)
    if len(entry.profiles) == 1:
        return _existing(book, entry.profiles[0])
    raise ProfileClosed(
        f"The key {entry.name!r} opens several profiles and the request names none",
        "Name one in the header X-Innerlife-Profile, or behind the model's name: MODEL@PROFILE",
    )


def _existing(book: AccessBook, profile: str) -> str:
    # The default profile is made when it is first used.
    if profile in book.profiles or profile == DEFAULT_PROFILE:
        return profile
    raise _unknown(profile)


def _unknown(profile: str) -> NotFound:
    return NotFound(f"There is no profile {profile!r}", "`innerlife profile list` names those there are")
