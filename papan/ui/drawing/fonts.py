"""The program's font, and the machine's own fonts for letters that it lacks, such as those of Chinese names."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator
from functools import cache
from itertools import groupby

import pygame

from papan.game.base.assets import ASSETS
from papan.ui.texts.manner import is_east_asian

WEIGHTS = ("Regular", "Medium", "SemiBold", "Bold")
"""The weights of the program's font, from light to heavy, one file each."""
OTHER_FAMILIES = (
    "microsoftyahei", "microsoftjhenghei", "yugothic", "malgungothic", "leelawadeeui", "nirmalaui", "segoeuisymbol",
    "pingfang", "hiraginosansgb", "stheitimedium", "applesdgothicneo", "arialunicode",
    "notosanscjksc", "notosanscjktc", "notosanscjkjp", "notosanscjkkr", "sourcehansanssc", "wenquanyimicrohei",
    "notoserifcjksc", "notoserifcjktc", "arplumingcn", "arplukaicn", "ipagothic",
    "wenquanyizenhei", "droidsansfallback", "simsun", "unifont", "dejavusans", "freesans",
)  # fmt: skip
"""Families of fonts with many letters, as pygame spells them: those of Windows, of macOS, and of Linux."""
XIANGQI_FONT = "NotoSerifCJKtc-Bold-xiangqi.otf"
"""The asset with the characters on the pieces of xiangqi."""
_MISSING = "\U0010ffff"
"""Stands for no letter in any font, so that a font draws its sign for missing letters."""
_LAST_LATIN = "\u024f"


def font_of_weight(weight: str, size: int) -> pygame.font.Font:
    """The program's font in *size* pixels; if its file is damaged, the nearest weight, or pygame's own font."""
    wanted = WEIGHTS.index(weight)
    for near in sorted(WEIGHTS, key=lambda other: abs(WEIGHTS.index(other) - wanted)):
        font = font_in(f"Inter-{near}.otf", size)
        if font is not None:
            return font
    return pygame.font.Font(None, size)


def font_in(file: str, size: int) -> pygame.font.Font | None:
    """The font in the asset *file* in *size* pixels; None if the file is damaged."""
    return ASSETS.open(f"fonts/{file}", lambda path: pygame.font.Font(path, size))


class Font:
    """The program's font in one weight, *size* pixels high; letters that it lacks come from fonts of the machine."""

    def __init__(self, weight: str, size: int) -> None:
        self.own = font_of_weight(weight, size)
        self.lacks_east_asian = False
        """Whether it has drawn boxes for Chinese, Japanese or Korean letters."""
        self._size, self._is_bold = size, weight in ("SemiBold", "Bold")
        self._others: dict[str, pygame.font.Font | None] = {}
        self._font_of: dict[str, pygame.font.Font] = {}

    def width(self, text: str) -> int:
        """The width of *text* on one line, in pixels."""
        return sum(font.size(part)[0] for font, part in self._parts(text))

    @property
    def height(self) -> int:
        """The height of a line's letters, with ascenders and descenders, in pixels."""
        return self.own.get_height()

    def render(self, text: str, colour: pygame.typing.ColorLike) -> pygame.Surface:
        """The picture of one line of *text*."""
        parts = list(self._parts(text))
        if len(parts) == 1 and parts[0][0] is self.own:
            return self.own.render(text, True, colour)
        line = pygame.Surface((max(1, self.width(text)), self.height), pygame.SRCALPHA)
        left = 0
        for font, part in parts:
            line.blit(font.render(part, True, colour), (left, self.own.get_ascent() - font.get_ascent()))
            left += font.size(part)[0]
        return line

    def _parts(self, text: str) -> Iterator[tuple[pygame.font.Font, str]]:
        """*text* in parts of one font each."""
        if not text or max(text) <= _LAST_LATIN:
            yield self.own, text
            return
        fonts: list[pygame.font.Font] = []
        for letter in text:
            follows = fonts and unicodedata.combining(letter)
            fonts.append(fonts[-1] if follows else self._font_with(letter))
        for font, letters in groupby(zip(fonts, text, strict=True), key=lambda pair: pair[0]):
            yield font, "".join(letter for _, letter in letters)

    def _font_with(self, letter: str) -> pygame.font.Font:
        """The first font that has *letter*, or the program's own."""
        if letter not in self._font_of:
            fonts = (self.own, *filter(None, map(self._other, (*OTHER_FAMILIES, XIANGQI_FONT))))
            found = next((font for font in fonts if has_letter(font, letter)), None)
            self.lacks_east_asian |= found is None and is_east_asian(letter)
            self._font_of[letter] = found or self.own
        return self._font_of[letter]

    def _other(self, name: str) -> pygame.font.Font | None:
        """The font of a family, or in an asset; None where the machine lacks it."""
        if name not in self._others:
            if name == XIANGQI_FONT:
                self._others[name] = font_in(name, self._size)
            else:
                file = file_of_family(name, self._is_bold)
                self._others[name] = pygame.font.Font(file, self._size) if file else None
        return self._others[name]


def has_letter(font: pygame.font.Font, letter: str) -> bool:
    """Whether *font* draws *letter* otherwise than a letter that no font has."""
    if letter <= _LAST_LATIN or letter.isspace():
        return True
    pictures = [font.render(one, True, "white") for one in (letter, _MISSING)]
    return len({(picture.get_size(), pygame.image.tobytes(picture, "RGBA")) for picture in pictures}) > 1


@cache
def file_of_family(family: str, is_bold: bool) -> str | None:
    """The file of a font of the machine that can be opened; looked for once."""
    file: str | None = pygame.font.match_font(family, bold=is_bold)
    try:
        return file if file and pygame.font.Font(file, 12) else None
    except (OSError, pygame.error):
        return None
