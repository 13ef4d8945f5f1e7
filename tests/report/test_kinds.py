"""What a report says of each kind of result, and of files that are none."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from papan.lab.simulation.plan import Plan
from papan.lab.tournament.rating import STOPPED_EARLY, SequentialTest
from papan.report.kinds import ANSWERS, NoResultError, section_of
from papan.report.page import page
from papan.report.sections import Comparison, Curves, Section
from tests.report import results

CONDITIONS = {"partners": [], "seats": 2, "sides": 2, "came_twice": 0, "leaves_repetition_rule_aside": False}


def read(answer: results.Answer) -> Section:
    return section_of(json.dumps(answer).encode())


def journal(tmp_path: Path, write: Callable[..., None], *arguments: Any, **named: Any) -> bytes:
    """What *write* writes into a journal."""
    file = tmp_path / "journal"
    write(file, *arguments, **named)
    return file.read_bytes()


def table_of(section: Section, caption: str) -> list[list[str]]:
    """The texts in the rows of a table."""
    (table,) = (table for table in section.tables if table.caption == caption)
    return [[cell.text for cell in row] for row in table.rows]


def comparison_of(section: Section, title: str) -> Comparison:
    (plot,) = (plot for plot in section.plots if plot.title == title)
    assert isinstance(plot, Comparison)
    return plot


class TestEveryKind:
    def test_each_command_has_an_example_here(self) -> None:
        assert {answer["made_by"]["command"] for answer in results.answers().values()} == set(ANSWERS)

    @pytest.mark.parametrize("name", results.answers())
    def test_it_tells_how_it_was_made_and_rows_fit_their_columns(self, name: str) -> None:
        answer = results.answers()[name]
        section, made = read(answer), answer["made_by"]
        assert section.command and section.command.startswith(f"papan {made['command']}")
        assert ("Version", "9.8.7") in section.facts
        assert (("Seed", str(made["seed"])) in section.facts) is (made["seed"] is not None)
        assert section.title and section.kind and (section.tables or section.plots)
        for table in section.tables:
            assert all(len(row) == len(table.columns) for row in table.rows)

    def test_the_command_has_a_seed_that_was_drawn_and_quotes_words_with_spaces(self) -> None:
        assert read(results.match_answer()).command == "papan match connect-four random perfect --seed 5"
        assert read(results.review_answer()).command == "papan analyse 'a match.txt' --json"


class TestSimulation:
    def test_players_and_seats_have_their_shares_with_intervals(self) -> None:
        section = read(results.simulation_answer())
        assert section.title == "Connect Four: random against greedy"
        by_player = comparison_of(section, "Games won by each player")
        assert [(item.label, item.value) for item in by_player.items] == [("random", 50.0), ("greedy", 50.0)]
        assert all(item.interval and item.interval.low < 50 < item.interval.high for item in by_player.items)
        by_seat = comparison_of(section, "Games won from each seat")
        assert [item.value for item in by_seat.items] == [100.0, 0.0]
        assert by_player.reference and by_player.reference.value == 50.0

    def test_endings_are_bars_and_rare_ones_are_counted_together(self) -> None:
        answer = results.simulation_answer()
        endings = comparison_of(read(answer), "How games ended")
        assert endings.has_bars
        assert [(item.label, item.value) for item in endings.items] == [
            ("four in a row", 90.0),
            ("all cells are full", 10.0),
        ]
        answer["reasons"] = {f"reason {number}": 2 for number in range(20)}
        items = comparison_of(read(answer), "How games ended").items
        assert len(items) == 11 and items[-1].label == "10 other reasons" and items[-1].value == 50.0

    def test_shares_from_a_seat_are_coloured_beside_an_even_one(self) -> None:
        section = read(results.simulation_answer())
        (table,) = (table for table in section.tables if table.caption == "Games won by each player from each seat")
        assert [[cell.tint for cell in row[1:]] for row in table.rows] == [[1.0, 0.0], [1.0, 0.0]]

    def test_players_of_one_name_are_told_apart(self) -> None:
        plan = Plan("connect-four", ("random", "random"), {}, 7, 40, 10, "abc")
        section = read(results.simulation_answer(plan))
        assert section.title == "Connect Four: 2 × random"
        labels = [item.label for item in comparison_of(section, "Games won by each player").items]
        assert labels == ["random (1)", "random (2)"]

    def test_one_player_has_a_score(self) -> None:
        section = read(results.score_answer())
        assert table_of(section, "Scores") == [["random", "12", "100.0", "82.1 to 117.9"]]
        assert "100.0 on average" in section.paragraphs[0]


class TestTournament:
    def test_ratings_have_error_bars_and_the_cross_table_points_and_colours(self) -> None:
        section = read(results.tournament_answer())
        ratings = comparison_of(section, "Ratings")
        assert [item.label for item in ratings.items] == ["minimax:hard", "minimax:easy", "random"]
        assert all(item.interval and item.interval.low < item.value < item.interval.high for item in ratings.items)
        assert table_of(section, "Standings")[0][:2] == ["1", "minimax:hard"]
        assert table_of(section, "Points of the row's player against the column's") == [
            ["1", "minimax:hard", "·", "5/6", "5/6"],
            ["2", "minimax:easy", "1/6", "·", "5/6"],
            ["3", "random", "1/6", "1/6", "·"],
        ]
        cells = section.tables[1].rows[0]
        assert cells[3].tint == pytest.approx(5 / 6) and cells[2].tint is None
        said = "Sequential test of minimax:hard against minimax:easy after 6 games"
        assert any(said in paragraph for paragraph in section.paragraphs)
        assert table_of(section, "Forfeits") == [["random", "2", "it took too long"]]

    def test_a_test_that_stopped_early_is_told_with_what_that_means(self, tmp_path: Path) -> None:
        plan = dataclasses.replace(results.TOURNAMENT, players=results.TOURNAMENT.players[:2], rounds=50, openings=50)
        test = SequentialTest(0.0, 300.0, 0.2, 0.2)
        section = section_of(journal(tmp_path, results.write_tournament, 30, plan, test))
        assert section.warning == "" and {("Games", "8"), ("Openings", "4")} <= {*section.facts}
        assert section.paragraphs[1:3] == (
            "The sequential test of minimax:hard against minimax:easy stopped after 8 of 100 games: the first is "
            "stronger (log-likelihood ratio 2.05, bounds −1.39 and 1.39).",
            STOPPED_EARLY,
        )
        assert section.command and "--sprt 0,300,0.2,0.2 " in section.command

    def test_a_test_that_is_open_leaves_a_tournament_unfinished(self, tmp_path: Path) -> None:
        section = section_of(journal(tmp_path, results.write_tournament, 2, test=SequentialTest(0.0, 10.0)))
        assert section.warning == "Not finished: 4 of 18 games are played."
        assert "undecided" in " ".join(section.paragraphs) and STOPPED_EARLY not in section.paragraphs

    def test_players_of_one_name_have_no_cross_table(self) -> None:
        answer = results.tournament_answer()
        answer["players"] = ["random"] * 3
        assert [table.caption for table in read(answer).tables] == ["Standings", "Forfeits"]


class TestClocks:
    """Another machine might take another clock than that of the answer."""

    def test_the_one_that_was_taken_is_asked_for_once(self) -> None:
        section = read({**results.tournament_answer(), "clock": "processor"})
        assert ("Seconds are", "processor time") in section.facts
        assert section.command and section.command.endswith(" --clock processor")
        answer = {**results.levels_answer(), "clock": "wall"}
        answer["made_by"]["arguments"].append("--clock=wall")
        assert (read(answer).command or "").count("--clock") == 1

    def test_an_older_answer_names_none_and_one_that_there_is_not_is_refused(self) -> None:
        answer = results.levels_answer()
        del answer["clock"]
        section = read(answer)
        assert "--clock" not in (section.command or "--clock") and "Seconds are" not in dict(section.facts)
        with pytest.raises(NoResultError, match="there is no clock 'sun'"):
            read({**answer, "clock": "sun"})


class TestLevels:
    def test_of_two_have_ratings(self) -> None:
        section = read(results.levels_answer())
        assert [plot.title for plot in section.plots] == ["Against the level below"]
        (table,) = (table for table in section.tables if table.caption == "Levels")
        assert [column.heading for column in table.columns] == ["player", "Elo", "±", "s a step", "forfeits"]

    def test_alone_have_scores_with_intervals_and_quartiles(self) -> None:
        section = read(results.levels_answer(results.LADDER_ALONE))
        scores = comparison_of(section, "Mean scores")
        assert [item.value for item in scores.items] == [1000.0 * number + 200.0 for number in range(9)]
        assert all(item.interval and item.interval.low < item.value < item.interval.high for item in scores.items)
        assert table_of(section, "Levels")[1] == [
            "level:1", "1,200", "1,061 to 1,339", "1,000", "1,100", "1,200", "1,300", "1,400", "0.017", "0",
        ]  # fmt: skip
        assert table_of(section, "Pairs")[0][:4] == ["level:1", "random", "100.0 %", "56.6 to 100.0"]

    def test_alone_in_a_journal_are_what_the_answer_says(self, tmp_path: Path) -> None:
        found = section_of(journal(tmp_path, results.write_tournament, plan=results.LADDER_ALONE))
        told = read(results.levels_answer(results.LADDER_ALONE))
        assert found.warning == "" and (found.title, found.plots, found.tables) == (told.title, told.plots, told.tables)
        assert found.command == "papan levels 2048 --games 5 --time 0.1 --option first=1 --seed 7 --clock wall"

    def test_a_single_game_has_no_interval(self, tmp_path: Path) -> None:
        section = section_of(journal(tmp_path, results.write_tournament, 1, results.LADDER_ALONE))
        assert section.warning == "Not finished: 1 of 45 games are played."
        assert table_of(section, "Levels")[0][:4] == ["random", "0", "", "0"]


class TestTuning:
    def test_the_curve_has_a_band_and_weights_stand_beside_those_before(self) -> None:
        section = read(results.tuning_answer())
        (curve,) = section.plots
        assert isinstance(curve, Curves)
        assert [(point.x, point.y) for point in curve.curves[0].points] == [(1.0, 60.0), (2.0, 70.0), (3.0, 80.0)]
        assert all(point.interval for point in curve.curves[0].points)
        assert table_of(section, "Weights") == [["threats", "6.000", "9.000"], ["in_centre", "1.000", "0.333"]]

    def test_a_game_that_is_not_there_has_no_weights_before(self) -> None:
        section = read({**results.tuning_answer(), "game": "ludo"})
        assert table_of(section, "Weights") == [["threats", "9.000"], ["in_centre", "0.333"]]
        assert section.title == "ludo: standard"


class TestTraining:
    def test_the_curve_has_a_band(self) -> None:
        section = read(results.training_answer())
        (curve,) = section.plots
        assert isinstance(curve, Curves) and curve.reference is None
        assert [(point.x, point.y) for point in curve.curves[0].points] == [
            (1000.0, 20_000.0), (2000.0, 40_000.0), (3000.0, 60_000.0),
        ]  # fmt: skip
        assert section.title == "2048: 4x6"
        assert section.paragraphs == [
            "After 3,000 games the network scored 60,000 on average (45,000 to 75,000), in 100 games."
        ]
        assert table_of(section, "Measurements")[0] == ["1,000", "20,000", "15,000 to 25,000"]

    def test_in_a_game_of_two_it_is_compared_with_the_opponent(self) -> None:
        section = read(results.met_answer())
        (curve,) = section.plots
        assert isinstance(curve, Curves) and curve.reference and curve.reference.value == 50.0
        assert section.paragraphs == [
            "After 1,000 games the network had 25.0 % of the points (16.0 to 37.0) against minimax:hard, in 60 games."
        ]


class TestReproductions:
    def test_the_papers_figure_stands_beside_ours_and_empty_columns_are_left_out(self) -> None:
        section = read(results.reproduction_answer())
        assert section.title == "santorini-heuristics: Table 2" and section.paragraphs == [
            "Two powers meet twice from each start, and each moves first once."
        ]
        assert ("Paper", "Kelvin and Lukas (undated)") in section.facts and ("atlas", "literal") in section.facts
        won = "won by the first player, %"
        assert [" | ".join(row) for row in table_of(section, "Who wins")] == [
            f"norm – norm | {won} | 55.000 | 55.200 | +0.200 | 54.80 to 55.50 | 65,536 | agrees",
            f"god – god | {won} | 56.900 | 50.500 | −6.400 | 50.10 to 50.90 | 65,536 | differs",
            "7 | holds |  | confirmed |  |  | 480 | ",
        ]
        (times,) = (table for table in section.tables if table.caption == "The first move")
        assert [(column.heading, column.is_number) for column in times.columns] == [
            ("case", False), ("figure", False), ("here", False), ("of", True),
        ]  # fmt: skip
        assert table_of(section, "The first move") == [["7", "holds", "confirmed", "480"]]
        plot = comparison_of(section, "Who wins")
        assert [(item.label, item.value) for item in plot.items] == [("norm – norm", 55.2), ("god – god", 50.5)]
        assert plot.axis.label == won

    def test_a_journal_says_how_far_it_is(self, tmp_path: Path) -> None:
        content = journal(tmp_path, results.write_reproduction)
        section = section_of(content)
        assert section.command == "papan reproduce scn-2048 --reading depth=2 --seed 7"
        assert section.paragraphs == ["2 work items are finished."]
        assert section_of(content + b"nonsense\n").paragraphs[-1] == "1 line can't be read."


class TestOtherAnswers:
    def test_a_match_has_its_turns(self) -> None:
        section = read(results.match_answer())
        assert table_of(section, "Turns")[1] == ["2", "chance", "2@a1"]
        assert section.paragraphs == ["0-1 after 3 turns: four in a row."]

    def test_two_players_share_the_points(self) -> None:
        items = comparison_of(read(results.comparison_answer()), "Points").items
        assert [item.value for item in items] == pytest.approx([77.5, 22.5])
        assert items[1].interval == pytest.approx((10.0, 45.0))

    def test_a_review_has_the_chance_turn_by_turn(self) -> None:
        section = read(results.review_answer())
        (curve,) = section.plots
        assert isinstance(curve, Curves)
        assert [point.y for point in curve.curves[0].points] == [50.0, 50.0, 90.0, 100.0, 100.0]
        assert [point.label for point in curve.curves[0].points if point.label] == ["turn 2: 2??"]
        assert table_of(section, "Turn by turn")[2:] == [
            ["2", "1", "2", "??", "+0.8", "90 %", "7", "40 %"],
            ["3", "2", "3", "", "win in 3", "100 %", "", ""],
            ["4", "1", "4", "", "won", "100 %", "", ""],
        ]

    def test_a_proof_has_its_verdict(self) -> None:
        section = read(results.proof_answer())
        assert section.paragraphs[0] == (
            "Disproved: seat 1 can't force a win (Connect Four, from 4444, a draw does not count as a win)."
        )
        assert table_of(section, "Each step")[0] == ["4", "∞", "0", "disproved"]

    @pytest.mark.parametrize(
        ("side", "words"),
        [
            ("or", "can't force a tile of 16 even if luck helps (2048, size=2, from 4444)."),
            ("and", "can't force a tile of 16 against the worst luck (2048, size=2, from 4444)."),
            (None, "not recorded whether luck helps or hinders)."),
        ],
    )
    def test_a_proof_says_on_which_side_chance_was(self, side: str | None, words: str) -> None:
        """Answers of older versions did not note it."""
        answer = {**results.proof_answer(), "game": "2048", "options": {"size": "2"}, "goal": 16}
        if side is not None:
            answer["conditions"] = {**CONDITIONS, "chance": side, "seats": 1, "sides": 1}
        assert words in read(answer).paragraphs[0]

    def test_a_proof_names_partners_and_what_came_before(self) -> None:
        noted = {**CONDITIONS, "partners": [3], "seats": 4, "came_twice": 1, "leaves_repetition_rule_aside": True}
        said = read({**results.proof_answer(), "conditions": noted}).paragraphs[0]
        assert "seats 1, 3 together can't force a win" in said and "1 position has already occurred twice" in said
        assert "wins by the repetition rule not counted" in said

    def test_a_mean_is_no_disproof(self) -> None:
        exact = {"value": "points", "score": 67.7, "turns": None, "least_turns": None, "words": "67.7 points"}
        answer = {**results.proof_answer(), "game": "2048", "options": {"size": "2"}, "result": "exact", "exact": exact}
        answer |= {"method": "exact", "conditions": {**CONDITIONS, "chance": "drawn", "seats": 1, "sides": 1}}
        (said, _line) = read(answer).paragraphs
        assert said == (
            "Exact value for the player (2048, size=2, from 4444, random events with the odds of the rules): "
            "67.7 points."
        )

    @pytest.mark.parametrize(
        ("changes", "fault"),
        [
            ({"result": "won"}, "'won' is not a known result"),
            ({"conditions": {"chance": "often"}}, "'often' is not a known setting of chance"),
            ({"exact": {"value": "much"}}, "'much' is not a known value of a position"),
        ],
    )
    def test_a_proof_that_makes_no_sense(self, changes: dict[str, Any], fault: str) -> None:
        with pytest.raises(NoResultError, match=fault):
            read({**results.proof_answer(), **changes})

    def test_a_benchmark_says_what_was_missed(self) -> None:
        section = read(results.bench_answer())
        assert section.paragraphs == ["1 of 2 targets met."]
        assert [row[5] for row in table_of(section, "Figures")] == ["met", "missed", ""]

    def test_perft_has_its_leaves(self) -> None:
        assert table_of(read(results.perft_answer()), "Leaves") == [
            ["1", "7", "0.000", ""],
            ["2", "49", "0.001", "49,000"],
        ]


class TestJournals:
    @pytest.mark.parametrize(
        ("write", "answer", "command"),
        [
            (
                results.write_simulation,
                results.simulation_answer,
                "papan simulate connect-four random greedy --games 40 --option first=random --seed 7",
            ),
            (
                results.write_tournament,
                results.tournament_answer,
                "papan tournament othello minimax:hard minimax:easy random --games 6 --openings 3 --turns 4"
                " --option first=random --seed 7 --clock wall",
            ),
            (
                results.write_training,
                results.training_answer,
                "papan train 2048 --network 4x6 --method td --games 3000 --out network.npz --rate 1 --trace 0.5"
                " --exploration 0 --promise 0 --every 1000 --check 100 --option first=random --seed 7",
            ),
            (
                results.write_tuning,
                results.tuning_answer,
                "papan tune connect-four --weights standard --over threats,in_centre --method ga --generations 3"
                " --population 4 --meetings 1 --check 5 --depth 2 --turns 4 --option first=random --seed 7",
            ),
        ],
    )
    def test_a_finished_one_shows_what_the_answer_shows(
        self, tmp_path: Path, write: Callable[[Path], None], answer: Callable[[], results.Answer], command: str
    ) -> None:
        found, told = section_of(journal(tmp_path, write)), read(answer())
        assert found.warning == "" and found.title == told.title
        assert found.plots == told.plots and found.tables[0] == told.tables[0]
        assert found.command == command

    def test_of_levels_each_pair_is_counted_once(self, tmp_path: Path) -> None:
        found = section_of(journal(tmp_path, results.write_tournament, 3, results.LADDER))
        assert found.warning == "Not finished: 6 of 48 games are played." and found.title == "Othello: levels"
        assert found.command == (
            "papan levels othello --games 6 --time 0.1 --turns 4 --option first=random --seed 7 --clock wall"
        )

    @pytest.mark.parametrize(
        ("first", "end", "words"), [(6, 9, "--time 0.1 --from 6"), (0, 4, "--to 3"), (3, 6, "--from 3 --to 5")]
    )
    def test_of_some_levels_the_command_says_which(self, tmp_path: Path, first: int, end: int, words: str) -> None:
        plan = dataclasses.replace(results.LADDER, players=results.LADDER.players[first:end])
        command = section_of(journal(tmp_path, results.write_tournament, 3, plan)).command
        assert command and command.startswith(f"papan levels othello --games 6 {words} --turns 4 --option")

    @pytest.mark.parametrize(
        ("write", "done", "words"),
        [
            (results.write_simulation, 3, "Not finished: 30 of 40 games are played."),
            (results.write_simulation, 0, "Not finished: 0 of 40 games are played."),
            (results.write_tournament, 2, "Not finished: 4 of 18 games are played."),
            (results.write_tournament, 0, "Not finished: 0 of 18 games are played."),
            (results.write_training, 0, "Nothing is measured yet."),
            (results.write_tuning, 0, "No generation is finished yet."),
        ],
    )
    def test_one_that_is_not_finished_says_how_far_it_is(
        self, tmp_path: Path, write: Callable[..., None], done: int, words: str
    ) -> None:
        assert section_of(journal(tmp_path, write, done)).warning == words

    @pytest.mark.parametrize("rounds", [0, 3])
    def test_the_clock_of_a_tournament_is_named(self, tmp_path: Path, rounds: int) -> None:
        plan = dataclasses.replace(results.TOURNAMENT, clock="processor")
        found = section_of(journal(tmp_path, results.write_tournament, rounds, plan))
        assert ("Seconds are", "processor time") in found.facts
        assert found.command and found.command.endswith(" --seed 7 --clock processor")

    def test_a_tournament_from_before_there_were_two_clocks_went_by_the_wall_s(self, tmp_path: Path) -> None:
        head, _, rest = journal(tmp_path, results.write_tournament, 3).partition(b"\n")
        old = json.loads(head)
        del old["plan"]["clock"]
        found = section_of(json.dumps(old).encode() + b"\n" + rest)
        assert ("Seconds are", "wall-clock time") in found.facts and (found.command or "").endswith(" --clock wall")

    def test_deep_nests_are_passed_over(self, tmp_path: Path) -> None:
        content = journal(tmp_path, results.write_reproduction)
        for depth in (200, 600, 5000):
            nest = b'{"piece":"deep","seconds":1,"found":' + b"[" * depth + b"]" * depth + b"}\n"
            assert section_of(content + nest).paragraphs
            with pytest.raises(NoResultError):
                section_of(content.replace(b'"seed":7', b'"seed":' + nest.strip()))

    def test_the_command_of_a_training_with_restarts(self, tmp_path: Path) -> None:
        head, _, rest = journal(tmp_path, results.write_training).partition(b"\n")
        asked = json.loads(head)
        asked["plan"] |= {"restarts": 200, "likened": True}
        command = section_of(json.dumps(asked).encode() + b"\n" + rest).command
        assert command and " --check 100 --restarts 200 --likened --option first=random" in command

    def test_half_a_line_at_the_end_is_left_out(self, tmp_path: Path) -> None:
        torn = journal(tmp_path, results.write_tournament)[:-30]
        assert section_of(torn).warning == "Not finished: 16 of 18 games are played."

    def test_a_batch_that_makes_no_sense_was_not_played(self, tmp_path: Path) -> None:
        content = journal(tmp_path, results.write_simulation)
        lines = content.splitlines(keepends=True)
        wrong, endless = (lines[1].replace(b'"games":10', b'"games":' + games) for games in (b"11", b"Infinity"))
        damaged = [lines[0], wrong, endless, b"[]\n", lines[2], lines[2], *lines[3:]]
        assert section_of(b"".join(damaged)).warning == "Not finished: 30 of 40 games are played."
        endless = content.replace(b'"payoffs":[["5"', b'"payoffs":[["1e999999999"')
        assert endless != content, "a fraction that would never be computed"
        assert section_of(endless).warning == "Not finished: 0 of 40 games are played."

    @pytest.mark.parametrize(
        ("old", "new"),
        [
            (b'"group":[0,1]', b'"group":[0,9]'),
            (b'"group":[0,1]', b'"group":[0,0]'),
            (b'"round":0', b'"round":99'),
            (b'"players":[0,1],"payoffs"', b'"players":[0,2],"payoffs"'),
            (b'"payoffs":[1.0,-1.0]', b'"payoffs":[1.0]'),
            (b'"openings":3', b'"openings":0'),
            (b'"seats":2', b'"seats":1'),
        ],
    )
    def test_an_encounter_that_can_not_be_is_damage(self, tmp_path: Path, old: bytes, new: bytes) -> None:
        content = journal(tmp_path, results.write_tournament)
        assert old in content
        with pytest.raises(NoResultError, match="damaged, or of another version"):
            section_of(content.replace(old, new, 1))


class TestOtherFiles:
    @pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16"])
    def test_an_answer_may_be_redirected_on_windows(self, encoding: str) -> None:
        answer = json.dumps(results.perft_answer(), indent=2).replace("\n", "\r\n")
        assert section_of(answer.encode(encoding)).kind == "Perft"

    def test_what_is_nested_deeply_is_told(self) -> None:
        deep = json.dumps(results.match_answer()).replace('"first": "1"', f'"first": {"[" * 500}{"]" * 500}')
        with pytest.raises(NoResultError, match=r"'options\.first' is not a text"):
            section_of(deep.encode())

    @pytest.mark.parametrize(
        ("content", "words"),
        [
            (b"", "it is not JSON"),
            (b"\x89PNG", "it is not JSON"),
            (b"[1, 2]", "is not an object"),
            (b"{", "it is not JSON"),
            (b"{" * 100_000, "it is nested too deeply"),
            (b'{"a": 1}', "does not say which command"),
            (b'{"made_by": 3}', "'made_by' is not an object"),
            (b'{"made_by": {"command": "games"}}', "answers of 'games' have nothing to show"),
            (b'{"kind":"simulation","version":99,"plan":{}}\n', "version 99 of .simulation. is unknown"),
            (b'{"kind":"simulation","version":1,"plan":{}}\n', "line 1 is damaged: 'game' is missing"),
        ],
    )
    def test_they_are_told_with_the_reason(self, content: bytes, words: str) -> None:
        with pytest.raises(NoResultError, match=words):
            section_of(content)


VALUES = st.one_of(
    st.none(), st.booleans(), st.integers(), st.floats(), st.text(max_size=8), st.just([]), st.just({}), st.just([[]]),
    st.sampled_from([0, -1, 10**17, 10**400, 1e300, "1e999999", "x" * 1000, "\ud800", "\x00", results.EVIL]),
)  # fmt: skip


def places_in(value: Any, way: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """The ways to all that is in *value*."""
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [way, *(place for key, one in inner for place in places_in(one, (*way, key)))]


def changed(value: Any, way: tuple[Any, ...], new: Any) -> Any:
    """*value* with something else at one place."""
    if not way:
        return new
    copy = dict(value) if isinstance(value, dict) else list(value)
    copy[way[0]] = changed(copy[way[0]], way[1:], new)
    return copy


class TestDamage:
    @settings(max_examples=60, suppress_health_check=[HealthCheck.too_slow])
    @given(data=st.data())
    def test_whatever_an_answer_says_it_is_shown_or_told(self, data: st.DataObject) -> None:
        pytest.importorskip("jinja2", reason="writes the page")
        answer = data.draw(st.sampled_from([json.loads(json.dumps(one)) for one in results.answers().values()]))
        places = places_in(answer)
        for _ in range(data.draw(st.integers(1, 3))):
            way = data.draw(st.sampled_from(places))
            try:
                answer = changed(answer, way, data.draw(VALUES))
            except (KeyError, IndexError, TypeError):
                continue  # which an earlier change has taken away
        try:
            section = section_of(json.dumps(answer).encode("utf-8", "surrogatepass"))
        except NoResultError:
            return
        written = page("damaged", [("file", section)], [])
        assert results.EVIL not in written
        written.encode()
