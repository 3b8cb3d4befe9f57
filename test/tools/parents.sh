#!/bin/sh
# Pages and form fields whose /Parent is not what lists them, with tools of several programs. $1 runs a tool, as `platen run` does.
. "$(dirname "$0")/tap.sh"
here=$(dirname "$0")
runner=$1
out=$work/out.pdf
mkdir "$work/pages" "$work/forms"
python3 "$here/word_pages.py" "$work/pages"
python3 "$here/filled.py" make "$work/forms"

seen() { pdfinfo -l 2 "$1" | grep -E '^Page .*(size|rot)'; }
for parent in none own other; do
    file=$work/pages/parent_$parent.pdf
    for tool in 'rotate --degrees 360' 'watermark --text DRAFT' page-numbers 'split --every 2'; do
        # shellcheck disable=SC2086 # the words of the tool
        "$runner" run $tool "$file" -o "$out" >"$work/said" 2>&1
        is "a page without a right parent stays as it is shown: $parent, $tool" \
            "$(pdftotext "$out" - | grep -c 'These are the lines')$(seen "$out")" "2$(seen "$file")"
        is "which is a warning ($parent, $tool)" "$(grep -c '^warning: repaired' "$work/said")" 1
    done
done
for parent in none own other page; do
    "$runner" run split "$work/forms/parent_$parent.pdf" --pages 1 -o "$out" >"$work/said" 2>&1
    "$runner" run form-fields "$out" -o "$work/list.json" >"$work/said" 2>&1
    is "split keeps a field whose widget has no right parent ($parent)" \
        "$(grep -o '"name":"[a-z]*"' "$work/list.json" | sort | tr '\n' ' ')" '"name":"first" "name":"second" '
done
done_testing
