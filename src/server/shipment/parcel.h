/* parcel: what an attempt at a shipment sends: where to, with which headers, and which bytes. */
#pragma once

#include <stdint.h>

#include "base/buf.h"
#include "data/blob/blob.h"
#include "data/store/store_shipments.h"
#include "server/webhook/callback.h"

#define PARCEL_REDIRECTS 5 /* that platen-webhook follows at most */

struct parcel {
    int fd; /* the result */
    int64_t from, bytes;
    char url[CALLBACK_URL];
    struct buf headers; /* lines, separated by line feeds, with a NUL */
};
#define PARCEL_NONE                                                                                \
    {                                                                                              \
        .fd = -1, .headers = BUF_EMPTY                                                             \
    }

/* Opens the result and reads the address. ERR_NOT_FOUND if one of them is gone. parcel_close is
 * needed in any case. */
int parcel_open(struct parcel *parcel, struct store *store, struct blob_store *blobs,
                const struct store_shipment *shipment, struct err *err);
/* Closes the result, and overwrites address and headers. */
void parcel_close(struct parcel *parcel);
#define AUTO_PARCEL __attribute__((cleanup(parcel_close)))
