"""The words of documents, as two other programs read them, and which of them a result lacks."""

import html
import re
import unicodedata
import zipfile

from commands import run


def normal(text):
    return unicodedata.normalize("NFKC", text).casefold()


def letters(text):
    """All letters and digits, without what is between them: words that are divided or joined are found in it."""
    return re.sub(r"[\W_]+", "", normal(text))


def distinct(text):
    return {word for word in re.findall(r"[^\W_]{2,}", normal(text)) if len(word) < 60}


def by_poppler(path, password=""):
    ended = run(["pdftotext", "-upw", password, path, "-"])
    return ended.out.decode(errors="replace") if ended.status == 0 else None


def by_mupdf(path, password=""):
    ended = run(["mutool", "draw", "-q", "-p", password, "-F", "txt", "-o", "-", path])
    return ended.out.decode(errors="replace") if ended.status == 0 else None


def agreed(one, other):
    """The words that both have."""
    in_one, in_other = letters(one), letters(other)
    return {word for word in distinct(one) | distinct(other) if word in in_one and word in in_other}


def lost(wanted, text):
    """Of these words those that the text does not have."""
    there = letters(text)
    return {word for word in wanted if word not in there}


def of_package(path):
    """The text of a Word document (ECMA-376), without its markup."""
    return _of_parts(path, r"^word/.*\.xml$")


def of_headers(path):
    """The text that a Word document has on several pages."""
    return _of_parts(path, r"^word/(header|footer)[^/]*\.xml$")


def of_markdown(text):
    """The text of Markdown without the tags and the targets of links, which nobody sees."""
    return re.sub(r"</?[a-z][^>]*>", "", re.sub(r"\]\([^)]*\)", "]", text))


def _of_parts(path, wanted):
    with zipfile.ZipFile(path) as package:
        names = [name for name in package.namelist() if re.search(wanted, name)
                 and not re.search(r"styles|theme|settings|fontTable|_rels", name)]
        parts = []
        for name in names:
            xml = package.read(name).decode(errors="replace")
            runs = re.findall(r"<(?:w|m|a):t(?:\s[^>]*)?>([^<]*)</|(</w:p>|<w:br\b|<w:tab/>)", xml)
            parts.append(html.unescape("".join(text or " " for text, _ in runs)))
    return "\n".join(parts)


def of_html(path):
    with open(path, encoding="utf-8", errors="replace") as file:
        text = file.read()
    text = re.sub(r"(?s)<(style|script|title)\b.*?</\1>", "", text)
    return html.unescape(re.sub(r"<[^>]*>", "", re.sub(r"</(p|td|th|li|h\d|div)>|<br[^>]*>", " ", text)))
