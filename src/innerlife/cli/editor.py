"""A text in the person's own editor."""

from __future__ import annotations

import click

from innerlife.errors import BadInput


def edited(text: str, instead: str = "--text") -> str | None:
    """What `$VISUAL` or `$EDITOR` made of a text; None where it was left without saving.

    `instead` is the option that does without an editor. Raises BadInput where none can be started.
    """
    try:
        changed = click.edit(text, extension=".md", require_save=True)
    except click.ClickException as error:
        raise BadInput(
            f"The editor could not be started: {error.format_message()}",
            f"Set EDITOR to one, or use {instead}",
        ) from error
    return None if changed is None else changed.strip()
