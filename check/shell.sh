#!/bin/sh
# shell.sh [ROOT]: shellcheck has nothing to say on any script.
set -eu
cd "${1:-$(dirname "$0")/..}"
# By the first line and not the name: .ci/run is a script too. Sourced files have none.
# Tests hand functions to `ok`, which shellcheck does not see as calls.
find . -path ./.git -prune -o -path './build*' -prune -o -path ./data -prune -o -type f -print0 |
    LC_ALL=C xargs -0 awk 'FNR == 1 { if (/^#!.*[\/ ](ba|da)?sh( |$)/) print FILENAME; nextfile }' |
    sort | tr '\n' '\0' |
    xargs -0 -r shellcheck -x --source-path=SCRIPTDIR -e SC2317,SC2119,SC2120
echo "shell: every script passes shellcheck"
