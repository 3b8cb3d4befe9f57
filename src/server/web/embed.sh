#!/bin/sh
# embed FOLDER BUNDLER FILE...: writes C with the bytes of each file that the bundler makes of these, as
# they are and compressed by gzip, and a table of them: struct web_file web_files[]. The version is a
# digest of all of them.
set -eu
folder=$1 bundler=$2
shift 2
rm -rf "$folder"
made=$("$bundler" "$folder" "$@")
# The names have no blanks.
# shellcheck disable=SC2086
set -- $made
media_type() {
    case $1 in
    *.html) echo 'text/html; charset=utf-8' ;;
    *.css) echo 'text/css; charset=utf-8' ;;
    *.js) echo 'text/javascript; charset=utf-8' ;;
    *.json) echo 'application/json' ;;
    *.webmanifest) echo 'application/manifest+json' ;;
    *.svg) echo 'image/svg+xml' ;;
    *.txt) echo 'text/plain; charset=utf-8' ;;
    *.png) echo 'image/png' ;;
    *.woff2) echo 'font/woff2' ;;
    *) exit 1 ;;
    esac
}
bytes() { # NAME: standard input as an array that ends with a NUL
    printf 'static const char %s[] = {' "$1"
    od -An -v -td1 | sed 's/  */,/g; s/^,//; s/$/,/'
    echo '0 };'
}
echo '#include "server/web/web.h"'
n=0
for file; do
    bytes "file_$n" <"$file"
    gzip -9nc "$file" | bytes "packed_$n"
    n=$((n + 1))
done
echo 'const struct web_file web_files[] = {'
n=0
for file; do
    sum=$(sha256sum "$file" | cut -c1-16)
    printf '{ "%s", "%s", "\\"%s\\"", file_%d, sizeof file_%d - 1, packed_%d, sizeof packed_%d - 1 },\n' \
        "$(basename "$file")" "$(media_type "$file")" "$sum" "$n" "$n" "$n" "$n"
    n=$((n + 1))
done
echo '};'
echo "const size_t web_n_files = $n;"
printf 'const char web_version[] = "%s";\n' "$(cat "$@" | sha256sum | cut -c1-12)"
