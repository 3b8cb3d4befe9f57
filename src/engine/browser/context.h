/*
 * context: a browser context for one job in a Chromium that shows pages of several, one after the
 * other. It has its own cookies, storage, caches and processes that show pages; with it all of that
 * is gone.
 */
#pragma once

#include "engine/browser/devtools.h"

struct context {
    struct devtools *devtools;
    bool disposed;     /* it is to be left: Chromium may be kept for another job */
    char id[64];       /* "": the context that Chromium begins with */
    json_t *processes; /* of Chromium, before the page was asked for */
};

/* Makes a context with an empty page, of which an event tells. */
int context_make(struct context *context, struct err *err);
/* Notes Chromium's processes, if the context is to be left. */
void context_note(struct context *context);
/* Begins to dispose of the context, with all pages in it, if it is to be left. */
void context_dispose(struct context *context);
/* Waits until nothing is left of it. False: Chromium is not as it was before, or it was not to be
 * left. */
bool context_is_gone(struct context *context);
void context_free(struct context *context);
