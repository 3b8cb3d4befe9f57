/*
 * html: the pages of the server for people: their headers, the frame that pages of text share, and
 * errors as pages. The operator's name, logo, colour and line of text are on each of them, and each
 * is in the language and the appearance that its reader asks for.
 */
#pragma once

#include "base/err.h"
#include "server/api_call/api.h"
#include "server/web/web.h"

/* The language of a request, and whether it asks for a light or a dark page, or "". */
const char *html_language(const struct http_request *req);
const char *html_theme(const struct http_request *req);

/* Appends the picture of the logo, and the link of the style sheet
 * with the colour, which is nothing without one. */
void html_put_logo(struct buf *out, const struct config *config);
void html_put_sheet(struct buf *out, const struct config *config);

/* Ends a page whose body is there: adds the headers that all have, and compresses it. */
enum http_next html_answer(struct http_request *req, struct http_response *resp);
/* Answers with the frame around a template of server/web. The title is a word of the section
 * "pages", or itself. */
enum http_next html_page(struct http_request *req, struct http_response *resp, const char *title,
                         const char *file, const struct web_value *values, size_t n);

/* Whether a browser shows the answer to its reader: it asks for a page, and sends no key. */
bool html_is_wanted(const struct http_request *req);
/* Answers with an error as a page: what it means for the reader, and the message, which is English.
 */
enum http_next html_problem(struct http_request *req, struct http_response *resp, int status,
                            const char *message);
