/* upload_find: finds an account's upload (server/api/uploads.h) by its id. */
#pragma once

#include "data/store/store_uploads.h"

/* Fills *upload, which the caller frees. ERR_UPLOAD_NOT_FOUND: also for another account's upload
 * and for an expired one. */
int upload_find(struct store *store, int64_t key_id, const char *id, struct store_upload *upload,
                struct err *err);
/* Sets ERR_UPLOAD_NOT_FOUND and returns -1. */
int upload_find_none(struct err *err);
