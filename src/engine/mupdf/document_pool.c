#include "engine/mupdf/document_pool.h"

#include <stdlib.h>

#include "base/system/relay.h"
#include "engine/mupdf/engine.h"

struct document_pool {
    const struct document_pool_work *work;
    struct document_pool_pages pages;
    const void *arg;
    int n_threads;
    struct relay *relay;
};

static int open_thread(const struct document_pool *pool, struct document_pool_thread *thread,
                       struct err *err)
{
    thread->arg = pool->arg;
    if (!thread->ctx)
        thread->ctx = engine_apart(pool->n_threads, err);
    if (!thread->ctx || mupdf_document_open_again(&thread->doc, thread->ctx, pool->pages.doc,
                                                  pool->pages.path, pool->pages.password, err) < 0)
        return -1;
    if (pool->work->open(thread, err) == 0)
        return 0;
    mupdf_document_close(&thread->doc);
    return -1;
}

static void close_thread(const void *arg, void *state)
{
    const struct document_pool *pool = arg;
    struct document_pool_thread *thread = state;

    pool->work->close(thread);
    mupdf_document_close(&thread->doc);
    if (thread->ctx)
        engine_clone_free(thread->ctx);
}

static int make_item(const void *arg, void *state, size_t number, void *item, struct err *err)
{
    const struct document_pool *pool = arg;
    struct document_pool_thread *thread = state;

    if (!thread->doc.pdf && open_thread(pool, thread, err) < 0)
        return -1;
    if (pool->work->make(thread, pool->pages.selection->pages[number], item, err) < 0)
        return -1;
    if (++thread->n_made % pool->work->trim_pages == 0)
        mupdf_document_trim(&thread->doc);
    return 0;
}

struct document_pool *document_pool_start(const struct document_pool_work *work,
                                          const struct document_pool_pages *pages, const void *arg,
                                          int n, struct err *err)
{
    struct document_pool *pool = calloc(1, sizeof *pool);
    struct relay_work relay = { .name = work->name,
                                .stack_bytes = work->stack_bytes,
                                .n = pages->selection->n,
                                .state_bytes = work->state_bytes,
                                .item_bytes = work->item_bytes,
                                .arg = pool,
                                .make = make_item,
                                .close = close_thread,
                                .clear = work->clear };

    if (!pool) {
        err_sys(err, "a pool of documents");
        return NULL;
    }
    *pool = (struct document_pool){ .work = work,
                                    .pages = *pages,
                                    .arg = arg,
                                    .n_threads = n > RELAY_THREADS ? RELAY_THREADS : n };
    engine_expect(pool->n_threads);
    pool->relay = relay_start(&relay, pool->n_threads, err);
    if (pool->relay)
        return pool;
    free(pool);
    return NULL;
}

int document_pool_next(struct document_pool *pool, void **item, struct err *err)
{
    return relay_next(pool->relay, item, err);
}

void document_pool_free(struct document_pool *pool)
{
    if (pool)
        relay_free(pool->relay);
    free(pool);
}
