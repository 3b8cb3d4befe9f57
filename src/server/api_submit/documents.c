#include "server/api_submit/documents.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/fdio.h"
#include "base/scope.h"
#include "declare/value/text.h"
#include "server/webhook/callback.h"

#define ALWAYS 2 /* files of a request for which each connection has descriptors */

bool documents_has_field(const char *name)
{
    if (strcmp(name, "file") == 0 || strcmp(name, "files") == 0)
        return true;
    return strncmp(name, "files[", 6) == 0 &&
           strcmp(name + 6 + strspn(name + 6, "0123456789"), "]") == 0;
}

static int make_room(struct documents *documents, struct err *err)
{
    struct intake_file *files = reallocarray(documents->files, documents->n + 1, sizeof *files);
    struct document *more;

    if (!files)
        return err_sys(err, "documents");
    documents->files = files;
    more = reallocarray(documents->more, documents->n + 1, sizeof *more);
    if (!more)
        return err_sys(err, "documents");
    documents->more = more;
    files[documents->n] = (struct intake_file){ .fd = -1 };
    more[documents->n] = (struct document){ .source = -1 };
    return 0;
}

/* Whether more than half of the descriptors are in use: the kernel gives out the lowest number that
 * is free. */
static bool is_scarce(int fd)
{
    struct rlimit limit;

    return getrlimit(RLIMIT_NOFILE, &limit) == 0 && (rlim_t) fd >= limit.rlim_cur / 2;
}

int documents_begin(struct documents *documents, const char *filename, struct err *err)
{
    struct intake_file *file;

    if (make_room(documents, err) < 0)
        return -1;
    file = &documents->files[documents->n];
    file->fd = fdio_memory_file(err);
    if (file->fd < 0)
        return -1;
    /* A few requests of very many small files would leave no descriptors for those of others. */
    if (documents->n >= ALWAYS && is_scarce(file->fd)) {
        scope_close(&file->fd);
        return err_set(err, ERR_OVERLOADED, "too many files are being sent now; try again later");
    }
    if (filename)
        text_file_name(filename, strlen(filename), file->name, sizeof file->name - 1);
    documents->n++;
    return 0;
}

/* The last part of the path, decoded (RFC 3986, 2.1). */
static void name_by_url(const char *url, char *out, size_t cap)
{
    const char *path = strstr(url, "://"), *end, *from;
    char text[CALLBACK_URL];
    size_t n = 0;

    path = path ? path + 3 : url;
    end = path + strcspn(path, "?");
    for (from = end; from > path && from[-1] != '/'; from--)
        ;
    for (; from < end && n < sizeof text - 1; from++) {
        unsigned byte;

        if (*from == '%' && end - from > 2 && sscanf(from + 1, "%2x", &byte) == 1) {
            text[n++] = (char) byte;
            from += 2;
        } else {
            text[n++] = *from;
        }
    }
    text_file_name(text, n, out, cap - 1);
}

int documents_add_remote(struct documents *documents, const char *url, struct err *err)
{
    struct document *document;
    struct intake_file *file;

    if (make_room(documents, err) < 0)
        return -1;
    document = &documents->more[documents->n];
    file = &documents->files[documents->n];
    document->named = true;
    document->url = strdup(url);
    if (!document->url)
        return err_sys(err, "documents");
    digest_text(url, strlen(url), document->digest);
    file->remote = true;
    name_by_url(url, file->name, sizeof file->name);
    documents->n++;
    return 0;
}

int documents_pop_text(struct documents *documents, struct buf *text, struct err *err)
{
    struct intake_file *file = &documents->files[--documents->n];
    size_t n = file->bytes < CALLBACK_URL ? (size_t) file->bytes : CALLBACK_URL;
    int done = fdio_read_first(file->fd, n, text, err);

    scope_close(&file->fd);
    return done;
}

static int examine_document(struct document *document, int64_t bytes, struct err *err)
{
    unsigned char head[FILE_KIND_HEAD];
    ssize_t got =
        fdio_read_at(document->source, head, bytes < FILE_KIND_HEAD ? (size_t) bytes : sizeof head,
                     document->offset, err);

    if (got < 0)
        return -1;
    document->kind = file_kind_of(head, (size_t) got);
    return 0;
}

/* One of the files that `text` names; `file` NULL: none is left. */
static int put_named(struct documents *documents, const char *text, const struct reference *file,
                     const struct references *named, struct err *err)
{
    bool shared = named && file > named->list;
    struct document *document;
    struct digest digest;

    if (make_room(documents, err) < 0)
        return -1;
    document = &documents->more[documents->n];
    *document = (struct document){ .named = true, .source = -1, .shared = shared };
    digest_start(&digest);
    digest_add(&digest, text, strlen(text));
    digest_end(&digest, document->digest);
    if (file) {
        struct intake_file *entry = &documents->files[documents->n];

        document->source = shared ? document[-1].source : named->fd;
        document->charged = named->charged;
        document->offset = file->offset;
        entry->bytes = file->bytes;
        memcpy(entry->name, file->name, sizeof entry->name);
    }
    documents->n++;
    return file && document->source >= 0 ? examine_document(document, file->bytes, err) : 0;
}

int documents_refer(struct documents *documents, const char *text, const char *field,
                    struct references *named, struct err *err)
{
    bool later = named && named->fd < 0;
    size_t before = --documents->n;
    int done = 0;

    scope_close(&documents->files[before].fd);
    if (!named)
        return put_named(documents, text, NULL, NULL, err);
    for (size_t i = 0; i < named->n && done == 0; i++) {
        done = put_named(documents, text, &named->list[i], named, err);
        if (documents->n > before)
            named->fd = -1; /* it is the first document's now */
    }
    if (done == 0 && later) {
        documents->more[before].later = reference_later_new(text, field, err);
        done = documents->more[before].later ? 0 : -1;
    }
    return done;
}

bool documents_is_later(const struct documents *documents, size_t i)
{
    while (documents->more[i].shared)
        i--;
    return documents->more[i].later != NULL;
}

int documents_arrive(struct documents *documents, size_t i, struct references *named,
                     struct err *err)
{
    struct document *first = &documents->more[i];
    size_t n = 1;

    while (i + n < documents->n && first[n].shared)
        n++;
    if (n != named->n) /* the store keeps them as they are */
        return err_set(err, ERR_INTERNAL, "%s has changed", first->later->text);
    free(first->later);
    first->later = NULL;
    for (size_t k = 0; k < n; k++)
        first[k].source = named->fd;
    named->fd = -1; /* it is the first document's now */
    for (size_t k = 0; k < n; k++)
        if (examine_document(&first[k], documents->files[i + k].bytes, err) < 0)
            return -1;
    return 0;
}

int documents_check_kind(const struct documents *documents, size_t i, const struct tool *tool,
                         struct err *err)
{
    const char *field = tool->max_files > 1 ? "files" : "file";
    char file[32];

    if (documents->more[i].url) /* it is known when it was fetched */
        return 0;
    if (documents->files[i].bytes == 0)
        return err_field(err, ERR_UNSUPPORTED_FILE_TYPE, field,
                         "file %zu is empty: send a file with content", i + 1);
    snprintf(file, sizeof file, "file %zu", i + 1);
    return tool_check_kind(
        tool, documents->more[i].kind,
        tool_is_drawing(documents->files[i].name) ? documents->files[i].name : file, err);
}

int documents_check_kinds(const struct documents *documents, const struct tool *tool,
                          struct err *err)
{
    for (size_t i = 0; i < documents->n; i++)
        if (documents_check_kind(documents, i, tool, err) < 0)
            return -1;
    return 0;
}

static int64_t bytes_to_copy(const struct documents *documents)
{
    int64_t bytes = 0;

    for (size_t i = 0; i < documents->n; i++)
        bytes += documents->more[i].source >= 0 ? documents->files[i].bytes : 0;
    return bytes;
}

int documents_fetch(struct documents *documents, struct blob_store *blobs, int64_t min_free,
                    struct err *err)
{
    if (reference_room(blobs, bytes_to_copy(documents), min_free, err) < 0)
        return -1;
    for (size_t i = 0; i < documents->n; i++) {
        struct intake_file *file = &documents->files[i];
        const struct document *document = &documents->more[i];

        if (document->source >= 0 && file->fd < 0 &&
            reference_fetch(blobs, document->source, document->offset, file->bytes, &file->fd,
                            err) < 0)
            return -1;
    }
    return 0;
}

int64_t documents_bytes(const struct documents *documents)
{
    int64_t bytes = 0;

    for (size_t i = 0; i < documents->n; i++)
        bytes += documents->files[i].bytes;
    return bytes;
}

int64_t documents_reused(const struct documents *documents)
{
    int64_t bytes = 0;

    for (size_t i = 0; i < documents->n; i++)
        if (documents->more[i].source >= 0 && !documents->more[i].charged)
            bytes += documents->files[i].bytes;
    return bytes;
}

void documents_free(struct documents *documents)
{
    for (size_t i = 0; i < documents->n; i++) {
        scope_close(&documents->files[i].fd);
        free(documents->more[i].later);
        free(documents->more[i].url);
        if (!documents->more[i].shared)
            scope_close(&documents->more[i].source);
    }
    free(documents->files);
    free(documents->more);
    *documents = (struct documents){ 0 };
}

void documents_digest(const struct documents *documents, struct digest *digest)
{
    for (size_t i = 0; i < documents->n; i++) {
        const char *name = documents->more[i].named ? "" : documents->files[i].name;

        if (documents->more[i].shared)
            continue;
        digest_add(digest, name, strlen(name) + 1);
        digest_add(digest, documents->more[i].digest, DIGEST_TEXT);
    }
}
