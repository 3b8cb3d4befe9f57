#include "render/presses.h"

#include <stdlib.h>

#include "base/thread.h"
#include "render/engine.h"
#include "render/reduce.h"

#define MAX_PRESSES 16
#define STACK_BYTES ((size_t) 4 << 20)
#define TRIM_PAGES  64

/* A page at work or waiting to be fetched. */
struct place {
    struct press_page page;
    struct err err;
    bool failed, done;
};

struct presses {
    struct press_order order;
    pthread_t threads[MAX_PRESSES];
    int n;
    pthread_mutex_t lock; /* guards what follows */
    pthread_cond_t fetched, done;
    struct place places[2 * MAX_PRESSES]; /* page i is in place i modulo n_places */
    size_t n_places, begun, next;         /* pages */
    bool ending, started;                 /* started: `next` has been given out */
};

/* One thread's own. */
struct press {
    struct presses *presses;
    fz_context *ctx;
    struct document doc;
    void *encoder;
    uint8_t *pixels;
    size_t room, n_made;
};

static int open_press(struct press *press, struct err *err)
{
    const struct press_order *order = &press->presses->order;

    press->ctx = engine_apart(press->presses->n, err);
    if (!press->ctx)
        return -1;
    fz_set_aa_level(press->ctx, order->smooth ? 8 : 0);
    reduce_exactly(press->ctx, order->format->lossy);
    press->encoder = order->format->open(order->format->options, err);
    if (!press->encoder)
        return -1;
    return document_open_again(&press->doc, press->ctx, order->doc, order->path, order->password,
                               err);
}

static void close_press(struct press *press)
{
    document_close(&press->doc);
    if (press->encoder)
        press->presses->order.format->close(press->encoder);
    if (press->ctx)
        engine_clone_free(press->ctx);
    free(press->pixels);
}

static int make_room(struct press *press, const struct drawing *drawing, struct err *err)
{
    size_t bytes = (size_t) drawing->width * (size_t) drawing->height * drawing->kind;

    if (bytes <= press->room)
        return 0;
    free(press->pixels);
    press->pixels = malloc(bytes);
    press->room = press->pixels ? bytes : 0;
    return press->pixels ? 0 : engine_no_memory(err);
}

static int print(struct press *press, const struct drawing *drawing, struct buf *file,
                 struct err *err)
{
    struct pixmap pixmap = { .width = (uint32_t) drawing->width,
                             .height = (uint32_t) drawing->height,
                             .stride = (size_t) drawing->width * drawing->kind,
                             .kind = drawing->kind,
                             .premultiplied = drawing_has_alpha(drawing) };

    if (make_room(press, drawing, err) < 0 ||
        drawing_draw(drawing, press->ctx, 0, drawing->height, press->pixels, err) < 0)
        return -1;
    pixmap.samples = press->pixels;
    if (press->presses->order.format->write(press->encoder, &pixmap, sink_buf(file), err) < 0)
        return -1;
    return file->failed ? engine_no_memory(err) : 0;
}

static int make_page(struct press *press, size_t number, struct press_page *page, struct err *err)
{
    const struct press_order *order = &press->presses->order;
    struct drawing drawing = { 0 };
    int done = 0;

    if (!press->doc.pdf && open_press(press, err) < 0)
        return -1;
    if (drawing_open(&drawing, &press->doc, number, order->drawing, err) < 0)
        return -1;
    page->damaged = drawing.damaged;
    page->large = (size_t) drawing.width * (size_t) drawing.height > order->whole_pixels;
    if (!page->large)
        done = print(press, &drawing, &page->file, err);
    drawing_close(&drawing, &press->doc);
    if (++press->n_made % TRIM_PAGES == 0)
        document_trim(&press->doc);
    return done;
}

/* The next page that nobody has begun, once there is a place for it; false: there is none. */
static bool take_page(struct presses *presses, size_t *taken)
{
    while (!presses->ending && presses->begun < presses->order.n_pages &&
           presses->begun >= presses->next + presses->n_places)
        pthread_cond_wait(&presses->fetched, &presses->lock);
    if (presses->ending || presses->begun == presses->order.n_pages)
        return false;
    *taken = presses->begun++;
    return true;
}

static void *work(void *arg)
{
    struct presses *presses = arg;
    struct press press = { .presses = presses };
    size_t taken;

    pthread_mutex_lock(&presses->lock);
    while (take_page(presses, &taken)) {
        struct place *place = &presses->places[taken % presses->n_places];

        pthread_mutex_unlock(&presses->lock);
        place->page.file.len = 0;
        place->page.large = place->page.damaged = false;
        place->failed =
            make_page(&press, presses->order.pages[taken], &place->page, &place->err) < 0;
        pthread_mutex_lock(&presses->lock);
        place->done = true;
        pthread_cond_broadcast(&presses->done);
    }
    pthread_mutex_unlock(&presses->lock);
    close_press(&press);
    return NULL;
}

struct presses *presses_start(const struct press_order *order, int n, struct err *err)
{
    struct presses *presses = calloc(1, sizeof *presses);

    if (!presses) {
        err_sys(err, "presses");
        return NULL;
    }
    presses->order = *order;
    pthread_mutex_init(&presses->lock, NULL);
    pthread_cond_init(&presses->fetched, NULL);
    pthread_cond_init(&presses->done, NULL);
    n = n > MAX_PRESSES ? MAX_PRESSES : n;
    presses->n_places = 2 * (size_t) n;
    engine_expect(n);
    pthread_mutex_lock(&presses->lock); /* `n` is known when they begin */
    while (presses->n < n && thread_start_deep(&presses->threads[presses->n], "press", STACK_BYTES,
                                               work, presses, err) == 0)
        presses->n++;
    pthread_mutex_unlock(&presses->lock);
    if (presses->n == n)
        return presses;
    presses_free(presses);
    return NULL;
}

int presses_next(struct presses *presses, struct press_page **page, struct err *err)
{
    struct place *place;

    pthread_mutex_lock(&presses->lock);
    if (presses->started) {
        presses->places[presses->next++ % presses->n_places].done = false;
        pthread_cond_broadcast(&presses->fetched);
    }
    presses->started = true;
    place = &presses->places[presses->next % presses->n_places];
    while (!place->done)
        pthread_cond_wait(&presses->done, &presses->lock);
    pthread_mutex_unlock(&presses->lock);
    *page = &place->page;
    if (place->failed)
        *err = place->err;
    return place->failed ? -1 : 0;
}

void presses_free(struct presses *presses)
{
    if (!presses)
        return;
    pthread_mutex_lock(&presses->lock);
    presses->ending = true;
    pthread_cond_broadcast(&presses->fetched);
    pthread_mutex_unlock(&presses->lock);
    for (int i = 0; i < presses->n; i++)
        pthread_join(presses->threads[i], NULL);
    for (size_t i = 0; i < presses->n_places; i++)
        buf_free(&presses->places[i].page.file);
    pthread_mutex_destroy(&presses->lock);
    pthread_cond_destroy(&presses->fetched);
    pthread_cond_destroy(&presses->done);
    free(presses);
}
