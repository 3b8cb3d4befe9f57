#!/usr/bin/python3
"""Compares repair with qpdf, MuPDF, Ghostscript and poppler on documents with artificial damage.

    bench/repair/lab.py [--platen build/platen] [--seed N] [--half seen|unseen|all] [--files N]
                        [--composed N] [--kind NAME]... [--cache FOLDER] [--keep FOLDER] [--each]

Documents of our own (documents.py) are damaged in 60 ways (kinds.py), each kind on N documents drawn by
the seed, and by two or three kinds at once. Every program repairs them; score.py scores the results.
The kinds in unseen.txt were not examined one by one while repair was developed; combined damage uses
kinds of one half. The last column has for each file the best result of the other programs, a choice that
is possible only with the undamaged document. CPU is the time that repair takes, as a multiple of the time
of qpdf and MuPDF together: for the whole command, and without the start of its programs, which a
server does once. --cache keeps the other programs' scores by the digest of their input.
Needs numpy.
"""
import argparse
import concurrent.futures
import hashlib
import os
import pickle
import random
import statistics
import sys
import tempfile

sys.dont_write_bytecode = True
import documents  # noqa: E402
import kinds  # noqa: E402
import score  # noqa: E402

HERE = os.path.dirname(os.path.abspath(__file__))
OTHERS = {
    "qpdf": ["qpdf", "{in}", "{out}"],
    "mutool": ["mutool", "clean", "{in}", "{out}"],
    "gs": ["gs", "-q", "-dNOPAUSE", "-dBATCH", "-dSAFER", "-sDEVICE=pdfwrite", "-o", "{out}", "{in}"],
    "pdftocairo": ["pdftocairo", "-pdf", "{in}", "{out}"],
}


def unseen():
    with open(os.path.join(HERE, "unseen.txt"), encoding="utf-8") as file:
        return set(file.read().split())


def trials(paths, args):
    """Pairs of a document and kinds."""
    hidden = unseen()
    halves = {"seen": [name for name in kinds.NAMES if name not in hidden],
              "unseen": [name for name in kinds.NAMES if name in hidden]}
    for half, names in halves.items():
        if args.half not in (half, "all"):
            continue
        for name in names:
            if args.kind and name not in args.kind:
                continue
            order = random.Random(f"{args.seed} {name}").sample(paths, len(paths))
            found = 0
            for path in order:
                if found < args.files and damaged(path, [name], args.seed) is not None:
                    found += 1
                    yield half, path, [name]
        chance = random.Random(f"{args.seed} {half}")
        found = 0
        while found < args.composed and not args.kind:
            path, some = chance.choice(paths), chance.sample(names, chance.choice((2, 2, 3)))
            if damaged(path, some, args.seed) is not None:
                found += 1
                yield half, path, some


def damaged(path, names, seed):
    with open(path, "rb") as file:
        data = file.read()
    return kinds.damage(names, data, random.Random(f"{seed} {os.path.basename(path)} {names}"))


def cpu_seconds(words, limit=60):
    """Runs a program, its own output dropped, for at most `limit` seconds of CPU time each process."""
    null = os.open(os.devnull, os.O_RDWR)
    pid = os.posix_spawnp("sh", ["sh", "-c", f"ulimit -t {limit}; exec \"$@\"", "sh", *words], os.environ,
                          file_actions=[(os.POSIX_SPAWN_DUP2, null, fd) for fd in (0, 1, 2)])
    os.close(null)
    used = os.wait4(pid, 0)[2]
    return used.ru_utime + used.ru_stime


class Judge:
    def __init__(self, args, folder):
        self.args, self.folder, self.before = args, folder, {}
        missing = [args.platen, "run", "repair", os.path.join(folder, "missing"), "-o", "-"]
        self.start = min(cpu_seconds(missing) for _ in range(5))

    def others(self, data, path, before):
        """What the other programs get, from the cache if there is one."""
        key = hashlib.sha256(data + before).hexdigest()
        cached = os.path.join(self.args.cache, key) if self.args.cache else None
        if cached and os.path.exists(cached):
            with open(cached, "rb") as file:
                return pickle.load(file)
        found = {name: self.one(path, name, words) for name, words in OTHERS.items()}
        if cached:
            with open(cached, "wb") as file:
                pickle.dump(found, file)
        return found

    def one(self, path, name, words):
        out = f"{path}.{name}.pdf"
        took = cpu_seconds([word.format(**{"in": path, "out": out, "platen": self.args.platen})
                            for word in words])
        points = score.score(self.before[self.of[path]], score.View(out))
        if not self.args.keep and os.path.exists(out):
            os.unlink(out)
        return points, took

    def trial(self, number, half, source, names):
        data = damaged(source, names, self.args.seed)
        title = f"{os.path.basename(source)[:-4]}-{'+'.join(names)}"
        path = os.path.join(self.args.keep or self.folder, f"{title}.pdf")
        with open(path, "wb") as file:
            file.write(data)
        self.of[path] = source
        with open(source, "rb") as file:
            before = hashlib.sha256(file.read()).digest()
        found = dict(self.others(data, path, before)) if not self.args.alone else {}
        own = self.one(path, "platen", ["{platen}", "run", "repair", "{in}", "-o", "{out}"])
        return {"half": half, "title": title, "kind": names[0] if len(names) == 1 else "composed",
                "score": {"platen": own[0], **{name: pair[0] for name, pair in found.items()}},
                "time": {"platen": own[1], "start": self.start, **{name: pair[1] for name, pair in found.items()}}}


def cost(of):
    """What repair takes of CPU time, as a multiple of what qpdf and MuPDF take together: as a
    command, and without the start of the programs, which a server does once."""
    own, start, both = (sum(trial["time"].get(name, 0) for trial in of for name in names)
                        for names in (("platen",), ("start",), ("qpdf", "mutool")))
    return f"{own / both:.1f}, {(own - start) / both:.1f}" if both else "-"


def table(found, names):
    def row(title, of):
        means = [statistics.mean(trial["score"][name] for trial in of) for name in names]
        union = statistics.mean(max([trial["score"][name] for name in names[1:]] or [0]) for trial in of)
        print(f"| {title} | {len(of)} | " + " | ".join(f"{mean:.0f}" for mean in means) +
              f" | {union:.0f} | {cost(of)} |", flush=True)

    print(f"| | files | {' | '.join(names)} | best of the others | CPU |")
    print("|---|--:|" + "--:|" * (len(names) + 2))
    for value in dict.fromkeys(trial["kind"] for trial in found):
        row(value, [trial for trial in found if trial["kind"] == value])
    for half in dict.fromkeys(trial["half"] for trial in found):
        row(f"**{half}, one kind**", [t for t in found if t["half"] == half and t["kind"] != "composed"]
            or [t for t in found if t["half"] == half])
        of = [trial for trial in found if trial["half"] == half]
        means = [statistics.mean(trial["score"][name] for trial in of) for name in names]
        union = statistics.mean(max([t["score"][name] for name in names[1:]] or [0]) for t in of)
        print(f"| **{half}** | {len(of)} | " + " | ".join(f"**{mean:.1f}**" for mean in means) +
              f" | **{union:.1f}** | {cost(of)} |")
        print(f"CPU seconds: " + ", ".join(
            f"{name} {sum(trial['time'][name] for trial in of):.1f}" for name in names))


def main():
    args = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    args.add_argument("--platen", default="build/platen")
    args.add_argument("--seed", type=int, default=1)
    args.add_argument("--half", choices=("seen", "unseen", "all"), default="seen")
    args.add_argument("--files", type=int, default=4)
    args.add_argument("--composed", type=int, default=40)
    args.add_argument("--kind", action="append")
    args.add_argument("--cache")
    args.add_argument("--keep")
    args.add_argument("--each", action="store_true")
    args.add_argument("--total", action="store_true", help="no word about single kinds")
    args.add_argument("--alone", action="store_true", help="without the other programs")
    args.add_argument("--jobs", type=int, default=os.cpu_count())
    args = args.parse_args()
    for folder in (args.cache, args.keep):
        if folder:
            os.makedirs(folder, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="platen-bench-") as folder:
        judge = Judge(args, folder)
        judge.of = {}
        originals = os.path.join(folder, "originals")
        os.mkdir(originals)
        paths = documents.write(originals)
        judge.before = {path: score.View(path) for path in paths}
        todo = list(trials(paths, args))
        with concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
            found = list(pool.map(lambda job: judge.trial(job[0], *job[1]), enumerate(todo)))
    names = ["platen", *([] if args.alone else OTHERS)]
    if args.each:
        for trial in found:
            print(f"{trial['title']:50} " + "  ".join(
                f"{name} {points:.0f}" for name, points in trial["score"].items()))
    if args.total:
        for trial in found:
            trial["kind"] = "composed" if trial["kind"] == "composed" else "single"
    table(found, names)


if __name__ == "__main__":
    main()
