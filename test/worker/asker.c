/* asker: asks the server for services, honestly or not, as the letters of `text` say. */
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/fdio.h"
#include "base/scope.h"
#include "declare/tool_run/run.h"
#include "rogue.h"
#include "sandbox/protocol/ask.h"

static const unsigned char digest[SERVICE_DIGEST] = "thirty-two bytes of no meaning..";

/* The socket that the tool should not know of. */
static int find_socket(void)
{
    struct stat st;

    for (int fd = 3; fd < 100; fd++)
        if (fstat(fd, &st) == 0 && S_ISSOCK(st.st_mode))
            return fd;
    return -1;
}

static int misbehave(char how, struct err *err)
{
    struct ask ask = { .kind = how == 'u' ? 4000000000 : ASK_TIMESTAMP };
    char long_packet[100] = { ASK_CHAIN };
    int sock = find_socket(), n = how == 'h' ? 2 : 1;

    if (sock < 0)
        return err_set(err, ERR_UNSUPPORTED_CONTENT, "no socket");
    if (how == 'l')
        return fdio_write(sock, long_packet, sizeof long_packet, err);
    if (how == 'j')
        return fdio_write(sock, "junk", 4, err);
    for (int i = 0; i < n; i++)
        if (fdio_write(sock, &ask, sizeof ask, err) < 0)
            return -1;
    return 0;
}

static int ask_one(struct tool_run *run, char what, struct buf *out, struct err *err)
{
    switch (what) {
    case 'c':
        return tool_seal_chain(run, out, err);
    case 's':
        return tool_seal_sign(run, digest, out, err);
    case 't':
        return tool_timestamp(run, digest, out, err);
    default:
        return misbehave(what, err);
    }
}

static int run(struct tool_run *run, const void *params, struct err *err)
{
    const struct rogue_params *p = params;
    AUTO_BUF struct buf text = BUF_EMPTY;
    FILE *out;

    buf_puts(&text, "%PDF-");
    for (const char *what = p->text; *what; what++)
        if (ask_one(run, *what, &text, err) < 0)
            return -1;
    while (p->number > 0) /* never comes to its end: what it asked is judged first */
        nanosleep(&(struct timespec){ .tv_sec = 3600 }, NULL);
    out = fopen(run->output, "wbe");
    if (!out || fwrite(text.data, 1, text.len, out) != text.len || fclose(out) != 0)
        return err_sys(err, "output");
    return tool_done(run, 0, err);
}

#define ASKER(word, allowed)                                                                       \
    {                                                                                              \
        .name = word, .summary = word, .accepts = { "pdf" }, .gives = "pdf", .max_files = 1,       \
        .params = rogue_params_table, .n_params = 3, .params_size = sizeof(struct rogue_params),   \
        .run = run, .asks = allowed,                                                               \
    }

const struct tool rogue_asker = ASKER("ask", true), rogue_presumer = ASKER("presume", false);
