"""The texts of a puzzle: the task, and what came of the tried turn."""

from __future__ import annotations

from papan.game.catalogue import GAMES
from papan.game.puzzles import GRADES, Puzzle, PuzzleError
from papan.game.rules import Rules, State
from papan.ui.play.puzzling import ANSWERING, JUDGING, OVER, SHOWING, TURN, WRONG, Puzzling
from papan.ui.scenes.trial import Said
from papan.ui.texts import _, plural, translated


def side_name(rules: Rules, state: State, seat: int) -> str:
    """Return the name of *seat*: its colour, or its number."""
    return translated(rules.seat_note(state, seat)[0]) or _("Player {number}").format(number=seat + 1)


def request(puzzle: Puzzle) -> str:
    if puzzle.goal == "win":
        return _("Find the only turn that wins")
    if puzzle.goal == "within":
        return plural(
            "Find the only turn that wins at once", "Find the only turn that wins within {count} turns", puzzle.turns
        )
    return _("Find the only turn that saves the draw")


def aim(puzzle: Puzzle) -> str:
    """Return the task in few words."""
    if puzzle.goal == "win":
        return _("Find the win")
    if puzzle.goal == "within":
        return plural("Win at once", "Win within {count} turns", puzzle.turns)
    return _("Save the draw")


def side_to_move(puzzle: Puzzle) -> str:
    """Return the side to move; "" for an invalid puzzle. Its game must be loaded."""
    try:
        match = puzzle.match()
    except PuzzleError:
        return ""
    return _("{side} to move").format(side=side_name(match.rules, match.state, puzzle.seat))


def grade(puzzle: Puzzle) -> str:
    return _("Grade {grade} of {most}").format(grade=puzzle.grade, most=GRADES[-1])


def length(puzzle: Puzzle) -> str:
    """Return how long the win takes, or the loss after a wrong turn."""
    own = puzzle.turns
    if puzzle.goal == "win":
        return plural("It wins at once.", "It wins in {count} turns.", own)
    if puzzle.goal == "within":
        return plural("It wins with this turn.", "It wins within {count} turns, whatever is answered.", own)
    return plural("Any other turn loses in {count} turn.", "Any other turn loses in {count} turns.", own)


def titled(puzzle: Puzzle, number: int) -> str:
    """Return the title of a puzzle: its game and number."""
    return _("{game}, puzzle {number}").format(game=translated(GAMES[puzzle.game].title), number=number)


def said_of(puzzling: Puzzling) -> Said:
    """Return the text beside the board."""
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
        if puzzling.wins_later:
            heading = _("{turn} wins too, but later").format(turn=wrong)
            return Said(whose, heading, f"{_how_late(puzzling)} {_('It is taken back.')}")
        return Said(whose, _("{turn} is not right").format(turn=wrong), _why_not(puzzling), "bad")
    if puzzling.stage == OVER:
        return Said(whose, _("Solved"), _ending(puzzling), "good")
    if puzzling.stage == JUDGING:
        return Said(whose, _("Checking your turn …"), "")
    if puzzling.stage == ANSWERING:
        words = _("The other side looks for its best defence.")
        return Said(whose, _right(puzzling), words, "good")
    return _trying(puzzling, whose)


def _right(puzzling: Puzzling) -> str:
    return _("Right: {turn}").format(turn=translated(puzzling.right_name))


def _trying(puzzling: Puzzling, whose: str) -> Said:
    match, pointed = puzzling.match, puzzling.turn.pointed
    asked, detail = match.rules.prompt(match.state, pointed[0] if pointed else None)
    prompt = " ".join(part for part in (f"{translated(asked)}.", translated(detail)) if part)
    if puzzling.is_found:
        return Said(whose, _right(puzzling), f"{_playing_on(puzzling)} {prompt}", "good")
    parts = [prompt]
    if puzzling.wrong_name:
        parts.insert(0, _taken_back(puzzling))
    if puzzling.hinted == TURN:
        parts.append(_("The right turn is **{turn}**.").format(turn=translated(puzzling.right_name)))
    elif puzzling.hinted:
        parts.append(length(puzzling.puzzle))
    return Said(whose, request(puzzling.puzzle), " ".join(parts))


def _playing_on(puzzling: Puzzling) -> str:
    """Return what to do after the right turn was found, and what a later wrong turn did."""
    if puzzling.puzzle.goal == "within":
        words = plural(
            "Win with this turn, or go on to the next puzzle.",
            "Win within {count} turns against the best resistance, or go on to the next puzzle.",
            puzzling.turns_left,
        )
        return f"{_taken_back(puzzling)} {words}" if puzzling.wrong_name else words
    if puzzling.wrong_name:
        return _("{turn} was a mistake and was taken back.").format(turn=translated(puzzling.wrong_name))
    return _("Play it out against the best resistance, or go on to the next puzzle.")


def _taken_back(puzzling: Puzzling) -> str:
    words = _("{turn} was taken back.").format(turn=translated(puzzling.wrong_name))
    return f"{words} {_how_late(puzzling)}" if puzzling.wins_later else words


def _how_late(puzzling: Puzzling) -> str:
    """Return how long the win of a slower turn takes."""
    return plural("It takes {count} turn to win.", "It takes {count} turns to win.", puzzling.wins_later + 1)


def _why_not(puzzling: Puzzling) -> str:
    if puzzling.puzzle.goal == "save":
        return _("After it the other side forces a win. It is taken back.")
    if puzzling.puzzle.goal == "within":
        return plural(
            "It does not win at once. It is taken back.",
            "It does not win within {count} turns. It is taken back.",
            puzzling.turns_left,
        )
    if puzzling.is_found:
        return _("It gives the win away. It is taken back.")
    return _("It does not force a win. It is taken back.")


def _ending(puzzling: Puzzling) -> str:
    ending = puzzling.match.ending
    reason = translated(ending.reason) if ending is not None else ""
    return _("The game is over: {reason}.").format(reason=reason)
