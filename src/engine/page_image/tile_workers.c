#include "engine/page_image/tile_workers.h"

#include <stdlib.h>
#include <string.h>

#include "base/system/thread.h"
#include "engine/mupdf/engine.h"

#define MAX_WORKERS 16
#define QUEUE       64 /* slices */
#define STACK_BYTES ((size_t) 4 << 20)

struct slice {
    struct tile_picture *picture;
    int y, rows; /* rows of the picture */
    int part;    /* not 0: encode this part of its file instead of drawing */
};

/* The state of one thread, or of the caller. */
struct tile_worker {
    struct tile_workers *workers;
    fz_context *ctx;
    void *encoder;
    pthread_t thread;
};

struct tile_workers {
    const struct image_format *format;
    struct tile_worker all[MAX_WORKERS];
    int n, n_threads;
    bool smooth;
    pthread_mutex_t lock; /* guards all members below, and the pictures' results */
    pthread_cond_t queued, drawn;
    struct slice slices[QUEUE];
    size_t first, n_slices;
    bool ending;
};

struct pixmap tile_workers_pixmap(const struct tile_picture *picture)
{
    const struct page_drawing *drawing = picture->drawing;

    return (struct pixmap){ .width = (uint32_t) drawing->width,
                            .height = (uint32_t) picture->rows,
                            .stride = (size_t) drawing->width * drawing->kind,
                            .kind = drawing->kind,
                            .premultiplied = page_drawing_has_alpha(drawing),
                            .samples = picture->pixels };
}

void tile_workers_picture_free(struct tile_picture *picture)
{
    buf_free(&picture->file);
    for (int i = 0; i < TILE_PICTURE_PARTS - 1; i++)
        buf_free(&picture->more[i]);
}

/* Encodes a picture that is completely drawn. */
static int encode_picture(struct tile_worker *worker, struct tile_picture *picture, struct err *err)
{
    const struct image_format *format = worker->workers->format;
    struct pixmap pixmap = tile_workers_pixmap(picture);

    picture->file.len = 0;
    if (format->write(worker->encoder, format->options, &pixmap, sink_buf(&picture->file), err) < 0)
        return -1;
    return picture->file.failed ? engine_no_memory(err) : 0;
}

static void fail_picture(struct tile_picture *picture, const struct err *err)
{
    if (!picture->failed)
        picture->err = *err;
    picture->failed = true;
}

/* The first row of a part. */
static uint32_t part_begin(const struct tile_picture *picture, int part)
{
    uint32_t rows = (uint32_t) picture->rows, n = (uint32_t) picture->n_parts;

    if (part == picture->n_parts)
        return rows;
    return rows / PNG_PART_ROWS * (uint32_t) part / n * PNG_PART_ROWS;
}

static int encode_part(struct tile_worker *worker, struct tile_picture *picture, int part,
                       struct err *err)
{
    struct buf *file = part == 0 ? &picture->file : &picture->more[part - 1];
    uint32_t from = part_begin(picture, part), to = part_begin(picture, part + 1);
    const struct image_format *format = worker->workers->format;
    struct pixmap pixmap = tile_workers_pixmap(picture);

    file->len = 0;
    if (format->part(worker->encoder, format->options, &pixmap, from, to - from, sink_buf(file),
                     &picture->made[part], err) < 0)
        return -1;
    return file->failed ? engine_no_memory(err) : 0;
}

static int join_parts(struct tile_worker *worker, struct tile_picture *picture, struct err *err)
{
    for (int i = 0; i < picture->n_parts - 1; i++)
        buf_put(&picture->file, picture->more[i].data, picture->more[i].len);
    if (worker->workers->format->join(worker->encoder, picture->made, (size_t) picture->n_parts,
                                      sink_buf(&picture->file), err) < 0)
        return -1;
    return picture->file.failed ? engine_no_memory(err) : 0;
}

/* The caller of the next four functions holds the lock; they release it while they work. */

static void make_part(struct tile_worker *worker, struct tile_picture *picture, int part)
{
    pthread_mutex_t *lock = &worker->workers->lock;
    struct err err;
    int done;

    pthread_mutex_unlock(lock);
    done = encode_part(worker, picture, part, &err);
    pthread_mutex_lock(lock);
    if (done < 0)
        fail_picture(picture, &err);
    if (--picture->parts_left > 0)
        return;
    if (!picture->failed) {
        pthread_mutex_unlock(lock);
        done = join_parts(worker, picture, &err);
        pthread_mutex_lock(lock);
        if (done < 0)
            fail_picture(picture, &err);
    }
    picture->left--;
    pthread_cond_broadcast(&worker->workers->drawn);
}

static void add_slice(struct tile_workers *workers, struct slice slice)
{
    workers->slices[(workers->first + workers->n_slices++) % QUEUE] = slice;
    pthread_cond_signal(&workers->queued);
}

static void make_file(struct tile_worker *worker, struct tile_picture *picture)
{
    struct tile_workers *workers = worker->workers;
    struct err err;
    int done, n = workers->format->part ? picture->parts : 1;

    if (n > 1 && workers->n_slices + (size_t) n <= QUEUE &&
        (uint32_t) picture->rows >= PNG_PART_ROWS * (uint32_t) n) {
        picture->n_parts = picture->parts_left = n;
        for (int part = 1; part < n; part++)
            add_slice(workers, (struct slice){ picture, 0, 0, part });
        make_part(worker, picture, 0);
        return;
    }
    pthread_mutex_unlock(&workers->lock);
    done = encode_picture(worker, picture, &err);
    pthread_mutex_lock(&workers->lock);
    if (done < 0)
        fail_picture(picture, &err);
    picture->left--;
    pthread_cond_broadcast(&workers->drawn);
}

static void paint(struct tile_worker *worker, struct slice slice)
{
    struct tile_workers *workers = worker->workers;
    struct tile_picture *picture = slice.picture;
    struct damage damage = { 0 };
    struct err err;
    int done;

    if (slice.part > 0) {
        make_part(worker, picture, slice.part);
        return;
    }
    pthread_mutex_unlock(&workers->lock);
    done = page_drawing_draw(picture->drawing, worker->ctx, picture->y + slice.y, slice.rows,
                             picture->pixels + (size_t) slice.y * (size_t) picture->drawing->width *
                                                   picture->drawing->kind,
                             &damage, &err);
    pthread_mutex_lock(&workers->lock);
    damage_add(&picture->damage, &damage);
    if (done < 0)
        fail_picture(picture, &err);
    if (picture->parts > 0 && picture->left == 1 && !picture->failed) {
        make_file(worker, picture);
        return;
    }
    picture->left--;
    pthread_cond_broadcast(&workers->drawn);
}

static struct slice claim_slice(struct tile_workers *workers)
{
    struct slice slice = workers->slices[workers->first];

    workers->first = (workers->first + 1) % QUEUE;
    workers->n_slices--;
    return slice;
}

static void *work_tiles(void *arg)
{
    struct tile_worker *worker = arg;
    struct tile_workers *workers = worker->workers;

    pthread_mutex_lock(&workers->lock);
    while (!workers->ending) {
        if (workers->n_slices == 0)
            pthread_cond_wait(&workers->queued, &workers->lock);
        else
            paint(worker, claim_slice(workers));
    }
    pthread_mutex_unlock(&workers->lock);
    return NULL;
}

static int hire(struct tile_workers *workers, bool thread, struct err *err)
{
    struct tile_worker *worker = &workers->all[workers->n];

    worker->workers = workers;
    worker->ctx = engine_clone(err);
    if (!worker->ctx)
        return -1;
    workers->n++;
    fz_set_aa_level(worker->ctx, workers->smooth ? 8 : 0);
    engine_own(worker->ctx)->lossy = workers->format->lossy;
    worker->encoder = workers->format->open(err);
    if (!worker->encoder)
        return -1;
    if (thread &&
        thread_start_deep(&worker->thread, "paint", STACK_BYTES, work_tiles, worker, err) < 0)
        return -1;
    workers->n_threads += thread;
    return 0;
}

struct tile_workers *tile_workers_new(const struct image_format *format, int cores, bool smooth,
                                      struct err *err)
{
    struct tile_workers *workers = calloc(1, sizeof *workers);
    int n = cores < 1 ? 1 : cores > MAX_WORKERS ? MAX_WORKERS : cores;

    if (!workers) {
        err_sys(err, "workers");
        return NULL;
    }
    workers->format = format;
    workers->smooth = smooth;
    pthread_mutex_init(&workers->lock, NULL);
    pthread_cond_init(&workers->queued, NULL);
    pthread_cond_init(&workers->drawn, NULL);
    while (workers->n < n) {
        if (hire(workers, n > 1, err) < 0) {
            tile_workers_free(workers);
            return NULL;
        }
    }
    return workers;
}

void tile_workers_free(struct tile_workers *workers)
{
    if (!workers)
        return;
    pthread_mutex_lock(&workers->lock);
    workers->ending = true;
    pthread_cond_broadcast(&workers->queued);
    pthread_mutex_unlock(&workers->lock);
    for (int i = 0; i < workers->n; i++) {
        if (i < workers->n_threads)
            pthread_join(workers->all[i].thread, NULL);
        if (workers->all[i].encoder)
            workers->format->close(workers->all[i].encoder);
        engine_clone_free(workers->all[i].ctx);
    }
    pthread_mutex_destroy(&workers->lock);
    pthread_cond_destroy(&workers->queued);
    pthread_cond_destroy(&workers->drawn);
    free(workers);
}

int tile_workers_count(const struct tile_workers *workers)
{
    return workers->n;
}

void tile_workers_add(struct tile_workers *workers, struct tile_picture *picture, int y, int rows)
{
    pthread_mutex_lock(&workers->lock);
    while (workers->n_slices == QUEUE && workers->n_threads > 0)
        pthread_cond_wait(&workers->drawn, &workers->lock);
    if (workers->n_slices == QUEUE)
        paint(&workers->all[0], claim_slice(workers));
    add_slice(workers, (struct slice){ picture, y, rows, 0 });
    pthread_mutex_unlock(&workers->lock);
}

int tile_workers_wait(struct tile_workers *workers, struct tile_picture *picture, struct err *err)
{
    pthread_mutex_lock(&workers->lock);
    while (picture->left > 0) {
        if (workers->n_threads > 0)
            pthread_cond_wait(&workers->drawn, &workers->lock);
        else
            paint(&workers->all[0], claim_slice(workers));
    }
    pthread_mutex_unlock(&workers->lock);
    if (picture->failed)
        *err = picture->err;
    return picture->failed ? -1 : 0;
}
