#!/bin/sh
# embed: prints a file as a C text of the given name, ended by a NUL.
set -eu
printf 'extern const char %s[];\nconst char %s[] = {' "$2" "$2"
od -An -v -td1 "$1" | sed 's/  */,/g; s/^,//; s/$/,/'
echo '0 };'
