/*
 * inspect: what a dry run tells of files without doing anything to them. The server's own: it reads
 * one line for each file,
 *
 *     PAGES ENCRYPTED REPAIRED SIGNED CODE MESSAGE
 *
 * where the three in the middle are 0 or 1, and CODE is "-" for a file that can be used.
 */
#include <fcntl.h>
#include <string.h>

#include "base/fdio.h"
#include "declare/tool/tool.h"
#include "declare/value/file_kind.h"
#include "image/heic/heic.h"
#include "image/import/image.h"
#include "pdf/document/doc.h"

struct params {
    const char *inputPassword, *inputPassword2;
};

static const struct param params[] = {
    SECRET(struct params, inputPassword, "The password that opens the documents.", .max = 1000),
    SECRET(struct params, inputPassword2, "That of the second one, if it is another.", .max = 1000),
};

static void put_document(struct buf *lines, const struct pdf_doc *doc, const struct err *why)
{
    buf_printf(lines, "%zu %d %d %d %s %s\n", doc->n_pages, doc->encrypted, doc->repaired,
               doc->signed_, why ? err_name(why->code) : "-", why ? why->msg : "");
}

static int look_at_pdf(const struct tool_input *input, const char *password, struct buf *lines,
                       struct err *err)
{
    AUTO_PDF_DOC struct pdf_doc doc = { 0 };

    if (pdf_doc_open(&doc, input->path, password, NULL, err) < 0)
        return -1;
    put_document(lines, &doc, NULL);
    return 0;
}

static int look_at_picture(const struct tool_input *input, struct buf *lines, struct err *err)
{
    AUTO_IMAGE_FILE struct image_file *file = image_open(input->fd, input->bytes, err);
    struct pdf_doc pictures = { 0 };
    struct image image;
    int got = -1;

    while (file && (got = image_next(file, &image, err)) > 0)
        pictures.n_pages++;
    if (got == 0)
        put_document(lines, &pictures, NULL);
    return got;
}

static int inspect_input(const struct tool_input *input, const char *password, struct buf *lines,
                         struct err *err)
{
    unsigned char head[FILE_KIND_HEAD];
    ssize_t n = fdio_read_at(input->fd, head, sizeof head, 0, err);
    const char *kind = n < 0 ? NULL : file_kind_of(head, (size_t) n);

    if (n < 0)
        return -1;
    if (kind && strcmp(kind, "svg") == 0) {
        put_document(lines, &(const struct pdf_doc){ .n_pages = 1 }, NULL);
        return 0;
    }
    if (!kind || strcmp(kind, "pdf") == 0)
        return look_at_pdf(input, password, lines, err);
    return look_at_picture(input, lines, err);
}

static int run(struct tool_run *run, const void *values, struct err *err)
{
    const struct params *p = values;
    AUTO_BUF struct buf lines = BUF_EMPTY;
    AUTO_CLOSE int fd = open(run->output, O_WRONLY | O_CLOEXEC);

    if (fd < 0)
        return err_sys(err, "result");
    for (size_t i = 0; i < run->n_inputs; i++) {
        const struct pdf_doc none = { .encrypted = false };
        struct pdf_doc closed = { .encrypted = true };
        const char *password = i == 1 && p->inputPassword2 ? p->inputPassword2 : p->inputPassword;
        struct err why;

        if (inspect_input(&run->inputs[i], password, &lines, &why) < 0)
            put_document(&lines,
                         why.code == ERR_PASSWORD_REQUIRED || why.code == ERR_WRONG_PASSWORD
                             ? &closed
                             : &none,
                         &why);
        tool_progress(run, (double) (i + 1) / (double) run->n_inputs);
    }
    if (lines.failed)
        return err_set(err, ERR_LIMIT_EXCEEDED, "the files need more memory than a job has");
    if (fdio_write(fd, lines.data, lines.len, err) < 0)
        return -1;
    return tool_done(run, 0, err);
}

const struct tool tool_inspect = {
    .name = "inspect",
    .summary = "Tells what files are, for a dry run.",
    .accepts = { "pdf", "jpg", "png", "gif", "webp", "tiff", "bmp", "heic", "avif", "svg",
                 TOOL_UNKNOWN },
    .gives = "text",
    .min_files = 1,
    .max_files = 1000,
    .params = params,
    .n_params = COUNT(params),
    .params_size = sizeof(struct params),
    .run = run,
    .prepare = heic_prepare,
    .hidden = true,
};
