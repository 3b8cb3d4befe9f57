/*
 * witness: a worker program for tests, in the place of platen-worker (setting `programs`). Its one
 * tool says what reached it, in lines after the magic bytes of a PDF.
 */
#include <fcntl.h>
#include <string.h>

#include "base/digest.h"
#include "base/fdio.h"
#include "declare/tool/tool.h"
#include "declare/tool_run/run.h"
#include "declare/tool_run/service.h"
#include "sandbox/zygote/zygote.h"

struct params {
    bool seal;
    const char *level;
    const char *certificatePassword;
    const struct tool_input *certificate;
};

static const char *const levels[] = { "B-B", "B-T", NULL };

static const struct param params[] = {
    BOOL(struct params, seal, "Whether to have a digest sealed.", .preset = "false"),
    CHOICE(struct params, level, "B-T: with a time stamp.", .preset = "B-B", .choices = levels),
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

static void tell_hex(const char *name, const struct buf *bytes, struct buf *out)
{
    buf_printf(out, "%s ", name);
    for (size_t i = 0; i < bytes->len; i++)
        buf_printf(out, "%02x", (unsigned char) bytes->data[i]);
    buf_putc(out, '\n');
}

/* Has the digest of nothing (SHA-256 of no bytes) sealed and stamped. */
static int tell_services(struct tool_run *run, const struct params *p, struct buf *out,
                         struct err *err)
{
    static const unsigned char digest[SERVICE_DIGEST] =
        "\xe3\xb0\xc4\x42\x98\xfc\x1c\x14\x9a\xfb\xf4\xc8\x99\x6f\xb9\x24"
        "\x27\xae\x41\xe4\x64\x9b\x93\x4c\xa4\x95\x99\x1b\x78\x52\xb8\x55";
    AUTO_BUF struct buf chain = BUF_EMPTY, signature = BUF_EMPTY, token = BUF_EMPTY;

    if (p->seal) {
        if (tool_seal_chain(run, &chain, err) < 0 ||
            tool_seal_sign(run, digest, &signature, err) < 0)
            return -1;
        tell_hex("chain", &chain, out);
        tell_hex("signature", &signature, out);
    }
    if (strcmp(p->level, "B-T") == 0) {
        if (tool_timestamp(run, digest, &token, err) < 0)
            return -1;
        tell_hex("token", &token, out);
    }
    return 0;
}

static int run(struct tool_run *run, const void *values, struct err *err)
{
    AUTO_BUF struct buf text = BUF_EMPTY;
    AUTO_CLOSE int out = open(run->output, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);

    buf_printf(&text, "%%PDF-1.4\ndocuments %zu\n", run->n_inputs);
    if (out < 0)
        return err_sys(err, "output");
    if (tell_certificate(values, &text, err) < 0 || tell_services(run, values, &text, err) < 0 ||
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
    .asks = true,
    .stamped = { "level", "B-T" },
};

int main(int argc, char **argv)
{
    static const struct tool *const tools[] = { &tool_witness };

    return zygote_main("platen-worker", tools, COUNT(tools), NULL, argc, argv);
}
