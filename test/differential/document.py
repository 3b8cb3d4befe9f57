"""A document of the folder, and what other programs say of it, each asked once."""

import functools
import re

import facts
import pixels
import words
from commands import run

PAGES_DRAWN = 3


class Document:
    def __init__(self, path, password=""):
        self.path, self.password = path, password

    @functools.cached_property
    def facts(self):
        return facts.facts(self.path, self.password)

    @functools.cached_property
    def pages(self):
        return len(self.facts["pages"]) if self.facts and self.facts["pages"] is not None else 0

    @functools.cached_property
    def poppler_text(self):
        return words.by_poppler(self.path, self.password)

    @functools.cached_property
    def mupdf_text(self):
        return words.by_mupdf(self.path, self.password)

    @functools.cached_property
    def words(self):
        """The words that both programs read, or None if one cannot read the document."""
        if self.poppler_text is None or self.mupdf_text is None:
            return None
        return words.agreed(self.poppler_text, self.mupdf_text)

    @functools.cache
    def by_mupdf(self, page):
        return pixels.by_mupdf(self.path, page, self.password)

    @functools.cache
    def by_poppler(self, page):
        return pixels.by_poppler(self.path, page, self.password)

    @functools.cached_property
    def complaints(self):
        """What poppler and MuPDF complain of when they draw the first pages, without numbers and names: of each a set."""
        pages = str(PAGES_DRAWN)
        poppler = run(["pdftoppm", "-upw", self.password, "-gray", "-r", "9", "-l", pages, self.path]).said
        mupdf = run(["mutool", "draw", "-q", "-p", self.password, "-r", "9", "-F", "pgm", "-o", "/dev/null", self.path,
                     f"1-{pages}"]).said
        return {_kind(line) for line in poppler.splitlines() if "rror" in line and not line.startswith(NO_OBJECT)}, \
            {_kind(line) for line in mupdf.splitlines() if line.startswith(("error", "warning")) and not line.startswith(OF_ITSELF)}


def _kind(line):
    line = re.sub(r"['\"(</].*", "", re.sub(r"0x[0-9a-f]+|\d+", "N", line))
    return re.sub(r"\s+", " ", line).strip(" :.")[:70]


# What a program says of itself, and not of the document; a reference to an object that is not there is one to null (ISO 32000-1, 7.3.10).
OF_ITSELF = ("warning: ICC support is not available", "warning: ... repeated", "error: object out of range",
             "warning: cannot load object")
NO_OBJECT = "Internal Error: xref num"
