/*
 * document_pool: threads that make something of each page of a document, each with a MuPDF context
 * and document of its own, so that none waits for another. What they made is handed over in the
 * order of pages; a limited number is made ahead (base/system/relay.h).
 */
#pragma once

#include "engine/mupdf/mupdf_document.h"
#include "engine/mupdf/page_selection.h"

struct document_pool;

/* The pages, all borrowed until the pool is freed. */
struct document_pool_pages {
    const struct mupdf_document *doc; /* open; the pool uses its file only */
    const char *path, *password;      /* of the document */
    const struct page_selection *selection;
};

/* What begins the state of a thread. */
struct document_pool_thread {
    const void *arg; /* of document_pool_start */
    fz_context *ctx;
    struct mupdf_document doc;
    size_t n_made;
};

/* What is made of pages; static. */
struct document_pool_work {
    const char *name; /* of the threads, at most 15 letters */
    size_t stack_bytes;
    size_t trim_pages; /* a thread's document is trimmed after this number of pages */
    /* size of a thread's state, which starts zeroed and begins with a document_pool_thread */
    size_t state_bytes;
    /* size of what is made; it starts zeroed and is reused for later pages without being cleared */
    size_t item_bytes;
    /* Completes a thread's state, when its document is open. */
    int (*open)(struct document_pool_thread *thread, struct err *err);
    /* Makes *item of a page, counted from 0. -1: it could not be made; the others are all the
     * same. */
    int (*make)(struct document_pool_thread *thread, size_t page, void *item, struct err *err);
    /* Frees what `open` made; also called if that failed, or was not called. */
    void (*close)(struct document_pool_thread *thread);
    void (*clear)(void *item); /* frees an item */
};

/* Starts n threads, at most RELAY_THREADS. `arg` is borrowed. */
struct document_pool *document_pool_start(const struct document_pool_work *work,
                                          const struct document_pool_pages *pages, const void *arg,
                                          int n, struct err *err);
/* Waits for what was made of the next page. It is borrowed until the next call, also if -1 is
 * returned: an error of `make` or `open`, or the document could not be opened again. */
int document_pool_next(struct document_pool *pool, void **item, struct err *err);
/* Waits for the pages in progress and drops those that were not fetched. NULL is fine. */
void document_pool_free(struct document_pool *pool);
