#!/bin/sh
# notice.sh [ROOT]: NOTICE says which library files each program of ROOT/build loads: those that it is linked with, and
# those that the source opens by name (dlopen). A program that was not built is not compared.
set -eu
root=$(readlink -f "${1:-$(dirname "$0")/..}")
cd "$root"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

for path in build/platen build/platen-*; do
    if [ ! -f "$path" ] || [ ! -x "$path" ]; then continue; fi
    program=${path#build/}
    program=${program#platen-}
    echo "$program" >>"$work/programs"
    readelf -d "$path" | sed -n "s/.*(NEEDED).*\[\(.*\)\.so.*/$program \1/p" | grep -v ' ld-linux' >>"$work/loaded"
done
[ -s "$work/loaded" ] || {
    echo "notice: no programs in $root/build: run ninja first"
    exit 1
}
grep -rhE '\bdlopen\(' src | sed -n 's/.*"\([^"]*\/\)\{0,1\}\(lib[^"/]*\)\.so[^"]*".*/\2/p' >"$work/opened"

# An entry's second line: "FILE, FILE: PROGRAM, PROGRAM", which may end with "linked in" or "at run time".
sed -n 's/^        \(lib[^:]*\): \(.*\)/\1|\2/p' NOTICE | awk -F'|' -v work="$work" '
    BEGIN {
        while ((getline line < (work "/programs")) > 0)
            built[line]
        while ((getline line < (work "/loaded")) > 0) {
            split(line, pair, " ")
            loads[pair[1], pair[2]]
        }
        while ((getline line < (work "/opened")) > 0)
            opened[line]
    }
    {
        n = split($1, files, ", ")
        delete said
        if ($2 == "all")
            for (program in built)
                said[program]
        n_said = split($2, words, ", ")
        how = words[n_said]
        for (i = 1; i <= n_said; i++)
            said[words[i]]
        for (i = 1; i <= n; i++)
            listed[files[i]]
        if (how == "linked in")
            next
        if (how == "at run time") {
            if (!(files[1] in opened))
                print "notice: nothing opens " files[1]
            next
        }
        for (program in built) {
            found = 0
            for (i = 1; i <= n; i++)
                found += (program SUBSEP files[i]) in loads
            if (found && !(program in said))
                print "notice: " program " loads " $1 ", and NOTICE does not say so"
            if (!found && (program in said))
                print "notice: " program " does not load " $1 ", as NOTICE says"
        }
    }
    END {
        for (key in loads) {
            split(key, pair, SUBSEP)
            if (!(pair[2] in listed))
                print "notice: " pair[1] " loads " pair[2] ", which NOTICE does not list"
        }
        for (file in opened)
            if (!(file in listed))
                print "notice: " file " is opened at run time, and NOTICE does not list it"
    }' | sort >"$work/faults"
cat "$work/faults"
[ ! -s "$work/faults" ] || exit 1
echo "notice: the libraries of $(wc -l <"$work/programs") programs are those in NOTICE"
