#!/bin/sh
# sizes.sh [ROOT]: a file has at most 800 lines, a function at most 60 between its braces, a folder of
# src/ at most 40 files, and src/ at most 18 wings. A longer one is nearly always two concepts; a concept cut into files that
# call each other is worse.
set -eu
cd "${1:-$(dirname "$0")/..}"
found=$(mktemp)
trap 'rm -f "$found"' EXIT

find src test bench check packaging -type f \
    \( -name '*.[ch]' -o -name '*.sh' -o -name '*.py' -o -name '*.def' -o -name meson.build \) 2>/dev/null |
    sort | xargs -r awk '
        function end_file() {
            if (lines > 800)
                printf "%s: %d lines\nfault\n", file, lines
        }
        FNR == 1 {
            end_file()
            file = FILENAME
            start = 0
        }
        { lines = FNR }
        /^{$/ { start = FNR }
        /^}$/ && start {
            if (FNR - start - 1 > 60)
                printf "%s:%d: a function of %d lines\nfault\n", FILENAME, start, FNR - start - 1
            start = 0
        }
        END { end_file() }' >"$found"
find src -type f -name '*.[ch]' | awk '
    {
        sub(/\/[^\/]*$/, "")
        files[$0]++
    }
    END {
        for (folder in files)
            if (files[folder] > 40)
                printf "%s: %d files\nfault\n", folder, files[folder]
    }' >>"$found"
find src -mindepth 1 -maxdepth 1 -type d 2>/dev/null | awk '
    END { if (NR > 18) printf "src: %d wings\nfault\n", NR }' >>"$found"
awk '
    $0 == "fault" { faults = 1; next }
    { print "sizes: " $0 }
    END { if (!faults) print "sizes: files and functions are short"; exit faults }' "$found"
