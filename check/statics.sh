#!/bin/sh
# statics.sh [ROOT]: a static function's name says what it works on, so that a line of a backtrace or
# of grep leads to few places: no name is defined in five files or more of src/. `run` of src/tools/
# is not counted: each tool's table has one. statics.txt lists the names that are, and in how many
# files; it may only shrink.
set -eu
cd "${1:-$(dirname "$0")/..}"
list=check/statics.txt
[ -f "$list" ] || list=/dev/null

# shellcheck disable=SC2016 # awk's
find src -name '*.[ch]' | sort | xargs awk '
    /^static / && match($0, /[A-Za-z_][A-Za-z0-9_]*\(/) && $0 !~ /=|;$/ {
        name = substr($0, RSTART, RLENGTH - 1)
        if (name ~ /^__/ || (name == "run" && FILENAME ~ /^src\/tools\//)) next
        if (!((name, FILENAME) in seen)) n[name]++
        seen[name, FILENAME] = 1
    }
    END { for (name in n) if (n[name] >= 5) print name, n[name] }' | sort | awk '
    FILENAME != "-" { if ($0 !~ /^#/) allowed[$1] = $2; next }
    {
        found[$1] = 1
        if ($2 > allowed[$1] + 0) {
            printf "statics: %d files define a static %s: say in the name what it works on\n", $2, $1
            faults++
        } else if ($2 < allowed[$1]) {
            printf "statics: %s: %d files are left: lower its number in statics.txt\n", $1, $2
        }
    }
    END {
        for (name in allowed)
            if (!(name in found)) print "statics: statics.txt: " name " can be taken out"
        if (!faults) print "statics: no more static functions have the same name than statics.txt says"
        exit faults > 0
    }' "$list" -
