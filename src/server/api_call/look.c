#include "server/api_call/look.h"

#include <stdio.h>
#include <string.h>

#include "base/digest.h"
#include "base/scope.h"
#include "server/api_call/answer.h"
#include "server/config/brand.h"

/* An answer whose bytes follow from the settings, and change with them. */
static enum http_next answer_settings(struct http_request *req, struct http_response *resp,
                                      const char *type)
{
    const char *known = http_header(req, "If-None-Match");
    char digest[DIGEST_TEXT], tag[20];

    digest_text(resp->body.data, resp->body.len, digest);
    snprintf(tag, sizeof tag, "\"%.16s\"", digest);
    http_response_header(resp, "ETag", "%s", tag);
    http_response_header(resp, "Cache-Control", "%s", "no-cache");
    /* A picture with scripts in it, opened by itself, runs none. */
    http_response_header(resp, "Content-Security-Policy", "%s",
                         "default-src 'none'; style-src 'unsafe-inline'; sandbox");
    if (known && strcmp(known, tag) == 0) {
        buf_free(&resp->body);
        resp->status = 304;
        return HTTP_ANSWER;
    }
    http_response_header(resp, "Content-Type", "%s", type);
    return HTTP_ANSWER;
}

static enum http_next answer_colors(struct http_request *req, struct http_response *resp,
                                    const struct config *config)
{
    static const char dark[] = "--accent: %s; --accent-deep: %s; --tint: %s; --on-accent: #14181a;";
    struct brand_colors is;
    struct err err;

    if (brand_colors(config->page_color, &is, &err) < 0)
        return answer_error(req, resp, &err);
    buf_printf(&resp->body,
               ":root { --accent: %s; --accent-deep: %s; --tint: %s; --on-accent: #fff; }\n"
               "@media (prefers-color-scheme: dark) { :root:not([data-theme=light]) { ",
               is.accent, is.deep, is.tint);
    buf_printf(&resp->body, dark, is.dark_accent, is.dark_deep, is.dark_tint);
    buf_puts(&resp->body, " } }\n:root[data-theme=dark] { ");
    buf_printf(&resp->body, dark, is.dark_accent, is.dark_deep, is.dark_tint);
    buf_puts(&resp->body, " }\n");
    return answer_settings(req, resp, "text/css; charset=utf-8");
}

static enum http_next answer_logo(struct http_request *req, struct http_response *resp,
                                  const struct config *config)
{
    char bytes[BRAND_LOGO_BYTES];
    FILE *file = fopen(config->page_logo, "re");
    size_t n = file ? fread(bytes, 1, sizeof bytes, file) : 0;
    const char *type = brand_logo_type(bytes, n);
    struct err err;

    if (file)
        fclose(file);
    if (!type)
        return answer_error(req, resp,
                            (err_set(&err, ERR_NOT_FOUND, "the logo cannot be read"), &err));
    buf_put(&resp->body, bytes, n);
    return answer_settings(req, resp, type);
}

static bool is_colors(const struct http_request *req, const struct config *config)
{
    return *config->page_color && strcmp(req->args[1], "brand.css") == 0;
}

bool look_has(const struct http_request *req)
{
    AUTO_CONFIG const struct config *config = live_hold(api_of(req)->settings);

    return is_colors(req, config) || (*config->page_logo && strcmp(req->args[1], "logo") == 0);
}

enum http_next look_answer(struct http_request *req, struct http_response *resp)
{
    AUTO_CONFIG const struct config *config = live_hold(api_of(req)->settings);

    return is_colors(req, config) ? answer_colors(req, resp, config)
                                  : answer_logo(req, resp, config);
}
