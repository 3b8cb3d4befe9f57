#!/bin/sh
# outline, checked with mutool and qpdf. $1 runs a tool.
. "$(dirname "$0")/tap.sh"
here=$(dirname "$0")
runner=$1
out=$work/out.pdf
json=$work/out.json

outline() { "$runner" run outline "$@" >"$work/said" 2>&1; }
ask() { python3 -c 'import json, sys; d = json.load(open(sys.argv[1])); print(eval(sys.argv[2]))' "$json" "$1"; }
# Titles by levels, as MuPDF reads them.
seen() { mutool show "$1" outline | sed 's/^[-+| ]//; s/"	.*//; s/	/>/g; s/"//' | tr '\n' ';'; }

ok 'an outline is read' outline "$SAMPLES/features.pdf" -o "$json"
is 'with levels and pages' "$(ask '[(i["title"], i.get("page"), len(i.get("children", []))) for i in d["outline"]][0]')" "('Chapter Zulu1', 1, 2)"
is 'all of its items are there' "$(ask 'sum(1 for _ in str(d).split(chr(39) + "title" + chr(39))) - 1')" 9
ok 'what was read is set again' outline "$SAMPLES/features.pdf" --action set --outline "$(cat "$json")" -o "$out"
ok 'the result is sound' qpdf --check "$out"
is 'with the same titles' "$(seen "$out")" "$(seen "$SAMPLES/features.pdf")"
cp "$json" "$work/before.json"
outline "$out" -o "$json"
is 'and the same pages and places' "$(python3 -c 'import json, sys
def flat(items): return [[i.get(k) for k in ("title", "page", "top", "uri", "open")] for i in items] + [f for i in items for f in flat(i.get("children", []))]
print(flat(json.load(open(sys.argv[1]))["outline"]) == flat(json.load(open(sys.argv[2]))["outline"]))' "$json" "$work/before.json")" True

new='[{"title":"Erstes \u00e4","page":1,"top":100,"open":true,"bold":true,"color":"#ff0000","children":[{"title":"Zwei","page":3}]},{"title":"Web","uri":"https://example.com/"}]'
outline "$SAMPLES/features.pdf" --action set --outline "$new" -o "$out"
is 'a new outline' "$(seen "$out")" '>Erstes ä;>>Zwei;>Web;'
outline "$out" -o "$json"
is 'is read as it was written, also on a turned page' "$(ask '[d["outline"][0][k] for k in ("page", "top", "open", "bold", "color")]')" "[1, 100, True, True, '#ff0000']"
is 'and its address' "$(ask 'd["outline"][1]["uri"]')" 'https://example.com/'

python3 "$here/model_pages.py" "$work"
ok 'headings become an outline' outline "$work/report.pdf" --action headings -o "$out"
is 'each of them' "$(seen "$out")" '>A report;'
ok 'the result is sound' qpdf --check "$out"
outline "$out" -o "$json"
is 'and leads to its place' "$(ask '0 < d["outline"][0]["top"] < 200')" True
ok 'without headings' outline "$SAMPLES/features.pdf" --action headings -o "$out"
is 'the outline stays' "$(seen "$out")" "$(seen "$SAMPLES/features.pdf")"
ok 'and that is said' grep -q no_headings "$work/said"
outline "$SAMPLES/features.pdf" --action remove -o "$out"
is 'an outline is removed' "$(seen "$out")" ''

says() { ! outline "$SAMPLES/plain.pdf" --action set --outline "$1" -o "$out" && grep -qF "$2" "$work/said"; }
ok 'an error names the item' says '[{"title":"a","page":1},{"title":"b","children":[{"title":"c","page":99}]}]' 'outline[1].children[0].page must be'
ok 'a title is needed' says '[{"page":1}]' 'outline[0].title must be'
ok 'scripts are no addresses' says '[{"title":"a","uri":"JavaScript:x"}]' 'outline[0].uri must be an address'
ok 'an unknown key' says '[{"title":"a","pages":1}]' 'outline[0] has a key that is not known'
ok 'what is no JSON' says '[{' 'outline is not JSON'
deep=$(python3 -c 'print("[" + "{\"title\":\"a\",\"children\":[" * 40 + "]}" * 40 + "]")')
ok 'too many levels' says "$deep" 'is nested too deep'
ok 'loops end' outline "$SAMPLES/loops.pdf" -o "$json"
done_testing
