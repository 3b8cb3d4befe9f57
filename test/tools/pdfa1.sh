# pdfa1: sourced. Whether a file is still as PDF/A-1 (ISO 19005-1, 6.1 and 6.7) wants it: no newer than
# PDF 1.4, nothing packed that 1.4 cannot read, and metadata that can be read as it stands.
like_pdfa1() {
    head -c 8 "$1" | grep -q '^%PDF-1.[0-4]' && ! grep -aqE '/ObjStm|/XRef' "$1" &&
        grep -aq 'pdfaid:part>1<' "$1" && grep -aq 'pdfaid:conformance>B<' "$1"
}
