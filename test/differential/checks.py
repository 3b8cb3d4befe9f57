"""What each tool must keep, and how a result is compared with what other programs say.

A check returns differences: pairs of a class ("outline lost") and details for a person. What a tool changes on purpose is not
compared."""

import collections
import csv
import html
import os
import re
import zipfile

import facts
import pixels
import words
from commands import run
from document import PAGES_DRAWN, Document

# Shares of pixels, seen at 36 dpi.
SAME = 0.0015
LIKE = 0.03    # for pictures that are compressed with loss
DRAWN = 0.04   # between two programs that draw the same page
KINDS = ("pages", "page sizes", "outline", "attachments", "layers", "fields", "signatures", "annotations", "links", "page labels",
         "metadata", "tags", "replaced text", "viewer", "destinations", "scripts")


def some(found):
    return ", ".join(sorted(found)[:6])[:300] + (" ..." if len(found) > 6 else "")


def keeps(before, after, ignored=(), more=()):
    """The facts of two documents. `more`: kinds of which there may be more afterwards."""
    found = []
    if not before.pages:
        return found
    if not after.facts:
        return [("result unreadable", "pikepdf cannot open the result")]
    for kind in KINDS:
        old, new = before.facts[kind], after.facts[kind]
        if kind in ignored or old is None or new is None or old == new:
            continue
        lost = collections.Counter(old) - collections.Counter(new)
        came = collections.Counter(new) - collections.Counter(old)
        if lost:
            both = [facts.second(kind, document.path, document.password) for document in (before, after)]
            doubt = " (not by another program's count)" if both[0] is not None and both[0] == both[1] and len(old) != len(new) else ""
            what = "lost" if len(new) < len(old) else "changed"
            found.append((f"{kind} {what}{doubt}", f"{len(old)} before, {len(new)} after; lost: {some(lost)}; new: {some(came)}"))
        elif came and kind not in more:
            found.append((f"{kind} added", f"{len(old)} before, {len(new)} after; new: {some(came)}"))
    return found


def looks(before, after, limit=SAME, pages=None):
    """Pages drawn by the same program before and after, by two programs. A difference is one that both see, or that one sees
    while the other cannot draw the page."""
    found = []
    for page in pages or range(1, min(before.pages, PAGES_DRAWN) + 1):
        seen = {}
        for name in ("mupdf", "poppler"):
            old, new = (getattr(document, f"by_{name}")(page) for document in (before, after))
            if old is not None and new is None:
                seen[name] = 1.0
            elif old is not None:
                seen[name] = pixels.differing(old, new)
        bad = {name: share for name, share in seen.items() if share > limit}
        if bad:
            by = "" if len(bad) == len(seen) else f" by {next(iter(bad))} alone"
            found.append((f"look changed{by}", f"page {page}: " + ", ".join(f"{name} {share:.3f}" for name, share in seen.items())))
            break
    return found


def reads(before, text, what="words lost"):
    """Whether a text has the words that both other programs read in the document."""
    if not before.words:
        return []
    lost = words.lost(before.words, text)
    most = 0.25 if before.facts and before.facts["replaced text"] else 0.02
    if len(lost) > most * len(before.words):
        return [(f"{what}{' (most)' if len(lost) > 0.5 * len(before.words) else ''}",
                 f"{len(lost)} of {len(before.words)} words: {some(lost)}")]
    return []


def same_words(before, after):
    """Whether poppler and MuPDF still read the words that both read before."""
    if not before.words:
        return []
    found = []
    for name in ("poppler_text", "mupdf_text"):
        text = getattr(after, name)
        found += reads(before, text or "", f"words lost for {name.partition('_')[0]}")
    return [("words lost", found[0][1])] if len(found) == 2 else found


def less_text(before, text):
    """Whether a text has far fewer letters than both other programs read: what repeats is lost without a word being lost."""
    theirs = min(len(words.letters(before.poppler_text or "")), len(words.letters(before.mupdf_text or "")))
    ours = len(words.letters(text))
    return [("less text", f"{ours} letters, at least {theirs} for others")] if ours < 0.85 * theirs - 10 else []


def more_text(before, text):
    """Words that neither of the others reads."""
    if before.words is None:
        return []
    there = words.letters(before.poppler_text + before.mupdf_text)
    own = {word for word in words.distinct(text) if word not in there}
    if len(own) > max(3, 0.1 * len(before.words)):
        return [("other words", f"{len(own)} that others do not read: {some(own)}")]
    return []


def silent(before, job):
    """What both other programs complain of while our job says nothing."""
    poppler, mupdf = before.complaints
    if job.warnings or not poppler or not mupdf:
        return []
    return [(f"silent where others complain: {min(poppler)}", f"poppler: {some(poppler)}; mupdf: {some(mupdf)}")]


def drawing(before, job):
    """Pages as pictures beside those of two other programs."""
    if before.pages and len(job.outputs) != before.pages:
        return [("pages lost", f"{before.pages} pages, {len(job.outputs)} pictures")]
    for page, path in enumerate(job.outputs[:PAGES_DRAWN], 1):
        ours, mupdf, poppler = pixels.of_picture(path), before.by_mupdf(page), before.by_poppler(page)
        if ours is None or mupdf is None or poppler is None:
            continue
        to_mupdf = pixels.differing(ours, mupdf)
        to_poppler = pixels.differing(pixels.coarse(ours), pixels.coarse(poppler))
        detail = f"page {page}: mupdf {to_mupdf:.3f}, poppler {to_poppler:.3f}"
        if poppler.min() < 200 and ours.min() > 250 or mupdf.min() < 200 and ours.min() > 250:
            return [("page is blank", detail)]
        if to_mupdf > SAME * 4 and to_poppler > DRAWN:
            return [("drawn otherwise than by both", detail)]
        if to_poppler > 3 * DRAWN:
            return [("drawn as by mupdf, otherwise than by poppler", detail)]
    return []


def pictured(path, job):
    """A page made of a picture beside the picture, both drawn by MuPDF."""
    picture, page = pixels.by_mupdf_square(path), pixels.by_mupdf_square(job.outputs[0])
    if picture is None:
        return []
    if page is None:
        return [("result unreadable", "mutool cannot draw the result")]
    share = pixels.differing(pixels.coarse(picture, 12), pixels.coarse(page, 12))  # small pictures are smoothed or not
    return [("look changed", f"{share:.3f} of the picture")] if share > LIKE else []


def cells(before, job):
    """The cells of a workbook beside those of a CSV file of the same name, where there is one."""
    truth = os.path.splitext(before.path)[0] + ".csv"
    if not os.path.exists(truth):
        return []
    with open(truth, encoding="utf-8", errors="replace", newline="") as file:
        wanted = collections.Counter(words.letters(cell) for row in csv.reader(file) for cell in row)
    with zipfile.ZipFile(job.outputs[0]) as package:
        sheets = [package.read(name).decode(errors="replace") for name in package.namelist() if name.startswith("xl/worksheets/sheet")]
        strings = package.read("xl/sharedStrings.xml").decode(errors="replace") if "xl/sharedStrings.xml" in package.namelist() else ""
    del wanted[""]
    texts = [words.letters(html.unescape(re.sub(r"<[^>]*>", "", item))) for item in re.findall(r"<si>(.*?)</si>", strings, re.S)]
    had = collections.Counter()
    for kind, body in re.findall(r"<c\b([^>]*)>(.*?)</c>", "".join(sheets), re.S):
        value = re.search(r"<v>(.*?)</v>", body)
        if 't="s"' in kind and value and value[1].isdigit() and int(value[1]) < len(texts):
            had[texts[int(value[1])]] += 1
        else:
            had[words.letters(html.unescape(re.sub(r"<[^>]*>", "", body)))] += 1
    lost = wanted - had
    if sum(lost.values()) > 0.05 * sum(wanted.values()):
        return [("cells lost", f"{sum(lost.values())} of {sum(wanted.values())}: {some(lost)}")]
    return []


def office(theirs, job):
    """A converted office document beside soffice's own result, or None. Where a document names no paper, soffice takes that of
    the machine's language, so pages of A4 and Letter are compared by their words only."""
    if not theirs:
        return [] if not job.done else [("converted, not by soffice", "")]
    if not job.done:
        return [(f"fails: {job.end}", job.said[-300:])]
    one, other = Document(theirs), Document(job.outputs[0])
    found = reads(one, other.poppler_text or "")
    sizes = {((document.facts or {}).get("page sizes") or [""])[0] for document in (one, other)}
    if sizes == {"595 x 842", "612 x 792"}:
        return found
    if len(sizes) == 2:
        return found + [("page size differs from soffice's", " and ".join(sizes))]
    if one.pages != other.pages:
        found.append(("page count differs from soffice's", f"{one.pages} by soffice, {other.pages} here"))
    return found + looks(one, other, DRAWN)
