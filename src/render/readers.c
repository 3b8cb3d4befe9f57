#include "render/readers.h"

#include <stdlib.h>

#include "base/thread.h"
#include "render/engine.h"

#define MAX_READERS 16
#define STACK_BYTES ((size_t) 8 << 20)
#define TRIM_PAGES  16

/* A page at work or waiting to be fetched. */
struct place {
    struct sheet sheet;
    struct err err;
    bool failed, repaired, done;
};

struct readers {
    struct reader_order order;
    pthread_t threads[MAX_READERS];
    int n;
    pthread_mutex_t lock; /* guards what follows */
    pthread_cond_t fetched, done;
    struct place places[2 * MAX_READERS]; /* page i is in place i modulo n_places */
    size_t n_places, begun, next;         /* pages */
    bool ending;
};

/* One thread's own. */
struct reader {
    struct readers *readers;
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

static void close_reader(struct reader *reader)
{
    if (reader->doc.pdf)
        sheets_close(&reader->sheets);
    document_close(&reader->doc);
    if (reader->ctx)
        engine_clone_free(reader->ctx);
}

static int read_page(struct reader *reader, size_t number, struct place *place)
{
    if (!reader->doc.pdf && open_reader(reader, &place->err) < 0)
        return -1;
    if (sheets_read_apart(&reader->sheets, number, SHEETS_ALL, &place->sheet, &place->err) < 0)
        return -1;
    place->repaired = pdf_was_repaired(reader->ctx, reader->doc.pdf);
    if (++reader->n_read % TRIM_PAGES == 0)
        document_trim(&reader->doc);
    return 0;
}

/* The next page that nobody has begun, once there is a place for it; false: there is none. */
static bool take_page(struct readers *readers, size_t *taken)
{
    while (!readers->ending && readers->begun < readers->order.n_pages &&
           readers->begun >= readers->next + readers->n_places)
        pthread_cond_wait(&readers->fetched, &readers->lock);
    if (readers->ending || readers->begun == readers->order.n_pages)
        return false;
    *taken = readers->begun++;
    return true;
}

static void *work(void *arg)
{
    struct readers *readers = arg;
    struct reader reader = { .readers = readers };
    size_t taken;

    pthread_mutex_lock(&readers->lock);
    while (take_page(readers, &taken)) {
        struct place *place = &readers->places[taken % readers->n_places];

        pthread_mutex_unlock(&readers->lock);
        place->failed = read_page(&reader, readers->order.pages[taken], place) < 0;
        pthread_mutex_lock(&readers->lock);
        place->done = true;
        pthread_cond_broadcast(&readers->done);
    }
    pthread_mutex_unlock(&readers->lock);
    close_reader(&reader);
    return NULL;
}

struct readers *readers_start(const struct reader_order *order, int n, struct err *err)
{
    struct readers *readers = calloc(1, sizeof *readers);

    if (!readers) {
        err_sys(err, "readers");
        return NULL;
    }
    readers->order = *order;
    pthread_mutex_init(&readers->lock, NULL);
    pthread_cond_init(&readers->fetched, NULL);
    pthread_cond_init(&readers->done, NULL);
    n = n > MAX_READERS ? MAX_READERS : n;
    readers->n_places = 2 * (size_t) n;
    engine_expect(n);
    pthread_mutex_lock(&readers->lock); /* `n` is known when they begin */
    while (readers->n < n && thread_start_deep(&readers->threads[readers->n], "reader", STACK_BYTES,
                                               work, readers, err) == 0)
        readers->n++;
    pthread_mutex_unlock(&readers->lock);
    if (readers->n == n)
        return readers;
    readers_free(readers);
    return NULL;
}

int readers_next(struct readers *readers, struct sheet *sheet, bool *repaired, struct err *err)
{
    struct place *place = &readers->places[readers->next % readers->n_places];
    bool failed;

    pthread_mutex_lock(&readers->lock);
    while (!place->done)
        pthread_cond_wait(&readers->done, &readers->lock);
    *sheet = place->sheet;
    *repaired = place->repaired;
    failed = place->failed;
    if (failed)
        *err = place->err;
    place->sheet = (struct sheet){ 0 };
    place->done = place->repaired = false;
    readers->next++;
    pthread_cond_broadcast(&readers->fetched);
    pthread_mutex_unlock(&readers->lock);
    return failed ? -1 : 0;
}

void readers_free(struct readers *readers)
{
    if (!readers)
        return;
    pthread_mutex_lock(&readers->lock);
    readers->ending = true;
    pthread_cond_broadcast(&readers->fetched);
    pthread_mutex_unlock(&readers->lock);
    for (int i = 0; i < readers->n; i++)
        pthread_join(readers->threads[i], NULL);
    for (size_t i = 0; i < readers->n_places; i++)
        sheet_free(&readers->places[i].sheet);
    pthread_mutex_destroy(&readers->lock);
    pthread_cond_destroy(&readers->fetched);
    pthread_cond_destroy(&readers->done);
    free(readers);
}
