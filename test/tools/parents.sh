#!/bin/sh
# Pages and form fields whose /Parent is not what lists them, and kids that are not pages, with tools of several programs. $1 runs a
# tool, as `platen run` does.
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

# Two pages, and between them something else. What may have been a page is missed, and the others stay.
between() { # KID OBJECT
    cat <<EOF
<</Type/Catalog/Pages 2 0 R>>
<</Type/Pages/Count 3/Kids[3 0 R $1 4 0 R]>>
<</Type/Page/Parent 2 0 R/MediaBox[0 0 300 200]/Contents 5 0 R/Resources<</Font<</F 7 0 R>>>>>>
<</Type/Page/Parent 2 0 R/MediaBox[0 0 300 200]/Contents 6 0 R/Resources<</Font<</F 7 0 R>>>>>>
<<>> stream BT /F 20 Tf 20 100 Td (The first page) Tj ET
<<>> stream BT /F 20 Tf 20 100 Td (The last page) Tj ET
<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>
$2
EOF
}
while IFS='|' read -r kid object lost; do
    between "$kid" "$object" | python3 "$here/pdf_builder.py" "$work/between.pdf"
    for tool in 'rotate --degrees 90' compress to-text; do
        # shellcheck disable=SC2086 # the words of the tool
        "$runner" run $tool "$work/between.pdf" -o "$work/made/" --force >"$work/said" 2>&1
        case $tool in
        to-text) mv "$work"/made/*.txt "$work/text" ;;
        *) pdftotext "$work"/made/*.pdf "$work/text" ;;
        esac
        rm -r "$work/made"
        is "what is between two pages and is not a page costs no other ($kid, $tool)" \
            "$(grep -o 'The .* page' "$work/text" | tr '\n' ,)" 'The first page,The last page,'
        is "and is missed if it may have been one ($kid, $tool)" \
            "$(grep -c '^warning: repaired' "$work/said") $(grep -c '^warning: pages_lost' "$work/said")" "1 $lost"
    done
done <<'EOF'
null||0
5||0
2 0 R||0
8 0 R|<</Type/Pages/Count 1/Kids[]/Parent 2 0 R>>|0
99 0 R||1
7 0 R||1
1 0 R||1
8 0 R|(page)|1
EOF
done_testing
