. "$(dirname "$0")/tap.sh"
