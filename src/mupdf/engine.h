/*
 * engine: MuPDF, made ready. this folder alone includes its headers; it and the folders
 * page_image, page_text and compare use fz_try (check/banned.sh): that jumps, so that a function
 * with one owns nothing that cleans itself. JavaScript stays off, and what MuPDF has to say is not
 * printed.
 */
#pragma once

#include <mupdf/fitz.h>
#include <stdbool.h>

#include "base/err.h"

/* The process's context, made on the first call; for one thread at a time. */
fz_context *engine_context(struct err *err);
/* One for another thread, with the same cache. Made and freed by the thread that has the first. */
fz_context *engine_clone(struct err *err);
void engine_clone_free(fz_context *ctx);
/*
 * One that shares nothing, for a thread that makes, uses and frees it alone: no other waits for it.
 * `engines` of them share the room for the cache. engine_expect, before their threads start, sees
 * to it that they do not wait for each other's memory either.
 */
fz_context *engine_apart(int engines, struct err *err);
void engine_expect(int engines);

/* What a context of engine_clone or engine_apart has beside MuPDF's; NULL for any other. */
struct engine_own {
    bool lossy; /* pixels need not be exact (patch_image_scale.c) */
};
struct engine_own *engine_own(fz_context *ctx);

/* For zygotes: does all a first page would do, so that later processes find it done. */
void engine_warm(void);

/*
 * In fz_catch: what was caught as an err, -1. Memory that was refused is ERR_LIMIT_EXCEEDED,
 * anything else ERR_CORRUPT_FILE: `what` of the document could not be read ("page 3").
 */
int engine_caught(fz_context *ctx, const char *what, struct err *err);
/*
 * ERR_LIMIT_EXCEEDED if memory was refused since the process began. MuPDF leaves out what it has no
 * memory for and goes on: what was drawn since may lack pictures. MuPDF's own memory is watched,
 * and by `refused`, if there is one, that of the libraries it uses.
 */
int engine_check_memory(struct err *err);
/* The error for memory that was refused; -1. */
int engine_no_memory(struct err *err);
void engine_watch_memory(bool (*refused)(void));
