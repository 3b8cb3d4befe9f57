#!/bin/sh
# banned.sh [ROOT]: no call of a function that writes without a bound, hides what it does with bad
# input, or runs a shell; MuPDF's exceptions, which jump over locals that clean themselves, stay in
# the folders that use MuPDF; what reaches into libmicrohttpd asks internals_use (server/http/internals.h)
# first; only claim.c sets the owner of words and fills; and the compiler is told to refuse arrays of
# variable length.
set -eu
cd "${1:-$(dirname "$0")/..}"
names='strcpy|stpcpy|strcat|sprintf|vsprintf|gets|strtok|atoi|atol|atoll|atof|alloca|__builtin_alloca|system|popen|tmpnam|tempnam|mktemp'

faults=$(
    # Comments and strings may speak of them; lines stay where they are.
    # shellcheck disable=SC2016 # awk's
    find src test bench -name '*.[ch]' 2>/dev/null | sort |
        xargs -r awk -v names="(^|[^A-Za-z0-9_])($names)[ ]*[(]" '
            function end_file() {
                if (!asks)
                    printf "%s", reaches
            }
            FNR == 1 {
                end_file()
                asks = inside = 0
                reaches = ""
            }
            {
                line = $0
                gsub(/\\./, "", line)
                gsub(/"[^"]*"/, "\"\"", line)
                while (1) {
                    if (inside) {
                        if (!(end = index(line, "*/"))) { line = ""; break }
                        line = substr(line, end + 2)
                        inside = 0
                    }
                    if (!(start = index(line, "/*"))) break
                    rest = substr(line, start + 2)
                    line = substr(line, 1, start - 1)
                    if ((end = index(rest, "*/"))) {
                        line = line " " substr(rest, end + 2)
                    } else {
                        inside = 1
                        break
                    }
                }
                sub(/\/\/.*/, "", line)
                if (line ~ names) print "banned: " FILENAME ":" FNR ": " $0
                if (line ~ /fz_try/ && FILENAME ~ /^src\// && FILENAME !~ /^src\/engine\/(mupdf|mupdf_content|mupdf_facts|mupdf_forms|mupdf_streams|page_image|layer_fit|page_text|page_search|compare|redact)\//)
                    print "banned: " FILENAME ":" FNR ": " $0
                if (line ~ /(->|[.])claimed_by *[|&]?=([^=]|$)/ && FILENAME ~ /^src\// && FILENAME !~ /\/claim[.]c$/)
                    print "banned: " FILENAME ":" FNR ": " $0
                if (line ~ /internals_use *[(]/) asks = 1
                if (FILENAME ~ /(^|\/)http\// && FILENAME ~ /^src\// &&
                    line ~ /RTLD_NEXT|madvise|gnutls_transport_set_p|[(]char [*][)] [(]uintptr_t[)]/)
                    reaches = reaches "banned: " FILENAME ":" FNR ": without internals_use: " $0 "\n"
            }
            END { end_file() }'
    for flag in "'-Wvla'" 'werror=true'; do
        grep -q -- "$flag" meson.build || echo "banned: meson.build: $flag is missing"
    done
)
if [ "$faults" ]; then
    echo "$faults"
    exit 1
fi
echo "banned: nothing that is banned is called"
