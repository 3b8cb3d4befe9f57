"""Compares a page with what it was made of: "same" if strokes, paper and photographs look alike, "white" if its paper alone
is white now, or what differs."""
import subprocess
import sys

from PIL import Image, ImageChops, ImageStat


def draw(path):
    subprocess.run(["pdftoppm", "-r", "100", "-singlefile", path, path + ".seen"], check=True)
    return Image.open(path + ".seen.ppm")


before, after = draw(sys.argv[1]), draw(sys.argv[2])
photo, stroke, paper = (305, 255, 395, 345), (45, 300, 230, 335), (300, 360, 500, 385)


def mean(picture, box):
    return ImageStat.Stat(picture.crop(box)).mean


def differs(box):
    return max(mean(ImageChops.difference(before, after), box))


faults = []
if differs(photo) > 8:
    faults.append(f"photograph {differs(photo):.1f}")
darkest = min(after.crop(stroke).convert("L").getdata()), min(before.crop(stroke).convert("L").getdata())
if darkest[0] > darkest[1] + 40:
    faults.append(f"stroke {darkest}")
blue = min(after.crop(stroke).getdata(), key=sum)
if blue[2] < blue[0] + 20:
    faults.append(f"its colour {blue}")
white = min(mean(after, paper)) > 252
print(*(faults or ["white" if white else "same" if differs(paper) < 8 else "paper"]))
