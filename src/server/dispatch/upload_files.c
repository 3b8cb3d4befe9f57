#include "server/dispatch/upload_files.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/fdio.h"
#include "base/id.h"
#include "base/scope.h"
#include "declare/value/file_kind.h"

#define PREFIX        "up."
#define WHOLE         "up.file"
#define TICKET_ENDING 12 /* letters that end the name of a blob that came with a ticket */

static void piece_name(int64_t from, int64_t to, char out[static BLOB_NAME])
{
    snprintf(out, BLOB_NAME, PREFIX "%lld.%lld", (long long) from, (long long) to);
}

static bool has_ticket(const struct store_upload *upload)
{
    return strcmp(upload->kind, STORE_UPLOAD_TICKET) == 0;
}

/* The blob of a complete upload. */
static void whole_name(const struct store_upload *upload, char out[static BLOB_NAME])
{
    snprintf(out, BLOB_NAME, WHOLE "%s%.12s", *upload->pieces ? "." : "", upload->pieces);
}

/* Steps through the ends of pieces. False: there are no more. */
static bool next_piece(const char **at, int64_t *from, int64_t *to)
{
    char *end;

    *from = *to;
    if (!**at)
        return false;
    *to = strtoll(*at, &end, 10); /* our own text */
    *at = *end ? end + 1 : end;
    return true;
}

/* Names are not used twice: what a lost request left under this one goes. */
static int publish(struct blob_store *blobs, const char *id, const char *name, int fd,
                   struct err *err)
{
    struct blob_item item = { .fd = fd };

    snprintf(item.name, sizeof item.name, "%s", name);
    blob_remove(blobs, id, name);
    return blob_publish(blobs, id, &item, 1, err);
}

static int append_piece(struct blob_store *blobs, const char *id, int64_t from, int64_t to,
                        int whole, struct err *err)
{
    char name[BLOB_NAME];
    AUTO_CLOSE int fd = -1;
    int64_t bytes;

    piece_name(from, to, name);
    fd = blob_open(blobs, id, name, to - from, &bytes, err);
    if (fd < 0)
        return -1;
    if (bytes != to - from)
        return err_set(err, ERR_INTERNAL, "a piece of an upload has the wrong length");
    return fdio_copy(fd, 0, bytes, whole, err);
}

/* Puts all pieces and the last one, which has no name, into one file. */
static int join_pieces(struct blob_store *blobs, const struct store_upload *upload, int last,
                       int64_t bytes, int *whole, struct err *err)
{
    const char *at = upload->pieces;
    int64_t from = 0, to = 0;

    *whole = blob_stage(blobs, err);
    if (*whole < 0)
        return -1;
    while (next_piece(&at, &from, &to))
        if (append_piece(blobs, upload->id, from, to, *whole, err) < 0)
            return -1;
    return fdio_copy(last, 0, bytes, *whole, err);
}

static int find_kind(int fd, int64_t bytes, struct store_upload *upload, struct err *err)
{
    unsigned char head[FILE_KIND_HEAD];
    ssize_t n =
        fdio_read_at(fd, head, bytes < FILE_KIND_HEAD ? (size_t) bytes : sizeof head, 0, err);
    const char *kind = n < 0 ? NULL : file_kind_of(head, (size_t) n);

    if (n < 0)
        return -1;
    snprintf(upload->kind, sizeof upload->kind, "%s", kind ? kind : "");
    return 0;
}

static int add_last(struct blob_store *blobs, struct store_upload *upload, int fd, int64_t bytes,
                    struct err *err)
{
    AUTO_CLOSE int whole = -1;

    if (upload->offset > 0 && join_pieces(blobs, upload, fd, bytes, &whole, err) < 0)
        return -1;
    if (whole < 0)
        whole = dup(fd);
    if (whole < 0)
        return err_sys(err, "upload");
    if (find_kind(whole, upload->size, upload, err) < 0 ||
        publish(blobs, upload->id, WHOLE, whole, err) < 0)
        return -1;
    *upload->pieces = '\0';
    upload->offset = upload->size;
    upload->complete = true;
    return 0;
}

static int count_pieces(const char *pieces)
{
    int n = 0;

    for (; *pieces; pieces++)
        n += *pieces == ',';
    return n;
}

int upload_files_add(struct blob_store *blobs, struct store_upload *upload, int fd, int64_t bytes,
                     struct err *err)
{
    int64_t to = upload->offset + bytes;
    char name[BLOB_NAME], *pieces;

    if (to == upload->size)
        return add_last(blobs, upload, fd, bytes, err);
    if (count_pieces(upload->pieces) >= STORE_UPLOAD_PIECES - 1)
        return err_set(err, ERR_LIMIT_EXCEEDED,
                       "an upload consists of at most %d pieces: send larger ones",
                       STORE_UPLOAD_PIECES);
    piece_name(upload->offset, to, name);
    if (publish(blobs, upload->id, name, fd, err) < 0)
        return -1;
    if (asprintf(&pieces, "%s%lld,", upload->pieces, (long long) to) < 0)
        return err_set(err, ERR_INTERNAL, "out of memory");
    free(upload->pieces);
    upload->pieces = pieces;
    upload->offset = to;
    return 0;
}

int upload_files_fill(struct blob_store *blobs, struct store_upload *upload, int fd, int64_t bytes,
                      struct err *err)
{
    struct blob_item item = { .fd = fd };
    char id[ID_TEXT], *ending;

    id_new(id);
    if (asprintf(&ending, "%s", id + strlen(id) - TICKET_ENDING) < 0)
        return err_set(err, ERR_INTERNAL, "out of memory");
    free(upload->pieces);
    upload->pieces = ending;
    upload->size = upload->offset = bytes;
    upload->complete = true;
    whole_name(upload, item.name);
    return find_kind(fd, bytes, upload, err) < 0 ? -1
                                                 : blob_publish(blobs, upload->id, &item, 1, err);
}

void upload_files_empty(struct blob_store *blobs, const struct store_upload *upload)
{
    char name[BLOB_NAME];

    whole_name(upload, name);
    blob_remove(blobs, upload->id, name);
}

void upload_files_settle(struct blob_store *blobs, const struct store_upload *upload,
                         const char *before)
{
    int64_t from = 0, to = 0;
    char name[BLOB_NAME];

    while (upload->complete && next_piece(&before, &from, &to)) {
        piece_name(from, to, name);
        blob_remove(blobs, upload->id, name);
    }
}

int upload_files_open(struct blob_store *blobs, const struct store_upload *upload, struct err *err)
{
    char name[BLOB_NAME];
    int64_t bytes;

    whole_name(upload, name);
    return blob_open(blobs, upload->id, name, upload->size, &bytes, err);
}

/* Whether a piece is one of those of an upload. */
static bool has_piece(const struct store_upload *upload, int64_t from, int64_t to)
{
    const char *at = upload->pieces;
    int64_t start = 0, end = 0;

    while (next_piece(&at, &start, &end))
        if (start == from && end == to)
            return true;
    return false;
}

void upload_files_drop(struct blob_store *blobs, const struct store_upload *upload, int64_t from,
                       const struct store_upload *now)
{
    char name[BLOB_NAME] = WHOLE;

    if (!upload->complete)
        piece_name(from, upload->offset, name);
    if (!now || (upload->complete ? !now->complete : !has_piece(now, from, upload->offset)))
        blob_remove(blobs, upload->id, name);
}

void upload_files_discard(struct blob_store *blobs, const struct store_upload *upload)
{
    const char *at = upload->pieces;
    int64_t from = 0, to = 0;
    char name[BLOB_NAME] = WHOLE;

    if (has_ticket(upload))
        return;
    while (!upload->complete && next_piece(&at, &from, &to)) {
        piece_name(from, to, name);
        blob_remove(blobs, upload->id, name);
    }
    if (upload->complete)
        whole_name(upload, name);
    else
        snprintf(name, sizeof name, WHOLE);
    blob_remove(blobs, upload->id, name);
}

bool upload_files_is(const char *name)
{
    return strncmp(name, PREFIX, strlen(PREFIX)) == 0;
}

bool upload_files_needs(const struct store_upload *upload, const char *name)
{
    char whole[BLOB_NAME];

    if (!upload->complete)
        return strcmp(name, WHOLE) != 0;
    whole_name(upload, whole);
    return strcmp(name, whole) == 0;
}
