/* place: where blobs are kept in S3, as the setting `blobs` says it. */
#pragma once

#include <stdbool.h>

#include "base/err.h"

struct s3_place {
    char bucket[64];
    char prefix[257]; /* ends with '/', or is "" */
    char origin[300]; /* "https://host:port" that requests go to */
    char host[280];   /* the header Host */
    char region[64];
    char ca[1025];   /* PEM file that the server's certificate must chain to; "": the system's */
    bool path_style; /* https://host/bucket/key instead of https://bucket.host/key */
};

/* Whether a text is meant to be such an address. */
bool s3_place_is(const char *text);
/* s3://BUCKET[/PREFIX][?endpoint=URL][&region=NAME][&style=path|virtual][&ca=FILE]. Without an
 * endpoint it is Amazon's; with one, the style is path if nothing is said. -1 with
 * ERR_INVALID_PARAMETER, which says what is wrong. */
int s3_place_read(const char *text, struct s3_place *place, struct err *err);
