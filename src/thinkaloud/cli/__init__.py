"""The command line. Each command has its own file; this one combines them and turns every error into one line.

Heavy modules are imported only when a command needs them, so that `thinkaloud --help` answers at once.
"""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Sequence
from typing import Any, NoReturn

import click

from thinkaloud.cli.bench import bench
from thinkaloud.cli.chat import chat
from thinkaloud.cli.check import check
from thinkaloud.cli.doctor import doctor
from thinkaloud.cli.first_sign import end_first_sign, say_starting
from thinkaloud.cli.lists import presets, skills, worlds
from thinkaloud.cli.mcp import mcp
from thinkaloud.cli.models import models
from thinkaloud.cli.people import people
from thinkaloud.cli.plan import plan
from thinkaloud.cli.run import run
from thinkaloud.cli.serve import serve
from thinkaloud.cli.sessions import export, fork, lessons, replay, resume, rules, sessions
from thinkaloud.untrusted.output import complain, write_fault


class OneLineErrors(click.Group):
    """A group of commands that reports usage errors in one line, with exit status 2."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """List the commands in the order people need them."""
        return list(self.commands)

    def main(self, args: Sequence[str] | None = None, *rest: Any, **more: Any) -> NoReturn:
        """Run a command and exit."""
        for stream in (sys.stdout, sys.stderr):
            with contextlib.suppress(AttributeError, ValueError):
                stream.reconfigure(errors="replace")  # type: ignore[union-attr]
        sys.exit(self._status(args, {**more, "standalone_mode": False}))

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command that was typed."""
        try:
            return super().invoke(ctx)
        except KeyboardInterrupt as error:  # click would write an empty line of its own
            raise _Interrupted from error

    def _status(self, args: Sequence[str] | None, more: dict[str, Any]) -> int:
        from thinkaloud.errors import BadInput, ThinkaloudError

        try:
            status = super().main(args, **more)
            sys.stdout.flush()
        except click.UsageError as error:
            more_about = f" See: {error.ctx.command_path} --help" if error.ctx else ""
            return _complain(error.format_message() + more_about, 2)
        except click.ClickException as error:
            return _complain(error.format_message(), 2)
        except BadInput as error:
            return _complain(str(error), 2)
        except ThinkaloudError as error:
            return _complain(str(error), 1)
        except (click.Abort, KeyboardInterrupt, _Interrupted):
            return _complain("Interrupted.", 130)
        except BrokenPipeError:  # the reader closed our output
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            return 1
        except Exception:  # a bug of ours or of a plugin: shown in full, but its text may come from anywhere
            write_fault()
            return 1
        return status if isinstance(status, int) else 0


class _Interrupted(Exception):
    """Ctrl-C."""


def _complain(message: str, status: int) -> int:
    end_first_sign()
    complain(f"thinkaloud: {message}")
    return status


@click.group(cls=OneLineErrors, invoke_without_command=True, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="thinkaloud", message="thinkaloud %(version)s")
@click.pass_context
def cli(context: click.Context) -> None:
    """A robot that plans in plain words, checks every step against the world, and says everything aloud.

    \b
    Start with:
      thinkaloud doctor
      thinkaloud run "Put all the blocks on the left side."
      thinkaloud chat

    Settings come from flags, then THINKALOUD_* variables, then thinkaloud.toml.
    """
    if context.invoked_subcommand is None:
        click.echo(context.get_help())


for command in (
    *(run, chat, plan, serve, people, mcp, bench),
    *(sessions, resume, replay, export, fork, rules, lessons),
    *(worlds, skills, check, models, presets, doctor),
):
    cli.add_command(command)


def main() -> NoReturn:
    """The entry point."""
    with say_starting(sys.argv[1:]):
        try:
            cli.main(prog_name="thinkaloud")
        except SystemExit as end:
            if sys.argv[1:2] == ["chat"] and isinstance(end.code, int):
                from thinkaloud.episode.interrupts import leave

                leave(end.code)  # at once: a person is waiting for the prompt
            raise
