#!/usr/bin/python3
"""The text of a PDF beside pdftotext and mutool: Word documents whose text is known become PDFs by LibreOffice, and each program
gives their text back. Two measures, each 0 to 1, averaged over documents:
words: the words of the original and of the result as sequences, twice those in common (difflib) over those of both;
paragraphs: the share of the original's paragraphs of six words or more that are a whole line of the result.

text.py FOLDER [--programs NAME...]      FOLDER has .docx files"""

import argparse
import difflib
import os
import pathlib
import re
import resource
import subprocess
import tempfile
import xml.etree.ElementTree as tree
import zipfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
W = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
PROGRAMS = {
    "platen": [ROOT / "build/platen", "run", "to-text", "--force", "{in}", "-o", "{out}"],
    "pdftotext": ["pdftotext", "{in}", "{out}"],
    "mutool": ["mutool", "draw", "-F", "txt", "-o", "{out}", "{in}"],
}
LEAST_WORDS = 6
# Raised characters, as to-text writes them, count as what they raise.
RAISED = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹ᵃᵇᶜᵈᵉᶠᵍʰⁱʲᵏˡᵐⁿᵒᵖʳˢᵗᵘᵛʷˣʸᶻ", "0123456789abcdefghijklmnoprstuvwxyz")


def paragraphs(path):
    """The paragraphs of a document's body, those of its tables too, as they are printed."""
    body = tree.fromstring(zipfile.ZipFile(path).read("word/document.xml"))
    for p in body.iter(W + "p"):
        parts = []
        for e in p.iter():
            if e.tag == W + "t":
                parts.append(e.text or "")
            elif e.tag in (W + "tab", W + "br"):
                parts.append(" ")
        text = " ".join("".join(parts).split())
        if text:
            yield text


def words(text):
    return re.findall(r"\w+", text.translate(RAISED))


def score(original, text):
    have, want = words(text), words(" ".join(original))
    matcher = difflib.SequenceMatcher(None, want, have, autojunk=False)
    common = sum(block.size for block in matcher.get_matching_blocks())
    lines = {" ".join(words(line)) for line in text.splitlines()}
    long = [" ".join(words(p)) for p in original if len(words(p)) >= LEAST_WORDS]
    return (2 * common / max(1, len(have) + len(want)),
            sum(p in lines for p in long) / len(long) if long else None)


def cpu():
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--programs", nargs="*", default=list(PROGRAMS))
    options = parser.parse_args()
    rows = {name: [] for name in options.programs}
    seconds = dict.fromkeys(options.programs, 0.0)
    with tempfile.TemporaryDirectory() as work:
        for path in sorted(options.folder.glob("*.docx")):
            try:
                original = list(paragraphs(path))
            except (zipfile.BadZipFile, KeyError, tree.ParseError):
                continue
            if not 20 <= len(words(" ".join(original))) <= 8000:
                continue
            subprocess.run(["soffice", f"-env:UserInstallation=file://{work}/profile", "--headless", "--convert-to", "pdf",
                            "--outdir", work, path], capture_output=True, timeout=120, check=False)
            pdf = pathlib.Path(work) / (path.stem + ".pdf")
            if not pdf.exists():
                continue
            for name in options.programs:
                out, before = pathlib.Path(work) / "out.txt", cpu()
                out.unlink(missing_ok=True)
                command = [str(part).replace("{in}", str(pdf)).replace("{out}", str(out)) for part in PROGRAMS[name]]
                subprocess.run(command, capture_output=True, timeout=120, check=False)
                seconds[name] += cpu() - before
                rows[name].append(score(original, out.read_text(errors="replace") if out.exists() else ""))
    for name, found in rows.items():
        long = [p for _, p in found if p is not None]
        print(f"{name:10} {len(found):3} documents   words {sum(w for w, _ in found) / max(1, len(found)):.3f}   "
              f"paragraphs {sum(long) / max(1, len(long)):.3f}   CPU {seconds[name]:.2f} s")


if __name__ == "__main__":
    os.environ["LC_ALL"] = "C.UTF-8"
    main()
