#include "stamp/sign/container.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <openssl/evp.h>
#include <stdlib.h>
#include <string.h>

#include "base/fdio.h"
#include "base/scope.h"

#define RANGE_ROOM 64 /* brackets, four numbers of up to 14 digits, blanks */
#define PIECE      262144

static void free_digest(EVP_MD_CTX **ctx)
{
    EVP_MD_CTX_free(*ctx);
}

void container_reserve(struct container *container, struct update *update, size_t bytes)
{
    struct buf *out = &update->added;

    buf_puts(out, "/ByteRange ");
    container->range = out->len;
    buf_printf(out, "%*s/Contents <", RANGE_ROOM, "");
    container->contents = out->len;
    container->bytes = bytes;
    for (size_t i = 0; i < bytes; i++)
        buf_puts(out, "00");
    buf_puts(out, ">");
}

static void set_range(const struct container *container, struct update *update)
{
    char text[RANGE_ROOM + 1];
    int64_t before = update->bytes + (int64_t) container->contents - 1; /* without "<" */
    int64_t after = before + 2 * (int64_t) container->bytes + 2;
    int64_t end = update->bytes + (int64_t) update->added.len;
    int n = snprintf(text, sizeof text, "[0 %" PRId64 " %" PRId64 " %" PRId64 "]", before, after,
                     end - after);

    memcpy(update->added.data + container->range, text, (size_t) n);
}

/* The caller ignores SIGXFSZ. */
static int put_output(int output, const void *data, size_t n, struct err *err)
{
    if (fdio_write(output, data, n, err) == 0)
        return 0;
    if (errno == EFBIG)
        return err_set(err, ERR_LIMIT_EXCEEDED, "the result is larger than a file may be");
    return -1;
}

/* `ctx`: what computes the digest of the document's bytes; NULL: nothing does. */
static int copy_document(struct update *update, int input, int output, EVP_MD_CTX *ctx,
                         struct tool_run *run, struct err *err)
{
    AUTO_FREE unsigned char *piece = malloc(PIECE);

    if (!piece)
        return pdf_doc_no_memory(err);
    for (int64_t at = 0; at < update->bytes;) {
        size_t want = update->bytes - at < PIECE ? (size_t) (update->bytes - at) : PIECE;
        ssize_t n = fdio_read_at(input, piece, want, at, err);

        if (n < 0 || put_output(output, piece, (size_t) n, err) < 0)
            return -1;
        if ((size_t) n != want)
            return err_set(err, ERR_INTERNAL, "the input became shorter");
        if (ctx)
            EVP_DigestUpdate(ctx, piece, (size_t) n);
        at += n;
        tool_progress(run, 0.2 + 0.7 * (double) at / (double) update->bytes);
    }
    return 0;
}

int container_write(const struct container *container, struct update *update, int input,
                    const char *path, struct tool_run *run, struct container_file *file,
                    struct err *err)
{
    __attribute__((cleanup(free_digest))) EVP_MD_CTX *ctx = EVP_MD_CTX_new();
    const char *added = update->added.data;
    size_t before = container->contents - 1, after = before + 2 * container->bytes + 2;

    *file = (struct container_file){ .fd = open(path, O_WRONLY | O_TRUNC | O_CLOEXEC) };
    if (file->fd < 0)
        return err_sys(err, "open the result");
    if (!ctx || !EVP_DigestInit_ex(ctx, EVP_sha256(), NULL))
        return err_set(err, ERR_INTERNAL, "a digest");
    set_range(container, update);
    if (copy_document(update, input, file->fd, ctx, run, err) < 0 ||
        put_output(file->fd, added, update->added.len, err) < 0)
        return -1;
    EVP_DigestUpdate(ctx, added, before);
    EVP_DigestUpdate(ctx, added + after, update->added.len - after);
    if (!EVP_DigestFinal_ex(ctx, file->digest, NULL))
        return err_set(err, ERR_INTERNAL, "a digest");
    return 0;
}

int container_append(struct update *update, int input, const char *path, struct tool_run *run,
                     struct err *err)
{
    AUTO_CLOSE int fd = open(path, O_WRONLY | O_TRUNC | O_CLOEXEC);

    if (fd < 0)
        return err_sys(err, "open the result");
    if (copy_document(update, input, fd, NULL, run, err) < 0)
        return -1;
    return put_output(fd, update->added.data, update->added.len, err);
}

void container_close(struct container_file *file)
{
    if (file->fd >= 0)
        close(file->fd);
    file->fd = -1;
}

int container_fill(const struct container *container, struct update *update,
                   const struct container_file *file, const struct buf *der, struct err *err)
{
    static const char digits[] = "0123456789abcdef";
    char *out = update->added.data + container->contents;

    if (der->len > container->bytes)
        return err_set(err, ERR_LIMIT_EXCEEDED,
                       "the signature needs %zu bytes, more than the %zu kept for it: its time "
                       "stamp is too long",
                       der->len, container->bytes);
    for (size_t i = 0; i < der->len; i++) {
        out[2 * i] = digits[(unsigned char) der->data[i] >> 4];
        out[2 * i + 1] = digits[der->data[i] & 15];
    }
    if (lseek(file->fd, update->bytes + (int64_t) container->contents, SEEK_SET) < 0)
        return err_sys(err, "seek in the result");
    return fdio_write(file->fd, out, 2 * container->bytes, err);
}
