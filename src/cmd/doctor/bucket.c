#include <stdlib.h>

#include "cmd/doctor/doctor.h"
#include "data/s3/blob_s3.h"
#include "data/s3/place.h"

#define FAR_MS     60000  /* that a clock may differ by without a word */
#define TOO_FAR_MS 900000 /* S3 servers refuse signatures beyond */

void doctor_bucket(struct report *report, const struct config *config)
{
    int64_t ahead_ms;
    struct err err;

    if (!s3_place_is(config->blobs))
        return;
    if (blob_s3_examine(config->blobs, &ahead_ms, &err) < 0) {
        report_line(report, FINDING_FAIL, "bucket", "%s", err.msg);
        report_fix(report, "check `blobs`, and the credentials in AWS_ACCESS_KEY_ID and "
                           "AWS_SECRET_ACCESS_KEY, a file or the role of this machine "
                           "(docs/operating.md)");
    } else {
        report_line(report, FINDING_OK, "bucket", "lists, keeps and deletes objects");
    }
    if (llabs(ahead_ms) < FAR_MS)
        return;
    report_line(report, llabs(ahead_ms) < TOO_FAR_MS ? FINDING_WARN : FINDING_FAIL,
                "clock of S3 server", "%lld s %s that of this machine", llabs(ahead_ms) / 1000,
                ahead_ms > 0 ? "ahead of" : "late by");
    report_fix(report, "set the clock of this machine right: run a time service, as chrony; "
                       "servers follow the S3 server's clock for their signatures");
}
