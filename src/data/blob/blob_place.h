/*
 * blob_place: the paths of blobs in a folder: FOLDER/ab/<job id>.<name>, where "ab" (the shelf) is
 * the end of the job id, so that no folder grows without limit.
 */
#pragma once

#include "base/id.h"
#include "data/blob/blob.h"

#define BLOB_SHELVES    256 /* number of shelves: one for each value of two hex digits */
#define BLOB_SHELF_NAME 3   /* room for each of these and its NUL */
#define BLOB_FILE       (ID_TEXT + BLOB_NAME)
#define BLOB_PATH       (BLOB_SHELF_NAME + BLOB_FILE)

/* Writes the name of a shelf, from "00" to "ff". */
void blob_place_shelf_name(unsigned shelf, char out[static BLOB_SHELF_NAME]);
/* The shelf of a job's blobs; -1 if the job id is malformed. */
int blob_place_shelf(const char *job_id);

/* Writes the name of a blob's file: <job id>.<name>. */
void blob_place_file(const char *job_id, const char *name, char out[static BLOB_FILE]);
/* The path with its shelf. -1 if the job id is malformed. */
int blob_place_path(const char *job_id, const char *name, char out[static BLOB_PATH]);
/* The job and the name of a blob's file, borrowed from its name; NULL if it is not one. */
const char *blob_place_read(const char *file, char job_id[static ID_TEXT]);
