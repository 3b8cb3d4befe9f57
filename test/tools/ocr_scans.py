"""Writes scans for the test of ocr into the folder of the first argument: PDF files of pictures of text, and
words.txt with the places of some words."""
import os
import subprocess
import sys

from PIL import Image, ImageChops, ImageDraw, ImageFilter, ImageFont

FOLDER = sys.argv[1]
FONT = "/usr/share/fonts/truetype/dejavu/DejaVuSerif.ttf"
DPI = 300
SIZE = (1654, 1169)  # of a page: A5 across at 200 dpi, drawn at 300

ENGLISH = ["The quick harbour master wrote down the name of",
           "each vessel that was there in the morning, and",
           "this list of boats was kept with the accounts of",
           "the town for more than seventy years, until it",
           "was lost to water in the flood of the year 1953."]
GERMAN = ["Der Hafenmeister schrieb für das Amt die Größe",
          "und den Namen jedes Schiffes auf, das nicht in",
          "der Stadt gebaut war, und die Liste ist mit den",
          "Büchern über die Straßen und Brücken in einem",
          "Schrank geblieben, der nach dem Krieg verkauft war."]


def page(lines, size=50):
    picture = Image.new("L", SIZE, 255)
    font = ImageFont.truetype(FONT, size)
    draw = ImageDraw.Draw(picture)
    for i, line in enumerate(lines):
        draw.text((120, 150 + i * 2 * size), line, font=font, fill=0)
    return picture


def save(name, *pictures):
    pictures[0].save(os.path.join(FOLDER, name), resolution=DPI, quality=90, save_all=True,
                     append_images=pictures[1:])


def places(lines, size=50):
    """The left and right edge of each word in points, by its line."""
    font = ImageFont.truetype(FONT, size)
    with open(os.path.join(FOLDER, "words.txt"), "w", encoding="utf-8") as out:
        for i, line in enumerate(lines):
            baseline = 150 + i * 2 * size + font.getmetrics()[0]
            at = 0
            for word in line.split(" "):
                left = 120 + font.getlength(line[:at])
                right = left + font.getlength(word)
                print(word, left * 72 / DPI, right * 72 / DPI, baseline * 72 / DPI, file=out)
                at += len(word) + 1


english, german = page(ENGLISH), page(GERMAN)
noise = Image.effect_noise((3000, 3000), 120)
save("scan.pdf", english, page(reversed(ENGLISH)))
save("german.pdf", german)
save("upside-down.pdf", english.rotate(180))
save("on-its-side.pdf", english.rotate(90, expand=True))
save("skewed.pdf", english.rotate(3, expand=True, fillcolor=255, resample=Image.BICUBIC))
pale = english.point(lambda level: 170 + level * 50 // 255).filter(ImageFilter.GaussianBlur(0.7))
save("faded.pdf", ImageChops.add(pale, Image.effect_noise(SIZE, 18), offset=-128))
save("blank.pdf", Image.new("L", SIZE, 255))
save("noise.pdf", noise)
save("dot.pdf", Image.new("L", (1, 1), 0))
places(ENGLISH)
for name, words in (("turned.pdf", ["--rotate=+90:1"]),
                    ("locked.pdf", ["--encrypt", "open", "owner", "256", "--"])):
    subprocess.run(["qpdf", os.path.join(FOLDER, "scan.pdf"), *words, os.path.join(FOLDER, name)], check=True)
