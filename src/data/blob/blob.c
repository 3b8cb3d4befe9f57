#include "data/blob/blob.h"

#include <unistd.h>

#include "base/fdio.h"
#include "base/system/log.h"

int blob_damaged(const char *blob, const char *what, struct err *err)
{
    log_error("blob.damaged", KV("blob", blob), KV("why", what));
    return err_set(err, ERR_INTERNAL, "the stored file %s", what);
}

int blob_append(struct blob_store *store, int *fd, int64_t bytes, const void *data, size_t n,
                size_t small, struct err *err)
{
    if (bytes <= (int64_t) small && (size_t) bytes + n > small) {
        int staged = blob_stage(store, err);

        if (staged < 0)
            return -1;
        if (fdio_copy(*fd, 0, bytes, staged, err) < 0) {
            close(staged);
            return -1;
        }
        close(*fd);
        *fd = staged;
    }
    return fdio_write(*fd, data, n, err);
}
