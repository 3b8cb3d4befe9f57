#include "server/api/pages.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/scope.h"
#include "base/version.h"
#include "server/api/session.h"
#include "server/api_call/answer.h"
#include "server/api_call/api.h"
#include "server/api_call/html.h"
#include "server/api_call/look.h"
#include "server/api_call/pack.h"
#include "server/web/reader.h"
#include "server/web/web.h"

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
                        session = BUF_EMPTY, name = BUF_EMPTY, line = BUF_EMPTY, logo = BUF_EMPTY,
                        sheet = BUF_EMPTY;
    AUTO_CONFIG const struct config *config = live_hold(api_of(req)->settings);
    const char *language = html_language(req);
    char base[API_BASE_URL];

    answer_base_url(req, base, sizeof base);
    web_escape(&address, base);
    put_tools(api_of(req)->catalog, &tools);
    session_put(req, &who);
    web_escape(&session, buf_text(&who));
    web_escape(&name, config->page_name);
    web_escape(&line, config->page_line);
    html_put_logo(&logo, config);
    html_put_sheet(&sheet, config);
    const struct web_value values[] = {
        { "version", PLATEN_VERSION },     { "assets", web_version },
        { "language", language },          { "direction", web_direction(language) },
        { "theme", html_theme(req) },      { "base", buf_text(&address) },
        { "session", buf_text(&session) }, { "name", buf_text(&name) },
        { "line", buf_text(&line) },       { "logo", buf_text(&logo) },
        { "sheet", buf_text(&sheet) },     { "tools", buf_text(&tools) },
    };
    if (strcmp(config->web, "off") == 0)
        return html_page(req, resp, "", "start.html", values, COUNT(values));
    web_fill(&resp->body, web_find("app.html")->text, language, values, COUNT(values));
    return html_answer(req, resp);
}

enum http_next pages_docs(struct http_request *req, struct http_response *resp)
{
    const struct web_value values[] = { { "assets", web_version } };

    return html_page(req, resp, "reference", "docs.html", values, COUNT(values));
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

/* `minute`: some plan has a limit of jobs a minute, and so the table a column for it. */
static void put_plan(const struct plan *plan, bool price, bool minute, const char *language,
                     struct buf *out)
{
    buf_puts(out, "<tr><th scope=\"row\">");
    web_escape(out, plan->name);
    buf_puts(out, "</th>");
    if (price) {
        buf_puts(out, "<td>");
        if (*plan->price)
            web_escape(out, plan->price);
        else
            web_put_word(out, language, "onRequest");
        buf_puts(out, "</td>");
    }
    buf_puts(out, "<td>");
    put_grouped(out, plan->requests_per_month);
    buf_puts(out, "</td><td>");
    put_size(out, plan->bytes_per_month);
    buf_puts(out, "</td><td>");
    if (minute) {
        if (plan->jobs_per_minute)
            put_grouped(out, plan->jobs_per_minute);
        else
            buf_puts(out, "\u2013");
        buf_puts(out, "</td><td>");
    }
    put_grouped(out, plan->max_unfinished);
    buf_puts(out, "</td></tr>");
}

enum http_next pages_pricing(struct http_request *req, struct http_response *resp)
{
    AUTO_CONFIG const struct config *config = live_hold(api_of(req)->settings);
    const struct plans *plans = &config->plans;
    AUTO_BUF struct buf rows = BUF_EMPTY, price = BUF_EMPTY, rate = BUF_EMPTY;
    const char *language = html_language(req);
    bool minute = false;

    for (size_t i = 0; i < plans->n; i++)
        minute = minute || plans->list[i].jobs_per_minute;
    for (size_t i = 0; i < plans->n; i++)
        put_plan(&plans->list[i], config->show_prices, minute, language, &rows);
    if (minute)
        web_fill(&rate, "<th scope=\"col\">{{t:perMinute}}</th>", language, NULL, 0);
    if (config->show_prices)
        web_fill(&price, "<th scope=\"col\">{{t:price}}</th>", language, NULL, 0);
    const struct web_value values[] = {
        { "price", buf_text(&price) },
        { "minute", buf_text(&rate) },
        { "plans", buf_text(&rows) },
    };
    return html_page(req, resp, "plans", "pricing.html", values, COUNT(values));
}

static enum http_next answer_file(struct http_request *req, struct http_response *resp)
{
    const struct web_file *file = web_find(req->args[1]);
    const char *known = http_header(req, "If-None-Match");
    struct err err;

    /* The templates and their words are not assets. */
    if (!file || strncmp(file->media_type, "text/html", 9) == 0 ||
        strncmp(file->media_type, "text/plain", 10) == 0)
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
    if (strcmp(file->name, "sw.js") == 0) /* Service Workers, section 3.2 */
        http_response_header(resp, "Service-Worker-Allowed", "%s", "/");
    if (pack_is_accepted(req)) {
        http_response_header(resp, "Content-Encoding", "%s", "gzip");
        buf_put(&resp->body, file->packed, file->packed_bytes);
    } else {
        buf_put(&resp->body, file->text, file->bytes);
    }
    return HTTP_ANSWER;
}

/* What an installed page is called, and what it opens, in the reader's language. */
static enum http_next answer_manifest(struct http_request *req, struct http_response *resp)
{
    AUTO_CONFIG const struct config *config = live_hold(api_of(req)->settings);
    const char *language = html_language(req);
    json_t *name = json_string(config->page_name);
    char *quoted = json_dumps(name, JSON_ENCODE_ANY);
    const struct web_value values[] = {
        { "name", quoted ? quoted : "\"\"" },
        { "language", language },
        { "direction", web_direction(language) },
        { "color", *config->page_color ? config->page_color : "#0b6e6e" },
    };

    web_fill(&resp->body, web_find("app.webmanifest")->text, language, values, COUNT(values));
    free(quoted);
    json_decref(name);
    http_response_header(resp, "Content-Type", "%s", "application/manifest+json");
    http_response_header(resp, "Cache-Control", "%s", "private, no-cache");
    http_response_header(resp, "Vary", "%s", "Accept-Language, Cookie");
    return HTTP_ANSWER;
}

enum http_next pages_asset(struct http_request *req, struct http_response *resp)
{
    if (look_has(req))
        return look_answer(req, resp);
    if (strcmp(req->args[1], "offline.html") == 0)
        return html_page(req, resp, "offline", "offline.html",
                         &(struct web_value){ "assets", web_version }, 1);
    if (strcmp(req->args[1], "app.webmanifest") == 0)
        return answer_manifest(req, resp);
    return answer_file(req, resp);
}
