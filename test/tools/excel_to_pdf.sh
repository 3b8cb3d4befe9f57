#!/bin/sh
# excel-to-pdf.
. "$(dirname "$0")/tap.sh"
done_testing
