#include "server/api_submit/remote_fields.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/scope.h"
#include "declare/value/header_lines.h"
#include "server/dispatch/remote.h"
#include "server/webhook/callback.h"

bool remote_fields_has(const char *name)
{
    return strcmp(name, "fileUrl") == 0 || strcmp(name, "fileDigest") == 0 ||
           strcmp(name, "fileHeaders") == 0;
}

bool remote_fields_is_url(const void *value, size_t n)
{
    return (n >= 8 && strncasecmp(value, "https://", 8) == 0) ||
           (n >= 7 && strncasecmp(value, "http://", 7) == 0);
}

static int read_url(struct remote_fields *fields, struct documents *documents,
                    const struct remote_terms *terms, const char *value, struct err *err)
{
    const struct config *config = terms->config;
    const struct callback_rules rules = { config->fetch_http, &config->allow_fetch, "fileUrl",
                                          ERR_INVALID_FILE_URL };
    char url[CALLBACK_URL];

    if (documents->n == terms->tool->max_files)
        return tool_check_count(terms->tool, documents->n + 1, NULL, 0, err);
    if (callback_check(&rules, value, url, err) < 0 ||
        documents_add_remote(documents, url, err) < 0)
        return -1;
    fields->n_urls++;
    return 0;
}

/* Takes "sha256:" before the digits, too, as other services write it. */
static int read_digest(struct remote_fields *fields, const char *value, struct err *err)
{
    char(*digests)[DIGEST_TEXT] =
        reallocarray(fields->digests, fields->n_digests + 1, sizeof *digests);
    char *text;

    if (!digests)
        return err_sys(err, "fileDigest");
    fields->digests = digests;
    text = digests[fields->n_digests];
    if (strncmp(value, "sha256:", 7) == 0)
        value += 7;
    if (strlen(value) != DIGEST_TEXT - 1 ||
        strspn(value, "0123456789abcdefABCDEF") != DIGEST_TEXT - 1)
        return err_field(err, ERR_INVALID_FILE_DIGEST, "fileDigest",
                         "fileDigest must be a SHA-256 of 64 hexadecimal digits");
    for (size_t i = 0; i < DIGEST_TEXT; i++)
        text[i] = value[i] >= 'A' && value[i] <= 'F' ? (char) (value[i] - 'A' + 'a') : value[i];
    fields->n_digests++;
    return 0;
}

static int read_headers(struct remote_fields *fields, const char *value, struct err *err)
{
    if (fields->headers)
        return err_field(err, ERR_INVALID_FILE_HEADERS, "fileHeaders",
                         "fileHeaders is given twice");
    fields->headers = header_lines_read("fileHeaders", ERR_INVALID_FILE_HEADERS, value, err);
    return fields->headers ? 0 : -1;
}

static enum err_code code_of(const char *name)
{
    return strcmp(name, "fileDigest") == 0    ? ERR_INVALID_FILE_DIGEST
           : strcmp(name, "fileHeaders") == 0 ? ERR_INVALID_FILE_HEADERS
                                              : ERR_INVALID_FILE_URL;
}

int remote_fields_read(struct remote_fields *fields, struct documents *documents,
                       const struct remote_terms *terms, const char *name, const char *value,
                       size_t n, struct err *err)
{
    if (terms->visitor)
        return err_field(err, ERR_ADDRESSES_REFUSED, name,
                         "files are not fetched for visitors: send the file, or use an API key");
    if (!terms->config->fetch)
        return err_field(err, ERR_ADDRESSES_REFUSED, name,
                         "this server does not fetch files: send the file itself");
    if (strlen(value) != n)
        return err_field(err, code_of(name), name, "%s holds a NUL byte", name);
    if (strcmp(name, "fileDigest") == 0)
        return read_digest(fields, value, err);
    if (strcmp(name, "fileHeaders") == 0)
        return read_headers(fields, value, err);
    return read_url(fields, documents, terms, value, err);
}

int remote_fields_finish(const struct remote_fields *fields, struct err *err)
{
    if (fields->n_digests > fields->n_urls)
        return err_field(
            err, ERR_INVALID_FILE_DIGEST, "fileDigest",
            "there are more fileDigest than fileUrl: it is for files that are fetched");
    if (fields->headers && fields->n_urls == 0)
        return err_field(err, ERR_INVALID_FILE_HEADERS, "fileHeaders",
                         "fileHeaders is for files that are fetched: there is no fileUrl");
    return 0;
}

char *remote_fields_secret(const struct remote_fields *fields, const struct documents *documents,
                           const struct config *config, int64_t bytes, int64_t left,
                           struct err *err)
{
    const int64_t most = left < config->max_request_size ? left : config->max_request_size;
    AUTO_FREE struct remote_file *files = calloc(fields->n_urls + 1, sizeof *files);
    char *text = NULL;
    size_t n = 0;

    for (size_t i = 0; files && i < documents->n; i++) {
        if (!documents->more[i].url)
            continue;
        files[n] =
            (struct remote_file){ .input = i,
                                  .url = documents->more[i].url,
                                  .headers = fields->headers ? fields->headers : "",
                                  .sha256 = n < fields->n_digests ? fields->digests[n] : "" };
        n++;
    }
    if (files)
        text = remote_write(files, n, config->max_file_size, most - bytes);
    if (!text)
        err_set(err, ERR_INTERNAL, "out of memory");
    return text;
}

void remote_fields_digest(const struct remote_fields *fields, struct digest *digest)
{
    for (size_t i = 0; i < fields->n_digests; i++)
        digest_add(digest, fields->digests[i], DIGEST_TEXT);
    if (fields->headers)
        digest_add(digest, fields->headers, strlen(fields->headers) + 1);
}

void remote_fields_free(struct remote_fields *fields)
{
    if (fields->headers)
        explicit_bzero(fields->headers, strlen(fields->headers));
    free(fields->headers);
    free(fields->digests);
    *fields = (struct remote_fields){ 0 };
}
