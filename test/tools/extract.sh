#!/bin/sh
# extract, compared with pdftotext -bbox and with what is known to be in the documents.
. "$(dirname "$0")/tap.sh"
here=$(dirname "$0")
runner=$1
out=$work/out.json
python3 "$here/extract.py" make "$work"
python3 "$here/model_pages.py" "$work"
python3 "$here/fields.py" "$work/fields.pdf"

extract() { "$runner" run extract "$@" -o "$out" >"$work/said" 2>&1; }
ask() { python3 "$here/extract.py" ask "$out" "$1"; }
judge() { python3 "$here/extract.py" judge "$out" "$1"; }

ok 'extract works' extract "$work/places.pdf"
is 'words are where pdftotext has them: turned, cropped, condensed and raised text, on turned pages, sideways pages and posters' \
    "$(judge "$work/places.pdf")" '150 of 150'
is 'the size of a page is that of its crop box, turned' "$(ask '[(q["width"], q["height"]) for q in d["pages"][:2]]')" \
    '[(390, 280), (280, 390)]'
is 'a page larger than 22 inches has its own size' "$(ask '(d["pages"][5]["width"], d["pages"][5]["words"][0]["size"])')" '(3000, 100)'
is 'a word has size, colour and direction' \
    "$(ask '[(w["size"], w["color"], w.get("rotation")) for w in p["words"] if w["text"] in ("red", "upwards")]')" \
    "[(10, '#ff0000', None), (10, '#000000', 270)]"
is 'fonts have a name, a family and a weight' \
    "$(ask '[(f["name"], f["family"], f["weight"], f["italic"]) for f in d["fonts"] if f["id"] == p["words"][4]["font"]]')" \
    "[('Times-Bold', 'Times New Roman', 700, False)]"
ids='[w["id"] for q in d["pages"] if q["page"] == 2 for w in q["words"]]'
all=$(ask "$ids")
extract "$work/places.pdf" --what words,lines,blocks,tables --pages 2-3
is 'ids are the same whatever else is extracted' "$(ask "$ids")" "$all"
is 'and name the page and the word' "$(ask 'min(w["id"] for w in p["words"])')" p2w0
is 'words name lines, and lines blocks, that are there' \
    "$(ask '{w["line"] for w in p["words"]} == {l["id"] for l in p["lines"]} and {l["block"] for l in p["lines"]} <= {b["id"] for b in p["blocks"]}')" True

extract "$work/report.pdf" --what words,lines,blocks,tables,chunks
is 'each word is there once' "$(judge "$work/report.pdf")" '58 of 58'
is 'blocks are headings, paragraphs, items of lists and tables' "$(ask '[b["kind"] for b in p["blocks"]]')" \
    "['heading', 'paragraph', 'listItem', 'listItem', 'table']"
is 'a paragraph has no line ends, and joins divided words' "$(ask '"than in most paragraphs of this kind" in p["blocks"][1]["text"]')" True
is 'a table has its cells with boxes' \
    "$(ask '[(c["row"], c["column"], c["text"], c["box"]) for c in p["tables"][0]["cells"]][3:5]')" \
    "[(1, 0, 'Ink', [50, 220, 150, 240]), (1, 1, '12', [150, 220, 230, 240])]"
is 'and the number of rows that are heads' "$(ask '(p["tables"][0]["rows"], p["tables"][0]["columns"], p["tables"][0]["headRows"])')" '(4, 3, 1)'
is 'a chunk is Markdown below its headings, with its place' \
    "$(ask '(d["chunks"][0]["headings"], "| Ink | 12 | 1,234.50 |" in d["chunks"][0]["markdown"], d["chunks"][0]["places"][0]["page"])')" \
    "(['A report'], True, 1)"
is 'title and language are those of the document' "$(ask '(d["document"]["title"], d["document"]["language"])')" "('About <ink> & paper', 'en-GB')"
extract "$work/report.pdf" --what chunks --chunkSize 100
is 'a chunk that is full ends where a paragraph does' "$(ask 'len(d["chunks"]) > 1 and {h for c in d["chunks"] for h in c["headings"]} == {"A report"}')" True
extract "$work/handbook.pdf" --what blocks
is 'headers and footers are blocks of these kinds' "$(ask '{b["kind"] for q in d["pages"] for b in q["blocks"]} & {"header", "footer"} != set()')" True

# A font whose full stop is said to be a blank and a full stop, and replacement text that knows better.
/usr/bin/python3 - "$work/stop.pdf" <<'END'
import sys
import pikepdf

pdf = pikepdf.new()
page = pdf.add_blank_page(page_size=(200, 100))
unicode = pdf.make_stream(b"begincmap 1 begincodespacerange <00> <ff> endcodespacerange "
                          b"1 beginbfchar <2e> <0020002e> endbfchar endcmap")
page.Resources = pikepdf.Dictionary(Font=pikepdf.Dictionary(F=pikepdf.Dictionary(
    Type=pikepdf.Name.Font, Subtype=pikepdf.Name.Type1, BaseFont=pikepdf.Name.Helvetica,
    Encoding=pikepdf.Name.WinAnsiEncoding, ToUnicode=unicode)))
page.Contents = pdf.make_stream(b"BT /F 10 Tf 50 50 Td (062) Tj /Span<</ActualText(.)>> BDC (.) Tj EMC (6) Tj ET")
pdf.save(sys.argv[1])
END
extract "$work/stop.pdf"
is 'a glyph keeps its place where its text has fewer characters than its font says' \
    "$(ask '[(w["text"], w["box"][0], w["box"][2]) for w in p["words"]]')" "[('062.6', 50, 75.02)]"

known='[(w["text"], w.get("language"), w.get("confidence")) for w in p["words"]]'
extract "$work/languages.pdf" --what words,lines
is 'a word has the language that is stated nearest to it, and that of the document only in a script of that language' "$(ask "$known")" \
    "[('plain', 'en-GB', 1), ('Wort', 'de', 1), ('parola', 'it-IT', 1), ('mot', 'fr-CA', 1), ('xyz', None, 1), ('odd', 'en-GB', 1), ('서울', 'ko', 1), ('Москва', None, 1), ('unseen', 'en-GB', None)]"
is 'a line has one if all its words have the same' "$(ask '[l.get("language") for l in p["lines"]]')" "['en-GB', None, None, 'ko', None, 'en-GB']"
extract "$work/unstated.pdf"
is 'no language is made up where none is stated' "$(ask '[w.get("language") for w in p["words"]]')" \
    "[None, None, 'it-IT', 'fr-CA', None, None, 'ko', None, None]"
python3 "$here/subsets.py" "$work/nameless.pdf" "$(fc-match -f '%{file}' 'DejaVu Sans:style=Book')" 'Quiz of 1058 Ill' nameless
extract "$work/nameless.pdf"
is 'letters that are known by their look alone are less sure' \
    "$(ask '("".join(w["text"] for w in p["words"]), all(0.5 <= w["confidence"] < 1 for w in p["words"]))')" "('Quizof1058Ill', True)"
extract "$work/hebrew.pdf" --what words,lines
is 'text from right to left is in the order in which it is read' "$(ask 'p["lines"][0]["text"]')" 'אבג: 050-123'
is 'and so are its words' "$(ask '[w["text"] for w in p["words"][:2]]')" "['אבג:', '050-123']"
extract "$work/vertical.pdf" --what words
is 'vertical writing is column after column' "$(ask '"".join(w["text"] for w in p["words"][:4])')" '一丁丂七'
is 'and known to be such' "$(ask 'p["words"][0]["vertical"]')" True

extract "$SAMPLES/features.pdf" --what links,outline
is 'links lead to addresses and pages' "$(ask '[(l.get("uri"), l.get("page")) for l in p["links"][:2]]')" "[(None, 2), ('https://example.com/Zulu1', None)]"
is 'the outline has levels and pages' "$(ask '[(o["title"], o["level"], o.get("page")) for o in d["outline"][:3]]')" \
    "[('Chapter Zulu1', 1, 1), ('Section Zulu2', 2, None), ('Deep Zulu3', 3, 3)]"
extract "$SAMPLES/features.pdf" --what outline
is 'the outline alone reads no page' "$(ask 'd["pages"]')" '[]'
ok 'an outline that goes in circles ends' extract "$work/loop.pdf" --what outline
ok 'and is warned of' grep -q outline_cut "$work/said"
extract "$work/fields.pdf" --what fields,words
is 'fields have kinds and values' \
    "$(ask '[(f["name"], f["kind"], f.get("value"), f.get("checked")) for f in p["fields"] if f["name"] in ("plain", "choice", "box", "off")]')" \
    "[('plain', 'text', 'Plain words', None), ('choice', 'choice', 'b', None), ('box', 'check', None, True), ('off', 'check', None, False)]"
is 'but not those of passwords' "$(ask '[f.get("value") for f in p["fields"] if f["name"] == "secret"]')" '[None]'
is 'what is filled in is text of the page' "$(ask '[w["text"] for w in p["words"][:2]]')" "['Plain', 'words']"
is 'several values of a list are lines' "$(ask '[f["value"] for f in p["fields"] if f["name"] == "list"]')" "['x\\ny']"
extract "$work/icon.pdf" --what images
is 'images have their places' "$(ask 'all(len(i["box"]) == 4 for i in p["images"])')" True

out=$work/out.ndjson
ok 'NDJSON is written' extract "$work/report.pdf" --what blocks,outline,chunks --outputFormat ndjson
is 'an object a line, each with its type' \
    "$(python3 -c 'import json, sys; print(*[json.loads(line)["type"] for line in open(sys.argv[1])])' "$out")" \
    'document page font font chunk'
out=$work/out.json
refused() { ! extract "$@" && grep -q "$code" "$work/said"; }
code='what must be one or several of these, divided by commas: words, lines,'
ok 'an unknown part is refused in words' refused "$work/report.pdf" --what words,verses
ok 'so is none' refused "$work/report.pdf" --what ''
ok 'blanks and capitals do not matter' extract "$work/report.pdf" --what ' Words , lines'
qpdf --encrypt secret owner 256 -- "$work/report.pdf" "$work/locked.pdf"
code=password_required
ok 'a document with a password is not opened without it' refused "$work/locked.pdf"
ok 'with it it is' extract "$work/locked.pdf" --inputPassword secret
done_testing
