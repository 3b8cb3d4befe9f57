#!/usr/bin/python3
"""lab.py: hides a secret in each of many places of a document, redacts it, and looks for it with everything that reads PDF files.

    lab.py [--platen PLATEN] [--seed N] [--place NAME]... [--group NAME] [--peer NAME]... [--ocr off] [--width N] [--kept FOLDER]

A table has a row for each group of places and a column for each program: in how many places the secret could still be read, of how many,
and in how many the program refused, which leaks nothing. The places that leak are listed. --width measures how often a name is guessed of
200 by the width of the hole and what stands around it, over N documents (0: not). --kept keeps the documents with leaks."""

import argparse
import os
import shutil
import sys
import tempfile

sys.dont_write_bytecode = True
import peers  # noqa: E402
import places  # noqa: E402
import readers  # noqa: E402
import width  # noqa: E402


def try_place(name, seed, peer, work):
    """None: nothing is found; a list of readers; or a text that says why the program refused."""
    data, secret, area = places.build(name, seed)
    source, out = os.path.join(work, "in.pdf"), os.path.join(work, "out.pdf")
    with open(source, "wb") as file:
        file.write(data)
    if os.path.exists(out):
        os.unlink(out)
    refused = peers.PEERS[peer](source, out, secret, area, work)
    if refused:
        return refused
    return readers.leaks(out, secret, places.PLACES[name][1], work) or None


def unhidden(chosen, seed, work):
    """Places whose secret none of the readers finds before anything is done: they would measure nothing."""
    out = []
    for name in chosen:
        data, secret, _ = places.build(name, seed)
        source = os.path.join(work, "in.pdf")
        with open(source, "wb") as file:
            file.write(data)
        if not readers.leaks(source, secret, places.PLACES[name][1], work):
            out.append(name)
    return out


def table(rows):
    wide = [max(len(row[i]) for row in rows) for i in range(len(rows[0]))]
    for row in rows:
        print("  ".join(cell.ljust(wide[i]) if i == 0 else cell.rjust(wide[i]) for i, cell in enumerate(row)).rstrip())


def report(results, chosen, names):
    groups = list(dict.fromkeys(places.PLACES[name][0] for name in chosen))
    rows = [["places", *names]]
    for group in [*groups, "all"]:
        row = [group]
        for peer in names:
            of = [results[peer, name] for name in chosen if group in ("all", places.PLACES[name][0])]
            leaking, refusing = (sum(isinstance(one, kind) for one in of) for kind in (list, str))
            row.append(f"{leaking} of {len(of)}" + (f", {refusing} refused" if refusing else ""))
        rows.append(row)
    table(rows)
    for peer in names:
        for name in chosen:
            if results[peer, name]:
                said = results[peer, name]
                print(f"{peer}: {name}: " + (said if isinstance(said, str) else "found by " + ", ".join(said)))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--platen")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--place", action="append")
    parser.add_argument("--group")
    parser.add_argument("--peer", action="append", choices=list(peers.PEERS))
    parser.add_argument("--ocr", default="auto", choices=["auto", "off"])
    parser.add_argument("--width", type=int, default=0)
    parser.add_argument("--kept")
    options = parser.parse_args()
    peers.PLATEN = os.path.abspath(options.platen or peers.PLATEN)
    peers.OCR = options.ocr
    names = options.peer or list(peers.PEERS)
    chosen = options.place or [name for name, (group, _, _) in places.PLACES.items() if options.group in (None, group)]
    results = {}
    with tempfile.TemporaryDirectory() as work:
        useless = unhidden(chosen, options.seed, work)
        if useless:
            sys.exit("the secret is not found before it is removed: " + ", ".join(useless))
        for name in chosen:
            for peer in names:
                results[peer, name] = try_place(name, options.seed, peer, work)
                if options.kept and isinstance(results[peer, name], list):
                    os.makedirs(options.kept, exist_ok=True)
                    shutil.copy(os.path.join(work, "out.pdf"), os.path.join(options.kept, f"{peer} {name}.pdf".replace(" ", "_")))
        report(results, chosen, names)
        if options.width:
            table([["guessed by its width, of 200 names", "right"], *width.attack(names, options.width, options.seed, work)])


if __name__ == "__main__":
    main()
