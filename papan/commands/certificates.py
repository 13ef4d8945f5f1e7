"""``solve --proof`` writes the strategy that proves a result; ``verify`` checks it by the rules alone."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import click

from papan.ai.limits import Limit
from papan.commands import fields
from papan.commands.common import argument, command, print_json
from papan.commands.errors import Failure, failure, refusing
from papan.game.base.sentences import Sentence, figures, joined, say, say_number
from papan.game.base.untrusted import UnreadableError, quoted_path, read_file
from papan.game.match import Match
from papan.game.rules import seats
from papan.lab.files import OutputError, write_whole
from papan.lab.printing import show, show_said, working

if TYPE_CHECKING:
    from papan.ai.outcome import Outcome
    from papan.ai.proof.certificate import Claim
    from papan.ai.proof.claims import Conditions
    from papan.ai.proof.result import Proof
    from papan.ai.proof.verifying import Verification, Verified


@dataclass(frozen=True)
class VerifyRequest:
    file: str = argument(metavar="FILE")
    as_json: bool = fields.AS_JSON


@command(VerifyRequest)
def verify(asked: VerifyRequest) -> None:
    """Check a certificate.

    Replays the strategy in FILE, which solve --proof has written, by the rules alone, against everything that the other
    side can do. No prover takes part.
    """
    from papan.ai.proof.certificate import MOST_BYTES, CertificateError, read_certificate
    from papan.ai.proof.verifying import verify as verified

    with refusing(CertificateError, UnreadableError):
        content = read_file(Path(asked.file), MOST_BYTES)
        with working(say("verifying")) as tell:
            verification = verified(
                read_certificate(content, Path(asked.file).name),
                lambda states: tell(say("verifying: {number} positions", number=figures(states))),
            )
    if asked.as_json:
        print_json(facts_of(verification))
        return
    game, state = verification.game, verification.state
    show_said("{game}, {position}", game=game.title, position=game.rules.text(state) or say("from the start"))
    show()
    for one in verification.verified:
        show(_sentence(verification, one))
    if is_draw(verification):
        show_said("With best play the game is a draw ({conditions}).", conditions=_conditions(verification).listed())


def _conditions(verification: Verification, claim: Claim | None = None) -> Conditions:
    """The conditions of *claim*, or those of the whole *verification*."""
    from papan.ai.proof.claims import conditions_of

    seat, goal, chance_helps = (claim.seat, claim.goal, claim.chance_helps) if claim else (0, 0, False)
    return conditions_of(
        verification.game,
        verification.options,
        verification.state,
        seat,
        goal,
        "or" if chance_helps else "and",
        given=verification.given,
    )


def is_draw(verification: Verification) -> bool:
    """Whether both of two seats are proved to hold the other to a draw, and neither is proved to win."""
    if verification.game.has_chance or seats(verification.state) != 2:
        return False
    kept = {one.claim.seat for one in verification.verified if not (one.claim.is_forced or one.claim.goal)}
    return len(kept) == 2 and not any(one.walked.is_end_won for one in verification.verified)


def _sentence(verification: Verification, verified: Verified) -> Sentence:
    walked = verified.walked
    parts: list[str] = [_says(verification, verified)]
    if _has_turns(verified):
        parts.append(
            say_number(
                "The strategy's side needs at most {count} turn.",
                "The strategy's side needs at most {count} turns.",
                walked.turns,
            )
        )
    parts.append(
        say("{states} positions, {choices} choices.", states=figures(walked.states), choices=figures(walked.choices))
    )
    return joined(parts)


def _says(verification: Verification, verified: Verified) -> Sentence:
    from papan.ai.proof.claims import verified_said

    claim = verified.claim
    others_win = not claim.is_forced and verified.walked.is_end_won and seats(verification.state) > 1
    return verified_said(claim.is_forced, others_win, _conditions(verification, claim))


def _has_turns(verified: Verified) -> bool:
    """Whether the strategy reaches its goal within a number of turns."""
    return verified.walked.turns > 0 and (verified.claim.is_forced or verified.walked.is_end_won)


def facts_of(verification: Verification) -> dict[str, Any]:
    """The verification as JSON."""
    return {
        "game": verification.game.name,
        "options": dict(verification.options),
        "position": verification.game.rules.text(verification.state),
        "is_draw": is_draw(verification),
        "claims": [
            {
                "seat": one.claim.seat + 1,
                "goal": one.claim.goal or None,
                "claim": "forced" if one.claim.is_forced else "prevented",
                "chance": conditions.chance,
                "says": _says(verification, one),
                "conditions": conditions.facts(),
                "is_won_by_strategy": one.walked.is_end_won,
                "turns": one.walked.turns if _has_turns(one) else None,
                "positions": one.walked.states,
                "choices": one.walked.choices,
            }
            for one, conditions in ((one, _conditions(verification, one.claim)) for one in verification.verified)
        ],
    }


def write_proof(
    file: Path,
    match: Match,
    proof: Proof,
    outcome: Outcome | None,
    goal: int,
    memory: float | None,
    chance: Literal["and", "or"],
    limit: Limit,
) -> None:
    """Write a certificate of the result to *file*; each of its claims is proved again within *limit*."""
    from papan.ai.proof.certificate import CertificateError, states_allowed, write_certificate
    from papan.ai.proof.certifying import Certifier, certificate_of

    if not proof.is_proof:
        raise failure("Nothing was proved, so {file} was not written.", file=quoted_path(file))
    if outcome is not None and outcome.value == "points":
        raise failure("No strategy proves a mean value: give a --goal to write {file}.", file=quoted_path(file))
    certifier = Certifier(match.game, memory, chance)
    try:
        with working(say("writing the certificate")) as tell:
            proved = [
                certifier.claim(
                    match.state,
                    seat,
                    goal,
                    limit,
                    lambda states: tell(say("writing the certificate: {number} positions", number=figures(states))),
                )
                for seat in _seats_to_ask(proof, outcome)
            ]
        claims = [claim for claim, _walked in proved]
        text = write_certificate(certificate_of(match.game, match.options, match.state, claims))
        if sum(walked.states for _claim, walked in proved) > states_allowed(len(text)):
            raise CertificateError.saying("The proof visits too many positions for the size of its file.")
        write_whole(file, text)
    except (CertificateError, OutputError) as error:
        raise Failure(joined([say("{file} was not written.", file=quoted_path(file)), str(error)])) from None
    if not click.get_current_context().params.get("as_json"):
        show_said("{file} contains the strategy; check it with {command}.", file=quoted_path(file), command="verify")


def _seats_to_ask(proof: Proof, outcome: Outcome | None) -> tuple[int, ...]:
    """The seats whose win is claimed or denied: the winner or, in a draw, both."""
    if outcome is not None and outcome.value == "loss":
        return (1 - proof.seat,)
    if outcome is not None and outcome.value == "draw":
        return (0, 1)
    return (proof.seat,)
