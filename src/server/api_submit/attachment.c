#include "server/api_submit/attachment.h"

#include <stdlib.h>
#include <string.h>

#include "base/scope.h"
#include "declare/value/text.h"

const struct param *attachment_name(struct attachment *attachment, const char *name,
                                    const char *field, int64_t max, struct err *err)
{
    static const char letters[] =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-";
    size_t n = strlen(name);

    if (n == 0 || n >= sizeof attachment->name || strspn(name, letters) != n) {
        err_field(err, ERR_INVALID_REQUEST, field,
                  "a file for a step is named with 1 to %zu letters, digits, _ and -",
                  sizeof attachment->name - 1);
        return NULL;
    }
    memcpy(attachment->name, name, n + 1);
    attachment->part =
        (struct param){ .name = attachment->name, .type = PARAM_UPLOAD, .max = (double) max };
    return &attachment->part;
}

void attachment_call(struct attachment *attachment, const char *filename)
{
    text_file_name(filename, strlen(filename), attachment->file_name,
                   sizeof attachment->file_name - 1);
    attachment->file.name = attachment->file_name;
}

int attachment_refer(struct attachment *attachment, const char *text, const char *field,
                     struct references *named, struct err *err)
{
    struct digest digest;

    digest_start(&digest);
    digest_add(&digest, text, strlen(text));
    digest_end(&digest, attachment->digest);
    attachment->named = true;
    if (!named)
        return 0;
    attachment->charged = named->charged;
    attachment->source = named->fd;
    attachment->offset = named->list[0].offset;
    attachment->file.bytes = named->list[0].bytes;
    if (named->fd < 0)
        attachment->later = reference_later_new(text, field, err);
    named->fd = -1;
    return attachment->source < 0 && !attachment->later ? -1 : 0;
}

void attachment_arrive(struct attachment *attachment, struct references *named)
{
    free(attachment->later);
    attachment->later = NULL;
    attachment->source = named->fd;
    named->fd = -1;
}

static int64_t bytes_to_copy(const struct attachment *list, size_t n)
{
    int64_t bytes = 0;

    for (size_t i = 0; i < n; i++)
        bytes += list[i].named ? list[i].file.bytes : 0;
    return bytes;
}

int attachment_list_fetch(struct attachment *list, size_t n, struct blob_store *blobs,
                          int64_t min_free, struct err *err)
{
    if (reference_room(blobs, bytes_to_copy(list, n), min_free, err) < 0)
        return -1;
    for (size_t i = 0; i < n; i++) {
        struct tool_input *file = &list[i].file;

        if (list[i].source >= 0 && file->fd < 0 &&
            reference_fetch(blobs, list[i].source, list[i].offset, file->bytes, &file->fd, err) < 0)
            return -1;
    }
    return 0;
}

void attachment_list_inputs(const struct attachment *list, size_t n, struct param_input *out)
{
    for (size_t i = 0; i < n; i++)
        out[i] = (struct param_input){ list[i].name, NULL, &list[i].file };
}

int64_t attachment_list_bytes(const struct attachment *list, size_t n)
{
    int64_t bytes = 0;

    for (size_t i = 0; i < n; i++)
        bytes += list[i].file.bytes;
    return bytes;
}

int64_t attachment_list_reused(const struct attachment *list, size_t n)
{
    int64_t bytes = 0;

    for (size_t i = 0; i < n; i++)
        bytes += list[i].named && !list[i].charged ? list[i].file.bytes : 0;
    return bytes;
}

void attachment_list_close(struct attachment *list, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        scope_close(&list[i].file.fd);
        scope_close(&list[i].source);
        free(list[i].later);
    }
}

static int by_name(const void *a, const void *b)
{
    return strcmp((*(const struct param_input *const *) a)->name,
                  (*(const struct param_input *const *) b)->name);
}

void attachment_digest_params(const struct param_input *params, size_t n, struct digest *digest)
{
    const struct param_input *sorted[UPLOAD_FIELDS];

    for (size_t i = 0; i < n; i++)
        sorted[i] = &params[i];
    qsort(sorted, n, sizeof *sorted, by_name);
    for (size_t i = 0; i < n; i++) {
        digest_add(digest, sorted[i]->name, strlen(sorted[i]->name) + 1);
        if (sorted[i]->file)
            digest_add(digest, ((const struct attachment *) sorted[i]->file)->digest, DIGEST_TEXT);
        else
            digest_add(digest, sorted[i]->value, strlen(sorted[i]->value) + 1);
    }
}
