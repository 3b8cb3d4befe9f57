#include "engine/page_image/page_image.h"

#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "base/fdio.h"
#include "base/scope.h"
#include "base/system/large_pages.h"
#include "engine/mupdf/engine.h"
#include "engine/mupdf/page_selection.h"
#include "engine/page_image/page_workers.h"
#include "engine/page_image/tile_workers.h"

#define WHOLE_PIXELS   12000000 /* larger pages are drawn and encoded in bands */
#define SLICE_PIXELS   1000000  /* fewer are not worth sharing between threads */
#define PENDING_PIXELS 64000000 /* limit of all pages in progress */
#define BANDS_PIXELS   48000000 /* limit of all bands in progress */
#define MAX_PENDING    17
#define TRIM_PAGES     64

/* A page in progress. */
struct place {
    struct page_drawing drawing;
    struct tile_picture picture;
    size_t pixels, room; /* what the page needs, and what is allocated */
};

struct job {
    struct tool_run *run;
    const struct page_image_options *options;
    const struct image_format *format;
    struct page_drawing_options drawing;
    struct mupdf_document doc;
    struct page_selection selection;
    struct tile_workers *workers;
    struct place places[MAX_PENDING];
    size_t n_places, first, pending, pixels;
    size_t n_done;
    struct damage_report damaged;
};

static int open_part(struct job *job, struct err *err)
{
    int fd = open(tool_part(job->run), O_WRONLY | O_TRUNC | O_CLOEXEC);

    if (fd < 0)
        err_sys(err, "scratch file");
    return fd;
}

static void add_damage(struct job *job, size_t page, bool damaged, const struct damage *damage)
{
    char words[DAMAGE_WORDS];

    damage_words(damage, words);
    if (damaged || damage->n > 0)
        damage_report_add(&job->damaged, page, words);
}

static int name_part(struct job *job, size_t page, struct err *err)
{
    char name[300];

    page_selection_name(&job->selection, job->run->stem, page, job->format->extension, name,
                        sizeof name);
    tool_progress(job->run, (double) ++job->n_done / (double) job->selection.n);
    if (job->options->collect)
        return job->options->collect(job->options->hand, tool_part(job->run), job->selection.n,
                                     err);
    return tool_part_done(job->run, name, 0, err);
}

/* Waits for the oldest page in progress and writes it. */
static int finish_first(struct job *job, struct err *err)
{
    struct place *place = &job->places[job->first];
    AUTO_CLOSE int fd = -1;

    if (tile_workers_wait(job->workers, &place->picture, err) < 0)
        return -1;
    job->first = (job->first + 1) % job->n_places;
    job->pending--;
    job->pixels -= place->pixels;
    add_damage(job, place->drawing.page, place->drawing.damaged, &place->picture.damage);
    page_drawing_close(&place->drawing, &job->doc);
    fd = open_part(job, err);
    if (fd < 0 || fdio_write(fd, place->picture.file.data, place->picture.file.len, err) < 0)
        return -1;
    return name_part(job, place->drawing.page, err);
}

static int make_pixels(struct place *place, struct err *err)
{
    size_t bytes = place->pixels * place->drawing.kind;

    if (bytes <= place->room)
        return 0;
    free(place->picture.pixels);
    place->picture.pixels = malloc(bytes);
    large_pages_ask(place->picture.pixels, bytes);
    place->room = place->picture.pixels ? bytes : 0;
    if (!place->picture.pixels)
        return engine_no_memory(err);
    return 0;
}

/* Queues a page that is small enough to be held whole. If there are fewer pages than cores,
 * several threads draw one. */
static int add_page(struct job *job, struct place *place, struct err *err)
{
    struct tile_picture *picture = &place->picture;
    int n = (int) ((size_t) tile_workers_count(job->workers) / job->selection.n);
    int height = place->drawing.height, most = (int) (place->pixels / SLICE_PIXELS);

    if (make_pixels(place, err) < 0)
        return -1;
    n = n > most ? most : n;
    n = n < 1 ? 1 : n > height ? height : n;
    picture->drawing = &place->drawing;
    picture->rows = height;
    picture->damage = place->drawing.damage;
    picture->failed = false;
    picture->left = n;
    picture->parts = n < TILE_PICTURE_PARTS ? n : TILE_PICTURE_PARTS;
    job->pending++;
    job->pixels += place->pixels;
    for (int i = 0; i < n; i++) {
        int from = (int) ((int64_t) height * i / n), to = (int) ((int64_t) height * (i + 1) / n);

        tile_workers_add(job->workers, picture, from, to - from);
    }
    return 0;
}

/* Queues band k in place k modulo n; the last band has the remaining rows. */
static void add_band(struct job *job, struct tile_picture *bands, int n, int rows, int k)
{
    struct tile_picture *band = &bands[k % n];
    int left = band->drawing->height - k * rows;

    band->y = k * rows;
    band->rows = left < rows ? left : rows;
    band->left = 1;
    tile_workers_add(job->workers, band, 0, band->rows);
}

static int pass_bands(struct job *job, struct tile_picture *bands, int n, int rows, void *encoder,
                      struct err *err)
{
    int height = bands->drawing->height, n_bands = (height + rows - 1) / rows, added = 0;

    for (int k = 0; k < n_bands; k++) {
        struct tile_picture *band = &bands[k % n];
        struct pixmap pixmap;

        while (added < n_bands && added < k + n)
            add_band(job, bands, n, rows, added++);
        if (tile_workers_wait(job->workers, band, err) < 0)
            return -1;
        pixmap = tile_workers_pixmap(band);
        if (job->format->rows(encoder, &pixmap, err) < 0)
            return -1;
        tool_progress(job->run, ((double) job->n_done + (double) (k + 1) / n_bands) /
                                    (double) job->selection.n);
    }
    return job->format->end(encoder, err);
}

static int draw_bands(struct job *job, const struct page_drawing *drawing, void *encoder,
                      struct sink sink, struct err *err)
{
    int n = tile_workers_count(job->workers) + 1;
    int rows = BANDS_PIXELS / n / drawing->width + 1;
    size_t bytes = (size_t) rows * (size_t) drawing->width * drawing->kind;
    struct tile_picture bands[MAX_PENDING] = { { .drawing = drawing } };
    struct tile_picture whole = { .drawing = drawing, .rows = drawing->height };
    struct pixmap shape = tile_workers_pixmap(&whole);
    AUTO_FREE uint8_t *pixels = malloc(bytes * (size_t) n);
    struct damage damage = drawing->damage;
    int done = -1;

    if (!pixels)
        return engine_no_memory(err);
    for (int i = 0; i < n; i++)
        bands[i] =
            (struct tile_picture){ .drawing = drawing, .pixels = pixels + (size_t) i * bytes };
    if (job->format->begin(encoder, job->format->options, &shape, sink, err) == 0)
        done = pass_bands(job, bands, n, rows, encoder, err);
    for (int i = 0; i < n; i++) {
        struct err ignored;
        tile_workers_wait(job->workers, &bands[i], &ignored);
        damage_add(&damage, &bands[i].damage);
    }
    add_damage(job, drawing->page, drawing->damaged, &damage);
    return done;
}

/* Draws a page that is too large to be held whole. All pages before it are done. */
static int draw_large(struct job *job, struct page_drawing *drawing, struct err *err)
{
    AUTO_CLOSE int fd = open_part(job, err);
    void *encoder;
    int done;

    if (fd < 0)
        return -1;
    encoder = job->format->open(err);
    if (!encoder)
        return -1;
    done = draw_bands(job, drawing, encoder, sink_fd(&fd), err);
    job->format->close(encoder);
    return done < 0 ? -1 : name_part(job, drawing->page, err);
}

static int need_workers(struct job *job, struct err *err)
{
    if (!job->workers)
        job->workers = tile_workers_new(job->format, job->run->cores, job->options->smooth, err);
    return job->workers ? 0 : -1;
}

/* Draws a page that page_workers left because it is too large. */
static int draw_left(struct job *job, size_t page, struct err *err)
{
    struct page_drawing drawing = { 0 };
    int done;

    if (need_workers(job, err) < 0 ||
        page_drawing_open(&drawing, &job->doc, page, &job->drawing, err) < 0)
        return -1;
    done = draw_large(job, &drawing, err);
    page_drawing_close(&drawing, &job->doc);
    return done;
}

static int write_page_file(struct job *job, size_t page, const struct page_workers_page *made,
                           struct err *err)
{
    AUTO_CLOSE int fd = -1;

    if (made->large)
        return draw_left(job, page, err);
    add_damage(job, page, made->damaged, &made->damage);
    fd = open_part(job, err);
    if (fd < 0 || fdio_write(fd, made->file.data, made->file.len, err) < 0)
        return -1;
    return name_part(job, page, err);
}

/* One page for each core: every thread converts whole pages. */
static int press_pages(struct job *job, struct err *err)
{
    const struct page_workers_job work = { .drawing = &job->drawing,
                                           .format = job->format,
                                           .smooth = job->options->smooth,
                                           .whole_pixels = WHOLE_PIXELS };
    const struct document_pool_pages pages = { .doc = &job->doc,
                                               .path = job->run->inputs[0].path,
                                               .password = job->options->password,
                                               .selection = &job->selection };
    struct document_pool *pool = page_workers_start(&work, &pages, job->run->cores, err);
    void *made;
    int done = pool ? 0 : -1;

    for (size_t i = 0; done == 0 && i < job->selection.n; i++) {
        done = document_pool_next(pool, &made, err);
        if (done == 0)
            done = write_page_file(job, job->selection.pages[i], made, err);
    }
    document_pool_free(pool);
    return done;
}

static int draw_page(struct job *job, size_t page, struct err *err)
{
    struct place *place;
    int done;

    while (job->pending == job->n_places)
        if (finish_first(job, err) < 0)
            return -1;
    place = &job->places[(job->first + job->pending) % job->n_places];
    if (page_drawing_open(&place->drawing, &job->doc, page, &job->drawing, err) < 0)
        return -1;
    place->pixels = (size_t) place->drawing.width * (size_t) place->drawing.height;
    while (job->pending > 0 &&
           (place->pixels > WHOLE_PIXELS || job->pixels + place->pixels > PENDING_PIXELS))
        if (finish_first(job, err) < 0)
            return -1;
    if (place->pixels <= WHOLE_PIXELS)
        return add_page(job, place, err);
    done = draw_large(job, &place->drawing, err);
    page_drawing_close(&place->drawing, &job->doc);
    return done;
}

/* Fewer pages than cores, or one core: pages are read here and drawn by tile_workers. */
static int paint_pages(struct job *job, struct err *err)
{
    if (need_workers(job, err) < 0)
        return -1;
    /* With one thread, the next page is read while the previous one is written. */
    job->n_places = job->run->cores > 1 ? (size_t) tile_workers_count(job->workers) + 1 : 1;
    for (size_t i = 0; i < job->selection.n; i++) {
        if (draw_page(job, job->selection.pages[i], err) < 0)
            return -1;
        if (i % TRIM_PAGES == TRIM_PAGES - 1)
            mupdf_document_trim(&job->doc);
    }
    while (job->pending > 0)
        if (finish_first(job, err) < 0)
            return -1;
    return 0;
}

static int draw_pages(struct job *job, struct err *err)
{
    int cores = job->run->cores;
    bool enough = cores > 1 && job->selection.n >= (size_t) cores;

    if ((enough ? press_pages(job, err) : paint_pages(job, err)) < 0)
        return -1;
    mupdf_document_warn(&job->doc);
    damage_report_warn(&job->damaged, job->run, "what can be read of it is shown");
    return job->options->collect ? 0 : tool_parts_done(job->run, err);
}

static void end_job(struct job *job)
{
    tile_workers_free(job->workers);
    for (size_t i = 0; i < job->n_places; i++) {
        struct place *place = &job->places[i];

        if (place->drawing.list)
            page_drawing_close(&place->drawing, &job->doc);
        free(place->picture.pixels);
        tile_workers_picture_free(&place->picture);
    }
    page_selection_free(&job->selection);
    mupdf_document_close(&job->doc);
}

int page_image_draw(struct tool_run *run, const struct page_image_options *options,
                    const struct image_format *format, struct err *err)
{
    struct job job = { .run = run, .options = options, .format = format };
    int done = -1;

    job.drawing = (struct page_drawing_options){ .dpi = options->dpi,
                                                 .width = options->width,
                                                 .kind = options->kind,
                                                 .annotations = options->annotations,
                                                 .max_pixels = PAGE_IMAGE_MAX_PIXELS,
                                                 .max_side = format->max_side };
    if (mupdf_document_open(&job.doc, run->inputs[0].path, options->password, run, err) == 0 &&
        page_selection_open(&job.selection, &job.doc, options->pages, err) == 0)
        done = draw_pages(&job, err);
    end_job(&job);
    return done;
}
