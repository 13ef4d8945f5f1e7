#!/bin/bash
# glicko2 2.1.0 (2026-11-30): a player's volatility hardly moves unless the rating lies near 1500.
#
# Behaviour: two players have the same results against opponents as strong as they: all won for two rating periods, all
# lost for two, and so on. Where everything happens around 1500, the volatility rises from 0.06 to 0.0661 in twenty
# periods; where ratings are 700 points higher, it stays at 0.0600. With the constant tau at 1.2, the top of what
# Glickman's paper calls reasonable, it is 0.3788 against 0.0599, and the first player ends 124 points lower than the
# second when both are counted from their start. The paper's worked example comes out right.
#
# Expected: adding the same number to all ratings changes nothing but that number. Glicko-2 knows only differences of
# ratings; 1500 is where the display begins to count. glicko2-py 0.1.0 keeps to it: 0.0660 and 0.6805 at either place.
#
# Why that is wrong: the equation for the new volatility takes the square of the player's rating where the square of the
# rating deviation belongs. 700 points put a 16 where a 0.08 should be, and no result seems surprising any more. The
# example has a player of 1500, whose internal rating is 0, and results that move the volatility in its fifth digit
# only, so it can't tell. In a pool of strong players Glicko-2 is Glicko with a constant; nobody's form is noticed.
#
# Output seen:
#   the paper's example: glicko2 1464 151.5 0.0600, glicko2-py 1464 151.5 0.0600
#   tau 0.5, around 1500: glicko2 -30 35 0.0661, glicko2-py -30 35 0.0660
#   tau 0.5, around 2200: glicko2 -27 34 0.0600, glicko2-py -30 35 0.0660
#   tau 1.2, around 1500: glicko2 -151 69 0.3788, glicko2-py -297 93 0.6805
#   tau 1.2, around 2200: glicko2 -27 34 0.0599, glicko2-py -297 93 0.6805
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
# both packages are imported as glicko2, so each gets a folder of its own
for package in "glicko2==2.1.0" "glicko2-py==0.1.0"; do
    python3 -m pip install -q --disable-pip-version-check --no-deps --target "$folder/${package%%==*}" "$package" \
        2>"$folder/pip.log" || { cat "$folder/pip.log"; exit 1; }
done
cat >"$folder/season.py" <<'P'
import sys

import glicko2

EXAMPLE = [[(1400, 30, 1.0), (1550, 100, 0.0), (1700, 300, 0.0)]]
MANY = 20


def by_glicko2(rating, deviation, periods, tau):
    glicko2.Player._tau = tau  # the name that the source documents for the constant
    player = glicko2.Player(rating, deviation, 0.06)
    for games in periods:
        player.update_player(*(list(column) for column in zip(*games)))
    return player.rating, player.rd, player.vol


def by_glicko2_py(rating, deviation, periods, tau):
    from glicko2 import math as m

    mu, phi, sigma = m.rating_to_mu(rating), m.rd_to_phi(deviation), 0.06
    for games in periods:
        opponents = [(m.rating_to_mu(other), m.rd_to_phi(theirs), score) for other, theirs, score in games]
        new = m.update_rating(mu, phi, sigma, opponents, tau=tau)
        mu, phi, sigma = new if isinstance(new, tuple) else (new.mu, new.phi, new.sigma)
    return m.mu_to_rating(mu), m.phi_to_rd(phi), sigma


rate = by_glicko2 if hasattr(glicko2, "Player") and hasattr(glicko2.Player, "update_player") else by_glicko2_py
rating, deviation, volatility = rate(1500, 200, EXAMPLE, 0.5)
print(f"{rating:.0f} {deviation:.1f} {volatility:.4f}")
for tau in (0.5, 1.2):
    for around in (1500, 2200):
        periods = [[(around, 50, float(period // 2 % 2 == 0))] * 10 for period in range(MANY)]
        rating, deviation, volatility = rate(around, 50, periods, tau)
        print(f"{rating - around:.0f} {deviation:.0f} {volatility:.4f}")
P
cat >"$folder/cases" <<'C'
the paper's example
tau 0.5, around 1500
tau 0.5, around 2200
tau 1.2, around 1500
tau 1.2, around 2200
C
for package in glicko2 glicko2-py; do
    PYTHONPATH="$folder/$package" python3 "$folder/season.py" >"$folder/$package.txt"
done
seen=$(paste -d '|' "$folder/cases" "$folder/glicko2.txt" "$folder/glicko2-py.txt" |
    sed 's/|/: glicko2 /; s/|/, glicko2-py /')
echo "$seen"
expected="the paper's example: glicko2 1464 151.5 0.0600, glicko2-py 1464 151.5 0.0600
tau 0.5, around 1500: glicko2 -30 35 0.0661, glicko2-py -30 35 0.0660
tau 0.5, around 2200: glicko2 -27 34 0.0600, glicko2-py -30 35 0.0660
tau 1.2, around 1500: glicko2 -151 69 0.3788, glicko2-py -297 93 0.6805
tau 1.2, around 2200: glicko2 -27 34 0.0599, glicko2-py -297 93 0.6805"
[ "$seen" = "$expected" ] || { echo "This has changed: glicko2 or glicko2-py computes another volatility."; exit 1; }
