#!/bin/sh
# prefixes.sh [ROOT]: the name of each global function and variable begins with the name of its
# folder or of its file (or of a file with the same beginning: page_reader_draw.c may define
# page_reader_...), with or without that of its wing before it, so that a line of a backtrace leads to
# one place. The tools of src/tools are tool_FILE. prefixes.txt lists the other exceptions, and may only shrink. Reads the archives of ROOT/build.
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
    # Whether NAME begins with PREFIX and PLACE, or PLACE without its last words.
    function begins_like(name, prefix, place) {
        for (;;) {
            if (index(name, prefix place "_") == 1 || name == prefix place) return 1
            if (!sub(/_[^_]*$/, "", place)) return 0
        }
    }
    FILENAME != "-" { if ($0 !~ /^#/) known[$1] = 1; next }
    NF == 3 && $2 ~ /^[TDBRC]$/ && $3 !~ /^__/ {
        # ./WING/FOLDER/libLIB.a:OBJECT:ADDRESS, with a path before the object in a thin archive.
        place = $1
        sub(/:[0-9a-f]*$/, "", place)
        path = place
        sub(/^\.\//, "", path)
        sub(/\/lib[^\/]*\.a:.*/, "", path)
        folder = path
        sub(/.*\//, "", folder)
        object = place
        sub(/.*[\/:]/, "", object)
        sub(/(\.c)?\.o$/, "", object)
        sub(/^meson-generated_\.\._/, "", object)
        name = $3
        # The object of tools/browser/html_to_pdf.c is browser_html_to_pdf.
        if (folder == "tools" && index(name, "tool_") == 1 && ("_" object) ~ (substr(name, 5) "$")) next
        if (begins_like(name, "", object) || begins_like(name, "", folder)) next
        wing = path
        if (sub(/\/.*/, "_", wing) && (begins_like(name, wing, object) || begins_like(name, wing, folder))) next
        if (name in known) { used[name] = 1; next }
        print "prefixes: " path "/" object ".c defines " name
        faults++
    }
    END {
        for (name in known)
            if (!(name in used)) print "prefixes: prefixes.txt: " name " can be taken out"
        if (!faults) print "prefixes: global names begin with their folder or file"
        exit faults > 0
    }' "$root/check/prefixes.txt" -
