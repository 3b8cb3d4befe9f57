#!/bin/sh
# embed: writes C with the bytes of each file, and a table of them: struct web_file web_files[].
set -eu
media_type() {
    case $1 in
    *.html) echo 'text/html; charset=utf-8' ;;
    *.css) echo 'text/css; charset=utf-8' ;;
    *.js) echo 'text/javascript; charset=utf-8' ;;
    *.svg) echo 'image/svg+xml' ;;
    *) exit 1 ;;
    esac
}
echo '#include "web/web.h"'
n=0
for file; do
    printf 'static const char file_%d[] = {' "$n"
    od -An -v -td1 "$file" | sed 's/  */,/g; s/^,//; s/$/,/'
    echo '0 };'
    n=$((n + 1))
done
echo 'const struct web_file web_files[] = {'
n=0
for file; do
    sum=$(sha256sum "$file" | cut -c1-16)
    printf '{ "%s", "%s", "\\"%s\\"", file_%d, sizeof file_%d - 1 },\n' \
        "$(basename "$file")" "$(media_type "$file")" "$sum" "$n" "$n"
    n=$((n + 1))
done
echo '};'
echo "const size_t web_n_files = $n;"
