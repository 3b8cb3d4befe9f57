#!/usr/bin/python3
"""Every program of bench/ runs, on small inputs and for seconds, and prints a figure. No figure is compared with anything.

    smoke.py PLATEN ROOT [NAME]...

A file of bench/ is a program of PROGRAMS, a module of Python that one of them imports, or one of PARTS, or the test fails. What
needs packages of npm is run where they are there already; what needs PostgreSQL starts its own server."""

import ast
import contextlib
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import zipfile

PLATEN, ROOT = map(os.path.abspath, sys.argv[1:3])
BUILD = os.path.dirname(PLATEN)
BENCH = os.path.join(ROOT, "bench")
SAMPLES = os.path.join(ROOT, "test", "samples")
PLAIN = os.path.join(SAMPLES, "plain.pdf")
SECONDS = 300  # of one program that hangs; a busy machine takes long
ENV = {**os.environ, "BUILD": BUILD, "PLATEN": PLATEN, "BENCH_SECONDS": "1", "BENCH_ROUNDS": "1", "BENCH_SIZE": "0.001",
       "BENCH_CLIENTS": "1", "BENCH_WAITING": "10", "BENCH_ENDED": "10", "OPTIONS": "rotate",
       "BENCH_CORPUS": os.devnull, "TMPDIR": "/dev/shm" if os.access("/dev/shm", os.W_OK) else tempfile.gettempdir()}


def node(folder, name):
    return "" if os.path.isdir(os.path.join(BUILD, *folder, "node_modules", name)) else f"{name} of npm"


def needs(*programs):
    return ", ".join(name for name in programs if not shutil.which(name))


def python(name, *words):
    return ["/usr/bin/python3", os.path.join(BENCH, name), *words]


def run(part):
    return python("run", part), ""


def own(name, *words, missing=""):
    return [os.path.join(BUILD, "bench", name), *words], missing


def postgres(name, *words, missing=""):
    return [os.path.join(ROOT, "test", "store", "postgres.sh"), *python(name, *words)], missing


# The command, and what it needs that is not there. WORK is a folder with documents (inputs() below).
PROGRAMS = {
    "run latency": run("latency"),
    "run memory": run("memory"),
    "run accepts": run("accepts"),
    "run store": run("store"),
    "run stamps": run("stamps"),
    "run pictures": run("pictures"),
    "run toword": run("toword"),
    "run webhooks": run("webhooks"),
    "run jobs": (python("run", "jobs"), node(["bench", "peer"], "express")),
    "compress.py": (python("compress.py", "--platen", PLATEN, "--quality", "screen", PLAIN), needs("gs", "mutool")),
    "compress_corpus.py": (python("compress_corpus.py", "WORK/corpus"), ""),
    "events.py": (python("events.py", BUILD, "2", "1", "1", "2"), needs("taskset")),
    "fetch.py": (python("fetch.py", "2"), ""),
    "growth.py": (python("growth.py", "--platen", PLATEN, "--most", "10", "--tools", "rotate"), needs("mutool")),
    "growth_pages.py": (python("growth.py", "--platen", PLATEN, "--against", "20", "--rounds", "1", "--tools", "rotate"), needs("mutool")),
    "nodes.py": postgres("nodes.py", "wal"),
    "queues.py": postgres("queues.py", missing=node(["node-queues"], "pg-boss")),
    "stores.py": postgres("stores.py"),
    "tables.py": (python("tables.py", "--documents", "1", "--kind", "grid", "-c", PLATEN + " run to-word {in} -o {out} --force"), ""),
    "text.py": (python("text.py", "WORK", "--programs", "platen"), needs("soffice")),
    "toword.py": (python("toword.py", "--documents", "1"), needs("soffice")),
    "words.py": (python("words.py", PLATEN, SAMPLES, "--files", "2", "--pages", "1"), needs("pdftotext", "pdffonts")),
    "unchanged.py": (python("unchanged.py", BUILD, BUILD, PLAIN), ""),
    "repair/lab.py": (python("repair/lab.py", "--platen", PLATEN, "--files", "1", "--composed", "0", "--kind", "lf_to_crlf"),
                      needs("gs", "mutool", "pdftocairo")),
    "repair/natural.py": (python("repair/natural.py", "--platen", PLATEN, "--half", "all",
                                 os.path.join(SAMPLES, "damaged.pdf")), needs("gs", "mutool", "pdftocairo")),
    "repair/yield.py": (python("repair/yield.py", "--platen", PLATEN, "--trials", "1", "--kind", "raw rows"),
                        needs("gs", "mutool")),
    "redact/lab.py": (python("redact/lab.py", "--platen", PLATEN, "--place", "plain", "--place", "gray picture", "--peer", "platen",
                             "--peer", "MuPDF"), needs("mutool", "qpdf", "pdftotext", "pdfdetach", "pdfimages", "exiftool")),
    "ocr": (python("ocr", "1", "clean-150"), needs("ocrmypdf", "tesseract", "pdftoppm", "mutool")),
    "page.sh": ([os.path.join(BENCH, "page.sh")], node(["node"], "puppeteer-core")),
    "crowd": own("crowd", "4", "2", "2", "1", "1"),
    "encode": own("encode", "WORK/page.ppm"),
    "jpeg_yield": own("jpeg_yield", "1"),
}
# What runs within one of the programs above and is not imported by its name.
PARTS = {
    "claim.c", "cycle.c", "library.c", "listen.c", "load.c", "receive.c", "spawn.c",
    "page.mjs", "peer.mjs", "queues.mjs", "redact/with_pikepdf.py",
}


def inputs(work):
    with open(os.path.join(work, "page.ppm"), "wb") as file:
        file.write(b"P6 64 64 255\n" + bytes(range(64)) * 192)
    parts = {
        "[Content_Types].xml": '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" '
        'ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Override PartName="/word/document.xml" ContentType='
        '"application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/></Types>',
        "_rels/.rels": '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="r" Type='
        '"http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument" Target="word/document.xml"/></Relationships>',
        "word/document.xml": '<w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:body><w:p><w:r><w:t>'
        + "The harbour station sends its result within thirty days. " * 4 + "</w:t></w:r></w:p></w:body></w:document>",
    }
    with zipfile.ZipFile(os.path.join(work, "text.docx"), "w") as package:
        for name, text in parts.items():
            package.writestr(name, text)


def imported(programs):
    """The modules of bench/ that the programs import, and that those import."""
    found, left = set(), sorted(programs)
    while left:
        path = left.pop()
        if not os.path.isfile(os.path.join(BENCH, path)) or os.path.splitext(path)[1] not in (".py", ""):
            continue
        with open(os.path.join(BENCH, path), encoding="utf-8") as file:
            source = file.read()
        if not path.endswith(".py") and "python" not in source.partition("\n")[0]:
            continue
        for part in ast.walk(ast.parse(source)):
            names = [alias.name for alias in part.names] if isinstance(part, ast.Import) else \
                [part.module or ""] if isinstance(part, ast.ImportFrom) else []
            for name in names:
                module = os.path.join(os.path.dirname(path), name + ".py")
                if module not in found and os.path.isfile(os.path.join(BENCH, module)):
                    found.add(module)
                    left.append(module)
    return found


def unlisted():
    """Files of bench/ that no program above runs."""
    programs = {name.split()[0] for name in PROGRAMS}
    found = set()
    for folder, _, names in os.walk(BENCH):
        for name in names:
            stem, ending = os.path.splitext(name)
            if ending in (".py", ".c", ".sh", ".mjs") or not ending and name in ("run", "ocr"):
                path = os.path.relpath(os.path.join(folder, name), BENCH)
                found.add(path if ending != ".c" or path in PARTS else stem)
    return sorted(found - PARTS - programs - imported(programs))


class Tap:
    def __init__(self):
        self.n, self.failed = 0, False

    def ok(self, passed, what, *why):
        self.n += 1
        self.failed = self.failed or not passed
        print(f"{'' if passed else 'not '}ok {self.n} - {what}", *(f"#   {line}" for line in why if not passed), sep="\n", flush=True)

    def skip(self, what, why):
        self.n += 1
        print(f"ok {self.n} - {what} # SKIP {why}", flush=True)


def try_program(tap, name, command, missing, work):
    what = f"{name} runs and prints a figure"
    if missing:
        return tap.skip(what, f"{missing} is not here")
    with tempfile.TemporaryFile("w+") as out, subprocess.Popen(
            [word.replace("WORK", work) for word in command], env=ENV, cwd=work, stdout=out, stderr=subprocess.STDOUT,
            stdin=subprocess.DEVNULL, start_new_session=True) as process:
        try:
            process.wait(SECONDS)
        except subprocess.TimeoutExpired:
            pass
        with contextlib.suppress(ProcessLookupError):  # what it started and left
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        out.seek(0)
        lines = out.read().splitlines()
    if any(line.startswith("1..0 # SKIP") for line in lines):
        return tap.skip(what, lines[-1].partition("SKIP ")[2])
    figure = any(re.search(r"(?<![\w.])\d+(\.\d+)?", line) for line in lines if "load of the machine" not in line) or os.path.isdir(os.path.join(work, "corpus"))
    return tap.ok(process.returncode == 0 and figure, what, f"status {process.returncode}", *lines[-15:])


def main():
    tap, names = Tap(), sys.argv[3:] or PROGRAMS
    rest = unlisted()
    tap.ok(not rest, "each file of bench/ is tried here", *rest)
    with tempfile.TemporaryDirectory(prefix="platen-smoke-") as work:
        inputs(work)
        for name in names:
            try_program(tap, name, *PROGRAMS[name], work)
    print(f"1..{tap.n}")
    sys.exit(tap.failed)


main()
