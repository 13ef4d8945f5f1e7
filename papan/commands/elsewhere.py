"""The options by which work is done elsewhere, by the workers of a scheduler."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import ExitStack, closing
from typing import TYPE_CHECKING

import click

from papan.commands.common import Refusal, together
from papan.game.base.sentences import say

if TYPE_CHECKING:
    from papan.lab.workers import Workers

_CERTIFICATES = click.Path(dir_okay=False)

cluster_options = together(
    click.option(
        "--cluster", metavar="ADDRESS", help="Have the workers of this dask scheduler do it, not this machine."
    ),
    click.option(
        "--tls-ca-file", type=_CERTIFICATES, metavar="FILE", help="Who is believed on an encrypted connection."
    ),
    click.option("--tls-cert", type=_CERTIFICATES, metavar="FILE", help="The certificate shown to the scheduler."),
    click.option("--tls-key", type=_CERTIFICATES, metavar="FILE", help="The key to it."),
    click.option(
        "--tls-host", metavar="NAME", help="Host name in the scheduler's certificate, if it differs from the address."
    ),
)
"""``cluster``, ``tls_ca_file``, ``tls_cert``, ``tls_key`` and ``tls_host``."""


def check_elsewhere(jobs: int | None, cluster: str | None, tls: Sequence[str | None]) -> None:
    """Refuse options that don't go together."""
    if cluster is None and any(tls):
        raise Refusal(say("Certificates are for a scheduler: name it with --cluster ADDRESS."))
    if cluster is not None and jobs is not None:
        raise Refusal(
            say("--jobs is for this machine; the workers of a cluster have as many as they were started with.")
        )


def workers_at(stack: ExitStack, address: str, tls: Sequence[str | None]) -> Workers:
    """The workers of the scheduler at *address*, until *stack* is left.

    :raises papan.lab.workers.PoolError: nobody answers there, or there are no workers.
    """
    from papan.lab.workers import Security, Workers

    return stack.enter_context(closing(Workers(address, Security(*tls))))
