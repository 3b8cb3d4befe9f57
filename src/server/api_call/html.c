#include "server/api_call/html.h"

#include <stdio.h>
#include <string.h>

#include "base/scope.h"
#include "server/api_call/pack.h"
#include "server/web/reader.h"

/* Pages may load only our own files, and must not be framed. */
static const char policy[] = "default-src 'none'; script-src 'self'; style-src 'self'; "
                             "img-src 'self' data: blob:; font-src 'self'; connect-src 'self'; "
                             "manifest-src 'self'; base-uri 'none'; "
                             "form-action 'none'; frame-ancestors 'none'";

const char *html_language(const struct http_request *req)
{
    return web_language(http_header(req, "Cookie"), http_header(req, "Accept-Language"));
}

const char *html_theme(const struct http_request *req)
{
    return web_theme(http_header(req, "Cookie"));
}

void html_put_logo(struct buf *out, const struct config *config)
{
    if (*config->page_logo)
        buf_printf(out, "<img src=\"/assets/%s/logo\" alt=\"\" height=\"32\">", web_version);
    else
        buf_puts(out, "<span class=\"logo\"><svg viewBox=\"0 0 24 24\" class=\"icon\" "
                      "aria-hidden=\"true\"><path d=\"M14 3H6v18h12V7zM14 3v4h4\"/></svg></span>");
}

void html_put_sheet(struct buf *out, const struct config *config)
{
    if (*config->page_color)
        buf_printf(out, "<link rel=\"stylesheet\" href=\"/assets/%s/brand.css\">", web_version);
}

enum http_next html_answer(struct http_request *req, struct http_response *resp)
{
    if (resp->body.failed) {
        buf_free(&resp->body);
        resp->status = 500;
        return HTTP_ANSWER;
    }
    http_response_header(resp, "Content-Type", "%s", "text/html; charset=utf-8");
    http_response_header(resp, "Content-Security-Policy", "%s", policy);
    http_response_header(resp, "Referrer-Policy", "%s", "no-referrer");
    http_response_header(resp, "Cache-Control", "%s", "private, no-cache");
    http_response_header(resp, "Vary", "%s", "Accept, Accept-Encoding, Accept-Language, Cookie");
    if (pack_is_accepted(req) && pack_gzip(&resp->body) == 0)
        http_response_header(resp, "Content-Encoding", "%s", "gzip");
    return HTTP_ANSWER;
}

enum http_next html_page(struct http_request *req, struct http_response *resp, const char *title,
                         const char *file, const struct web_value *values, size_t n)
{
    AUTO_CONFIG const struct config *config = live_hold(api_of(req)->settings);
    AUTO_BUF struct buf content = BUF_EMPTY, head = BUF_EMPTY, name = BUF_EMPTY, line = BUF_EMPTY,
                        logo = BUF_EMPTY, sheet = BUF_EMPTY;
    const char *language = html_language(req);

    web_fill(&content, web_find(file)->text, language, values, n);
    web_put_word(&head, language, title);
    web_escape(&name, config->page_name);
    web_escape(&line, config->page_line);
    html_put_logo(&logo, config);
    html_put_sheet(&sheet, config);
    buf_printf(&head, "%s - %s", head.len ? "" : title, buf_text(&name));
    const struct web_value frame[] = {
        { "title", buf_text(&head) },      { "language", language },
        { "theme", html_theme(req) },      { "direction", web_direction(language) },
        { "assets", web_version },         { "name", buf_text(&name) },
        { "logo", buf_text(&logo) },       { "sheet", buf_text(&sheet) },
        { "content", buf_text(&content) }, { "line", buf_text(&line) },
    };
    web_fill(&resp->body, web_find("page.html")->text, language, frame, COUNT(frame));
    resp->body.failed = resp->body.failed || content.failed;
    return html_answer(req, resp);
}

bool html_is_wanted(const struct http_request *req)
{
    const char *accepted = http_header(req, "Accept");

    return req->method && strcmp(req->method, "GET") == 0 && accepted &&
           strncmp(accepted, "text/html", 9) == 0 && !http_header(req, "X-API-Key") &&
           !http_header(req, "Authorization");
}

/* The words for a status: "gone" for what is over or was deleted. */
static const char *kind_of(int status)
{
    switch (status) {
    case 401:
    case 403:
        return "refused";
    case 404:
        return "notFound";
    case 410:
        return "gone";
    default:
        return status == 429 || status >= 500 ? "trouble" : "wrong";
    }
}

enum http_next html_problem(struct http_request *req, struct http_response *resp, int status,
                            const char *message)
{
    AUTO_BUF struct buf heading = BUF_EMPTY, lead = BUF_EMPTY, said = BUF_EMPTY;
    const char *kind = kind_of(status), *language = html_language(req);
    char number[16], word[40];

    /* A link to a file that was signed, and whose time or file is over. */
    if (req->path && strstr(req->path, "/files/") && (status == 404 || status == 403))
        kind = "gone";
    snprintf(number, sizeof number, "%d", status);
    snprintf(word, sizeof word, "%sLead", kind);
    web_put_word(&heading, language, kind);
    web_put_word(&lead, language, word);
    web_escape(&said, message);
    const struct web_value values[] = { { "status", number },
                                        { "heading", buf_text(&heading) },
                                        { "lead", buf_text(&lead) },
                                        { "message", buf_text(&said) },
                                        { "request", req->id } };
    resp->status = status;
    return html_page(req, resp, kind, "error.html", values, COUNT(values));
}
