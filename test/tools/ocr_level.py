"""How a page of text looks, as pdftoppm draws it: "level" if there are white rows between its five lines, else
"askew"; then whether the text is wide or tall."""
import subprocess
import sys

from PIL import Image

path = sys.argv[1]
subprocess.run(["pdftoppm", "-r", "100", "-gray", "-singlefile", path, path + ".look"], check=True)
picture = Image.open(path + ".look.pgm").point(lambda level: 255 if level < 128 else 0)
left, top, right, bottom = picture.getbbox()
rows = [picture.crop((left, y, right, y + 1)).getbbox() is not None for y in range(top, bottom)]
gaps = sum(a and not b for a, b in zip(rows, rows[1:]))
print("level" if gaps >= 4 else "askew", "wide" if right - left > bottom - top else "tall")
