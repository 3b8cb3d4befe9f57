/*
 * shipping: where the result of a job is sent to (outputUrl, outputUrls). The addresses, and the
 * headers that are sent to them, are a blob of their own, because they allow whoever knows them to
 * write there; it goes when all has been sent or was given up. The store has a shipment for each
 * address (data/store/store_shipments.h), without it.
 */
#pragma once

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"
#include "data/blob/blob.h"
#include "data/job/job.h"
#include "data/store/store_shipments.h"

/* Among the parameters of a job whose result is sent, by a name that no form field has. */
#define SHIPPING_MARK "$send"

/* Where to send what. Texts are borrowed. */
struct shipping_plan {
    json_t *json;      /* owns the texts; NULL: they are others' */
    const char **urls; /* in normal form (server/webhook/callback.h); the list is owned */
    size_t n;
    bool parts;          /* one for each output of the result; else the only one for all of it */
    const char *headers; /* lines, separated by line feeds; "": none */
};

void shipping_free(struct shipping_plan *plan);
#define AUTO_SHIPPING __attribute__((cleanup(shipping_free)))

/* A plan as the text of a blob, which the caller frees. NULL without memory. */
char *shipping_write(const struct shipping_plan *plan);
/* Reads the plan of a job. ERR_NOT_FOUND if it is gone, ERR_INTERNAL. shipping_free is needed in
 * any case. */
int shipping_read(struct blob_store *blobs, const char *job_id, struct shipping_plan *plan,
                  struct err *err);

/* Whether the result of the job is sent somewhere, or was to be. */
bool shipping_is_wanted(const struct job *job);
/* Before a job is completed: puts its shipments into the store. `outputs_json` as in
 * data/job/job.h. ERR_INTERNAL, ERR_UNAVAILABLE. */
int shipping_prepare(struct store *store, struct blob_store *blobs, const struct job *job,
                     const char *outputs_json, int64_t now, struct err *err);
