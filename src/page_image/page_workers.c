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

static int open_press(struct page_worker *press, struct err *err)
{
    const struct page_workers_job *job = &press->workers->job;

    if (!press->ctx)
        press->ctx = engine_apart(press->workers->n, err);
    if (!press->ctx)
        return -1;
    fz_set_aa_level(press->ctx, job->smooth ? 8 : 0);
    engine_own(press->ctx)->lossy = job->format->lossy;
    if (!press->encoder)
        press->encoder = job->format->open(job->format->options, err);
    if (!press->encoder)
        return -1;
    return mupdf_document_open_again(&press->doc, press->ctx, job->doc, job->path, job->password,
                                     err);
}

static void close_press(const void *cls, void *own)
{
    const struct page_workers *workers = cls;
    struct page_worker *press = own;

    mupdf_document_close(&press->doc);
    if (press->encoder)
        workers->job.format->close(press->encoder);
    if (press->ctx)
        engine_clone_free(press->ctx);
    free(press->pixels);
}

static int make_room(struct page_worker *press, const struct page_drawing *drawing, struct err *err)
{
    size_t bytes = (size_t) drawing->width * (size_t) drawing->height * drawing->kind;

    if (bytes <= press->room)
        return 0;
    free(press->pixels);
    press->pixels = malloc(bytes);
    large_pages_ask(press->pixels, bytes);
    press->room = press->pixels ? bytes : 0;
    return press->pixels ? 0 : engine_no_memory(err);
}

static int print(struct page_worker *press, const struct page_drawing *drawing, struct buf *file,
                 struct err *err)
{
    struct pixmap pixmap = { .width = (uint32_t) drawing->width,
                             .height = (uint32_t) drawing->height,
                             .stride = (size_t) drawing->width * drawing->kind,
                             .kind = drawing->kind,
                             .premultiplied = page_drawing_has_alpha(drawing) };

    if (make_room(press, drawing, err) < 0 ||
        page_drawing_draw(drawing, press->ctx, 0, drawing->height, press->pixels, err) < 0)
        return -1;
    pixmap.samples = press->pixels;
    if (press->workers->job.format->write(press->encoder, &pixmap, sink_buf(file), err) < 0)
        return -1;
    return file->failed ? engine_no_memory(err) : 0;
}

static int make_page(const void *cls, void *own, size_t number, void *thing, struct err *err)
{
    const struct page_workers *workers = cls;
    const struct page_workers_job *job = &workers->job;
    struct page_worker *press = own;
    struct page_workers_page *page = thing;
    struct page_drawing drawing = { 0 };
    int done = 0;

    page->file.len = 0;
    page->large = page->damaged = false;
    press->workers = workers;
    if (!press->doc.pdf && open_press(press, err) < 0)
        return -1;
    if (page_drawing_open(&drawing, &press->doc, job->pages[number], job->drawing, err) < 0)
        return -1;
    page->damaged = drawing.damaged;
    page->large = (size_t) drawing.width * (size_t) drawing.height > job->whole_pixels;
    if (!page->large)
        done = print(press, &drawing, &page->file, err);
    page_drawing_close(&drawing, &press->doc);
    if (++press->n_made % TRIM_PAGES == 0)
        mupdf_document_trim(&press->doc);
    return done;
}

static void clear_page(void *thing)
{
    struct page_workers_page *page = thing;

    buf_free(&page->file);
}

struct page_workers *page_workers_start(const struct page_workers_job *job, int n, struct err *err)
{
    struct page_workers *workers = calloc(1, sizeof *workers);
    struct relay_work work = { .name = "press",
                               .stack_bytes = STACK_BYTES,
                               .n = job->n_pages,
                               .own_bytes = sizeof(struct page_worker),
                               .thing_bytes = sizeof(struct page_workers_page),
                               .cls = workers,
                               .make = make_page,
                               .close = close_press,
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
    void *thing;
    int done = relay_next(workers->relay, &thing, err);

    *page = thing;
    return done;
}

void page_workers_free(struct page_workers *workers)
{
    if (workers)
        relay_free(workers->relay);
    free(workers);
}
