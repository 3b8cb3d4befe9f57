#!/bin/bash
# Small files that ask for far more work than anyone would wait for: bombs.sh PLATEN HOSTILE. Every
# tool ends each within 20 s of processor time and 512 MB, with a result or a clear code. The whole
# set takes minutes: test/hostile/bombs.py makes it, test/hostile/run.py runs it.
set -u
platen=$1 hostile=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
python3 "$hostile/bombs.py" "$work/bombs" jpeg-scans-more.pdf jpeg-scans.pdf forms.pdf \
    forms-fonts.pdf patterns.pdf masks.pdf clips-deep.pdf groups-deep.pdf glyphs-single.pdf \
    image-often.pdf image-mask.pdf jbig2.pdf jpx.pdf shading.pdf
python3 "$hostile/bombs.py" "$work/more" jpeg-scans-many.pdf annotations.pdf fields.pdf \
    fields-lines.pdf fields-choice.pdf fields-script.pdf
python3 "$hostile/run.py" --bounds "$platen" "$work/bombs" to-png to-word compress >"$work/said"
status=$?
python3 "$hostile/run.py" --bounds "$platen" "$work/more" split repair merge to-png >>"$work/said" ||
    status=1
sed 's/^/# /' "$work/said"
n=$(grep -c ' s  *[0-9.]* s  *[0-9]* MB' "$work/said")
if [ "$n" -ge 62 ]; then echo "ok 1 - every bomb was given to every tool"; else
    echo "not ok 1 - every bomb was given to every tool"; fi
if [ $status -eq 0 ]; then echo "ok 2 - all ended within their bounds"; else
    echo "not ok 2 - all ended within their bounds"; fi
echo 1..2
exit $status
