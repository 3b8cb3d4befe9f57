#!/usr/bin/python3
"""compress beside other programs that make PDF files smaller: sizes, looks, text, structure and processor time.

    bench/compress.py [--platen build/platen] [--quality ebook,screen] [--beside gs,qpdf,mutool] FILE.pdf...
    bench/compress.py --corpus FOLDER ...    # on the corpus that bench/compress_corpus.py writes
    bench/compress.py --check RESULTS.json   # fails where a file became larger or looks worse than in these results

Each result is judged by programs that did not make it. mutool draws up to five pages before and after at 100 dpi: their
structural similarity (SSIM) is measured on the brightness and on each channel of sRGB, of which the least counts as "chroma".
A page of more than four million pixels is drawn with fewer dots, and a program is ended after five minutes of processor time, so that
no file takes the measurement longer than that; a line about each is written to standard error when it is done.
pdftotext reads the text, pikepdf counts what the document holds. A result larger than its input counts as its input, and a
failure too. "keeps" is the mean size over the files in which the program beside it loses nothing; for platen they are those of
Ghostscript. "half" is the share of files that took at most half of Ghostscript's processor time.
"""

import argparse
import collections
import concurrent.futures
import hashlib
import io
import json
import math
import os
import re
import resource
import subprocess
import sys
import tempfile
import time

import numpy
import pikepdf
from PIL import Image
from scipy.ndimage import uniform_filter

HERE = os.path.dirname(os.path.abspath(__file__))
PAGES, DPI, TIMEOUT = 5, 100, 300
# Comparing takes some 50 bytes of memory for each pixel.
PIXELS = 4e6
# Seconds that a program may wait on a busy machine for each that it may work.
PATIENCE = 4
# The same text in a result may be split into words elsewhere, a bit.
SAME_TEXT = 0.98
COUNTED = ("outlines", "links", "annotations", "widgets", "fields", "attachments", "destinations", "tags", "layers", "labels",
           "language", "title", "metadata", "signatures", "scripts", "pdfa")


def program(name, quality, platen):
    """The words of a command, with {in} and {out}."""
    if name == "gs":
        return ["gs", "-q", "-dNOPAUSE", "-dBATCH", "-dSAFER", "-sDEVICE=pdfwrite", "-dCompatibilityLevel=1.7",
                f"-dPDFSETTINGS=/{quality}", "-sOutputFile={out}", "{in}"]
    if name == "qpdf":
        return ["qpdf", "--object-streams=generate", "--recompress-flate", "--compression-level=9", "--optimize-images", "{in}",
                "{out}"]
    if name == "mutool":
        return ["mutool", "clean", "-gggg", "-z", "-i", "-f", "{in}", "{out}"]
    return [platen, "run", "compress", "{in}", "--quality", quality, "-o", "{out}"]


def limit():
    """Bounds the processor time of each process, which does not depend on how busy the machine is."""
    resource.setrlimit(resource.RLIMIT_CPU, (TIMEOUT, TIMEOUT))


def run(words):
    """Status and processor seconds of a command and all its processes."""
    process = subprocess.Popen(words, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, preexec_fn=limit)
    end = time.monotonic() + PATIENCE * TIMEOUT
    while True:
        pid, status, used = os.wait4(process.pid, os.WNOHANG)
        if pid:
            process.returncode = os.waitstatus_to_exitcode(status)
            return process.returncode, used.ru_utime + used.ru_stime
        if time.monotonic() > end:
            process.kill()
        time.sleep(0.005)


def output(words):
    try:
        return subprocess.run(words, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=False, preexec_fn=limit,
                              timeout=PATIENCE * TIMEOUT).stdout
    except subprocess.TimeoutExpired:
        return b""


def text_of(path):
    return output(["pdftotext", "-enc", "UTF-8", path, "-"]).decode("utf-8", "replace").split()


def alike(before, after):
    """The share of words that two texts have in common."""
    a, b = collections.Counter(before), collections.Counter(after)
    return 2 * sum((a & b).values()) / max(1, len(before) + len(after)) if a or b else 1.0


def walk_tree(node, key, depth=0):
    """How many entries a name tree has."""
    if depth > 20 or not isinstance(node, pikepdf.Dictionary):
        return 0
    return len(node.get(key, [])) // 2 + sum(walk_tree(kid, key, depth + 1) for kid in node.get("/Kids", []))


def outline_of(root):
    todo, seen = [root.get("/Outlines", {}).get("/First")], set()
    while todo:
        item = todo.pop()
        while isinstance(item, pikepdf.Dictionary) and item.objgen not in seen:
            seen.add(item.objgen)
            todo.append(item.get("/First"))
            item = item.get("/Next")
    return len(seen)


def fields_of(form):
    todo, seen, n = list(form.get("/Fields", [])), set(), 0
    while todo:
        field = todo.pop()
        if not isinstance(field, pikepdf.Dictionary) or (field.objgen in seen and field.objgen != (0, 0)):
            continue
        seen.add(field.objgen)
        kids = [kid for kid in field.get("/Kids", []) if "/T" in kid]
        todo += kids
        n += not kids
    return n


def count(pdf):
    root, kinds = pdf.Root, collections.Counter()
    for page in pdf.pages:
        for annotation in page.obj.get("/Annots", []):
            if isinstance(annotation, pikepdf.Dictionary):  # a program may have left the number of one that is gone
                kinds[str(annotation.get("/Subtype"))] += 1
    names = root.get("/Names", {})
    info = pdf.trailer.get("/Info", {})
    objects = [o for o in pdf.objects if isinstance(o, pikepdf.Dictionary)]
    metadata = bytes(root.Metadata.read_bytes()) if "/Metadata" in root else b""
    return {
        "outlines": outline_of(root),
        "links": kinds["/Link"],
        "widgets": kinds["/Widget"],
        "annotations": sum(kinds.values()) - kinds["/Link"] - kinds["/Widget"] - kinds["/Popup"],
        "fields": fields_of(root.get("/AcroForm", {})),
        "attachments": walk_tree(names.get("/EmbeddedFiles"), "/Names"),
        "destinations": walk_tree(names.get("/Dests"), "/Names") + len(root.get("/Dests", {})),
        "tags": sum("/S" in o and "/P" in o and "/K" in o and "/Subtype" not in o for o in objects)
        if "/StructTreeRoot" in root else 0,
        "layers": len(root.get("/OCProperties", {}).get("/OCGs", [])),
        "labels": int("/PageLabels" in root),
        "language": int("/Lang" in root),
        "title": sum(1 for key in ("/Title", "/Author", "/Subject", "/Keywords") if str(info.get(key, ""))),
        "metadata": int("/Metadata" in root),
        "signatures": sum("/ByteRange" in o and "/Contents" in o for o in objects),
        "scripts": sum(o.get("/S") == "/JavaScript" for o in objects),
        "pdfa": int(b"pdfaid:part" in metadata),
        "pages": len(pdf.pages),
    }


def structure_of(path):
    """What the document holds, without objects that nothing in it refers to: a reader finds none of them."""
    referred = io.BytesIO()
    try:
        with pikepdf.open(path) as pdf:
            pdf.save(referred, compress_streams=False, stream_decode_level=pikepdf.StreamDecodeLevel.none)
        with pikepdf.open(referred) as pdf:
            return count(pdf)
    except Exception:  # pylint: disable=broad-except  # what is damaged raises anything
        return None


def resolutions(path, n):
    """The pages to compare, each with its resolution in dots per inch."""
    pages = range(1, n + 1) if n <= PAGES else sorted({round(1 + i * (n - 1) / (PAGES - 1)) for i in range(PAGES)})
    found = dict.fromkeys(pages, DPI)
    try:
        with pikepdf.open(path) as pdf:
            for page in pages:
                box = [float(v) for v in pdf.pages[page - 1].mediabox]
                unit = float(pdf.pages[page - 1].obj.get("/UserUnit", 1)) / 72
                area = abs((box[2] - box[0]) * (box[3] - box[1])) * (unit * DPI) ** 2
                if area > PIXELS:
                    found[page] = DPI * math.sqrt(PIXELS / area)
    except Exception:  # pylint: disable=broad-except  # what is damaged raises anything
        pass
    return found


def draw(path, pages):
    """The pages as arrays of bytes, by number; None for one that cannot be drawn. `pages`: their resolutions."""
    drawn = {}
    with tempfile.TemporaryDirectory() as folder:
        for dpi in set(pages.values()):
            output(["mutool", "draw", "-q", "-c", "rgb", "-r", f"{dpi:g}", "-o", folder + "/%d.ppm", path,
                    ",".join(str(page) for page in pages if pages[page] == dpi)])
        for page in pages:
            try:
                with open(f"{folder}/{page}.ppm", "rb") as file:
                    drawn[page] = numpy.asarray(Image.open(io.BytesIO(file.read())).convert("RGB"))
            except OSError:
                drawn[page] = None
    return drawn


def ssim(a, b):
    """Structural similarity (Wang et al., 2004) with windows of 7 by 7: its sum over all windows, and how many there are."""
    unbiased, c1, c2 = 49 / 48, (0.01 * 255) ** 2, (0.03 * 255) ** 2

    def mean(v):
        return uniform_filter(v, 7)[3:-3, 3:-3]

    ma, mb = mean(a), mean(b)
    va, vb, both = (unbiased * v for v in (mean(a * a) - ma * ma, mean(b * b) - mb * mb, mean(a * b) - ma * mb))
    return float((((2 * ma * mb + c1) * (2 * both + c2)) / ((ma * ma + mb * mb + c1) * (va + vb + c2))).sum())


def page_looks(a, b):
    """The SSIM of a page's brightness, and of its channel where it is least."""
    rows, columns = (numpy.flatnonzero((a != b).any(axis=axes)) for axes in ((1, 2), (0, 2)))
    if min(a.shape[:2]) < 7 or not len(rows):
        same = 1 - float(abs(a.astype(float) - b).mean()) / 255
        return same, same
    # Windows in which nothing differs are alike: only the rest is looked at.
    n = (a.shape[0] - 6) * (a.shape[1] - 6)
    top, left = max(0, rows[0] - 6), max(0, columns[0] - 6)
    a, b = (p[top:rows[-1] + 7, left:columns[-1] + 7].astype(numpy.float32) for p in (a, b))
    if min(a.shape[:2]) < 7:
        return 1.0, 1.0
    windows = (a.shape[0] - 6) * (a.shape[1] - 6)
    weights = numpy.array([0.299, 0.587, 0.114], numpy.float32)
    bright = 1 - (windows - ssim(a @ weights, b @ weights)) / n
    if all((p[..., 0] == p[..., i]).all() for p in (a, b) for i in (1, 2)):
        return bright, bright
    return bright, min(1 - (windows - ssim(a[..., i], b[..., i])) / n for i in range(3))


def looks(before, after):
    """Pairs of SSIM, one a page: of the brightness, and of the channel where it is least."""
    pairs = []
    for page, a in before.items():
        b = after.get(page)
        if a is None:
            continue
        if b is None or max(abs(a.shape[i] - b.shape[i]) for i in (0, 1)) > 2:
            pairs.append((0.0, 0.0))
            continue
        height, width = min(a.shape[0], b.shape[0]), min(a.shape[1], b.shape[1])
        pairs.append(page_looks(a[:height, :width], b[:height, :width]))
    return pairs


def digest(path):
    with open(path, "rb") as file:
        return hashlib.sha256(file.read()).hexdigest()[:24]


class Original:
    """A file before anything is done with it."""

    def __init__(self, path):
        self.path, self.size = path, os.path.getsize(path)
        self.structure = structure_of(path)
        self.text = text_of(path)
        self.pages = resolutions(path, (self.structure or {"pages": 1})["pages"])
        self.drawn = draw(path, self.pages)

    def judge(self, out, status, cpu):
        """What became of it, as a dictionary."""
        size = os.path.getsize(out) if os.path.exists(out) else 0
        result = {"file": os.path.basename(self.path), "before": self.size, "after": size, "cpu": cpu}
        if status not in (0, 3) or not size:  # qpdf ends with 3 for warnings
            return result | {"failed": f"status {status}"}
        after = structure_of(out)
        if self.structure and not after:
            return result | {"failed": "not readable"}
        result["lost"] = [key for key in COUNTED if self.structure and after[key] < self.structure[key] * (0.9 if key == "tags" else 1)]
        if self.structure and after["pages"] != self.structure["pages"]:
            result["lost"].append("pages")
        result["text"] = alike(self.text, text_of(out))
        pairs = looks(self.drawn, draw(out, self.pages))
        if pairs:
            result["ssim"] = sum(p[0] for p in pairs) / len(pairs)
            result["worst"] = min(p[0] for p in pairs)
            result["chroma"] = sum(p[1] for p in pairs) / len(pairs)
            result["worst_chroma"] = min(p[1] for p in pairs)
        return result


def ratio(result):
    return 1.0 if result.get("failed") else min(1.0, result["after"] / result["before"])


def keeps_all(result):
    return not result.get("failed") and not result["lost"] and result["text"] >= SAME_TEXT


def mean_size(results):
    return math.exp(sum(math.log(ratio(r)) for r in results) / len(results)) if results else float("nan")


def row(name, results, beside):
    """A line of the table. `beside`: the results of Ghostscript, in the same order."""
    good = [r for r in results if "ssim" in r]
    kept = [r for r, b in zip(results, beside) if keeps_all(b)] if beside else []
    half = [r["cpu"] <= 0.5 * b["cpu"] for r, b in zip(results, beside)] if beside else []
    cells = [
        f"{mean_size(results):.3f}", f"{mean_size(kept):.3f}",
        f"{sum(r['before'] * ratio(r) for r in results) / sum(r['before'] for r in results):.3f}",
        f"{sum(r['ssim'] for r in good) / max(1, len(good)):.4f}", f"{min([r['worst'] for r in good] or [1]):.3f}",
        f"{sum(r['chroma'] for r in good) / max(1, len(good)):.4f}", f"{min([r['worst_chroma'] for r in good] or [1]):.3f}",
        str(sum(r["after"] > r["before"] for r in results)), str(sum(bool(r.get("lost")) for r in results)),
        str(sum(r.get("text", 1) < SAME_TEXT for r in results)), str(sum(bool(r.get("failed")) for r in results)),
        f"{sum(r['cpu'] for r in results):.1f}", f"{sum(half) / len(half):.2f}" if half else "-",
    ]
    return f"{name:18}" + "".join(f"{cell:>9}" for cell in cells)


HEADS = ["size", "keeps", "sum", "ssim", "worst", "chroma", "worst", "larger", "lossy", "text", "failed", "cpu s", "half"]


def remembered(cache, words, path):
    """Where the judgement of another program's result is kept: it does not change from run to run."""
    if not cache:
        return None
    return os.path.join(cache, hashlib.sha256((" ".join(words) + digest(path)).encode()).hexdigest()[:24] + ".json")


def judge_file(path, commands, cache):
    """The judgements of one file, by name of the command."""
    original, results, begun = None, {}, time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        for name, words in commands.items():
            known = remembered(None if name.startswith("platen") else cache, words, path)
            if known and os.path.exists(known):
                with open(known, encoding="utf-8") as file:
                    results[name] = json.load(file)
                continue
            out = os.path.join(folder, "out.pdf")
            if os.path.exists(out):
                os.unlink(out)
            original = original or Original(path)
            status, cpu = run([{"{in}": path, "{out}": out}.get(w, w.replace("{out}", out)) for w in words])
            results[name] = original.judge(out, status, cpu)
            if known:
                with open(known, "w", encoding="utf-8") as file:
                    json.dump(results[name], file)
    print(f"{os.path.basename(path)}: {time.monotonic() - begun:.1f} s", file=sys.stderr)
    return results


def check(results, path):
    """Complaints about files that do worse than in kept results: 3 % larger, or less alike by .005."""
    with open(path, encoding="utf-8") as file:
        kept = json.load(file)
    for name, before in kept.items():
        for old in before:
            new = next((r for r in results.get(name, []) if r["file"] == old["file"]), None)
            if not new:
                continue
            if ratio(new) > 1.03 * ratio(old):
                yield f"{name}: {new['file']} takes {ratio(new):.3f} of its size, and took {ratio(old):.3f}"
            if new.get("worst", 0) < old.get("worst", 0) - 0.005:
                yield f"{name}: {new['file']} looks {new.get('worst', 0):.4f} alike, and looked {old['worst']:.4f}"
            if keeps_all(old) and not keeps_all(new):
                yield f"{name}: {new['file']} keeps not all any more"


def arguments():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--platen", default=os.path.join(HERE, "..", "build", "platen"))
    parser.add_argument("--quality", default="screen,ebook")
    parser.add_argument("--beside", default="gs")
    parser.add_argument("--corpus", help="a folder whose PDF files are judged")
    parser.add_argument("--cache", help="a folder that remembers what was judged of the other programs")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--out", help="a file for all results, as JSON")
    parser.add_argument("--check", help="a file that --out wrote before")
    parser.add_argument("--files", action="store_true", help="a line for each file, too")
    parser.add_argument("files_", nargs="*", metavar="FILE")
    return parser.parse_args()


def show_files(results, name, beside):
    for r, b in sorted(zip(results[name], results[beside]), key=lambda p: ratio(p[0]) / ratio(p[1])):
        print(f"{r['file'][:32]:32} {r['before']:9} {ratio(r):.3f} {ratio(b):.3f} {ratio(r) / ratio(b):6.2f} "
              f"{r.get('worst', 0):.4f} {r.get('worst_chroma', 0):.4f} cpu {r['cpu']:6.2f} {b['cpu']:6.2f} "
              f"{'lossy' if not keeps_all(b) else ''} {' '.join(r.get('lost', []))} {r.get('failed', '')}")


def main():
    args = arguments()
    files = list(args.files_)
    if args.corpus:
        files += sorted(os.path.join(args.corpus, f) for f in os.listdir(args.corpus) if f.endswith(".pdf"))
    beside = [b for b in args.beside.split(",") if b]
    if args.cache:
        os.makedirs(args.cache, exist_ok=True)
    every, results = {}, {}
    for quality in args.quality.split(","):
        every[f"platen {quality}"] = program("platen", quality, args.platen)
        for name in beside:
            every[f"{name} {quality}" if name == "gs" else name] = program(name, quality, args.platen)
    with concurrent.futures.ProcessPoolExecutor(args.jobs) as pool:
        judged = list(pool.map(judge_file, files, [every] * len(files), [args.cache] * len(files)))
    print(" " * 18 + "".join(f"{head:>9}" for head in HEADS))
    for name in every:
        results[name] = [j[name] for j in judged]
    for name in every:
        quality = re.sub("^[a-z]+ ?", "", name) or "ebook"
        print(row(name, results[name], results.get(f"gs {quality}", [])))
    if args.files:
        for name in every:
            other = name.replace("platen", "gs")
            if other != name and other in results:
                print(f"\n{name} beside {other}: size before, of it, quotient, worst page, its chroma, cpu s")
                show_files(results, name, other)
    if args.out:
        with open(args.out, "w", encoding="utf-8") as file:
            json.dump(results, file, indent=1)
    complaints = list(check(results, args.check)) if args.check else []
    for complaint in complaints:
        print(complaint)
    return 1 if complaints else 0


if __name__ == "__main__":
    sys.exit(main())
