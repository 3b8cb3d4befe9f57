#!/bin/sh
# dialect.sh [ROOT]: words in comments and texts of src/ that CONTRIBUTING.md, "Words", asks to
# replace. dialect.txt says how many of them each folder may still have: more are a fault; where
# there are fewer, the number there is to be lowered. `dialect.sh ROOT FOLDER` lists a folder's.
set -eu
cd "${1:-$(dirname "$0")/..}"
only=${2-}
[ "$only" != . ] || only=
words=$(mktemp)
trap 'rm -f "$words"' EXIT

# shellcheck disable=SC2016 # awk's
find src -name '*.[ch]' | sort | xargs awk -v only="$only" '
    function count(words) {
        n[folder]++
        if (only == folder)
            printf "%s:%d: %s\n", FILENAME, FNR, words
    }
    # Words of identifiers; of take those that give ownership are right (base/scope.h, base/buf.h).
    function identifiers(code,  name) {
        if (code ~ /^#/)
            return
        while (match(code, /[A-Za-z_][A-Za-z0-9_]*/)) {
            name = substr(code, RSTART, RLENGTH)
            code = substr(code, RSTART + RLENGTH)
            if (name ~ /^(scope_take_(fd|ptr)|buf_take|zip_tell|ztell64_file|ZTELL64.*)$/)
                continue
            if (tolower(name) ~ /(^|_)(judges?|judged|tells?|told|furniture|inventory|stand_in|take|takes|taking)(_|$)/ ||
                (folder == "layout" && name ~ /(^|_)(zones?|sheet|initial|seam|squeeze|beside|twice)(_|$)/))
                count(name)
        }
    }
    FNR == 1 { split(FILENAME, part, "/"); folder = part[3] == "" ? "main" : part[2]; open = 0 }
    {
        # What is between /* and */, after //, and in texts.
        text = ""
        code = ""
        line = $0
        while (line != "") {
            if (open) {
                at = index(line, "*/")
                text = text " " (at ? substr(line, 1, at - 1) : line)
                line = at ? substr(line, at + 2) : ""
                open = !at
            } else if (match(line, /\/\*|"([^"\\]|\\.)*"/)) {
                code = code substr(line, 1, RSTART - 1) " "
                if (substr(line, RSTART, 1) == "\"")
                    text = text " " substr(line, RSTART, RLENGTH)
                else
                    open = 1
                line = substr(line, RSTART + RLENGTH)
            } else {
                code = code line
                line = ""
            }
        }
        identifiers(code)
        text = tolower(text) " "
        gsub(/there (is|are) no(ne)?[^a-z]/, "there ", text)
        gsub(/is no longer/, "", text)
        while (match(text, /[^a-z](behind|beside|so many|so often|so long|is none|are none|is no [a-z]+|nobody|anew|stands for|stands in|stands at|are told|is told|judged|judges|what it is told)[^a-z]/)) {
            count(substr(text, RSTART + 1, RLENGTH - 2))
            text = substr(text, RSTART + RLENGTH - 1)
        }
    }
    END { if (only == "") for (folder in n) print folder, n[folder] }' | sort >"$words"
if [ -n "$only" ]; then
    cat "$words"
    exit 0
fi
awk '
    FILENAME == ARGV[1] { if ($0 !~ /^#/) allowed[$1] = $2; next }
    {
        found[$1] = 1
        if ($2 > allowed[$1] + 0) {
            printf "dialect: %s: %d words, and dialect.txt allows %d: check/dialect.sh . %s\n", $1, $2, allowed[$1], $1
            faults++
        } else if ($2 < allowed[$1]) {
            printf "dialect: %s: %d words are left: lower its number in dialect.txt\n", $1, $2
        }
    }
    END {
        if (!faults) print "dialect: no folder has more of the old words than dialect.txt says"
        exit faults > 0
    }' check/dialect.txt "$words"
