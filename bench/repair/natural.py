#!/usr/bin/python3
"""Compares repair with qpdf, MuPDF, Ghostscript and poppler on real damaged files, whose undamaged form is
not known.

    bench/repair/natural.py [--platen build/platen] [--seed N] [--half worked|held|all] [--files N]
                            [--each] [--keep FOLDER] FILE...

The reference for a file is the best result of the other programs: the one with most pages that show
something, then most words, then most ink. The reference scores 100 if no program warns about it, and
platen's result is compared with it as score.py does. Files on which platen is more than 5 points below
the reference are listed. A result that lacks words on which two other results agree cannot be the
reference, because the reference may show bytes outside of a stream as text.
Ghostscript and poppler write the pages as their own reader draws them, with its choice of a font in place
of a missing one; another reader may draw the damaged file differently. If the reference is theirs, a
result is therefore also compared after that program has drawn it, and the better score counts, if both
readers show something on each page without this step. A result that exceeds the reference by the measure
that chose it, and has all of its words, loses only the points for warnings. These rules apply to the results of
the other programs too.
Files that no other program can repair are counted by what platen shows of them.
The digest of a file's bytes and the seed say which half it belongs to; the seed chooses N files of a half,
among those for which qpdf --check reports something. Needs numpy."""
import argparse
import collections
import concurrent.futures
import hashlib
import itertools
import os
import random
import statistics
import sys
import tempfile

sys.dont_write_bytecode = True
import lab  # noqa: E402
import score  # noqa: E402

REDRAWS = ("gs", "pdftocairo")  # others of lab.py that write pages as they see them
HALVES = ("worked", "held")
BELOW = 5     # points under the best: listed
MANY = 200    # pages, for pages found again may stand behind those that score.py looks at
NEARLY = .98  # of pages, words or ink is as good as all: the first of such programs is taken


def half_of(path, seed):
    with open(path, "rb") as file:
        return HALVES[hashlib.sha256(str(seed).encode() + file.read()).digest()[0] & 1]


def is_damaged(path):
    code, _, said = score.run(["qpdf", "--check", path], 10)
    return code != 0 and b"invalid password" not in said


def drawn(args):
    """The files, in an order that the seed alone decides."""
    left = sorted(args.files_given, key=lambda path: os.path.basename(path))
    random.Random(args.seed).shuffle(left)
    found = 0
    for path in left:
        if found < args.files and (args.half in ("all", half_of(path, args.seed))) and is_damaged(path):
            found += 1
            yield path


def richness(view):
    shown = [number for number in range(len(view)) if view.shows(number)]
    return (len(shown), sum(page.total() for page in view.words),
            sum(int(view.ink(reader, number).sum()) for number in shown for reader in view.pages))


def is_contradicted(name, views):
    """Whether two of the others agree on words that this one lacks."""
    words = {other: sum(views[other].words, collections.Counter()) for other in lab.OTHERS}
    for one, two in itertools.combinations([other for other in lab.OTHERS if other != name], 2):
        agreed = words[one] & words[two]
        if (agreed - words[name]).total() > (1 - NEARLY) * agreed.total():
            return True
    return False


def shows_as_much(view, best):
    """Whether each reader shows something of every page of which it shows something in the best."""
    return all(view.ink(reader, number).sum() >= score.FEW
               for reader in best.pages for number in range(len(best))
               if best.ink(reader, number).sum() >= score.FEW)


def is_richer(out, best_out):
    """Whether a result has all words of the best and more, on no fewer pages and with no less ink."""
    view, best = score.View(out, MANY), score.View(best_out, MANY)
    (pages, words, ink), (best_pages, best_words, best_ink) = richness(view), richness(best)
    return (pages >= best_pages and words > best_words and ink >= NEARLY * best_ink and
            set().union(*best.words) <= set().union(*view.words))


def run_other(name, path, out, args):
    words = lab.OTHERS.get(name, ["{platen}", "run", "repair", "{in}", "-o", "{out}"])
    lab.cpu_seconds([word.format(**{"in": path, "out": out, "platen": args.platen}) for word in words])


def points_of(best, best_out, name, view, out, args):
    """The score of a result, seen directly or as the program that gave the best one draws it."""
    points = score.score(best, view)
    if name in REDRAWS and shows_as_much(view, best):
        run_other(name, out, out + ".drawn.pdf", args)
        drawn = score.View(out + ".drawn.pdf")
        if os.path.exists(out + ".drawn.pdf"):
            os.unlink(out + ".drawn.pdf")
        drawn.sound = view.sound
        points = max(points, score.score(best, drawn))
    if len(view) and points + BELOW < score.score(best, best) and is_richer(out, best_out):
        points = 100 * view.sound
    return points


def trial(path, args, folder):
    views, outs = {}, {}
    title = hashlib.sha256(path.encode()).hexdigest()[:12]
    for name in ("platen", *lab.OTHERS):
        outs[name] = os.path.join(args.keep or folder, f"{title}.{name}.pdf")
        run_other(name, path, outs[name], args)
        views[name] = score.View(outs[name])
    fit = [name for name in lab.OTHERS if not is_contradicted(name, views)] or [*lab.OTHERS]
    most = [max(values) for values in zip(*(richness(views[name]) for name in fit))]
    best = max(fit, key=lambda name: [have >= NEARLY * all_ for have, all_ in
                                             zip(richness(views[name]), most)])
    if not richness(views[best])[0]:
        best, points = None, {name: len(view) and richness(view)[0] for name, view in views.items()}
    else:
        points = {name: points_of(views[best], outs[best], best, view, outs[name], args)
                  for name, view in views.items()}
    for out in outs.values():
        if not args.keep and os.path.exists(out):
            os.unlink(out)
    return path, best, points, title


def main():
    args = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    args.add_argument("--platen", default="build/platen")
    args.add_argument("--seed", type=int, default=1)
    args.add_argument("--half", choices=(*HALVES, "all"), default="worked")
    args.add_argument("--files", type=int, default=40)
    args.add_argument("--each", action="store_true")
    args.add_argument("--keep")
    args.add_argument("--jobs", type=int, default=1)
    args.add_argument("files_given", nargs="+", metavar="FILE")
    args = args.parse_args()
    if args.keep:
        os.makedirs(args.keep, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="platen-bench-") as folder:
        with concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
            found = []
            for path, best, points, title in pool.map(lambda path: trial(path, args, folder), drawn(args)):
                found.append((best, points))
                below = best and points[best] - points["platen"] > BELOW
                if args.each or below:
                    print(f"{'BELOW ' if below else ''}{title} {os.path.basename(path)} "
                          f"({best or 'pages'}): " + "  ".join(
                              f"{name} {value:.0f}" for name, value in points.items()), flush=True)
    shown = [(best, points) for best, points in found if best]
    print(f"{len(found)} files, {len(shown)} of which another program shows something; of these, means: " +
          ", ".join(f"{name} {statistics.mean(points[name] for _, points in shown):.1f}"
                    for name in ("platen", *lab.OTHERS)) +
          f", the best of the others {statistics.mean(points[best] for best, points in shown):.1f}")
    print(f"more than 5 below the best of the others: "
          f"{sum(points[best] - points['platen'] > BELOW for best, points in shown)}; of the "
          f"{len(found) - len(shown)} others platen shows something of "
          f"{sum(points['platen'] > 0 for best, points in found if not best)}")


if __name__ == "__main__":
    main()
