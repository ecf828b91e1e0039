"""`innerlife doctor`: what works, what needs attention, what to do."""

from __future__ import annotations

from dataclasses import asdict

import click

from innerlife.cli.checks import examine
from innerlife.cli.errors import Exit
from innerlife.cli.finding import FAILED, OK, Finding
from innerlife.cli.options import examples, json_option
from innerlife.cli.output import count, mark, say, show_json, wrapped
from innerlife.cli.surroundings import Surroundings

_KINDS = {"ok": "good", "attention": "attention", "failed": "bad"}


@click.command(
    "doctor",
    short_help="Check everything, and say what to do.",
    epilog=examples("innerlife doctor", "innerlife doctor --json"),
)
@json_option
@click.pass_context
def command(click_context: click.Context, *, as_json: bool) -> None:
    """Check the program, the home, the Core, the views and the engine. Nothing is changed.

    The exit code is 1 when something failed.
    """
    here = click_context.ensure_object(Surroundings)
    findings: list[Finding] = []
    for finding in examine(here):
        findings.append(finding)
        if not as_json:
            _show(finding)
    if as_json:
        show_json([asdict(one) for one in findings])
    else:
        say()
        say(_summary(findings))
    click_context.exit(Exit.FAILURE if any(one.verdict == FAILED for one in findings) else Exit.OK)


def _show(finding: Finding) -> None:
    body = wrapped(f"{finding.what}: {finding.found}", " " * 11)
    say(mark(f"{finding.verdict:<11}", _KINDS[finding.verdict]) + body[11:])
    if finding.way_out:
        say(wrapped(finding.way_out, " " * 13))


def _summary(findings: list[Finding]) -> str:
    failed = sum(one.verdict == FAILED for one in findings)
    attention = sum(one.verdict not in (FAILED, OK) for one in findings)
    if failed:
        return f"{count(failed, 'check')} failed."
    return f"All is well, with {count(attention, 'remark')}." if attention else "All is well."
