#!/bin/sh
# languages.sh [ROOT]: every language of the web page has all texts, also for each tool,
# parameter, choice, error and warning that the built program has (test/web/languages.mjs).
set -eu
root=$(readlink -f "${1:-$(dirname "$0")/..}")
command -v node >/dev/null || "$root/packaging/install.sh" node
described=$(mktemp)
trap 'rm -f "$described"' EXIT
"$root/build/platen" tools --openapi >"$described"
node "$root/test/web/languages.mjs" "$root" "$described"
