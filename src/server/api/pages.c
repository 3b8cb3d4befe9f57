#include "server/api/pages.h"

#include <string.h>

#include "base/scope.h"
#include "base/version.h"
#include "server/api/session.h"
#include "server/api_call/answer.h"
#include "server/api_call/api.h"
#include "server/api_call/pack.h"
#include "server/web/reader.h"
#include "server/web/web.h"

/* Pages may load only our own files, and must not be framed. */
static const char policy[] = "default-src 'none'; script-src 'self'; style-src 'self'; "
                             "img-src 'self' data: blob:; connect-src 'self'; "
                             "manifest-src 'self'; base-uri 'none'; "
                             "form-action 'none'; frame-ancestors 'none'";

/* What every page has in common, once its body is there. */
static enum http_next answer_html(struct http_request *req, struct http_response *resp)
{
    struct err err;

    if (resp->body.failed)
        return answer_error(req, resp, (err_set(&err, ERR_INTERNAL, "out of memory"), &err));
    http_response_header(resp, "Content-Type", "%s", "text/html; charset=utf-8");
    http_response_header(resp, "Content-Security-Policy", "%s", policy);
    http_response_header(resp, "Referrer-Policy", "%s", "no-referrer");
    http_response_header(resp, "Cache-Control", "%s", "private, no-cache");
    http_response_header(resp, "Vary", "%s", "Accept-Encoding, Accept-Language, Cookie");
    if (answer_accepts_gzip(req) && pack_gzip(&resp->body) == 0)
        http_response_header(resp, "Content-Encoding", "%s", "gzip");
    return HTTP_ANSWER;
}

/* The frame that the pages of text share around one of them. */
static enum http_next answer_page(struct http_request *req, struct http_response *resp,
                                  const char *title, const char *file,
                                  const struct web_value *values, size_t n)
{
    AUTO_BUF struct buf content = BUF_EMPTY;

    web_fill(&content, web_find(file)->text, values, n);
    const struct web_value frame[] = { { "title", title },
                                       { "assets", web_version },
                                       { "content", buf_text(&content) } };
    web_fill(&resp->body, web_find("page.html")->text, frame, COUNT(frame));
    resp->body.failed = resp->body.failed || content.failed;
    return answer_html(req, resp);
}

static void put_tools(const struct catalog *catalog, struct buf *out)
{
    const struct tool *tool;

    for (size_t i = 0; (tool = catalog_at(catalog, i)) != NULL; i++) {
        buf_printf(out, "<dt><a href=\"/docs#%s\">%s</a></dt><dd>", tool->name, tool->name);
        web_escape(out, tool->summary);
        buf_puts(out, "</dd>");
    }
}

enum http_next pages_start(struct http_request *req, struct http_response *resp)
{
    AUTO_BUF struct buf tools = BUF_EMPTY, address = BUF_EMPTY, who = BUF_EMPTY,
                        session = BUF_EMPTY;
    char base[600];

    answer_base_url(req, base, sizeof base);
    web_escape(&address, base);
    put_tools(api_of(req)->catalog, &tools);
    session_put(req, &who);
    web_escape(&session, buf_text(&who));
    AUTO_CONFIG const struct config *config = live_hold(api_of(req)->settings);
    const char *cookies = http_header(req, "Cookie");
    const char *language = web_language(cookies, http_header(req, "Accept-Language"));
    const struct web_value values[] = {
        { "version", PLATEN_VERSION },     { "assets", web_version },
        { "language", language },          { "direction", web_direction(language) },
        { "theme", web_theme(cookies) },   { "base", buf_text(&address) },
        { "session", buf_text(&session) }, { "tools", buf_text(&tools) },
    };
    if (strcmp(config->web, "off") == 0)
        return answer_page(req, resp, "platen", "start.html", values, COUNT(values));
    web_fill(&resp->body, web_find("app.html")->text, values, COUNT(values));
    return answer_html(req, resp);
}

enum http_next pages_docs(struct http_request *req, struct http_response *resp)
{
    const struct web_value values[] = { { "assets", web_version } };

    return answer_page(req, resp, "Reference - platen", "docs.html", values, COUNT(values));
}

/* "1,000" */
static void put_grouped(struct buf *out, int64_t number)
{
    char digits[32];
    size_t n = (size_t) snprintf(digits, sizeof digits, "%lld", (long long) number);

    for (size_t i = 0; i < n; i++) {
        buf_putc(out, digits[i]);
        if (i + 1 < n && (n - i - 1) % 3 == 0)
            buf_putc(out, ',');
    }
}

/* "500 MB", "2 GB", "1.5 GB": decimal, as plans are sold. */
static void put_size(struct buf *out, int64_t bytes)
{
    static const char *const units[] = { "bytes", "kB", "MB", "GB", "TB" };
    double value = (double) bytes;
    size_t unit = 0;

    for (; unit + 1 < COUNT(units) && value >= 1000; unit++)
        value /= 1000;
    buf_printf(out, "%.4g %s", value, units[unit]);
}

static void put_plan(const struct plan *plan, bool price, struct buf *out)
{
    buf_puts(out, "<tr><th scope=\"row\">");
    web_escape(out, plan->name);
    buf_puts(out, "</th>");
    if (price) {
        buf_puts(out, "<td>");
        web_escape(out, *plan->price ? plan->price : "on request");
        buf_puts(out, "</td>");
    }
    buf_puts(out, "<td>");
    put_grouped(out, plan->requests_per_month);
    buf_puts(out, "</td><td>");
    put_size(out, plan->bytes_per_month);
    buf_puts(out, "</td><td>");
    put_grouped(out, plan->max_unfinished);
    buf_puts(out, "</td></tr>");
}

enum http_next pages_pricing(struct http_request *req, struct http_response *resp)
{
    AUTO_CONFIG const struct config *config = live_hold(api_of(req)->settings);
    const struct plans *plans = &config->plans;
    AUTO_BUF struct buf rows = BUF_EMPTY;

    for (size_t i = 0; i < plans->n; i++)
        put_plan(&plans->list[i], config->show_prices, &rows);
    const struct web_value values[] = {
        { "price", config->show_prices ? "<th scope=\"col\">Price a month</th>" : "" },
        { "plans", buf_text(&rows) },
    };
    return answer_page(req, resp, "Plans - platen", "pricing.html", values, COUNT(values));
}

enum http_next pages_asset(struct http_request *req, struct http_response *resp)
{
    const struct web_file *file = web_find(req->args[1]);
    const char *known = http_header(req, "If-None-Match");
    struct err err;

    /* The templates have blanks: they are no assets. */
    if (!file || strncmp(file->media_type, "text/html", 9) == 0)
        return answer_error(req, resp,
                            (err_set(&err, ERR_NOT_FOUND, "there is no such file"), &err));
    http_response_header(resp, "ETag", "%s", file->etag);
    http_response_header(resp, "Vary", "%s", "Accept-Encoding");
    /* Assets under this program's own version never change; those under another version may. */
    http_response_header(resp, "Cache-Control", "%s",
                         strcmp(req->args[0], web_version) == 0
                             ? "public, max-age=31536000, immutable"
                             : "no-cache");
    if (known && strcmp(known, file->etag) == 0) {
        resp->status = 304;
        return HTTP_ANSWER;
    }
    http_response_header(resp, "Content-Type", "%s", file->media_type);
    if (answer_accepts_gzip(req)) {
        http_response_header(resp, "Content-Encoding", "%s", "gzip");
        buf_put(&resp->body, file->packed, file->packed_bytes);
    } else {
        buf_put(&resp->body, file->text, file->bytes);
    }
    return HTTP_ANSWER;
}
