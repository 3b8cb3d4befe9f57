#include "engine/page_image/image_extract.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/digest.h"
#include "base/fdio.h"
#include "base/scope.h"
#include "engine/mupdf/embedded_image.h"
#include "engine/mupdf/engine.h"
#include "engine/mupdf/page_selection.h"

struct extraction {
    struct tool_run *run;
    struct mupdf_document doc;
    struct page_selection selection;
    struct png_writer *writer;
    bool *seen; /* by object number */
    int n_objects;
    char (*written)[DIGEST_TEXT]; /* digest of each part: equal pictures are saved once */
    size_t n_written, n_skipped;
    struct damage_report damaged;
};

static bool is_written(struct extraction *job, const struct buf *file)
{
    struct digest digest;

    digest_start(&digest);
    digest_add(&digest, file->data, file->len);
    digest_end(&digest, job->written[job->n_written]);
    for (size_t i = 0; i < job->n_written; i++)
        if (strcmp(job->written[i], job->written[job->n_written]) == 0)
            return true;
    return false;
}

static int put_part(struct extraction *job, const struct buf *file, size_t page, size_t place,
                    const char *extension, struct err *err)
{
    AUTO_CLOSE int fd = open(tool_part(job->run), O_WRONLY | O_TRUNC | O_CLOEXEC);
    char name[300];

    if (fd < 0)
        return err_sys(err, "scratch file");
    if (fdio_write(fd, file->data, file->len, err) < 0)
        return -1;
    snprintf(name, sizeof name, "%s_p%0*zu_%zu.%s", job->run->stem, job->selection.digits, page + 1,
             place, extension);
    job->n_written++;
    return tool_part_done(job->run, name, 0, err);
}

/* Returns 1 if the picture was saved before or cannot be saved. */
static int extract_one(struct extraction *job, const struct embedded_image *picture, size_t page,
                       size_t place, struct err *err)
{
    AUTO_BUF struct buf file = BUF_EMPTY;
    const char *extension;

    if (picture->object > 0 && picture->object < job->n_objects) {
        if (job->seen[picture->object])
            return 1;
        job->seen[picture->object] = true;
    }
    if (job->n_written == TOOL_PARTS)
        return err_set(err, ERR_LIMIT_EXCEEDED, "there are more than %d pictures", TOOL_PARTS);
    if (embedded_image_write(picture, &job->doc, job->writer, &file, &extension, err) < 0) {
        if (err->code == ERR_LIMIT_EXCEEDED)
            return -1;
        tool_warn(job->run, "picture_skipped", "a picture on page %zu was left out: %s", page + 1,
                  err->msg);
        job->n_skipped++;
        return 1;
    }
    if (is_written(job, &file))
        return 1;
    return put_part(job, &file, page, place, extension, err);
}

static int extract_page(struct extraction *job, size_t page, struct err *err)
{
    struct embedded_image_list list = { 0 };
    char words[DAMAGE_WORDS];
    size_t place = 1;
    int done;

    damage_begin(job->doc.ctx);
    done = embedded_image_find(&list, &job->doc, page, err);
    for (size_t i = 0; done >= 0 && i < list.n; i++) {
        done = extract_one(job, &list.items[i], page, place, err);
        place += done == 0;
    }
    damage_words(&damage_state(job->doc.ctx)->damage, words);
    if (list.damaged || *words)
        damage_report_add(&job->damaged, page, words);
    embedded_image_free(&list, &job->doc);
    return done < 0 ? -1 : 0;
}

static int extract_all(struct extraction *job, struct err *err)
{
    job->n_objects = pdf_xref_len(job->doc.ctx, job->doc.pdf);
    job->seen = calloc((size_t) job->n_objects + 1, sizeof *job->seen);
    job->written = calloc(TOOL_PARTS + 1, sizeof *job->written);
    if (!job->seen || !job->written)
        return engine_no_memory(err);
    job->writer = png_writer_new(err);
    if (!job->writer)
        return -1;
    for (size_t i = 0; i < job->selection.n; i++) {
        if (extract_page(job, job->selection.pages[i], err) < 0)
            return -1;
        tool_progress(job->run, (double) (i + 1) / (double) job->selection.n);
    }
    mupdf_document_warn(&job->doc);
    damage_report_warn(&job->damaged, job->run, "some of its pictures may be missing");
    if (job->n_written == 0 && (job->n_skipped > 0 || job->damaged.n > 0))
        return err_set(err, ERR_CORRUPT_FILE, "none of the pictures can be read: %s",
                       job->damaged.n > 0 ? job->damaged.words : "their data is damaged");
    if (job->n_written == 0)
        return err_field(err, ERR_UNSUPPORTED_CONTENT, "mode",
                         "no pictures are embedded in these pages: mode pages makes pictures of "
                         "them");
    return tool_parts_done(job->run, err);
}

int image_extract(struct tool_run *run, const char *password, const char *pages, struct err *err)
{
    struct extraction job = { .run = run };
    int done = -1;

    if (mupdf_document_open(&job.doc, run->inputs[0].path, password, run, err) == 0 &&
        page_selection_open(&job.selection, &job.doc, pages, err) == 0)
        done = extract_all(&job, err);
    png_writer_free(job.writer);
    page_selection_free(&job.selection);
    mupdf_document_close(&job.doc);
    free(job.seen);
    free(job.written);
    return done;
}
