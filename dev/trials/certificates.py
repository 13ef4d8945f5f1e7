"""Edited certificates: ``verify`` must refuse them, or say exactly what they claim now."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import cache, partial
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

from dev.trials import Counts, TrialFailure, failing, trial
from dev.trials.damage import change_bytes, truncate
from papan.ai.limits import Limit
from papan.ai.proof import SolverSetting, make_depth_first
from papan.ai.proof.certificate import CertificateError, read_certificate, sealed, write_certificate
from papan.ai.proof.certifying import Certifier, certificate_of
from papan.ai.proof.claims import FIRST
from papan.ai.proof.verifying import Verification, verify
from papan.commands.certificates import facts_of
from papan.game.catalogue import GAMES
from papan.game.game import SEATS
from papan.game.match import Match
from papan.game.rules import goal_of

EDITS = 10  # in each case, all of the same certificate
_NODES = 20_000_000
_JUNK: Sequence[Any] = (
    None, True, -1, 0, 1, 10**30, 1.5, float("nan"), "", "x", "\x1b[1m", [], {}, [[]], "and", "or", "forced",
    "9" * 200_000,
)  # fmt: skip


class Proved(NamedTuple):
    game: str
    options: tuple[tuple[str, str], ...]
    position: str | None
    seats: tuple[int, ...]
    """The seats to make a claim for."""
    goal: int = 0
    chance_helps: bool = False


_SMALL = (("size", "2"),)
_CYCLE = (("variant", "2W_P4H_TWUS"), ("board", "cycle:5"))
PROVED = (
    Proved("2048", _SMALL, "2,0/0,2 0", (0,), 8),
    Proved("2048", _SMALL, "2,0/0,2 0", (0,), 16),
    Proved("2048", _SMALL, "2,0/0,2 0", (0,), 16, True),
    Proved("2048", _SMALL, "2,0/0,2 0", (0,), 32, True),
    Proved("connect-four", (), "332211", (0,)),
    Proved("p-tree", (("branching", "2"), ("depth", "8")), None, (0,)),
    Proved("santorini-graph", _CYCLE, None, (0,)),
    Proved("checkers", (), "B:WK1:BK32", (0, 1)),
)


@cache
def certified(proved: Proved) -> str:
    game = GAMES[proved.game]
    match = Match.new(game, [""] * game.seats[0], dict(proved.options), 1, proved.position)
    certifier, limit = Certifier(game, None, "or" if proved.chance_helps else "and"), Limit(nodes=_NODES)
    claims = [certifier.claim(match.state, seat, proved.goal, limit)[0] for seat in proved.seats]
    return write_certificate(certificate_of(game, match.options, match.state, claims))


Body = dict[str, Any]

OTHERS: Mapping[str, Sequence[Any]] = {
    "chance": ("and", "or"),
    "claim": ("forced", "prevented"),
    "goal": (0, 1, 4, 8, 16, 32, 64, 2048, 1 << 16),
    "seat": range(5),
}
"""Other values of a claim's fields, by name."""


def change_claim(name: str, body: Body, random: Random) -> None:
    claim = random.choice(body["claims"])
    claim[name] = random.choice([other for other in OTHERS[name] if other != claim[name]])


def change_options(body: Body, random: Random) -> None:
    """Change, remove or add an option."""
    name, option = random.choice(list(GAMES[body["game"]].options.items()))
    kind = random.randrange(3)
    if kind == 0:
        body["options"][name] = random.choice([*option.values, "cycle:6", "2W_P3H_TWUS", "3", "x=y"])
    elif kind == 1:
        body["options"].pop(random.choice(list(body["options"])))
    else:
        body["options"][random.choice((SEATS, "teams", "limit", ""))] = random.choice(("2", "3", "yes"))


def change_position(body: Body, random: Random) -> None:
    text, signs = body["position"], "0123456789,/ :abKWB"
    at = random.randrange(len(text) + 1)
    body["position"] = text[:at] + random.choice(signs) + text[at + random.randint(0, 1) :]


def play_on(body: Body, random: Random) -> None:
    game = GAMES[body["game"]]
    match = Match.new(game, [""] * game.seats[0], body["options"], 1, body["position"])
    if not match.ending:
        match.play(random.choice(match.legal_steps()))
    body["position"] = game.rules.text(match.state)


def change_game(body: Body, random: Random) -> None:
    """Change the game, or the version of its rules."""
    if random.random() < 0.5:
        body["game"] = random.choice([*GAMES, "chess"])
    else:
        body["rules"] += random.choice((-1, 1))


def change_strategy(body: Body, random: Random) -> None:
    """Swap, change, add or remove steps."""
    whole = read_certificate(sealed(body).encode(), "file")
    at = random.randrange(len(whole.claims))
    choices, claim = list(whole.claims[at].choices), whole.claims[at]
    if len(choices) > 1 and random.random() < 0.4:
        one, other = random.sample(range(len(choices)), 2)
        choices[one], choices[other] = choices[other], choices[one]
    elif choices and random.random() < 0.7:
        choices[random.randrange(len(choices))] = random.choice((0, 1, 2, 3, 300))
    else:
        choices = random.choice((choices[:-1], [*choices, 0], choices[: len(choices) // 2], [0] * len(choices), []))
    rewritten = write_certificate(replace(whole, claims=[replace(claim, choices=choices)]))
    body["claims"][at] = json.loads(rewritten)["claims"][0]


def put_junk(body: Body, random: Random) -> None:
    """Put junk into any place, add an unknown name, remove a name, or repeat a claim many times."""
    entry = random.choice((body, body["options"], *body["claims"]))
    kind = random.randrange(5)
    if kind == 0:
        body["claims"] *= random.choice((2, 2000))
    elif kind == 1:
        entry[random.choice(("within", "limit", "teams", "Chance"))] = random.choice(_JUNK)
    elif kind == 2:
        entry.pop(random.choice(list(entry)))
    else:
        entry[random.choice(list(entry))] = random.choice(_JUNK)


EDITING: Mapping[str, Callable[[Body, Random], None]] = {
    **{name: partial(change_claim, name) for name in OTHERS},
    "options": change_options,
    "position": change_position,
    "a step on": play_on,
    "game": change_game,
    "strategy": change_strategy,
    "junk": put_junk,
}


def edited(text: str, random: Random, folder: Path) -> tuple[bytes, str]:
    if random.random() < 0.1:
        file = folder / "damaged.json"
        file.write_text(text, encoding="utf-8")
        damage = random.choice((change_bytes, truncate))(file, random)
        return file.read_bytes(), damage
    if random.random() < 0.1:
        name = random.choice(re.findall('"(goal|chance|seat|claim|options|position)":', text))
        return text.replace(f'"{name}":', f'"{name}": 1, "{name}":', 1).encode(), f"{name} twice"
    if random.random() < 0.05:
        depth = random.choice((100, 900, 990, 100_000))
        return text.replace('"options": {', '"options": {"x": ' + "[" * depth + "]" * depth + ",", 1).encode(), "nested"
    body = {name: value for name, value in json.loads(text).items() if name not in ("kind", "version", "sha256")}
    done: list[str] = []
    for name in random.sample([*EDITING], random.choice((1, 1, 1, 2, 3))):
        with suppress(Exception):  # an earlier edit may have removed its target
            EDITING[name](body, random)
            done.append(name)
    return sealed(body).encode(), ", ".join(done)


@trial("certificates", "certificates are edited, and each is refused or says exactly the other claim, which is true")
def case(seed: int, folder: Path) -> Counts:
    random = Random(seed)
    counts = Counter[str]()
    text = certified(PROVED[seed % len(PROVED)])
    for _ in range(EDITS):
        content, done = edited(text, random, folder)
        counts["edited"] += 1
        with failing(done):
            try:
                verification = verify(read_certificate(content, "file"))
            except CertificateError:
                counts["refused"] += 1
                continue
            counts["accepted"] += 1
            for fact in facts_of(verification)["claims"]:
                counts[_judged(verification, json.loads(content), fact)] += 1
    return counts


def _judged(verification: Verification, written: Body, fact: dict[str, Any]) -> str:
    """Check an accepted claim; return the statistic to count.

    :raises TrialFailure: its sentence is incomplete, or a solver refutes it.
    """
    says, is_forced = fact["says"], fact["claim"] == "forced"
    game, state = verification.game, verification.state
    known = goal_of(game.rules)
    asked = [game.title, game.rules.text(state), "can force" if is_forced else "can't force"]
    named = [(name, value) for name, value in written["options"].items() if name != FIRST]
    asked += [f"{name}={value}" for name, value in named if value != game.options[name].default]
    asked.append(known.words(fact["goal"]) if known and fact["goal"] else "a win")
    asked.append("the player" if game.seats == (1,) else f"seat {fact['seat']} ")
    written_side = {(claim["seat"], claim["goal"], claim["claim"]): claim["chance"] for claim in written["claims"]}[
        fact["seat"], fact["goal"] or 0, fact["claim"]
    ]
    if game.has_chance:
        against = "against any luck" if is_forced else "against the worst luck"
        asked.append("if luck helps" if written_side == "or" else against)
    missing = [words for words in asked if words not in says]
    if missing:
        raise TrialFailure(f"{says!r} lacks {missing}")
    solver = make_depth_first(game, SolverSetting(chance=written_side))
    solver.begin(state, fact["seat"] - 1, fact["goal"] or 0)
    proof = solver.run(Limit(nodes=_NODES))
    if proof.is_proof and (proof.result == "proved") != is_forced:
        raise TrialFailure(f"{says!r} is not true")
    return "claims that df-pn confirms" if proof.is_proof else "claims that df-pn leaves open"
