#!/bin/sh
# cycles.sh [ROOT]: no two files of a folder of src/ need each other, directly or by way of others: by
# the functions and variables that their objects define and use, and by the `static inline` functions
# of headers, which objects do not show. No two headers include each other. Reads the archives of
# ROOT/build and ROOT/src.
set -eu
root=$(readlink -f "${1:-$(dirname "$0")/..}")
cd "$root/build/src" || exit 1

archives=$(find . -name 'lib*.a' | sort)
[ -n "$archives" ] || {
    echo "cycles: no archives in $root/build/src: run ninja first"
    exit 1
}
# shellcheck disable=SC2086 # a list of words
nm -A --extern-only $archives | python3 -c '
import collections
import os
import re
import sys

defined, used = {}, collections.defaultdict(set)
for line in sys.stdin:
    if len(line.split()) < 3:
        continue
    place, name = line.rsplit(None, 1)
    archive, member = place.split(":")[:2]
    kind = place.split()[-1]
    folder = "/".join(archive.split("/")[1:-1])
    # A thin archive names the object by its path: libx.a.p/file.c.o.
    file = re.sub(r"(\.c)?\.o$", "", member.split("/")[-1])
    if kind in "TDBRCVW":
        defined[folder, name] = file
    elif kind == "U":
        used[folder, file].add(name)

edges = collections.defaultdict(set)
for (folder, file), names in used.items():
    for name in names:
        other = defined.get((folder, name))
        if other and other != file:
            edges[folder, file].add((folder, other))

# Headers: what they include, and the inline functions that files of their folder call.
texts, includes = {}, collections.defaultdict(set)
for path, _, names in os.walk("../../src"):
    for name in names:
        if name.endswith((".c", ".h")):
            with open(os.path.join(path, name), encoding="utf-8") as file:
                texts[os.path.relpath(os.path.join(path, name), "../../src")] = file.read()
inline = collections.defaultdict(set)
for path, text in texts.items():
    if not path.endswith(".h"):
        continue
    folder, stem = os.path.dirname(path), os.path.basename(path)[:-2]
    for other in re.findall(r"^\s*#\s*include\s*\"([^\"]+)\"", text, re.M):
        includes["headers", path].add(("headers", other))
    for name in re.findall(r"^static inline [^;{(]*?(\w+)\(", text, re.M):
        inline[folder].add((name, stem))
for path, text in texts.items():
    folder, stem = os.path.dirname(path), os.path.basename(path)[:-2]
    words = set(re.findall(r"\b\w+(?=\()", text)) if inline[folder] else set()
    for name, other in inline[folder]:
        if other != stem and name in words:
            edges[folder, stem].add((folder, other))
edges.update(includes)

index, low, stack, found, count = {}, {}, [], [], 0


def visit(start):
    """Tarjan: strongly connected components."""
    global count
    work = [(start, iter(sorted(edges[start])))]
    index[start] = low[start] = count = count + 1
    stack.append(start)
    while work:
        node, rest = work[-1]
        for other in rest:
            if other not in index:
                index[other] = low[other] = count = count + 1
                stack.append(other)
                work.append((other, iter(sorted(edges[other]))))
                break
            if other in stack:
                low[node] = min(low[node], index[other])
        else:
            work.pop()
            if work:
                low[work[-1][0]] = min(low[work[-1][0]], low[node])
            if low[node] == index[node]:
                group = []
                while not group or group[-1] != node:
                    group.append(stack.pop())
                if len(group) > 1:
                    found.append((node[0], sorted(file for _, file in group)))


for node in sorted(edges):
    if node not in index:
        visit(node)
for folder, files in sorted(found):
    print(f"cycles: {folder}: need each other: " + " ".join(files))
if not found:
    print("cycles: no two files of a folder need each other")
sys.exit(bool(found))
'
