"""What a person sets of themselves, as a text to edit: a line a field, `name: Jo`."""

from __future__ import annotations

from innerlife.errors import BadInput
from innerlife.selfmodel.events import HumanField
from innerlife.selfmodel.human import Human

HEAD = "# What you write here stands as you write it. An empty line takes back what you had set.\n"


def card(human: Human) -> str:
    """The fields as the person set them."""
    lines = [
        f"{one.field.value}: {one_line(one.set.text if one.set else '')}".rstrip() for one in human.fields
    ]
    return "\n".join((HEAD, *lines, ""))


def read_card(text: str) -> dict[HumanField, str]:
    """The fields of a card. Lines that begin with `#` are ours; one without a field's name continues the field before.

    Raises BadInput for a field that does not exist and for text in front of the first one.
    """
    found: dict[HumanField, str] = {}
    current: HumanField | None = None
    for line in text.splitlines():
        if line.startswith("#") or not line.strip():
            continue
        name, colon, rest = line.partition(":")
        field = field_of(name) if colon and " " not in name.strip() else None
        if field is not None:
            current = field
            found[field] = rest.strip()
        elif current is not None:
            found[current] = f"{found[current]} {line.strip()}".strip()
        else:
            raise BadInput(f"The line {line.strip()!r} belongs to no field", f"There are {_NAMES}")
    return found


def one_line(text: str) -> str:
    """A field as it stands on a card: a line of its own that begins with `#` or a name would be read as ours."""
    return " ".join(text.split())


def read_setting(text: str) -> tuple[HumanField, str]:
    """A field and its text, from `work=nurse`. Raises BadInput."""
    name, equals, rest = text.partition("=")
    if not equals:
        raise BadInput(f"{text!r} says no text for a field", "Write it as work=TEXT")
    return field_of(name), rest.strip()


def field_of(name: str) -> HumanField:
    """A field by its name. Raises BadInput for one that does not exist."""
    try:
        return HumanField(name.strip().casefold())
    except ValueError:
        raise BadInput(f"There is no field {name.strip()!r}", f"There are {_NAMES}") from None


_NAMES = ", ".join(one.value for one in HumanField)
