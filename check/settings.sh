#!/bin/sh
# settings.sh [ROOT]: docs/settings.md and packaging/platen.conf are made from the table of settings.
set -eu
exec python3 "$(dirname "$0")/settings.py" --check "${1:-$(dirname "$0")/..}"
