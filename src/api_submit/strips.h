/*
 * strips: pages of documents as pictures, for a browser that shows many of them: drawn by a worker
 * in strips of neighbouring pages, kept in nameless files until room is needed, nobody looked at
 * them for a while, or their document was deleted. They have threads of their own, so that nobody
 * who looks at pages waits for jobs, and jobs do not wait for them. What was asked for last is
 * drawn first; of one account only a few strips wait, and the oldest of them gives way
 * (ERR_OVERLOADED), as whoever scrolls by has gone.
 */
#pragma once

#include <stdbool.h>

#include "api_call/api.h"

#define STRIPS_WIDTH_MIN 40
#define STRIPS_WIDTH_MAX 2000
#define STRIPS_SOURCE    400 /* bytes of "upload:..." or "job:...", with a NUL */
#define STRIPS_PASSWORD  1001

struct strips;

struct strips_order {
    int64_t account;
    char source[STRIPS_SOURCE];     /* api_submit/reference.h: of one document */
    int width;                      /* pixels; 0: the sizes of all pages, as page-sizes tells */
    size_t page;                    /* from 0; 0 for the sizes */
    char password[STRIPS_PASSWORD]; /* "": none. With one nothing is kept */
};

/* What was asked for: bytes of a file. The descriptor stays the strip's. */
struct strips_picture {
    int fd;
    int64_t offset, bytes;
};

/* `threads` draw at a time; `keep` bytes of pictures are kept. The rest of `api` is there before
 * the first call. */
struct strips *strips_new(struct api *api, size_t threads, int64_t keep, struct err *err);
/* Ends what is being drawn; from then on every answer is ERR_SHUTTING_DOWN. */
void strips_stop(struct strips *strips);
/* No call may follow. */
void strips_free(struct strips *strips);

/*
 * Calls ready(cls, picture, err) once: at once, on this thread, if the picture is kept, else from
 * another. picture is NULL for an error: those of references_open and of the tools, with their
 * codes; ERR_PAGE_OUT_OF_RANGE, ERR_UNSUPPORTED_FILE_TYPE, ERR_OVERLOADED.
 */
void strips_ask(struct strips *strips, const struct strips_order *order,
                void (*ready)(void *cls, const struct strips_picture *picture,
                              const struct err *err),
                void *cls);
/* The document of this source, or of those that begin so, was deleted. */
void strips_forget(struct strips *strips, const char *source);
