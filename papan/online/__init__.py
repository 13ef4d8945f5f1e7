"""Matches with people elsewhere: a host's program holds the table, guests' programs see what their seats see.

Matches by letter need no connection: ``letters``, ``letterbox``, ``identity``.

``protocol`` has the messages, ``table`` a match with its seats, ``host`` and ``guest`` the connections, ``mirror`` a
guest's copy of the match, ``invitation`` what a person passes on. Tables and connections run on one thread, ``loop``.
"""
