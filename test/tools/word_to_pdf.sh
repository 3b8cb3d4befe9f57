#!/bin/sh
# word-to-pdf.
. "$(dirname "$0")/tap.sh"
done_testing
