"""The tools that are tried, the most valuable first, and the checks of each."""

import html
import json
import os
import re
import shutil
import subprocess

import checks
import words
from document import Document
from platen import Job

PASSWORD = "differential"


class Trial:
    """One tool on one document."""

    def __init__(self, platen, before, work):
        self.platen, self.before, self.work = platen, before, work
        self.given = ["--inputPassword", before.password] if before.facts and before.facts["encrypted"] else []

    def run(self, tool, words_given, name, paths=None, keep_password=True):
        return Job(self.platen, tool, paths or [self.before.path], [*words_given, *(self.given if keep_password else [])],
                   os.path.join(self.work, "out"), name)


def _rewritten(tool, given, ignored=(), more=(), limit=checks.SAME, password="", pages=None, least=0):
    """A tool that gives the document with all that it holds."""
    def check(trial):
        if trial.before.pages < least:
            return None, []
        job = trial.run(tool, given, "out.pdf")
        if not job.done:
            return job, []
        before, after = trial.before, Document(job.outputs[0], password)
        return job, checks.keeps(before, after, ignored, more) + checks.looks(before, after, limit, pages) \
            + checks.same_words(before, after)
    return check


def _merged(trial):
    extra = os.path.join(trial.work, "extra.pdf")
    job = trial.run("merge", [], "out.pdf", [trial.before.path, extra])
    if not job.done:
        return job, []
    after, more = Document(job.outputs[0]), Document(extra)
    found = checks.keeps(trial.before, after, ("page labels", "metadata", "viewer", "outline"), checks.KINDS)
    if trial.before.pages and after.pages != trial.before.pages + more.pages:
        found.append(("pages lost", f"{trial.before.pages} and {more.pages} pages became {after.pages}"))
    titles = [line.partition(" ")[2] for line in (after.facts or {}).get("outline") or []]
    lost = [line for line in (trial.before.facts or {}).get("outline") or [] if line.partition(" ")[2] not in titles]
    if lost:
        found.append(("outline lost", checks.some(lost)))
    return job, found + checks.looks(trial.before, after) + checks.same_words(trial.before, after)


def _split(trial):
    if trial.before.pages > 20:
        return None, []
    job = trial.run("split", ["--every", "1"], None)
    if not job.done:
        return job, []
    parts, found = [Document(path) for path in job.outputs], []
    if trial.before.pages and len(parts) != trial.before.pages:
        return job, [("pages lost", f"{trial.before.pages} pages, {len(parts)} parts")]
    found += checks.looks(trial.before, parts[0], pages=[1])
    for kind in ("annotations", "fields"):  # a link to a page of another part is left out
        whole = (trial.before.facts or {}).get(kind) or []
        got = {line for part in parts for line in (part.facts or {}).get(kind) or []}
        lost = set(whole) - got - {"/Link"}
        if lost:
            found.append((f"{kind} lost", checks.some(lost)))
    return job, found + checks.reads(trial.before, "\n".join(part.poppler_text or "" for part in parts))


def _signed(trial):
    job = trial.run("sign", ["--signerName", "Differential", "--visible", "false", "--certificate",
                             os.path.join(trial.work, "key.p12")], "out.pdf")
    if not job.done:
        return job, []
    after, found = Document(job.outputs[0], trial.before.password), []
    with open(trial.before.path, "rb") as old, open(job.outputs[0], "rb") as new:
        data = old.read()
        if new.read(len(data)) != data and "repaired" not in job.warnings:
            found.append(("rewritten", "the result does not begin with the input's bytes"))
    if trial.before.facts and after.facts and len(after.facts["signatures"] or []) <= len(trial.before.facts["signatures"] or []):
        found.append(("no signature", ""))
    return job, found + checks.keeps(trial.before, after, ("viewer",), ("fields", "signatures", "annotations")) \
        + checks.looks(trial.before, after)


def _locked(trial):
    job = trial.run("add-password", ["--password", PASSWORD], "out.pdf")
    if not job.done:
        return job, []
    after = Document(job.outputs[0], PASSWORD)
    return job, checks.keeps(trial.before, after) + checks.looks(trial.before, after) + checks.same_words(trial.before, after)


def _unlocked(trial):
    if not (trial.before.facts and trial.before.facts["encrypted"]):
        return None, []
    job = trial.run("remove-password", ["--password", trial.before.password], "out.pdf", keep_password=False)
    if not job.done:
        return job, []
    after = Document(job.outputs[0])
    return job, checks.keeps(trial.before, after) + checks.looks(trial.before, after) + checks.same_words(trial.before, after)


def _read_by(tool, given, name, read, repeated=None):
    """`repeated` reads what the result has once for several pages."""
    def check(trial):
        job = trial.run(tool, given, name)
        if not job.done:
            return job, []
        text, again = read(job.outputs), repeated(job.outputs) if repeated else ""
        return job, checks.reads(trial.before, text) + checks.less_text(trial.before, text + again * (trial.before.pages or 1)) \
            + checks.more_text(trial.before, text) + checks.silent(trial.before, job)
    return check


def _plain(paths):
    texts = []
    for path in paths:
        if path.endswith((".txt", ".md")):
            with open(path, encoding="utf-8", errors="replace") as file:
                texts.append(words.of_markdown(file.read()) if path.endswith(".md") else file.read())
    return "\n".join(texts)


def _drawn_by(tool):
    def check(trial):
        job = trial.run(tool, ["--dpi", "36"], None)
        return job, checks.drawing(trial.before, job) + checks.silent(trial.before, job) if job.done else []
    return check


def _filled(trial):
    """A form that is filled in with what it holds."""
    values = os.path.join(trial.work, "values")
    listed = trial.run("form-fields", [], "values.json")
    if not listed.done or not (trial.before.facts and trial.before.facts["fields"]):
        return (listed, []) if not listed.done else (None, [])
    shutil.copy(listed.outputs[0], values)
    return _rewritten("fill-form", ["--data", values, "--unknown", "ignore"])(trial)


def _flat(trial):
    """Fields and annotations that are drawn on their pages look as before, and what they show can be read."""
    before = trial.before
    if not before.facts or not (before.facts["annotations"] or before.facts["layers"]):
        return None, []
    job = trial.run("flatten", ["--what", "fields,annotations,layers"], "out.pdf")
    if not job.done:
        return job, []
    after = Document(job.outputs[0])
    ignored = ("layers", "fields", "signatures", "annotations", "scripts", "tags")
    return job, checks.keeps(before, after, ignored) + checks.looks(before, after) + checks.same_words(before, after)


def _identical(trial):
    """A document and what repair makes of it: no words differ."""
    job = trial.run("repair", [], "repaired.pdf")
    if not job.done or not trial.before.pages:
        return job, []
    other = os.path.join(trial.work, "other.pdf")
    shutil.copy(job.outputs[0], other)
    job = trial.run("compare", [], "out.json", [trial.before.path, other])
    if not job.done:
        return job, []
    with open(job.outputs[0], encoding="utf-8") as file:
        said = json.load(file)
    return job, [] if said["summary"]["equal"] else [("differs from itself", json.dumps(said)[:300])]


def _plain_json(paths):
    with open(paths[0], encoding="utf-8") as file:
        found = json.load(file)
    return "\n".join(word["text"] for page in found["pages"] for word in page["words"])


def _of_svg(paths):
    """The text of SVG files."""
    texts = []
    for path in paths:
        with open(path, encoding="utf-8", errors="replace") as file:
            texts.append(html.unescape(re.sub(r"<[^>]*>", "", re.sub(r"(?s)<(style|title|desc)\b.*?</\1>", "", file.read()))))
    return "\n".join(texts)


def _workbook(trial):
    job = trial.run("to-excel", [], "out.xlsx")
    return job, checks.cells(trial.before, job) if job.done else []


PDF_TOOLS = {
    "to-text": _read_by("to-text", ["--headers", "keep"], "out.txt", _plain),
    "to-png": _drawn_by("to-png"),
    "rotate": _rewritten("rotate", ["--degrees", "360"]),
    "compress": _rewritten("compress", [], limit=checks.LIKE),
    "repair": _rewritten("repair", []),
    "merge": _merged,
    "to-markdown": _read_by("to-markdown", ["--headers", "keep", "--images", "false"], "out.md", _plain),
    "to-word": _read_by("to-word", [], "out.docx", lambda paths: words.of_package(paths[0]),
                        lambda paths: words.of_headers(paths[0])),
    "watermark": _rewritten("watermark", ["--text", "DRAFT", "--opacity", "0"], more=("layers",)),
    "page-numbers": _rewritten("page-numbers", ["--skipFirst", "1"], pages=[1], least=2),
    "split": _split,
    "sign": _signed,
    "add-password": _locked,
    "remove-password": _unlocked,
    "to-html": _read_by("to-html", ["--headers", "keep", "--images", "false"], "out.html", lambda paths: words.of_html(paths[0])),
    "to-excel": _workbook,
    "to-jpg": _drawn_by("to-jpg"),
    "pages": _rewritten("pages", ["--operations", '[{"op":"scale","factor":2},{"op":"scale","factor":0.5}]']),
    "redact": _rewritten("redact", ["--regions", "1:0.1,0.1,0.2,0.2", "--ifNone", "ok", "--ocr", "off", "--scope", "document",
                                    "--signatures", "break"], ("signatures",)),
    "flatten": _flat,
    "fill-form": _filled,
    "sanitize": _rewritten("sanitize", [], ("attachments", "scripts", "metadata", "layers", "viewer")),
    "outline": _rewritten("outline", ["--action", "set", "--outline", "[]"], ("outline", "viewer")),
    "metadata": _rewritten("metadata", ["--action", "set", "--title", "Differential"], ("metadata", "signatures")),
    "extract": _read_by("extract", ["--what", "words", "--ocr", "off"], "out.json", _plain_json),
    "to-svg": _read_by("to-svg", ["--text", "text"], None, _of_svg),
    "compare": _identical,
}
OFFICE_TOOLS = {"word-to-pdf": ("doc", "docx", "odt", "rtf"), "excel-to-pdf": ("xls", "xlsx", "ods"),
                "ppt-to-pdf": ("ppt", "pptx", "odp")}
PICTURES = ("jpg", "jpeg", "png", "tif", "tiff", "gif", "bmp")  # those that MuPDF reads too


def prepare(work, extra):
    """What the trials need besides documents: a key, and a document to merge with."""
    os.makedirs(work, exist_ok=True)
    key, p12 = os.path.join(work, "key.pem"), os.path.join(work, "key.p12")
    shutil.copy(extra, os.path.join(work, "extra.pdf"))
    for command in (["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-subj", "/CN=Differential", "-days", "2",
                     "-keyout", key, "-out", key + ".crt"],
                    ["openssl", "pkcs12", "-export", "-inkey", key, "-in", key + ".crt", "-passout", "pass:", "-out", p12]):
        subprocess.run(command, check=True, capture_output=True)


def names_for(path):
    """The tools for a file, by its extension."""
    extension = path.rpartition(".")[2].lower()
    if extension == "pdf":
        return list(PDF_TOOLS)
    if extension in PICTURES:
        return ["jpg-to-pdf"]
    return [tool for tool, extensions in OFFICE_TOOLS.items() if extension in extensions]


def is_office(path):
    return any(name in OFFICE_TOOLS for name in names_for(path))


def attempt(platen, tool, document, work, theirs=None):
    """Runs a tool and its checks: the job (None: there was nothing to do), and the differences. `theirs`: what soffice made of
    an office document, if it made something."""
    if tool in OFFICE_TOOLS:
        job = Job(platen, tool, [document.path], [], os.path.join(work, "out"), "out.pdf")
        return job, checks.office(theirs, job)
    if tool == "jpg-to-pdf":
        job = Job(platen, tool, [document.path], [], os.path.join(work, "out"), "out.pdf")
        return job, checks.pictured(document.path, job) if job.done else []
    job, found = PDF_TOOLS[tool](Trial(platen, document, work))
    if job and not job.done and document.poppler_text is not None and document.mupdf_text is not None and document.facts:
        found = [(f"fails: {job.end}", job.said[-300:])]
    return job, found
