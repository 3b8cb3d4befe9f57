#!/bin/sh
# embed: prints a file as C bytes of the given name, and their number as NAME_bytes.
set -eu
printf '#include <stddef.h>\nextern const unsigned char %s[];\nextern const size_t %s_bytes;\n' "$2" "$2"
printf 'const unsigned char %s[] = {' "$2"
od -An -v -tu1 "$1" | sed 's/  */,/g; s/^,//; s/$/,/'
printf '};\nconst size_t %s_bytes = sizeof %s;\n' "$2" "$2"
