#!/bin/sh
# metadata, checked with pdfinfo, qpdf and Python's XML parser. $1 runs a tool.
. "$(dirname "$0")/tap.sh"
here=$(dirname "$0")
runner=$1
out=$work/out.pdf
json=$work/out.json

metadata() { "$runner" run metadata "$@" >"$work/said" 2>&1; }
set_in() {
    file=$1
    shift
    metadata "$file" --action set "$@" -o "$out"
}
ask() { python3 -c 'import json, sys; d = json.load(open(sys.argv[1])); print(eval(sys.argv[2]))' "$json" "$1"; }
info() { pdfinfo -isodates -custom "$out" | sed -n "s/^$1: *//p"; }
# A property of the XMP packet, as Python reads it: its texts, divided by blanks.
xmp() { python3 "$here/xmp.py" "$out" "$1"; }

ok 'metadata are read as JSON' metadata "$SAMPLES/features.pdf" -o "$json"
is 'title and author' "$(ask '(d["title"], d["author"])')" "('Sample', 'platen')"
metadata "$SAMPLES/pdfa1.pdf" -o "$json"
is 'claims of conformance' "$(ask 'd["conformance"]')" "['PDF/A-1b']"

ok 'they are set' set_in "$SAMPLES/pdfa1.pdf" --title 'Ärger & <Ink> 日本' --author 'Ann; Bob' --keywords 'one, two' \
    --subject 'A sample' --creator Pen --created 2026-05-01T12:00:00+02:00 --modified 2026-05-02 --custom '{"Project":"Blue","My Key/2":"x"}'
ok 'the result is sound' qpdf --check "$out"
for pair in 'Title:title:Ärger & <Ink> 日本' 'Author:creator:Ann; Bob' 'Subject:description:A sample' 'Keywords:Keywords:one, two' \
    'Creator:CreatorTool:Pen' 'Project:Project:Blue'; do
    key=${pair%%:*} rest=${pair#*:}
    is "Info says $key" "$(info "$key")" "${rest#*:}"
    is 'and so does XMP' "$(xmp "${rest%%:*}")" "${rest#*:}"
done
is 'a date is the same in both' "$(info CreationDate) $(xmp CreateDate)" '2026-05-01T12:00:00+02 2026-05-01T12:00:00+02:00'
is 'also one without a time' "$(xmp ModifyDate)" '2026-05-02'
is 'a name that XML does not have is coded' "$(xmp 'Myↂ0020Keyↂ002F2')" x
is 'what XMP had besides stays' "$(xmp part) $(xmp conformance)" '1 B'
is 'and is not filtered, as PDF/A-1 wants' "$(grep -ac '<pdfaid:part>1' "$out")" 1
metadata "$out" -o "$json"
is 'all is read back' "$(ask '(d["title"], d["custom"], d["created"], d["differences"])')" \
    "('Ärger & <Ink> 日本', {'Project': 'Blue', 'My Key/2': 'x'}, '2026-05-01T12:00:00+02:00', [])"
cp "$out" "$work/set.pdf"
set_in "$work/set.pdf" --author '' --custom '{"Project":""}'
is 'an empty text removes a value from both' "$(info Author)$(xmp creator)$(info Project)$(xmp Project)" ''
is 'and leaves the others' "$(info Title) $(xmp title)" 'Ärger & <Ink> 日本 Ärger & <Ink> 日本'
is 'a property is there once' "$(grep -ac '<dc:title>' "$out")" 1

# Documents whose two kinds of metadata differ, or are odd.
python3 "$here/xmp.py" make "$work"
ok 'what differs is named' metadata "$work/differs.pdf" -o "$json"
is 'with both' "$(ask 'd["differences"]')" "[{'name': 'title', 'info': 'In Info', 'xmp': 'In XMP'}]"
ok 'and warned of' grep -q metadata_differed "$work/said"
set_in "$work/differs.pdf" --subject S
is 'Info holds' "$(info Title) $(xmp title)" 'In Info In Info'
is 'what only XMP has is there twice then' "$(info Producer) $(xmp Producer)" 'Only XMP Only XMP'
is 'other properties of all kinds stay' "$(xmp other) $(xmp list)" 'kept kept'
ok 'XMP that is not XML is warned of' set_in "$work/broken.pdf" --title T
ok 'in words' grep -q xmp_unreadable "$work/said"
is 'and replaced' "$(info Title) $(xmp title)" 'T T'
for attack in billion deep doctype huge; do
    ok "hostile XMP ends: $attack" timeout 60 "$runner" run metadata "$work/$attack.pdf" -o "$json"
done

ok 'metadata are cleared' metadata "$work/set.pdf" --action clear -o "$out"
is 'in Info and XMP' "$(info Title)$(info Project)$(xmp title)$(xmp Project)" ''
is 'the claim of conformance stays' "$(xmp part)" 1
metadata "$work/parts.pdf" --action clear -o "$out"
is 'those of pages and pictures are cleared, too' "$(qpdf --qdf --object-streams=disable "$out" - | grep -ac 'SECRET\|PieceInfo')" 0

says() { ! metadata "$@" -o "$out" && grep -qF "$text" "$work/said"; }
text='created must be a date such as 2026-05-01'
ok 'a date that is none is refused' says "$SAMPLES/plain.pdf" --action set --created yesterday
text='it belongs to action=set'
ok 'a value without set' says "$SAMPLES/plain.pdf" --title T
text='nothing is to be set'
ok 'set without a value' says "$SAMPLES/plain.pdf" --action set
text='custom is not JSON'
ok 'custom that is no JSON' says "$SAMPLES/plain.pdf" --action set --custom '{'
text='custom has a name that a property cannot have'
ok 'a name that has a parameter of its own' says "$SAMPLES/plain.pdf" --action set --custom '{"Title":"x"}'
done_testing
