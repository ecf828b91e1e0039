"""Settings: flag, environment, file, default, in this order. Read here and nowhere else (design §4)."""

from __future__ import annotations

import os
import re
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from difflib import SequenceMatcher
from pathlib import Path
from typing import Annotated, Any, Literal

import platformdirs
from pydantic import BaseModel, ConfigDict, Field, ValidationError
from pydantic_core import ErrorDetails

from innerlife.adapters.profiles import profiles_of
from innerlife.errors import BadInput

PROFILE_NAME = re.compile(r"[a-z0-9][a-z0-9_-]{0,39}\Z")
RESERVED_PROFILES = frozenset({"fiction"})
FILE = "innerlife.toml"
_LONGEST_SHOWN = 40
"""Characters of a wrong value that are shown."""

_ALIKE = 0.6
"""How much of a name must be right for another one to be meant (difflib's own measure of a close match)."""


class _Section(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class ProxySettings(_Section):
    """The proxy: where it listens and what it forwards to."""

    host: str = "127.0.0.1"
    port: Annotated[int, Field(ge=0, le=65535)] = 11435
    upstream: str | None = None
    token: str | None = None
    stall_seconds: Annotated[float, Field(gt=0)] = 600.0


class ModelSettings(_Section):
    """Language and embedding models."""

    embedded: str | None = None
    context: Annotated[int, Field(ge=512)] = 8192
    roles: dict[Literal["chat", "analysis", "reflection", "synthesis", "delegate", "audit"], str] = {}
    embedding: Literal["auto", "minilm", "e5", "nomic", "off"] = "auto"


class SelfModelSettings(_Section):
    """The self-model: `tools` offers its tools to the model in a chat; `profiles` says so for single profiles."""

    tools: bool = False
    profiles: dict[str, bool] = {}
    policy: dict[str, float] = {}

    def tools_for(self, profile: str) -> bool:
        """Whether the tools are offered in this profile's chats (promise S9)."""
        return self.profiles.get(profile, self.tools)


class Settings(_Section):
    """Everything that can be set. Policies are numbers by domain, merged over their defaults."""

    profile: str = "default"
    name: str | None = None
    key: Literal["file", "keyring", "passphrase"] = "file"
    proxy: ProxySettings = ProxySettings()
    models: ModelSettings = ModelSettings()
    recall: dict[str, float] = {}
    workspace: dict[str, float] = {}
    selfmodel: SelfModelSettings = SelfModelSettings()
    thinking: dict[str, float] = {}
    reflection: dict[str, float] = {}
    affect: dict[str, float] = {}
    learning: dict[str, float] = {}


@dataclass(frozen=True, slots=True)
class Places:
    """Where things lie."""

    home: Path
    config: Path

    def profile(self, name: str) -> Path:
        """The folder of a profile."""
        return self.home / "profiles" / name

    @property
    def profiles(self) -> list[str]:
        """Names of the profiles that exist. Raises StorageFailed."""
        return sorted(profiles_of(self.home))

    @property
    def logs(self) -> Path:
        """Where logs are written; they hold no text of anyone."""
        return self.home / "logs"

    @property
    def models(self) -> Path:
        """Where pulled models lie; they are nobody's memory and stay when a Core goes."""
        return self.home / "models"

    @property
    def file(self) -> Path:
        """The settings file."""
        return self.config / FILE


@dataclass(frozen=True, slots=True)
class Configured:
    """Settings with the places they were read for, and the passphrase if one was given."""

    settings: Settings
    places: Places
    passphrase: str | None = None

    def __repr__(self) -> str:
        return f"Configured({self.places.home})"


_ENVIRONMENT = {
    "INNERLIFE_PROFILE": ("profile",),
    "INNERLIFE_NAME": ("name",),
    "INNERLIFE_KEY": ("key",),
    "INNERLIFE_HOST": ("proxy", "host"),
    "INNERLIFE_PORT": ("proxy", "port"),
    "INNERLIFE_UPSTREAM": ("proxy", "upstream"),
    "INNERLIFE_TOKEN": ("proxy", "token"),
    "INNERLIFE_MODEL": ("models", "embedded"),
    "INNERLIFE_EMBEDDING": ("models", "embedding"),
}


def load(
    flags: Mapping[tuple[str, ...], Any] | None = None,
    home: Path | None = None,
    environment: Mapping[str, str] | None = None,
) -> Configured:
    """Read the settings. `flags` are paths into `Settings` with their values. Raises BadInput with what is wrong."""
    environment = os.environ if environment is None else environment
    places = _places(home, environment)
    values = _from_file(places.file)
    for variable, path in _ENVIRONMENT.items():
        if environment.get(variable):
            _put(values, path, environment[variable])
    for path, value in (flags or {}).items():
        if value is not None:
            _put(values, path, value)
    try:
        settings = Settings.model_validate(values)
    except ValidationError as error:
        raise _wrong(error.errors()[0], flags or {}, environment, places.file) from error
    checked_profile(settings.profile)
    return Configured(settings, places, environment.get("INNERLIFE_PASSPHRASE"))


def _wrong(
    fault: ErrorDetails, flags: Mapping[tuple[str, ...], Any], environment: Mapping[str, str], file: Path
) -> BadInput:
    """What is wrong with a setting, in one sentence with the value, and where it was set."""
    path = tuple(str(part) for part in fault["loc"])
    name, given = ".".join(path), fault["input"]
    variable = next(
        (one for one, place in _ENVIRONMENT.items() if place == path and environment.get(one)), ""
    )
    if flags.get(path) is not None:
        way_out = "Give another one on the command line"
    else:
        way_out = f"Correct the environment variable {variable}" if variable else f"Correct it in {file}"
    match fault["type"]:
        case "extra_forbidden":
            return BadInput(f"There is no setting {name}; {nearest(name, _known(given))}", way_out)
        case "model_type" | "dict_type":
            return BadInput(
                f"The setting {name} is a section, not {_shown(given)}",
                f"Put its settings under [{name}] in {file}",
            )
        case "literal_error" if path[-1] == "[key]":
            known = fault["ctx"]["expected"].replace("'", "")
            return BadInput(f"There is no {path[-2]} under {'.'.join(path[:-2])}; there are {known}", way_out)
        case "literal_error":
            what = f"must be {fault['ctx']['expected'].replace(chr(39), '')}"
        case "string_type":
            what = "must be a text in quotes"
        case _:
            what = f"must be {_number(path)}"
    # A token is a secret, and errors are shown to others.
    value = "" if path[-1] == "token" else f", not {_shown(given)}"
    return BadInput(f"The setting {name} {what}{value}", way_out)


def _number(path: tuple[str, ...]) -> str:
    """Which numbers a setting takes: `a whole number from 0 to 65535`."""
    field = Settings.model_fields[path[0]]
    if isinstance(field.annotation, type) and issubclass(field.annotation, BaseModel):
        field = field.annotation.model_fields[path[-1]]
    whole = "a whole number" if field.annotation is int else "a number"
    limits = {name: value for one in field.metadata for name, value in asdict(one).items()}
    match limits:
        case {"ge": low, "le": high}:
            return f"{whole} from {low} to {high}"
        case {"ge": low}:
            return f"{whole} of at least {low}"
        case {"gt": low}:
            return f"{whole} above {low}"
        case _:
            return whole


def _shown(value: object) -> str:
    match value:
        case bool():
            return str(value).lower()
        case dict():
            return "a section"
        case list():
            return "a list"
        case _:
            text = repr(value)
            return text if len(text) <= _LONGEST_SHOWN else f"{text[: _LONGEST_SHOWN - 1]}…"


def _known(given: object) -> list[str]:
    """What may have been meant: a section where one was written, else a setting, with its section in front."""
    fields = {name: field.annotation for name, field in Settings.model_fields.items()}
    inside = {name: kind.model_fields for name, kind in fields.items() if isinstance(kind, type(BaseModel))}
    numbers = [name for name, field in Settings.model_fields.items() if isinstance(field.default, dict)]
    sections = [*inside, *numbers]
    if isinstance(given, dict):
        return sections
    alone = [name for name in fields if name not in sections]
    return alone + [f"{section}.{name}" for section, names in inside.items() for name in names]


def nearest(name: str, known: Sequence[str]) -> str:
    """What somebody may have meant who wrote `name`: the known name most like it, or all of them."""

    def likeness(one: str) -> float:
        last = SequenceMatcher(None, name.rsplit(".", 1)[-1], one.rsplit(".", 1)[-1]).ratio()
        return max(last, SequenceMatcher(None, name, one).ratio())

    best = max(known, key=likeness)
    if likeness(best) >= _ALIKE:
        return f"perhaps {best} is meant"
    return f"there are {', '.join(known)}"


def checked_profile(name: str) -> str:
    """A name fit for a profile. Raises BadInput."""
    if not PROFILE_NAME.match(name):
        raise BadInput(f"{name!r} cannot name a profile", "Use 1 to 40 lower-case letters, digits, - and _.")
    if name in RESERVED_PROFILES:
        raise BadInput(
            f"{name!r} is reserved: it marks conversations that are fiction", "Choose another name."
        )
    return name


def _places(home: Path | None, environment: Mapping[str, str]) -> Places:
    chosen = home or (Path(environment["INNERLIFE_HOME"]) if environment.get("INNERLIFE_HOME") else None)
    config = environment.get("INNERLIFE_CONFIG")
    return Places(
        (chosen or Path(platformdirs.user_data_dir("innerlife"))).expanduser().absolute(),
        Path(config or platformdirs.user_config_dir("innerlife")).expanduser().absolute(),
    )


def _from_file(path: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(path.read_text("utf-8"))
    except FileNotFoundError:
        return {}
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise BadInput(f"{path} cannot be read: {error}", "Correct it or remove it.") from error
    except OSError as error:
        raise BadInput(f"{path} cannot be read: {error.strerror}") from error


def _put(values: dict[str, Any], path: tuple[str, ...], value: Any) -> None:
    for part in path[:-1]:
        values = values.setdefault(part, {})
        if not isinstance(values, dict):
            raise BadInput(f"The setting {part} is a section, not a value")
    values[path[-1]] = value
