#include "data/store/store_uploads.h"

#include <stdlib.h>

void store_upload_free(struct store_upload *upload)
{
    free(upload->name);
    free(upload->pieces);
    *upload = (struct store_upload){ 0 };
}

void store_uploads_free(struct store_uploads *uploads)
{
    for (size_t i = 0; i < uploads->n; i++)
        store_upload_free(&uploads->list[i]);
    free(uploads->list);
    *uploads = (struct store_uploads){ 0 };
}

int store_refuse_uploads(struct err *err)
{
    return err_set(err, ERR_TOO_MANY_UPLOADS,
                   "too many uploads, or too many bytes in them, are kept for this account: delete "
                   "some, or wait until they expire");
}

int store_upload_put(struct store *store, const struct store_upload *upload,
                     const struct store_upload_terms *terms, struct err *err)
{
    return store->ops->uploads->put(store, upload, terms, err);
}

int store_upload_find(struct store *store, const char *id, struct store_upload *upload,
                      struct err *err)
{
    return store->ops->uploads->find(store, id, upload, err);
}

int store_upload_advance(struct store *store, const struct store_upload *upload, int64_t from,
                         struct err *err)
{
    return store->ops->uploads->advance(store, upload, from, err);
}

int store_upload_remove(struct store *store, const char *id, int64_t key_id,
                        struct store_upload *upload, struct err *err)
{
    return store->ops->uploads->remove(store, id, key_id, upload, err);
}

int store_upload_expire(struct store *store, int64_t now, size_t limit,
                        struct store_uploads *uploads, struct err *err)
{
    return store->ops->uploads->expire(store, now, limit, uploads, err);
}

int store_upload_list(struct store *store, int64_t key_id, size_t limit,
                      struct store_uploads *uploads, struct err *err)
{
    return store->ops->uploads->list(store, key_id, limit, uploads, err);
}
