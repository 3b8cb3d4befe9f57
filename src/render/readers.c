#include "render/readers.h"

#include <stdlib.h>

#include "base/relay.h"
#include "render/engine.h"

#define STACK_BYTES ((size_t) 8 << 20)
#define TRIM_PAGES  16

/* A page that was read. */
struct page {
    struct sheet sheet;
    bool repaired;
};

struct readers {
    struct reader_order order;
    int n;
    struct relay *relay;
};

/* One thread's own. */
struct reader {
    const struct readers *readers;
    fz_context *ctx;
    struct document doc;
    struct sheets sheets;
    size_t n_read;
};

static int open_reader(struct reader *reader, struct err *err)
{
    const struct reader_order *order = &reader->readers->order;

    if (!reader->ctx)
        reader->ctx = engine_apart(reader->readers->n, err);
    if (!reader->ctx || document_open_again(&reader->doc, reader->ctx, order->sheets->doc,
                                            order->path, order->password, err) < 0)
        return -1;
    if (sheets_open_again(&reader->sheets, &reader->doc, order->sheets, err) == 0)
        return 0;
    document_close(&reader->doc);
    return -1;
}

static void close_reader(const void *cls, void *own)
{
    struct reader *reader = own;

    (void) cls;
    if (reader->doc.pdf)
        sheets_close(&reader->sheets);
    document_close(&reader->doc);
    if (reader->ctx)
        engine_clone_free(reader->ctx);
}

static int read_page(const void *cls, void *own, size_t number, void *thing, struct err *err)
{
    const struct readers *readers = cls;
    struct reader *reader = own;
    struct page *page = thing;

    page->repaired = false;
    reader->readers = readers;
    if (!reader->doc.pdf && open_reader(reader, err) < 0)
        return -1;
    if (sheets_read_apart(&reader->sheets, readers->order.pages[number], SHEETS_ALL, &page->sheet,
                          err) < 0)
        return -1;
    page->repaired = pdf_was_repaired(reader->ctx, reader->doc.pdf);
    if (++reader->n_read % TRIM_PAGES == 0)
        document_trim(&reader->doc);
    return 0;
}

static void clear_page(void *thing)
{
    struct page *page = thing;

    sheet_free(&page->sheet);
}

struct readers *readers_start(const struct reader_order *order, int n, struct err *err)
{
    struct readers *readers = calloc(1, sizeof *readers);
    struct relay_work work = { .name = "reader",
                               .stack_bytes = STACK_BYTES,
                               .n = order->n_pages,
                               .own_bytes = sizeof(struct reader),
                               .thing_bytes = sizeof(struct page),
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

int readers_next(struct readers *readers, struct sheet *sheet, bool *repaired, struct err *err)
{
    void *thing;
    int done = relay_next(readers->relay, &thing, err);
    struct page *page = thing;

    *sheet = page->sheet;
    *repaired = page->repaired;
    page->sheet = (struct sheet){ 0 };
    return done;
}

void readers_free(struct readers *readers)
{
    if (readers)
        relay_free(readers->relay);
    free(readers);
}
