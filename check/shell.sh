#!/bin/sh
# shell.sh [ROOT]: shellcheck has nothing to say on any script.
set -eu
cd "${1:-$(dirname "$0")/..}"
find . -path ./.git -prune -o -path './build*' -prune -o -path ./data -prune -o -type f -print |
    sort | while read -r file; do
    # By the first line and not the name: .ci/run is a script too. Sourced files have none.
    if head -c 64 "$file" | head -n 1 | grep -aqE '^#!.*[/ ](ba|da)?sh( |$)'; then
        # Tests hand functions to `ok`, which shellcheck does not see as calls.
        shellcheck -x --source-path=SCRIPTDIR -e SC2317,SC2119,SC2120 "$file" || echo fault
    fi
done | awk '$0 == "fault" { faults = 1; next } { print }
    END { if (!faults) print "shell: every script passes shellcheck"; exit faults }'
