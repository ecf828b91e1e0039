"""The page `docs/cli.md`, made from the registry: `python -m innerlife.cli.reference > docs/cli.md`."""

from __future__ import annotations

import click

from innerlife.cli import registry
from innerlife.cli.errors import MEANINGS
from innerlife.cli.main import cli

WIDTH = 100

_BEGINNING = """\
# The command line

Made from the program's own help by `python -m innerlife.cli.reference > docs/cli.md`; a test sees that it is current.

Data goes to standard output, remarks and errors to standard error. On a terminal, tables are drawn; in a pipe they are
plain columns, and `--json` gives every datum. `NO_COLOR` is respected. Ids may be shortened to any beginning that names
one thing. A passphrase is asked for at a terminal, or taken from `INNERLIFE_PASSPHRASE`.
"""


def page() -> str:
    """The whole page."""
    root = click.Context(
        cli,
        info_name="innerlife",
        terminal_width=WIDTH,
        max_content_width=WIDTH,
        help_option_names=["-h", "--help"],
    )
    parts = [_BEGINNING, _codes(), _section("innerlife", cli, root)]
    contexts: dict[tuple[str, ...], click.Context] = {(): root}
    for path, command in registry.walk():
        context = click.Context(
            command, contexts[path[:-1]], info_name=path[-1], terminal_width=WIDTH, max_content_width=WIDTH
        )
        contexts[path] = context
        parts.append(_section(" ".join(("innerlife", *path)), command, context))
    return "\n".join(parts)


def _codes() -> str:
    rows = "\n".join(f"| {code.value} | {meaning} |" for code, meaning in MEANINGS.items())
    return f"## Exit codes\n\n| code | meaning |\n|---|---|\n{rows}\n"


def _section(title: str, command: click.Command, context: click.Context) -> str:
    return f"## {title}\n\n```text\n{command.get_help(context)}\n```\n"


if __name__ == "__main__":
    click.echo(page(), nl=False)
