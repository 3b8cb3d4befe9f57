#include "server/dispatch/fetch_result.h"

#include <stdio.h>
#include <string.h>

#include "base/digest.h"
#include "base/fdio.h"
#include "declare/value/file_kind.h"

static const char *const faults[WEBHOOK_ENDS] = {
    [WEBHOOK_TIMEOUT] = "its host did not send it in time",
    [WEBHOOK_NO_HOST] = "its host was not found, or may not be reached",
    [WEBHOOK_UNREACHABLE] = "its host takes no connection",
    [WEBHOOK_TLS] = "the certificate or the TLS of its host is not acceptable",
    [WEBHOOK_BROKEN] = "its host broke off, or does not speak HTTP",
    [WEBHOOK_CODED] =
        "its host sent it with a Content-Encoding although none was asked for: serve it as it is",
    [WEBHOOK_LOST] = "it was redirected more than five times, or to an address that is not allowed",
};

bool fetch_result_may_pass(const struct webhook_response *response)
{
    int32_t status = response->http_status;

    if (response->end == WEBHOOK_ANSWERED)
        return status == 429 || status == 502 || status == 503 || status == 504;
    return response->end == WEBHOOK_UNREACHABLE || response->end == WEBHOOK_BROKEN;
}

int fetch_result_check(const struct webhook_response *response, const struct remote_file *file,
                       struct err *err)
{
    size_t number = file->input + 1;

    if (response->end == WEBHOOK_UNKEPT)
        return err_set(err, ERR_STORAGE_FULL, "a file that was fetched could not be written");
    if (response->end == WEBHOOK_LARGE)
        return err_field(err, ERR_FETCH_FAILED, "fileUrl",
                         "file %zu is larger than this server, the plan or a test key allows",
                         number);
    if (response->end != WEBHOOK_ANSWERED)
        return err_field(err, ERR_FETCH_FAILED, "fileUrl", "file %zu could not be fetched: %s",
                         number, faults[response->end] ? faults[response->end] : "it broke off");
    if (response->http_status != 200)
        return err_field(err, ERR_FETCH_FAILED, "fileUrl",
                         "file %zu could not be fetched: its host answered with status %d", number,
                         (int) response->http_status);
    if (response->bytes == 0)
        return err_field(err, ERR_FETCH_FAILED, "fileUrl", "file %zu is empty at its address",
                         number);
    return 0;
}

int fetch_result_examine(int fd, int64_t bytes, const struct remote_file *file,
                         const struct tool *tool, struct err *err)
{
    unsigned char head[FILE_KIND_HEAD];
    char digest[DIGEST_TEXT], name[32];
    ssize_t got;

    if (*file->sha256) {
        if (fdio_digest(fd, 0, bytes, digest, err) < 0)
            return -1;
        if (strcmp(digest, file->sha256) != 0)
            return err_field(err, ERR_FETCH_FAILED, "fileDigest",
                             "file %zu has another SHA-256 than fileDigest says", file->input + 1);
    }
    got = fdio_read_at(fd, head, bytes < FILE_KIND_HEAD ? (size_t) bytes : sizeof head, 0, err);
    if (got < 0)
        return -1;
    snprintf(name, sizeof name, "file %zu", file->input + 1);
    return tool ? tool_check_kind(tool, file_kind_of(head, (size_t) got), name, err) : 0;
}
