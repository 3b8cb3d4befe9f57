/* prefer: the header Prefer (RFC 7240). What cannot be understood is no preference. */
#pragma once

#include <stdint.h>

#define PREFER_WAIT_MAX 60 /* seconds */

/* The seconds of `wait=N`, at most PREFER_WAIT_MAX; 0 if there is none. `text` may be NULL. */
int64_t prefer_wait(const char *text);
