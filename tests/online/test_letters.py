"""Letters: what is written is read, what was changed is refused, and each letter goes on with the one before it."""

from __future__ import annotations

import base64
from dataclasses import replace
from random import Random

import pytest

from papan.game.catalogue import GALLERY, GAMES
from papan.game.match import Conclusion, Match
from papan.online.identity import Identity
from papan.online.letters import (
    SCHEME,
    Letter,
    LetterError,
    cut_out,
    holds_letter,
    judge,
    new_match_id,
    read,
    refusal,
    write,
)

ANA, BO, EVE = (Identity(bytes([number]) * 32) for number in (1, 2, 3))
FOUR = GAMES["connect-four"]
MATCH_ID = "0123456789ab" * 2
FITTING = [game.name for game in GALLERY.values() if not refusal(game)]


def letter_of(match: Match, sender: int, *, answered: bool = True, offers_draw: bool = False) -> Letter:
    """The letter about *match*, with Ana in the first seat."""
    keys = [ANA.public, BO.public]
    if not answered:
        keys[1 - sender] = b""
    return Letter(
        MATCH_ID,
        match.game,
        match.options,
        match.states[0],
        tuple(match.steps),
        match.conclusion,
        offers_draw,
        sender,
        (keys[0], keys[1]),
        ("Ana", "Bo"),
    )


def four(steps: str, sender: int, *, answered: bool = True, offers_draw: bool = False, end: str = "") -> Letter:
    """The letter about a match of Connect Four with these columns, counted from 0."""
    match = Match.new(FOUR, ["", ""], {"first": "1"}, 0)
    for step in steps:
        match.play(int(step))
    if end:
        match.conclude(Conclusion("agreed") if end == "agreed" else Conclusion("resigned", sender))
    return letter_of(match, sender, answered=answered, offers_draw=offers_draw)


def sent(letter: Letter, by: Identity | None = None) -> str:
    return write(letter, by or (ANA, BO)[letter.sender])


def signed(body: bytes) -> str:
    """The letter with this *body*, which Ana signs, whatever it says."""
    head = bytes([1]) + (99 + len(body)).to_bytes(2, "big") + ANA.public
    raw = head + ANA.sign(b"papan letter\0" + head + body) + body
    return SCHEME + base64.urlsafe_b64encode(raw).decode().rstrip("=")


def raw_of(text: str) -> bytes:
    return base64.urlsafe_b64decode(text.removeprefix(SCHEME) + "==")


def forged(text: str, old: bytes, new: bytes) -> str:
    """Ana's letter *text* with other bytes in its body."""
    body = raw_of(text)[99:]
    assert body.count(old) == 1
    return signed(body.replace(old, new))


def random_match(name: str, seed: int, turns: int) -> Match:
    """A match of the game *name* with so many turns at most, all complete."""
    random = Random(seed)
    match = Match.new(GAMES[name], ["", ""], {"first": "1"}, seed)
    while match.ending is None and (len(match.turns()) < turns or match.mover == match.turns()[-1].seat):
        match.play(random.choice(match.legal_steps()))
    return match


class TestText:
    @pytest.mark.parametrize("name", FITTING)
    @pytest.mark.parametrize("turns", [1, 6, 40])
    def test_what_is_written_is_read(self, name: str, turns: int) -> None:
        match = random_match(name, turns, turns)
        letter = letter_of(match, 1 - match.mover if match.ending is None else match.turns()[-1].seat)

        assert read(sent(letter)) == letter

    def test_forty_moves_of_checkers_fit_into_a_message(self) -> None:
        lengths = [
            len(sent(letter_of(match, 1 - match.mover)))
            for match in (random_match("checkers", seed, 80) for seed in range(5))
            if match.ending is None
        ]
        assert lengths and max(lengths) <= 600

    def test_a_position_of_ones_own_and_options_travel(self) -> None:
        gomoku = GAMES["gomoku"]
        begun = Match.new(gomoku, ["", ""], {"first": "1", "size": "19"}, 0)
        begun.play(begun.legal_steps()[100])
        match = Match.new(gomoku, ["", ""], {"first": "1", "size": "19"}, 0, gomoku.rules.text(begun.state))
        match.play(match.legal_steps()[7])
        letter = letter_of(match, 1 - match.mover)

        assert read(sent(letter)) == letter
        assert read(sent(letter)).played(("", "")).state == match.state

    @pytest.mark.parametrize("end", ["agreed", "resigned"])
    def test_ends_and_offers_travel(self, end: str) -> None:
        assert read(sent(four("34", 0, end=end))).conclusion == four("34", 0, end=end).conclusion
        assert read(sent(four("34", 1, offers_draw=True))).offers_draw

    def test_it_is_found_in_a_mail(self) -> None:
        text = sent(four("3", 0))
        wrapped = "\n> ".join(text[start : start + 60] for start in range(0, len(text), 60))
        mail = f"Hello Bo!\n\n> {wrapped}\nYour move, Ana"

        assert holds_letter(mail)
        assert cut_out(mail) == text
        assert read(mail) == read(text)
        assert read(text.replace(SCHEME, "PAPAN://")) == read(text)

    def test_names_are_plain_and_short(self) -> None:
        letter = replace(four("3", 0), names=("A\x1b[31m\n" + "a" * 500, " Bo "))
        first, second = read(sent(letter)).names

        assert first.isprintable() and len(first) < 60
        assert second == "Bo"

    def test_the_last_turn_is_known(self) -> None:
        assert four("34", 1).before_last_turn == 1
        match = random_match("santorini", 3, 9)
        letter = letter_of(match, match.turns()[-1].seat)
        assert letter.before_last_turn == match.turns()[-1].first_step


class TestWhatIsWrong:
    @pytest.mark.parametrize(
        ("text", "said"),
        [
            ("", "There is no letter here"),
            ("papan:", "cut off after its beginning"),
            ("papan:AQ", "cut off after its beginning"),
            ("papan:_wAA" + "A" * 200, "has the form 255"),
            ("papan:AQAA", "makes no sense"),
        ],
    )
    def test_it_is_said_in_a_sentence(self, text: str, said: str) -> None:
        with pytest.raises(LetterError, match=said):
            read(text)

    def test_a_letter_cut_off_says_how_much_is_there(self) -> None:
        text = sent(four("3", 0))
        with pytest.raises(LetterError, match=f"it has 100 of its {len(text)} characters"):
            read(text[:100])

    def test_any_change_breaks_the_signature(self) -> None:
        raw = raw_of(sent(four("34", 1)))
        for place in range(3, len(raw)):
            changed = raw[:place] + bytes([raw[place] ^ 1]) + raw[place + 1 :]
            with pytest.raises(LetterError, match="signature"):
                read(SCHEME + base64.urlsafe_b64encode(changed).decode())

    def test_a_game_that_is_not_here(self) -> None:
        plugin = replace(FOUR, name="hex-of-a-plugin")
        with pytest.raises(LetterError, match=r"'hex-of-a-plugin'.*perhaps a plugin is missing"):
            read(sent(replace(four("3", 0), game=plugin)))

    def test_another_version_of_the_rules(self) -> None:
        with pytest.raises(LetterError, match="version 9 of Connect Four"):
            read(sent(replace(four("3", 0), game=replace(FOUR, version=9))))

    @pytest.mark.parametrize("name", [game.name for game in GALLERY.values() if refusal(game)])
    def test_hidden_cards_and_chance_and_games_for_one_are_refused(self, name: str) -> None:
        match = Match.new(GAMES[name], [""] * GAMES[name].seats[0], {}, 0)
        with pytest.raises(LetterError, match="letter"):
            read(sent(letter_of(match, 0)))

    def test_the_senders_turn_is_whole(self) -> None:
        with pytest.raises(LetterError, match="in the middle of its sender's turn"):
            read(sent(four("34", 0)))

    def test_nothing_follows_the_end(self) -> None:
        with pytest.raises(LetterError, match="after its end: step 8"):
            read(forged(sent(four("3434343", 0)), b"\x07\xc4", b"\x08\xc4"))

    def test_steps_that_mean_others_here(self, monkeypatch: pytest.MonkeyPatch) -> None:
        text = sent(four("34", 1))
        notation = FOUR.rules.notation
        monkeypatch.setattr(FOUR.rules, "notation", lambda state, step: f"column {notation(state, 6 - step)}")
        with pytest.raises(LetterError, match="different rules"):
            read(text)


class TestOrder:
    def test_a_match_goes_to_and_fro(self) -> None:
        first = four("3", 0, answered=False)
        answer = four("34", 1)
        assert judge(first, None, BO.public) == "new"
        assert judge(first, first, BO.public) == "known"
        assert judge(answer, first, ANA.public) == "new"
        assert judge(four("343", 0), answer, BO.public) == "new"

    def test_the_other_may_begin(self) -> None:
        invitation = letter_of(Match.new(FOUR, ["", ""], {"first": "1"}, 0), 1, answered=False)
        assert judge(invitation, None, ANA.public) == "new"
        assert judge(four("3", 0), invitation, BO.public) == "new"

    def test_ones_own_letter_is_known_as_such(self) -> None:
        assert judge(four("3", 0, answered=False), None, ANA.public) == "own"

    def test_an_old_letter_is_answered(self) -> None:
        assert judge(four("3", 0, answered=False), four("34", 1), BO.public) == "answered"
        assert judge(four("34", 1), four("343", 0), ANA.public) == "answered"
        assert judge(four("34", 1), four("34343", 0), ANA.public) == "answered"
        assert judge(four("34", 1), four("3434", 1), ANA.public) == "answered"

    def test_a_letter_for_somebody_else(self) -> None:
        with pytest.raises(LetterError, match="for somebody else"):
            judge(four("34", 1), None, EVE.public)

    def test_another_key_is_refused(self) -> None:
        forged = replace(four("3434", 1), keys=(ANA.public, EVE.public))
        with pytest.raises(LetterError, match="another key"):
            judge(read(write(forged, EVE)), four("343", 0), ANA.public)

    def test_swapped_seats_are_refused(self) -> None:
        swapped = replace(four("343", 0), keys=(BO.public, ANA.public))
        with pytest.raises(LetterError, match="the seats"):
            judge(swapped, four("34", 1), ANA.public)

    @pytest.mark.parametrize(("steps", "turn"), [("5434", 1), ("3534", 2), ("3454", 3)])
    def test_a_changed_past_is_refused_with_its_turn(self, steps: str, turn: int) -> None:
        with pytest.raises(LetterError, match=f"from turn {turn} on"):
            judge(four(steps, 1), four("343", 0), ANA.public)

    def test_other_rules_are_refused(self) -> None:
        options = {**four("", 0).options, "first": "2"}
        with pytest.raises(LetterError, match="other rules"):
            judge(replace(four("34", 1), options=options), four("3", 0, answered=False), ANA.public)

    def test_turns_of_the_receiver_are_refused(self) -> None:
        with pytest.raises(LetterError, match=r"turns of yours.*step 3"):
            judge(four("3434", 1), four("3", 0), ANA.public)
        with pytest.raises(LetterError, match=r"turns of yours.*step 2"):
            judge(four("343", 0, answered=False), None, BO.public)

    def test_two_letters_about_one_turn(self) -> None:
        with pytest.raises(LetterError, match="two different letters"):
            judge(four("34", 1, offers_draw=True), four("34", 1), ANA.public)

    def test_a_draw_needs_an_offer(self) -> None:
        agreed = four("3", 1, end="agreed")
        assert judge(agreed, four("3", 0, offers_draw=True), ANA.public) == "new"
        with pytest.raises(LetterError, match="not offered"):
            judge(agreed, four("3", 0), ANA.public)
        with pytest.raises(LetterError, match="not offered"):
            judge(four("34", 1, end="agreed"), four("3", 0, offers_draw=True), ANA.public)

    def test_resignation_needs_none(self) -> None:
        assert judge(four("3", 1, end="resigned"), four("3", 0), ANA.public) == "new"
        with pytest.raises(LetterError, match="over"):
            judge(four("343", 0), four("34", 1, end="resigned"), BO.public)

    def test_a_lost_folder_is_no_obstacle(self) -> None:
        assert judge(four("34", 1), None, ANA.public) == "new"


def mutated(text: str, random: Random) -> str:
    """*text* with a few random harms."""
    signs = "ABCabc019-_~ \n:>é\x00"
    for _ in range(random.randint(1, 4)):
        at = random.randrange(len(text) + 1)
        match random.randrange(5):
            case 0:
                text = text[:at]
            case 1:
                text = text[:at] + random.choice(signs) + text[at + 1 :]
            case 2:
                text = text[:at] + random.choice(signs) * random.choice((1, 3, 5000)) + text[at:]
            case 3:
                text = text[at:] + text[:at]
            case _:
                text = SCHEME + text[at:]
    return text


def resigned(raw: bytes, random: Random) -> str:
    """*raw*, the bytes of Ana's letter, with a harmed body and a signature that fits."""
    body = bytearray(raw[99:])
    for _ in range(random.randint(1, 4)):
        at = random.randrange(len(body) + 1)
        if random.random() < 0.5 and at < len(body):
            body[at] = random.randrange(256)
        else:
            body[at:at] = random.randbytes(random.randint(1, 8))
    if random.random() < 0.3:
        body = body[: random.randrange(len(body) + 1)]
    return signed(bytes(body))


def feed(number: int) -> dict[str, int]:
    """Read and judge *number* hostile letters; return how many were refused, and how many read."""
    random, counts = Random(7), {"refused": 0, "read": 0}
    matches = [random_match(name, seed, 12) for seed, name in enumerate(FITTING)]
    letters = [letter_of(match, 0) for match in matches if match.ending is None and match.mover == 1]
    texts = [write(letter, ANA) for letter in letters]
    raws = [raw_of(text) for text in texts]
    for index in range(number):
        kind = index % 4
        if kind == 0:
            text = SCHEME + base64.urlsafe_b64encode(random.randbytes(random.randrange(300))).decode()
        elif kind == 1:
            text = mutated(random.choice(texts), random)
        else:
            text = resigned(random.choice(raws), random)
        try:
            letter = read(text)
            judge(letter, random.choice(letters), BO.public)
        except LetterError as error:
            assert str(error).endswith((".", "?")) and len(str(error)) < 500, str(error)
            counts["refused"] += 1
        else:
            counts["read"] += 1
    return counts


class TestHostileLetters:
    def test_a_sample(self) -> None:
        assert feed(2_000)["refused"] > 1_000

    @pytest.mark.slow
    def test_many(self) -> None:
        counts = feed(100_000)
        assert counts["refused"] > 50_000 and counts["read"] > 100

    def test_endless_texts_take_no_time(self) -> None:
        for text in (SCHEME * 100_000, "papan:" + "A" * 10_000_000, "papan:" + "> " * 5_000_000, "p" * 10_000_000):
            with pytest.raises(LetterError):
                read(text)

    def test_a_forced_endless_match_is_bounded(self) -> None:
        text = sent(four("3", 0))
        for count in (b"\xce\x7f\xff\xff\xff", b"\xcd\x13\x88"):  # two thousand million, and the most that is read
            with pytest.raises(LetterError, match=r"makes no sense|goes on after its end"):
                read(forged(text, b"\x01\xc4", count + b"\xc4"))


def test_ids_differ() -> None:
    assert len({new_match_id() for _ in range(100)}) == 100
