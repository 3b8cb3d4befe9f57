/* launch: how Chromium is started, and what it may do (docs/decisions/0018). */
#pragma once

#include "sandbox/zygote/companion.h"

#define LAUNCH_PROGRAM "/usr/lib/chromium/chromium-headless-shell"
/* What the files may have that Chromium writes for one job. */
#define LAUNCH_FOLDER_BYTES 500000000

extern const struct companion_setup launch_browser;

/* Whether Chromium is here, and this machine lets it confine its processes. ERR_UNSUPPORTED_CONTENT
 * says what is missing. */
int launch_look(struct err *err);
