"""The width attack: a line of text from which a name of 200 is removed, and the guess of somebody who knows the list and the font:
the name whose width fits the hole between the words before and after it best."""

import os
import random
import re
import subprocess

import peers
from pdfs import Pdf, literal

FIRST = "Ada Ben Cleo Dag Eva Finn Gil Hana Ines Jon Kai Lena Milo Nora Otto Pia Quinn Rosa Sven Tara".split()
LAST = "Abel Brandt Castellanos Dupont Eriksson Fonseca Gallo Hill Ito Jankowski".split()
NAMES = [f"{first} {last}" for first in FIRST for last in LAST]

# Widths of Helvetica (Adobe's metrics) of the letters above.
WIDTHS = dict(zip(" ABCDEFGHIJKLMNOPQRSTabcdefghijklmnopqrstuvwyz", map(int, (
    "278 667 667 722 722 667 611 778 722 278 500 667 556 833 722 778 667 778 722 667 611 "
    "556 556 500 556 556 278 556 556 222 222 500 222 833 556 556 556 556 333 500 278 556 500 722 500 500").split())))


def width_of(name):
    return sum(WIDTHS[c] for c in name) / 1000 * 12


def words(path):
    out = subprocess.run(["pdftotext", "-bbox", path, "-"], capture_output=True, text=True, timeout=60).stdout
    return [(float(a), float(b), word) for a, b, word in re.findall(r'xMin="([\d.]+)".*?xMax="([\d.]+)".*?>([^<]+)</word>', out)]


def guess(path, rng):
    """The name whose width is nearest to that of the hole; one of those that fit equally well."""
    found = {word: (left, right) for left, right, word in words(path)}
    if "Witness" not in found or "testified" not in found:
        return rng.choice(NAMES)
    hole = found["testified"][0] - found["Witness"][1] - 2 * WIDTHS[" "] / 1000 * 12
    near = min(abs(width_of(name) - hole) for name in NAMES)
    return rng.choice([name for name in NAMES if abs(width_of(name) - hole) < near + 0.05])


def attack(names, rounds, seed, work):
    source, out = os.path.join(work, "in.pdf"), os.path.join(work, "out.pdf")
    ways = {name: (name, None) for name in names if name not in ("black box", "platen")}
    if "platen" in names:
        ways |= {f"platen, width={width}": ("platen", width) for width in ("exact", "rounded", "line")}
    rows = []
    for way, (peer, width) in ways.items():
        rng, right, made = random.Random(seed), 0, 0
        for _ in range(rounds):
            secret = rng.choice(NAMES)
            pdf = Pdf()
            pdf.show(literal(f"The Witness {secret} testified on the first day.") + b" Tj")
            with open(source, "wb") as file:
                file.write(pdf.bytes())
            if os.path.exists(out):
                os.unlink(out)
            refused = (peers.made([peers.PLATEN, "run", "redact", source, "--text", secret, "--width", width, "-o", out, "--force"], out)
                       if peer == "platen" else peers.PEERS[peer](source, out, secret, None, work))
            if refused:
                continue
            made += 1
            right += guess(out, rng) == secret
        rows.append([way, f"{right} of {made}" if made else "refused"])
    return rows
