#!/bin/sh
# layers.sh [ROOT]: the wings of src/ and the folders in them include each other, and the headers of
# libraries, exactly as layers.txt says. ARCHITECTURE.md has a line for each folder, and names no path that is not there.
set -eu
root=$(readlink -f "${1:-$(dirname "$0")/..}")
cd "$root"

find src -name '*.[ch]' -exec grep -HE '^[[:space:]]*#[[:space:]]*include' {} + | awk '
    function fault(text) { print "layers: " text; faults++ }
    # "src/api/call/x.c" is of "api/call", "src/base/x.c" of "base"; what lies in src/ itself of "main"
    function folder_of(path) {
        sub(/^src\//, "", path)
        return sub(/\/[^\/]*$/, "", path) ? path : "main"
    }
    function wing_of(folder) { sub(/\/.*/, "", folder); return folder }

    FNR == NR {
        indented = /^ /
        sub(/#.*/, "")
        if (NF == 0) next
        name = $1
        sub(/:$/, "", name)
        if (!indented) {
            wing = name
            wings[wing] = 1
            for (i = 2; i <= NF; i++) {
                if (!($i in wings) || $i == wing)
                    fault("layers.txt: " wing " names " $i ", which does not stand above it")
                wing_allowed[wing, $i] = 1
            }
            next
        }
        folder = name == "." ? wing : wing "/" name
        known[folder] = 1
        for (i = 2; i <= NF; i++) {
            if ($i ~ /^</) {
                library[$i] = 1
                allowed[folder, $i] = 1
                continue
            }
            to = $i == "." ? wing : (wing "/" $i) in known ? wing "/" $i : $i
            if (!(to in known) || to == folder)
                fault("layers.txt: " folder " names " $i ", which does not stand above it")
            else if (wing_of(to) != wing && !((wing, wing_of(to)) in wing_allowed))
                fault("layers.txt: " wing " may not use " wing_of(to) ", which " folder " names")
            wing_used[wing, wing_of(to)] = 1
            allowed[folder, to] = 1
        }
        next
    }
    {
        file = $0
        sub(/:.*/, "", file)
        from = folder_of(file)
        if (!(from in known)) { fault(file ": layers.txt has no line for " from); next }
        what = $0
        sub(/^[^:]*:[^<"]*/, "", what)
        if (what ~ /^"/) {
            to = substr(what, 2)
            sub(/".*/, "", to)
            if (to !~ /\//) { fault(file ": includes " what " without its folder"); next }
            sub(/\/[^\/]*$/, "", to)
            if (to == from) next
            used[from, to] = 1
            if (!((from, to) in allowed)) fault(file ": " from " may not include " what)
            next
        }
        sub(/>.*/, ">", what)
        for (l in library) {
            if (what != l && !(l ~ /\/>$/ && index(what, substr(l, 1, length(l) - 1)) == 1)) continue
            used[from, l] = 1
            if (!((from, l) in allowed)) fault(file ": " from " does not own " what)
        }
    }
    END {
        for (pair in allowed) {
            split(pair, part, SUBSEP)
            if (!(pair in used)) fault("layers.txt: " part[1] " does not use " part[2])
        }
        for (pair in wing_allowed) {
            split(pair, part, SUBSEP)
            if (!(pair in wing_used)) fault("layers.txt: " part[1] " does not use " part[2])
        }
        if (faults) exit 1
        print "layers: the folders include each other as layers.txt says"
    }' "$root/check/layers.txt" -

[ -f ARCHITECTURE.md ] || exit 0
faults=0
for folder in $(find src -name '*.[ch]' -exec dirname {} + | sort -u | sed -n 's/^src\///p'); do
    grep -q "^$folder  *[^ ]" ARCHITECTURE.md || {
        echo "layers: ARCHITECTURE.md has no line for $folder"
        faults=1
    }
done
# `src/server/api/routes.c` or `server/api/routes.c`; neither `/docs` nor `src/tools/NAME.c`.
# shellcheck disable=SC2016 # backticks of Markdown
for path in $(grep -o '`[a-z][A-Za-z0-9_.-]*/[A-Za-z0-9_./-]*`' ARCHITECTURE.md | tr -d '\140' | grep -v NAME | sort -u); do
    [ -e "$path" ] || [ -e "src/$path" ] || {
        echo "layers: ARCHITECTURE.md names $path, which does not exist"
        faults=1
    }
done
exit $faults
