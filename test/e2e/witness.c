/*
 * witness: a worker program for tests, in the place of platen-worker (setting `programs`). Its one
 * tool says what reached it, in lines after the magic bytes of a PDF.
 */
#include <fcntl.h>
#include <string.h>

#include "base/digest.h"
#include "base/fdio.h"
#include "tool/run.h"
#include "tool/tool.h"
#include "worker/zygote.h"

struct params {
    const char *certificatePassword;
    const struct tool_input *certificate;
};

static const struct param params[] = {
    UPLOAD(struct params, certificate, "A certificate and its key.", .max = 1000000),
    SECRET(struct params, certificatePassword, "What opens it.", .max = 100),
};

static int tell_certificate(const struct params *p, struct buf *out, struct err *err)
{
    AUTO_BUF struct buf bytes = BUF_EMPTY;
    AUTO_CLOSE int fd = -1;
    char digest[DIGEST_TEXT];

    if (!p->certificate) {
        buf_puts(out, "certificate none\n");
        return 0;
    }
    fd = open(p->certificate->path, O_RDONLY | O_CLOEXEC);
    if (fd < 0 || fdio_read_all(fd, 1000000, &bytes, err) < 0)
        return err_sys(err, "certificate");
    digest_text(bytes.data, bytes.len, digest);
    buf_printf(out, "certificate %s %s\n", digest,
               p->certificatePassword ? p->certificatePassword : "-");
    return 0;
}

static int run(struct tool_run *run, const void *values, struct err *err)
{
    AUTO_BUF struct buf text = BUF_EMPTY;
    AUTO_CLOSE int out = open(run->output, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);

    buf_printf(&text, "%%PDF-1.4\ndocuments %zu\n", run->n_inputs);
    if (out < 0)
        return err_sys(err, "output");
    if (tell_certificate(values, &text, err) < 0 ||
        fdio_write(out, buf_text(&text), text.len, err) < 0)
        return -1;
    return tool_done(run, 1, err);
}

static const struct tool tool_witness = {
    .name = "witness",
    .summary = "Says what reached it.",
    .accepts = { "pdf" },
    .gives = "pdf",
    .min_files = 1,
    .max_files = 1,
    .params = params,
    .n_params = COUNT(params),
    .params_size = sizeof(struct params),
    .run = run,
};

int main(int argc, char **argv)
{
    static const struct tool *const tools[] = { &tool_witness };

    return zygote_main("platen-worker", tools, COUNT(tools), NULL, argc, argv);
}
