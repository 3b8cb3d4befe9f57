#include "engine/page_image/page_workers.h"

#include <stdlib.h>

#include "base/system/large_pages.h"
#include "engine/mupdf/engine.h"

/* The state of one thread. */
struct page_worker {
    struct document_pool_thread thread;
    void *encoder;
    uint8_t *pixels;
    size_t room;
};

static int open_worker(struct document_pool_thread *thread, struct err *err)
{
    struct page_worker *worker = (struct page_worker *) thread;
    const struct page_workers_job *job = thread->arg;

    fz_set_aa_level(thread->ctx, job->smooth ? 8 : 0);
    engine_own(thread->ctx)->lossy = job->format->lossy;
    if (!worker->encoder)
        worker->encoder = job->format->open(err);
    return worker->encoder ? 0 : -1;
}

static void close_worker(struct document_pool_thread *thread)
{
    struct page_worker *worker = (struct page_worker *) thread;
    const struct page_workers_job *job = thread->arg;

    if (worker->encoder)
        job->format->close(worker->encoder);
    free(worker->pixels);
}

static int make_pixels(struct page_worker *worker, const struct page_drawing *drawing,
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

static int print(struct page_worker *worker, const struct page_drawing *drawing,
                 struct page_workers_page *page, struct err *err)
{
    const struct image_format *format =
        ((const struct page_workers_job *) worker->thread.arg)->format;
    struct pixmap pixmap = { .width = (uint32_t) drawing->width,
                             .height = (uint32_t) drawing->height,
                             .stride = (size_t) drawing->width * drawing->kind,
                             .kind = drawing->kind,
                             .premultiplied = page_drawing_has_alpha(drawing) };

    if (make_pixels(worker, drawing, err) < 0 ||
        page_drawing_draw(drawing, worker->thread.ctx, 0, drawing->height, worker->pixels,
                          &page->damage, err) < 0)
        return -1;
    pixmap.samples = worker->pixels;
    if (format->write(worker->encoder, format->options, &pixmap, sink_buf(&page->file), err) < 0)
        return -1;
    return page->file.failed ? engine_no_memory(err) : 0;
}

static int make_page(struct document_pool_thread *thread, size_t number, void *item,
                     struct err *err)
{
    const struct page_workers_job *job = thread->arg;
    struct page_workers_page *page = item;
    struct page_drawing drawing = { 0 };
    int done = 0;

    page->file.len = 0;
    if (page_drawing_open(&drawing, &thread->doc, number, job->drawing, err) < 0)
        return -1;
    page->damage = drawing.damage;
    page->large = (size_t) drawing.width * (size_t) drawing.height > job->whole_pixels;
    if (!page->large)
        done = print((struct page_worker *) thread, &drawing, page, err);
    page->damaged = drawing.damaged || page->damage.n > 0;
    page_drawing_close(&drawing, &thread->doc);
    return done;
}

static void clear_page(void *item)
{
    struct page_workers_page *page = item;

    buf_free(&page->file);
}

struct document_pool *page_workers_start(const struct page_workers_job *job,
                                         const struct document_pool_pages *pages, int n,
                                         struct err *err)
{
    static const struct document_pool_work work = { .name = "worker",
                                                    .stack_bytes = (size_t) 4 << 20,
                                                    .trim_pages = 64,
                                                    .state_bytes = sizeof(struct page_worker),
                                                    .item_bytes = sizeof(struct page_workers_page),
                                                    .open = open_worker,
                                                    .make = make_page,
                                                    .close = close_worker,
                                                    .clear = clear_page };

    return document_pool_start(&work, pages, job, n, err);
}
