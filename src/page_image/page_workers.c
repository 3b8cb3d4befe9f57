#include "page_image/page_workers.h"

#include <stdlib.h>

#include "base/large_pages.h"
#include "base/relay.h"
#include "mupdf/engine.h"

#define STACK_BYTES ((size_t) 4 << 20)
#define TRIM_PAGES  64

struct page_workers {
    struct page_workers_job job;
    int n;
    struct relay *relay;
};

/* The state of one thread. */
struct page_worker {
    const struct page_workers *workers;
    fz_context *ctx;
    struct mupdf_document doc;
    void *encoder;
    uint8_t *pixels;
    size_t room, n_made;
};

static int open_worker(struct page_worker *worker, struct err *err)
{
    const struct page_workers_job *job = &worker->workers->job;

    if (!worker->ctx)
        worker->ctx = engine_apart(worker->workers->n, err);
    if (!worker->ctx)
        return -1;
    fz_set_aa_level(worker->ctx, job->smooth ? 8 : 0);
    engine_own(worker->ctx)->lossy = job->format->lossy;
    if (!worker->encoder)
        worker->encoder = job->format->open(err);
    if (!worker->encoder)
        return -1;
    return mupdf_document_open_again(&worker->doc, worker->ctx, job->doc, job->path, job->password,
                                     err);
}

static void close_worker(const void *cls, void *state)
{
    const struct page_workers *workers = cls;
    struct page_worker *worker = state;

    mupdf_document_close(&worker->doc);
    if (worker->encoder)
        workers->job.format->close(worker->encoder);
    if (worker->ctx)
        engine_clone_free(worker->ctx);
    free(worker->pixels);
}

static int make_room(struct page_worker *worker, const struct page_drawing *drawing,
                     struct err *err)
{
    size_t bytes = (size_t) drawing->width * (size_t) drawing->height * drawing->kind;

    if (bytes <= worker->room)
        return 0;
    free(worker->pixels);
    worker->pixels = malloc(bytes);
    large_pages_ask(worker->pixels, bytes);
    worker->room = worker->pixels ? bytes : 0;
    return worker->pixels ? 0 : engine_no_memory(err);
}

static int print(struct page_worker *worker, const struct page_drawing *drawing, struct buf *file,
                 struct err *err)
{
    const struct image_format *format = worker->workers->job.format;
    struct pixmap pixmap = { .width = (uint32_t) drawing->width,
                             .height = (uint32_t) drawing->height,
                             .stride = (size_t) drawing->width * drawing->kind,
                             .kind = drawing->kind,
                             .premultiplied = page_drawing_has_alpha(drawing) };

    if (make_room(worker, drawing, err) < 0 ||
        page_drawing_draw(drawing, worker->ctx, 0, drawing->height, worker->pixels, err) < 0)
        return -1;
    pixmap.samples = worker->pixels;
    if (format->write(worker->encoder, format->options, &pixmap, sink_buf(file), err) < 0)
        return -1;
    return file->failed ? engine_no_memory(err) : 0;
}

static int make_page(const void *cls, void *state, size_t number, void *item, struct err *err)
{
    const struct page_workers *workers = cls;
    const struct page_workers_job *job = &workers->job;
    struct page_worker *worker = state;
    struct page_workers_page *page = item;
    struct page_drawing drawing = { 0 };
    int done = 0;

    page->file.len = 0;
    page->large = page->damaged = false;
    worker->workers = workers;
    if (!worker->doc.pdf && open_worker(worker, err) < 0)
        return -1;
    if (page_drawing_open(&drawing, &worker->doc, job->pages[number], job->drawing, err) < 0)
        return -1;
    page->damaged = drawing.damaged;
    page->large = (size_t) drawing.width * (size_t) drawing.height > job->whole_pixels;
    if (!page->large)
        done = print(worker, &drawing, &page->file, err);
    page_drawing_close(&drawing, &worker->doc);
    if (++worker->n_made % TRIM_PAGES == 0)
        mupdf_document_trim(&worker->doc);
    return done;
}

static void clear_page(void *item)
{
    struct page_workers_page *page = item;

    buf_free(&page->file);
}

struct page_workers *page_workers_start(const struct page_workers_job *job, int n, struct err *err)
{
    struct page_workers *workers = calloc(1, sizeof *workers);
    struct relay_work work = { .name = "worker",
                               .stack_bytes = STACK_BYTES,
                               .n = job->n_pages,
                               .state_bytes = sizeof(struct page_worker),
                               .item_bytes = sizeof(struct page_workers_page),
                               .cls = workers,
                               .make = make_page,
                               .close = close_worker,
                               .clear = clear_page };

    if (!workers) {
        err_sys(err, "workers");
        return NULL;
    }
    workers->job = *job;
    workers->n = n > RELAY_THREADS ? RELAY_THREADS : n;
    engine_expect(workers->n);
    workers->relay = relay_start(&work, workers->n, err);
    if (workers->relay)
        return workers;
    free(workers);
    return NULL;
}

int page_workers_next(struct page_workers *workers, struct page_workers_page **page,
                      struct err *err)
{
    void *item;
    int done = relay_next(workers->relay, &item, err);

    *page = item;
    return done;
}

void page_workers_free(struct page_workers *workers)
{
    if (workers)
        relay_free(workers->relay);
    free(workers);
}
