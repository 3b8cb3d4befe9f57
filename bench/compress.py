#!/usr/bin/env python3
"""compress beside other programs that make PDFs smaller, on files of your own.

    bench/compress.py [--platen build/platen] FILE.pdf...

For each program: geometric mean and sum of sizes (a result larger than its input counts as the
input, a failure too), results that are larger, files whose text is not found as before, files
whose structure is no longer whole, and processor time. Programs that are not installed are left
out. Looks are not judged here: compare pages, or trust no figure.
"""
import argparse
import math
import os
import resource
import subprocess
import sys
import tempfile

GS = ["gs", "-q", "-dNOPAUSE", "-dBATCH", "-dSAFER", "-sDEVICE=pdfwrite",
      "-dCompatibilityLevel=1.7"]
KEYS = (b"/Outlines", b"/StructTreeRoot", b"/AcroForm", b"/EmbeddedFiles", b"/PageLabels",
        b"/OCProperties", b"/Metadata", b"/Lang", b"/JavaScript")


def programs(platen):
    for quality in "screen", "ebook", "printer":
        yield f"platen {quality}", [platen, "run", "compress", "{in}", "--quality", quality, "-o",
                                    "{out}"]
        yield f"gs /{quality}", GS + [f"-dPDFSETTINGS=/{quality}", "-sOutputFile={out}", "{in}"]
    yield "platen lossless", [platen, "run", "compress", "{in}", "--quality", "lossless", "-o",
                              "{out}"]
    yield "qpdf", ["qpdf", "--object-streams=generate", "--recompress-flate",
                   "--compression-level=9", "--optimize-images", "{in}", "{out}"]
    yield "mutool clean", ["mutool", "clean", "-gggg", "-z", "-i", "-f", "{in}", "{out}"]


def run(words, timeout=300):
    """Status and processor seconds; None if there is no such program."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    try:
        status = subprocess.run(words, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                                stdin=subprocess.DEVNULL, timeout=timeout, check=False).returncode
    except FileNotFoundError:
        return None
    except subprocess.TimeoutExpired:
        status = -1
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return status, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def output(words):
    return subprocess.run(words, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                          check=False).stdout


def text_of(path):
    return output(["pdftotext", "-enc", "UTF-8", path, "-"]).split()


def structure_of(path):
    plain = output(["qpdf", "--qdf", "--object-streams=disable", "--no-original-object-ids", path,
                    "-"])
    return {key for key in KEYS if key in plain}


class Tally:
    def __init__(self):
        self.logs, self.cpu, self.before, self.after = [], 0.0, 0, 0
        self.larger = self.text = self.structure = self.failed = 0

    def add(self, path, out, status, cpu):
        size = os.path.getsize(path)
        made = os.path.getsize(out) if os.path.exists(out) else 0
        self.cpu += cpu
        if status not in (0, 3) or not made:  # qpdf ends with 3 for warnings
            self.failed += 1
            made = size
        else:
            self.larger += made > size
            self.text += text_of(path) != text_of(out)
            self.structure += not structure_of(path) <= structure_of(out)
        made = min(made, size)
        self.logs.append(math.log(made / size))
        self.before += size
        self.after += made

    def row(self, name):
        mean = math.exp(sum(self.logs) / len(self.logs))
        return (f"{name:16} {mean:9.3f} {self.after / self.before:7.3f} {self.failed:6} "
                f"{self.larger:6} {self.text:5} {self.structure:9} {self.cpu:8.1f}")


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--platen", default="build/platen")
    parser.add_argument("files", nargs="+")
    args = parser.parse_args()
    print(f"{'program':16} {'mean':>9} {'sum':>7} {'failed':>6} {'larger':>6} {'text':>5} "
          f"{'structure':>9} {'cpu s':>8}")
    with tempfile.TemporaryDirectory() as folder:
        for name, words in programs(args.platen):
            tally = Tally()
            for path in args.files:
                out = os.path.join(folder, "out.pdf")
                if os.path.exists(out):
                    os.unlink(out)
                done = run([w.replace("{in}", path).replace("{out}", out) for w in words])
                if done is None:
                    break
                tally.add(path, out, *done)
            if tally.logs:
                print(tally.row(name), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
