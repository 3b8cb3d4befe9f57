#!/bin/sh
# format.sh [ROOT]: every C file is as clang-format-14 writes it by .clang-format.
set -eu
cd "${1:-$(dirname "$0")/..}"
find src test bench -name '*.[ch]' -print0 2>/dev/null |
    xargs -0 -r clang-format-14 --dry-run -Werror --style=file
echo "format: every file is as clang-format writes it"
