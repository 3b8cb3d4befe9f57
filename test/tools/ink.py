"""ink.py FILE COLOR [PAGE]: where on its pages a PDF has ink of a colour (red, green, blue, black), as
poppler and MuPDF draw them. A line for each page: its number, the gaps in points between the ink and
the left, top, right and bottom edge of what is shown, and how many of a thousand pixels have it;
"none"; or "differs" and both, where the two are not of one mind."""
import os
import subprocess
import sys
import tempfile

DPI = 72


def pictures(path, page):
    """Each page as width, height and bytes of RGB, of both in turn."""
    which = ["-f", page, "-l", page] if page else []
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run(["pdftoppm", "-cropbox", "-r", str(DPI), *which, path, f"{folder}/p"],
                       check=True, stderr=subprocess.DEVNULL)
        subprocess.run(["mutool", "draw", "-q", "-r", str(DPI), "-o", f"{folder}/m%06d.ppm", path,
                        *([page] if page else [])], check=False, stderr=subprocess.DEVNULL)
        names = sorted(os.listdir(folder))
        half = len(names) // 2
        assert half and len(names) == 2 * half  # the status of mutool is 1 where content is damaged
        for mupdf, poppler in zip(names[:half], names[half:]):
            yield [read(os.path.join(folder, name)) for name in (poppler, mupdf)]


def read(path):
    with open(path, "rb") as file:
        assert file.readline() == b"P6\n"
        line = file.readline()
        while line.startswith(b"#"):
            line = file.readline()
        width, height = map(int, line.split())
        file.readline()
        return width, height, file.read()


def is_ink(color):
    if color == "black":
        return lambda p: max(p) < 90
    at = ("red", "green", "blue").index(color)
    return lambda p: p[at] > max(p[at - 1], p[at - 2]) + 60


def find(picture, ink):
    """Left, top, right and bottom gap as parts of the whole, and the share of pixels; or None."""
    width, height, data = picture
    columns, rows, n, known = set(), set(), 0, {}
    for y in range(height):
        row = data[3 * width * y:3 * width * (y + 1)]
        if row.count(row[0]) == len(row):
            continue
        for x in range(width):
            pixel = row[3 * x:3 * x + 3]
            if pixel not in known:
                known[pixel] = ink(pixel)
            if known[pixel]:
                columns.add(x)
                rows.add(y)
                n += 1
    if not n:
        return None
    return (min(columns) / width, min(rows) / height, 1 - (max(columns) + 1) / width,
            1 - (max(rows) + 1) / height, n / width / height)


def main():
    path, color, page = (*sys.argv[1:], None)[:3]
    for number, both in enumerate(pictures(path, page), 1):
        poppler, mupdf = (find(picture, is_ink(color)) for picture in both)
        sides = [both[1][i % 2] * 72 / DPI for i in range(4)]
        if poppler is None and mupdf is None:
            print(number, "none")
        elif None in (poppler, mupdf) or any(
                abs(a - b) * side > 5 for a, b, side in zip(poppler, mupdf, sides)):
            print(number, "differs", poppler, mupdf)
        else:
            print(number, *(round(gap * side) for gap, side in zip(mupdf, sides)),
                  round(mupdf[4] * 1000))


main()
