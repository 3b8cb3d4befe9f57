#include "server/api_submit/output_fields.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "declare/value/header_lines.h"
#include "server/dispatch/shipping.h"
#include "server/webhook/callback.h"

#define MAX_URLS 1000

bool output_fields_has(const char *name)
{
    return strcmp(name, "outputUrl") == 0 || strcmp(name, "outputUrls") == 0 ||
           strcmp(name, "outputHeaders") == 0;
}

static int add_url(struct output_fields *fields, const struct config *config, const char *field,
                   const char *value, struct err *err)
{
    const struct callback_rules rules = { config->fetch_http, &config->allow_fetch, field,
                                          ERR_INVALID_OUTPUT_URL };
    char url[CALLBACK_URL], **urls;

    if (fields->n == MAX_URLS)
        return err_field(err, ERR_INVALID_OUTPUT_URL, field, "%s may have at most %d addresses",
                         field, MAX_URLS);
    if (callback_check(&rules, value, url, err) < 0)
        return -1;
    urls = reallocarray(fields->urls, fields->n + 1, sizeof *urls);
    if (!urls)
        return err_sys(err, "addresses");
    fields->urls = urls;
    urls[fields->n] = strdup(url);
    explicit_bzero(url, sizeof url);
    return urls[fields->n++] ? 0 : err_sys(err, "addresses");
}

static int read_list(struct output_fields *fields, const struct config *config, const char *value,
                     struct err *err)
{
    json_t *list = json_loads(value, 0, NULL), *url;
    int done = json_array_size(list) > 0 ? 0 : -1;
    size_t i;

    if (done < 0)
        err_field(err, ERR_INVALID_OUTPUT_URL, "outputUrls",
                  "outputUrls must be an address, or a JSON array of addresses");
    json_array_foreach(list, i, url)
    {
        const char *text = json_string_value(url);

        if (done == 0 && (!text || strlen(text) != json_string_length(url)))
            done = err_field(err, ERR_INVALID_OUTPUT_URL, "outputUrls",
                             "outputUrls has an entry that is not an address");
        if (done == 0)
            done = add_url(fields, config, "outputUrls", text, err);
    }
    json_decref(list);
    return done;
}

static int read_urls(struct output_fields *fields, const struct config *config, const char *name,
                     const char *value, struct err *err)
{
    bool parts = strcmp(name, "outputUrls") == 0;

    if (fields->n && fields->parts != parts)
        return err_field(err, ERR_INVALID_OUTPUT_URL, name,
                         "give outputUrl for the whole result, or outputUrls for its parts");
    if (fields->n && !parts)
        return err_field(err, ERR_INVALID_OUTPUT_URL, name,
                         "outputUrl is given twice: outputUrls has an address for each part");
    fields->parts = parts;
    if (parts && value[strspn(value, " \t\r\n")] == '[')
        return read_list(fields, config, value, err);
    return add_url(fields, config, name, value, err);
}

int output_fields_read(struct output_fields *fields, const struct config *config, bool visitor,
                       const char *name, const char *value, size_t n, struct err *err)
{
    bool headers = strcmp(name, "outputHeaders") == 0;

    if (visitor)
        return err_field(err, ERR_ADDRESSES_REFUSED, name,
                         "results are not sent for visitors: download the result, or use an API "
                         "key");
    if (!config->fetch)
        return err_field(err, ERR_ADDRESSES_REFUSED, name,
                         "this server does not send results to addresses: download the result");
    if (strlen(value) != n)
        return err_field(err, headers ? ERR_INVALID_OUTPUT_HEADERS : ERR_INVALID_OUTPUT_URL, name,
                         "%s holds a NUL byte", name);
    if (!headers)
        return read_urls(fields, config, name, value, err);
    if (fields->headers)
        return err_field(err, ERR_INVALID_OUTPUT_HEADERS, name, "outputHeaders is given twice");
    fields->headers = header_lines_read(name, ERR_INVALID_OUTPUT_HEADERS, value, err);
    return fields->headers ? 0 : -1;
}

int output_fields_finish(const struct output_fields *fields, struct err *err)
{
    if (fields->headers && fields->n == 0)
        return err_field(err, ERR_INVALID_OUTPUT_HEADERS, "outputHeaders",
                         "outputHeaders is for results that are sent: there is no outputUrl");
    return 0;
}

char *output_fields_text(const struct output_fields *fields, struct err *err)
{
    const struct shipping_plan plan = { .urls = (const char **) (uintptr_t) fields->urls,
                                        .n = fields->n,
                                        .parts = fields->parts,
                                        .headers = fields->headers ? fields->headers : "" };
    char *text = shipping_write(&plan);

    if (!text)
        err_set(err, ERR_INTERNAL, "out of memory");
    return text;
}

void output_fields_digest(const struct output_fields *fields, struct digest *digest)
{
    for (size_t i = 0; i < fields->n; i++) {
        digest_add(digest, fields->parts ? "parts" : "whole", 5);
        digest_add(digest, fields->urls[i], strlen(fields->urls[i]) + 1);
    }
    if (fields->headers)
        digest_add(digest, fields->headers, strlen(fields->headers) + 1);
}

void output_fields_free(struct output_fields *fields)
{
    for (size_t i = 0; i < fields->n; i++) {
        explicit_bzero(fields->urls[i], strlen(fields->urls[i]));
        free(fields->urls[i]);
    }
    if (fields->headers)
        explicit_bzero(fields->headers, strlen(fields->headers));
    free(fields->headers);
    free(fields->urls);
    *fields = (struct output_fields){ 0 };
}
