# compress_look: what the tests of compress share, sourced. It runs the tool and looks at $out.
. "$(dirname "$0")/tap.sh"
here=$(dirname "$0")
runner=$1
out=$work/out.pdf

compress() { "$runner" run compress "$@" -o "$out" 2>&1; }
says() { ! compress "$@" >"$work/said" && grep -q "$code" "$work/said"; }
warns() { compress "$@" | grep -q "$code"; }
sound() { qpdf --check "${1:-$out}"; }
size() { stat -c %s "${1:-$out}"; }
smaller() { [ "$(size "$1")" -lt "$(size "$2")" ]; }
not_larger() { [ "$(size "$1")" -le "$(size "$2")" ]; }
# The column of pdfimages -list, one line an image.
images() { pdfimages -list "${2:-$out}" | awk -v c="$1" 'NR > 2 { print $c }'; }
# How far each page is from the same of another document, in two renderers: "page mean" where the
# mean of a channel is off by more than $3.
unlike() {
    rm -f "$work"/[ab][pm]-*
    pdftoppm -r 60 -png "$1" "$work/ap"
    pdftoppm -r 60 -png "$2" "$work/bp"
    mutool draw -q -r 60 -o "$work/am-%02d.png" "$1" 2>/dev/null
    mutool draw -q -r 60 -o "$work/bm-%02d.png" "$2" 2>/dev/null
    for a in "$work"/a[pm]-*.png; do
        b=$work/b${a#"$work"/a}
        # shellcheck disable=SC2046 # two numbers
        set -- "$1" "$2" "$3" $("$COMPARE" "$a" "$b" || echo 255 255)
        awk -v mean="$4" -v most="$3" -v page="${a##*/}" 'BEGIN { if (mean > most) print page, mean }'
    done
}
# Sizes of all qualities but for those that are smaller than one before.
sizes() {
    for quality in screen ebook printer prepress lossless; do
        compress "$@" --quality "$quality" >"$work/said" || echo failed
        size
    done
}
is_rising() { sizes "$@" >"$work/sizes" && sort -nc "$work/sizes"; }
# From a line for each object; qpdf packs the streams.
build() { python3 "$here/pdf_builder.py" "$work/rough.pdf" && qpdf "$work/rough.pdf" "$1"; }
