#!/bin/sh
# Small files that ask for far more work than anyone would wait for: bombs.sh PLATEN HOSTILE. Every
# tool ends each within 20 s of processor time and 512 MB, with a result or a clear code. The whole
# set takes minutes: test/hostile/bombs.py makes it, test/hostile/run.py runs it.
set -eu
platen=$1 hostile=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
python3 "$hostile/bombs.py" "$work/bombs" jpeg-scans-more.pdf jpeg-scans.pdf forms.pdf \
    forms-fonts.pdf patterns.pdf masks.pdf clips-deep.pdf groups-deep.pdf glyphs-single.pdf \
    image-often.pdf image-mask.pdf jbig2.pdf jpx.pdf layers.pdf shading.pdf
python3 "$hostile/bombs.py" "$work/more" jpeg-scans-many.pdf annotations.pdf fields.pdf \
    fields-lines.pdf fields-choice.pdf fields-script.pdf layers.pdf
python3 "$hostile/bombs.py" "$work/scans" ccitt.pdf image-flate.pdf jbig2.pdf scan-column.pdf scan-dot.pdf \
    scan-letters.pdf scan-line.pdf scan-noise.pdf scan-rows.pdf scan-side.pdf scan-specks.pdf scan-stripes.pdf
runs=73
if "$platen" tools | grep -q '^ocr'; then
    python3 "$hostile/run.py" --tap "$platen" "$work/scans" ocr
    runs=85
fi
python3 "$hostile/run.py" --tap "$platen" "$work/bombs" to-png to-word compress
python3 "$hostile/run.py" --tap "$platen" "$work/more" split repair merge to-png
echo 1..$runs
