"""The embedded llama.cpp server as a supervised child process (promise P9).

    caller ── ensure_started() / wait_started() ──► Endpoint(address, api_key, alias)
    supervising thread ── spawns ──► embedded_child ── dies ──► waits a little, spawns again

One thread spawns every child and outlives it, because Linux ends a child with the *thread* that started it.
Sync and async callers wait on the same future, so any number of them start one child.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import secrets
import subprocess
import sys
import threading
import time
from collections.abc import Sequence
from concurrent.futures import Future
from pathlib import Path
from typing import Final

import innerlife
from innerlife.adapters.models.embedded_child import Order
from innerlife.adapters.models.embedded_rules import (
    DEFAULT_POLICY,
    Death,
    EmbeddedPolicy,
    Endpoint,
    cores,
    giving_up,
    restart_delay,
)
from innerlife.errors import EngineUnavailable, ModelUnavailable

CHILD: Final = (sys.executable, "-P", "-m", "innerlife.adapters.models.embedded_child")
"""The child's command line. `-P` keeps the current folder from being searched for modules."""


class EmbeddedServer:
    """Runs one model, for any number of threads and event loops. Nothing starts before it is asked for."""

    def __init__(
        self,
        weights: Path,
        alias: str,
        log: Path,
        policy: EmbeddedPolicy = DEFAULT_POLICY,
        command: Sequence[str] = CHILD,
    ) -> None:
        self._weights = weights
        self._alias = alias
        self._log = log
        self._policy = policy
        self._command = tuple(command)
        self._lock = threading.Lock()
        self._thread: threading.Thread | None = None
        self._stopping = threading.Event()
        self._ready: Future[Endpoint] = _fresh()
        self._endpoint: Endpoint | None = None
        self._process: subprocess.Popen[bytes] | None = None
        self._restarts = 0

    @property
    def alias(self) -> str:
        """The model's public name."""
        return self._alias

    @property
    def address(self) -> str | None:
        """`http://127.0.0.1:PORT` while it serves."""
        endpoint = self._endpoint
        return endpoint.address if endpoint else None

    @property
    def api_key(self) -> str | None:
        """The key of the present child while it serves."""
        endpoint = self._endpoint
        return endpoint.api_key if endpoint else None

    @property
    def alive(self) -> bool:
        """True while a child serves."""
        return self._endpoint is not None

    @property
    def pid(self) -> int | None:
        """The child's process id, while there is one."""
        process = self._process
        return process.pid if process else None

    @property
    def restarts(self) -> int:
        """How often a child that died was replaced, since this object was made."""
        return self._restarts

    @property
    def log(self) -> Path:
        """Where the child writes its warnings; never more than two files of `log_max_bytes` each."""
        return self._log

    def start(self) -> Future[Endpoint]:
        """Begin (or go on) serving and return at once; the future is done when it serves or was given up.

        Raises ModelUnavailable when the weights are not there.
        """
        if not self._weights.is_file():
            raise ModelUnavailable(
                f"the weights of {self._alias} are not at {self._weights}",
                "`innerlife model pull` fetches a model",
            )
        with self._lock:
            if self._thread is None or not self._thread.is_alive():
                self._stopping = threading.Event()
                self._ready = _fresh()
                self._thread = threading.Thread(
                    target=self._supervise, args=(self._stopping,), name="embedded-engine", daemon=True
                )
                self._thread.start()
            return self._ready

    def wait_started(self, timeout_s: float | None = None) -> Endpoint:
        """The endpoint, as soon as it serves. Raises EngineUnavailable, ModelUnavailable."""
        limit = self._policy.start_timeout_s if timeout_s is None else timeout_s
        try:
            return self.start().result(limit)
        except TimeoutError:
            raise self._too_slow(limit) from None

    async def ensure_started(self, timeout_s: float | None = None) -> Endpoint:
        """The same for async callers. After a failed connection ask again: the child may just have died."""
        limit = self._policy.start_timeout_s if timeout_s is None else timeout_s
        waiting = asyncio.wrap_future(self.start())
        # After a timeout nobody else looks at a failure, which asyncio would report as forgotten.
        waiting.add_done_callback(lambda done: done.cancelled() or done.exception())
        try:
            return await asyncio.wait_for(asyncio.shield(waiting), limit)
        except TimeoutError:
            raise self._too_slow(limit) from None

    def stop(self) -> None:
        """End the child and wait for it. It may be started again. Safe to call at any time."""
        with self._lock:
            self._stopping.set()
            thread, process = self._thread, self._process
        # There is nothing in the child that could be lost, so it is not asked to finish.
        for end in (subprocess.Popen.terminate, subprocess.Popen.kill):
            if process is not None:
                end(process)
            if thread is not None and thread.is_alive():
                thread.join(self._policy.stop_grace_s)

    async def aclose(self) -> None:
        """`stop` for async callers."""
        await asyncio.to_thread(self.stop)

    def _too_slow(self, limit: float) -> EngineUnavailable:
        return EngineUnavailable(
            f"the embedded engine was not ready after {limit:g} seconds",
            f"A large model takes long to load from a slow disk, so try again; its log is {self._log}",
        )

    def _supervise(self, stopping: threading.Event) -> None:
        failure = EngineUnavailable("the embedded engine was stopped")
        quick = 0
        while not stopping.is_set():
            death = self._live_once(stopping)
            if death is None or stopping.is_set():
                break
            quick = quick + 1 if death.lived_s < self._policy.quick_life_s else 0
            if death.error or quick >= self._policy.quick_deaths:
                failure = giving_up(death, quick, self._alias, self._log)
                break
            stopping.wait(restart_delay(self._policy, quick))
            self._restarts += not stopping.is_set()
        with self._lock:
            self._ready.set_exception(failure)

    def _live_once(self, stopping: threading.Event) -> Death | None:
        """Spawn a child and stay with it until it ends. None when it was to stop before it began."""
        key = secrets.token_urlsafe(32)
        born = time.monotonic()
        with self._lock:
            if stopping.is_set():
                return None
            try:
                process = self._process = self._spawn()
            except OSError as failure:
                return Death(code=0, error=f"it did not start: {failure}", lived_s=0.0)
        with process:
            impatient = threading.Timer(self._policy.start_timeout_s, process.kill)
            impatient.start()
            answer = _exchange(process, self._order(key))
            impatient.cancel()
            if address := answer.get("address"):
                endpoint = Endpoint(address, self._alias, key)
                with self._lock:
                    self._endpoint = endpoint
                    self._ready.set_result(endpoint)
                born = time.monotonic()
            code = process.wait()
        with self._lock:
            self._endpoint = self._process = None
            if self._ready.done():
                self._ready = _fresh()
        return Death(code, answer.get("error", ""), time.monotonic() - born)

    def _order(self, key: str) -> Order:
        policy = self._policy
        return Order(
            model=str(self._weights),
            alias=self._alias,
            api_key=key,
            parent=os.getpid(),
            log=str(self._log),
            log_max_bytes=policy.log_max_bytes,
            n_ctx=policy.n_ctx,
            longest_answer=policy.longest_answer,
            n_batch=policy.n_batch,
            cache_ram_mib=policy.cache_ram_mib,
            threads=policy.threads or cores(),
        )

    def _spawn(self) -> subprocess.Popen[bytes]:
        with contextlib.suppress(OSError):  # without a folder there is no log, and the child says nothing
            self._log.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        package_root = str(Path(innerlife.__file__).resolve().parents[1])
        search = os.pathsep.join(filter(None, (package_root, os.environ.get("PYTHONPATH"))))
        return subprocess.Popen(  # noqa: S603 our own interpreter and module
            self._command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env={**os.environ, "PYTHONPATH": search},
            # Ctrl-C goes to the whole group; an answer in progress lives as long as the parent does.
            start_new_session=True,
        )


def _fresh() -> Future[Endpoint]:
    """A future that no waiter can cancel for the others."""
    future: Future[Endpoint] = Future()
    future.set_running_or_notify_cancel()
    return future


def _exchange(process: subprocess.Popen[bytes], order: Order) -> dict[str, str]:
    """Hand the order over and read the child's one line; empty when it died first."""
    if process.stdin is None or process.stdout is None:
        return {}
    try:
        process.stdin.write(order.line())
        process.stdin.flush()
        answer = json.loads(process.stdout.readline() or b"{}")
    except (OSError, ValueError):  # a broken pipe or half a line: it died, and its exit code says how
        return {}
    return answer if isinstance(answer, dict) else {}
