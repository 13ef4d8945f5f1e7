"""Do hints give a reason, and is it true? ``python -m dev.reasons [--game GAME] [--positions N]``.

Weak games lead to the positions; a search of fixed depth gives a hint in each, as a table does. The command prints the
share of hints with a reason for each game, and fails below 95 % or if a reason is false. Each template of a reason has
a check in ``dev/reasons``, written from the rules: those of every game in ``common``, a game's own in its module.
"""
