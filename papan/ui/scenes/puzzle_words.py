"""The words of a puzzle: what is to be found, and what came of the turn that was tried."""

from __future__ import annotations

from papan.game.catalogue import GAMES
from papan.game.puzzles import Puzzle
from papan.game.rules import Rules, State
from papan.ui.play.puzzling import ANSWERING, JUDGING, OVER, SHOWING, TURN, WRONG, Puzzling
from papan.ui.scenes.trial import Said
from papan.ui.texts import _, plural, translated


def side_name(rules: Rules, state: State, seat: int) -> str:
    """What *seat* is called where nobody's name is known: by its colour, or its number."""
    return translated(rules.seat_note(state, seat)[0]) or _("Player {number}").format(number=seat + 1)


def request(puzzle: Puzzle) -> str:
    """What is to be found."""
    if puzzle.goal == "win":
        return _("Find the only turn that wins")
    return _("Find the only turn that saves the draw")


def length(puzzle: Puzzle) -> str:
    """How long the win takes, or the loss after a wrong turn."""
    own = (puzzle.plies + 1) // 2
    if puzzle.goal == "win":
        return plural("It wins at once.", "It wins in {count} turns.", own)
    return plural("After any other turn {count} turn loses.", "After any other turn {count} turns lose.", own)


def titled(puzzle: Puzzle, number: int) -> str:
    """A puzzle by its game and its number."""
    return _("{game}, puzzle {number}").format(game=translated(GAMES[puzzle.game].title), number=number)


def said_of(puzzling: Puzzling) -> Said:
    """All that is said beside the board now."""
    puzzle, rules = puzzling.puzzle, puzzling.match.rules
    whose = _("{side} to move · grade {grade}").format(
        side=side_name(rules, puzzling.match.states[0], puzzle.seat), grade=puzzle.grade
    )
    if puzzling.trouble:
        return Said(whose, _("The other side has no answer"), puzzling.trouble)
    if puzzling.stage == SHOWING:
        right = translated(puzzling.right_name)
        return Said(whose, _("This is right: {turn}").format(turn=right), length(puzzle))
    if puzzling.stage == WRONG:
        wrong = translated(puzzling.wrong_name)
        return Said(whose, _("{turn} is not right").format(turn=wrong), _why_not(puzzling), "bad")
    if puzzling.stage == OVER:
        return Said(whose, _("Solved"), _ending(puzzling), "good")
    if puzzling.stage == JUDGING:
        return Said(whose, _("Looking at it …"), "")
    if puzzling.stage == ANSWERING:
        words = _("The other side looks for the answer that holds out longest.")
        return Said(whose, _right(puzzling), words, "good")
    return _trying(puzzling, whose)


def _right(puzzling: Puzzling) -> str:
    return _("Right: {turn}").format(turn=translated(puzzling.right_name))


def _trying(puzzling: Puzzling, whose: str) -> Said:
    match, pointed = puzzling.match, puzzling.turn.pointed
    asked, detail = match.rules.prompt(match.state, pointed[0] if pointed else None)
    prompt = " ".join(part for part in (f"{translated(asked)}.", translated(detail)) if part)
    if puzzling.is_found:
        words = _("Play it out against the best resistance, or go on to the next puzzle.")
        if puzzling.wrong_name:
            words = _("{turn} gave it away and was taken back.").format(turn=translated(puzzling.wrong_name))
        return Said(whose, _right(puzzling), f"{words} {prompt}", "good")
    parts = [prompt]
    if puzzling.wrong_name:
        parts.insert(0, _("{turn} was taken back.").format(turn=translated(puzzling.wrong_name)))
    if puzzling.hinted == TURN:
        parts.append(_("The right turn is **{turn}**.").format(turn=translated(puzzling.right_name)))
    elif puzzling.hinted:
        parts.append(length(puzzling.puzzle))
    return Said(whose, request(puzzling.puzzle), " ".join(parts))


def _why_not(puzzling: Puzzling) -> str:
    if puzzling.puzzle.goal == "save":
        return _("After it the other side forces a win. It is taken back.")
    if puzzling.is_found:
        return _("It gives the win away. It is taken back.")
    return _("It does not force a win. It is taken back.")


def _ending(puzzling: Puzzling) -> str:
    ending = puzzling.match.ending
    reason = translated(ending.reason) if ending is not None else ""
    return _("The game is over: {reason}.").format(reason=reason)
