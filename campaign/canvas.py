"""What every picture for sharing is drawn with: the night with Pichincha at its foot, gold lines and stars, the site's
letters, its medallions. Pictures are 1200 by 630 pixels; everything measures in those."""

import io
import unicodedata
from functools import cache
from pathlib import Path

import resvg_py
from django.conf import settings
from PIL import Image, ImageDraw, ImageFont

SIZE = WIDTH, HEIGHT = 1200, 630
SCALE = 2  #: lines are drawn so many times as large, then made smaller: smooth edges
NIGHT = (19, 27, 51)
SKY = ((14, 20, 42), (19, 27, 51), (34, 45, 82), (92, 77, 84))  #: from above to behind the ridge
GOLD, LANTERN, LIME, MOON = (217, 164, 65), (242, 184, 75), (247, 241, 227), (201, 209, 218)
SKY_COLOURS = 150  #: of the 256 of a picture
STATIC = Path(settings.BASE_DIR) / "static"
FONTS = {
    "display": "cinzel-latin-wght.woff2",
    "serif": "eb-garamond-latin-wght.woff2",
    "italic": "eb-garamond-latin-wght-italic.woff2",
}
STAR = (0, -7.4, 2.2, -5.2, 5.2, -5.2, 5.2, -2.2, 7.4, 0, 5.2, 2.2, 5.2, 5.2, 2.2, 5.2, 0, 7.4, -2.2, 5.2, -5.2, 5.2,
        -5.2, 2.2, -7.4, 0, -5.2, -2.2, -5.2, -5.2, -2.2, -5.2)  # fmt: skip
MARGIN, NOTCH = 26, 30  #: of the frame, and of its hollow corners


@cache
def font(face, size, weight=400):
    """One of the site's fonts at a size in pixels; weights from 400."""
    found = ImageFont.truetype(STATIC / "fonts" / FONTS[face], size)
    found.set_variation_by_axes([weight])
    return found


class Canvas:
    """A picture in the making."""

    def __init__(self):
        self.image = _ground().copy()
        self.draw = ImageDraw.Draw(self.image, "RGBA")

    def write(self, text, x, y, *, face="serif", size=36, weight=400, fill=LIME, spaced=0, widest=1040):
        """A line of text with its middle at x and its baseline at y, smaller if it would be wider than `widest`;
        `spaced` is the room between letters, in parts of the size."""
        text = _in_font(text, face)
        while _length(text, face, size, weight, spaced) > widest and size > 12:
            size -= 1
        letters, found = (text if spaced else [text]), font(face, size, weight)
        x -= _length(text, face, size, weight, spaced) / 2
        for letter in letters:
            self.draw.text((x, y), letter, font=found, fill=fill, anchor="ls")
            x += found.getlength(letter) + spaced * size

    def rule(self, x, y, half):
        """A level gold line with a star in its middle and small ones at its ends."""
        self.draw.line([(x - half, y), (x - 26, y)], fill=GOLD, width=2)
        self.draw.line([(x + 26, y), (x + half, y)], fill=GOLD, width=2)
        for at, size in ((x, 1.8), (x - half, 0.8), (x + half, 0.8)):
            self.star(at, y, size)

    def star(self, x, y, size, fill=GOLD):
        _star(self.draw, x, y, size, fill)

    def medallion(self, sprite, name, x, y, across):
        """A medallion of a sprite of 96 by 96, with its middle at x, y."""
        drawn = drawing(sprite, name, (96, 96), across)
        self.image.paste(drawn, (round(x - across / 2), round(y - across / 2)), drawn)

    def counters(self, points, x, y):
        """A score as it lies on the table: a perro, face down, for ten, a tanto for two; their middle at x."""
        perros, tantos = divmod(points, 10)
        names = ["perro"] * perros + ["tanto"] * (tantos // 2)
        left = x - (len(names) * 34 - 6) / 2
        for i, name in enumerate(names):
            drawn = drawing("cards.svg", name, (20, 28), 28)
            self.image.paste(drawn, (round(left + 34 * i), y), drawn)

    def png(self):
        """The picture as the bytes of a PNG of 256 colours: many for the sky, which must not show steps, and enough for
        what is small and bright."""
        ours = [*GOLD, *LANTERN, *LIME, *MOON]
        left = 256 - SKY_COLOURS - len(ours) // 3
        others = self.image.quantize(left, method=Image.Quantize.MAXCOVERAGE).getpalette()
        palette = Image.new("P", (1, 1))
        palette.putpalette(_sky_palette() + ours + others[: 3 * left])
        kept = io.BytesIO()
        self.image.quantize(palette=palette, dither=Image.Dither.NONE).save(kept, "PNG", optimize=True)
        return kept.getvalue()


@cache
def _sky_palette():
    return _ground().quantize(SKY_COLOURS, method=Image.Quantize.MEDIANCUT).getpalette()[: 3 * SKY_COLOURS]


@cache
def _ground():
    """The night: light from above, the lattice of stars, the ridge, the frame."""
    image = Image.new("RGB", SIZE)
    draw = ImageDraw.Draw(image)
    for y in range(HEIGHT):
        draw.line([(0, y), (WIDTH, y)], fill=_sky(y / (HEIGHT - 110)))
    tile = drawing("lattice.svg", None, (96, 96), 96)
    tile.putalpha(tile.getchannel("A").point(lambda alpha: alpha * 8 // 100))
    for x in range(0, WIDTH, 96):
        for y in range(0, HEIGHT, 96):
            image.paste(tile, (x, y), tile)
    ridge = drawing("ridge.svg", None, (1600, 260), WIDTH)
    image.paste(ridge, (0, HEIGHT - ridge.height), ridge)
    image = image.resize((WIDTH * SCALE, HEIGHT * SCALE))
    _frame(ImageDraw.Draw(image))
    return image.resize(SIZE, Image.Resampling.LANCZOS)


def _sky(down):
    """The colour of the sky, from 0 at its top to 1 behind the ridge, where the lanterns' glow lies."""
    steps = [int(down * 3), min(int(down * 3) + 1, 3)] if down < 1 else [3, 3]
    part = down * 3 - steps[0] if down < 1 else 0
    return tuple(round(a + (b - a) * part) for a, b in zip(*(SKY[step] for step in steps), strict=True))


def _frame(draw):
    """Gold lines around, hollow at the corners, a star in each hollow."""
    left, top, right, low = (side * SCALE for side in (MARGIN, MARGIN, WIDTH - MARGIN, HEIGHT - MARGIN))
    notch = NOTCH * SCALE
    corners = ((left, top, 0), (right, top, 90), (right, low, 180), (left, low, 270))
    for inset, width in ((0, 5), (8 * SCALE, 2)):
        for x in (left + inset, right - inset):
            draw.line([(x, top + notch), (x, low - notch)], fill=GOLD, width=width)
        for y in (top + inset, low - inset):
            draw.line([(left + notch, y), (right - notch, y)], fill=GOLD, width=width)
        reach = notch + inset * 0.75
        for x, y, begin in corners:
            box = [x - reach, y - reach, x + reach, y + reach]
            draw.arc(box, begin, begin + 90, fill=GOLD, width=width)
    for x, y, _ in corners:
        inwards = 9 * SCALE
        _star(
            draw, x + (inwards if x == left else -inwards), y + (inwards if y == top else -inwards), 1.1 * SCALE, GOLD
        )


def _star(draw, x, y, size, fill):
    draw.polygon([(x + STAR[i] * size, y + STAR[i + 1] * size) for i in range(0, len(STAR), 2)], fill=fill)


@cache
def drawing(file, name, size, across):
    """One of the site's drawings (`name` None), or the part of a sprite, `size` large in its own units, as an RGBA
    image so many pixels wide."""
    drawn = (STATIC / "img" / file).read_text()
    if name:
        inner = drawn[drawn.index("<svg") :]
        box = f'width="{size[0]}" height="{size[1]}" viewBox="0 0 {size[0]} {size[1]}"'
        drawn = f'<svg xmlns="http://www.w3.org/2000/svg" {box}>{inner}<use href="#{name}"/></svg>'
    png = resvg_py.svg_to_bytes(svg_string=drawn, width=across, skip_system_fonts=True)
    return Image.open(io.BytesIO(bytes(png))).convert("RGBA")


def _length(text, face, size, weight, spaced):
    found = font(face, size, weight)
    if not spaced:
        return found.getlength(text)
    return sum(found.getlength(letter) + spaced * size for letter in text) - spaced * size


def _in_font(text, face):
    """The text with letters that the font has: where an accented one is missing, the bare letter."""
    return "".join(letter if _has(face, letter) else unicodedata.normalize("NFD", letter)[0] for letter in text)


@cache
def _has(face, letter):
    found = font(face, 24)
    return bytes(found.getmask(letter)) != bytes(found.getmask("\uffff"))
