#!/usr/bin/python3
"""The differential run over three small files: it finds nothing in right results, and each of the faults that a program in
between plants in them.

    planted.py PLATEN SAMPLES"""

import json
import os
import shutil
import subprocess
import sys
import tempfile

PLATEN, SAMPLES = map(os.path.abspath, sys.argv[1:3])
HERE = os.path.dirname(os.path.abspath(__file__))
TOOLS = "rotate,split,to-text,to-png"

# In place of platen: it runs the real one, then takes something out of some results.
BETWEEN = f"""#!/usr/bin/python3
import glob, os, subprocess, sys
import pikepdf
status = subprocess.run([{PLATEN!r}, *sys.argv[1:]]).returncode
tool, path, out = sys.argv[2], sys.argv[3], sys.argv[-1]
if tool == "rotate" and "features" in path:
    with pikepdf.open(out, allow_overwriting_input=True) as pdf:
        del pdf.Root.Outlines
        pdf.pages[0].Contents = pdf.make_stream(b"")
        pdf.save(out)
if tool == "split" and "plain" in path:
    os.unlink(sorted(glob.glob(out + "*"))[-1])
if tool == "to-text" and "features" in path:
    with open(out, "w") as file:
        file.write("Zulu1")
if tool == "to-png" and "features" in path:
    os.unlink(sorted(glob.glob(out + "*"))[0])
sys.exit(status)
"""
PLANTED = {("rotate", "outline lost", "features.pdf"), ("rotate", "look changed", "features.pdf"),
           ("split", "pages lost", "plain.pdf"), ("to-text", "words lost (most)", "features.pdf"),
           ("to-png", "pages lost", "features.pdf")}


class Tap:
    def __init__(self):
        self.n, self.failed = 0, False

    def ok(self, passed, what, got):
        self.n += 1
        self.failed = self.failed or not passed
        print(f"{'' if passed else 'not '}ok {self.n} - {what}" + f"\n#   got: {got}" * (not passed), flush=True)


def compare(platen, folder, out, *more, tools=TOOLS):
    """A run: its status, the classes with their smallest files, how many jobs it has records of."""
    ended = subprocess.run([os.path.join(HERE, "run.py"), folder, "--out", out, "--platen", platen, "--tools", tools, "--nice",
                            "0", *more], capture_output=True, text=True, check=False)
    with open(os.path.join(out, "report.json"), encoding="utf-8") as file:
        found = {(group["tool"], group["what"], os.path.basename(group["files"][0]["path"]))
                 for group in json.load(file)["classes"]}
    with open(os.path.join(out, "records.jsonl"), encoding="utf-8") as file:
        return ended.returncode, found, len(file.readlines()), ended.stdout + ended.stderr


def offices(tap, work):
    """Two documents of the same name, and one that soffice refuses, which it is given together."""
    if not shutil.which("soffice"):
        return
    folder, out = os.path.join(work, "offices"), os.path.join(work, "office")
    for name, text in (("a", "One"), ("b", "Two"), ("c", "")):
        os.makedirs(os.path.join(folder, name))
        with open(os.path.join(folder, name, "same.rtf" if text else "bad.docx"), "w", encoding="ascii") as file:
            file.write(f"{{\\rtf1 {text} of two documents}}" if text else "PK\3\4 and no package")
    status, found, jobs, said = compare(PLATEN, folder, out, tools="word-to-pdf")
    kept = os.path.join(out, "soffice")
    sizes = sorted(min(os.path.getsize(os.path.join(kept, name)), 1) for name in os.listdir(kept))
    tap.ok((status, found, jobs, sizes) == (0, set(), 3, [0, 1, 1]), "office documents are compared with soffice's own results",
           (status, found, jobs, sizes, said))


def main():
    tap = Tap()
    with tempfile.TemporaryDirectory() as work:
        folder, between = os.path.join(work, "files"), os.path.join(work, "between")
        os.mkdir(folder)
        for name in ("plain", "features", "damaged"):
            shutil.copy(os.path.join(SAMPLES, name + ".pdf"), folder)
        shutil.copy(os.path.join(folder, "plain.pdf"), os.path.join(folder, "plain2.pdf"))
        with open(between, "w", encoding="utf-8") as file:
            file.write(BETWEEN)
        os.chmod(between, 0o755)

        status, found, jobs, said = compare(PLATEN, folder, os.path.join(work, "right"))
        tap.ok((status, found) == (0, set()), "right results have no differences", (status, found, said))
        tap.ok(jobs == 12, "each content is tried once with each tool", jobs)

        out = os.path.join(work, "planted")
        status, found, jobs, said = compare(between, folder, out)
        tap.ok(status == 1 and PLANTED <= found, "each planted difference is found, with its smallest file", (PLANTED - found, said))
        with open(os.path.join(out, "records.jsonl"), "r+", encoding="utf-8") as file:
            lines = file.readlines()
            file.seek(0)
            file.writelines(lines[:-2])
            file.truncate()
        _, again, jobs, said = compare(between, folder, out)
        tap.ok((again, jobs) == (found, len(lines)), "a run that was ended goes on with what is missing", (again, jobs, said))

        *_, jobs, said = compare(PLATEN, folder, os.path.join(work, "sample"), "--files", "2", "--rotate", "1", "--seed", "1")
        tap.ok(jobs == 4, "of a sample each file is tried with the first tool and as many others as asked for", (jobs, said))
        left_out = [word for name in ("right", "sample") for word in ("--without", os.path.join(work, name))]
        *_, jobs, said = compare(PLATEN, folder, os.path.join(work, "rest"), *left_out)
        tap.ok(jobs == 0, "files that other runs have tried are left out", (jobs, said))
        *_, jobs, said = compare(PLATEN, folder, os.path.join(work, "short"), "--bytes", "10")
        tap.ok(jobs == 0, "and those that are too long", (jobs, said))
        offices(tap, work)
    print(f"1..{tap.n}")
    sys.exit(tap.failed)


main()
