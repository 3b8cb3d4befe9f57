#include "data/blob/blob_place.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void blob_place_shelf_name(unsigned shelf, char out[static BLOB_SHELF_NAME])
{
    snprintf(out, BLOB_SHELF_NAME, "%02x", shelf % BLOB_SHELVES);
}

int blob_place_shelf(const char *job_id)
{
    /* A valid id ends in hex digits. */
    return id_is_valid(job_id) ? (int) strtoul(job_id + ID_TEXT - BLOB_SHELF_NAME, NULL, 16) : -1;
}

void blob_place_file(const char *job_id, const char *name, char out[static BLOB_FILE])
{
    snprintf(out, BLOB_FILE, "%s.%s", job_id, name);
}

int blob_place_path(const char *job_id, const char *name, char out[static BLOB_PATH])
{
    int shelf = blob_place_shelf(job_id);

    if (shelf < 0)
        return -1;
    blob_place_shelf_name((unsigned) shelf, out);
    out[BLOB_SHELF_NAME - 1] = '/';
    blob_place_file(job_id, name, out + BLOB_SHELF_NAME);
    return 0;
}

const char *blob_place_read(const char *file, char job_id[static ID_TEXT])
{
    snprintf(job_id, ID_TEXT, "%s", file);
    return strlen(file) > ID_TEXT && file[ID_TEXT - 1] == '.' && id_is_valid(job_id)
               ? file + ID_TEXT
               : NULL;
}
