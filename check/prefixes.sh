#!/bin/sh
# prefixes.sh [ROOT]: the name of each global function and variable begins with the name of its
# folder or of its file (or of a file with the same beginning: page_reader_draw.c may define
# page_reader_...), so that a line of a backtrace leads to one place. The tools of src/tools are
# tool_FILE. prefixes.txt lists the other exceptions, and may only shrink. Reads the archives of ROOT/build.
set -eu
root=$(readlink -f "${1:-$(dirname "$0")/..}")
cd "$root/build/src" || exit 1

archives=$(find . -name 'lib*.a' | sort)
[ -n "$archives" ] || {
    echo "prefixes: no archives in $root/build/src: run ninja first"
    exit 1
}
# shellcheck disable=SC2086 # a list of words
nm -A --defined-only --extern-only $archives | awk '
    FILENAME != "-" { if ($0 !~ /^#/) known[$1] = 1; next }
    NF == 3 && $2 ~ /^[TDBRC]$/ && $3 !~ /^__/ {
        # ./FOLDER/libLIB.a:OBJECT:ADDRESS, with a path before the object in a thin archive.
        place = $1
        sub(/:[0-9a-f]*$/, "", place)
        split(place, part, "/")
        folder = part[2]
        object = place
        sub(/.*[\/:]/, "", object)
        sub(/(\.c)?\.o$/, "", object)
        sub(/^meson-generated_\.\._/, "", object)
        name = $3
        if (index(name, folder "_") == 1 || name == folder || name == object) next
        if (folder == "tools" && name == "tool_" object) next
        # The file, or its name without its last words.
        for (stem = object; stem != ""; ) {
            if (index(name, stem "_") == 1) next
            if (!sub(/_[^_]*$/, "", stem)) break
        }
        if (name in known) { used[name] = 1; next }
        print "prefixes: " folder "/" object ".c defines " name
        faults++
    }
    END {
        for (name in known)
            if (!(name in used)) print "prefixes: prefixes.txt: " name " can be taken out"
        if (!faults) print "prefixes: global names begin with their folder or file"
        exit faults > 0
    }' "$root/check/prefixes.txt" -
