/* compress: makes a PDF smaller. */
#include "compress/compress/compress.h"

#include <fcntl.h>
#include <limits.h>
#include <malloc.h>
#include <sys/stat.h>

#include "base/clock.h"
#include "base/fdio.h"
#include "base/scope.h"
#include "compress/recolour/recolour.h"
#include "declare/tool/tool.h"
#include "engine/compare/visual_diff.h"
#include "pdf/forms/unsign.h"

#define LOOK_SHARE     0.2 /* of the time that the work took are pages compared, */
#define LOOK_IMAGES    40  /* limit in milliseconds while there are pages with changed images */
#define LOOK_FONTS     12  /* limit in milliseconds while there are others */
#define MAX_REPEATS    3
#define LARGEST_REUSED (32 << 20) /* bytes; malloc accepts no larger value */

struct params {
    const char *quality;
    int64_t targetSize;
    bool grayscale, linearize;
    const char *inputPassword;
};

static const char *const qualities[] = { "ebook",       "screen",  "printer", "prepress",
                                         "lossless",    "low",     "medium",  "high",
                                         "recommended", "extreme", "default", NULL };

static const struct param params[] = {
    CHOICE(struct params, quality,
           "How images are kept: screen (96 dpi), ebook (150 dpi), printer (300 dpi), prepress and "
           "lossless (as they are). low and extreme mean screen; medium, recommended and default "
           "mean ebook; high means printer.",
           .preset = "ebook", .choices = qualities),
    INT(struct params, targetSize,
        "The best-looking result that fits into this many bytes; overrides quality.", .min = 1,
        .max = 1e15),
    BOOL(struct params, grayscale,
         "Whether colours become gray levels: of text, drawings and images.", .preset = "false"),
    BOOL(struct params, linearize, "Whether the first page can be shown before all has arrived.",
         .preset = "false"),
    SECRET(struct params, inputPassword, "The password that opens the document.", .max = 1000),
};

struct job {
    struct tool_run *run;
    const struct params *params;
    const char *path; /* that is written to */
    struct pdf_doc doc;
    struct compress *compress;
    const char *reference; /* what pages should look like: the input, or with converted colours */
    double done, share;    /* of the whole job: before, and by, what is at hand */
    int64_t started;       /* of the attempt */
    uint8_t *unlike;       /* by page, how often it did not look as before: it is kept */
    bool keep_all;         /* all are */
    bool in_place;         /* the document itself is changed and written by qpdf... */
    bool changed;          /* ...and it is */
};

static void report(void *arg, double fraction)
{
    struct job *job = arg;

    tool_progress(job->run, job->done + job->share * fraction);
}

/* Those who ask for less than the printer's quality look at a screen. */
static bool has_device_colours(const struct params *p)
{
    return p->targetSize == 0 && profile_is_for_screens(profile_find(p->quality));
}

/* Colours by large profiles become sRGB. This reader ignores profiles, so that pages are compared
 * with those of a document in which nothing else was changed. */
static int drop_profiles(struct job *job, struct idmap *lengths, struct err *err)
{
    const struct params *p = job->params;
    struct recolour *recolour;
    bool changed;

    if (p->grayscale || !has_device_colours(p))
        return 0;
    recolour = recolour_open(&job->doc, RECOLOUR_SRGB, lengths, err);
    if (!recolour)
        return -1;
    changed = recolour_changed(recolour);
    recolour_close(&recolour);
    if (!changed || job->reference)
        return 0;
    job->reference = p->linearize ? job->run->output : tool_part(job->run);
    return pdf_doc_save(&job->doc, job->reference, NULL, err);
}

static int open_source(struct job *job, struct tool_run *heard, struct err *err)
{
    AUTO_IDMAP struct idmap lengths = { 0 };

    compress_close(&job->compress);
    pdf_doc_close(&job->doc);
    if (pdf_doc_open_whole(&job->doc, job->run->inputs[0].path, job->params->inputPassword, heard,
                           err) < 0)
        return -1;
    unsign_document(&job->doc);
    job->done = 0;
    job->share = 0.1;
    if (drop_profiles(job, &lengths, err) < 0)
        return -1;
    job->compress = compress_open(&job->doc, job->params->grayscale,
                                  has_device_colours(job->params), &lengths, report, job, err);
    for (size_t i = 0; job->compress && job->unlike && i < job->doc.n_pages; i++)
        if (job->unlike[i] && compress_keep_page(job->compress, i, job->unlike[i], err) < 0)
            return -1;
    if (job->compress && job->keep_all)
        compress_keep_all(job->compress);
    job->changed = false;
    job->in_place = job->compress && !compress_can_write(job->compress);
    return job->compress ? 0 : -1;
}

static int64_t size_of(const char *path)
{
    struct stat st;

    return stat(path, &st) == 0 ? (int64_t) st.st_size : INT64_MAX;
}

static int write_file(struct job *job, const struct profile *profile, struct err *err)
{
    job->started = clock_mono_ms();
    if (job->changed && open_source(job, NULL, err) < 0)
        return -1;
    job->done = 0.1;
    job->share = 0.7;
    if (!job->in_place)
        return compress_write(job->compress, profile, job->path, err);
    job->changed = true;
    if (compress_apply(job->compress, profile, err) < 0)
        return -1;
    return pdf_doc_save(&job->doc, job->path, NULL, err);
}

/* Pages in an order that spreads over the document however soon it ends. */
static size_t spread(size_t i, size_t n)
{
    size_t step = n * 618 / 1000 | 1;

    while (step > 1) { /* no common divisor, so that each page comes once */
        size_t a = n, b = step;

        while (b) {
            size_t rest = a % b;

            a = b;
            b = rest;
        }
        if (a == 1)
            break;
        step--;
    }
    return i * (step ? step : 1) % n;
}

static int keep_page(struct job *job, size_t page, struct err *err)
{
    if (!job->unlike)
        job->unlike = calloc(job->doc.n_pages, sizeof *job->unlike);
    if (!job->unlike)
        return pdf_doc_no_memory(err);
    if (job->unlike[page] < PROFILE_LOSSLESS)
        job->unlike[page]++;
    return compress_keep_page(job->compress, page, job->unlike[page], err);
}

/* Compares one page before and after: one that differs will be kept as it is. */
static int compare_page(struct job *job, struct visual_diff *likeness, size_t page,
                        size_t *n_unlike, struct err *err)
{
    bool alike = true;

    if (visual_diff_page(likeness, page, &alike, err) < 0)
        return 0;
    if (!alike && keep_page(job, page, err) < 0)
        return -1;
    *n_unlike += !alike;
    return 0;
}

/* How long pages of a kind are compared, in milliseconds: at least, if that is longer than their
 * share of what the work took. */
static int64_t time_for(enum compress_change change, int64_t work)
{
    int64_t share = (int64_t) (LOOK_SHARE * (double) work);
    int64_t least = change == COMPRESS_NEW_IMAGE ? LOOK_IMAGES : LOOK_FONTS;

    return share > least ? share : least;
}

/* Looks at the pages that first show an image which became another, then at those that first show
 * such a font, then at the others, as long as there is time: at one page in any case. How many
 * differed, or -1. */
static int compare_changed(struct job *job, size_t *n_unlike, struct err *err)
{
    AUTO_VISUAL_DIFF struct visual_diff likeness = { 0 };
    AUTO_FREE enum compress_change *changes = calloc(job->doc.n_pages + 1, sizeof *changes);
    int64_t now = clock_mono_ms(), work = now - job->started;
    size_t n = job->doc.n_pages, seen = 0;

    *n_unlike = 0;
    if (!changes)
        return pdf_doc_no_memory(err);
    compress_mark_changed(job->compress, changes);
    /* What this reader cannot open it cannot compare. */
    if (visual_diff_open(&likeness, job->reference ? job->reference : job->run->inputs[0].path,
                         job->path, job->params->inputPassword, job->run, err) < 0)
        return 0;
    likeness.gray = job->params->grayscale;
    for (int change = COMPRESS_NEW_IMAGE; change >= COMPRESS_SAME; change--) {
        int64_t end = now + time_for((enum compress_change) change, work);

        for (size_t i = 0; i < n && (seen == 0 || clock_mono_ms() < end); i++) {
            size_t page = spread(i, n);

            if ((int) changes[page] != change)
                continue;
            if (compare_page(job, &likeness, page, n_unlike, err) < 0)
                return -1;
            seen++;
        }
    }
    return 0;
}

/* Writes it so that pages look as they did. */
static int write_alike(struct job *job, const struct profile *profile, struct err *err)
{
    size_t n_unlike = 1;

    for (int i = 0; i <= MAX_REPEATS && n_unlike > 0; i++)
        if (write_file(job, profile, err) < 0 || compare_changed(job, &n_unlike, err) < 0)
            return -1;
    if (n_unlike == 0)
        return 0;
    job->keep_all = true;
    compress_keep_all(job->compress);
    return write_file(job, profile_find("lossless"), err);
}

/* The first step whose result is small enough, or the last. */
static size_t find_step(struct job *job, struct err *err)
{
    size_t low = 0, high = 0;

    while (profile_lesser(high + 1))
        high++;
    while (low < high) {
        size_t middle = (low + high) / 2;

        if (write_file(job, profile_lesser(middle), err) < 0)
            return SIZE_MAX;
        if (size_of(job->path) <= job->params->targetSize)
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}

static int write_to_size(struct job *job, struct err *err)
{
    size_t step = find_step(job, err);
    const struct profile *lesser;

    if (step == SIZE_MAX)
        return -1;
    /* Pages that had to be kept may make it larger again. */
    for (; (lesser = profile_lesser(step)); step++) {
        if (write_alike(job, lesser, err) < 0)
            return -1;
        if (size_of(job->path) <= job->params->targetSize)
            return 0;
    }
    tool_warn(job->run, "target_not_reached",
              "the document cannot be made as small as targetSize; this is the smallest there is");
    return 0;
}

static int copy_input(struct tool_run *run, struct err *err)
{
    AUTO_CLOSE int out = open(run->output, O_WRONLY | O_TRUNC | O_CLOEXEC);

    if (out < 0)
        return err_sys(err, "open the result");
    tool_warn(run, "no_gain",
              "the document cannot be made smaller: the result is the file that was sent");
    return fdio_copy(run->inputs[0].fd, 0, run->inputs[0].bytes, out, err);
}

static int linearize(struct job *job, struct err *err)
{
    static const struct pdf_save save = { .encryption = PDF_KEEP_ENCRYPTION, .linearize = true };
    AUTO_PDF_DOC struct pdf_doc doc = { 0 };

    if (pdf_doc_open(&doc, job->path, job->params->inputPassword, NULL, err) < 0)
        return -1;
    return pdf_doc_save(&doc, job->run->output, &save, err);
}

/* What was saved, for the report. */
static void report_savings(struct job *job)
{
    static const struct {
        const char *name;
        enum stream_class class;
    } figures[] = { { "savedImages", STREAM_IMAGE },
                    { "savedFonts", STREAM_FONT },
                    { "savedContent", STREAM_CONTENT } };
    int64_t rest = (int64_t) job->run->inputs[0].bytes - size_of(job->run->output);

    for (size_t i = 0; i < COUNT(figures); i++) {
        int64_t saved = compress_saved(job->compress, figures[i].class);

        tool_figure(job->run, figures[i].name, saved);
        rest -= saved;
    }
    tool_figure(job->run, "savedStructure", rest);
}

static int write_result(struct job *job, struct err *err)
{
    struct tool_run *run = job->run;
    const struct profile *profile = profile_find(job->params->quality);
    int written =
        job->params->targetSize > 0 ? write_to_size(job, err) : write_alike(job, profile, err);

    if (written < 0)
        return -1;
    if (pdf_doc_verify(job->path, job->doc.password, (int) job->doc.n_pages, err) < 0)
        return -1;
    if (job->params->linearize && linearize(job, err) < 0)
        return -1;
    if (compress_colours_kept(job->compress) > 0)
        tool_warn(run, "colours_kept",
                  "parts of the document could not be read, and may still have their colours");
    if (size_of(run->output) >= run->inputs[0].bytes && !compress_had_colours(job->compress))
        return copy_input(run, err);
    report_savings(job);
    return 0;
}

/* Each attempt on an image allocates and frees megabytes: as mappings of their own they would be
 * cleared page by page every time, which takes more time than encoding the image. The process ends
 * with the job. */
static void reuse_memory(void)
{
    mallopt(M_MMAP_THRESHOLD, LARGEST_REUSED);
    mallopt(M_TRIM_THRESHOLD, INT_MAX);
}

static int run(struct tool_run *run, const void *values, struct err *err)
{
    const struct params *p = values;
    struct job job = { .run = run, .params = p };
    int done;

    reuse_memory();
    job.path = p->linearize ? tool_part(run) : run->output;
    done = open_source(&job, run, err) < 0 ? -1 : write_result(&job, err);
    if (done == 0)
        done = tool_done(run, job.doc.n_pages, err);
    compress_close(&job.compress);
    pdf_doc_close(&job.doc);
    free(job.unlike);
    return done;
}

const struct tool tool_compress = {
    .name = "compress",
    .summary = "Makes a PDF smaller.",
    .accepts = { "pdf" },
    .gives = "pdf",
    .min_files = 1,
    .max_files = 1,
    .params = params,
    .n_params = COUNT(params),
    .params_size = sizeof(struct params),
    .run = run,
};
