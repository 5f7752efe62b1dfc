"""The subcommand `serve`, put together as vLLM does it."""

from __future__ import annotations

import typing as t

from ...stand_in import parser

if t.TYPE_CHECKING:
    import argparse


class ServeSubcommand:
    """`vllm serve`."""

    name = "serve"

    def subparser_init(self, subparsers: t.Any) -> argparse.ArgumentParser:
        """Add the parser of this subcommand."""
        return parser.make_arg_parser(
            subparsers.add_parser(self.name, usage="vllm serve [model_tag] [options]")
        )


def cmd_init() -> list[ServeSubcommand]:
    """The subcommands that this module brings."""
    return [ServeSubcommand()]
