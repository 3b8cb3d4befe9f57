#include "server/shipment/parcel.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "base/base64.h"
#include "base/digest.h"
#include "base/fdio.h"
#include "base/scope.h"
#include "declare/value/file_kind.h"
#include "server/dispatch/job_files.h"
#include "server/dispatch/result.h"
#include "server/dispatch/shipping.h"

/* Whether the client gave a header of that name, which counts in the place of ours. */
static bool is_given(const char *lines, const char *name)
{
    size_t n = strlen(name);

    for (; *lines; lines += strcspn(lines, "\n"), lines += *lines == '\n')
        if (strncasecmp(lines, name, n) == 0 && lines[n] == ':')
            return true;
    return false;
}

/* Addresses that are signed in the old way of S3 (version 2) allow no header that is not signed. */
static bool is_signed_whole(const char *url)
{
    const char *query = strchr(url, '?');

    return query && strstr(query, "Signature=") && strstr(query, "Expires=") &&
           (strstr(query, "AWSAccessKeyId=") || strstr(query, "GoogleAccessId="));
}

static void put_digest(const char *hex, struct buf *out)
{
    unsigned char bytes[(DIGEST_TEXT - 1) / 2];
    unsigned one;

    for (size_t i = 0; i < sizeof bytes; i++) {
        if (sscanf(hex + 2 * i, "%2x", &one) != 1)
            return;
        bytes[i] = (unsigned char) one;
    }
    buf_puts(out, "Repr-Digest: sha-256=:");
    base64_put(bytes, sizeof bytes, out);
    buf_puts(out, ":\n");
}

static void put_headers(struct parcel *parcel, const struct shipping_plan *plan, const char *name,
                        const char *sha256)
{
    const char *dot = strrchr(name, '.'), *type = dot ? file_kind_media_type(dot + 1) : NULL;
    struct buf *out = &parcel->headers;

    if (!is_signed_whole(parcel->url)) {
        if (!is_given(plan->headers, "Content-Type"))
            buf_printf(out, "Content-Type: %s\n", type ? type : "application/octet-stream");
        if (!is_given(plan->headers, "Repr-Digest"))
            put_digest(sha256, out);
    }
    buf_puts(out, plan->headers);
    buf_put(out, "", 1);
}

/* The bytes of the shipment, of which a result of one file has all as its first part. */
static int find_part(struct parcel *parcel, const struct job *job, int32_t part,
                     struct result_output *output, const json_t *outputs, struct err *err)
{
    *output = (struct result_output){ .name = job->output_name, .sha256 = "" };
    if (part == STORE_SHIPMENT_WHOLE && json_array_size(outputs) != 1)
        return 0;
    if (!result_output_at(outputs, part < 0 ? 0 : (size_t) part, output))
        return err_set(err, ERR_NOT_FOUND, "the result has no such part");
    if (part < 0)
        return 0;
    parcel->from = output->offset;
    parcel->bytes = output->bytes;
    return 0;
}

static int pack(struct parcel *parcel, const struct job *job, const struct store_shipment *shipment,
                const struct shipping_plan *plan, const json_t *outputs, struct err *err)
{
    size_t i = shipment->part < 0 ? 0 : (size_t) shipment->part;
    struct result_output output;
    char digest[DIGEST_TEXT];

    if (i >= plan->n)
        return err_set(err, ERR_NOT_FOUND, "there is no address for this part");
    snprintf(parcel->url, sizeof parcel->url, "%s", plan->urls[i]);
    if (find_part(parcel, job, shipment->part, &output, outputs, err) < 0)
        return -1;
    snprintf(digest, sizeof digest, "%s", output.sha256);
    if (!*digest && fdio_digest(parcel->fd, parcel->from, parcel->bytes, digest, err) < 0)
        return -1;
    put_headers(parcel, plan, output.name, digest);
    return parcel->headers.failed ? err_set(err, ERR_INTERNAL, "out of memory") : 0;
}

int parcel_open(struct parcel *parcel, struct store *store, struct blob_store *blobs,
                const struct store_shipment *shipment, struct err *err)
{
    AUTO_SHIPPING struct shipping_plan plan = { 0 };
    AUTO_JOB struct job job = { 0 };
    json_t *outputs;
    int done = store_find(store, shipment->job_id, &job, err);

    if (done < 0)
        return -1;
    if (done == 0 || job.state != JOB_COMPLETED)
        return err_set(err, ERR_NOT_FOUND, "the job is gone");
    if (shipping_read(blobs, job.id, &plan, err) < 0)
        return -1;
    parcel->fd = job_files_result(store, blobs, &job, &parcel->bytes, err);
    if (parcel->fd < 0)
        return -1;
    outputs = json_loads(job.outputs_json, 0, NULL);
    done = pack(parcel, &job, shipment, &plan, outputs, err);
    json_decref(outputs);
    return done;
}

void parcel_close(struct parcel *parcel)
{
    scope_close(&parcel->fd);
    explicit_bzero(parcel->url, sizeof parcel->url);
    if (parcel->headers.data)
        explicit_bzero(parcel->headers.data, parcel->headers.len);
    buf_free(&parcel->headers);
}
