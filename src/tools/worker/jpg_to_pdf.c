/* jpg-to-pdf: pictures become the pages of a PDF, without loss. */
#include <string.h>
#include <sys/mman.h>

#include "base/fdio.h"
#include "declare/tool/rule.h"
#include "declare/tool/tool.h"
#include "declare/tool_run/run.h"
#include "declare/value/file_kind.h"
#include "declare/value/text.h"
#include "image/heic/heic.h"
#include "image/import/image.h"
#include "image/svg/svg.h"
#include "image/svg/svg_fonts.h"
#include "image/svg/svg_references.h"
#include "pdf/content/album.h"
#include "pdf/content/album_drawing.h"

#define NAME_BYTES 300
#define STEM_BYTES 200

#define PIECE_BYTES 4096
#define SAMPLES     4

struct params {
    const char *pageSize;
    const char *fit;
    const char *orientation;
    double margin;
    bool merge;
};

static const char *const fits[] = { "contain", "cover", "stretch", NULL };
static const char *const orientations[] = { "auto", "portrait", "landscape", NULL };

static const struct param params[] = {
    PAPER(struct params, pageSize,
          "The size of the pages: fit (each as large as its picture, by the picture's resolution "
          "or at 96 pixels an inch), a4, letter, legal or width and height as in 100x150mm.",
          .preset = "fit"),
    CHOICE(struct params, fit,
           "How a picture fills its page within the margins: contain (all of it is seen), cover "
           "(all of the page is filled, what is too much is cut off) or stretch.",
           .preset = "contain", .choices = fits),
    CHOICE(struct params, orientation,
           "How the paper lies, where pageSize is not fit: auto (as the picture; one given in "
           "millimetres as given), portrait or landscape.",
           .preset = "auto", .choices = orientations),
    NUMBER(struct params, margin, "White space on all sides, in millimetres.", .preset = "0",
           .max = 1000),
    BOOL(struct params, merge,
         "Whether all pictures go into one PDF; else there is one PDF for each file.",
         .preset = "true"),
};

/* A picture that lies in the document already, and where. */
struct placed {
    unsigned picture;
    struct placement placement;
};

/* What became of one input: equal ones are written once. */
struct source {
    /* "" if no other has as many bytes; and if no other looks the same at a few places. */
    char sample[DIGEST_TEXT], digest[DIGEST_TEXT];
    struct placed *pages;
    size_t n, cap;
};

struct job {
    struct tool_run *run;
    struct placement_rules rules;
    struct source *sources; /* one for each input, for a merged document */
};

static int find_choice(const char *const *choices, const char *value)
{
    int i = 0;

    while (choices[i] && strcmp(choices[i], value) != 0)
        i++;
    return i;
}

static int make_rules(const struct params *p, struct placement_rules *rules, struct err *err)
{
    rules->fit = (enum placement_fit) find_choice(fits, p->fit);
    rules->turn = (enum placement_turn) find_choice(orientations, p->orientation);
    rules->margin = p->margin * PAPER_MM;
    return paper_parse(p->pageSize, &rules->paper, err);
}

static void warn(struct tool_run *run, const struct image_file *file, const struct image *image,
                 const char *name)
{
    char shown[80];

    text_for_message(name, strlen(name), shown, sizeof shown);
    if (image->icc_dropped)
        tool_warn(run, "profile_ignored",
                  "%s has a colour profile that is damaged or of another kind of colours", shown);
    if (image->endless)
        tool_warn(run, "repaired", "%s ends without its end marker: all its pixels are there",
                  shown);
    if (image_is_animated(file))
        tool_warn(run, "animation_first_frame", "%s is an animation: only its first frame was used",
                  shown);
}

static int remember(struct source *source, const struct placed *placed, struct err *err)
{
    if (source->n == source->cap) {
        size_t cap = source->cap ? 2 * source->cap : 1;
        struct placed *more = reallocarray(source->pages, cap, sizeof *more);

        if (!more)
            return err_set(err, ERR_LIMIT_EXCEEDED, "the pictures need more memory than a job has");
        source->pages = more;
        source->cap = cap;
    }
    source->pages[source->n++] = *placed;
    return 0;
}

/* Adds the pictures of one file; `source`, if not NULL, keeps what they became. */
static int add_file(struct job *job, struct album *album, const struct tool_input *input,
                    struct source *source, struct err *err)
{
    AUTO_IMAGE_FILE struct image_file *file = image_open(input->fd, input->bytes, err);
    struct image image;
    int got = -1;

    while (file && (got = image_next(file, &image, err)) > 0) {
        struct placed placed = { .picture = album_picture(album, &image, err) };

        if (placed.picture == 0 ||
            placement_make(&image, &job->rules, &placed.placement, err) < 0 ||
            album_page(album, placed.picture, &placed.placement, err) < 0 ||
            (source && remember(source, &placed, err) < 0))
            return -1;
        warn(job->run, file, &image, input->name);
    }
    return got;
}

/* Says what of a drawing is not on its page. */
static void warn_of_drawing(struct tool_run *run, const struct svg_references *missing,
                            const char *name)
{
    const size_t *n = missing->n;
    char shown[80];

    text_for_message(name, strlen(name), shown, sizeof shown);
    if (n[SVG_OUTSIDE])
        tool_warn(run, "pictures_not_fetched",
                  "%s refers to files or addresses outside itself, which were not read: %s%s",
                  shown, missing->outside, n[SVG_OUTSIDE] > 1 ? " and others" : "");
    if (n[SVG_PICTURE])
        tool_warn(run, "picture_skipped",
                  "%s has pictures in it that are neither PNG nor JPEG (%zu), which are not drawn",
                  shown, n[SVG_PICTURE]);
    if (n[SVG_FOREIGN])
        tool_warn(
            run, "content_missing",
            "%s has parts in HTML or another language (%zu foreignObject), which are not drawn",
            shown, n[SVG_FOREIGN]);
    if (n[SVG_SCRIPT])
        tool_warn(run, "scripts_not_run", "%s has scripts, which were not run", shown);
    if (n[SVG_ANIMATION])
        tool_warn(run, "animation_first_frame",
                  "%s is an animation: it was drawn without what moves or changes", shown);
    if (n[SVG_LINK])
        tool_warn(run, "link_removed", "%s has links (%zu), which a picture does not have", shown,
                  n[SVG_LINK]);
}

/* Says which fonts of its text are others than the drawing names. */
static void warn_of_fonts(struct tool_run *run, const struct svg_references *asked,
                          const char *name)
{
    size_t others = 0;
    char first[80], font[80], shown[80];

    for (size_t i = 0; asked->n[SVG_TEXT] && i < asked->n_fonts; i++)
        if (svg_fonts_missing(asked->fonts[i], others ? font : first, sizeof font))
            others++;
    if (others == 0)
        return;
    text_for_message(name, strlen(name), shown, sizeof shown);
    tool_warn(run, "font_substituted",
              "%s names fonts that are not installed, other ones are used: %s%s", shown, first,
              others > 1 ? " and others" : "");
}

static int add_drawing(struct job *job, struct album *album, const struct tool_input *input,
                       struct source *source, struct err *err)
{
    size_t n = (size_t) input->bytes;
    void *data = mmap(NULL, n, PROT_READ, MAP_PRIVATE | MAP_POPULATE, input->fd, 0);
    struct svg_drawing drawing = { .pdf = BUF_EMPTY };
    struct svg_references missing;
    struct placed placed = { 0 };
    bool drawn;

    if (data == MAP_FAILED)
        return err_set(err, ERR_LIMIT_EXCEEDED, "the file needs more memory than a job may use");
    drawn =
        svg_references_find(data, n, &missing, err) == 0 && svg_draw(data, n, &drawing, err) == 0;
    munmap(data, n);
    if (drawn)
        placed.picture = album_drawing(album, &drawing.pdf, err);
    buf_free(&drawing.pdf);
    if (placed.picture == 0 ||
        placement_make_sized(drawing.width, drawing.height, &job->rules, &placed.placement, err) <
            0 ||
        album_page(album, placed.picture, &placed.placement, err) < 0 ||
        (source && remember(source, &placed, err) < 0))
        return -1;
    warn_of_drawing(job->run, &missing, input->name);
    warn_of_fonts(job->run, &missing, input->name);
    return 0;
}

static bool is_drawing(const struct tool_input *input)
{
    const char *kind = file_kind_of_file(input->fd);

    return kind && strcmp(kind, "svg") == 0;
}

static int add_input(struct job *job, struct album *album, const struct tool_input *input,
                     struct source *source, struct err *err)
{
    return is_drawing(input) ? add_drawing(job, album, input, source, err)
                             : add_file(job, album, input, source, err);
}

/* Says which of several files it was. */
static int add_named(struct job *job, struct album *album, size_t i, struct source *source,
                     struct err *err)
{
    const struct tool_input *input = &job->run->inputs[i];
    char shown[80];

    if (add_input(job, album, input, source, err) == 0)
        return 0;
    text_for_message(input->name, strlen(input->name), shown, sizeof shown);
    return job->run->n_inputs > 1 ? err_wrap(err, "file %zu (%s)", i + 1, shown) : -1;
}

/* The digest of a file's bytes, of every `step` the first ones. */
static int digest_input(const struct tool_input *input, int64_t step, char out[static DIGEST_TEXT],
                        struct err *err)
{
    struct digest digest;
    char piece[PIECE_BYTES];
    ssize_t n = 0;

    digest_start(&digest);
    for (int64_t at = 0; at < input->bytes; at += step) {
        n = fdio_read_at(input->fd, piece, sizeof piece, at, err);
        if (n < 0)
            return -1;
        digest_add(&digest, piece, (size_t) n);
    }
    digest_end(&digest, out);
    return 0;
}

/* Whether another input has the same number of bytes and the same sample. */
static bool has_like(const struct job *job, size_t i)
{
    const struct tool_run *run = job->run;

    for (size_t k = 0; k < run->n_inputs; k++)
        if (k != i && run->inputs[k].bytes == run->inputs[i].bytes &&
            strcmp(job->sources[k].sample, job->sources[i].sample) == 0)
            return true;
    return false;
}

/* Files that may be equal get a digest: those that are equally long and look the same at a few
 * places, so that bitmaps of the same size are not read twice. */
static int find_equals(const struct job *job, struct err *err)
{
    const struct tool_run *run = job->run;
    AUTO_FREE bool *like = calloc(run->n_inputs, sizeof *like);

    if (!like)
        return err_sys(err, "files");
    for (size_t i = 0; i < run->n_inputs; i++)
        like[i] = has_like(job, i);
    for (size_t i = 0; i < run->n_inputs; i++) {
        /* The last sample reaches to the end. */
        int64_t step = (run->inputs[i].bytes - PIECE_BYTES + SAMPLES - 2) / (SAMPLES - 1);

        if (step < PIECE_BYTES)
            step = PIECE_BYTES;
        if (like[i] && digest_input(&run->inputs[i], step, job->sources[i].sample, err) < 0)
            return -1;
    }
    for (size_t i = 0; i < run->n_inputs; i++)
        if (like[i] && has_like(job, i) &&
            digest_input(&run->inputs[i], PIECE_BYTES, job->sources[i].digest, err) < 0)
            return -1;
    return 0;
}

static const struct source *find_equal(const struct job *job, size_t i)
{
    const struct source *sources = job->sources;

    for (size_t k = 0; *sources[i].digest && k < i; k++)
        if (sources[k].n && strcmp(sources[k].digest, sources[i].digest) == 0)
            return &sources[k];
    return NULL;
}

static int add_all(struct job *job, struct album *album, struct err *err)
{
    size_t n = job->run->n_inputs;

    if (find_equals(job, err) < 0)
        return -1;
    for (size_t i = 0; i < n; i++) {
        const struct source *equal = find_equal(job, i);

        for (size_t k = 0; equal && k < equal->n; k++)
            if (album_page(album, equal->pages[k].picture, &equal->pages[k].placement, err) < 0)
                return -1;
        if (!equal && add_named(job, album, i, &job->sources[i], err) < 0)
            return -1;
        tool_progress(job->run, (double) (i + 1) / (double) n);
    }
    return 0;
}

static int merge_all(struct job *job, struct err *err)
{
    AUTO_ALBUM struct album album = { .writer = { .fd = -1 } };
    int done;

    job->sources = calloc(job->run->n_inputs, sizeof *job->sources);
    if (!job->sources)
        return err_sys(err, "sources");
    done = album_open(&album, job->run->output, err);
    if (done == 0)
        done = add_all(job, &album, err);
    for (size_t i = 0; i < job->run->n_inputs; i++)
        free(job->sources[i].pages);
    free(job->sources);
    if (done < 0 || album_finish(&album, job->run->output, err) < 0)
        return -1;
    return tool_done(job->run, album.n_pages, err);
}

/* The part is called as its picture is. */
static void name_part(const struct tool_run *run, size_t i, char name[static NAME_BYTES])
{
    char stem[STEM_BYTES + 1];

    text_file_name(run->inputs[i].name, strlen(run->inputs[i].name), stem, STEM_BYTES);
    text_cut_extension(stem);
    if (*stem)
        snprintf(name, NAME_BYTES, "%s.pdf", stem);
    else
        snprintf(name, NAME_BYTES, "%.*s_%zu.pdf", STEM_BYTES, run->stem, i + 1);
}

static int give_each(struct job *job, struct err *err)
{
    struct tool_run *run = job->run;

    for (size_t i = 0; i < run->n_inputs; i++) {
        AUTO_ALBUM struct album album = { .writer = { .fd = -1 } };
        const char *path = tool_part(run);
        char name[NAME_BYTES];

        name_part(run, i, name);
        if (album_open(&album, path, err) < 0 || add_named(job, &album, i, NULL, err) < 0 ||
            album_finish(&album, path, err) < 0 ||
            tool_part_done(run, name, album.n_pages, err) < 0)
            return -1;
        tool_progress(run, (double) (i + 1) / (double) run->n_inputs);
    }
    return tool_parts_done(run, err);
}

/* Both libraries may be needed. */
static bool prepare(const int *fds, size_t n)
{
    bool photos = heic_prepare(fds, n), drawings = svg_prepare(fds, n);

    return photos || drawings;
}

static int run(struct tool_run *run, const void *values, struct err *err)
{
    const struct params *p = values;
    struct job job = { .run = run };

    if (make_rules(p, &job.rules, err) < 0)
        return -1;
    return p->merge ? merge_all(&job, err) : give_each(&job, err);
}

const struct tool tool_jpg_to_pdf = {
    .name = "jpg-to-pdf",
    .summary =
        "Makes a PDF of pictures: JPEG, PNG, TIFF, WebP, GIF, BMP, HEIC, AVIF and SVG, without "
        "loss.",
    .accepts = { "jpg", "png", "tiff", "webp", "gif", "bmp", "heic", "avif", "svg" },
    .gives = "pdf",
    .many = true,
    .min_files = 1,
    .max_files = 1000,
    .params = params,
    .n_params = COUNT(params),
    .params_size = sizeof(struct params),
    .rule = &rule_jpg_to_pdf,
    .run = run,
    .prepare = prepare,
};
