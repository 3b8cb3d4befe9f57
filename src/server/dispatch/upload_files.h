/*
 * upload_files: the bytes of files that clients upload in pieces (data/store/store_uploads.h), as
 * blobs below the upload's id: "up.<from>.<to>" for each piece until the file is complete, then
 * "up.file", or "up.file.<ending>" if it came with a ticket. A piece is on disk before the store
 * records it, so what the store has recorded exists after any crash, and the client sends the rest.
 * Every function blocks on the disk.
 */
#pragma once

#include "data/blob/blob.h"
#include "data/store/store_uploads.h"

/*
 * Publishes the next `bytes` bytes from a staging file, and sets *upload to its state afterwards
 * (offset, pieces, complete, kind), for store_upload_advance. With the last piece the file is
 * assembled. Existing blobs stay until upload_files_settle. ERR_LIMIT_EXCEEDED for too many pieces.
 */
int upload_files_add(struct blob_store *blobs, struct store_upload *upload, int fd, int64_t bytes,
                     struct err *err);
/* After the store was updated: removes what is not needed any more. `before`: its pieces as they
 * were. */
void upload_files_settle(struct blob_store *blobs, const struct store_upload *upload,
                         const char *before);
/* Undoes upload_files_add of the bytes from `from` on after another request was faster: removes the
 * blob that was published, unless `now`, the upload as stored (NULL: it was deleted), refers to a
 * blob of the same name. */
void upload_files_drop(struct blob_store *blobs, const struct store_upload *upload, int64_t from,
                       const struct store_upload *now);
/*
 * Publishes the whole file of an upload that waited for it with a ticket, and sets *upload to its
 * state afterwards, for store_upload_advance. If that does not succeed, because another file was
 * faster or the ticket was revoked, upload_files_empty removes it: each attempt has a blob of its
 * own, so that two servers that receive a file at the same time do not mix them.
 */
int upload_files_fill(struct blob_store *blobs, struct store_upload *upload, int fd, int64_t bytes,
                      struct err *err);
void upload_files_empty(struct blob_store *blobs, const struct store_upload *upload);
/* Opens a complete upload for reading; the caller closes it. ERR_NOT_FOUND. */
int upload_files_open(struct blob_store *blobs, const struct store_upload *upload, struct err *err);
/* Removes the blobs of an upload that is gone. */
void upload_files_discard(struct blob_store *blobs, const struct store_upload *upload);
/* Whether a blob's name is an upload's, and whether this upload still needs it. */
bool upload_files_is(const char *name);
bool upload_files_needs(const struct store_upload *upload, const char *name);
