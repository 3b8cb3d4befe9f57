#!/bin/sh
# symbols.sh [ROOT]: no two source files define the same global function or variable. The linker
# takes the first definition in its list of archives without a word, even where the two functions
# have different parameters. Reads the archives of ROOT/build.
set -eu
root=$(readlink -f "${1:-$(dirname "$0")/..}")
cd "$root/build/src" || exit 1

archives=$(find . -name 'lib*.a')
[ -n "$archives" ] || {
    echo "symbols: no archives in $root/build/src: run ninja first"
    exit 1
}
# A line of nm is ARCHIVE:OBJECT:ADDRESS TYPE NAME; capital letters are global definitions.
# shellcheck disable=SC2086 # a list of words
nm -A --defined-only --extern-only $archives | awk '
    NF == 3 && $2 ~ /^[TDBRC]$/ {
        # Archive and object: in an ordinary archive an object has its file name alone.
        place = $1
        sub(/:[0-9a-f]*$/, "", place)
        if ($3 in object && object[$3] != place) {
            print "symbols: " $3 " is defined in " object[$3] " and in " place
            faults++
        }
        object[$3] = place
    }
    END {
        if (faults) exit 1
        print "symbols: each global name is defined in one file"
    }'
