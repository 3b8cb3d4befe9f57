#!/usr/bin/env python3
"""pages: whether html-to-pdf prints pages as the same Chromium does when puppeteer-core drives it: pixel by pixel.

pages.py PLATEN [FOLDER...]

Prints the pages of made.py, and each HTML file of the folders with the files around it. For a page of which something is missing
the result is compared with onMissing=report. PUPPETEER_FROM names a file in a folder with puppeteer-core. WORD=x: only pages whose names
have x. EVERY=n: of the folders only each n-th page. KEEP=folder keeps the PDFs.
"""
import hashlib
import json
import os
import subprocess
import sys
import tempfile

import made
import tool

NEAR = 400  # files around a page that go with it


def found(folder):
    """The pages of a folder: the files next to each, and below, go with it."""
    for top, _, names in sorted(os.walk(folder)):
        for name in sorted(names):
            if not name.endswith((".html", ".xhtml")):
                continue
            files = {}
            for root, _, others in os.walk(top):
                for other in others:
                    path = os.path.join(root, other)
                    inner = os.path.relpath(path, top)
                    if len(files) < NEAR and (not other.endswith((".html", ".xhtml")) or other == name) and os.path.getsize(path) < 5_000_000:
                        with open(path, "rb") as file:
                            files["index" + os.path.splitext(name)[1] if inner == name else inner] = file.read()
            yield os.path.relpath(os.path.join(top, name), folder), files, True


def drawn(path):
    """The digest of each page of a PDF."""
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run(["pdftoppm", "-r", "72", "-l", "60", path, os.path.join(folder, "p")], check=True, capture_output=True)
        return [hashlib.sha256(open(os.path.join(folder, name), "rb").read()).hexdigest() for name in sorted(os.listdir(folder))]


class Peer:
    """The other program, one browser for all pages."""

    def __init__(self):
        script = os.path.join(os.path.dirname(os.path.abspath(__file__)), "peer.mjs")
        self.process = subprocess.Popen(["node", script], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def print(self, folder, page, out, scripts, css):
        """Prints a page; returns what went wrong, or nothing."""
        self.process.stdin.write(json.dumps({"folder": folder, "page": page, "out": out, "javascript": scripts, "css": css}) + "\n")
        self.process.stdin.flush()
        return json.loads(self.process.stdout.readline()).get("error")


def compare(platen, peer, files, scripts, folder):
    """Whether both print the same; and what differs."""
    page = next(name for name in files if name.startswith("index."))
    site = os.path.join(folder, "site")
    for name, data in files.items():
        path = os.path.join(site, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "wb") as file:
            file.write(data if isinstance(data, bytes) else data.encode())
    theirs = os.path.join(folder, "theirs.pdf")
    wrong = peer.print(site, page, theirs, scripts, True)
    ours = tool.run(platen, "html-to-pdf", files, {"javascript": str(scripts).lower(), "onMissing": "report", "preferCssPageSize": "true"}, timeout=300, folder=folder)
    if wrong or ours.code:
        return bool(wrong and ours.code), f"the peer: {wrong}; platen: {ours.text.strip()[:300]}"
    mine, other = drawn(ours.path), drawn(theirs)
    if mine == other:
        return True, ""
    if len(mine) != len(other):
        return False, f"{len(mine)} pages and not {len(other)}"
    return False, "different: pages " + ", ".join(str(i + 1) for i, pair in enumerate(zip(mine, other)) if pair[0] != pair[1])


def judge(platen, folders):
    """Compares all pages."""
    peer = Peer()
    keep = os.environ.get("KEEP")
    every = int(os.environ.get("EVERY", "1"))
    for source in [made.pages(), *map(found, folders)]:
        for number, (name, files, scripts) in enumerate(source):
            if os.environ.get("WORD", "") not in name or (number % every and scripts and folders):
                continue
            with tempfile.TemporaryDirectory() as folder:
                if keep:
                    folder = os.path.join(keep, name.replace("/", "_").replace(" ", "_"))
                    os.makedirs(folder, exist_ok=True)
                good, seen = compare(platen, peer, files, scripts, folder)
            yield name, good, seen
    peer.process.stdin.close()
    peer.process.wait()


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    sys.exit(tool.main_of(judge(sys.argv[1], sys.argv[2:])))
