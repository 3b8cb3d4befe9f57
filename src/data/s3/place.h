/* place: parses the setting `blobs` for S3. */
#pragma once

#include <stdbool.h>

#include "base/err.h"

struct s3_place {
    char bucket[64];
    char prefix[257]; /* ends with '/', or is "" */
    char origin[300]; /* "https://host:port" to which requests are sent */
    char host[280];   /* value of the header Host */
    char region[64];
    /* PEM file with the authorities of the server's certificate; "": the system's */
    char ca[1025];
    bool path_style; /* https://host/bucket/key instead of https://bucket.host/key */
};

/* Whether a value of that setting is meant as an address of S3: it begins with "s3://". */
bool s3_place_is(const char *text);
/* Parses s3://BUCKET[/PREFIX][?endpoint=URL][&region=NAME][&style=path|virtual][&ca=FILE].
 * Without an endpoint it is Amazon's; with one, the default style is path. -1 with
 * ERR_INVALID_PARAMETER, which says what is wrong. */
int s3_place_read(const char *text, struct s3_place *place, struct err *err);
