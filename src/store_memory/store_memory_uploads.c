/* The store in memory: files that clients send in pieces. */
#include <stdlib.h>
#include <string.h>

#include "store/store_uploads.h"
#include "store_memory/store_memory.h"

static int copy(struct store_upload *out, const struct store_upload *upload, struct err *err)
{
    *out = *upload;
    out->name = strdup(upload->name);
    out->pieces = strdup(upload->pieces);
    if (out->name && out->pieces)
        return 0;
    store_upload_free(out);
    return err_set(err, ERR_INTERNAL, "out of memory");
}

static struct store_upload *find_upload(struct memory *m, const char *id)
{
    for (size_t i = 0; i < m->n_uploads; i++)
        if (strcmp(m->uploads[i].id, id) == 0)
            return &m->uploads[i];
    return NULL;
}

/* Removes an upload from the list; the caller frees its texts. */
static struct store_upload take(struct memory *m, struct store_upload *upload)
{
    struct store_upload taken = *upload;

    *upload = m->uploads[--m->n_uploads];
    return taken;
}

static int put(struct store *store, const struct store_upload *upload,
               const struct store_upload_terms *terms, struct err *err)
{
    LOCKED *m = memory_enter(store);
    int64_t n = 1, bytes = upload->size;
    struct store_upload *list;

    if (upload->key_id < 1 || upload->key_id > m->n_accounts)
        return err_set(err, ERR_NOT_FOUND, "there is no such account");
    for (size_t i = 0; i < m->n_uploads; i++) {
        if (m->uploads[i].key_id != upload->key_id)
            continue;
        n++;
        bytes += m->uploads[i].size;
    }
    if (n > terms->max_uploads || bytes > terms->max_bytes)
        return store_refuse_uploads(err);
    if (!(list = memory_room(m->uploads, m->n_uploads, sizeof *list, err)))
        return -1;
    m->uploads = list;
    if (copy(&list[m->n_uploads], upload, err) < 0)
        return -1;
    m->n_uploads++;
    return 0;
}

static int find(struct store *store, const char *id, struct store_upload *upload, struct err *err)
{
    LOCKED *m = memory_enter(store);
    const struct store_upload *found = find_upload(m, id);

    if (!found)
        return 0;
    return copy(upload, found, err) < 0 ? -1 : 1;
}

static int advance(struct store *store, const struct store_upload *upload, int64_t from,
                   struct err *err)
{
    LOCKED *m = memory_enter(store);
    struct store_upload *found = find_upload(m, upload->id), changed;

    if (!found)
        return 0;
    if (found->offset != from)
        return found->offset == upload->offset && strcmp(found->pieces, upload->pieces) == 0;
    if (copy(&changed, found, err) < 0)
        return -1;
    free(changed.pieces);
    if (!(changed.pieces = strdup(upload->pieces))) {
        store_upload_free(&changed);
        return err_set(err, ERR_INTERNAL, "out of memory");
    }
    changed.offset = upload->offset;
    changed.expires_at = upload->expires_at;
    changed.complete = upload->complete;
    memcpy(changed.kind, upload->kind, sizeof changed.kind);
    store_upload_free(found);
    *found = changed;
    return 1;
}

static int remove_upload(struct store *store, const char *id, int64_t key_id,
                         struct store_upload *upload, struct err *err)
{
    LOCKED *m = memory_enter(store);
    struct store_upload *found = find_upload(m, id);

    (void) err;
    if (!found || found->key_id != key_id)
        return 0;
    *upload = take(m, found);
    return 1;
}

static int expire(struct store *store, int64_t now, size_t limit, struct store_uploads *uploads,
                  struct err *err)
{
    LOCKED *m = memory_enter(store);

    *uploads = (struct store_uploads){ .list = calloc(limit, sizeof *uploads->list) };
    if (!uploads->list)
        return err_set(err, ERR_INTERNAL, "out of memory");
    for (size_t i = m->n_uploads; i-- > 0 && uploads->n < limit;)
        if (m->uploads[i].expires_at <= now)
            uploads->list[uploads->n++] = take(m, &m->uploads[i]);
    return 0;
}

static int list(struct store *store, int64_t key_id, size_t limit, struct store_uploads *uploads,
                struct err *err)
{
    LOCKED *m = memory_enter(store);

    *uploads = (struct store_uploads){ .list = calloc(limit, sizeof *uploads->list) };
    if (!uploads->list)
        return err_set(err, ERR_INTERNAL, "out of memory");
    for (size_t i = 0; i < m->n_uploads && uploads->n < limit; i++) {
        if (m->uploads[i].key_id != key_id)
            continue;
        if (copy(&uploads->list[uploads->n], &m->uploads[i], err) < 0) {
            store_uploads_free(uploads);
            return -1;
        }
        uploads->n++;
    }
    return 0;
}

const struct store_upload_ops store_memory_uploads = { put,           find,   advance,
                                                       remove_upload, expire, list };
