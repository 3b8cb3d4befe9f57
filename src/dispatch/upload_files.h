/*
 * upload_files: the bytes of files that clients send in pieces (store/store_uploads.h), as blobs
 * below the upload's id: "up.<from>.<to>" for each piece until the file is whole, then "up.file".
 * A piece is on the disk before the store says that it came, so what the store says is there is
 * there after any crash, and the client sends the rest. Every function blocks on the disk.
 */
#pragma once

#include "blob/blob.h"
#include "store/store_uploads.h"

/*
 * Publishes the next `bytes` bytes, of a staging file: *upload becomes as it is then (offset,
 * pieces, complete, kind), for store_upload_advance. With the last piece the file is put together.
 * What was there before stays until upload_files_settle. ERR_LIMIT_EXCEEDED for too many pieces.
 */
int upload_files_add(struct blob_store *blobs, struct store_upload *upload, int fd, int64_t bytes,
                     struct err *err);
/* After the store knows: removes what is not needed any more. `before`: its pieces as they were. */
void upload_files_settle(struct blob_store *blobs, const struct store_upload *upload,
                         const char *before);
/* Opens a complete one for reading; the caller closes it. ERR_NOT_FOUND. */
int upload_files_open(struct blob_store *blobs, const struct store_upload *upload, struct err *err);
/* Of an upload that is gone. */
void upload_files_discard(struct blob_store *blobs, const struct store_upload *upload);
/* Whether a blob's name is that of an upload's, and whether this upload still needs it. */
bool upload_files_is(const char *name);
bool upload_files_needs(const struct store_upload *upload, const char *name);
