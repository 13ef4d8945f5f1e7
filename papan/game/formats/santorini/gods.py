"""What the formats of Santorini share: the gods that can be played."""

from __future__ import annotations

from papan.game.base.untrusted import quoted
from papan.game.catalogue import BUILT_IN
from papan.game.formats import FormatError
from papan.game.rules.santorini.gods import GOD_BY_NAME

GAME = BUILT_IN["santorini"]


def god_named(name: str) -> str:
    """The name of a god as position texts have it; raises FormatError for one that can't be played."""
    own = name.strip().lower()
    if own not in GOD_BY_NAME:
        raise FormatError.saying(
            "{god} can't be played; the gods are {gods}.",
            god=quoted(name.strip()),
            gods=", ".join(god.capitalize() for god in GOD_BY_NAME if god != "mortal"),
        )
    return own


def options_of(gods: list[str]) -> dict[str, str]:
    """The options of a game of *gods* that differ from the defaults."""
    if all(god == "mortal" for god in gods):
        return {"gods": "none"}
    return {"same": "yes"} if len(set(gods)) < len(gods) else {}
