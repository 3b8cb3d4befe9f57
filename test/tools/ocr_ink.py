"""Whether each word of a text layer lies over ink of the page as it is drawn: "all", or the words that do not."""
import re
import subprocess
import sys

from PIL import Image

DPI = 100
path = sys.argv[1]
subprocess.run(["pdftoppm", "-r", str(DPI), "-gray", "-singlefile", path, path + ".ink"], check=True)
picture = Image.open(path + ".ink.pgm").point(lambda level: 255 if level < 128 else 0)
boxes = subprocess.run(["pdftotext", "-bbox", path, "-"], capture_output=True, text=True, check=True).stdout
wrong = []
words = re.findall(r'xMin="([^"]+)" yMin="([^"]+)" xMax="([^"]+)" yMax="([^"]+)">([^<]*)<', boxes)
for *edges, word in words:
    left, top, right, bottom = (float(edge) * DPI / 72 for edge in edges)
    middle = picture.crop((round(left), round(top), round(right), round(bottom)))
    ink = middle.getbbox()
    # The ink reaches from the left edge to the right edge of the word.
    if not ink or ink[0] > 3 or ink[2] < middle.width - 3:
        wrong.append(word)
print(*(wrong or (["all"] if len(words) > 40 else ["few words"])))
