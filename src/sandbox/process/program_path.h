/* program_path: where the server's helper programs are. */
#pragma once

#include <stddef.h>

#include "base/err.h"

#define ZYGOTE_CONTROL 3 /* the descriptor of the control socket in the program */

/* Makes the path FOLDER/name; an empty folder means that of the running program or, if it does
 * not contain the program, the one that the build installs worker programs in. */
int program_path(const char *folder, const char *name, char *out, size_t cap, struct err *err);
