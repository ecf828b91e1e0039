"""What the Hugging Face hub says of a file.

The hub's own library is asked (`get_hf_file_metadata`), since it knows renamed pages, gated pages and
checksums. Its telemetry is off, and no account is sent unless one is given (promise X1).
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

import httpx2

from innerlife.adapters.models.catalogue import HubFile
from innerlife.errors import BadInput, ModelUnavailable

_SHA256: Final = re.compile(r"[0-9a-f]{64}")


@dataclass(frozen=True, slots=True)
class Listing:
    """What the hub says of a file: where to get it, its checksum, its size in bytes, its revision."""

    url: str
    sha256: str
    size: int
    revision: str


def look_up(wanted: HubFile, endpoint: str | None, token: str | None) -> Listing:
    """Ask the hub about a file. Raises ModelUnavailable, BadInput."""
    # Imported here: it costs 0.2 s, and only the few who fetch a model need it.
    from huggingface_hub import constants, errors, get_hf_file_metadata, hf_hub_url  # noqa: PLC0415

    # The library reads its switch when it is imported, which something else may have done before.
    constants.HF_HUB_DISABLE_TELEMETRY = True
    base = endpoint.rstrip("/") if endpoint else None
    what = f"{wanted.repo}/{wanted.file}"
    try:
        url = hf_hub_url(wanted.repo, wanted.file, endpoint=base)
        found = get_hf_file_metadata(url, token=token or False, endpoint=base)
    except errors.HFValidationError as failure:
        raise BadInput(
            f"{wanted.repo} is no name of a page on the hub", "It reads owner/repo/file.gguf"
        ) from failure
    except errors.GatedRepoError as failure:
        raise ModelUnavailable(
            f"{wanted.repo} asks for your consent before it gives its files",
            "Give it on the model's page, then set HF_TOKEN; or take another model",
        ) from failure
    except errors.HfHubHTTPError as failure:
        raise refusal(failure.response.status_code, what) from failure
    except (httpx2.TransportError, errors.OfflineModeIsEnabled) as failure:
        raise ModelUnavailable(
            f"the model hub at {base or constants.ENDPOINT} cannot be reached",
            "Check the network and try again; all else works without it",
        ) from failure
    if not found.etag or not _SHA256.fullmatch(found.etag) or not found.size:
        raise ModelUnavailable(
            f"the hub gives no checksum for {what}, so it could not be checked", "Take another model"
        )
    revision = found.commit_hash or "main"
    pinned = hf_hub_url(wanted.repo, wanted.file, revision=revision, endpoint=base)
    return Listing(pinned, found.etag, found.size, revision)


def refusal(status: int, what: str) -> ModelUnavailable:
    """The error for an answer of the hub that is neither the file nor its description."""
    if status in {401, 403, 404}:
        return ModelUnavailable(
            f"the hub has no file {what} that everyone may fetch",
            "Check the spelling on its page; for a private one set HF_TOKEN",
        )
    return ModelUnavailable(f"the hub answered {status} when asked for {what}", "Try again later")
