/*
 * engine: sets up MuPDF. This folder alone includes MuPDF's headers; it and the folders page_image,
 * page_text, page_search and compare use fz_try (check/banned.sh), which jumps, so that a function
 * with one owns nothing that cleans itself up. JavaScript stays off, and MuPDF's messages are not
 * printed.
 */
#pragma once

#include <mupdf/fitz.h>
#include <stdbool.h>

#include "base/err.h"
#include "engine/mupdf/damage.h"

/* The process's context, made on the first call; for one thread at a time. */
fz_context *engine_context(struct err *err);
/* A context for another thread, with the same cache. Made and freed by the thread that owns the
 * first. */
fz_context *engine_clone(struct err *err);
void engine_clone_free(fz_context *ctx);
/*
 * A context that shares nothing, for a thread that makes, uses and frees it alone: no thread waits
 * for another. `engines` such contexts share the limit of the cache. engine_expect, called before
 * their threads start, also prevents them from waiting for each other's memory.
 */
fz_context *engine_apart(int engines, struct err *err);
void engine_expect(int engines);

/* Our data of a context that was made here; NULL for any other. */
struct engine_own {
    struct damage_state damage; /* must be the first member (damage.h) */
    bool lossy;                 /* pixels need not be exact (patch_image_scale.c) */
    bool soft_hyphens; /* fonts that are loaded tell soft hyphens of Latin encodings from hyphens */
    bool cut;          /* a stream was cut since a guard was made (guard.h) */
    /* Transfer functions of soft masks (patch_soft_mask.c): a level for each level, or NULL. */
    const unsigned char *transfer_next; /* of the mask that begins */
    const unsigned char *transfer;      /* of the mask that ends */
    struct soft_masks *soft_masks;      /* all that are known */
    void *transfer_function;            /* pdf_obj of the graphics state that is being set */
    /* For measurements: estimated bytes of the page that recorded most, and the most that was open
     * at the same time. */
    struct engine_most {
        double kept, open;
    } most;
};
struct engine_own *engine_own(fz_context *ctx);

/* To be called in zygotes: does all set-up that a first page would need, so that forked processes
 * have it done. */
void engine_warm(void);

/*
 * To be called in fz_catch: converts the exception to an err, and returns -1. A failed allocation
 * is ERR_LIMIT_EXCEEDED, anything else ERR_CORRUPT_FILE: `what` ("page 3") of the document could
 * not be read.
 */
int engine_caught(fz_context *ctx, const char *what, struct err *err);
/*
 * Fails with ERR_LIMIT_EXCEEDED if an allocation has failed since the process began. MuPDF omits
 * what it has no memory for and continues: what was drawn since then may lack pictures. MuPDF's own
 * allocations are watched, and by `refused`, if set, those of the libraries that it uses.
 */
int engine_check_memory(struct err *err);
/* Sets the error for a failed allocation; -1. */
int engine_no_memory(struct err *err);
/* Sets `refused`, which says whether an allocation outside MuPDF has failed. */
void engine_watch_memory(bool (*refused)(void));
