/*
 * strips: draws pages of documents as pictures, and tells where their words are, for a browser that
 * shows many of them. A worker
 * draws them in strips of neighbouring pages, which are cached in nameless files until space is
 * needed, they were not used for a while, or their document was deleted. Strips have threads of
 * their own, so that neither previews nor jobs wait for each other. Accounts take turns. Of an
 * account the latest request is drawn first; only a few of its strips wait, and the oldest of them
 * is dropped (ERR_OVERLOADED), because the user has scrolled on.
 */
#pragma once

#include <stdbool.h>

#include "server/api_call/api.h"

#define STRIPS_WIDTH_MIN 40 /* limits of the width of a picture in pixels */
#define STRIPS_WIDTH_MAX 2000
#define STRIPS_SOURCE    400  /* room for "upload:..." or "job:...", with a NUL */
#define STRIPS_PASSWORD  1001 /* room for a password with its NUL */

struct strips;

enum strips_what {
    STRIPS_SIZES,    /* of all pages, as page-sizes returns them */
    STRIPS_PICTURES, /* of `width` */
    STRIPS_WORDS,    /* JSON, as page-words returns it */
    STRIPS_OUTLINE,  /* likewise */
};

struct strips_order {
    enum strips_what what;
    int64_t account;
    char source[STRIPS_SOURCE]; /* a reference to one document (server/api_submit/reference.h) */
    int width;                  /* in pixels; 0 for what is not a picture */
    size_t page;                /* index, from 0; 0 for what is of no page */
    char password[STRIPS_PASSWORD]; /* "": none. With a password nothing is cached */
};

/* A range of bytes of a file. The strip owns the descriptor. */
struct strips_picture {
    int fd;
    int64_t offset, bytes;
};

/* Makes `threads` threads; `keep`: limit of the cache in bytes. The other members of `api` must
 * be set before the first request. */
struct strips *strips_new(struct api *api, size_t threads, int64_t keep, struct err *err);
/* Stops drawing; from then on every result is ERR_SHUTTING_DOWN. */
void strips_stop(struct strips *strips);
/* Frees all; no call may follow. */
void strips_free(struct strips *strips);

/*
 * Requests a picture. Calls ready(arg, picture, err) once: at once, on this thread, if the picture
 * is cached, else from another thread. picture is NULL for an error: those of reference_list_open
 * and of the tools, with their codes; ERR_PAGE_OUT_OF_RANGE, ERR_UNSUPPORTED_FILE_TYPE,
 * ERR_OVERLOADED.
 */
void strips_ask(struct strips *strips, const struct strips_order *order,
                void (*ready)(void *arg, const struct strips_picture *picture,
                              const struct err *err),
                void *arg);
/* Drops pictures of a document that was deleted, or of all whose source begins with this text. */
void strips_forget(struct strips *strips, const char *source);
