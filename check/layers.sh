#!/bin/sh
# layers.sh [ROOT]: the folders of src/ include each other, and the headers of libraries, exactly as
# layers.txt says. ARCHITECTURE.md has a line for each of them, and names no path that is not there.
set -eu
root=$(readlink -f "${1:-$(dirname "$0")/..}")
cd "$root"

find src -name '*.[ch]' -exec grep -HE '^[[:space:]]*#[[:space:]]*include' {} + | awk '
    function fault(text) { print "layers: " text; faults++ }
    # "src/api_call/call.c" is of "api"; what lies in src/ itself is of "main"
    function folder_of(path,  part) { return split(path, part, "/") > 2 ? part[2] : "main" }

    FNR == NR {
        sub(/#.*/, "")
        if (NF == 0) next
        folder = $1
        sub(/:$/, "", folder)
        known[folder] = 1
        for (i = 2; i <= NF; i++) {
            if ($i ~ /^</) {
                library[$i] = 1
            } else if (!($i in known) || $i == folder) {
                fault("layers.txt: " folder " names " $i ", which does not stand above it")
            }
            allowed[folder, $i] = 1
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
            if (to !~ /\//) { fault(file ": includes " what " without its folder"); next }
            sub(/\/.*/, "", to)
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
        if (faults) exit 1
        print "layers: the folders include each other as layers.txt says"
    }' "$root/check/layers.txt" -

[ -f ARCHITECTURE.md ] || exit 0
faults=0
for folder in src/*/; do
    folder=$(basename "$folder")
    grep -q "^$folder  *[^ ]" ARCHITECTURE.md || {
        echo "layers: ARCHITECTURE.md has no line for $folder"
        faults=1
    }
done
# `src/api/routes.c` or `api/routes.c`; neither `/docs` nor `src/tools/NAME.c`.
# shellcheck disable=SC2016 # backticks of Markdown
for path in $(grep -o '`[a-z][A-Za-z0-9_.-]*/[A-Za-z0-9_./-]*`' ARCHITECTURE.md | tr -d '\140' | grep -v NAME | sort -u); do
    [ -e "$path" ] || [ -e "src/$path" ] || {
        echo "layers: ARCHITECTURE.md names $path, which does not exist"
        faults=1
    }
done
exit $faults
