#!/bin/sh
# Files with cut updates and with PDFs in PDFs: all tools see one document. $1 is platen.
. "$(dirname "$0")/tap.sh"
platen=$1

# TOOL FILE: the words of the pages of the result; the warnings are in said.
shown() {
    case $1 in
    rotate) set -- "$@" --degrees 180 --pages 1 ;;
    add-password) set -- "$@" --password open ;;
    esac
    "$platen" run "$@" -o "$work/out" >"$work/said" 2>&1 || return 1
    if [ "$1" = to-text ]; then cat "$work/out"; else pdftotext -upw open "$work/out" -; fi |
        tr -s '\n\f' '  ' | sed 's/ xx*//; s/ *$//'
}
# FILE WANTED WARNING: what tools of qpdf and of MuPDF show.
alike() {
    for tool in rotate compress to-text repair add-password; do
        got=$(shown "$tool" "$work/$1.pdf") || return 1
        echo "$tool shows: $got"
        [ "$got" = "$2" ] && grep -q "$3" "$work/said" || return 1
    done
}
silent() {
    for tool in to-text repair; do
        shown "$tool" "$work/$1.pdf" >"$work/words"
        ! grep 'update_cut\|: repaired' "$work/said" || return 1
    done
    cmp "$work/$1.pdf" "$work/out"
}
refused() {
    ! "$platen" run sign "$work/$1.pdf" --signerName X -o "$work/out" >"$work/said" 2>&1 &&
        grep 'last update is cut off' "$work/said"
}

python3 "$(dirname "$0")/revisions.py" "$work"
for file in new_number new_digits new_trailer new_xref new_objects new_long; do
    ok "an update of which only the end is cut is used by all tools: $file" \
        alike $file 'NEW page 1 NEW page 2' update_cut
    ok "and is not signed: $file" refused $file
done
for file in old_stream old_first old_header old_long old_missing; do
    ok "an update of which something is missing is left out by all tools: $file" \
        alike $file 'OLD page 1 OLD page 2' update_cut
done
for file in sound_eof sound_half_eof sound_lines sound_junk sound_zero sound_html sound_comment; do
    ok "other bytes at the end are no update: $file" silent $file
done
for file in "$work"/outer_*.pdf; do
    file=$(basename "$file" .pdf)
    ok "an attached PDF does not take the document's place: $file" \
        alike "$file" 'OUTER page 1 OUTER page 2' repaired
done
ok 'of two documents in a file the last is used' \
    alike joined_two 'INNER page 1 INNER page 2 INNER page 3' several_documents
ok 'and the first one if the last is not whole' \
    alike joined_cut 'OLD page 1 OLD page 2' several_documents
done_testing
