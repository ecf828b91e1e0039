"""The embedded llama.cpp server, alone in a process of its own.

Started as `python -m innerlife.adapters.models.embedded_child` by `EmbeddedServer`, never by hand. The order
comes as one JSON line on standard input (see `Order`), because the arguments and the environment of a process
are easier to read for others than a pipe. The answer is one JSON line on standard output:
`{"address": "http://127.0.0.1:PORT"}`, or `{"error": "..."}` and exit code 3. After that, standard input only
says whether the parent lives.
"""

from __future__ import annotations

import ctypes
import json
import os
import signal
import sys
import threading
import time
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO, Final, TextIO

if TYPE_CHECKING:
    from xllamacpp import Server

FAILED: Final = 3
"""Exit code after an `error` line."""

_PR_SET_PDEATHSIG: Final = 1
_POLL_S: Final = 1.0
# Warnings and errors only: the levels above write a line per request.
_VERBOSITY: Final = 2


@dataclass(frozen=True, slots=True)
class Order:
    """What the child is to serve. Sizes in bytes, tokens or MiB as named; an empty `log`: none is kept."""

    model: str
    alias: str
    api_key: str
    parent: int
    log: str
    log_max_bytes: int
    n_ctx: int
    longest_answer: int
    n_batch: int
    cache_ram_mib: int
    threads: int

    def line(self) -> bytes:
        """The JSON line that goes through the pipe."""
        return json.dumps(asdict(self)).encode() + b"\n"

    @classmethod
    def read(cls, stream: BinaryIO) -> Order:
        """The order sent by the parent. Raises ValueError when the parent went away before sending it."""
        line = stream.readline()
        if not line.endswith(b"\n"):
            raise ValueError("no order came")
        return cls(**json.loads(line))


def die_with_parent(parent: int) -> None:
    """Let the kernel end this process when its parent ends, however it ends.

    Loading a model holds Python's lock for as long as it takes, so a watching thread alone would be too late.
    Only Linux has this; elsewhere `watch_pipe` and the poll of `serve_until_orphaned` do it.
    """
    if sys.platform == "linux":
        ctypes.CDLL(None, use_errno=True).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != parent:  # it was gone before the line above took effect
        os._exit(0)


def watch_pipe(stream: BinaryIO) -> None:
    """End this process as soon as the parent closes its end of the pipe, which its death does too."""
    while stream.read(4096):
        pass
    # The server's own threads would keep an ordinary exit waiting for answers in progress.
    os._exit(0)


def redirect_output(log: str) -> None:
    """Point standard output and error, which llama.cpp writes to directly, at the log file (mode 0600)."""
    flags = os.O_WRONLY | os.O_APPEND | os.O_CREAT
    try:
        target = os.open(log or os.devnull, flags, 0o600)
    except OSError:  # a read-only or full disk costs the log, not the answer
        target = os.open(os.devnull, os.O_WRONLY)
    for descriptor in (1, 2):
        os.dup2(target, descriptor)
    os.close(target)


def cap_log(log: str, max_bytes: int) -> bool:
    """Move a log that outgrew `max_bytes` to `NAME.1`, replacing the one there. True when it was moved."""
    path = Path(log)
    try:
        if not log or path.stat().st_size <= max_bytes:
            return False
        path.replace(path.with_name(path.name + ".1"))
    except OSError:  # no log yet, or a folder that cannot be written: nothing to cap
        return False
    return True


def start_server(order: Order) -> Server:
    """Load the model and listen on a free loopback port. Raises RuntimeError, ImportError."""
    # Imported here, so that the parent can read `Order` without loading the native library.
    from xllamacpp import CommonParams, Server  # noqa: PLC0415

    params = CommonParams()
    params.model.path = order.model
    params.model_alias = {order.alias}
    params.api_keys = [order.api_key]
    params.hostnames = ["127.0.0.1"]
    params.port = 0
    params.use_jinja = True
    params.n_ctx = order.n_ctx
    params.n_predict = order.longest_answer
    # Small batches, because a client that hangs up frees the server only between two of them.
    params.n_batch = params.n_ubatch = order.n_batch
    params.cache_ram_mib = order.cache_ram_mib
    for cores in (params.cpuparams, params.cpuparams_batch):
        cores.n_threads = order.threads
        # Threads that spin while they wait take the cores from whatever else runs, and then wait for it: on two
        # cores with other work, sleeping instead read prompts 2.5 times and wrote 2 times as fast (medians of 7).
        cores.poll = 0
    params.verbosity = _VERBOSITY
    # Nothing but the API is offered, and nothing is ever fetched from elsewhere.
    params.ui = False
    params.endpoint_slots = False
    params.cors_origins = "http://127.0.0.1"
    params.offline = True
    return Server(params)


def serve_until_orphaned(order: Order) -> None:
    """Keep the process alive while its parent is the one that started it, and its log small."""
    while os.getppid() == order.parent:
        time.sleep(_POLL_S)
        if cap_log(order.log, order.log_max_bytes):
            redirect_output(order.log)
    os._exit(0)


def say(answers: TextIO, **fields: str) -> None:
    """Send one JSON line to the parent."""
    answers.write(json.dumps(fields) + "\n")
    answers.flush()


def main() -> int:
    """Serve until the parent is gone; returns an exit code only when serving did not begin."""
    pipe = sys.stdin.buffer
    order = Order.read(pipe)
    die_with_parent(order.parent)
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    cap_log(order.log, order.log_max_bytes)
    redirect_output(order.log)
    threading.Thread(target=watch_pipe, args=(pipe,), daemon=True).start()
    try:
        server = start_server(order)
    except (ImportError, RuntimeError, ValueError, OSError) as failure:
        say(answers, error=f"{type(failure).__name__}: {failure}")
        return FAILED
    say(answers, address=server.listening_address)
    serve_until_orphaned(order)
    return 0


if __name__ == "__main__":
    sys.exit(main())
