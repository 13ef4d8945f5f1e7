"""The options by which work is done elsewhere, by the workers of a scheduler."""

from __future__ import annotations

from contextlib import ExitStack, closing
from dataclasses import dataclass
from typing import TYPE_CHECKING

import click

from papan.commands.common import Refusal
from papan.commands.description import option
from papan.game.base.sentences import say

if TYPE_CHECKING:
    from papan.lab.workers import Workers

_CERTIFICATE: click.ParamType[str] = click.Path(dir_okay=False)


@dataclass(frozen=True)
class Elsewhere:
    """Where work is done, if not on this machine, and what the scheduler there is shown."""

    cluster: str | None = option("Have the workers of this dask scheduler do it, not this machine.", metavar="ADDRESS")
    tls_ca_file: str | None = option("Who is believed on an encrypted connection.", _CERTIFICATE, metavar="FILE")
    tls_cert: str | None = option("The certificate shown to the scheduler.", _CERTIFICATE, metavar="FILE")
    tls_key: str | None = option("The key to it.", _CERTIFICATE, metavar="FILE")
    tls_host: str | None = option(
        "Host name in the scheduler's certificate, if it differs from the address.", metavar="NAME"
    )

    def check(self, jobs: int | None) -> None:
        """Refuse options that don't go together."""
        if self.cluster is None and any((self.tls_ca_file, self.tls_cert, self.tls_key, self.tls_host)):
            raise Refusal(say("Certificates are for a scheduler: name it with --cluster ADDRESS."))
        if self.cluster is not None and jobs is not None:
            raise Refusal(
                say("--jobs is for this machine; the workers of a cluster have as many as they were started with.")
            )

    def workers(self, stack: ExitStack) -> Workers | None:
        """The workers of the scheduler, until *stack* is left; None where work is done on this machine.

        :raises papan.lab.workers.PoolError: nobody answers there, or there are no workers.
        """
        from papan.lab.workers import Security, Workers

        if self.cluster is None:
            return None
        security = Security(self.tls_ca_file, self.tls_cert, self.tls_key, self.tls_host)
        return stack.enter_context(closing(Workers(self.cluster, security)))
