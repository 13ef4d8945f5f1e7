"""The texts of a puzzle: the task, and the result of the tried turn."""

from __future__ import annotations

from papan.game.base.protocols import offers
from papan.game.base.sentences import capitalised
from papan.game.catalogue import GAMES
from papan.game.presentation import CellWords, setup_of
from papan.game.puzzles import GRADES, Puzzle, PuzzleError
from papan.ui.boards import BoardView
from papan.ui.play.practice import WRONG
from papan.ui.play.puzzle_practice import ANSWERING, JUDGING, MOST_LENGTH, OVER, SAVE, SHOWING, TURN, PuzzlePractice
from papan.ui.scenes.practice import SideText, side_name
from papan.ui.texts import _, plural, translated


def request(puzzle: Puzzle) -> str:
    if puzzle.goal == "win":
        return _("Find the only turn that wins")
    if puzzle.goal == "within":
        return plural(
            "Find the only turn that wins at once", "Find the only turn that wins within {count} turns", puzzle.turns
        )
    return _("Find the only turn that still gets a draw")


def theme_in_words(theme: str) -> str:
    """Return *theme*, as ``theme_of`` names it, in words."""
    if theme == SAVE:
        return _("Get a draw")
    turns = int(theme)
    if turns == MOST_LENGTH:
        return _("Win in {count} turns or more").format(count=turns)
    return plural("Win at once", "Win within {count} turns", turns)


def aim(puzzle: Puzzle) -> str:
    if puzzle.goal == "win":
        return _("Find the win")
    if puzzle.goal == "within":
        return plural("Win at once", "Win within {count} turns", puzzle.turns)
    return _("Get a draw")


def side_to_move(puzzle: Puzzle, view: BoardView) -> str:
    """Return the side to move as the board *view* shows it; "" for an invalid puzzle."""
    try:
        match = puzzle.match()
    except PuzzleError:
        return ""
    return capitalised(_("{side} to move").format(side=side_name(view, match.rules, match.state, puzzle.seat)))


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
    return _("{game}, puzzle {number}").format(game=translated(GAMES[puzzle.game].title), number=number)


def side_text_of(practice: PuzzlePractice, view: BoardView) -> SideText:
    puzzle = practice.puzzle
    side = side_name(view, practice.match.rules, practice.match.states[0], puzzle.seat)
    whose = capitalised(_("{side} to move · grade {grade}").format(side=side, grade=puzzle.grade))
    if practice.trouble:
        return SideText(whose, _("The other side has no answer"), translated(practice.trouble))
    if practice.stage == SHOWING:
        right = translated(practice.right_name)
        return SideText(whose, _("This is right: {turn}").format(turn=right), length(puzzle))
    if practice.stage == WRONG:
        wrong = translated(practice.wrong_name)
        if practice.wins_later:
            heading = _("{turn} wins too, but later").format(turn=wrong)
            return SideText(whose, heading, f"{_how_late(practice)} {_('Your turn was taken back.')}")
        return SideText(whose, _("{turn} is not right").format(turn=wrong), _why_not(practice), "bad")
    if practice.stage == OVER:
        return SideText(whose, _("Solved"), _ending(practice), "good")
    if practice.stage == JUDGING:
        return SideText(whose, _("Checking your turn …"), "")
    if practice.stage == ANSWERING:
        words = _("The other side looks for its best defence.")
        return SideText(whose, _right(practice), words, "good")
    match, pointed = practice.match, practice.turn.pointed
    asked, detail = match.rules.prompt(match.state, pointed[0] if pointed else None)
    prompt = " ".join(part for part in (f"{translated(asked)}.", translated(detail)) if part)
    task = _playing_on(practice) if practice.is_found else f"{request(practice.puzzle)}."
    hints = [] if practice.is_found else _hints(practice)
    if practice.wrong_name and not practice.wins_later:
        return SideText(whose, _("Not that one"), " ".join([task, prompt, *hints]), "bad", _taken_back(practice))
    if practice.is_found:
        return SideText(whose, _right(practice), f"{task} {prompt}", "good", _taken_back(practice))
    return SideText(whose, request(practice.puzzle), " ".join([prompt, *hints]), remark=_taken_back(practice))


def _right(practice: PuzzlePractice) -> str:
    return _("Right: {turn}").format(turn=translated(practice.right_name))


def _hints(practice: PuzzlePractice) -> list[str]:
    if practice.hinted == TURN:
        return [_("The right turn is **{turn}**.").format(turn=translated(practice.right_name))]
    told, marked, setup = [], practice.hint_cells, setup_of(practice.match.game)
    if marked and offers(setup, CellWords):
        place = translated(setup.name_of(practice.match.state, marked[0]))
        told.append(_("Begin at the mark: **{place}**.").format(place=place))
    elif marked:
        told.append(_("Begin at the mark."))
    return [*told, length(practice.puzzle)] if practice.hinted and not practice.wrong_name else told


def _playing_on(practice: PuzzlePractice) -> str:
    if practice.puzzle.goal == "within":
        return plural(
            "Win with this turn, or go on to the next puzzle.",
            "Win within {count} turns against the best resistance, or go on to the next puzzle.",
            practice.turns_left,
        )
    return _("Play it out against the best resistance, or go on to the next puzzle.")


def _taken_back(practice: PuzzlePractice) -> str:
    """Return what became of the last try; "" if it was not wrong."""
    if not practice.wrong_name:
        return ""
    words = _("{turn} was taken back.").format(turn=translated(practice.wrong_name))
    return f"{words} {_how_late(practice)}" if practice.wins_later else words


def _how_late(practice: PuzzlePractice) -> str:
    return plural(
        "The shortest win takes {count} turn.", "The shortest win takes {count} turns.", practice.wins_later + 1
    )


def _why_not(practice: PuzzlePractice) -> str:
    if practice.puzzle.goal == "save":
        return _("After that, the other side can force a win. Your turn was taken back.")
    if practice.puzzle.goal == "within":
        return plural(
            "That does not win at once. Your turn was taken back.",
            "That does not win within {count} turns. Your turn was taken back.",
            practice.turns_left,
        )
    if practice.is_found:
        return _("That gives the win away. Your turn was taken back.")
    return _("That does not force a win. Your turn was taken back.")


def _ending(practice: PuzzlePractice) -> str:
    ending = practice.match.ending
    reason = translated(ending.reason) if ending is not None else ""
    return _("The game is over: {reason}.").format(reason=reason)
