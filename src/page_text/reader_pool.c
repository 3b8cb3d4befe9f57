#include "page_text/reader_pool.h"

#include <stdlib.h>

#include "base/relay.h"
#include "mupdf/engine.h"

#define STACK_BYTES ((size_t) 8 << 20)
#define TRIM_PAGES  16

/* A page that was read. */
struct page {
    struct sheet sheet;
    bool repaired;
};

struct reader_pool {
    struct reader_pool_job order;
    int n;
    struct relay *relay;
};

/* The state of one thread. */
struct reader {
    const struct reader_pool *readers;
    fz_context *ctx;
    struct mupdf_document doc;
    struct page_reader pages;
    size_t n_read;
};

static int open_reader(struct reader *reader, struct err *err)
{
    const struct reader_pool_job *order = &reader->readers->order;

    if (!reader->ctx)
        reader->ctx = engine_apart(reader->readers->n, err);
    if (!reader->ctx || mupdf_document_open_again(&reader->doc, reader->ctx, order->reader->doc,
                                                  order->path, order->password, err) < 0)
        return -1;
    if (page_reader_open_again(&reader->pages, &reader->doc, order->reader, err) == 0)
        return 0;
    mupdf_document_close(&reader->doc);
    return -1;
}

static void close_reader(const void *cls, void *state)
{
    struct reader *reader = state;

    (void) cls;
    if (reader->doc.pdf)
        page_reader_close(&reader->pages);
    mupdf_document_close(&reader->doc);
    if (reader->ctx)
        engine_clone_free(reader->ctx);
}

static int read_page(const void *cls, void *state, size_t number, void *item, struct err *err)
{
    const struct reader_pool *readers = cls;
    struct reader *reader = state;
    struct page *page = item;

    page->repaired = false;
    reader->readers = readers;
    if (!reader->doc.pdf && open_reader(reader, err) < 0)
        return -1;
    if (page_reader_read_apart(&reader->pages, readers->order.pages[number], PAGE_READER_ALL,
                               &page->sheet, err) < 0)
        return -1;
    page->repaired = pdf_was_repaired(reader->ctx, reader->doc.pdf);
    if (++reader->n_read % TRIM_PAGES == 0)
        mupdf_document_trim(&reader->doc);
    return 0;
}

static void clear_page(void *item)
{
    struct page *page = item;

    sheet_free(&page->sheet);
}

struct reader_pool *reader_pool_start(const struct reader_pool_job *order, int n, struct err *err)
{
    struct reader_pool *readers = calloc(1, sizeof *readers);
    struct relay_work work = { .name = "reader",
                               .stack_bytes = STACK_BYTES,
                               .n = order->n_pages,
                               .state_bytes = sizeof(struct reader),
                               .item_bytes = sizeof(struct page),
                               .cls = readers,
                               .make = read_page,
                               .close = close_reader,
                               .clear = clear_page };

    if (!readers) {
        err_sys(err, "readers");
        return NULL;
    }
    readers->order = *order;
    readers->n = n > RELAY_THREADS ? RELAY_THREADS : n;
    engine_expect(readers->n);
    readers->relay = relay_start(&work, readers->n, err);
    if (readers->relay)
        return readers;
    free(readers);
    return NULL;
}

int reader_pool_next(struct reader_pool *readers, struct sheet *sheet, bool *repaired,
                     struct err *err)
{
    void *item;
    int done = relay_next(readers->relay, &item, err);
    struct page *page = item;

    *sheet = page->sheet;
    *repaired = page->repaired;
    page->sheet = (struct sheet){ 0 };
    return done;
}

void reader_pool_free(struct reader_pool *readers)
{
    if (readers)
        relay_free(readers->relay);
    free(readers);
}
