"""Writes scans for the test of transcribe into the folder of the first argument: pages of a heading, a paragraph,
a table with lines, a list, a photo and a drawing, as pictures."""
import os
import sys

from PIL import Image, ImageDraw, ImageFont

FOLDER = sys.argv[1]
FONTS = "/usr/share/fonts/truetype/dejavu/DejaVu"
DPI = 300
SIZE = (1754, 2480)  # A5 upright at 300 dpi

TEXT = ["The harbour master kept a list of each vessel that",
        "was there in the morning, and the accounts of the",
        "town were written from it for seventy years."]
TABLE = [["Year", "Vessels", "Goods"], ["1949", "214", "18,240"], ["1950", "236", "19,870"], ["1951", "251", "21,004"]]
LIST = ["the letters of the council", "the plan of the old quay", "the register of pilots"]


def font(name, size):
    return ImageFont.truetype(FONTS + name + ".ttf", size)


def page(with_photo):
    picture = Image.new("L", SIZE, 255)
    draw = ImageDraw.Draw(picture)
    draw.text((150, 150), "Report of the harbour", font=font("Sans-Bold", 80), fill=0)
    for i, line in enumerate(TEXT):
        draw.text((150, 330 + i * 62), line, font=font("Serif", 46), fill=0)
    for row, cells in enumerate(TABLE):
        for column, cell in enumerate(cells):
            left, top = 150 + column * 480, 620 + row * 90
            draw.rectangle((left, top, left + 480, top + 90), outline=0, width=4)
            draw.text((left + 20, top + 18), cell, font=font("Serif", 46), fill=0)
    for i, line in enumerate(LIST):
        y = 1080 + i * 66
        draw.ellipse((190, y + 18, 206, y + 34), fill=0)
        draw.text((250, y), line, font=font("Serif", 46), fill=0)
    if with_photo:
        photo = Image.radial_gradient("L").resize((700, 700)).point(lambda level: 40 + level // 2)
        picture.paste(photo, (500, 1500))
    return picture


def save(name, *pictures):
    pictures[0].save(os.path.join(FOLDER, name), resolution=DPI, quality=90, save_all=True, append_images=pictures[1:])


plain = page(False)
save("plain.pdf", plain)
save("photo.pdf", page(True))
drawing = page(False)
ImageDraw.Draw(drawing).ellipse((500, 1500, 1200, 2200), outline=0, width=3)
save("drawing.pdf", drawing)
save("skewed.pdf", plain.rotate(2, fillcolor=255, resample=Image.BICUBIC))
save("turned.pdf", plain.rotate(180))
save("empty.pdf", Image.new("L", SIZE, 255))
# A page of which one word, "quay", was struck and written over, upright, and skewed on its side.
before = 250 + int(font("Serif", 46).getlength("the plan of the old "))
struck = page(False)
pen = ImageDraw.Draw(struck)
pen.text((before + 7, 1080 + 66 + 3), "dock", font=font("Serif", 46), fill=0)
struck.crop((before, 1080 + 66, before + 140, 1080 + 66 + 62)).save(os.path.join(FOLDER, "struck.png"))
save("struck.pdf", struck)
save("struck-turned.pdf", struck.rotate(2, fillcolor=255, resample=Image.BICUBIC).rotate(90, expand=True))
