"""Faces of players: the animals of the eight levels, persons, a computer, as vector drawings.

Each is a round portrait on a grid of 100 units, in its own colours, which suit every theme.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence

from papan.ai.players import BY_PRACTICE, HUMAN, LETTER
from papan.ai.players.levels import named_level_of, player_level_of
from papan.ui.drawing.canvas import Canvas, Point, polar, turned_points
from papan.ui.drawing.theme import Colour, mix, rgb
from papan.ui.texts import N_
from papan.ui.texts.manner import person_face

FACE_GRID = 100

Face = Callable[[Canvas], None]

_MIDDLE = (50.0, 50.0)
_ROUND = 50.0
_INK = rgb("#2B2320")
_WHITE = rgb("#FFFDF8")
_CURVE_PARTS = 6
"""The number of straight parts of a curve between two of its points."""


def _curve(points: Sequence[Point], *, closed: bool = True) -> list[Point]:
    """A smooth line through *points*: a Catmull-Rom spline."""
    count = len(points)
    found: list[Point] = []
    for index in range(count if closed else count - 1):
        near = range(index - 1, index + 3)
        before, start, end, after = (points[at % count if closed else min(max(at, 0), count - 1)] for at in near)
        for part in range(_CURVE_PARTS):
            share = part / _CURVE_PARTS
            x, y = (_between(*along, share) for along in zip(before, start, end, after, strict=True))
            found.append((x, y))
    return found if closed else [*found, points[-1]]


def _between(before: float, start: float, end: float, after: float, share: float) -> float:
    return 0.5 * (
        2 * start
        + (end - before) * share
        + (2 * before - 5 * start + 4 * end - after) * share**2
        + (3 * start - before - 3 * end + after) * share**3
    )


def _both_sides(half: Sequence[Point]) -> list[Point]:
    """*half* of an outline, from top to bottom, with its mirror image."""
    return [*half, *((100 - x, y) for x, y in reversed(half) if x != 50)]


def _mirrored(points: Sequence[Point]) -> list[Point]:
    return [(100 - x, y) for x, y in points]


def _turned(centre: Point, along: float, across: float, angle: float) -> list[Point]:
    """An ellipse turned by *angle*, in degrees clockwise."""
    turns = [math.tau * step / 40 for step in range(40)]
    return turned_points([(along * math.cos(turn), across * math.sin(turn)) for turn in turns], angle, centre)


def _bust(canvas: Canvas, top: Sequence[Point], start: float, end: float, colour: Colour) -> None:
    """Shoulders below *top*, from left to right, down to the portrait's edge between the angles *start* and *end*."""
    edge = canvas.arc_points(_MIDDLE, _ROUND, start, end)
    canvas.polygon([*_curve([edge[-1], *top, edge[0]], closed=False), *edge], colour)


def _eye(canvas: Canvas, at: Point, radius: float) -> None:
    canvas.circle(at, radius, _INK)
    canvas.circle((at[0] - radius * 0.32, at[1] - radius * 0.36), radius * 0.34, _WHITE)


def _snail(canvas: Canvas) -> None:
    body, dark, shell, deep = rgb("#EBC98B"), rgb("#C99B57"), rgb("#C9743F"), rgb("#8E4A26")
    for eye, root in (((17.0, 25.0), (26.0, 48.0)), ((36.0, 21.0), (32.0, 46.0))):
        canvas.line([root, eye], 4.6, body)
        canvas.circle(eye, 5.4, body)
        _eye(canvas, eye, 3.9)
    front = [(15, 54), (21, 43), (32, 41), (40, 50), (44, 64), (62, 70), (82, 71)]
    sole = [(91, 77), (84, 81), (48, 82), (24, 77)]
    canvas.polygon(_curve([*front, *sole]), body)
    canvas.line(_curve([(24, 77), (48, 81.5), (70, 81), (88, 78.5)], closed=False), 2.4, dark)
    canvas.circle((62, 51), 24.5, deep)
    canvas.circle((62, 51), 22.4, shell)
    spiral = [polar((62 - 0.006 * turn, 51.0), 2.2 + 16.4 * turn / 830, 200 - turn) for turn in range(0, 831, 15)]
    canvas.line(spiral, 4.2, rgb("#F2C48E"))
    canvas.line(_curve([(19, 59), (23, 63), (29, 62.5)], closed=False), 2.3, _INK)
    canvas.circle((31.5, 56.5), 2.9, rgb("#E59A77"))


def _ant(canvas: Canvas) -> None:
    body, light, leg = rgb("#8A3B26"), rgb("#B35A3C"), rgb("#5E2417")
    for behind, colour in ((9, mix(leg, rgb("#F3E0BC"), 0.35)), (0, leg)):
        for root, foot in ((46, 31), (52, 49), (58, 67)):
            knee = ((root + foot) / 2 + behind + (foot - root) * 0.35, 65.0)
            end = (foot + behind, 80 - behind / 3)
            canvas.line([(root, 60), knee, end, (end[0] - 4, end[1] + 1.5)], 3.2, colour)
    canvas.polygon(_turned((76, 51), 19, 15, 14), body)
    canvas.polygon(_turned((73, 45), 10, 5.4, 14), light)
    canvas.ellipse((53, 57), 10.5, 8.6, body)
    canvas.line([(22, 33), (15, 20), (25, 11)], 3.2, leg)
    canvas.line([(34, 31), (36, 17), (47, 12)], 3.2, leg)
    canvas.circle((25, 11), 3.0, leg)
    canvas.circle((47, 12), 3.0, leg)
    canvas.polygon(_curve([(16, 34), (27, 26), (40, 30), (46, 43), (40, 56), (29, 61), (18, 57), (11, 46)]), body)
    canvas.ellipse((36, 35), 5.4, 3.2, light)
    for x in (20.5, 34.5):
        canvas.ellipse((x, 43), 5.6, 6.6, _WHITE)
        _eye(canvas, (x - 1, 44), 3.9)
    canvas.line(_curve([(19, 53.5), (25, 56.5), (32, 53.5)], closed=False), 2.3, rgb("#F6D9B8"))


def _rooster(canvas: Canvas) -> None:
    red, deep, beak = rgb("#D8412F"), rgb("#A92C22"), rgb("#F2AF2E")
    comb = [(30, 35), (25, 22), (33, 22), (37, 10), (46, 17), (53, 7), (60, 16), (68, 11), (68, 22), (76, 26), (66, 38)]
    canvas.polygon(_curve(comb), red)
    _bust(canvas, [(14, 60), (24, 44), (36, 26), (54, 22), (67, 33), (69, 50), (76, 70)], 40, 160, _WHITE)
    feathers, pale = rgb("#E7A23B"), rgb("#F4CE86")
    _bust(canvas, [(15, 70), (23, 76), (31, 69), (40, 78), (49, 70), (58, 79), (67, 71), (75, 79)], 42, 156, feathers)
    _bust(canvas, [(27, 82), (36, 89), (45, 82), (54, 90), (63, 83)], 60, 130, pale)
    canvas.polygon(_curve([(62, 53), (71, 54), (75, 64), (71, 74), (63, 70), (60, 60)]), red)
    canvas.line(_curve([(66, 58), (68.5, 64), (68, 69)], closed=False), 1.8, deep)
    canvas.polygon([(64, 38), (91, 49.5), (64, 55)], beak)
    canvas.line([(64, 48), (86, 49.6)], 1.8, rgb("#B4751A"))
    canvas.ellipse((58, 45), 8.6, 7.6, rgb("#E96552"))
    _eye(canvas, (57, 42), 5.4)


def _mouse_deer(canvas: Canvas) -> None:
    coat, dark, pink = rgb("#B9774A"), rgb("#7C4A2B"), rgb("#EDB8A0")
    _bust(canvas, [(32, 76), (38, 66), (62, 66), (68, 76)], 56, 124, coat)
    _bust(canvas, [(42, 80), (50, 84), (58, 80)], 76, 104, rgb("#F4E3CC"))
    for side in (1, 0):
        flip = _mirrored if side else list
        canvas.polygon(flip(_curve([(36, 40), (21, 37), (13, 25), (14, 14), (25, 13), (36, 22), (42, 32)])), coat)
        canvas.polygon(flip(_curve([(34, 34), (23, 30), (17, 22), (18, 17), (26, 18), (34, 26)])), pink)
    head = _both_sides([(50, 22), (37, 25), (28, 37), (28, 49), (34, 61), (40, 73), (45, 82), (50, 84)])
    canvas.polygon(_curve(head), coat)
    canvas.polygon(_curve(_both_sides([(50, 22), (45.5, 28), (45, 44), (46.5, 58), (50, 64)])), dark)
    canvas.polygon(_curve(_both_sides([(50, 68), (42, 69), (40, 74), (45, 82), (50, 84)])), rgb("#F4E3CC"))
    canvas.polygon(_curve(_both_sides([(50, 67), (44, 68), (44, 72), (50, 76.5)])), _INK)
    canvas.line([(50, 75), (50, 79)], 1.7, _INK)
    canvas.line(_curve([(45.5, 78), (50, 80.4), (54.5, 78)], closed=False), 1.7, _INK)
    for x in (35.5, 64.5):
        canvas.ellipse((x, 47.5), 7.6, 8.2, rgb("#F0D3B2"))
        _eye(canvas, (x, 47.5), 6.5)


def _civet(canvas: Canvas) -> None:
    """An Asian palm civet: a long narrow muzzle, a pale band over the brow, dark patches from the eyes to the nose."""
    coat, dark, pale, neck = rgb("#B49C78"), rgb("#3B302A"), rgb("#F5ECDC"), rgb("#8C775A")
    spot = mix(dark, neck, 0.15)
    _bust(canvas, [(22, 74), (34, 60), (66, 60), (78, 74)], 40, 140, neck)
    for flip in (list, _mirrored):
        for at, radius in (((26, 76), 3.6), ((33, 86), 3.4), ((19.5, 84), 2.8), ((36, 74), 3.0), ((42, 93), 3.0)):
            canvas.polygon(flip(_turned(at, radius, radius * 0.8, 60)), spot)
        canvas.polygon(flip(_turned((22.5, 30), 9.6, 8.6, 50)), dark)
        canvas.polygon(flip(_turned((23.5, 31), 5.8, 5.0, 50)), rgb("#C99D8D"))
    head = [(50, 15), (36, 17), (25, 26), (21, 38), (24, 49), (33, 57), (38.5, 68), (41, 80), (45, 86.5), (50, 88)]
    canvas.polygon(_curve(_both_sides(head)), coat)
    crown = [(50, 15), (37, 17), (27, 24), (31, 28.5), (40, 26.5), (50, 28)]
    canvas.polygon(_curve(_both_sides(crown)), dark)
    for flip in (list, _mirrored):
        band = [(49, 27.5), (40, 26), (30, 29), (22, 37), (23, 43), (31, 37), (40, 35.5), (47, 39)]
        canvas.polygon(flip(_curve(band)), pale)
        brow = [(47, 41), (39, 37.5), (30, 40.5), (26, 47), (31, 53)]
        cheek = [(38, 57), (42, 66), (43, 76), (48, 76), (47.5, 56)]
        canvas.polygon(flip(_curve([*brow, *cheek])), dark)
        canvas.polygon(flip(_turned((33.4, 55.8), 4.0, 2.2, 48)), pale)
    canvas.polygon(_curve(_both_sides([(50, 30), (47.5, 38), (46.8, 52), (45.6, 66), (46.5, 74), (50, 76)])), coat)
    canvas.polygon(_curve(_both_sides([(50, 74), (42.5, 75), (41.8, 80), (45.4, 86), (50, 87.6)])), pale)
    canvas.polygon(_curve(_both_sides([(50, 72), (44.6, 73.4), (45, 77.4), (50, 80.4)])), _INK)
    canvas.line([(50, 79), (50, 83)], 1.7, _INK)
    canvas.line(_curve([(45.6, 82.2), (50, 84.4), (54.4, 82.2)], closed=False), 1.7, _INK)
    for x in (37.2, 62.8):
        canvas.ellipse((x, 46.4), 5.8, 5.6, rgb("#D9A93F"))
        _eye(canvas, (x, 46.4), 4.4)
    for flip in (list, _mirrored):
        for end in ((23, 70), (24, 80)):
            canvas.line(flip([(41.5, 78), end]), 1.1, _WHITE)


def _eagle(canvas: Canvas) -> None:
    brown, dark, beak, edge = rgb("#6B4227"), rgb("#432816"), rgb("#F4B52F"), rgb("#C27E13")
    _bust(canvas, [(14, 52), (30, 50), (50, 58), (66, 68), (78, 76)], 41, 172, brown)
    crest = [(46, 14), (30, 10), (17, 15), (27, 19), (12, 25), (23, 28), (9, 37)]
    nape = [(21, 39), (9, 50), (22, 50), (14, 62), (27, 60), (25, 70), (36, 64)]
    throat = [(41, 76), (50, 67), (56, 78), (62, 68), (66, 50), (60, 20)]
    canvas.polygon([*crest, *nape, *throat], _WHITE)
    canvas.polygon(_curve([(30, 24), (46, 13), (62, 17), (71, 30), (68, 48), (62, 60), (44, 62), (28, 50)]), _WHITE)
    for x, y in ((20, 78), (36, 84), (52, 88), (66, 86)):
        canvas.line(_curve([(x, y), (x + 4, y + 4), (x + 9, y)], closed=False), 2.4, dark)
    canvas.polygon(_curve([(66, 30), (78, 29), (90, 37), (93, 50), (89, 62), (84, 54), (76, 50), (65, 51)]), beak)
    canvas.line(_curve([(64, 46), (74, 47), (82, 52)], closed=False), 2.2, edge)
    canvas.circle((75, 36.5), 1.9, edge)
    canvas.circle((57, 36), 7.4, rgb("#F6D35A"))
    _eye(canvas, (58, 36), 4.7)
    canvas.polygon([(43, 24), (68, 33), (67, 29), (58, 21)], dark)
    canvas.line([(44, 24.5), (67, 32.5)], 3.4, dark)


def _tiger(canvas: Canvas) -> None:
    coat, stripe, pale = rgb("#F08A2C"), rgb("#2F211B"), rgb("#FFF6E6")
    _bust(canvas, [(26, 77), (38, 70), (62, 70), (74, 77)], 50, 130, coat)
    for flip in (list, _mirrored):
        canvas.polygon(flip(_turned((24, 24), 12.5, 12, 0)), stripe)
        canvas.polygon(flip(_turned((25, 25.5), 9.6, 9.4, 0)), coat)
        canvas.polygon(flip(_turned((26, 27), 6, 6, 0)), rgb("#F7CDB0"))
    head = _both_sides(
        [(50, 15), (36, 16), (22, 26), (15, 42), (10, 58), (19, 62), (18, 70), (28, 72), (37, 82), (50, 86)]
    )
    canvas.polygon(_curve(head), coat)
    for flip in (list, _mirrored):
        canvas.polygon(
            flip(_curve([(12, 57), (22, 56), (33, 64), (41, 73), (38, 81), (28, 72), (19, 69), (20, 62)])), pale
        )
        canvas.polygon(flip(_curve([(27, 40), (32, 33), (41, 34), (44, 40), (38, 42)])), pale)
        for wedge in (
            [(13, 46), (29, 49), (14, 51.5)],
            [(17, 36), (29, 41), (15.5, 41)],
            [(14, 60), (28, 60), (19, 64.5)],
            [(35, 17), (43, 27), (30, 19.5)],
            [(29, 21), (36, 30), (25, 24)],
        ):
            canvas.polygon(flip(wedge), stripe)
        eye = (34.0 if flip is list else 66.0, 46.5)
        canvas.ellipse(eye, 7.2, 6.6, rgb("#F9E08A"))
        _eye(canvas, eye, 4.9)
    canvas.polygon([(47.4, 15), (52.6, 15), (51.4, 33), (48.6, 33)], stripe)
    canvas.polygon([(40, 23), (60, 23), (53, 27), (47, 27)], stripe)
    canvas.polygon([(42, 29.5), (58, 29.5), (52.5, 33), (47.5, 33)], stripe)
    canvas.polygon(_curve(_both_sides([(50, 58), (43, 60), (34, 68), (37, 79), (45, 80), (50, 85)])), pale)
    canvas.polygon(_curve(_both_sides([(50, 58), (41.5, 58.5), (43.5, 64), (50, 69)])), rgb("#C4524A"))
    canvas.line([(50, 68), (50, 73)], 2.0, stripe)
    canvas.line(_curve([(40, 73.5), (45, 76.5), (50, 73), (55, 76.5), (60, 73.5)], closed=False), 2.2, stripe)
    for flip in (list, _mirrored):
        for end in ((13, 72), (16, 80)):
            canvas.line(flip([(37, 72), end]), 1.2, _WHITE)


def _dragon(canvas: Canvas) -> None:
    green, dark, gold, pale = rgb("#3FA66B"), rgb("#1F6B48"), rgb("#F2BE3E"), rgb("#BFE3A8")
    _bust(canvas, [(33, 80), (37, 68), (63, 68), (67, 80)], 58, 122, dark)
    for y in (82, 89, 96):
        canvas.line(_curve([(41, y - 2), (50, y + 1), (59, y - 2)], closed=False), 3.2, pale)
    for flip in (list, _mirrored):
        horn = [(37, 29), (30, 24), (24, 16), (26, 8.5), (31, 12), (39, 17), (45, 25)]
        canvas.polygon(flip(_curve(horn)), gold)
        fin = [(28, 36), (8, 27), (12, 38), (3, 44), (12, 50), (7, 60), (20, 59), (30, 54)]
        canvas.polygon(flip(fin), rgb("#D9553D"))
        canvas.line(flip([(28, 41), (11, 33)]), 1.8, rgb("#9B2F26"))
        canvas.line(flip([(28, 46), (9, 45)]), 1.8, rgb("#9B2F26"))
        canvas.line(flip([(28, 50), (12, 55)]), 1.8, rgb("#9B2F26"))
    canvas.polygon([(50, 4), (57, 22), (43, 22)], rgb("#D9553D"))
    head = _both_sides([(50, 18), (38, 20), (26, 32), (25, 45), (33, 56), (30, 68), (35, 79), (50, 83)])
    canvas.polygon(_curve(head), green)
    canvas.polygon(_curve(_both_sides([(50, 58), (38, 61), (34, 70), (39, 77), (50, 80)])), rgb("#63BF82"))
    for at in ((50.0, 29.0), (50.0, 38.0), (50.0, 47.0)):
        canvas.polygon([(at[0], at[1] - 5), (at[0] + 5, at[1]), (at[0], at[1] + 5), (at[0] - 5, at[1])], dark)
    for flip in (list, _mirrored):
        canvas.polygon(flip(_curve([(43, 66), (39.5, 64), (38, 67.5), (41, 69)])), dark)
        eye = flip(_curve([(28.5, 40), (34, 38), (42, 43.5), (41, 49), (34, 49.5)]))
        canvas.polygon(eye, rgb("#FFE27A"))
        canvas.ellipse((36 if flip is list else 64, 44.3), 2.3, 4.8, _INK)
        canvas.line(flip([(26, 36), (43, 42)]), 3.6, dark)
        canvas.polygon(flip([(37.0, 76.0), (41.5, 76.8), (39.0, 83.5)]), _WHITE)
        canvas.line(flip(_curve([(33, 70), (22, 72), (17, 80), (10, 79)], closed=False)), 2.2, gold)
    canvas.line(_curve([(35, 74.5), (42, 77), (50, 77.6), (58, 77), (65, 74.5)], closed=False), 2.2, dark)


def _person(canvas: Canvas) -> None:
    ink = rgb("#2F6F73")
    _bust(canvas, [(20, 69), (35, 64), (50, 63), (65, 64), (80, 69)], 38, 142, ink)
    canvas.circle((50, 39), 19, ink)


def _human(canvas: Canvas, clothes: str, skin: str) -> None:
    tone = rgb(skin)
    _bust(canvas, [(17, 78), (33, 71), (50, 70), (67, 71), (83, 78)], 35, 145, rgb(clothes))
    canvas.polygon(_curve(_both_sides([(50, 60), (42, 60), (42, 71), (45, 77), (50, 79)])), mix(tone, _INK, 0.16))
    for x in (29.0, 71.0):
        canvas.ellipse((x, 48), 4.6, 6.2, mix(tone, _INK, 0.08))
    canvas.polygon(_curve(_both_sides([(50, 22), (36, 26), (29, 40), (31, 56), (40, 67), (50, 71)])), tone)


def _features(canvas: Canvas, skin: str, hair: str) -> None:
    tone = rgb(skin)
    for x in (41.0, 59.0):
        _eye(canvas, (x, 47), 3.1)
        canvas.line(_curve([(x - 4.6, 41.2), (x, 39.6), (x + 4.6, 41.2)], closed=False), 2.0, mix(rgb(hair), _INK, 0.3))
    canvas.line(_curve([(50, 50), (48.6, 55), (51, 55.6)], closed=False), 1.7, mix(tone, _INK, 0.32))
    canvas.line(_curve([(43.5, 60), (50, 63.4), (56.5, 60)], closed=False), 2.2, rgb("#9A4A40"))


def _short_hair(canvas: Canvas) -> None:
    skin, hair = "#E8B98F", "#3A2A22"
    _human(canvas, "#3F6FA8", skin)
    cap = [(30, 46), (27, 34), (33, 20), (48, 13), (64, 16), (73, 29), (70, 46), (67, 37), (56, 32), (44, 35), (34, 34)]
    canvas.polygon(_curve(cap), rgb(hair))
    _features(canvas, skin, hair)


def _curly_hair(canvas: Canvas) -> None:
    skin, hair = "#9A6443", "#2A1C17"
    for turn in range(150, 391, 20):
        canvas.circle(polar((50.0, 40.0), 23.0, turn), 9.5, rgb(hair))
    _human(canvas, "#C8553D", skin)
    for turn in range(200, 341, 20):
        canvas.circle(polar((50.0, 40.0), 16.5, turn), 6.5, rgb(hair))
    _features(canvas, skin, hair)


def _bun(canvas: Canvas) -> None:
    skin, hair = "#F0C9A4", "#5B3524"
    _human(canvas, "#7B4B8E", skin)
    canvas.circle((50, 13), 9.5, rgb(hair))
    canvas.circle((48, 11), 4.2, mix(rgb(hair), _WHITE, 0.14))
    for flip in (list, _mirrored):
        lock = [(51, 19), (36, 21), (26, 34), (27, 54), (31, 57), (33, 44), (42, 36), (51, 27)]
        canvas.polygon(flip(_curve(lock)), rgb(hair))
    _features(canvas, skin, hair)


def _headscarf(canvas: Canvas) -> None:
    skin, scarf = "#DCA77C", "#2F8F83"
    _bust(canvas, [(17, 78), (33, 71), (50, 70), (67, 71), (83, 78)], 35, 145, rgb("#235C66"))
    outer = [(50, 14), (33, 18), (23, 34), (23, 54), (27, 70), (36, 84), (50, 90)]
    canvas.polygon(_curve(_both_sides(outer)), rgb(scarf))
    canvas.polygon(_curve(_both_sides([(50, 27), (38, 30), (32, 41), (33, 55), (41, 66), (50, 69)])), rgb(skin))
    fold = mix(rgb(scarf), _INK, 0.28)
    canvas.line(_curve([(33, 63), (42, 73), (56, 76), (68, 72)], closed=False), 2.2, fold)
    canvas.line(_curve([(30, 72), (42, 82), (55, 85)], closed=False), 2.0, fold)
    _features(canvas, skin, "#4A3122")


def _cap(canvas: Canvas) -> None:
    skin, hair, cloth = "#C98E62", "#2B1E18", rgb("#D8A035")
    _human(canvas, "#47803E", skin)
    for flip in (list, _mirrored):
        canvas.polygon(flip(_curve([(29, 34), (27, 44), (30, 52), (33, 42), (35, 34)])), rgb(hair))
    canvas.polygon(_curve([(27, 35), (28, 23), (38, 14), (52, 12), (66, 17), (73, 29), (73, 35), (50, 31)]), cloth)
    shade = mix(cloth, _INK, 0.25)
    canvas.polygon(_curve([(27, 34), (50, 29), (74, 34), (88, 39), (74, 39), (50, 35), (28, 38)]), shade)
    canvas.circle((51, 12.5), 2.6, shade)
    _features(canvas, skin, hair)


def _beard(canvas: Canvas) -> None:
    skin, hair = "#EBC3A0", "#8A8580"
    _human(canvas, "#6B4A3A", skin)
    beard = [(50, 57), (42, 56), (36, 58), (31, 50), (30, 60), (35, 72), (43, 80), (50, 82)]
    canvas.polygon(_curve(_both_sides(beard)), rgb(hair))
    top = [(31, 40), (29, 31), (37, 20), (50, 17), (63, 20), (71, 31), (69, 40), (61, 29), (39, 29)]
    canvas.polygon(_curve(top), rgb(hair))
    _features(canvas, skin, hair)
    for x in (41.0, 59.0):
        canvas.ring((x, 47), 8.0, 1.8, _INK)
    canvas.line([(49, 46), (51, 46)], 1.8, _INK)


def _computer(canvas: Canvas) -> None:
    ink, screen = rgb("#5B6472"), rgb("#2B3340")
    canvas.line([(50, 16), (50, 28)], 3.6, ink)
    canvas.circle((50, 15), 4.6, rgb("#D8A035"))
    for x in (17.5, 76.5):
        canvas.rounded_rect((x, 44, 6, 18), 3, ink)
    canvas.rounded_rect((23, 27, 54, 50), 13, ink)
    canvas.rounded_rect((30, 35, 40, 30), 9, screen)
    for x in (41, 59):
        canvas.circle((x, 48), 4.2, rgb("#7FD6CF"))
    canvas.line(_curve([(42, 57), (50, 60.5), (58, 57)], closed=False), 2.6, rgb("#7FD6CF"))
    canvas.rounded_rect((38, 77, 24, 8), 3, mix(ink, _INK, 0.3))


def _owl(canvas: Canvas) -> None:
    brown, dark, pale, beak = rgb("#8A6A4B"), rgb("#523C29"), rgb("#EBDCC3"), rgb("#E3A12C")
    _bust(canvas, [(20, 76), (34, 68), (50, 66), (66, 68), (80, 76)], 34, 146, brown)
    canvas.polygon(_both_sides([(50, 24), (37, 21), (19, 10), (21, 26), (18, 42), (22, 60), (34, 72), (50, 76)]), brown)
    for x, y in ((41, 86), (50, 90), (59, 86)):
        canvas.line(_curve([(x - 4, y - 3), (x, y + 1), (x + 4, y - 3)], closed=False), 2.2, pale)
    canvas.polygon(_curve(_both_sides([(50, 34), (38, 28), (25, 35), (23, 50), (32, 63), (50, 67)])), pale)
    for middle in ((36.5, 46.0), (63.5, 46.0)):
        canvas.circle(middle, 12.6, dark)
        canvas.circle(middle, 10.6, rgb("#F4C64E"))
        _eye(canvas, middle, 6.2)
    canvas.polygon([(50, 49), (55, 56), (50, 66), (45, 56)], beak)
    brow = [(50.0, 40.0), (39.0, 32.0), (24.0, 28.0), (38.0, 27.5), (50.0, 34.0)]
    canvas.polygon([*brow, *reversed(_mirrored(brow))], dark)
    ink, gold = rgb("#2B3340"), rgb("#D8A035")  # a scholar's cap
    canvas.polygon([(33, 17), (67, 17), (64, 27), (50, 30), (36, 27)], mix(ink, _INK, 0.4))
    canvas.polygon([(50, 6), (82, 15), (50, 24), (18, 15)], ink)
    canvas.line([(50, 15), (76, 18), (76, 29)], 2.2, gold)
    canvas.circle((76, 31), 3.0, gold)


PERSON, COMPUTER, SCHOLAR = "person", "computer", "owl"
"""The faces of a person, of a computer player without an animal, and of one that learned by playing."""

PERSON_FACES: Mapping[str, str] = {
    "short hair": N_("Short hair"),
    "curly hair": N_("Curly hair"),
    "bun": N_("Hair in a bun"),
    "headscarf": N_("Headscarf"),
    "cap": N_("Cap"),
    "beard": N_("Beard and glasses"),
}
"""The faces that a person can choose, with their names in words."""

FACES: Mapping[str, tuple[str, Face]] = {
    "snail": ("#D3E4BE", _snail),
    "ant": ("#F3E0BC", _ant),
    "rooster": ("#CBE2EA", _rooster),
    "mouse-deer": ("#CFE3D3", _mouse_deer),
    "civet": ("#DAD2E9", _civet),
    "eagle": ("#B9D8EC", _eagle),
    "tiger": ("#CFE0C4", _tiger),
    "dragon": ("#3B3456", _dragon),
    PERSON: ("#BFD8D6", _person),
    COMPUTER: ("#D9DBE0", _computer),
    SCHOLAR: ("#D9CDE8", _owl),
    "short hair": ("#7FB2E5", _short_hair),
    "curly hair": ("#F2C14E", _curly_hair),
    "bun": ("#C79BE0", _bun),
    "headscarf": ("#F4B6A0", _headscarf),
    "cap": ("#8CCB7A", _cap),
    "beard": ("#5F6F80", _beard),
}
"""The background of each face, and a function that draws it there."""


def draw_face(canvas: Canvas, name: str) -> None:
    """Draw the face *name* as a round portrait."""
    ground, draw = FACES[name]
    canvas.circle(_MIDDLE, _ROUND, rgb(ground))
    draw(canvas)


def face_of(player: str) -> str:
    """The name of the face of *player*; of a person, the chosen one.

    >>> face_of("level:7"), face_of("minimax:hard"), face_of("human"), face_of("mcts:sims=1000"), face_of("learned")
    ('tiger', 'dragon', 'person', 'computer', 'owl')
    """
    if player == HUMAN:
        return person_face() or PERSON
    if player == LETTER:
        return "curly hair"
    if player == "elsewhere":
        return PERSON
    if player.partition(":")[0] in BY_PRACTICE:
        return SCHOLAR
    step, level = player_level_of(player), named_level_of(player)
    name = step.name if step is not None else level.face if level is not None else COMPUTER
    return name if name in FACES else COMPUTER
