#!/bin/sh
# to-word: what is written is opened by others.
. "$(dirname "$0")/tap.sh"
runner=$1
out=$work/out.docx
to_word() { "$runner" run to-word "$@" -o "$out" 2>&1; }
ok 'to-word works' to_word "$SAMPLES/features.pdf"
ok 'the ZIP is sound' unzip -tq "$out"
done_testing
