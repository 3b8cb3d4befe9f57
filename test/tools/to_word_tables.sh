#!/bin/sh
# to-word: documents of tables whose text is known, of many kinds. $1 runs a tool, as `platen run` does.
. "$(dirname "$0")/tap.sh"
tables() { python3 "$(dirname "$0")/../../bench/tables.py" "$@"; }
command="$1 run to-word {in} -o {out}"

ok 'tables of all kinds are read into the cells they were written with' \
    tables --documents 1 --least 0.95 -c "$command"
if command -v soffice >/dev/null; then
    ok 'a table that LibreOffice set over pages is one, whose header Word repeats' \
        tables --kind office-pages-grid --documents 2 --least 0.99 -c "$command"
fi
done_testing
