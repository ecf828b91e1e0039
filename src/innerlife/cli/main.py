"""`innerlife`: the options before the command, and the one place where errors become a sentence and a code."""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NoReturn

import click

from innerlife import __version__
from innerlife.cli import registry
from innerlife.cli.errors import Exit, NotDone, exit_code, log_unexpected, misread, sentence
from innerlife.cli.options import examples
from innerlife.cli.output import complain, note
from innerlife.cli.surroundings import Surroundings
from innerlife.errors import InnerlifeError


class Innerlife(click.Group):
    """The commands of the registry. A command's module is imported when it is asked for."""

    here: Surroundings | None = None
    """What the command line that runs stands in."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """All names, in the order of the overview."""
        del ctx
        return list(registry.names())

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The commands with a line each, by what a person wants."""
        del ctx
        width = max(map(len, registry.names()))
        for title, members in registry.groups():
            with formatter.section(title):
                formatter.write_dl([
                    (f"{name:<{width}}", registry.load(name).get_short_help_str(200)) for name in members
                ])  # fmt: skip

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The command, or None."""
        del ctx
        return registry.load(cmd_name) if cmd_name in registry.names() else None

    def main(self, args: Sequence[str] | None = None, *_: Any, **__: Any) -> NoReturn:
        """Run one command line and exit with its code."""
        sys.exit(self.run(args))

    def run(self, args: Sequence[str] | None = None) -> int:
        """Run one command line (that of this process by default). Returns the exit code; raises nothing."""
        _tolerant_streams()
        # Whatever is made, the settings that say where words are sent to included, is its owner's alone.
        os.umask(0o077)
        self.here = None
        try:
            result = super().main(args, prog_name="innerlife", standalone_mode=False)
            return result if isinstance(result, int) else Exit.OK
        except click.ClickException as error:
            return _misread(error)
        except (click.Abort, KeyboardInterrupt):
            note("\nInterrupted.")
            return Exit.INTERRUPTED
        except NotDone as ended:
            complain(ended.said)
            return ended.code
        except InnerlifeError as error:
            complain(sentence(error))
            return exit_code(error)
        except SystemExit as leaving:
            # Click leaves so, with a wrapper around the output, when whoever read it has had enough: no trouble.
            had_enough = type(sys.stdout).__name__.endswith("FlushWrapper")
            return Exit.OK if had_enough else Exit.FAILURE if leaving.code else Exit.OK
        except Exception as error:  # noqa: BLE001 - the last resort: a sentence for the person, the places for the log
            return _unexpected(error, self.here)


def _misread(error: click.ClickException) -> int:
    if isinstance(error, click.exceptions.NoArgsIsHelpError):
        note(error.format_message())
    else:
        complain(misread(error))
    return Exit.BAD_INPUT


def _unexpected(error: Exception, here: Surroundings | None) -> int:
    log = None
    if here is not None:
        # Settings that cannot be read are told by an error of ours, so this is the rare case of both at once.
        with contextlib.suppress(InnerlifeError):
            log = log_unexpected(error, here.configured.places.logs)
    where = (
        f"{log} says where in the program; it holds nothing of what you wrote"
        if log
        else "No log could be written"
    )
    note(f"Something went wrong that Innerlife did not expect ({type(error).__name__}). {where}.")
    return Exit.FAILURE


def _tolerant_streams() -> None:
    """A terminal that cannot show a letter shows a question mark instead of failing."""
    for stream in (sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(errors="replace")


@click.group(
    cls=Innerlife,
    epilog=examples(
        "innerlife serve", 'innerlife say "Hello, it is me."', "innerlife --profile work status",
        closing="Exit codes: 0 done, 1 failed, 2 not understood, 3 not found, 4 locked, 5 storage, 6 no model, "
        "7 refused, 130 interrupted.",
    ),
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)  # fmt: skip
@click.option(
    "--home", type=click.Path(file_okay=False, path_type=Path), metavar="DIR", help="Where the profiles lie."
)
@click.option("--profile", metavar="NAME", help="Which companion (default: `default`).")
@click.version_option(__version__, prog_name="innerlife", message="%(prog)s %(version)s")
@click.pass_context
def cli(context: click.Context, home: Path | None, profile: str | None) -> None:
    """A local companion with an inner life, between your chat program and your language model.

    It remembers what was said, and you can read, correct and erase all of it.
    """
    context.obj = Surroundings(home, profile)
    if isinstance(context.command, Innerlife):
        context.command.here = context.obj


def main() -> NoReturn:
    """The console script."""
    cli.main()


if __name__ == "__main__":
    main()
