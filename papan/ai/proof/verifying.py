"""Whether a certificate proves what it claims: replayed by the rules alone, without any prover.

This module and ``walking`` import nothing but the rules; ``lint-imports`` checks that no search comes in.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass

from papan.ai.proof.certificate import Certificate, CertificateError, Claim
from papan.ai.proof.walking import Question, Walk, Walked
from papan.game.base.sentences import say
from papan.game.base.untrusted import quoted
from papan.game.catalogue import find
from papan.game.game import SEATS, Game, OptionError
from papan.game.match import Match
from papan.game.rules import PositionError, State, goal_of, seats


@dataclass(frozen=True)
class Verified:
    """A claim that was found true."""

    claim: Claim
    walked: Walked


@dataclass(frozen=True)
class Verification:
    """What a certificate proves."""

    game: Game
    state: State
    verified: Sequence[Verified]
    options: Mapping[str, str]
    """All of the game's, those that the certificate leaves out included."""
    given: Collection[str]
    """The names of those that it does not leave out."""


def start_of(certificate: Certificate) -> Match:
    """The match that begins with the position that *certificate* is about.

    :raises CertificateError: there is no such game or position, or its rules have changed since.
    """
    try:
        game = find(certificate.game)
        if certificate.version != game.version:
            raise CertificateError(
                say("The certificate is for other rules of {game} than those of this program.", game=game.title)
            )
        number = next((one for one in game.seats if str(one) == certificate.options.get(SEATS)), game.seats[0])
        match = Match.new(game, [""] * number, dict(certificate.options), 0, certificate.position)
    except (OptionError, PositionError) as error:
        raise CertificateError(str(error)) from None
    if game.has_hidden_information:
        raise CertificateError(say("{game} hides cards: nothing is proved of it.", game=game.title))
    return match


def verify(certificate: Certificate, tell: Callable[[int], None] = lambda states: None) -> Verification:
    """Replay all that *certificate* claims.

    :param tell: is told now and then how many states have been met.
    :raises CertificateError: it does not prove it.
    """
    match = start_of(certificate)
    game, state = match.game, match.state
    for claim in certificate.claims:
        _check(game, state, claim)
    left = certificate.most_states
    verified = []
    for claim in certificate.claims:
        walked = _replayed(game, state, claim, left, tell)
        left -= walked.states
        verified.append(Verified(claim, walked))
    return Verification(game, state, verified, match.options, tuple(certificate.options))


def _check(game: Game, state: State, claim: Claim) -> None:
    """:raises CertificateError: the game has no such seat or goal, or leaves nothing to chance."""
    known = goal_of(game.rules)
    if not 0 <= claim.seat < seats(state):
        raise CertificateError(say("There is no seat {seat}.", seat=claim.seat + 1))
    if claim.goal not in ((0,) if known is None else known.numbers):
        raise CertificateError(say("{goal} is no goal of {game}.", goal=claim.goal, game=game.title))
    if claim.chance_helps and not game.has_chance:
        raise CertificateError(say("{game} has no random events, so luck cannot help.", game=game.title))


def _replayed(game: Game, state: State, claim: Claim, most_states: int, tell: Callable[[int], None]) -> Walked:
    used = 0

    def choose(state: State, steps: Sequence[int], may_go_to: Callable[[State], bool]) -> int:
        nonlocal used
        if used >= len(claim.choices):
            raise CertificateError(say("It is no proof: its strategy ends too soon."))
        choice = int(claim.choices[used])
        if choice >= len(steps):
            raise CertificateError(
                say(
                    "It is no proof: choice {number} of its strategy is no legal step ({choice} of {steps}).",
                    number=used + 1,
                    choice=quoted(str(choice + 1)),
                    steps=len(steps),
                )
            )
        used += 1
        return steps[choice]

    question = Question(claim.seat, claim.goal, claim.chance_helps, claim.is_forced)
    walked = Walk(game.rules, question, choose, most_states, tell).run(state)
    if used != len(claim.choices):
        raise CertificateError(say("It is no proof: its strategy is longer than the game that it is for."))
    return walked
