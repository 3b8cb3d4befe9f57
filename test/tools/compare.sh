#!/bin/sh
# compare, on pairs of documents whose differences are known. $1 runs a tool: `$1 run compare OLD NEW -o OUT`.
. "$(dirname "$0")/tap.sh"
here=$(dirname "$0")
runner=$1
out=$work/out.json
said=$work/said
python3 "$here/compare_pairs.py" "$work"

compare() { "$runner" run compare "$@" -o "$out" >"$said" 2>&1; }
ask() { python3 -c 'import json, sys
d = json.load(open(sys.argv[1]))
s, pages = d["summary"], [(one["old"], one["new"]) for one in d["pages"]]
parts = [(one["kind"], one["old"].get("text"), one["new"].get("text")) for one in d["differences"]]
print(eval(sys.argv[2]))' "$out" "$1"; }
pair() { # NAME WORD...
    name=$1
    shift
    compare "$work/${name}_old.pdf" "$work/${name}_new.pdf" "$@"
}

ok 'compare works' pair same
is 'the same text is equal' "$(ask 's["equal"], parts')" '(True, [])'
pair layout
is 'in narrower lines, too' "$(ask 's["equal"], s["complete"]')" '(True, True)'
pair hyphens
is 'and where hyphens divide words, of which one has a hyphen of its own' "$(ask 's["equal"], parts')" '(True, [])'
pair words
is 'words that were changed, inserted and removed' "$(ask '[one[::2] if one[0] != "removed" else ("removed", len(one[1].split())) for one in parts]')" \
    "[('changed', 'CHANGED'), ('changed', 'TWO OTHERS MORE'), ('added', 'INSERTED'), ('removed', 4)]"
is 'are counted' "$(ask 's["wordsAdded"], s["wordsRemoved"], s["moved"], s["appearance"]')" '(5, 7, 0, 0)'
# poppler says where the word is.
box=$(pdftotext -bbox "$work/words_new.pdf" - | sed -n 's/.*xMin="\([0-9]*\).*" xMax="\([0-9]*\).*>CHANGED<.*/\1 \2/p')
is 'a change is where the word is' "$(ask '" ".join(str(int(one)) for one in d["differences"][0]["new"]["places"][0]["boxes"][0][::2])')" "$box"
pair case
is 'capital letters are a change' "$(ask 's["changed"]')" 1
pair case --ignore case --appearance false
is 'unless they are ignored' "$(ask 's["equal"]')" True
pair moved
is 'a paragraph that was moved is neither added nor removed' "$(ask '[(one[0], one[1].split() == one[2].split(), len(one[1].split())) for one in parts]')" \
    "[('moved', True, 60)]"
is 'it is on two pages of the newer document' "$(ask '[one["page"] for one in d["differences"][0]["new"]["places"]]')" '[1, 2]'
pair inserted
is 'a page that was inserted is found, whatever the numbers of the others' "$(ask 'pages')" \
    '[(1, 1), (2, 2), (3, 3), (None, 4), (4, 5), (5, 6), (6, 7)]'
is 'and only its words were added' "$(ask '[(one[0], len(one[2].split())) for one in parts]')" "[('added', 50), ('added', 5)]"
pair removed
is 'pages that were removed' "$(ask 'pages, s["removed"], s["added"]')" \
    '([(1, 1), (2, 2), (3, None), (4, None), (5, 3), (6, 4)], 1, 0)'
pair shuffled
is 'a page that was moved' "$(ask 'pages, [one.get("moved") for one in d["pages"]].index(True), s["moved"], s["added"]')" \
    '([(1, 1), (2, 2), (5, 3), (3, 4), (4, 5), (6, 6)], 2, 1, 0)'
pair header
is 'headers are compared page by page' "$(ask 'set(parts), s["changed"], all(one["edge"] for one in d["differences"])')" \
    "({('changed', 'this', 'next')}, 6, True)"
pair header --ignore headers --appearance false
is 'unless they are ignored' "$(ask 's["equal"]')" True
pair picture
is 'a picture that looks different has its place' "$(ask '[[round(one / 6) for one in x["new"]["places"][0]["boxes"][0]] for x in d["differences"]]')" \
    '[[8, 63, 22, 74]]'
is 'its words are the same' "$(ask 's["appearance"], s["changed"], s["equal"]')" '(1, 0, False)'
pair picture --appearance false
is 'without appearance nothing differs' "$(ask 's["equal"]')" True
pair scans
is 'pages without text are known by how they look' "$(ask 'pages')" '[(1, 1), (2, 2), (None, 3), (3, 4), (4, 5), (5, 6)]'
ok 'words that repeat in another order' pair hostile --appearance false
is 'are counted alike on both sides' "$(ask 's["wordsAdded"] == s["wordsRemoved"] > 0')" True
for one in words inserted removed picture scans; do
    out=$work/marked.pdf
    pair $one --output-format pdf
    ok "the marked PDF of $one is sound" qpdf --check "$out"
done
pair words --output-format pdf
is 'marks have notes with what was there before' "$(qpdf --json --json-key=qpdf "$out" | python3 -c 'import json, sys
objects = json.load(sys.stdin)["qpdf"][1].values()
notes = [one["value"] for one in objects if isinstance(one.get("value"), dict) and one["value"].get("/Type") == "/Annot"]
print(sorted((one["/Subtype"], one["/Contents"][2:].split(":")[0]) for one in notes))')" \
    "[('/Caret', 'Removed'), ('/Highlight', 'Added.'), ('/Highlight', 'Before'), ('/Highlight', 'Before')]"
is 'the text of the document is as before' "$(pdftotext "$out" - | md5sum)" "$(pdftotext "$work/words_new.pdf" - | md5sum)"
mutool draw -q -r 72 -o "$work/marked.png" "$out" 1 2>/dev/null
is 'a change is yellow where it is' "$(/usr/bin/python3 -c 'import sys
from PIL import Image
word = Image.open(sys.argv[1]).convert("RGB").crop((64, 168, 117, 176))
print(sum(r > 200 and g > 150 and b < 150 for r, g, b in word.getdata()) > 100)' "$work/marked.png")" True
out=$work/out.json
qpdf --encrypt secret secret 256 -- "$work/words_new.pdf" "$work/locked.pdf"
ok 'a document with a password' sh -c "! '$runner' run compare '$work/words_old.pdf' '$work/locked.pdf' -o '$out' 2>'$said' && grep -q password_required '$said'"
ok 'opens with it' compare "$work/words_old.pdf" "$work/locked.pdf" --input-password secret
qpdf --encrypt older older 256 -- "$work/words_old.pdf" "$work/locked_old.pdf"
ok 'each document with a password of its own' compare "$work/locked_old.pdf" "$work/locked.pdf" --input-password older --input-password2 secret
is 'is read' "$(ask 's["changed"] > 0')" True
out=$work/marked.pdf
ok 'and marked' compare "$work/locked_old.pdf" "$work/locked.pdf" --input-password older --input-password2 secret --output-format pdf
out=$work/out.json
ok 'the older one may have the only password' compare "$work/locked_old.pdf" "$work/words_new.pdf" --input-password older
ok 'a wrong second password' sh -c "! '$runner' run compare '$work/locked_old.pdf' '$work/locked.pdf' --input-password older --input-password2 no -o '$out' 2>'$said' && grep -q wrong_password '$said'"
ok 'one file is too few' sh -c "! '$runner' run compare '$work/words_old.pdf' -o '$out' 2>'$said' && grep -q too_few_files '$said'"
done_testing
