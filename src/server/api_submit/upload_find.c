#include "server/api_submit/upload_find.h"

#include "base/clock.h"
#include "base/id.h"

int upload_find_none(struct err *err)
{
    return err_set(err, ERR_UPLOAD_NOT_FOUND,
                   "this account has no upload with that id, or the upload has expired");
}

int upload_find(struct store *store, int64_t key_id, const char *id, struct store_upload *upload,
                struct err *err)
{
    int found = id_is_valid(id) ? store_upload_find(store, id, upload, err) : 0;

    if (found < 0)
        return -1;
    if (found == 1 && upload->key_id == key_id && upload->expires_at > clock_wall_ms())
        return 0;
    if (found == 1)
        store_upload_free(upload);
    return upload_find_none(err);
}
