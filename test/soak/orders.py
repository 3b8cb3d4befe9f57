"""What a soak asks for: every tool with files of random sizes."""

import json
import os
import random

import platen

SAMPLES = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../samples")
PNG = bytes.fromhex("89504e470d0a1a0a0000000d49484452000000010000000108060000001f15c4890000000d4944415478"
                    "9c6360606060000000050001a5f645400000000049454e44ae426082")


def office(kind):
    """A small document of the samples, or none."""
    folder = os.path.join(SAMPLES, "office")
    found = [name for name in sorted(os.listdir(folder)) if name == "plain." + kind]
    if not found:
        return None
    with open(os.path.join(folder, found[0]), "rb") as file:
        return [(found[0], file.read())]


def page(most=40):
    """A PDF: mostly small, now and then of some megabytes."""
    pages = 1 + int(random.paretovariate(1.2)) % most
    return platen.pdf(pages, text=f"soak {random.random()}",
                      pad=int(random.paretovariate(1)) * 1000 % 4_000_000)


def orders():
    """Tool -> how to ask for it: files and fields."""
    one = lambda most=40: [("a.pdf", page(most))]  # noqa: E731
    return {
        "merge": lambda: (one() + one() + one(), {}),
        "split": lambda: (one(), {"pages": "all", "mode": "each"}),
        "rotate": lambda: (one(), {"degrees": random.choice(["90", "180"])}),
        "add-password": lambda: (one(), {"password": "a word"}),
        "remove-password": lambda: (one(), {"password": "x"}),
        "watermark": lambda: (one(), {"text": "SOAK", "opacity": "0.3"}),
        "page-numbers": lambda: (one(), {"position": "bottom-center"}),
        "sign": lambda: (one(), {"signerName": "Soak"}),
        "jpg-to-pdf": lambda: ([("a.png", PNG)] * random.randint(1, 5), {}),
        "to-png": lambda: (one(3), {"dpi": "50"}),
        "to-jpg": lambda: (one(3), {"dpi": "50"}),
        "to-word": lambda: (one(5), {}),
        "compress": lambda: (one(), {"quality": "ebook"}),
        "repair": lambda: ([("a.pdf", page()[:-60])], {}),
        "word-to-pdf": lambda: (office("docx"), {}),
        "pipeline": lambda: (one(5), {"steps": json.dumps([
            {"tool": "rotate", "degrees": 90}, {"tool": "page-numbers"}])}),
        "excel-to-pdf": lambda: (office("xlsx"), {}),
        "ppt-to-pdf": lambda: (office("pptx"), {}),
    }


# Those that take seconds come less often.
HEAVY = {"word-to-pdf": 0.1, "excel-to-pdf": 0.1, "ppt-to-pdf": 0.1, "compress": 0.5, "to-word": 0.5}
