/* started: the check of helper programs that the server has started them. */
#pragma once

#include <stdbool.h>

/* Whether the server started this program, with its socket as ZYGOTE_CONTROL; else prints an
 * explanation. */
bool started_by_server(const char *name);
