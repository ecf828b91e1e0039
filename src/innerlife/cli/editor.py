"""A text in the person's own editor."""

from __future__ import annotations

import click

from innerlife.errors import BadInput


def edited(text: str) -> str | None:
    """What `$VISUAL` or `$EDITOR` made of a text; None where it was left without saving. Raises BadInput."""
    try:
        changed = click.edit(text, extension=".md", require_save=True)
    except click.ClickException as error:
        raise BadInput(
            f"The editor could not be started: {error.format_message()}", "Set EDITOR to one, or use --text"
        ) from error
    return None if changed is None else changed.strip()
